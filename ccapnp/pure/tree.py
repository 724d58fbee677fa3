"""Whole trees at once: a struct and all below it as plain Python values.

For each type a function ``decode(shape, word)`` is written, with every field's place in it as a number, and compiled
when first needed; it is handed to `ReadShape.read_struct` in the place of a class, so that no object is made
for a struct but its dict.  There is a second one for structs from an older schema, whose data section ends earlier.
"""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from itertools import repeat
from typing import Any, Callable, Optional

from ccapnp.errors import DecodeError, warn_of_unknown_member
from ccapnp.wire.layout import FieldLayout, StructLayout, TreeMode, ValueLayout
from ccapnp.wire.pointers import ElementSize
from ccapnp.wire.shape import Shape
from ccapnp.wire.views import number_of_bits

__all__ = ["decode_struct"]

_Decode = Callable[[Shape, int], dict[str, Any]]
_ReadPointer = Callable[[Any, int], Any]


class _UnknownMember(Exception):
    """A union has a member set that the schema does not know: the name of its type, and the member's number."""


def decode_struct(layout: StructLayout, mode: TreeMode, shape: Any, word: int) -> dict[str, Any]:
    """The struct as a dict.  DecodeError, which names the field, if any of it is not valid.

    Warns of the first union member that the schema does not know, and leaves such members out.
    """
    budget = shape.arena.budget
    try:
        decode: _Decode = layout.compiled.get(mode) or _compiled(layout, mode, mode.active)
        return decode(shape, word)
    except _UnknownMember as found:
        warn_of_unknown_member(*found.args)
    shape.arena.budget = budget
    decode = layout.compiled.get(_key(mode, True)) or _compiled(layout, mode, True)
    return decode(shape, word)


def _compiled(layout: StructLayout, mode: TreeMode, is_tolerant: bool) -> _Decode:
    compiling = _Compilation(mode, is_tolerant)
    decode = compiling.decoder(layout)
    compiling.publish()
    return decode


def _key(mode: TreeMode, is_tolerant: bool) -> Any:
    """What a layout keeps a function by."""
    return (mode, "tolerant") if is_tolerant and not mode.active else mode


_WIDTHS = {"8": (8, "(w << 3) + "), "16": (16, "(w << 2) + "), "32": (32, "(w << 1) + "), "64": (64, "w + ")}


class _Compilation:
    """The functions for one type and all that it leads to; no other thread sees one before all are made."""

    def __init__(self, mode: TreeMode, is_tolerant: bool) -> None:
        self.mode = mode
        self.is_tolerant = is_tolerant
        self.key = _key(mode, is_tolerant)
        self.made: dict[StructLayout, _Decode] = {}

    def decoder(self, layout: StructLayout) -> _Decode:
        """The function that decodes structs of one type."""
        found: Optional[_Decode] = layout.compiled.get(self.key) or self.made.get(layout)
        if found is not None:
            return found
        self.made[layout] = self._stand_in(layout)
        writer = _Writer(layout, self)
        source = writer.source()
        scope: dict[str, Any] = {"DecodeError": DecodeError, "UnknownMember": _UnknownMember, **writer.names}
        exec(source, scope)
        made: _Decode = scope["decode"]
        self.made[layout] = made
        return made

    def _stand_in(self, layout: StructLayout) -> _Decode:
        """What a type that contains itself meets while its function is being compiled."""

        def decode(shape: Shape, word: int) -> dict[str, Any]:
            return self.made[layout](shape, word)

        return decode

    def publish(self) -> None:
        """Keep the functions for the next time."""
        for layout, decode in self.made.items():
            layout.compiled[self.key] = decode


