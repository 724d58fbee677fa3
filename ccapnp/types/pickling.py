"""Pickling: a struct, record, list or enum member as the id of its type and, but for the last, a message.

An AnyPointer, AnyStruct or AnyList is a message alone.

Where parameters of the type are bound, what they stand for is pickled in the same way.

The message lies in a `pickle.PickleBuffer`, so that protocol 5 can pass it out of band.  A type is found by its id
among those of the codec that it was pickled under, else among those of whatever codec knows it, else by importing the
module that it was in.
"""

from __future__ import annotations

import importlib
import pickle
from contextlib import suppress
from typing import Any, Optional

from ccapnp.errors import SchemaError
from ccapnp.schema.value import Kind
from ccapnp.types import message
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.any_list import ANY_LIST
from ccapnp.types.any_struct import ANY_STRUCT, ANY_STRUCTS
from ccapnp.types.capability import CAPABILITY, CapabilityType
from ccapnp.types.interface import InterfacePointer
from ccapnp.types.kept import kept
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, PointerListType, StructListType, list_of
from ccapnp.types.lists import ListBuilder
from ccapnp.types.number_lists import NUMBER_LISTS
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.registry import TypeRegistry, made_registries, type_registry
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.types.struct_view import StructBuilder, as_builder
from ccapnp.wire.limits import UNLIMITED

__all__ = ["reduce_any", "reduce_bound_type", "reduce_enum", "reduce_list", "reduce_record", "reduce_struct"]

_Reference = tuple[Any, ...]
"""The id of a type, its module, the codec it was loaded for, and what is bound, if that is anything: per scope its id
and its parameters' `_Kind`s."""

_Kind = tuple[str, Optional[_Reference], int]
"""What `_describe` says of the innermost type of lists of lists, and the levels of lists around that."""


def _reference(cls: Any) -> _Reference:
    bound = getattr(cls, "_environment", None)
    declared = cls._origin if bound else cls
    found = declared._node_id, declared.__module__, declared._registry.codec.name
    return (
        (*found, tuple((scope_id, tuple(map(_kind, types))) for scope_id, types in bound.items())) if bound else found
    )


def _find(reference: _Reference) -> Any:
    """The class of a reference."""
    node_id, module, backend, *bound = reference
    if not any(node_id in registry for registry in made_registries()):
        with suppress(ImportError):
            importlib.import_module(module)
    for registry in _by_preference(backend):
        if node_id in registry:
            found = registry.find_class(node_id)
            for scopes in bound:
                return registry.bind(found, {scope: tuple(map(_of_kind, kinds)) for scope, kinds in scopes})
            return found
    raise SchemaError(
        f"to unpickle this, load the schema of type {node_id:#018x} first, or have its module {module} importable"
    )


def _by_preference(backend: str) -> list[TypeRegistry]:
    """The registries of this process: first that of the codec of that name, then the default codec's."""
    default = type_registry()
    return sorted(made_registries(), key=lambda each: (each.codec.name != backend, each is not default))


def _buffer(data: bytes, protocol: int) -> Any:
    return pickle.PickleBuffer(data) if protocol >= 5 else data


def reduce_struct(view: Any, protocol: int) -> Any:
    """As ``__reduce_ex__`` of a struct has to answer."""
    struct_type = view._type
    if struct_type._node.is_group:
        raise pickle.PicklingError(f"a group, {struct_type.__qualname__}, cannot be pickled without its struct")
    is_builder = isinstance(view, StructBuilder)
    _refuse_capabilities(struct_type, view._c, view._w)
    return _restore_struct, (_reference(struct_type), is_builder, _buffer(message.to_bytes(view), protocol))


def _restore_struct(reference: _Reference, is_builder: bool, data: Any) -> Any:
    reader = message.from_bytes(_find(reference), data, *UNLIMITED)
    return as_builder(reader) if is_builder else reader


def reduce_record(record: Any, protocol: int) -> Any:
    """As ``__reduce_ex__`` of a record has to answer."""
    struct_type = record._type
    view = struct_type._build(record)
    _refuse_capabilities(struct_type, view._c, view._w)
    return _restore_record, (_reference(struct_type), _buffer(view._c.framed(), protocol))


def _restore_record(reference: _Reference, data: Any) -> Any:
    struct_type = _find(reference)
    return struct_type._registry.codec.open_flat(data, UNLIMITED).read_struct(0, struct_type._decode)


def _refuse_capabilities(struct_type: Any, shape: Any, word: int) -> None:
    """PicklingError if the struct at ``word`` holds any."""
    if _may_hold_capabilities(struct_type):
        _refuse_any_capabilities(shape, word)


def _refuse_any_capabilities(shape: Any, word: int) -> None:
    if shape.codec.total_size(shape, word)[1]:
        raise pickle.PicklingError("a message with capabilities cannot be pickled: they belong to a connection")


