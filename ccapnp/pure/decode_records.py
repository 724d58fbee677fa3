"""Records: a struct and all below it as tuples, by functions that are compiled for each type.

``decode(c, w)`` makes the record of the struct at word ``w`` of shape ``c``; it is handed to `ReadShape.read_struct` in
the place of a class, as those of `ccapnp.pure.tree` are.  It unpacks the struct's sections in one go, and follows near
pointers in place.  ``structs(c, w, count, step)`` does the same for the elements of a list.  A struct whose sections
are larger or smaller than its schema's, as those of another version are, is left to ``decode_any(c, w)``.
"""

from __future__ import annotations

from functools import partial
from itertools import repeat
from struct import Struct
from typing import Any, Callable, NamedTuple, Optional

from ccapnp.errors import DecodeError
from ccapnp.pure.sections import Sections
from ccapnp.wire import near
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout
from ccapnp.wire.pointers import ElementSize
from ccapnp.wire.views import FORMATS, number_of_bits

__all__ = ["decode_record"]

_Decode = Callable[[Any, int], Any]
_ReadPointer = Callable[[Any, int], Any]
_PLACES = {8: "(w << 3) + ", 16: "(w << 2) + ", 32: "(w << 1) + ", 64: "w + "}
_EMPTY: dict[str, Any] = {"text": "", "data": b"", "list": ()}
_PENDING = object()
"""What stands for a value whose pointer is not near, until that is followed."""

_FEW = 4
"""Members of a union among which the active one is looked for one after the other."""


class _Functions(NamedTuple):
    """What is compiled for one type."""

    decode: _Decode
    structs: Callable[[Any, int, int, int], Any]


def decode_record(layout: StructLayout, shape: Any, word: int) -> Any:
    """The struct as a record.  DecodeError, which names the field, if any of it is not valid."""
    functions: _Functions = layout.compiled.get(_Functions) or _compiled(layout)
    return functions.decode(shape, word)


def _compiled(layout: StructLayout) -> _Functions:
    compiling = _Compilation()
    functions = compiling.functions(layout)
    compiling.publish()
    return functions


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
        made = self.made[layout] = _write(layout, self)
        return made

    def _stand_in(self, layout: StructLayout) -> _Functions:
        """What a type meets that leads back to itself by way of others."""

        def decode(c: Any, w: int) -> Any:
            return self.made[layout].decode(c, w)

        def structs(c: Any, w: int, count: int, step: int) -> Any:
            return self.made[layout].structs(c, w, count, step)

        return _Functions(decode, structs)

    def publish(self) -> None:
        """Keep the functions for the next time."""
        for layout, functions in self.made.items():
            layout.compiled[_Functions] = functions


# ---- one type


def _write(layout: StructLayout, compiling: _Compilation) -> _Functions:
    """Write and compile the functions of a type."""
    names: dict[str, Any] = {"DecodeError": DecodeError, "PENDING": _PENDING, "new": tuple.__new__, "repeat": repeat}
    general, exact = _Writer(layout, compiling, names, None), _Writer(layout, compiling, names, Sections(layout))
    source = ["def decode_any(c, w):", "    p = w + c.data_words", "    n = c.pointers", *general.body("return ")]
    source += _GENERAL_STRUCTS.splitlines()
    body = exact.body("return ")
    assert exact.sections is not None
    format_ = exact.sections.format()
    if format_ is not None and exact.sections.names():
        made = Struct(format_)
        names["unpack"], names["iterate"] = made.unpack_from, made.iter_unpack
        source += _exact_functions(layout, exact, body)
    else:
        source += ["decode, structs = decode_any, structs_any"]
    exec(compile("\n".join(source), f"<decoding {layout.name}>", "exec"), names)
    return _Functions(names["decode"], names["structs"])


_GENERAL_STRUCTS = """\
def structs_any(c, w, count, step):
    made = []
    try:
        made.extend(map(decode_any, repeat(c), range(w, w + count * step, step) if step else repeat(w, count)))
    except DecodeError as error:
        raise error.inside(f"[{len(made)}]") from None
    return tuple(made)
"""


