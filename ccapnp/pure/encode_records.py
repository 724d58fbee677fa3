"""Records into messages: a struct and all below it as one run of words, by functions that are compiled for each type.

``fill(out, w, r)`` puts record ``r`` into the struct of zeros at word ``w`` of ``out``, a `bytearray`; what its
pointers lead to is appended.  All pointers are near, so that the run of words can go to any place in a segment.
``structs(out, at, values)`` appends a list of structs, and gives the pointer to it from word ``at``.

What does not fit is declined: whoever asked does the same work value by value, and finds the words for what is wrong.
"""

from __future__ import annotations

import struct
from struct import Struct
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ccapnp.pure.sections import Sections
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
from ccapnp.wire.pointers import ELEMENT_BITS, EMPTY_STRUCT, MAX_OBJECT_WORDS, STRUCT, ElementSize
from ccapnp.wire.views import FORMATS, number_of_bits

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape

__all__ = ["encode_record", "frame_record"]

_PutPointer = Callable[[bytearray, int, Any], int]
"""Appends what a pointer at a word leads to, and gives the pointer: 0 for what is left null."""


class _Functions(NamedTuple):
    """What is compiled for one type."""

    fill: Callable[[bytearray, int, Any], None]
    structs: _PutPointer


class _Declined(Exception):
    """A value does not fit, or is not what decoding would have given."""


_DECLINED = (_Declined, ValueError, OverflowError, TypeError, RecursionError, struct.error)
_FEW = 4
_FRAME = Struct("<4I").pack_into
_TEXT_ENDS = tuple(bytes(8 - size) for size in range(8))
"""The NUL and the zeros behind it, by the last three bits of the size of a text."""
_ENDS = tuple(bytes(-size & 7) for size in range(8))
"""The zeros behind bytes."""


def frame_record(layout: StructLayout, record: Any) -> Optional[bytes]:
    """The framed message with a record as its root; ``None`` if it is declined."""
    out = bytearray((layout.data_words + layout.pointers << 3) + 16)
    try:
        _functions(layout).fill(out, 2, record)
    except _DECLINED:
        return None
    words = (len(out) >> 3) - 1
    if words > MAX_OBJECT_WORDS:
        return None
    root = _struct_pointer(layout, 0)
    _FRAME(out, 0, 0, words, root & 0xFFFFFFFF, root >> 32)
    return bytes(out)


def encode_record(shape: BuildShape, at: int, layout: StructLayout, record: Any) -> bool:
    """Make the null pointer at ``at`` lead to a new struct; False, and no change, if the record is declined."""
    sizes = layout.data_words | layout.pointers << 16
    if not shape.arena.takes_segments or not sizes:  # an allocator of the user's may want to give less at once
        return False
    out = bytearray(layout.data_words + layout.pointers << 3)
    try:
        _functions(layout).fill(out, 0, record)
    except _DECLINED:
        return False
    words = len(out) >> 3
    if words > MAX_OBJECT_WORDS - 1:
        return False
    segment, start = shape.arena.allocate(shape.segment, at, words, STRUCT, sizes)
    segment.u8[start << 3 : start + words << 3] = out
    return True


def _functions(layout: StructLayout) -> _Functions:
    found: Optional[_Functions] = layout.compiled.get(_Functions)
    if found is None:
        compiling = _Compilation()
        found = compiling.functions(layout)
        compiling.publish()
    return found


