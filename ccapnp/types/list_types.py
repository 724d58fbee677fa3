"""The list types: how each kind of element is laid out, read, built and filled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import CapnpError, EncodeTypeError, a
from ccapnp.types import list_kinds, lists
from ccapnp.types.enums import Enum, EnumMembers, enum_number
from ccapnp.types.orphan import Orphan, ValueOrphan, adopt_pointer, adopt_struct, value_of
from ccapnp.types.pointer_types import TEXT, Place, PointerType, checked_size
from ccapnp.types.record import Record
from ccapnp.types.scalars import as_bool
from ccapnp.types.struct_pointer import StructPointer, empty_shape
from ccapnp.types.struct_type import StructType, fill_struct
from ccapnp.types.struct_view import StructView
from ccapnp.wire import near
from ccapnp.wire.pointers import ElementSize

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape
    from ccapnp.wire.layout import FieldPlan

__all__ = [
    "BOOL_LIST",
    "VOID_LIST",
    "BoolListType",
    "EnumListType",
    "ListType",
    "PointerListType",
    "StructListType",
    "VoidListType",
    "has_buffer",
    "list_of",
    "most_sections",
]


class ListType(PointerType):
    """Lists of one element type."""

    element_name: str
    """The name of the element type, for people."""

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"List({self.element_name})"

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if type(value) is not list and not isinstance(value, lists.ListReader):
            if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
                raise EncodeTypeError(
                    f"a {self.name} is set from a list or another iterable, not {type(value).__name__}"
                )
            if not has_buffer(value):
                value = list(value)
        with shape.replacing(at):
            self.fill(shape, at, value)

    def fill(self, shape: BuildShape, at: int, values: Any) -> None:
        """Make the null pointer lead to a new list of ``values``."""
        values = list(values)  # whose length stays, whatever is done to set an element
        self._set_all(self.init(shape, at, len(values)), values)

    @staticmethod
    def _set_all(target: Any, values: list[Any], start: int = 0) -> None:
        """Set the elements of a new list, from the one at ``start`` on."""
        position = start
        try:
            for position in range(start, len(values)):
                target._set(position, values[position])
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def init_element(self, target: Any, index: int, size: Optional[int]) -> Any:
        raise EncodeTypeError(f"an element of {self.name} is assigned; there is nothing to init")

    # ---- orphans

    zero: Any = 0
    """What a new element is, if elements are plain values."""

    def disown_element(self, target: Any, index: int) -> Orphan:
        """Make an orphan of an element of a builder, which is zero then."""
        value = target._item(index)
        target._set(index, self.zero)
        return ValueOrphan._of_value(value)

    def adopt_element(self, target: Any, index: int, orphan: Any) -> None:
        """Replace an element of a builder by an orphan."""
        target._set(index, value_of(orphan))
        orphan.discard()

    def count(self, shape: BuildShape, at: int) -> int:
        return 0 if shape.is_null(at) else len(self.read(shape, at))

    def resize(self, shape: BuildShape, at: int, size: Any) -> None:
        count = self._count(size)
        if shape.is_null(at):
            self.init(shape, at, count)
        else:
            shape.resize(at, count)

    def concatenate(self, shape: BuildShape, at: int, lists: list[Any]) -> None:
        """Make the null pointer lead to a new list of all elements of some lists of this type."""
        self.fill(shape, at, [value for each in lists for value in each])

    @staticmethod
    def _existing(shape: BuildShape, at: int, default: Optional[Place]) -> bool:
        """Whether there is a list at ``at``, after a null pointer has become a copy of its default."""
        if shape.is_null(at):
            if default is None:
                return False
            shape.copy_pointer(at, *default)
        return True

    @staticmethod
    def _count(size: Optional[int]) -> int:
        return checked_size(size, "a list needs its number of elements")


def most_sections(shapes: list[Any]) -> tuple[int, int]:
    """(data words, pointers) that the structs of all these shapes have room in."""
    data_words = max((shape.data_bits + 63 >> 6 for shape in shapes), default=0)
    return data_words, max((shape.pointers for shape in shapes), default=0)


def has_buffer(value: Any) -> bool:
    try:
        return memoryview(value).ndim == 1
    except (TypeError, ValueError, BufferError):  # no buffer, or one that says it cannot be one
        return False


class VoidListType(ListType):
    """List(Void)."""

    element_name = "Void"
    zero = None

    def read(self, shape: ReadShape, at: int) -> Any:
        span = shape.read_list(at, ElementSize.VOID)
        return None if span is None else list_kinds.VoidList(self, span[2])

    def absent(self) -> list_kinds.VoidList:
        return list_kinds.VoidList(self, 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        span = self._existing(shape, at, default) and shape.read_list(at, ElementSize.VOID)
        return list_kinds.VoidListBuilder(self, span[2] if span else 0)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        count = self._count(size)
        shape.init_list(at, ElementSize.VOID, count)
        return list_kinds.VoidListBuilder(self, count)


class BoolListType(ListType):
    """List(Bool)."""

    element_name = "Bool"
    zero = False

    def read(self, shape: ReadShape, at: int) -> Any:
        span = shape.read_list(at, ElementSize.BIT)
        if span is None:
            return None
        target, start, count, _ = span
        return list_kinds.BitList(self, target.u8[start << 3 : (start << 3) + (count + 7 >> 3)], count)

    def absent(self) -> list_kinds.BitList:
        return list_kinds.BitList(self, b"", 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        span = self._existing(shape, at, default) and shape.read_list(at, ElementSize.BIT)
        return self._builder(*span[:3]) if span else list_kinds.BitListBuilder(self, bytearray(), 0)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        count = self._count(size)
        return self._builder(*shape.init_list(at, ElementSize.BIT, count), count)

    def _builder(self, segment: Any, start: int, count: int) -> list_kinds.BitListBuilder:
        return list_kinds.BitListBuilder(self, segment.u8[start << 3 : (start << 3) + (count + 7 >> 3)], count)

    def set_bit(self, data: Any, index: int, value: Any) -> None:
        if as_bool(value):
            data[index >> 3] |= 1 << (index & 7)
        else:
            data[index >> 3] &= ~(1 << (index & 7)) & 0xFF


class EnumListType(ListType):
    """Lists of an enum's members."""

    element = int(ElementSize.TWO_BYTES)

    def __init__(self, enum: type[Enum], members: EnumMembers) -> None:
        self.enum = enum
        self.members = members
        self.element_name = enum.__qualname__

    def matches(self, other: PointerType) -> bool:
        return super().matches(other) or (isinstance(other, EnumListType) and self.enum._node_id == other.enum._node_id)

    def read(self, shape: ReadShape, at: int) -> Any:
        span = shape.read_list(at, self.element)
        return None if span is None else list_kinds.EnumList(self, self._view(*span), self.members)

    @staticmethod
    def _view(segment: Any, start: int, count: int, step_bits: int) -> Any:
        step = step_bits >> 4
        return segment.u16[start << 2 : (start << 2) + count * step : step]

    def absent(self) -> list_kinds.EnumList:
        return list_kinds.EnumList(self, memoryview(b"").cast("H"), self.members)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        span = self._existing(shape, at, default) and shape.read_list(at, self.element)
        view = self._view(*span) if span else memoryview(bytearray()).cast("H")
        return list_kinds.EnumListBuilder(self, view, self.members)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        count = self._count(size)
        target, start = shape.init_list(at, self.element, count)
        return list_kinds.EnumListBuilder(self, self._view(target, start, count, 16), self.members)

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, EnumListType) and other.enum._node_id == self.enum._node_id

    def enum_number(self, value: Any) -> int:
        return enum_number(self.enum, value)


