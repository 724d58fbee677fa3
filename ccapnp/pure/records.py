"""Records: a struct and all below it as tuples, by a function that is compiled for each type.

``decode(shape, word)`` ends with the one call that makes the record, of items that stand in variables until then.  It
is handed to `ReadShape.read_struct` in the place of a class, as those of `ccapnp.pure.tree` are.  There is a second one
for structs from an older schema, whose data section ends earlier.
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import Any, Callable, Optional

from ccapnp.errors import DecodeError
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
from ccapnp.wire.pointers import ElementSize
from ccapnp.wire.views import number_of_bits

__all__ = ["decode_record"]

_Decode = Callable[[Any, int], Any]
_ReadPointer = Callable[[Any, int], Any]
_DECODE = (__name__, "decode")
_PLACES = {"8": "(w << 3) + ", "16": "(w << 2) + ", "32": "(w << 1) + ", "64": "w + "}
_EMPTY: dict[str, Any] = {"text": "", "data": b"", "list": ()}


def decode_record(layout: StructLayout, shape: Any, word: int) -> Any:
    """The struct as a record.  DecodeError, which names the field, if any of it is not valid."""
    decode: _Decode = layout.compiled.get(_DECODE) or _compiled(layout)
    return decode(shape, word)


def _compiled(layout: StructLayout) -> _Decode:
    compiling = _Compilation()
    decode = compiling.decoder(layout)
    compiling.publish()
    return decode


class _Compilation:
    """The functions for one type and all that it leads to; no other thread sees one before all are made."""

    def __init__(self) -> None:
        self.made: dict[StructLayout, _Decode] = {}

    def decoder(self, layout: StructLayout) -> _Decode:
        """The function that decodes structs of one type."""
        found: Optional[_Decode] = layout.compiled.get(_DECODE) or self.made.get(layout)
        if found is not None:
            return found
        self.made[layout] = self._stand_in(layout)
        writer = _Writer(layout, self)
        source = writer.source()
        exec(compile(source, f"<decoding {layout.name}>", "exec"), writer.names)
        made: _Decode = writer.names["decode"]
        self.made[layout] = made
        return made

    def _stand_in(self, layout: StructLayout) -> _Decode:
        """What a type that contains itself meets while its function is being compiled."""

        def decode(shape: Any, word: int) -> Any:
            return self.made[layout](shape, word)

        return decode

    def publish(self) -> None:
        """Keep the functions for the next time."""
        for layout, decode in self.made.items():
            layout.compiled[_DECODE] = decode


class _Writer:
    """Writes the text of one type's function."""

    def __init__(self, layout: StructLayout, compiling: _Compilation) -> None:
        self.layout = layout
        self.compiling = compiling
        self.names: dict[str, Any] = {"DecodeError": DecodeError, "Record": layout.record(), "new": tuple.__new__}

    def source(self) -> str:
        layout = self.layout
        bits = max((_end_bits(field) for field in layout.fields), default=0)
        if layout.tag_index is not None:
            bits = max(bits, (layout.tag_index + 1) * 16)
        lines = ["def decode(c, w):"]
        if bits:
            lines += [f"    if c.data_bits < {bits}:", "        return decode_short(c, w)"]
        lines += self._body(checked=False)
        if bits:
            lines += ["def decode_short(c, w):", *self._body(checked=True)]
        return "\n".join([*lines, ""])

    def _body(self, *, checked: bool) -> list[str]:
        layout = self.layout
        lines = ["p = w + c.data_words", "n = c.pointers"]
        items = []
        for number, field in enumerate(layout.fields):
            if field.discriminant is None:
                lines += self._field(number, field, f"v{number}", checked)
                items.append(f"v{number}")
        if layout.tag_index is not None:
            tag = f"c.u16[(w << 2) + {layout.tag_index}]"
            if checked:
                tag = f"{tag} if c.data_bits >= {(layout.tag_index + 1) * 16} else 0"
            lines.append(f"tag = {tag}")
            keyword = "if"
            for number, field in enumerate(layout.fields):
                if field.discriminant is not None:
                    lines.append(f"{keyword} tag == {field.discriminant}:")
                    lines += [f"    {line}" for line in self._field(number, field, "v", checked)]
                    lines.append(f"    tag = {field.name!r}")
                    keyword = "elif"
            lines += ["else:", "    v = None"]
            items += ["tag", "v"]
        lines.append(f"return new(Record, ({''.join(f'{item}, ' for item in items)}))")
        return [f"    {line}" for line in lines]

    def _name(self, prefix: str, number: int, value: Any) -> str:
        name = f"{prefix}{number}"
        self.names[name] = value
        return name

    def _field(self, number: int, field: FieldLayout, target: str, checked: bool) -> list[str]:
        form = field.value.form
        if form == "void":
            return [f"{target} = None"]
        if form == "group":
            assert field.value.struct is not None
            decode = self._name("group", number, self.compiling.decoder(field.value.struct))
            return _located_in(field, f"{target} = {decode}(c, w)")
        if form in ("bool", "number", "enum"):
            return [f"{target} = {self._scalar(number, field, checked)}"]
        return self._pointer(number, field, target)

    def _scalar(self, number: int, field: FieldLayout, checked: bool) -> str:
        value, offset = field.value, field.offset
        if value.form == "bool":
            text = f"c.u8[(w << 3) + {offset >> 3}] & {1 << (offset & 7)} {'==' if field.mask else '!='} 0"
            default: Any = bool(field.mask)
        else:
            bits = value.view[1:]
            place = f"{_PLACES[bits]}{offset}"
            text = f"c.{value.view}[{place}]"
            default = number_of_bits(value.view, field.mask)
            if field.mask and value.view[0] == "f":
                unmask = self._name("unmask", number, _unmask(value.view, field.mask))
                text = f"{unmask}(c.u{bits}[{place}])"
            elif field.mask:
                text = f"{text} ^ {default}"
            if value.members is not None:
                text = f"{self._name('members', number, value.members)}[{text}]"
                default = value.members[default]
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
        if field.unset is None:
            unset = repr(_EMPTY.get(value.form))
        else:
            unset = f"{self._name('unset', number, field.unset)}()"
        return [
            f"if n > {field.offset} and c.u64[{place}]:",
            *(f"    {line}" for line in _located_in(field, f"{target} = {text}")),
            "else:",
            f"    {target} = {unset}",
        ]


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
        return _read_data
    if value.form == "struct":
        assert value.struct is not None
        decode = compiling.decoder(value.struct)
        return lambda shape, at: shape.read_struct(at, decode)
    if value.form == "list":
        assert value.element is not None
        return _list_reader(value.element, compiling)
    if value.form == "later":
        return _later_reader(value)
    assert value.read is not None
    return value.read