class _Compilation:
    """The functions for one type and all that it leads to; no other thread sees one before all are made."""

    def __init__(self) -> None:
        self.made: dict[StructLayout, _Functions] = {}

    def functions(self, layout: StructLayout) -> _Functions:
        """The functions of one type."""
        found: Optional[_Functions] = layout.compiled.get(_Functions) or self.made.get(layout)
        if found is not None:
            return found
        self.made[layout] = self._stand_in(layout)
        made = self.made[layout] = _Writer(layout, self).functions()
        return made

    def _stand_in(self, layout: StructLayout) -> _Functions:
        """What a type meets that leads back to itself by way of others."""

        def fill(out: bytearray, w: int, r: Any) -> None:
            self.made[layout].fill(out, w, r)

        def structs(out: bytearray, at: int, values: Any) -> int:
            return self.made[layout].structs(out, at, values)

        return _Functions(fill, structs)

    def publish(self) -> None:
        """Keep the functions for the next time."""
        for layout, functions in self.made.items():
            layout.compiled[_Functions] = functions


def _struct_pointer(layout: StructLayout, offset: int) -> int:
    """The pointer to a struct of a type that many words behind it."""
    sizes = layout.data_words | layout.pointers << 16
    return sizes << 32 | offset << 2 if sizes else EMPTY_STRUCT


# ---- one type


