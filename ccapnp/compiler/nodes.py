"""The nodes that declarations become, as dicts of schema.capnp's `Node`; and the comments of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional, TypeVar

from ccapnp.compiler.annotations import TARGETS, Annotator
from ccapnp.compiler.checks import check_members, check_ordinals
from ccapnp.compiler.ids import method_struct_id
from ccapnp.compiler.parts import type_value, value_of, with_brand
from ccapnp.compiler.resolve import Resolver, described
from ccapnp.compiler.scopes import Definition
from ccapnp.compiler.structs import Group, Member, Structs
from ccapnp.compiler.types import (
    Branded,
    BrandScope,
    ImplicitParameter,
    ListOf,
    Parameter,
    Target,
    UnknownTarget,
)
from ccapnp.compiler.values import Values
from ccapnp.language import syntax

__all__ = ["STREAM", "Compiled", "Nodes"]

_D = TypeVar("_D", bound=syntax.Declaration)
_NO_DISCRIMINANT = 0xFFFF
STREAM = "/capnp/stream.capnp"
"""The file that declares what a method with ``-> stream`` returns."""


class Compiled(NamedTuple):
    """What one declaration becomes: its node, and those of its groups or of its methods' parameters and results."""

    nodes: list[dict[str, Any]]
    infos: list[dict[str, Any]]
    used: list[Definition]


class Nodes:
    """Compiles declarations."""

    def __init__(self) -> None:
        self._resolver = Resolver()
        self._structs = Structs(self._resolver)
        self._values = Values(self._resolver, self._structs)
        self._annotator = Annotator(self._resolver, self._values)

    def compiled(self, definition: Definition) -> Compiled:
        """The nodes of one declaration, without those that it uses or that are nested in it."""
        check_members(definition.declaration.nested, definition)
        return _One(definition, self._resolver, self._structs, self._values, self._annotator).compile()

    def check_aliases(self, scope: Definition) -> None:
        """Report what is wrong with the `using` declarations of a scope, which nothing may use."""
        for alias in scope.aliases:
            self._resolver.alias(alias)