def _exact_functions(layout: StructLayout, exact: _Writer, body: list[str]) -> list[str]:
    is_other = f"c.data_words != {layout.data_words} or c.pointers != {layout.pointers}"
    parts = f"{', '.join(exact.sections.names())},"  # type: ignore[union-attr]
    view = "iterate(c.u8[w << 3 : w + count * step << 3])"
    lines = [
        "def decode(c, w):",
        f"    if {is_other}:",
        "        return decode_any(c, w)",
        f"    {parts} = unpack(c.u8, w << 3)",
        *body,
        "def structs(c, w, count, step):",
        f"    if {is_other}:",
        "        return structs_any(c, w, count, step)",
    ]
    if len(body) == 1:  # there is nothing that could be wrong
        return [*lines, f"    return tuple([{exact.record} for {parts} in {view}])"]
    return [
        *lines,
        "    made = []",
        "    try:",
        f"        for w, ({parts}) in zip(range(w, w + count * step, step), {view}):",
        *(f"        {line}" for line in body[:-1]),
        f"            made.append({exact.record})",
        "    except DecodeError as error:",
        '        raise error.inside(f"[{len(made)}]") from None',
        "    return tuple(made)",
    ]


class _Writer:
    """Writes the text that makes one type's record.

    ``sections`` are those of structs that are as large as the schema has it; without them, it is of any struct.
    """

    def __init__(
        self, layout: StructLayout, compiling: _Compilation, names: dict[str, Any], sections: Optional[Sections]
    ) -> None:
        self.layout = layout
        self.compiling = compiling
        self.names = names
        self.sections = sections
        self.lines: list[str] = []
        self.variables = 0
        self.record = ""

    def body(self, use: str) -> list[str]:
        """The lines, indented once; in the last one, ``use`` stands before the record."""
        self.record = self._struct(self.layout, (), "    ", is_always=True)
        return [*self.lines, f"    {use}{self.record}"]

    def _add(self, indent: str, *lines: str) -> None:
        self.lines += [indent + line for line in lines]

    def _variable(self) -> str:
        self.variables += 1
        return f"v{self.variables}"

    def _name(self, value: Any) -> str:
        """A name for an object that the text refers to."""
        name = f"o{len(self.names)}"
        self.names[name] = value
        return name

    # ---- structs and groups

    def _struct(self, layout: StructLayout, path: tuple[str, ...], indent: str, *, is_always: bool) -> str:
        """The expression for the record of a struct or group, after the lines that it needs.

        ``path`` are the groups in which it is; ``is_always`` is whether no union is around it.
        """
        items = [
            self._field(field, path, indent, is_always=is_always)
            for field in layout.fields
            if field.discriminant is None
        ]
        if layout.tag_index is not None:
            tag, value = self._variable(), self._variable()
            self._add(indent, f"{tag} = {self._stored('u16', layout.tag_index, is_always)}")
            members = [field for field in layout.fields if field.discriminant is not None]
            self._dispatch(sorted(members, key=_discriminant), tag, value, path, indent)
            items += [tag, value]
        return f"new({self._name(layout.record())}, ({''.join(f'{item}, ' for item in items)}))"

    def _dispatch(self, members: list[FieldLayout], tag: str, value: str, path: tuple[str, ...], indent: str) -> None:
        """Lines that find the active member of a union among these."""
        if len(members) > _FEW:
            half = len(members) >> 1
            self._add(indent, f"if {tag} < {members[half].discriminant}:")
            self._dispatch(members[:half], tag, value, path, indent + "    ")
            self._add(indent, "else:")
            self._dispatch(members[half:], tag, value, path, indent + "    ")
            return
        keyword = "if"
        for field in members:
            self._add(indent, f"{keyword} {tag} == {field.discriminant}:")
            item = self._field(field, path, indent + "    ", is_always=False)
            self._add(indent, f"    {tag}, {value} = {field.name!r}, {item}")
            keyword = "elif"
        self._add(indent, "else:", f"    {value} = None")

    # ---- fields

    def _field(self, field: FieldLayout, path: tuple[str, ...], indent: str, *, is_always: bool) -> str:
        """The expression for a field's value, after the lines that it needs."""
        value, form = field.value, field.value.form
        if form == "void":
            return "None"
        if form == "group":
            assert value.struct is not None
            return self._struct(value.struct, (*path, field.name), indent, is_always=is_always)
        if form == "bool":
            byte = self._stored("u8", field.offset >> 3, is_always)
            return f"({not field.mask} if {byte} & {1 << (field.offset & 7)} else {bool(field.mask)})"
        if form in ("number", "enum"):
            return self._number(field, is_always)
        variable = self._variable()
        self._pointer(field, variable, (*path, field.name), indent, is_always)
        return variable

    def _stored(self, view: str, offset: int, is_always: bool) -> str:
        """What is in the data section: zero where that ends before it."""
        bits = int(view[1:])
        if self.sections is not None and is_always:
            return self.sections.part(offset * bits >> 3, FORMATS[view])
        text = f"c.{view}[{_PLACES[bits]}{offset}]"
        if self.sections is not None:
            return text
        return f"({text} if c.data_bits >= {(offset + 1) * bits} else {'0.0' if view[0] == 'f' else '0'})"

    def _number(self, field: FieldLayout, is_always: bool) -> str:
        value, view = field.value, field.value.view
        if field.mask and view[0] == "f":
            bits = self._stored(f"u{view[1:]}", field.offset, is_always)
            return f"{self._name(partial(number_of_bits, view))}({bits} ^ {field.mask})"
        text = self._stored(view, field.offset, is_always)
        if field.mask:
            text = f"{text} ^ {number_of_bits(view, field.mask)}"
        return text if value.members is None else f"{self._name(value.members)}[{text}]"

    def _pointer(self, field: FieldLayout, variable: str, path: tuple[str, ...], indent: str, is_always: bool) -> None:
        """Lines that set a variable to what a pointer leads to."""
        if field.unset is None:
            unset = f"{variable} = {_EMPTY.get(field.value.form)!r}"
        else:
            unset = f"{variable} = {self._name(field.unset)}()"
        is_read = False
        if self.sections is None:
            self._add(indent, f"if n <= {field.offset}:", f"    {unset}", "else:")
            indent += "    "
            at = f"p + {field.offset}"
        else:
            word = self.layout.data_words + field.offset
            at = f"w + {word}"
            if is_always:
                low, high = self.sections.part(word << 3, "I"), self.sections.part((word << 3) + 4, "I")
                self._add(indent, f"low = {low}", f"high = {high}")
                is_read = True
        self._add(indent, f"at = {at}", f"{variable} = PENDING", "try:")
        text, use, anywhere = self._following(field.value, variable)
        self._add(indent + "    ", *near.near(text, 0, use, unset, is_read=is_read).splitlines())
        inside = "".join(f".inside({name!r})" for name in reversed(path))
        self._add(
            indent,
            f"    if {variable} is PENDING:",
            f"        {variable} = {anywhere}",
            "except DecodeError as error:",
            f"    raise error{inside} from None",
        )

    def _following(self, value: ValueLayout, variable: str) -> tuple[str, str, str]:
        """(how to follow a near pointer, what is done then, the expression that follows any other)."""
        if value.form == "text":
            return near.TEXT, f"{variable} = text", "c.read_text_anywhere(at)"
        if value.form == "struct" and value.struct is not None:
            decode, _ = self._functions(value.struct)
            return near.STRUCT, f"{variable} = {decode}(shape, start)", f"c.read_struct_anywhere(at, {decode})"
        if value.form == "list" and value.element is not None and value.element.struct is not None:
            _, structs = self._functions(value.element.struct)
            use = f"{variable} = {structs}(shape, tag_at + 1, count >> 2, shape.words)"
            return near.STRUCTS, use, f"{structs}(*c.read_structs_anywhere(at))"
        return near.NOTHING, "pass", f"{self._name(_pointer_reader(value, self.compiling))}(c, at)"

    def _functions(self, layout: StructLayout) -> tuple[str, str]:
        """Names for the functions of a type."""
        if layout is self.layout:
            return "decode", "structs"
        functions = self.compiling.functions(layout)
        return self._name(functions.decode), self._name(functions.structs)


def _discriminant(field: FieldLayout) -> int:
    return field.discriminant or 0


# ---- what pointers lead to


def _pointer_reader(value: ValueLayout, compiling: _Compilation) -> _ReadPointer:
    """The function that reads what a pointer leads to, ``None`` where it is null."""
    if value.form == "text":
        return lambda shape, at: shape.read_text(at)
    if value.form == "data":
        return _read_data
    if value.form == "struct":
        assert value.struct is not None
        decode = compiling.functions(value.struct).decode
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
        return _structs_reader(compiling.functions(element.struct))
    if form in ("number", "enum"):
        return _numbers_reader(element)
    if form == "bool":
        return _read_bits
    if form == "void":
        return _read_voids
    return _pointers_reader(_pointer_reader(element, compiling), element.absent or partial(_EMPTY.get, form))


def _structs_reader(functions: _Functions) -> _ReadPointer:
    def read(shape: Any, at: int) -> Any:
        found = shape.read_structs(at)
        return None if found is None else functions.structs(*found)

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
