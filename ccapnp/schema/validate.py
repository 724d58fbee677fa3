"""What a node must be for messages to be read and built by it: checked where nodes come from outside.

Nobody needs to trust a node after that: its fields lie within its struct, each group within the struct around it, what
is nested, or a group, is so only once and not without end, and a type is used as what it is.  Names of members differ,
and hide nothing of the library's own, which has underscores in its names.  What the default of a pointer leads to is
checked as any message is, when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import SchemaError, a
from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.uses import uses
from ccapnp.schema.value import WIDTH_BITS

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field, Member, Node
    from ccapnp.schema.value import Type, Value

__all__ = ["check_group", "check_room", "check_scope", "fault", "validate", "validate_all"]

DEEPEST = 100
"""How many declarations may be around one."""


def validate_all(nodes: Mapping[int, Node]) -> None:
    """Check nodes that come together; SchemaError for the first that is wrong, by itself or beside the others."""
    for node in nodes.values():
        validate(node)
    for node in nodes.values():
        check_scope(node, nodes.get)
        for use in uses(node):
            used = nodes.get(use.id)
            if used is not None and used.kind != use.kind:
                raise fault(node, f"uses {used.display_name} as if it were {a(use.kind.name.lower())}", use.member)
        for field in node.fields:
            group = nodes.get(field.group_id) if field.is_group else None
            if group is not None:
                check_group(node, field, group)
                check_room(node, field, group)


def validate(node: Node) -> None:
    """Check what can be seen of one node alone."""
    if "\0" in node.display_name:
        raise fault(node, "has a name with a NUL character")
    for nested in node.nested:
        if not _is_name(nested.name):
            raise fault(node, f"declares {nested.name!r}, which is no name")
    if node.kind == NodeKind.STRUCT:
        _check_names(node, node.fields)
        _check_ordinals(node)
        _check_union(node)
        for field in node.fields:
            _check_field(node, field)
        groups = [field.group_id for field in node.fields if field.is_group]
        if len(set(groups)) < len(groups):
            raise fault(node, "has two fields that are the same group")
    elif node.kind == NodeKind.ENUM:
        _check_names(node, node.enumerants)
    elif node.kind == NodeKind.INTERFACE:
        _check_names(node, node.methods)
    elif node.type is not None and node.value is not None and not _is_value_of(node.type, node.value):
        raise fault(node, "is a constant whose value is of another type")


def check_scope(node: Node, find: Callable[[int], Optional[Node]]) -> None:
    """Check that a node is not nested in itself, nor too deep."""
    inner = node
    for _ in range(DEEPEST):
        outer = find(inner.scope_id) if inner.scope_id else None
        if outer is None:
            return
        inner = outer
        if inner.id == node.id:
            raise fault(node, "is declared within itself")
    raise fault(node, f"is nested deeper than {DEEPEST} levels")


def check_group(owner: Node, field: Field, group: Node) -> None:
    """Check that the group a field names is one, and that of this struct: then none is in itself, or in two places."""
    if not group.is_group or group.scope_id != owner.id:
        raise fault(owner, f"is not a group of it, but {group.display_name}", field)


def check_room(owner: Node, field: Field, group: Node) -> None:
    """Check that a group lies within its struct, whose memory is all that it has."""
    if group.data_words > owner.data_words or group.pointer_count > owner.pointer_count:
        raise fault(owner, "is a group that is larger than its struct", field)


def fault(node: Node, reason: str, member: Optional[Member] = None) -> SchemaError:
    """The error for a node that is wrong."""
    context: dict[str, Any] = {"file": node.file_name, "type": node.display_name}
    if member is None:
        return SchemaError(f"{node.display_name} {reason}", **context)
    kind = type(member).__name__.lower()
    return SchemaError(f"{kind} {member.name!r} of {node.display_name} {reason}", field=member.name, **context)


def _check_names(node: Node, members: Iterable[Member]) -> None:
    names = set()
    for member in members:
        if not _is_name(member.name):
            raise fault(node, "has no name that the language knows", member)
        if member.name in names:
            raise fault(node, "has the name of another", member)
        names.add(member.name)


def _is_name(name: str) -> bool:
    return name != "" and "_" not in name and "\0" not in name


def _check_ordinals(node: Node) -> None:
    """Fields stand in the order of their ordinals; a struct's groups have some of its, else all are there."""
    fields = [field for field in node.fields if field.ordinal >= 0]
    is_whole = not node.is_group and not any(field.is_group for field in node.fields)
    last = -1
    for field in fields:
        if field.ordinal <= last:
            raise fault(node, f"has the ordinal {field.ordinal}, which is not larger than the one before it", field)
        if is_whole and field.ordinal > last + 1:
            raise fault(node, f"has the ordinal {field.ordinal}, where {last + 1} is next", field)
        last = field.ordinal


def _check_union(node: Node) -> None:
    members = node.union_fields
    if node.discriminant_count != len(members) or len(members) == 1:
        raise fault(node, f"has a union of {node.discriminant_count} members, of which {len(members)} are there")
    for discriminant, field in enumerate(members):
        if field.discriminant != discriminant:
            raise fault(node, f"has the discriminant {field.discriminant}, where {discriminant} is next", field)
    if members and (node.discriminant_offset + 1) << 4 > node.data_words << 6:
        raise fault(node, "has a union whose discriminant lies outside its struct")


def _check_field(node: Node, field: Field) -> None:
    if field.is_group:
        return
    kind = field.type.kind
    if kind.is_pointer:
        fits = field.offset < node.pointer_count
    else:
        fits = (field.offset + 1) * WIDTH_BITS[kind] <= node.data_words << 6
    if not fits:
        raise fault(node, "lies outside its struct", field)
    if not _is_value_of(field.type, field.default):
        raise fault(node, "has a default of another type", field)


def _is_value_of(type: Type, value: Value) -> bool:
    """Whether a value is of that kind, or left out."""
    return value.kind == type.kind or not value.bits and value.pointer is None
