"""Whether one node is a newer version of another: the rules of schema evolution.

Members are compared one by one in the order of their ordinals, and what one side has more of makes it the newer one.
What must not change is what messages depend on: where fields are, their types and the defaults of plain values, the
parameters and results of methods.  Names, the order in the source, annotations, constants and defaults of pointers may.

A list of plain values may become one of structs whose first field is of their type, and a field may become a group of
which it is the first; whether that holds is up to a node that need not be known yet, so it is left as an `Upgrade`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from ccapnp.errors import SchemaError
from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.validate import fault
from ccapnp.schema.value import Kind

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field, Member, Node
    from ccapnp.schema.value import Type

__all__ = ["Comparison", "Upgrade", "check_upgrade", "compare"]

_BYTES = frozenset((Kind.INT8, Kind.UINT8))


class Upgrade(NamedTuple):
    """A struct that some value became: its first field must be that value, of this type, place and default.

    ``origin`` says for people whose value it is.
    """

    struct_id: int
    type: Type
    offset: int
    bits: int
    origin: str


def compare(old: Node, new: Node) -> Comparison:
    """Which of two versions of a node is newer; SchemaError if messages of one cannot be read by the other."""
    found = Comparison(new, f"so it is no version of the {old.display_name} that is loaded")
    found.compare(old, new)
    return found


def check_upgrade(upgrade: Upgrade, struct: Node) -> list[Upgrade]:
    """Check a struct that a value became; gives what must be checked of its own groups and elements then."""
    found = Comparison(struct, f"so it cannot stand for {upgrade.origin}")
    if struct.fields:
        found.compare_first(upgrade, struct.fields[0])
    return found.upgrades


class Comparison:
    """Two versions of a node.

    ``direction`` is 1 if the second is the newer one, -1 if the first is, and 0 if nothing tells.
    """

    def __init__(self, node: Node, consequence: str) -> None:
        self.direction = 0
        self.upgrades: list[Upgrade] = []
        self._node = node
        self._member: Optional[Member] = None
        self._consequence = consequence

    def compare(self, old: Node, new: Node) -> None:
        if old.kind != new.kind:
            raise self._fault(f"is of kind {new.kind.name.lower()}, not {old.kind.name.lower()}")
        if old.kind == NodeKind.STRUCT:
            self._structs(old, new)
        elif old.kind == NodeKind.ENUM:
            self._sizes(len(old.enumerants), len(new.enumerants))
        elif old.kind == NodeKind.INTERFACE:
            self._interfaces(old, new)
        if not self.direction:
            self._sizes(len(old.nested), len(new.nested))

    def compare_first(self, upgrade: Upgrade, first: Field) -> None:
        self._member = first
        if first.discriminant:
            raise self._fault("is not the first member of its union")
        if first.is_group:
            self.upgrades.append(upgrade._replace(struct_id=first.group_id))
        else:
            self._slots(upgrade.type, upgrade.offset, upgrade.bits, first)

    def _fault(self, reason: str) -> SchemaError:
        return fault(self._node, f"{reason}, {self._consequence}", self._member)

    def _differs(self, direction: int) -> None:
        """Note that something says which version is newer."""
        if direction and self.direction == -direction:
            raise self._fault("has more of one thing and less of another")
        self.direction = direction or self.direction

    def _sizes(self, old: int, new: int) -> None:
        self._differs((new > old) - (new < old))

    # ---- structs

    def _structs(self, old: Node, new: Node) -> None:
        if old.is_group != new.is_group or old.is_group and old.scope_id != new.scope_id:
            raise self._fault("is a group of another struct, or of none")
        if old.discriminant_count and new.discriminant_count and old.discriminant_offset != new.discriminant_offset:
            raise self._fault("has its discriminant at another place")
        for before, after in zip(old.fields, new.fields):
            self._member = after
            self._fields(before, after)
        self._member = None
        self._sizes(len(old.fields), len(new.fields))
        self._sizes(old.discriminant_count, new.discriminant_count)
        self._sizes(old.data_words, new.data_words)
        self._sizes(old.pointer_count, new.pointer_count)

    def _fields(self, old: Field, new: Field) -> None:
        if (old.discriminant or 0) != (new.discriminant or 0):  # one that is in no union may become the first of one
            raise self._fault("has another discriminant")
        if old.is_group and new.is_group:
            if old.group_id != new.group_id:
                raise self._fault("is another group")
        elif old.is_group or new.is_group:
            group, slot = (old, new) if old.is_group else (new, old)
            origin = f"the field {slot.name!r} of {self._node.display_name}"
            self.upgrades.append(Upgrade(group.group_id, slot.type, slot.offset, slot.default.bits, origin))
        else:
            self._slots(old.type, old.offset, old.default.bits, new)

    def _slots(self, type: Type, offset: int, bits: int, new: Field) -> None:
        self._types(type, new.type)
        if offset != new.offset:
            raise self._fault("is at another place")
        if bits != new.default.bits:
            raise self._fault("has another default")

    def _types(self, old: Type, new: Type, is_element: bool = False) -> None:
        """Two types of one value; elements of lists may be structs in one version."""
        if old.kind == new.kind:
            if old.element is not None and new.element is not None:
                self._types(old.element, new.element, is_element=True)
            elif old.type_id != new.type_id:
                raise self._fault("is of another type")
        elif _is_widened(old, new):
            self._differs(1)
        elif _is_widened(new, old):
            self._differs(-1)
        elif is_element and Kind.STRUCT in (old.kind, new.kind) and Kind.BOOL not in (old.kind, new.kind):
            struct, value = (old, new) if old.kind == Kind.STRUCT else (new, old)
            origin = f"an element of {self._member and self._member.name!r} of {self._node.display_name}"
            self.upgrades.append(Upgrade(struct.type_id, value, 0, 0, origin))
        else:
            raise self._fault(f"is of type {new.kind.name}, not {old.kind.name}")

    # ---- interfaces

    def _interfaces(self, old: Node, new: Node) -> None:
        before, after = ({superclass_id for superclass_id, _ in node.superclasses} for node in (old, new))
        self._differs(1 if after - before else 0)
        self._differs(-1 if before - after else 0)
        self._sizes(len(old.methods), len(new.methods))
        for one, other in zip(old.methods, new.methods):
            self._member = other
            if one.params_id != other.params_id:
                raise self._fault("has other parameters")
            if one.results_id != other.results_id:
                raise self._fault("has other results")
        self._member = None


def _is_widened(narrow: Type, wide: Type) -> bool:
    """Whether a pointer's type says less in one version: text and lists of bytes may become data, and all anything."""
    if wide.kind == Kind.DATA:
        element = narrow.element
        return narrow.kind == Kind.TEXT or element is not None and element.kind in _BYTES
    return wide.kind == Kind.ANY_POINTER and narrow.kind.is_pointer
