"""Lists of numbers: one type for all, told apart by a table."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from ccapnp.errors import EncodeError, a
from ccapnp.schema.value import NUMBER_VIEWS
from ccapnp.types import list_kinds
from ccapnp.types.accessors import NUMBER_RANGES
from ccapnp.types.list_types import ListType, has_buffer
from ccapnp.types.scalars import bad_number
from ccapnp.wire.pointers import ELEMENT_BITS
from ccapnp.wire.views import FORMATS

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape
    from ccapnp.types.pointer_types import Place
    from ccapnp.wire.layout import FieldPlan

__all__ = ["NUMBER_LISTS", "NumberListType"]


class NumberListType(ListType):
    """Lists of integers or floats; ``view_name`` is the segment's view of their width and sign."""

    def __init__(self, element_name: str, view_name: str, letter: str, low: Any, high: Any) -> None:
        self.element_name = element_name
        self.view_name = view_name
        self.letter = letter
        self.low = low
        self.high = high
        self.bits = int(view_name[1:])
        self.element = ELEMENT_BITS.index(self.bits)

    def plan(self, plan: FieldPlan) -> FieldPlan:
        make = list_kinds.NumberListBuilder if plan.is_builder else list_kinds.NumberList
        return plan._replace(form="numbers", view=self.view_name, make=make, list_type=self)

    def read(self, shape: ReadShape, at: int) -> Any:
        span = shape.read_list(at, self.element)
        return None if span is None else list_kinds.NumberList(self, self._view(*span))

    def _view(self, segment: Any, start: int, count: int, step_bits: int) -> Any:
        bits = self.bits
        first, step = start * 64 // bits, step_bits // bits
        return getattr(segment, self.view_name)[first : first + count * step : step]

    def absent(self) -> list_kinds.NumberList:
        return list_kinds.NumberList(self, memoryview(b"").cast(self.letter))  # type: ignore[call-overload]

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        span = self._existing(shape, at, default) and shape.read_list(at, self.element)
        if not span:
            return list_kinds.NumberListBuilder(self, memoryview(bytearray()).cast(self.letter))  # type: ignore[call-overload]
        if span[0].is_external:
            raise EncodeError("external data cannot be written; a reader can read it")
        return list_kinds.NumberListBuilder(self, self._view(*span))

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        count = self._count(size)
        target, start = shape.init_list(at, self.element, count)
        return list_kinds.NumberListBuilder(self, self._view(target, start, count, self.bits))

    def fill(self, shape: BuildShape, at: int, values: Any) -> None:
        if isinstance(values, list_kinds.NumberList):
            values = values._view
        if self._fill_from_buffer(shape, at, values):
            return
        values = list(values)
        target, start = shape.init_list(at, self.element, len(values))
        try:
            struct.pack_into(f"<{len(values)}{self.letter}", target.u8, start << 3, *values)
        except (struct.error, TypeError, ValueError, OverflowError):
            self._find_bad(values)

    def _fill_from_buffer(self, shape: BuildShape, at: int, values: Any) -> bool:
        """Copy from a buffer of the very same items in one go; say whether that was possible."""
        if not has_buffer(values):
            return False
        source = memoryview(values)
        if not _same_items(source.format, self.letter, self.bits):
            return False
        data = source.tobytes()  # a copy: the source may lie in the memory that is being replaced
        target, start = shape.init_list(at, self.element, len(source))
        target.u8[start << 3 : (start << 3) + len(data)] = data
        return True

    def _find_bad(self, values: list[Any]) -> NoReturn:
        probe = struct.Struct("<" + self.letter)
        for position, value in enumerate(values):
            try:
                probe.pack(value)
            except (struct.error, TypeError, ValueError, OverflowError):
                error = bad_number(value, self.element_name, self.low, self.high)
                raise error.inside(f"[{position}]") from None
        raise EncodeError(f"these values do not fit in {a(self.name)}")  # pragma: no cover

    def set_number(self, view: Any, index: int, value: Any) -> None:
        try:
            if self.letter == "f":
                struct.pack("<f", value)
            view[index] = value
        except (struct.error, TypeError, ValueError, OverflowError):
            raise bad_number(value, self.element_name, self.low, self.high) from None


def _same_items(source_format: str, letter: str, bits: int) -> bool:
    """Whether a buffer's items are little-endian ones of the format ``letter``, so that its bytes can be copied."""
    order = source_format[0] if source_format[0] in "@=<>!" else "@"
    code = source_format.lstrip("@=<>!")
    little = order == "<" or (order in "@=" and struct.pack("=H", 1) == b"\1\0")
    if len(code) != 1 or not (little or bits == 8):
        return False
    if code == letter:
        return True
    same_sign = code.isupper() == letter.isupper()
    return code in "iIlLqQ" and letter in "iIqQ" and same_sign and struct.calcsize(order + code) * 8 == bits


NUMBER_LISTS = {
    kind: NumberListType(name, NUMBER_VIEWS[kind], FORMATS[NUMBER_VIEWS[kind]], low, high)
    for kind, (name, low, high) in NUMBER_RANGES.items()
}