@kept
def _may_hold_capabilities(struct_type: Any) -> bool:
    """Whether the schema has a place for one in a struct, or below it."""
    seen: set[int] = set()
    pending = [struct_type]
    while pending:
        node = pending.pop()._node
        if node.id in seen:
            continue
        seen.add(node.id)
        for field in node.fields:
            inner = field.type
            while inner.kind == Kind.LIST and inner.element is not None:
                inner = inner.element
            if inner.kind in (Kind.INTERFACE, Kind.ANY_POINTER):
                return True
            if field.is_group or inner.kind == Kind.STRUCT:
                pending.append(struct_type._registry.struct(field.group_id if field.is_group else inner.type_id))
    return False


def reduce_enum(member: Any) -> Any:
    """As ``__reduce_ex__`` of an enum member has to answer."""
    return _restore_enum, (_reference(type(member)), int(member))


def _restore_enum(reference: _Reference, number: int) -> Any:
    found = _find(reference)
    return found._registry.enum_members(found._node_id)[number]


def reduce_list(values: Any, protocol: int) -> Any:
    """As ``__reduce_ex__`` of a list has to answer."""
    innermost, _ = _innermost(values._type)
    if isinstance(innermost, CapabilityType):
        raise pickle.PicklingError(f"lists of {innermost.name} cannot be pickled")
    kind = _kind(values._type)
    root = values._own_message(values)
    if isinstance(innermost, StructListType):
        _refuse_capabilities(innermost.struct_type, root, 0)
    elif innermost.name in _MAY_HOLD_CAPABILITIES:
        _refuse_any_capabilities(root, 0)
    return _restore, (kind, root.codec.name, isinstance(values, ListBuilder), _buffer(root.framed(), protocol))


def reduce_any(view: Any, protocol: int) -> Any:
    """As ``__reduce_ex__`` of an AnyPointer, AnyStruct or AnyList has to answer."""
    root = view._own_message()
    _refuse_any_capabilities(root, 0)
    kind = view._type.name, None, 0
    return _restore, (kind, root.codec.name, view._is_builder, _buffer(root.framed(), protocol))


def _restore(kind: _Kind, backend: str, is_builder: bool, data: Any) -> Any:
    list_type, reference = _of_kind(kind), kind[1]
    registry = _by_preference(backend)[0] if reference is None else _find(reference)._registry
    codec = registry.codec
    source = codec.open_flat(data, UNLIMITED)
    if is_builder:
        root = codec.new_message(memoryview(data).nbytes // 8)
        root.copy_pointer(0, source, 0)
        return list_type.build(root, 0, None)
    return list_type.read_or_absent(source, 0)


def reduce_bound_type(cls: Any) -> Any:
    """As ``__reduce__`` of a type with parameters bound has to answer."""
    return _find, (_reference(cls),)


_SIMPLE: dict[str, PointerType] = {
    each.name: each
    for each in (
        *(TEXT, DATA, ANY_POINTER, ANY_STRUCT, ANY_LIST, CAPABILITY),
        *(VOID_LIST, BOOL_LIST, *NUMBER_LISTS.values(), ANY_STRUCTS),
    )
}
_CLASS = "CLASS"
"""The name for pointers to a struct or capability; ``Kind.STRUCT`` and ``ENUM`` are those for lists of them."""

_MAY_HOLD_CAPABILITIES = {each.name for each in (ANY_POINTER, ANY_STRUCT, ANY_LIST, ANY_STRUCTS)}


def _innermost(pointer_type: PointerType) -> tuple[PointerType, int]:
    """What is in lists of lists, and how many levels of lists are around it."""
    levels = 0
    while isinstance(pointer_type, PointerListType):
        levels, pointer_type = levels + 1, pointer_type.pointer_type
    return pointer_type, levels


def _kind(pointer_type: PointerType) -> _Kind:
    """A type in words that can be pickled."""
    innermost, levels = _innermost(pointer_type)
    if isinstance(innermost, StructListType):
        return Kind.STRUCT.name, _reference(innermost.struct_type), levels
    if isinstance(innermost, EnumListType):
        return Kind.ENUM.name, _reference(innermost.enum), levels
    if isinstance(innermost, (StructPointer, InterfacePointer)):
        return _CLASS, _reference(innermost.type_name), levels
    return innermost.name, None, levels


def _of_kind(kind: _Kind) -> PointerType:
    """The type of which `_kind` gave this."""
    name, reference, levels = kind
    found: Any = None if reference is None else _find(reference)
    if name == Kind.STRUCT.name:
        made: PointerType = list_of(found._pointer)
    elif name == Kind.ENUM.name:
        made = found._registry.enum_list(found._node_id)
    else:
        made = _SIMPLE[name] if found is None else found._pointer
    for _ in range(levels):
        made = list_of(made)
    return made