class _Writer:
    """Writes the text of one type's functions.

    What no union decides is packed in one go; the lines for it stand ``before`` that, those for unions' members
    ``after``.
    """

    def __init__(self, layout: StructLayout, compiling: _Compilation) -> None:
        self.layout = layout
        self.compiling = compiling
        self.sections = Sections(layout)
        self.names: dict[str, Any] = {
            "Declined": _Declined,
            "ENDS": _ENDS,
            "TEXT_ENDS": _TEXT_ENDS,
            "pack_tag": Struct("<2I").pack,
        }
        self.before: list[str] = []
        self.after: list[str] = []
        self.variables = 0

    def functions(self) -> _Functions:
        layout = self.layout
        step = layout.data_words + layout.pointers
        record = self._name(layout.record())
        self._struct(layout, "r", "    ", is_always=True)
        format_ = self.sections.format()
        if format_ is None:
            return _Functions(_decline, _decline)
        pack = self._name(Struct(format_).pack_into)
        expressions = "".join(f", {each}" for each in self.sections.names())
        body = [*self.before, *([f"    {pack}(out, w << 3{expressions})"] if expressions else []), *self.after]
        source = [
            "def fill(out, w, r):",
            *body,
            "    return",
            "def structs(out, at, values):",
            "    if values.__class__ is not tuple: raise Declined",
            "    count = len(values)",
            "    start = len(out) >> 3",
            f"    out += pack_tag(count << 2, {layout.data_words | layout.pointers << 16})",
            f"    out += bytes(count * {step << 3})",
            f"    for w, r in zip(range(start + 1, start + 1 + count * {step}, {step}), values):"
            if step
            else "    for w, r in enumerate(values):",
            f"        if r.__class__ is not {record}: raise Declined",
            *(f"    {line}" for line in body),
            f"    return (count * {step} << 3 | 7) << 32 | start - at - 1 << 2 | 1",
        ]
        exec(compile("\n".join(source), f"<encoding {layout.name}>", "exec"), self.names)
        return _Functions(self.names["fill"], self.names["structs"])

    def _variable(self) -> str:
        self.variables += 1
        return f"v{self.variables}"

    def _name(self, value: Any) -> str:
        """A name for an object that the text refers to."""
        name = f"o{len(self.names)}"
        self.names[name] = value
        return name

    def _add(self, is_always: bool, indent: str, *lines: str) -> None:
        (self.before if is_always else self.after).extend(indent + line for line in lines)

    # ---- structs and groups

    def _struct(self, layout: StructLayout, source: str, indent: str, *, is_always: bool) -> None:
        """Lines that set all fields of a struct or group from a record, ``source``."""
        outside = [(field, self._variable()) for field in layout.fields if field.discriminant is None]
        variables = [variable for _, variable in outside]
        tag, value = self._variable(), self._variable()
        if layout.tag_index is not None:
            variables += [tag, value]
        if variables:
            self._add(is_always, indent, f"{', '.join(variables)}, = {source}")
        for field, variable in outside:
            self._field(field, variable, indent, is_always)
        bools = [variable for field, variable in outside if field.value.form == "bool"]
        if bools:
            self._add(is_always, indent, f"if not {' is '.join(f'{each}.__class__' for each in bools)} is bool:")
            self._add(is_always, indent, "    raise Declined")
        if layout.tag_index is not None:
            self._union(layout, tag, value, indent, is_always)

    def _union(self, layout: StructLayout, tag: str, value: str, indent: str, is_always: bool) -> None:
        members = [field for field in layout.fields if field.discriminant is not None]
        numbers = {field.name: field.discriminant for field in members}
        self._add(
            is_always,
            indent,
            f"n{tag} = {self._name(numbers)}.get({tag})",
            f"if n{tag} is None:",
            f"    if {tag}.__class__ is not int or {tag} in {set(numbers.values())} or {value} is not None:",
            "        raise Declined",
            f"    n{tag} = {tag}",
        )
        self._store("u16", layout.tag_index or 0, f"n{tag}", indent, is_always)
        self._dispatch(sorted(members, key=lambda field: field.discriminant or 0), f"n{tag}", value, indent)

    def _dispatch(self, members: list[FieldLayout], number: str, value: str, indent: str) -> None:
        """Lines that set the active member of a union, if it is one of these."""
        if len(members) > _FEW:
            half = len(members) >> 1
            self._add(False, indent, f"if {number} < {members[half].discriminant}:")
            self._dispatch(members[:half], number, value, indent + "    ")
            self._add(False, indent, "else:")
            self._dispatch(members[half:], number, value, indent + "    ")
            return
        keyword = "if"
        for field in members:
            self._add(False, indent, f"{keyword} {number} == {field.discriminant}:")
            if field.value.form == "bool":
                self._add(False, indent, f"    if {value}.__class__ is not bool: raise Declined")
            self._field(field, value, indent + "    ", False)
            self._add(False, indent, "    pass")
            keyword = "elif"

    # ---- fields

    def _field(self, field: FieldLayout, variable: str, indent: str, is_always: bool) -> None:
        """Lines that set a field to a variable."""
        value, form = field.value, field.value.form
        if form == "void":
            self._add(is_always, indent, f"if {variable} is not None: raise Declined")
        elif form == "group":
            assert value.struct is not None
            self._add(
                is_always,
                indent,
                f"if {variable}.__class__ is not {self._name(value.struct.record())}: raise Declined",
            )
            self._struct(value.struct, variable, indent, is_always=is_always)
        elif form == "bool":
            bit = 1 << (field.offset & 7)
            expression = f"(0 if {variable} else {bit})" if field.mask else f"({bit} if {variable} else 0)"
            self._store("u8", field.offset >> 3, expression, indent, is_always)
        elif form == "enum":
            enum = self._name(value.members[0].__class__)  # type: ignore[index]
            self._add(
                is_always,
                indent,
                f"if {variable}.__class__ is not {enum} and {variable}.__class__ is not int: raise Declined",
            )
            mask = f" ^ {field.mask}" if field.mask else ""
            self._store(value.view, field.offset, f"{variable}{mask}", indent, is_always)
        elif form == "number" and field.mask and value.view[0] == "f":
            bits = self._name(_masked_float(value.view, field.mask))
            self._store(f"u{value.view[1:]}", field.offset, f"{bits}({variable})", indent, is_always)
        elif form == "number":
            mask = f" ^ {number_of_bits(value.view, field.mask)}" if field.mask else ""
            self._store(value.view, field.offset, f"{variable}{mask}", indent, is_always)
        else:
            self._pointer(field, variable, indent, is_always)

    def _store(self, view: str, offset: int, expression: str, indent: str, is_always: bool) -> None:
        """Put a number into the data section."""
        start = offset * int(view[1:]) >> 3
        if is_always:
            self.sections.put(start, FORMATS[view], expression)
        elif view == "u8":
            self._add(False, indent, f"out[(w << 3) + {start}] |= {expression}")  # others' bits may be there
        else:
            pack = self._name(Struct(f"<{FORMATS[view]}").pack_into)
            self._add(False, indent, f"{pack}(out, (w << 3) + {start}, {expression})")

    def _pointer(self, field: FieldLayout, variable: str, indent: str, is_always: bool) -> None:
        """Lines that append what a pointer leads to, and set that."""
        word = self.layout.data_words + field.offset
        pointer = self._variable()
        put = self._name(_pointer_writer(field.value, field.unset, self.compiling))
        self._add(is_always, indent, f"{pointer} = {put}(out, w + {word}, {variable})")
        if is_always:
            self.sections.put(word << 3, "Q", pointer)
        else:
            pack = self._name(Struct("<Q").pack_into)
            self._add(False, indent, f"{pack}(out, w + {word} << 3, {pointer})")


