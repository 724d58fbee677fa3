"""Whole trees into a message: structs from dicts of plain Python values, without asking the classes.

For each field a function ``put(c, w, v)`` is compiled when its type is first needed, which sets it in the new struct at
word ``w`` of shape ``c``.  What is not plain, or does not fit, is declined: whoever asked does the same work value by
value, and finds the words for what is wrong.

In JSON, an object is a tuple of (name, value), a 64-bit integer may be a string, and Data is a list of numbers.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
from ccapnp.wire.pointers import ELEMENT_BITS, ElementSize
from ccapnp.wire.views import F32_MAX, F64_MAX, FORMATS, SwappedView

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape

__all__ = ["encode", "levels"]

_Fill = Callable[[Any, int, "dict[str, Any]"], None]
_Put = Callable[[Any, int, Any], None]
_BIG = ("i64", "u64")
_MOST_DIGITS = 20
_WHOLE = {"8": "(w << 3) + ", "16": "(w << 2) + ", "32": "(w << 1) + ", "64": "w + "}


class _Declined(Exception):
    """A value is not plain, or does not fit."""


_NOT_PLAIN = (_Declined, ValueError, OverflowError, TypeError, RecursionError)
"""What a value that has to be declined can lead to; a number out of range is a ValueError of its view."""


def encode(shape: BuildShape, at: int, layout: StructLayout, value: Any, *, is_json: bool = False) -> bool:
    """Make the null pointer at ``at`` lead to a new struct, or to a list of them if ``value`` is a list.

    False, and no change, if anything in the value is declined.
    """
    arena = shape.arena
    if not arena.takes_segments:  # an allocator of the user's is asked but once
        return False
    mark = arena.mark()
    try:
        _root_of(layout, is_json, value.__class__ is list)(shape, at, value)
        return True
    except _NOT_PLAIN:
        arena.rollback(mark)
        shape.u64[at] = 0
        return False


def _root_of(layout: StructLayout, is_json: bool, is_list: bool) -> _Put:
    """The function that makes a struct or a list of structs, which is kept: it is asked for with each message."""
    key = (__name__, is_json, is_list)
    found = layout.compiled.get(key)
    return found or layout.compiled.setdefault(key, (_put_structs if is_list else _put_struct)(layout, is_json))  # type: ignore[no-any-return]


# ---- structs


def _fill_of(layout: StructLayout, is_json: bool) -> _Fill:
    """The function that fills structs of a type."""
    key = (__name__, is_json)
    return layout.compiled.get(key) or layout.compiled.setdefault(key, _fill(layout, is_json))  # type: ignore[no-any-return]


def _fill(layout: StructLayout, is_json: bool) -> _Fill:
    put_of = {field.name: _setter(layout, field, is_json) for field in layout.fields}
    setters = {field.name: put_of[field.name] for field in layout.fields if field.discriminant is None}
    members = {field.name: put_of[field.name] for field in layout.fields if field.discriminant is not None}

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


def _fields(v: Any, is_json: bool) -> dict[str, Any]:
    """The fields that a struct's value names."""
    if not is_json:
        if v.__class__ is dict:
            return v
    elif v.__class__ is tuple:
        made = dict(v)
        if len(made) == len(v):  # else a name is there twice
            return made
    raise _Declined


def _setter(layout: StructLayout, field: FieldLayout, is_json: bool) -> _Put:
    """The function ``put(c, w, v)`` that sets a field of the struct at word ``w``."""
    names: dict[str, Any] = {"Declined": _Declined, "integer": _integer, "fields": _fields, "is_json": is_json}
    lines = _setting(field, names, is_json)
    if field.discriminant is not None:
        lines.append(f"c.u16[(w << 2) + {layout.tag_index}] = {field.discriminant}")
    source = "\n    ".join(["def put(c, w, v):", *lines])
    exec(compile(source, f"<setting {layout.name}.{field.name}>", "exec"), names)
    return names["put"]  # type: ignore[no-any-return]