@cache
def _list_classes(codec: Any) -> tuple[Any, Any]:
    """The classes of lists of structs, of readers and of builders."""
    return codec.hasten_list(list_kinds.StructList), codec.hasten_list(list_kinds.StructListBuilder)


class StructListType(ListType):
    """Lists of structs."""

    near = near.STRUCTS
    near_use = (
        "value = new(); value._type = pointer_type; value._c = shape; value._w = tag_at + 1; "
        "value._count = count >> 2; return value"
    )

    def __init__(self, struct_type: StructType) -> None:
        self.struct_type = struct_type
        codec: Any = struct_type._registry.codec
        self.reader_class, self.builder_class = _list_classes(codec)

    @property
    def near_class(self) -> Any:
        return self.reader_class

    @property
    def nesting(self) -> int:
        return self.struct_type._nesting + 1

    def matches(self, other: PointerType) -> bool:
        return super().matches(other) or (
            isinstance(other, StructListType) and self.struct_type._matches(other.struct_type)
        )

    @cached_property
    def reader(self) -> Any:
        """The class of a reader's elements."""
        return self.struct_type.Reader

    @cached_property
    def builder(self) -> Any:
        """The class of a builder's elements."""
        return self.struct_type.Builder

    @property
    def element_name(self) -> str:  # type: ignore[override]
        return self.struct_type.__qualname__

    def plan(self, plan: FieldPlan) -> FieldPlan:
        node = self.struct_type._node
        make = self.builder_class if plan.is_builder else self.reader_class
        sizes = (node.data_words, node.pointer_count)
        return plan._replace(form="structs", make=make, list_type=self, sizes=sizes)

    def read(self, shape: ReadShape, at: int) -> Any:
        found = shape.read_structs(at)
        return None if found is None else list_kinds.struct_list(self.reader_class, self, *found[:3])

    def absent(self) -> Any:
        nowhere = empty_shape(self.struct_type._registry.codec)
        return list_kinds.struct_list(self.reader_class, self, nowhere, 0, 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        node = self.struct_type._node
        found = shape.get_structs(at, node.data_words, node.pointer_count, default)
        elements, word, count, _ = found or (empty_shape(shape.codec), 0, 0, 0)
        return list_kinds.struct_list(self.builder_class, self, elements, word, count)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        return self._init(shape, at, self._count(size), 0, 0)

    def _init(self, shape: BuildShape, at: int, count: int, data_words: int, pointers: int) -> Any:
        """A new list whose elements have room for the schema's sections, and for these."""
        node = self.struct_type._node
        elements, word = shape.init_structs(
            at, count, max(data_words, node.data_words), max(pointers, node.pointer_count)
        )
        return list_kinds.struct_list(self.builder_class, self, elements, word, count)

    def fill(self, shape: BuildShape, at: int, values: Any) -> None:
        if isinstance(values, list_kinds.StructList) and values._type is self:
            shape.copy_structs(at, values._c, values._w, values._count)
            return
        if shape.encodes_from and type(values) is list:
            layout = self.struct_type._layout
            if layout and shape.encode_structs(at, layout, values):
                return
        values = list(values)
        sources = [value._c for value in values if isinstance(value, StructView)]
        target = self._init(shape, at, len(values), *most_sections(sources))
        position = 0
        try:
            for position, (element, value) in enumerate(zip(target, values)):
                if type(value) is dict or isinstance(value, Mapping):
                    fill_struct(element, value)
                elif isinstance(value, Record):
                    self.struct_type._fill(element, value)
                else:
                    target._set(position, value)
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def set_struct(self, shape: Any, word: int, value: Any) -> None:
        source = self.struct_type._as_view(value)
        shape.copy_into(word, source._c, source._w)

    def init_element(self, target: Any, index: int, size: Optional[int]) -> Any:
        if size is not None:
            raise EncodeTypeError(f"{a(self.element_name)} has no size")
        element = target[index]
        element._c.copy_into(element._w, empty_shape(element._c.codec), 0)
        return element

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, StructListType) and self.struct_type._pointer.accepts(other.struct_type._pointer)

    def disown_element(self, target: Any, index: int) -> Orphan:
        element = target._item(index)
        return Orphan._of(self.struct_type._pointer, element._c.disown_struct(element._w))

    def adopt_element(self, target: Any, index: int, orphan: Any) -> None:
        element = target._item(index)
        adopt_struct(element._c, element._w, self.struct_type._pointer, orphan)

    def concatenate(self, shape: BuildShape, at: int, lists: list[Any]) -> None:
        data_words = max((each._c.data_bits + 63 >> 6 for each in lists), default=0)
        pointers = max((each._c.pointers for each in lists), default=0)
        made = self._init(shape, at, sum(map(len, lists)), data_words, pointers)
        for element, value in zip(made, chain.from_iterable(lists)):
            element._c.copy_into(element._w, value._c, value._w)