def _decline(*arguments: Any) -> Any:
    raise _Declined


def _masked_float(view: str, mask: int) -> Callable[[Any], int]:
    """Float to bits under a default; of NaN, whose bits are another matter then, nothing."""
    to_float, to_bits = Struct(f"<{FORMATS[view]}"), Struct(f"<{FORMATS['u' + view[1:]]}")

    def bits(value: Any) -> int:
        if value != value:
            raise _Declined
        return to_bits.unpack(to_float.pack(value))[0] ^ mask  # type: ignore[no-any-return]

    return bits


# ---- what pointers lead to


def _pointer_writer(value: ValueLayout, unset: Optional[Callable[[], Any]], compiling: _Compilation) -> _PutPointer:
    """The function for a value; ``unset()`` is what a null pointer stands for, if that is not empty."""
    form, writes_empty = value.form, unset is not None
    if form == "text":
        return _put_any_text if writes_empty else _put_text
    if form == "data":
        return _put_any_data if writes_empty else _put_data
    if form == "struct" and value.struct is not None:
        return _struct_writer(value.struct, compiling)
    if form == "list" and value.element is not None:
        return _list_writer(value.element, writes_empty, compiling)
    if form == "later":
        return _later_writer(value, unset)
    return _other_writer(unset)


def _put_any_text(out: bytearray, at: int, value: Any) -> int:
    if value.__class__ is not str:
        raise _Declined
    data = value.encode()
    size = len(data)
    start = len(out) >> 3
    out += data
    out += _TEXT_ENDS[size & 7]
    return (size + 1 << 3 | 2) << 32 | start - at - 1 << 2 | 1


def _put_text(out: bytearray, at: int, value: Any) -> int:
    return _put_any_text(out, at, value) if value or value.__class__ is not str else 0


def _put_any_data(out: bytearray, at: int, value: Any) -> int:
    if value.__class__ is not bytes:
        raise _Declined
    size = len(value)
    start = len(out) >> 3
    out += value
    out += _ENDS[size & 7]
    return (size << 3 | 2) << 32 | start - at - 1 << 2 | 1


def _put_data(out: bytearray, at: int, value: Any) -> int:
    return _put_any_data(out, at, value) if value or value.__class__ is not bytes else 0


def _struct_writer(layout: StructLayout, compiling: _Compilation) -> _PutPointer:
    record, fill = layout.record(), compiling.functions(layout).fill
    zeros = bytes(layout.data_words + layout.pointers << 3)
    pointer = _struct_pointer(layout, 0)

    def put(out: bytearray, at: int, value: Any) -> int:
        if value is None:
            return 0
        if value.__class__ is not record:
            raise _Declined
        start = len(out) >> 3
        out += zeros
        fill(out, start, value)
        return pointer | start - at - 1 << 2 if zeros else pointer

    return put


def _list_writer(element: ValueLayout, writes_empty: bool, compiling: _Compilation) -> _PutPointer:
    put = _any_list_writer(element, compiling)
    if writes_empty:
        return put
    return lambda out, at, values: put(out, at, values) if values or values.__class__ is not tuple else 0