def _later_reader(value: ValueLayout) -> _ReadPointer:
    made: list[_ReadPointer] = []

    def read(shape: Any, at: int) -> Any:
        if not made:
            assert value.make is not None
            compiling = _Compilation()
            found = _pointer_reader(value.make(), compiling)
            compiling.publish()
            made.append(found)
        return made[0](shape, at)

    return read


def _read_data(shape: Any, at: int) -> Optional[bytes]:
    view = shape.read_data(at)
    return None if view is None else bytes(view)


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
    return _pointers_reader(_pointer_reader(element, compiling), element.absent or partial(_EMPTY.get, form))


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
        return tuple(made)

    return read


def _numbers_reader(element: ValueLayout) -> _ReadPointer:
    bits, members = int(element.view[1:]), element.members
    size = ElementSize(bits.bit_length() - 2 if bits < 64 else ElementSize.EIGHT_BYTES)

    def read(shape: Any, at: int) -> Any:
        found = shape.read_list(at, size)
        if found is None:
            return None
        target, word, count, step_bits = found
        first, step = word * 64 // bits, step_bits // bits
        numbers = getattr(target, element.view)[first : first + count * step : step].tolist()
        return tuple(numbers) if members is None else tuple(map(members.__getitem__, numbers))

    return read


def _read_bits(shape: Any, at: int) -> Any:
    found = shape.read_list(at, ElementSize.BIT)
    if found is None:
        return None
    target, word, count, _ = found
    data = target.u8[word << 3 : (word << 3) + (count + 7 >> 3)]
    return tuple([data[index >> 3] >> (index & 7) & 1 == 1 for index in range(count)])


def _read_voids(shape: Any, at: int) -> Any:
    found = shape.read_list(at, ElementSize.VOID)
    return None if found is None else (None,) * found[2]


def _pointers_reader(read_one: _ReadPointer, absent: Callable[[], Any]) -> _ReadPointer:
    def read(shape: Any, at: int) -> Any:
        found = shape.read_pointers(at)
        if found is None:
            return None
        element, first, count, step = found
        made: list[Any] = []
        try:
            for position in range(count):
                value = read_one(element, first + position * step)
                made.append(absent() if value is None else value)
        except DecodeError as error:
            raise error.inside(f"[{len(made)}]") from None
        return tuple(made)

    return read