class _One:
    """Compiles one declaration."""

    def __init__(
        self, definition: Definition, resolver: Resolver, structs: Structs, values: Values, annotator: Annotator
    ) -> None:
        self._definition = definition
        self._resolver = resolver
        self._structs = structs
        self._values = values
        self._annotator = annotator
        self._used: dict[Definition, None] = {}
        self._nodes: list[dict[str, Any]] = []
        self._infos: list[dict[str, Any]] = []

    def compile(self) -> Compiled:
        definition = self._definition
        node = self._named(definition.display_name, definition, definition.parent.id if definition.parent else 0)
        if definition.parameters:
            node["parameters"] = _names(definition.parameters)
        node["nestedNodes"] = [{"name": each.name, "id": each.id} for each in definition.nested]
        annotations = self._annotations(definition.declaration.annotations, definition.kind)
        if annotations:
            node["annotations"] = annotations
        self._nodes.append(node)
        docs = getattr(self, f"_add_{definition.kind}")(node)
        self._infos.insert(0, _info(definition.id, definition.declaration.doc, docs))
        return Compiled(self._nodes, self._infos, list(self._used))

    # ---- kinds of declarations; each gives the comments of the members, or nothing where there can be none

    def _add_file(self, node: dict[str, Any]) -> None:
        node["file"] = None

    def _add_struct(self, node: dict[str, Any]) -> Optional[list[Optional[str]]]:
        struct = self._structs.of(self._definition)
        return self._fill_struct(node, struct, self._definition)

    def _add_enum(self, node: dict[str, Any]) -> list[Optional[str]]:
        enumerants = [each for each in self._declaration(syntax.Enum).nested if isinstance(each, syntax.Enumerant)]
        ordered = sorted(enumerate(enumerants), key=lambda each: each[1].ordinal.value if each[1].ordinal else 0)
        check_ordinals([each.ordinal for _, each in ordered], self._definition)
        node["enum"] = {
            "enumerants": [
                {"name": _name(each), "codeOrder": order, **self._member_annotations(each, "enumerant")}
                for order, each in ordered
            ]
        }
        return [each.doc for _, each in ordered]

    def _add_const(self, node: dict[str, Any]) -> None:
        of_type, value = self._values.constant(self._definition)
        node["const"] = {"type": self._type(of_type), "value": value_of(value, of_type)}

    def _add_annotation(self, node: dict[str, Any]) -> None:
        declaration = self._declaration(syntax.AnnotationDeclaration)
        of_type = self._resolver.type(declaration.type, self._definition)
        written = {each.text for each in declaration.targets}
        targets = {f"targets{each.capitalize()}": each in written or "*" in written for each in TARGETS}
        node["annotation"] = {"type": self._type(of_type), **targets}

    def _add_interface(self, node: dict[str, Any]) -> list[Optional[str]]:
        declaration = self._declaration(syntax.Interface)
        methods = [each for each in declaration.nested if isinstance(each, syntax.Method)]
        ordered = sorted(enumerate(methods), key=lambda each: each[1].ordinal.value if each[1].ordinal else 0)
        check_ordinals([each.ordinal for _, each in ordered], self._definition)
        found = (self._resolver.definition(each, self._definition, "interface") for each in declaration.superclasses)
        superclasses = []
        for each in found:
            if each is not None:
                self._use(each)
                superclasses.append({"id": each.definition.id, **with_brand("brand", each.brand)})
        node["interface"] = {
            "methods": [self._method(each, order) for order, each in ordered],
            "superclasses": superclasses,
        }
        return [each.doc for _, each in ordered]

    # ---- methods

    def _method(self, method: syntax.Method, code_order: int) -> dict[str, Any]:
        results = method.results or syntax.ParameterList(method.span, [])
        params_id, params_brand = self._method_struct(method, method.params, False)
        results_id, results_brand = self._method_struct(method, results, True)
        return {
            "name": _name(method),
            "codeOrder": code_order,
            "implicitParameters": _names([each.text for each in method.parameters]),
            "paramStructType": params_id,
            **with_brand("paramBrand", params_brand),
            "resultStructType": results_id,
            **with_brand("resultBrand", results_brand),
            **self._member_annotations(method, "method"),
        }

    def _method_struct(
        self, method: syntax.Method, fields: syntax.ParameterList, is_results: bool
    ) -> tuple[int, tuple[BrandScope, ...]]:
        """The id and brand of the struct of a method's parameters or results, which is made if none is stated."""
        if fields.is_stream:
            return self._stream(fields)
        if fields.type is None:
            return self._made_struct(method, fields.named or [], is_results)
        implicit = {each.text: ImplicitParameter(index) for index, each in enumerate(method.parameters)}
        found = self._resolver.type(fields.type, self._definition, implicit)
        if isinstance(found, Branded) and found.definition.kind == "struct":
            self._use(found)
            return found.definition.id, found.brand
        if not isinstance(found, UnknownTarget):
            self._definition.report(
                fields.type.span,
                f"{described(found)} is not a struct; "
                f"list the {'results' if is_results else 'parameters'} in parentheses: (name :Type)",
            )
        return 0, ()

    def _stream(self, fields: syntax.ParameterList) -> tuple[int, tuple[BrandScope, ...]]:
        file = self._definition.file.imported(STREAM, fields.span)
        found = file.root.members.get("StreamResult") if file else None
        if not isinstance(found, Definition):
            return 0, ()
        self._use(Branded(found))
        return found.id, ()

    def _made_struct(
        self, method: syntax.Method, fields: Sequence[syntax.Parameter], is_results: bool
    ) -> tuple[int, tuple[BrandScope, ...]]:
        outer = self._definition
        ordinal = method.ordinal.value if method.ordinal else 0
        name = f"{_name(method)}${'Results' if is_results else 'Params'}"
        declaration = syntax.Struct(method.name, method.span, parameters=method.parameters, nested=list(fields))
        node_id = method_struct_id(outer.id, ordinal, is_results)
        definition = Definition(outer.file, "struct", declaration, outer, name, node_id)
        check_members(fields, definition)
        implicit: Mapping[str, Target] = {
            each.text: Parameter(definition, index) for index, each in enumerate(method.parameters)
        }
        node = self._named(definition.display_name, definition, 0)
        if method.parameters:
            node["parameters"] = _names(definition.parameters)
        self._nodes.append(node)
        self._fill_struct(node, self._structs.made(definition, fields, implicit), definition)
        return node_id, tuple(BrandScope(each, None) for each in outer.enclosing() if each.parameters)

    # ---- structs

    def _fill_struct(self, node: dict[str, Any], group: Group, definition: Definition) -> Optional[list[Optional[str]]]:
        node["struct"] = struct = {
            "dataWordCount": group.layout.data_words,
            "pointerCount": group.layout.pointer_count,
            "preferredListEncoding": "inlineComposite",
            "isGroup": bool(group.name),
            "discriminantCount": group.union_size,
            "discriminantOffset": group.discriminant_offset,
        }
        if not group.members:
            return None
        struct["fields"] = [self._field(each, definition) for each in group.members]
        for each in group.members:
            if each.group is not None:
                self._add_group(each, each.group, group, definition)
        return [each.declaration.doc for each in group.members]

    def _add_group(self, member: Member, group: Group, outer: Group, definition: Definition) -> None:
        node = self._named(definition.display_name + group.name, definition, outer.id)
        node["id"] = group.id
        self._nodes.append(node)
        docs = self._fill_struct(node, group, definition)
        self._infos.append(_info(group.id, member.declaration.doc, docs))

    def _field(self, member: Member, definition: Definition) -> dict[str, Any]:
        declaration = member.declaration
        target = "field"
        field: dict[str, Any] = {
            "name": member.name,
            "codeOrder": member.code_order,
            "discriminantValue": _NO_DISCRIMINANT if member.discriminant is None else member.discriminant,
            "ordinal": {"implicit": None} if member.ordinal is None else {"explicit": member.ordinal},
        }
        if member.group is not None:
            target = "union" if isinstance(declaration, syntax.Union_) else "group"
            field["group"] = {"typeId": member.group.id}
        else:
            assert isinstance(declaration, (syntax.Field, syntax.Parameter))
            target = "param" if isinstance(declaration, syntax.Parameter) else "field"
            field["slot"] = {
                "offset": member.offset,
                "type": self._type(member.type),
                "defaultValue": value_of(self._values.default(member, definition), member.type),
                "hadExplicitDefault": declaration.default is not None,
            }
        field.update(self._member_annotations(declaration, target))
        return field

    # ---- parts

    def _named(self, display_name: str, definition: Definition, scope_id: int) -> dict[str, Any]:
        prefix = max(display_name.rfind(each) for each in ".:") + 1
        return {
            "id": definition.id,
            "displayName": display_name,
            "displayNamePrefixLength": prefix,
            "scopeId": scope_id,
            "isGeneric": definition.is_generic,
        }

    def _declaration(self, kind: type[_D]) -> _D:
        declaration = self._definition.declaration
        assert isinstance(declaration, kind)
        return declaration

    def _annotations(self, annotations: Iterable[syntax.Annotation], target: str) -> list[dict[str, Any]]:
        return self._annotator.values(annotations, target, self._definition, self._use_definition)

    def _member_annotations(self, declaration: syntax.Declaration, target: str) -> dict[str, Any]:
        annotations = self._annotations(declaration.annotations, target)
        return {"annotations": annotations} if annotations else {}

    def _use_definition(self, definition: Definition) -> None:
        self._used[definition] = None

    def _use(self, target: Target) -> None:
        """Note the declarations that a type names."""
        if isinstance(target, ListOf):
            self._use(target.element)
        elif isinstance(target, Branded):
            self._used[target.definition] = None
            for scope in target.brand:
                for each in scope.bound or ():
                    self._use(each)

    def _type(self, target: Target) -> dict[str, Any]:
        self._use(target)
        return type_value(target)


def _names(names: Iterable[str]) -> list[dict[str, Any]]:
    return [{"name": each} for each in names]


def _name(declaration: syntax.Declaration) -> str:
    return declaration.name.text if declaration.name else ""


def _info(node_id: int, doc: Optional[str], members: Optional[list[Optional[str]]]) -> dict[str, Any]:
    """A `SourceInfo` of schema.capnp."""
    info: dict[str, Any] = {"id": node_id, **_doc(doc)}
    if members is not None:
        info["members"] = [_doc(each) for each in members]
    return info


def _doc(doc: Optional[str]) -> dict[str, Any]:
    return {"docComment": doc} if doc else {}
