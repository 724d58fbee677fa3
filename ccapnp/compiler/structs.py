"""The fields of a struct with their places: what a node, and a value of the struct, are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Callable, Optional

from ccapnp.compiler.checks import check_ordinals
from ccapnp.compiler.data import DATA_SIZES, data_kind
from ccapnp.compiler.ids import group_id
from ccapnp.compiler.layout import Scope, StructLayout, UnionLayout, UnionMember
from ccapnp.compiler.resolve import Resolver
from ccapnp.compiler.scopes import Definition
from ccapnp.compiler.types import Primitive, Target, UnknownTarget, is_pointer
from ccapnp.language import syntax
from ccapnp.language.syntax import Span

__all__ = ["Group", "Member", "Structs"]

_MEMBERS = (syntax.Field, syntax.Parameter, syntax.Group, syntax.Union_)
_MOST_ORDINALS = 0xFFFF


class Member:
    """One field of a struct or group: a slot, or a group if ``group`` is not ``None``."""

    def __init__(self, declaration: syntax.Declaration, name: syntax.Name, code_order: int, in_union: bool) -> None:
        self.declaration = declaration
        self.name = name.text
        self.code_order = code_order
        self.in_union = in_union
        self.ordinal: Optional[int] = None
        """The one that is written; or that a parameter has by its position."""
        self.first_ordinal = _MOST_ORDINALS
        """The least of all within: what members are ordered by."""
        self.discriminant: Optional[int] = None
        self.group: Optional[Group] = None
        self.type: Target = Primitive("Void", "void")
        self.offset = 0


class Group:
    """A struct, a group or a named union with its members; they are in the order of the ordinals."""

    def __init__(self, definition: Definition, name: str, layout: StructLayout) -> None:
        self.definition = definition
        self.name = name
        self.layout = layout
        self.id = definition.id
        self.members: list[Member] = []
        self.union: Optional[UnionLayout] = None
        self.by_name: dict[str, Member] = {}

    @property
    def union_size(self) -> int:
        """How many members are in the union; 0 if there is none."""
        return sum(each.in_union for each in self.members)

    @property
    def discriminant_offset(self) -> int:
        """In units of 16 bits."""
        return self.union.discriminant_offset or 0 if self.union else 0


class Structs:
    """Finds the fields of structs, each struct once."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._made: dict[Definition, Group] = {}

    def of(self, definition: Definition) -> Group:
        """The fields of a declared struct."""
        return self.made(definition, definition.declaration.nested, {})

    def made(
        self, definition: Definition, declarations: Sequence[syntax.Declaration], implicit: Mapping[str, Target]
    ) -> Group:
        """The fields of a struct that may be that of a method's parameters, which have no ordinals."""
        found = self._made.get(definition)
        if found is None:
            maker = _Maker(definition, lambda expression: self._resolver.type(expression, definition, implicit))
            found = self._made[definition] = maker.make(declarations)
        return found


class _Maker:
    """Makes one struct."""

    def __init__(self, definition: Definition, resolve: Callable[[syntax.Expression], Target]) -> None:
        self._definition = definition
        self._resolve = resolve
        self._layout = StructLayout()
        self._ordered: list[tuple[syntax.Number, Callable[[], None]]] = []

    def make(self, declarations: Sequence[syntax.Declaration]) -> Group:
        struct = Group(self._definition, "", self._layout)
        self._add_members(struct, declarations, self._layout, None)
        self._place()
        self._finish(struct)
        _set_group_ids(struct)
        return struct

    # ---- collecting

    def _add_members(
        self,
        group: Group,
        declarations: Sequence[syntax.Declaration],
        scope: Scope,
        union: Optional[UnionLayout],
    ) -> None:
        for declaration in declarations:
            if isinstance(declaration, syntax.Union_) and declaration.name is None:
                # A second one, or one within a union, was reported by the parser.
                group.union = group.union or UnionLayout(scope)
                self._add_members(group, declaration.nested, scope, group.union)
            elif isinstance(declaration, _MEMBERS) and declaration.name is not None:
                self._add_member(group, declaration, declaration.name, scope, union)

    def _add_member(
        self,
        group: Group,
        declaration: syntax.Declaration,
        name: syntax.Name,
        scope: Scope,
        union: Optional[UnionLayout],
    ) -> None:
        member = Member(declaration, name, len(group.members), union is not None)
        group.members.append(member)
        group.by_name.setdefault(name.text, member)
        scope = scope if union is None else UnionMember(union)
        if isinstance(declaration, syntax.Field):
            self._add_field(member, declaration, declaration.ordinal, scope)
        elif isinstance(declaration, syntax.Parameter):
            self._add_field(member, declaration, syntax.Number(member.code_order, name.span), scope)
        else:
            inner = member.group = Group(self._definition, f"{group.name}.{name.text}", self._layout)
            if isinstance(declaration, syntax.Union_):
                inner.union = UnionLayout(scope)
                if declaration.ordinal is not None:
                    self._add_union_ordinal(member, declaration.ordinal, inner.union)
            self._add_members(inner, declaration.nested, scope, inner.union)

    def _add_field(
        self,
        member: Member,
        declaration: syntax.Field | syntax.Parameter,
        ordinal: Optional[syntax.Number],
        scope: Scope,
    ) -> None:
        if ordinal is None:
            return  # which the parser has reported
        member.ordinal = ordinal.value
        self._ordered.append((ordinal, lambda: self._place_field(member, declaration, scope)))

    def _add_union_ordinal(self, member: Member, ordinal: syntax.Number, union: UnionLayout) -> None:
        member.ordinal = ordinal.value
        self._ordered.append((ordinal, lambda: self._place_discriminant(ordinal.span, union)))

    # ---- placing

    def _place(self) -> None:
        self._ordered.sort(key=lambda each: each[0][:2])
        check_ordinals([number for number, _ in self._ordered], self._definition)
        for _, place in self._ordered:
            place()

    def _place_field(self, member: Member, declaration: syntax.Field | syntax.Parameter, scope: Scope) -> None:
        member.type = self._resolve(declaration.type)
        if isinstance(member.type, UnknownTarget):
            return
        if is_pointer(member.type):
            member.offset = scope.add_pointer()
            return
        kind = data_kind(member.type)
        if kind == "void":
            scope.add_void()
        else:
            member.offset = scope.add_data(DATA_SIZES[kind])

    def _place_discriminant(self, span: Span, union: UnionLayout) -> None:
        if not union.add_discriminant():
            self._report(
                span, "a union's ordinal may be greater than that of one of its members, but not of two or more"
            )

    def _finish(self, group: Group) -> None:
        for member in group.members:
            if member.group is not None:
                self._finish(member.group)
                member.first_ordinal = min(
                    (each.first_ordinal for each in member.group.members), default=_MOST_ORDINALS
                )
            if member.ordinal is not None:
                member.first_ordinal = min(member.first_ordinal, member.ordinal)
        group.members.sort(key=lambda each: (each.first_ordinal, each.code_order))
        in_union = (each for each in group.members if each.in_union)
        for discriminant, member in enumerate(in_union):
            member.discriminant = discriminant

    def _report(self, span: Span, message: str) -> None:
        self._definition.report(span, message)


def _set_group_ids(struct: Group) -> None:
    """Give every group in a struct its id, which is made of that of what it is in."""
    for index, member in enumerate(struct.members):
        if member.group is not None:
            member.group.id = group_id(struct.id, index)
            _set_group_ids(member.group)
