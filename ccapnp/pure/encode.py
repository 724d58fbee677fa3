"""Whole trees into a message: structs from dicts of plain Python values, without asking the classes.

For each field a function ``put(c, w, v)`` is compiled when its type is first needed, which sets it in the new struct at
word ``w`` of shape ``c``.  What is not plain, or does not fit, is declined: whoever asked does the same work value by
value, and finds the words for what is wrong.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
from ccapnp.wire.pointers import ELEMENT_BITS, ElementSize
from ccapnp.wire.views import FORMATS

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape

__all__ = ["encode"]

_Fill = Callable[[Any, int, "dict[str, Any]"], None]
_Put = Callable[[Any, int, Any], None]
_F32_MAX = 3.4028234663852886e38
_WHOLE = {"8": "(w << 3) + ", "16": "(w << 2) + ", "32": "(w << 1) + ", "64": "w + "}


class _Declined(Exception):
    """A value is not plain, or does not fit."""


_NOT_PLAIN = (_Declined, ValueError, OverflowError, TypeError, RecursionError)
"""What a value that has to be declined can lead to; a number out of range is a ValueError of its view."""


def encode(shape: BuildShape, at: int, value: ValueLayout, plain: Any) -> bool:
    """Make the null pointer at ``at`` lead to what a plain value says; False, and no change, if it is declined."""
    arena = shape.arena
    if not arena.takes_segments:  # an allocator of the user's is asked but once
        return False
    mark = arena.mark()
    try:
        _put(value)(shape, at, plain)
        return True
    except _NOT_PLAIN:
        arena.rollback(mark)
        shape.u64[at] = 0
        return False


# ---- structs


def _fill_of(layout: StructLayout) -> _Fill:
    """The function that fills structs of a type."""
    found = layout.compiled.get(__name__)
    return found or layout.compiled.setdefault(__name__, _fill(layout))  # type: ignore[no-any-return]


def _fill(layout: StructLayout) -> _Fill:
    setters = {field.name: _setter(layout, field) for field in layout.fields if field.discriminant is None}
    members = {field.name: _setter(layout, field) for field in layout.fields if field.discriminant is not None}

    def fill(c: Any, w: int, d: dict[str, Any]) -> None:
        is_chosen = False
        for name, v in d.items():  # in their order, which is that of what is allocated
            put = setters.get(name)
            if put is None:
                put = members.get(name)
                if put is None or is_chosen:
                    raise _Declined
                is_chosen = True
            put(c, w, v)

    return fill


def _setter(layout: StructLayout, field: FieldLayout) -> _Put:
    """The function ``put(c, w, v)`` that sets a field of the struct at word ``w``."""
    names: dict[str, Any] = {"Declined": _Declined}
    lines = _setting(field, names)
    if field.discriminant is not None:
        lines.append(f"c.u16[(w << 2) + {layout.tag_index}] = {field.discriminant}")
    source = "\n    ".join(["def put(c, w, v):", *lines])
    exec(compile(source, f"<setting {layout.name}.{field.name}>", "exec"), names)
    return names["put"]  # type: ignore[no-any-return]


def _setting(field: FieldLayout, names: dict[str, Any]) -> list[str]:
    """The source of it, which refers to ``names``."""
    form, value = field.value.form, field.value
    if form == "void":
        return ["if v is not None: raise Declined"]
    if form == "bool":
        byte, bit = field.offset >> 3, 1 << (field.offset & 7)
        return [
            f"if v is {not field.mask}: c.u8[(w << 3) + {byte}] |= {bit}",
            f"elif v is not {bool(field.mask)}: raise Declined",
        ]
    if form == "enum":
        names["numbers"] = {name: number for number, name in (value.names or {}).items()}
        return [
            "n = numbers.get(v)",
            "if n is None:",
            "    if v.__class__ is not int: raise Declined",
            "    n = v",
            *_number("u16", "n", field),
        ]
    if form == "number":
        return [f"if {_misfit(value.view, 'v')}: raise Declined", *_number(value.view, "v", field)]
    if form == "group":
        assert value.struct is not None
        names["fill"] = _fill_of(value.struct)
        return ["if v.__class__ is not dict: raise Declined", "fill(c, w, v)"]
    at = f"w + c.data_words + {field.offset}"
    if form == "text":
        return [f"if v.__class__ is str: c.set_text({at}, v.encode())", "elif v is not None: raise Declined"]
    names["put_value"] = _put(value)
    return [f"if v is not None: put_value(c, {at}, v)"]


def _number(view: str, number: str, field: FieldLayout) -> list[str]:
    bits = view[1:]
    at = f"{_WHOLE[bits]}{field.offset}"
    lines = [f"c.{view}[{at}] = {number}"]
    return [*lines, f"c.u{bits}[{at}] ^= {field.mask}"] if field.mask else lines


def _misfit(view: str, value: str) -> str:
    """The condition under which a value is no number of a view, as far as the view does not find that out itself."""
    if view[0] != "f":
        return f"{value}.__class__ is not int"
    is_number = f"{value}.__class__ is float or {value}.__class__ is int"
    most = _F32_MAX if view == "f32" else float("1.7976931348623157e308")
    return f"not ({is_number}) or not {-most!r} <= {value} <= {most!r}"  # nor is NaN, whose bits depend on the default


# ---- what pointers lead to


def _put(value: ValueLayout) -> _Put:
    """The function ``put(c, at, v)`` that makes a null pointer lead to a value."""
    if value.form == "text":
        return _put_text
    if value.form == "data":
        return _put_data
    if value.form == "struct" and value.struct is not None:
        return _put_struct(value.struct)
    if value.form == "list" and value.element is not None:
        return _put_list(value.element)
    if value.form == "later" and value.make is not None:
        make = value.make
        return lambda c, at, v: _put(make())(c, at, v)  # noqa: PLW0108  # when it is called, and not before
    return _decline


def _decline(c: Any, at: int, v: Any) -> None:
    raise _Declined


def _put_text(c: Any, at: int, v: Any) -> None:
    if v.__class__ is not str:
        raise _Declined
    c.set_text(at, v.encode())


def _put_data(c: Any, at: int, v: Any) -> None:
    if v.__class__ is not bytes:
        raise _Declined
    c.set_bytes(at, v, len(v), len(v))


def _place(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def _put_struct(layout: StructLayout) -> _Put:
    data_words, pointers = layout.data_words, layout.pointers

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not dict:
            raise _Declined
        shape, word = c.init_struct(at, data_words, pointers, _place)
        _fill_of(layout)(shape, word, v)

    return put


def _put_list(element: ValueLayout) -> _Put:
    if element.form == "struct" and element.struct is not None:
        return _put_structs(element.struct)
    if element.form == "number":
        return _put_numbers(element.view)
    if element.form in _FEW_BITS:
        return _FEW_BITS[element.form](element)
    return _put_pointers(_put(element))


def _put_structs(layout: StructLayout) -> _Put:
    data_words, pointers = layout.data_words, layout.pointers
    step = data_words + pointers

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list:
            raise _Declined
        shape, word = c.init_structs(at, len(v), data_words, pointers)
        fill = _fill_of(layout)
        for each in v:
            if each.__class__ is not dict:
                raise _Declined
            fill(shape, word, each)
            word += step

    return put


def _put_pointers(put_element: _Put) -> _Put:
    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list:
            raise _Declined
        shape, word = c.init_pointers(at, len(v))
        for each in v:
            if each is not None:
                put_element(shape, word, each)
            word += 1

    return put


def _put_numbers(view: str) -> _Put:
    letter, bits = FORMATS[view], int(view[1:])
    element = ELEMENT_BITS.index(bits)
    types = {int} if view[0] != "f" else {int, float}

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list or not set(map(type, v)) <= types:
            raise _Declined
        if view == "f32" and not all(-_F32_MAX <= each <= _F32_MAX for each in v):
            raise _Declined
        segment, word = c.init_list(at, element, len(v))
        target = getattr(segment, view)
        if not isinstance(target, memoryview):  # on a big-endian host
            raise _Declined
        start = word * 64 // bits
        target[start : start + len(v)] = memoryview(array(letter, v))

    return put


def _put_enums(element: ValueLayout) -> _Put:
    numbers = {name: number for number, name in (element.names or {}).items()}
    put_numbers = _put_numbers("u16")

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list:
            raise _Declined
        put_numbers(c, at, [numbers.get(each, each) for each in v])

    return put


def _put_bools(element: ValueLayout) -> _Put:
    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list or not set(map(type, v)) <= {bool}:
            raise _Declined
        segment, word = c.init_list(at, ElementSize.BIT, len(v))
        size = len(v) + 7 >> 3
        digits = "".join("01"[each] for each in reversed(v)) or "0"
        segment.u8[word << 3 : (word << 3) + size] = int(digits, 2).to_bytes(size, "little")

    return put


def _put_voids(element: ValueLayout) -> _Put:
    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list or any(each is not None for each in v):
            raise _Declined
        c.init_list(at, ElementSize.VOID, len(v))

    return put


_FEW_BITS: dict[str, Callable[[ValueLayout], _Put]] = {"enum": _put_enums, "bool": _put_bools, "void": _put_voids}
