"""Pickling: a struct, list or enum member as the id of its type and, but for the last, a message.

An AnyPointer, AnyStruct or AnyList is a message alone.

The message lies in a `pickle.PickleBuffer`, so that protocol 5 can pass it out of band.  A type is found by its id
among those of the codec that it was pickled under, else among those of whatever codec knows it, else by importing the
module that it was in.
"""

from __future__ import annotations

import importlib
import pickle
from contextlib import suppress
from functools import cache
from typing import Any, Optional

from ccapnp.errors import SchemaError
from ccapnp.schema.value import Kind
from ccapnp.types import message
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.any_list import ANY_LIST
from ccapnp.types.any_struct import ANY_STRUCT, ANY_STRUCTS
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, PointerListType, StructListType
from ccapnp.types.lists import ListBuilder
from ccapnp.types.number_lists import NUMBER_LISTS
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.registry import TypeRegistry, made_registries, type_registry
from ccapnp.types.struct_view import StructBuilder, as_builder
from ccapnp.wire.limits import UNLIMITED

__all__ = ["reduce_any", "reduce_enum", "reduce_list", "reduce_struct"]

_Reference = tuple[int, str, str]
"""The id of a type, its module, and the codec it was loaded for."""

_ListKind = tuple[str, Optional[_Reference], int]
"""What `_describe` says of a list's innermost type, and the levels of lists around that."""


def _reference(cls: Any) -> _Reference:
    return cls._node_id, cls.__module__, cls._registry.codec.name


def _find(reference: _Reference) -> Any:
    """The class of a reference."""
    node_id, module, backend = reference
    if not any(node_id in registry for registry in made_registries()):
        with suppress(ImportError):
            importlib.import_module(module)
    for registry in _by_preference(backend):
        if node_id in registry:
            return registry.find_class(node_id)
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


def _refuse_capabilities(struct_type: Any, shape: Any, word: int) -> None:
    """PicklingError if the struct at ``word`` holds any."""
    if _may_hold_capabilities(struct_type):
        _refuse_any_capabilities(shape, word)


def _refuse_any_capabilities(shape: Any, word: int) -> None:
    if shape.codec.total_size(shape, word)[1]:
        raise pickle.PicklingError("a message with capabilities cannot be pickled: they belong to a connection")


@cache
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
    levels, innermost = 0, values._type
    while isinstance(innermost, PointerListType):
        levels, innermost = levels + 1, innermost.pointer_type
    name, reference = _describe(innermost)
    root = values._own_message(values)
    if isinstance(innermost, StructListType):
        _refuse_capabilities(innermost.struct_type, root, 0)
    elif name in _MAY_HOLD_CAPABILITIES:
        _refuse_any_capabilities(root, 0)
    kind = name, reference, levels
    return _restore, (kind, root.codec.name, isinstance(values, ListBuilder), _buffer(root.framed(), protocol))


def reduce_any(view: Any, protocol: int) -> Any:
    """As ``__reduce_ex__`` of an AnyPointer, AnyStruct or AnyList has to answer."""
    root = view._own_message()
    _refuse_any_capabilities(root, 0)
    kind = view._type.name, None, 0
    return _restore, (kind, root.codec.name, view._is_builder, _buffer(root.framed(), protocol))


def _restore(kind: _ListKind, backend: str, is_builder: bool, data: Any) -> Any:
    name, reference, levels = kind
    found = None if reference is None else _find(reference)
    registry: TypeRegistry = _by_preference(backend)[0] if found is None else found._registry
    list_type = _described(name, found)
    for _ in range(levels):
        list_type = registry.pointer_list(list_type)
    codec = registry.codec
    source = codec.open_flat(data, UNLIMITED)
    if is_builder:
        root = codec.new_message(memoryview(data).nbytes // 8)
        root.copy_pointer(0, source, 0)
        return list_type.build(root, 0, None)
    return list_type.read_or_absent(source, 0)


_SIMPLE: dict[str, PointerType] = {
    each.name: each
    for each in (
        *(TEXT, DATA, ANY_POINTER, ANY_STRUCT, ANY_LIST),
        *(VOID_LIST, BOOL_LIST, *NUMBER_LISTS.values(), ANY_STRUCTS),
    )
}

_MAY_HOLD_CAPABILITIES = {each.name for each in (ANY_POINTER, ANY_STRUCT, ANY_LIST, ANY_STRUCTS)}


def _describe(pointer_type: PointerType) -> tuple[str, Optional[_Reference]]:
    """What is inside of lists of lists, in words that can be pickled."""
    if isinstance(pointer_type, StructListType):
        return Kind.STRUCT.name, _reference(pointer_type.struct_type)
    if isinstance(pointer_type, EnumListType):
        return Kind.ENUM.name, _reference(pointer_type.enum)
    if pointer_type.name in _SIMPLE:
        return pointer_type.name, None
    raise pickle.PicklingError(f"lists of {pointer_type.name} cannot be pickled")


def _described(name: str, found: Any) -> Any:
    """The pointer type that `_describe` described."""
    if name == Kind.STRUCT.name:
        return found._registry.struct_list(found._node_id)
    if name == Kind.ENUM.name:
        return found._registry.enum_list(found._node_id)
    return _SIMPLE[name]
