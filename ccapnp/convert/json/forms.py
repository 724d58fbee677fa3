"""The forms that values of each type have in JSON: how a plain Python value is written, and how one is parsed.

``text(writer, value, level, is_value)`` is the JSON of a value, ``level`` and ``is_value`` as for `line_breaks`;
``parse(item, room)`` is what `from_dict` takes for a JSON value that stands within ``room`` more arrays and objects.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import unhexlify
from functools import cached_property
from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.convert.floats import as_float32, float64_text
from ccapnp.convert.json import json_annotations as marks
from ccapnp.convert.json.items import described, enter, pass_over
from ccapnp.errors import CapnpError, EncodeError, EncodeTypeError, a, did_you_mean, shown
from ccapnp.schema.value import Kind
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, ListType, PointerListType, StructListType
from ccapnp.types.number_lists import NumberListType
from ccapnp.types.pointer_types import DATA, TEXT
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.convert.json.plan import JsonStruct, PlansInTheMaking
    from ccapnp.convert.json.writer import Writer
    from ccapnp.types.fields import ScalarAccess
    from ccapnp.types.struct_type import StructType

__all__ = [
    "BYTES_FORMS",
    "FLOAT64_FORM",
    "NULL_FORM",
    "TEXT_FORM",
    "EnumForm",
    "Form",
    "LaterStructForm",
    "ListForm",
    "NoForm",
    "StructForm",
    "form_of",
    "real_text",
    "scalar_form",
]


class Form:
    """Values of one type.  ``inline`` is what writes them within an f-string, if that is simple."""

    inline = ""
    is_standard = True
    """Whether the native codec knows it, too."""

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        raise NotImplementedError

    def texts(self, writer: Writer, values: Any, level: int) -> list[str]:
        """The elements of an array."""
        return [self.text(writer, value, level, False) for value in values]

    def parse(self, item: Any, room: int) -> Any:
        return item


class _Void(Form):
    inline = "null"

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return "null"

    def parse(self, item: Any, room: int) -> None:
        pass_over(item, room)


class _Bool(Form):
    inline = "{'true' if %s else 'false'}"

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return "true" if value else "false"

    def parse(self, item: Any, room: int) -> Any:
        if item is True or item is False:
            return item
        raise EncodeTypeError(f"{described(item)} is not true or false")


_INTEGER = re.compile(r"-?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})")


class _Integer(Form):
    inline = "{%s}"

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return str(value)

    def texts(self, writer: Writer, values: Any, level: int) -> list[str]:
        return list(map(str, values))

    def parse(self, item: Any, room: int) -> Any:
        if item.__class__ is int:
            return item
        if isinstance(item, str):
            if _INTEGER.fullmatch(item):
                return int(item, 16 if "x" in item or "X" in item else 10)
            raise EncodeError(f"{shown(item)} is not an integer")
        if isinstance(item, float) and item.is_integer():
            return int(item)
        raise EncodeTypeError(f"{described(item)} is not an integer")


class _BigInteger(_Integer):
    """A 64-bit integer, which not every reader of JSON could keep as a number."""

    inline = '"{%s}"'

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return f'"{value}"'

    def texts(self, writer: Writer, values: Any, level: int) -> list[str]:
        return [f'"{value}"' for value in values]


_NOT_NUMBERS = {"inf": '"Infinity"', "-inf": '"-Infinity"', "nan": '"NaN"'}
_REAL = re.compile(r"[-+]?(?:inf|infinity|nan|[0-9]+\.?[0-9]*(?:e[-+]?[0-9]+)?)", re.IGNORECASE)


def real_text(value: float) -> str:
    """A number, or the string for what JSON has no number for."""
    text = float64_text(value)
    return _NOT_NUMBERS.get(text, text)


class _Float64(Form):
    inline = "{real_text(%s)}"

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return real_text(value)

    def texts(self, writer: Writer, values: Any, level: int) -> list[str]:
        return list(map(real_text, values))

    def parse(self, item: Any, room: int) -> Any:
        if item.__class__ is float:
            return item
        if item.__class__ is int:
            try:
                return float(item)
            except OverflowError:
                return float("-inf" if item < 0 else "inf")
        if item is None:
            return float("nan")
        if isinstance(item, str):
            if _REAL.fullmatch(item):
                return float(item)
            raise EncodeError(f"{shown(item)} is not a number")
        raise EncodeTypeError(f"{described(item)} is not a number")


class _Float32(_Float64):
    def parse(self, item: Any, room: int) -> Any:
        return as_float32(super().parse(item, room))


class EnumForm(Form):
    """Names, which the schema may give anew; a number that has none is a number."""

    def __init__(self, enum: Any) -> None:
        self.type_name = enum.__qualname__
        enumerants = enum._registry.node(enum._node_id).enumerants
        self.names = {each.name: marks.json_name(each) for each in enumerants}
        self.quoted = {name: quote(in_json) for name, in_json in self.names.items()}
        self.values = {in_json: name for name, in_json in self.names.items()}

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return self.quoted.get(value) or str(int(value))

    def parse(self, item: Any, room: int) -> Any:
        if isinstance(item, str):
            if item not in self.values:
                raise EncodeError(f"{self.type_name} has no {shown(item)}{did_you_mean(item, self.values)}")
            return self.values[item]
        return _INTEGER_FORM.parse(item, room)


class _Text(Form):
    inline = "{quote(%s)}"

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return quote(value)

    def texts(self, writer: Writer, values: Any, level: int) -> list[str]:
        return list(map(quote, values))

    def parse(self, item: Any, room: int) -> Any:
        if item.__class__ is str or item is None:
            return item
        raise EncodeTypeError(f"{described(item)} is not a string")


class _Data(Form):
    """An array of the bytes' numbers."""

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return writer.breaks.join(list(map(str, value)), level, "[]", is_value)

    def parse(self, item: Any, room: int) -> Any:
        if item is None:
            return None
        numbers = _BYTES_FORM.parse(item, room)
        for index, number in enumerate(numbers):
            if not 0 <= number <= 255:
                raise EncodeError(f"[{index}]: {shown(number)} is not a byte, from 0 to 255", field=f"[{index}]")
        return bytes(numbers)