def _any_list_writer(element: ValueLayout, compiling: _Compilation) -> _PutPointer:
    if element.form == "struct" and element.struct is not None:
        return compiling.functions(element.struct).structs
    if element.form == "number":
        return _numbers_writer(element.view)
    if element.form in _FEW_BITS:
        return _FEW_BITS[element.form](element)
    return _pointers_writer(_pointer_writer(element, element.absent, compiling))


def _append(out: bytearray, at: int, size: ElementSize, count: int, data: bytes) -> int:
    """Append the elements of a list, and give the pointer to it."""
    start = len(out) >> 3
    out += data
    out += _ENDS[len(data) & 7]
    return (count << 3 | size) << 32 | start - at - 1 << 2 | 1


def _numbers_writer(view: str) -> _PutPointer:
    letter = FORMATS[view]
    size = ElementSize(ELEMENT_BITS.index(int(view[1:])))

    def put(out: bytearray, at: int, values: Any) -> int:
        if values.__class__ is not tuple:
            raise _Declined
        return _append(out, at, size, len(values), struct.pack(f"<{len(values)}{letter}", *values))

    return put


def _enums_writer(element: ValueLayout) -> _PutPointer:
    assert element.members is not None
    kinds = {element.members[0].__class__, int}
    put_numbers = _numbers_writer(element.view)

    def put(out: bytearray, at: int, values: Any) -> int:
        if values.__class__ is not tuple or not kinds.issuperset(map(type, values)):
            raise _Declined
        return put_numbers(out, at, values)

    return put


def _bools_writer(element: ValueLayout) -> _PutPointer:
    def put(out: bytearray, at: int, values: Any) -> int:
        if values.__class__ is not tuple or not {bool}.issuperset(map(type, values)):
            raise _Declined
        digits = "".join("01"[each] for each in reversed(values)) or "0"
        return _append(out, at, ElementSize.BIT, len(values), int(digits, 2).to_bytes(len(values) + 7 >> 3, "little"))

    return put


def _voids_writer(element: ValueLayout) -> _PutPointer:
    def put(out: bytearray, at: int, values: Any) -> int:
        if values.__class__ is not tuple or values.count(None) != len(values):
            raise _Declined
        return _append(out, at, ElementSize.VOID, len(values), b"")

    return put


_FEW_BITS: dict[str, Callable[[ValueLayout], _PutPointer]] = {
    "enum": _enums_writer,
    "bool": _bools_writer,
    "void": _voids_writer,
}


def _pointers_writer(put_element: _PutPointer) -> _PutPointer:
    def put(out: bytearray, at: int, values: Any) -> int:
        if values.__class__ is not tuple:
            raise _Declined
        count = len(values)
        start = len(out) >> 3
        out += bytes(count << 3)
        pointers = [put_element(out, start + index, value) for index, value in enumerate(values)]
        struct.pack_into(f"<{count}Q", out, start << 3, *pointers)
        return (count << 3 | ElementSize.POINTER) << 32 | start - at - 1 << 2 | 1

    return put


def _later_writer(value: ValueLayout, unset: Optional[Callable[[], Any]]) -> _PutPointer:
    made: list[_PutPointer] = []

    def put(out: bytearray, at: int, given: Any) -> int:
        if not made:
            assert value.make is not None
            compiling = _Compilation()
            found = _pointer_writer(value.make(), unset, compiling)
            compiling.publish()
            made.append(found)
        return made[0](out, at, given)

    return put


def _other_writer(unset: Optional[Callable[[], Any]]) -> _PutPointer:
    """Of what has no plain value, only what a null pointer is can be written here."""

    def put(out: bytearray, at: int, value: Any) -> int:
        if unset is None or value is not unset():
            raise _Declined
        return 0

    return put
