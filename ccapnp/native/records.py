"""Records in one crossing: the extension makes the tuples of a whole tree, and reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native import objects
from ccapnp.native._lib import ffi
from ccapnp.native.layouts import CompiledLayout, compiled_layout
from ccapnp.native.source import place

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape
    from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
    from ccapnp.wire.limits import Limits

__all__ = ["decode", "decode_flat", "frame"]

_EMPTY: dict[str, Any] = {"text": "", "data": b"", "list": ()}
_UNLIMITED = 2**63 - 1
_MOST_DEPTH = 2**31 - 1


def decode(layout: StructLayout, shape: ReadShape, word: int) -> Any:
    """A struct and all below it as a record; ``None`` if that is not for the extension to do."""
    source = place(shape, word)
    if source is None:
        return None
    records, number = layout.compiled.get(__name__) or _compiled(layout)
    segments, *rest = source
    found = records.decode(number, int(ffi.cast("uintptr_t", segments)), *rest)
    if found is None:
        return None
    record, words = found
    shape.arena.budget -= words
    return record


def decode_flat(layout: StructLayout, data: bytes, start: int, limits: Limits) -> Optional[tuple[Any, int]]:
    """(record of the root struct, end) of the framed message at a byte of ``data``."""
    records, number = layout.compiled.get(__name__) or _compiled(layout)
    words, depth = limits
    return records.decode_flat(  # type: ignore[no-any-return]
        number, data, start, _UNLIMITED if words is None else min(words, _UNLIMITED), min(depth, _MOST_DEPTH)
    )


def frame(layout: StructLayout, record: Any) -> Optional[bytes]:
    """The framed message with a record, or what a dict says, as its root."""
    records, number = layout.compiled.get(__name__) or _compiled(layout)
    return records.encode(number, record)  # type: ignore[no-any-return]


def _compiled(layout: StructLayout) -> tuple[Any, int]:
    """(what decodes and encodes the records of a type and all that it leads to, the type's number there)."""
    tables = compiled_layout(layout, False)
    fields = [field for each in tables.types for field in each.fields]
    records = _records(tables, fields)
    for number, each in enumerate(tables.types):
        each.compiled[__name__] = records, number
    # A default may be a struct, whose record needs what was just made, and is declined as long as it has no defaults.
    for index, field in enumerate(fields):
        if field.unset is not None:
            records.set_absent(index, field.unset())
    found: tuple[Any, int] = layout.compiled[__name__]
    return found


def _records(tables: CompiledLayout, fields: list[FieldLayout]) -> Any:
    classes = tuple(each.record() for each in tables.types)
    return objects.new_records(
        int(ffi.cast("uintptr_t", tables.tables)),
        tables.tables,
        classes,
        tuple(map(_items, tables.types)),
        tuple(map(_members, tables.enums)),
        tuple({name: number for number, name in (value.names or {}).items()} for value in tables.enums),
        tuple(... if field.unset else _EMPTY.get(field.value.form) for field in fields),
        tuple(field.name for field in fields),
    )


def _members(value: ValueLayout) -> tuple[Any, ...]:
    """An enum's members by number."""
    return tuple(value.members[number] for number in range(len(value.names or ())))  # type: ignore[index]


def _items(layout: StructLayout) -> int:
    """How many items a type's records have."""
    outside = sum(field.discriminant is None for field in layout.fields)
    return outside if layout.tag_index is None else outside + 2