class _Base64(Form):
    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return f'"{b64encode(value).decode()}"'

    def parse(self, item: Any, room: int) -> Any:
        if item is None:
            return None
        try:
            return b64decode(TEXT_FORM.parse(item, room), validate=True)
        except ValueError as error:
            raise _refused(error, f"{shown(item)} is not base64") from None


class _Hex(Form):
    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return f'"{value.hex()}"'

    def parse(self, item: Any, room: int) -> Any:
        if item is None:
            return None
        try:
            return unhexlify(TEXT_FORM.parse(item, room))
        except ValueError as error:
            raise _refused(error, f"{shown(item)} is not an even number of hexadecimal digits") from None


def _refused(error: ValueError, reason: str) -> EncodeError:
    return error if isinstance(error, EncodeError) else EncodeError(reason)


class NoForm(Form):
    """AnyPointers and capabilities, of which only null can be said in JSON."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        if value is None:
            return "null"
        raise EncodeTypeError(f"a value of type {self.type_name} has no form in JSON, unless a handler gives it one")

    def parse(self, item: Any, room: int) -> Any:
        if item is None:
            return None
        raise EncodeTypeError(f"a value of type {self.type_name} has no form in JSON, unless a handler gives it one")


class ListForm(Form):
    """Arrays."""

    def __init__(self, element: Form, name: str) -> None:
        self.element = element
        self.name = name

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        value = value or ()  # a null list within a list
        items = self.element.texts(writer, value, level + (len(value) > 1))
        return writer.breaks.join(items, level, "[]", is_value)

    def parse(self, item: Any, room: int) -> Any:
        if item is None:
            return None
        if not isinstance(item, list):
            raise EncodeTypeError(f"{a(self.name)} is an array, not {described(item)}")
        room = enter(room)
        parse = self.element.parse
        index = 0
        made: list[Any] = []
        try:
            for index, each in enumerate(item):  # noqa: B007  # the error needs it
                made.append(parse(each, room))
        except CapnpError as error:
            raise error.inside(f"[{index}]") from None
        return made


class StructForm(Form):
    """Objects; only what a pointer leads to may be null."""

    def __init__(self, plan: JsonStruct, *, is_group: bool = False) -> None:
        self.plan = plan
        self.is_group = is_group

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return writer.struct(self.plan)(value, level, is_value)

    def parse(self, item: Any, room: int) -> Any:
        return None if item is None and not self.is_group else self.plan.parse(item, room)


_MOST_NESTING = 4
"""Levels of parameters in brackets within which all plans are made at once."""


class LaterStructForm(StructForm):
    """Objects of a type whose plan is made when it is first needed: bound types may lead to others without end."""

    def __init__(self, plan_of: Callable[[StructType], JsonStruct], struct_type: StructType) -> None:
        self._plan_of = plan_of
        self._struct_type = struct_type
        self.is_group = False

    @cached_property
    def plan(self) -> JsonStruct:  # type: ignore[override]
        return self._plan_of(self._struct_type)


NULL_FORM = _Void()
TEXT_FORM = _Text()
FLOAT64_FORM = _Float64()
_BOOL_FORM = _Bool()
_INTEGER_FORM = _Integer()
_BIG_INTEGER_FORM = _BigInteger()
_BYTES_FORM = ListForm(_INTEGER_FORM, "Data")
_FORMS: dict[Any, Form] = {
    Kind.VOID: NULL_FORM,
    Kind.BOOL: _BOOL_FORM,
    Kind.INT64: _BIG_INTEGER_FORM,
    Kind.UINT64: _BIG_INTEGER_FORM,
    Kind.FLOAT32: _Float32(),
    Kind.FLOAT64: FLOAT64_FORM,
    TEXT: TEXT_FORM,
    DATA: _Data(),
    VOID_LIST: ListForm(NULL_FORM, VOID_LIST.name),
    BOOL_LIST: ListForm(_BOOL_FORM, BOOL_LIST.name),
}
_KINDS = {f"{'U' * (kind >= Kind.UINT8)}Int{kind.name.rpartition('T')[2]}": kind for kind in Kind if 2 <= kind <= 9}
_KINDS.update(Float32=Kind.FLOAT32, Float64=Kind.FLOAT64)

BYTES_FORMS: dict[str, Form] = {"base64": _Base64(), "hex": _Hex()}
"""The forms of Data that are marked so."""


def scalar_form(plans: PlansInTheMaking, access: ScalarAccess) -> Form:
    """The form of a field in the data section."""
    if access.kind == Kind.ENUM:
        return _enum_form(plans, access.owner._registry.enum(access.field.type.type_id))
    return _FORMS.get(access.kind, _INTEGER_FORM)


def form_of(plans: PlansInTheMaking, pointer_type: Any) -> Form:
    """The form of what a pointer of that type leads to."""
    found = plans.handler(pointer_type) or _FORMS.get(pointer_type)
    if found is not None:
        return found
    if isinstance(pointer_type, StructPointer):
        return _struct_form(plans, pointer_type.struct_type)
    if isinstance(pointer_type, ListType):
        return ListForm(_element_form(plans, pointer_type), pointer_type.name)
    return NoForm(pointer_type.name)


def _struct_form(plans: PlansInTheMaking, struct_type: Any) -> Form:
    from ccapnp.convert.json.json_value import JSON_VALUE

    if struct_type._node_id == marks.JSON_VALUE_ID:
        return JSON_VALUE
    handler = plans.handler(struct_type)
    if handler is not None:
        return handler
    if struct_type._nesting > _MOST_NESTING:
        return LaterStructForm(plans.struct_later, struct_type)
    return StructForm(plans.struct(struct_type))


def _enum_form(plans: PlansInTheMaking, enum: Any) -> Form:
    return plans.handler(enum) or EnumForm(enum)


def _element_form(plans: PlansInTheMaking, list_type: ListType) -> Form:
    if isinstance(list_type, NumberListType):
        return _FORMS.get(_KINDS[list_type.element_name], _INTEGER_FORM)
    if isinstance(list_type, EnumListType):
        return _enum_form(plans, list_type.enum)
    if isinstance(list_type, StructListType):
        return _struct_form(plans, list_type.struct_type)
    assert isinstance(list_type, PointerListType)
    return form_of(plans, list_type.pointer_type)