class _Writer:
    """Writes the text of one type's function."""

    def __init__(self, layout: StructLayout, compiling: _Compilation) -> None:
        self.layout = layout
        self.compiling = compiling
        self.mode = compiling.mode
        self.names: dict[str, Any] = {}

    def source(self) -> str:
        bits = max((_end_bits(field) for field in self.layout.fields), default=0)
        if self.layout.tag_index is not None:
            bits = max(bits, (self.layout.tag_index + 1) * 16)
        whole = self._body("decode", checked=False)
        short = self._body("decode_short", checked=True)
        entry = f"    if c.data_bits < {bits}:\n        return decode_short(c, w)\n" if bits else ""
        head, rest = whole.split("\n", 1)
        return f"{head}\n{entry}{rest}{short}"

    def _body(self, function: str, *, checked: bool) -> str:
        lines = [f"def {function}(c, w):", "    p = w + c.data_words", "    n = c.pointers", "    d = {}"]
        if self.layout.tag_index is not None:
            tag = f"c.u16[(w << 2) + {self.layout.tag_index}]"
            if checked:
                tag = f"{tag} if c.data_bits >= {(self.layout.tag_index + 1) * 16} else 0"
            lines.append(f"    tag = {tag}")
        for number, field in enumerate(self.layout.fields):
            indent = "    "
            if field.discriminant is not None:
                lines.append(f"    if tag == {field.discriminant}:")
                indent = "        "
            lines += [indent + line for line in self._field(number, field, checked)]
        if self.layout.tag_index is not None and not self.compiling.is_tolerant:
            known = {field.discriminant for field in self.layout.fields if field.discriminant is not None}
            lines.append(f"    if tag not in {known or '()'}:")
            lines.append(f"        raise UnknownMember({self.layout.name!r}, tag)")
        return "\n".join([*lines, "    return d", "", ""])

    def _name(self, prefix: str, number: int, value: Any) -> str:
        name = f"{prefix}{number}"
        self.names[name] = value
        return name

    def _field(self, number: int, field: FieldLayout, checked: bool) -> list[str]:
        form, target = field.value.form, f"d[{field.name!r}]"
        is_omitted = self.mode.omit_defaults and not field.discriminant  # where it has its default
        if form == "void":
            return ["pass" if is_omitted else f"{target} = None"]
        if form == "group":
            assert field.value.struct is not None
            decode = self._name("group", number, self.compiling.decoder(field.value.struct))
            if is_omitted:
                return [*_located_in(field, f"v = {decode}(c, w)"), "if v:", f"    {target} = v"]
            return _located_in(field, f"{target} = {decode}(c, w)")
        if form in ("bool", "number", "enum"):
            if is_omitted:
                is_there = f"c.data_bits >= {_end_bits(field)} and " if checked else ""
                return [f"if {is_there}{_stored(field)}:", f"    {target} = {self._scalar(number, field, False)}"]
            return [f"{target} = {self._scalar(number, field, checked)}"]
        return self._pointer(number, field, target)

    def _scalar(self, number: int, field: FieldLayout, checked: bool) -> str:
        value, offset = field.value, field.offset
        if value.form == "bool":
            test = "==" if field.mask else "!="
            text = f"{_stored(field)} {test} 0"
            default: Any = bool(field.mask)
        else:
            width, place = _WIDTHS[value.view[1:]]
            text = f"c.{value.view}[{place}{offset}]"
            default = number_of_bits(value.view, field.mask)
            if field.mask and value.view[0] == "f":
                unmask = self._name("unmask", number, _unmask(value.view, field.mask))
                text = f"{unmask}(c.u{width}[{place}{offset}])"
            elif field.mask:
                text = f"{text} ^ {default}"
            if value.form == "enum":
                names = self._name("names", number, value.names)
                text = f"{names}.get(v := {text}, v)"
                assert value.names is not None
                default = value.names.get(default, default)
        if checked:
            text = f"({text}) if c.data_bits >= {_end_bits(field)} else {self._name('default', number, default)}"
        return text

    def _pointer(self, number: int, field: FieldLayout, target: str) -> list[str]:
        value, place = field.value, f"p + {field.offset}"
        if value.form == "text":
            text = f"c.read_text({place})"
        elif value.form == "struct":
            assert value.struct is not None
            text = f"c.read_struct({place}, {self._name('struct', number, self.compiling.decoder(value.struct))})"
        else:
            text = f"{self._name('read', number, _pointer_reader(value, self.compiling))}(c, {place})"
        lines = [f"if n > {field.offset} and c.u64[{place}]:"]
        lines += [f"    {line}" for line in _located_in(field, f"{target} = {text}")]
        if self.mode.verbose:
            absent = partial(field.default, self.mode.verbose, self.mode.base64)
            lines += ["else:", f"    {target} = {self._name('absent', number, absent)}()"]
        elif field.discriminant or (field.discriminant == 0 and self.mode.active):
            # Else a union's first member would seem to be the active one.
            lines += ["else:", f"    {target} = None"]
        return lines


def _stored(field: FieldLayout) -> str:
    """What a plain field says in the message, as a number: zero if it has its default."""
    if field.value.form == "bool":
        return f"c.u8[(w << 3) + {field.offset >> 3}] & {1 << (field.offset & 7)}"
    width, place = _WIDTHS[field.value.view[1:]]
    return f"c.u{width}[{place}{field.offset}]"


def _located_in(field: FieldLayout, statement: str) -> list[str]:
    """Lines that run a statement, and put the field's name into its errors."""
    return [
        "try:",
        f"    {statement}",
        "except DecodeError as error:",
        f"    raise error.inside({field.name!r}) from None",
    ]


