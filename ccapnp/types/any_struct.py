"""Structs of any type: AnyStruct fields, and structs seen as their two sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, EncodeTypeError, a, shown
from ccapnp.types import list_kinds, message
from ccapnp.types.any_view import AnyView
from ccapnp.types.list_types import ListType, most_sections
from ccapnp.types.pointer_types import Place, PointerType, checked_size
from ccapnp.types.struct_pointer import StructPointer, empty_shape, pointer_to
from ccapnp.types.struct_view import StructBuilder, StructView, total_size, view_maker
from ccapnp.wire.shape import StructAt

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccapnp.codec import BuildShape, ReadShape

__all__ = [
    "ANY_STRUCT",
    "ANY_STRUCTS",
    "AnyStructBuilder",
    "AnyStructReader",
    "as_any_struct",
]

_MAX_SECTION = 0xFFFF


class AnyStructReader(StructAt, AnyView):
    """A struct of any type: a data section and pointers.  It is made as a `StructView` is."""

    __slots__ = ()

    kind = "struct"
    _is_group = False
    _at: Callable[[Any, int], Any]

    @property
    def data(self) -> memoryview:
        """The bytes of the data section, without a copy; those of a builder can be written to."""
        shape = self._c
        view: memoryview = shape.u8[self._w << 3 : (self._w << 3) + (shape.data_bits >> 3)]
        return view if self._is_builder else view.toreadonly()

    @property
    def pointers(self) -> Any:
        """The pointer section: a list of AnyPointers."""
        from ccapnp.types.any import ANY_POINTERS

        kind = list_kinds.PointerListBuilder if self._is_builder else list_kinds.PointerList
        return kind(ANY_POINTERS, self._c, self._w + self._c.data_words, self._c.pointers, 1)

    def as_struct(self, struct_type: Any) -> Any:
        """The same struct as one of that type."""
        return pointer_to(struct_type).struct_type.Reader._at(self._c, self._w)

    def as_reader(self) -> Any:
        """A reader of the same; of a builder, it sees what the builder goes on to write."""
        return AnyStructReader._at(self._c, self._w)

    def _size(self) -> message.MessageSize:
        return total_size(self)

    def _copy_to(self, shape: BuildShape, at: int) -> None:
        shape.copy_struct(at, self._c, self._w)

    def _place(self) -> Place:
        return self._own_message(), 0

    def __hash__(self) -> int:
        return hash((self._type.name, message.canonical_struct(self)))

    def _describe(self) -> str:
        from ccapnp.convert.any_pointer import describe_struct

        return describe_struct(self._c)


class AnyStructBuilder(AnyStructReader):
    """A struct of any type in a message that is being built.

    ``_pointer`` is the place of a pointer to it, where one is known: the struct can be moved to where it has more room.
    """

    __slots__ = ("_pointer",)

    _is_builder = True

    def __init__(self) -> None:
        self._pointer: Optional[tuple[Any, int]] = None

    def as_struct(self, struct_type: Any) -> Any:
        """The builder of the same struct as one of that type.

        If it has less room than that type needs, it is moved to another place, as an older struct is; EncodeError if it
        cannot be, because it is an element of a list, or was replaced.
        """
        found = pointer_to(struct_type).struct_type
        node, shape = found._node, self._c
        if shape.data_bits < node.data_words << 6 or shape.pointers < node.pointer_count:
            self._move(node.data_words, node.pointer_count, found.__qualname__)
        return found.Builder._at(self._c, self._w)

    def _move(self, data_words: int, pointers: int, name: str) -> None:
        """Have at least these sections."""
        if self._pointer is None:
            raise EncodeError(
                f"this struct has too little room for {a(name)} and cannot be moved; "
                "if it is an element of an AnyList, as_list(List[...]) of that makes room in all"
            )
        shape, at = self._pointer
        if shape.read_kind(at) != "struct" or shape.read_struct(at, _word_of) != (self._c.segment, self._w):
            raise EncodeError("this struct is no longer where its pointer leads: it was moved or replaced meanwhile")
        self._c, self._w = shape.get_struct(at, data_words, pointers, None, _as_tuple)

    __hash__ = None  # type: ignore[assignment]


AnyStructReader._at = staticmethod(view_maker(AnyStructReader))
AnyStructBuilder._at = staticmethod(view_maker(AnyStructBuilder))


def _as_tuple(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def _word_of(shape: Any, word: int) -> tuple[Any, int]:
    return shape.segment, word


def as_any_struct(view: Any) -> Any:
    """A reader or builder of a struct as one of an AnyStruct, over the same memory; EncodeTypeError for a group."""
    message.require_struct(view)
    return (AnyStructBuilder if isinstance(view, StructBuilder) else AnyStructReader)._at(view._c, view._w)


def _checked_sections(size: Any, what: str) -> tuple[int, int]:
    """(data words, pointers) as a caller gave them; an EncodeError, which names ``what`` is made, if they are none."""
    if not isinstance(size, tuple) or len(size) != 2:
        raise EncodeTypeError(f"init of {what} needs its sizes, (data words, pointers), not {shown(size)}")
    need = f"{what} needs (data words, pointers)"
    data_words, pointers = checked_size(size[0], need), checked_size(size[1], need)
    if not 0 <= data_words <= _MAX_SECTION or not 0 <= pointers <= _MAX_SECTION:
        raise EncodeError(f"a struct has 0 to {_MAX_SECTION} data words and as many pointers, not {shown(size)}")
    return data_words, pointers


class AnyStructType(PointerType):
    """AnyStruct."""

    name = "AnyStruct"

    def read(self, shape: ReadShape, at: int) -> Any:
        return shape.read_struct(at, AnyStructReader._at)

    def absent(self) -> AnyStructReader:
        return AnyStructReader._at(empty_shape(), 0)  # type: ignore[no-any-return]

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        return self._placed(shape.get_struct(at, 0, 0, default, AnyStructBuilder._at), shape, at)

    @staticmethod
    def _placed(made: AnyStructBuilder, shape: BuildShape, at: int) -> AnyStructBuilder:
        made._pointer = shape, at
        return made

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if isinstance(value, StructView):
            message.require_struct(value)
            shape.copy_struct(at, value._c, value._w)
        elif isinstance(value, AnyView) and value.kind in ("struct", "null"):
            value._copy_to(shape, at)
        else:
            raise EncodeTypeError(f"an AnyStruct is set from a struct of a message, not {type(value).__name__}")

    def accepts(self, other: PointerType) -> bool:
        return other is self or (isinstance(other, StructPointer) and not other.struct_type._node.is_group)

    def init(self, shape: BuildShape, at: int, size: Any) -> Any:
        """A new struct; ``size`` is (data words, pointers)."""
        made = shape.init_struct(at, *_checked_sections(size, "an AnyStruct"), AnyStructBuilder._at)
        return self._placed(made, shape, at)


class AnyStructListType(ListType):
    """Lists of structs of any one type."""

    element_name = AnyStructType.name
    reader_class, builder_class = list_kinds.StructList, list_kinds.StructListBuilder
    reader = AnyStructReader
    builder = AnyStructBuilder

    def read(self, shape: ReadShape, at: int) -> Any:
        found = shape.read_structs(at)
        return None if found is None else list_kinds.struct_list(self.reader_class, self, *found[:3])

    def absent(self) -> Any:
        return list_kinds.struct_list(self.reader_class, self, empty_shape(), 0, 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        elements, word, count, _ = shape.get_structs(at, 0, 0, default) or (empty_shape(shape.codec), 0, 0, 0)
        return list_kinds.struct_list(self.builder_class, self, elements, word, count)

    def init(self, shape: BuildShape, at: int, size: Any) -> Any:
        """A new list; ``size`` is ((data words, pointers), elements)."""
        if not isinstance(size, tuple) or len(size) != 2:
            raise EncodeTypeError(
                f"init of a {self.name} needs ((data words, pointers), number of elements), not {shown(size)}"
            )
        data_words, pointers = _checked_sections(size[0], "AnyStructs")
        count = self._count(size[1])
        elements, word = shape.init_structs(at, count, data_words, pointers)
        return list_kinds.struct_list(self.builder_class, self, elements, word, count)

    def fill(self, shape: BuildShape, at: int, values: Any) -> None:
        if isinstance(values, list_kinds.StructList):
            shape.copy_structs(at, values._c, values._w, values._count)
            return
        values = list(values)
        sections = most_sections([value._c for value in values if isinstance(value, (StructView, AnyStructReader))])
        self._set_all(self.init(shape, at, (sections, len(values))), values)

    def set_struct(self, shape: Any, word: int, value: Any) -> None:
        if not isinstance(value, (StructView, AnyStructReader)):
            raise EncodeTypeError(f"an AnyStruct is set from a struct of a message, not {type(value).__name__}")
        message.require_struct(value)
        shape.copy_into(word, value._c, value._w)


ANY_STRUCT = AnyStructReader._type = AnyStructType()
ANY_STRUCTS = AnyStructListType()
ANY_STRUCT.list_type = ANY_STRUCTS
