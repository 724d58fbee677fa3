"""Doing everything that can be done with a message which may be hostile: each thing gives a value or a CapnpError."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import ccapnp
from ccapnp import CapnpError, Kind, List

__all__ = ["attempt", "do_everything", "walk"]

_UNTYPED = (Kind.VOID, Kind.BOOL, Kind.UINT8, Kind.UINT16, Kind.UINT32, Kind.UINT64, Kind.TEXT, Kind.DATA)


def attempt(action: Callable[[], Any]) -> Any:
    """The value, or None if there is a CapnpError; any other error comes through."""
    try:
        return action()
    except CapnpError as error:
        assert str(error), "an error says what is wrong"
        return None


def walk(view: Any, most: int = 300) -> int:
    """Read every field of a struct and of all below it, in no deep recursion; gives how many objects were seen."""
    pending: list[Any] = [view]
    seen = 0
    while pending and seen < most:
        value = pending.pop()
        seen += 1
        if isinstance(value, (ccapnp.StructReader, ccapnp.StructBuilder)):
            pending.extend(_fields(value))
        elif isinstance(value, (ccapnp.ListReader, ccapnp.AnyListReader)):
            pending.extend(_items(value))
        elif isinstance(value, ccapnp.AnyStructReader):
            bytes(value.data)
            pending.extend(_items(value.pointers))
        elif isinstance(value, ccapnp.AnyPointerReader):
            pending.extend(_untyped(value, type(view)._type))
    return seen


def _fields(view: Any) -> Iterator[Any]:
    attempt(lambda: ccapnp.which(view))
    for name in view._type._node.fields_by_name:
        attempt(lambda name=name: ccapnp.has(view, name))
        yield attempt(lambda name=name: ccapnp.get_field(view, name))


def _items(values: Any) -> Iterator[Any]:
    """Some elements from both ends."""
    count = len(values)
    for index in itertools.chain(range(min(count, 8)), range(max(8, count - 4), count)):
        yield attempt(lambda index=index: values[index])


def _untyped(pointer: Any, struct_type: Any) -> Iterator[Any]:
    attempt(lambda: pointer.kind)
    repr(pointer)
    yield attempt(pointer.as_text)
    yield attempt(pointer.as_data)
    yield attempt(pointer.as_any_struct)
    anys = attempt(pointer.as_any_list)
    if anys is not None:
        attempt(lambda: bytes(anys.data))
        yield anys
    yield attempt(lambda: pointer.as_struct(struct_type))
    for kind in (*_UNTYPED, struct_type):
        yield attempt(lambda kind=kind: pointer.as_list(List(kind)))


def do_everything(view: Any) -> None:
    """Read, copy, measure, compare, write and print; what can be copied must be the same as its copy."""
    walk(view)
    attempt(lambda: view.total_size)
    attempt(lambda: hash(view))
    attempt(view.to_bytes)
    attempt(view.to_bytes_packed)
    attempt(view.to_dict)
    repr(view), str(view)
    attempt(view.to_text)
    canonical = attempt(lambda: ccapnp.canonicalize(view))
    builder = attempt(view.as_builder)
    if builder is None:
        return
    walk(builder)
    attempt(lambda: view == builder)
    if canonical is not None:
        again = type(view)._type.from_segments([canonical], traversal_limit_in_words=None)
        assert ccapnp.canonicalize(again) == canonical
        walk(again)
    attempt(lambda: builder.total_size)
    copied = type(view)._type.from_bytes(builder.to_bytes(), traversal_limit_in_words=None)
    attempt(lambda: copied == builder)
    for name in view._type._node.fields_by_name:  # what is built can be taken apart again
        attempt(lambda name=name: ccapnp.set_field(builder, name, None))
    attempt(builder.to_bytes)