def _setting(field: FieldLayout, names: dict[str, Any], is_json: bool) -> list[str]:
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
        lines = [f"if {_misfit(value.view, 'v')}: raise Declined", *_number(value.view, "v", field)]
        return ["if v.__class__ is str: v = integer(v)", *lines] if is_json and value.view in _BIG else lines
    if form == "group":
        assert value.struct is not None
        names["fill"] = _fill_of(value.struct, is_json)
        return ["fill(c, w, fields(v, is_json))"]
    at = f"w + c.data_words + {field.offset}"
    if form == "text":
        return [f"if v.__class__ is str: c.set_text({at}, v.encode())", "elif v is not None: raise Declined"]
    names["put_value"] = _put(value, is_json)
    return [f"if v is not None: put_value(c, {at}, v)"]


def _integer(text: str) -> int:
    if not (text.isascii() and len(text) <= _MOST_DIGITS and text[text.startswith("-") :].isdecimal()):
        raise _Declined
    return int(text)


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
    most = F32_MAX if view == "f32" else F64_MAX
    return f"not ({is_number}) or not {-most!r} <= {value} <= {most!r}"  # nor is NaN, whose bits depend on the default


# ---- what pointers lead to


def _put(value: ValueLayout, is_json: bool) -> _Put:
    """The function ``put(c, at, v)`` that makes a null pointer lead to a value."""
    if value.form == "text":
        return _put_text
    if value.form == "data":
        return _put_data_of_numbers if is_json else _put_data
    if value.form == "struct" and value.struct is not None:
        return _put_struct(value.struct, is_json)
    if value.form == "list" and value.element is not None:
        return _put_list(value.element, is_json)
    if value.form == "later" and value.make is not None and not is_json:
        make = value.make
        return lambda c, at, v: _put(make(), False)(c, at, v)  # noqa: PLW0108  # when it is called, and not before
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


def _put_data_of_numbers(c: Any, at: int, v: Any) -> None:
    if v.__class__ is not list or not set(map(type, v)) <= {int}:
        raise _Declined
    _put_data(c, at, bytes(v))


def _place(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def _put_struct(layout: StructLayout, is_json: bool) -> _Put:
    data_words, pointers = layout.data_words, layout.pointers

    def put(c: Any, at: int, v: Any) -> None:
        fields = _fields(v, is_json)
        shape, word = c.init_struct(at, data_words, pointers, _place)
        _fill_of(layout, is_json)(shape, word, fields)

    return put


def _put_list(element: ValueLayout, is_json: bool) -> _Put:
    if element.form == "struct" and element.struct is not None:
        return _put_structs(element.struct, is_json)
    if element.form == "number":
        return _put_numbers(element.view, is_json)
    if element.form in _FEW_BITS:
        return _FEW_BITS[element.form](element)
    return _put_pointers(_put(element, is_json))


def _put_structs(layout: StructLayout, is_json: bool) -> _Put:
    data_words, pointers = layout.data_words, layout.pointers
    step = data_words + pointers

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list:
            raise _Declined
        shape, word = c.init_structs(at, len(v), data_words, pointers)
        fill = _fill_of(layout, is_json)
        for each in v:
            fill(shape, word, _fields(each, is_json))
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


def _put_numbers(view: str, is_json: bool = False) -> _Put:
    letter, bits = FORMATS[view], int(view[1:])
    element = ELEMENT_BITS.index(bits)
    types = {int} if view[0] != "f" else {int, float}
    may_be_text = is_json and view in _BIG

    def put(c: Any, at: int, v: Any) -> None:
        if v.__class__ is not list:
            raise _Declined
        if may_be_text:
            v = [_integer(each) if each.__class__ is str else each for each in v]
        if not set(map(type, v)) <= types:
            raise _Declined
        if view == "f32" and not all(-F32_MAX <= each <= F32_MAX for each in v):
            raise _Declined
        segment, word = c.init_list(at, element, len(v))
        target = getattr(segment, view)
        if isinstance(target, SwappedView):  # on a big-endian host
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


# ---- how deep JSON can be


def levels(layout: StructLayout) -> float:
    """How many objects and arrays may be in each other where a type's values are; without end for some types."""
    key = (__name__, "levels")
    found: Any = layout.compiled.get(key)
    if found is None:
        layout.compiled[key] = float("inf")  # as it is for a type that leads to itself
        found = 1 + max((_levels(field.value) for field in layout.fields), default=0)
        layout.compiled[key] = found
    return found  # type: ignore[no-any-return]


def _levels(value: ValueLayout) -> float:
    if value.struct is not None:
        return levels(value.struct)
    if value.element is not None:
        return 1 + _levels(value.element)
    return 1 if value.form == "data" else 0