def _end_bits(field: FieldLayout) -> int:
    """Where in the data section a field ends."""
    form = field.value.form
    if form == "bool":
        return field.offset + 1
    return (field.offset + 1) * int(field.value.view[1:]) if form in ("number", "enum") else 0


def _unmask(view: str, mask: int) -> Callable[[int], float]:
    return lambda bits: number_of_bits(view, bits ^ mask)


# ---- what pointers lead to


def _pointer_reader(value: ValueLayout, compiling: _Compilation) -> _ReadPointer:
    """The function that reads what a pointer leads to, ``None`` where it is null."""
    if value.form == "text":
        return lambda shape, at: shape.read_text(at)
    if value.form == "data":
        return _read_base64 if compiling.mode.base64 else _read_data
    if value.form == "struct":
        assert value.struct is not None
        decode = compiling.decoder(value.struct)
        return lambda shape, at: shape.read_struct(at, decode)
    if value.form == "list":
        assert value.element is not None
        return _list_reader(value.element, compiling)
    if value.form == "later":
        return _later_reader(value, compiling.mode, compiling.is_tolerant)
    assert value.read is not None
    return value.read


def _later_reader(value: ValueLayout, mode: TreeMode, is_tolerant: bool) -> _ReadPointer:
    made: list[_ReadPointer] = []

    def read(shape: Any, at: int) -> Any:
        if not made:
            assert value.make is not None
            compiling = _Compilation(mode, is_tolerant)
            found = _pointer_reader(value.make(), compiling)
            compiling.publish()
            made.append(found)
        return made[0](shape, at)

    return read


def _read_data(shape: Any, at: int) -> Optional[bytes]:
    view = shape.read_data(at)
    return None if view is None else bytes(view)


def _read_base64(shape: Any, at: int) -> Optional[str]:
    view = shape.read_data(at)
    return None if view is None else b64encode(view).decode()


def _list_reader(element: ValueLayout, compiling: _Compilation) -> _ReadPointer:
    form = element.form
    if form == "struct":
        assert element.struct is not None
        return _structs_reader(compiling.decoder(element.struct))
    if form in ("number", "enum"):
        return _numbers_reader(element)
    if form == "bool":
        return _read_bits
    if form == "void":
        return _read_voids
    absent = {"text": "", "data": "" if compiling.mode.base64 else b""}.get(form)
    return _pointers_reader(_pointer_reader(element, compiling), absent)


def _structs_reader(decode: _Decode) -> _ReadPointer:
    def read(shape: Any, at: int) -> Any:
        found = shape.read_structs(at)
        if found is None:
            return None
        element, word, count, step = found
        words = range(word, word + count * step, step) if step else repeat(word, count)
        made: list[Any] = []
        try:
            made.extend(map(decode, repeat(element), words))
        except DecodeError as error:
            raise error.inside(f"[{len(made)}]") from None
        return made

    return read


def _located(decode: Callable[..., Any], position: int, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except DecodeError as error:
        raise error.inside(f"[{position}]") from None


def _numbers_reader(element: ValueLayout) -> _ReadPointer:
    bits, names = int(element.view[1:]), element.names
    size = ElementSize(bits.bit_length() - 2 if bits < 64 else ElementSize.EIGHT_BYTES)

    def read(shape: Any, at: int) -> Any:
        found = shape.read_list(at, size)
        if found is None:
            return None
        target, word, count, step_bits = found
        first, step = word * 64 // bits, step_bits // bits
        numbers = getattr(target, element.view)[first : first + count * step : step].tolist()
        return numbers if names is None else [names.get(number, number) for number in numbers]

    return read


def _read_bits(shape: Any, at: int) -> Any:
    found = shape.read_list(at, ElementSize.BIT)
    if found is None:
        return None
    target, word, count, _ = found
    data = target.u8[word << 3 : (word << 3) + (count + 7 >> 3)]
    return [data[index >> 3] >> (index & 7) & 1 == 1 for index in range(count)]


def _read_voids(shape: Any, at: int) -> Any:
    found = shape.read_list(at, ElementSize.VOID)
    return None if found is None else [None] * found[2]


def _pointers_reader(read_one: _ReadPointer, absent: Any) -> _ReadPointer:
    def read(shape: Any, at: int) -> Any:
        found = shape.read_pointers(at)
        if found is None:
            return None
        element, first, count, step = found
        made: list[Any] = []
        for position in range(count):
            value = _located(read_one, position, element, first + position * step)
            made.append(absent if value is None else value)
        return made

    return read