class PointerListType(ListType):
    """Lists of texts, data, lists, or pointers of any kind."""

    def __init__(self, pointer_type: PointerType) -> None:
        self.pointer_type = pointer_type
        self.has_texts = pointer_type is TEXT
        self._absent = pointer_type.absent

    @property
    def nesting(self) -> int:
        return self.pointer_type.nesting + 1

    def matches(self, other: PointerType) -> bool:
        return super().matches(other) or (
            isinstance(other, PointerListType) and self.pointer_type.matches(other.pointer_type)
        )

    @property
    def element_name(self) -> str:  # type: ignore[override]
        return self.pointer_type.name

    def read(self, shape: ReadShape, at: int) -> Any:
        found = shape.read_pointers(at)
        return None if found is None else list_kinds.PointerList(self, *found)

    def absent(self) -> list_kinds.PointerList:
        return list_kinds.PointerList(self, empty_shape(), 0, 0, 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        found = self._existing(shape, at, default) and shape.read_pointers(at)
        if not found:
            return list_kinds.PointerListBuilder(self, shape, 0, 0, 0)
        return list_kinds.PointerListBuilder(self, *found)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        count = self._count(size)
        elements, start = shape.init_pointers(at, count)
        return list_kinds.PointerListBuilder(self, elements, start, count, 1)

    def fill(self, shape: BuildShape, at: int, values: Any) -> None:
        values = list(values)
        target = self.init(shape, at, len(values))
        done = target._c.set_texts(target._w, target._step, values) if self.has_texts else 0
        self._set_all(target, values, done)

    def read_element(self, shape: ReadShape, at: int) -> Any:
        value = self.pointer_type.read(shape, at)
        return self._absent() if value is None else value

    def build_element(self, shape: BuildShape, at: int) -> Any:
        return self.pointer_type.build(shape, at, None)

    def write_element(self, shape: BuildShape, at: int, value: Any) -> None:
        if value is None:
            shape.clear(at)
        else:
            self.pointer_type.write(shape, at, value)

    def init_element(self, target: Any, index: int, size: Optional[int]) -> Any:
        return self.pointer_type.init(target._c, target._w + index * target._step, size)

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, PointerListType) and self.pointer_type.accepts(other.pointer_type)

    def disown_element(self, target: Any, index: int) -> Orphan:
        return Orphan._of(self.pointer_type, target._c.disown(target._w + index * target._step))

    def adopt_element(self, target: Any, index: int, orphan: Any) -> None:
        adopt_pointer(target._c, target._w + index * target._step, self.pointer_type, orphan)

    def concatenate(self, shape: BuildShape, at: int, lists: list[Any]) -> None:
        made = self.init(shape, at, sum(map(len, lists)))
        places = range(made._w, made._w + len(made))
        sources = ((each, each._w + index * each._step) for each in lists for index in range(len(each)))
        for place, (source, source_at) in zip(places, sources):
            made._c.copy_pointer(place, source._c, source_at)


def list_of(element: PointerType) -> ListType:
    """The type of lists of structs, or of what else pointers of the type ``element`` lead to: one for each of these."""
    if element.list_type is not None:
        return element.list_type  # type: ignore[no-any-return]
    made = StructListType(element.struct_type) if isinstance(element, StructPointer) else PointerListType(element)
    return element.__dict__.setdefault("list_type", made)  # type: ignore[no-any-return]


VOID_LIST = VoidListType()
BOOL_LIST = BoolListType()
