"""Types' layouts as the shim's tables, made once for a type and all that it leads to."""

from __future__ import annotations

import marshal
from typing import Any, NamedTuple, Optional

from ccapnp.errors import CapnpError
from ccapnp.native._lib import ffi, lib
from ccapnp.native.bytes_only import Check, bytes_check
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout

__all__ = ["CompiledLayout", "compiled_layout"]

_FORMS = {
    "void": lib.CCP_VOID,
    "bool": lib.CCP_BOOL,
    "i8": lib.CCP_INT8,
    "i16": lib.CCP_INT16,
    "i32": lib.CCP_INT32,
    "i64": lib.CCP_INT64,
    "u8": lib.CCP_UINT8,
    "u16": lib.CCP_UINT16,
    "u32": lib.CCP_UINT32,
    "u64": lib.CCP_UINT64,
    "f32": lib.CCP_FLOAT32,
    "f64": lib.CCP_FLOAT64,
    "enum": lib.CCP_ENUM,
    "text": lib.CCP_TEXT,
    "data": lib.CCP_DATA,
    "list": lib.CCP_LIST,
    "struct": lib.CCP_STRUCT,
    "group": lib.CCP_GROUP,
    "later": lib.CCP_OTHER,
    "other": lib.CCP_OTHER,
}


class CompiledLayout(NamedTuple):
    """Where a type is: the tables, and its number in them; and what looks at values before they are encoded."""

    tables: Any
    type: int
    check: Optional[Check]
    types: list[StructLayout]
    """All that are in the tables, by their numbers."""
    enums: list[ValueLayout]
    """The same of enums."""


def compiled_layout(layout: StructLayout, verbose: bool) -> CompiledLayout:
    """The tables with a type; with what its null pointers read as, if ``verbose``."""
    found = layout.compiled.get((__name__, verbose))
    if found is None:
        _Tables(verbose).compile(layout)
        found = layout.compiled[__name__, verbose]
    return found  # type: ignore[no-any-return]


class _Tables:
    """The tables while they are written."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose
        self.types: list[StructLayout] = []
        self.numbers: dict[StructLayout, int] = {}
        self.fields: list[tuple[Any, ...]] = []
        self.values: list[tuple[int, int]] = []
        self.enums: list[tuple[int, int]] = []
        self.enum_values: list[ValueLayout] = []
        self.names: list[tuple[int, int]] = []
        self.bytes = bytearray()

    def compile(self, layout: StructLayout) -> None:
        """Write all tables, and leave them with each layout that is in them."""
        self.type(layout)
        structs = [self.struct(each) for each in self.types]  # which grows meanwhile
        arguments: list[Any] = []
        for kind, table in (
            ("ccp_struct[]", structs),
            ("ccp_field[]", self.fields),
            ("ccp_value[]", self.values),
            ("ccp_span[]", self.enums),
            ("ccp_span[]", self.names),
        ):
            arguments += [ffi.new(kind, table), len(table)]
        made = lib.ccp_layouts_new(*arguments, bytes(self.bytes), len(self.bytes))
        if not made:
            raise MemoryError("there is no memory for the layouts of a schema")
        tables = ffi.gc(made, lib.ccp_layouts_free)
        for number, each in enumerate(self.types):
            each.compiled[__name__, self.verbose] = CompiledLayout(
                tables, number, bytes_check(each), self.types, self.enum_values
            )

    def type(self, layout: StructLayout) -> int:
        """The number of a type."""
        if layout not in self.numbers:
            self.numbers[layout] = len(self.types)
            self.types.append(layout)
        return self.numbers[layout]

    def struct(self, layout: StructLayout) -> tuple[Any, ...]:
        rows = [self.field(field) for field in layout.fields]
        start = len(self.fields)
        self.fields += rows
        tag_index = -1 if layout.tag_index is None else layout.tag_index
        return (start, len(rows)), tag_index, layout.data_words, layout.pointers

    def field(self, field: FieldLayout) -> tuple[Any, ...]:
        discriminant = -1 if field.discriminant is None else field.discriminant
        absent = self.span(field.absent)
        if self.verbose and field.value.form in ("text", "data", "list", "struct", "later", "other"):
            absent = self.span(_marshalled_default(field))
        return self.span(field.name.encode()), self.value(field.value), field.offset, field.mask, discriminant, absent

    def value(self, value: ValueLayout) -> int:
        """The number of a value."""
        detail = 0
        if value.struct is not None:
            detail = self.type(value.struct)
        elif value.element is not None:
            detail = self.value(value.element)
        elif value.names is not None:
            detail = len(self.enums)
            self.enums.append((len(self.names), len(value.names)))
            self.enum_values.append(value)
            self.names += [self.span(value.names[number].encode()) for number in range(len(value.names))]
        self.values.append((_FORMS[value.view if value.form == "number" else value.form], detail))
        return len(self.values) - 1

    def span(self, data: bytes) -> tuple[int, int]:
        """Where some bytes are."""
        self.bytes += data
        return len(self.bytes) - len(data), len(data)


def _marshalled_default(field: FieldLayout) -> bytes:
    """What a null pointer reads as; nothing if that cannot be said once for all."""
    try:
        return marshal.dumps(field.default(True, False), 2)
    except (CapnpError, ValueError):
        return b""
