"""Values in the text format, read as a type demands: expressions of the schema language become plain Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from ccapnp.convert.floats import as_float32
from ccapnp.errors import did_you_mean
from ccapnp.language import syntax
from ccapnp.schema.value import Kind
from ccapnp.types.accessors import NUMBER_RANGES
from ccapnp.types.enums import schema_name
from ccapnp.types.fields import GroupAccess, PointerAccess, ScalarAccess
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, ListType, PointerListType, StructListType
from ccapnp.types.number_lists import NumberListType
from ccapnp.types.pointer_types import DATA, TEXT, RawText
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.language.syntax import Expression, Span
    from ccapnp.types.fields import FieldAccess
    from ccapnp.types.struct_type import StructType

__all__ = ["TextValues"]

_FLOATS = (Kind.FLOAT32, Kind.FLOAT64)
_FLOAT_WORDS = ("inf", "nan")
_BOOL_WORDS = {"true": True, "false": False}
_RANGES = {name: (low, high) for name, low, high in NUMBER_RANGES.values()}
_ELSEWHERE = (
    syntax.RelativeName,
    syntax.AbsoluteName,
    syntax.Member,
    syntax.Application,
    syntax.Import,
    syntax.Embed,
)
"""What stands for a value that is elsewhere, in a schema."""


class TextValues:
    """Reads expressions; what is wrong is reported, and its value is of no use then."""

    def __init__(self, report: Callable[[Span, str], None]) -> None:
        self._report = report
        self._implied: list[tuple[int, StructType]] = []  # of structs that a value is taken for, by their first fields

    def struct(self, expression: Expression, struct_type: StructType) -> Any:
        """A struct as a dict."""
        if isinstance(expression, syntax.TupleLiteral):
            return self._fields(expression, struct_type)
        # The value of the first field may stand for the struct.
        first = next(iter(struct_type._accesses()), None)
        is_word = isinstance(expression, (syntax.Unknown, syntax.RelativeName))
        place = id(expression), struct_type
        if first is None or (is_word and not _is_word(first)) or place in self._implied:
            return self._unfit(expression, f"a struct of type {struct_type.__qualname__}")
        self._implied.append(place)
        try:
            return {first.name: self._field(expression, first)}
        finally:
            self._implied.pop()

    def pointer(self, expression: Expression, pointer_type: Any) -> Any:
        """What a pointer of that type leads to."""
        if isinstance(pointer_type, StructPointer):
            return self.struct(expression, pointer_type.struct_type)
        if isinstance(pointer_type, ListType):
            return self._list(expression, pointer_type)
        if isinstance(expression, syntax.TextLiteral) and pointer_type is TEXT:
            return RawText(expression.value) if expression.value.isascii() is False else expression.value
        if pointer_type is DATA:
            if isinstance(expression, syntax.TextLiteral):
                return expression.value.encode("utf-8", "surrogateescape")
            if isinstance(expression, syntax.BinaryLiteral):
                return expression.value
        return self._unfit(expression, f"a value of type {pointer_type.name}")

    # ---- structs

    def _fields(self, expression: syntax.TupleLiteral, struct_type: StructType) -> dict[str, Any]:
        made: dict[str, Any] = {}
        chosen: Optional[str] = None
        fields = struct_type._node.fields_by_name
        for name, value in expression.items:
            if name is None:
                self._report(value.span, f"a value of {struct_type.__qualname__} needs the name of its field before it")
            elif name.text not in fields:
                hint = did_you_mean(name.text, fields)
                self._report(name.span, f"{struct_type.__qualname__} has no field {name.text!r}{hint}")
            else:
                access = struct_type._access(name.text)
                if access.discriminant is not None:  # of two members of a union, the last one wins
                    made.pop(chosen, None)  # type: ignore[arg-type]
                    chosen = access.name
                made[access.name] = self._field(value, access)
        return made

    def _field(self, expression: Expression, access: FieldAccess) -> Any:
        if isinstance(access, GroupAccess):
            return self.struct(expression, access.group)
        if isinstance(access, PointerAccess):
            return self.pointer(expression, access.pointer_type)
        assert isinstance(access, ScalarAccess)
        if access.kind == Kind.ENUM:
            return self._enumerant(expression, access.owner._registry.enum(access.field.type.type_id))
        if access.kind == Kind.VOID:
            return self._void(expression)
        if access.kind == Kind.BOOL:
            return self._bool(expression)
        return self._number(expression, NUMBER_RANGES[access.kind][0])

    # ---- lists

    def _list(self, expression: Expression, list_type: ListType) -> Any:
        if not isinstance(expression, syntax.ListLiteral):
            return self._unfit(expression, f"a {list_type.name}")
        read = self._element(list_type)
        return [read(each) for each in expression.items]

    def _element(self, list_type: ListType) -> Callable[[Expression], Any]:
        if isinstance(list_type, NumberListType):
            return lambda each: self._number(each, list_type.element_name)
        if isinstance(list_type, StructListType):
            return lambda each: self.struct(each, list_type.struct_type)
        if isinstance(list_type, EnumListType):
            return lambda each: self._enumerant(each, list_type.enum)
        if list_type is VOID_LIST:
            return self._void
        if list_type is BOOL_LIST:
            return self._bool
        assert isinstance(list_type, PointerListType)
        return lambda each: self.pointer(each, list_type.pointer_type)

    # ---- plain values

    def _void(self, expression: Expression) -> None:
        if _word(expression) != "void":
            self._unfit(expression, "void")

    def _bool(self, expression: Expression) -> Any:
        word = _word(expression)
        return _BOOL_WORDS[word] if word in _BOOL_WORDS else self._unfit(expression, "true or false")

    def _number(self, expression: Expression, type_name: str) -> Any:
        is_float = type_name.startswith("Float")
        if isinstance(expression, syntax.IntegerLiteral):
            number = -expression.value if expression.negative else expression.value
            if is_float:
                return -0.0 if expression.negative and not number else float(number)
            low, high = _RANGES[type_name]
            if not low <= number <= high:
                self._report(expression.span, f"{number} is out of range: {type_name} goes from {low} to {high}")
            return number
        if is_float:
            if isinstance(expression, syntax.FloatLiteral):
                return expression.value if type_name == "Float64" else as_float32(expression.value)
            if isinstance(expression, syntax.Negation) and _word(expression.operand) == "inf":
                return float("-inf")
            if _word(expression) in _FLOAT_WORDS:
                return float(_word(expression))
        return self._unfit(expression, f"a number of type {type_name}")

    def _enumerant(self, expression: Expression, enum: Any) -> Any:
        word = _word(expression)
        if not word:
            if isinstance(expression, syntax.IntegerLiteral) and not expression.negative and expression.value < 1 << 16:
                return expression.value  # as numbers that the schema does not know are printed
            return self._unfit(expression, f"an enumerant of {enum.__qualname__}")
        names = [schema_name(member) for member in enum]
        if word not in names:
            self._report(expression.span, f"{enum.__qualname__} has no enumerant {word!r}{did_you_mean(word, names)}")
        return word

    def _unfit(self, expression: Expression, wanted: str) -> None:
        if isinstance(expression, syntax.Unknown):
            return
        what = repr(_word(expression)) if _word(expression) else syntax.LITERAL_NAMES.get(type(expression), "this")
        why = f"{what} does not fit here: {wanted} is needed"
        if isinstance(expression, _ELSEWHERE):
            why += "; a text has all values in itself, and can use no constants or files"
        self._report(expression.span, why)


def _word(expression: Expression) -> str:
    return expression.name.text if isinstance(expression, syntax.RelativeName) else ""


def _is_word(access: FieldAccess) -> bool:
    """Whether values of a field are written as words."""
    return isinstance(access, ScalarAccess) and access.kind in (Kind.VOID, Kind.BOOL, Kind.ENUM, *_FLOATS)
