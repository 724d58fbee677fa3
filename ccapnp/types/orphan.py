"""Orphans as a user holds them: values that belong to a message but are no part of its tree, until they are adopted."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, EncodeTypeError, a, shown

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape
    from ccapnp.types.pointer_types import PointerType

__all__ = ["Orphan", "ValueOrphan", "adopt_pointer", "adopt_struct", "shape_of", "value_of"]

_NO_MORE = "this orphan is no more: it was adopted or discarded"


class Orphan:
    """A value that was disowned, or made by an `Orphanage`; ``adopt`` of a builder of the same message takes it.

    It is true unless it is null, adopted or discarded.  One that is dropped, or left as a context, without having been
    adopted is discarded: its memory becomes zero, so keep it as long as what ``get`` and ``get_reader`` gave.
    EncodeError if it is used after that.  Source: capnp/orphan.h.
    """

    __slots__ = ("_c", "_type")

    _c: Optional[BuildShape]
    _type: PointerType

    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(self) -> None:
        raise TypeError("an orphan is made by disown, or by an Orphanage")

    @classmethod
    def _of(cls, type: PointerType, shape: BuildShape) -> Orphan:
        orphan = cls.__new__(cls)
        orphan._type = type
        orphan._c = shape
        return orphan

    def _shape(self) -> BuildShape:
        if self._c is None:
            raise EncodeError(_NO_MORE)
        return self._c

    @property
    def type(self) -> Any:
        """The type, as `ccapnp` names it: a struct type, `Text`, `List[...]`; of a plain value, the value's class."""
        from ccapnp.types.struct_pointer import StructPointer

        pointer_type = self._type
        return pointer_type.struct_type if isinstance(pointer_type, StructPointer) else pointer_type

    def get(self) -> Any:
        """The value as a builder sees it: a struct's builder (made if the orphan is null), a list's, a `str`.

        Of Data, a writable `memoryview`.  A struct, or a list of structs, that an older schema made too small is moved
        to where it has room: what was read of it before is zero then.
        """
        return self._type.own(self._shape(), 0)

    def get_reader(self) -> Any:
        """The value as a reader sees it; of a null orphan, the type's default."""
        value = self._type.read(self._shape(), 0)
        return self._type.absent() if value is None else value

    def __bool__(self) -> bool:
        return self._c is not None and not self._c.is_null(0)

    def __len__(self) -> int:
        """How many elements a list has, or how many bytes a Data, or a Text without its NUL."""
        return self._type.count(self._shape(), 0)

    def resize(self, size: int) -> None:
        """Give a list ``size`` elements, or a Data or Text so many bytes.

        New ones are zero, and those that go are zeroed.  What is the last object of its segment shrinks and grows where
        it is, as far as there is room; anything else that grows is moved.  Builders and readers of it are stale after
        that: ask for it anew.
        """
        self._type.resize(self._shape(), 0, size)

    def release_as(self, type_name: Any) -> Orphan:
        """The same orphan under another type, `AnyPointer` included; this one is none then.

        DecodeError, and no change, if it is not of that type.
        """
        from ccapnp.types.type_names import pointer_type

        shape, made = self._shape(), pointer_type(type_name)
        made.read(shape, 0)
        self._c = None
        return Orphan._of(made, shape)

    def discard(self) -> None:
        """Make the orphan's memory zero, unless it was adopted or discarded already."""
        shape, self._c = self._c, None
        if shape is not None:
            shape.discard()

    def __del__(self) -> None:
        if getattr(self, "_c", None) is not None:
            self.discard()

    def __enter__(self) -> Orphan:
        return self

    def __exit__(self, *error: object) -> None:
        self.discard()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(
            "an orphan belongs to its message and cannot be copied or pickled; what get_reader() gives can be"
        )

    def __repr__(self) -> str:
        return f"<orphan of type {self._type.name}>" if self._c is not None else "<orphan that is no more>"


class ValueOrphan(Orphan):
    """A plain value that was disowned; it is not in the message at all."""

    __slots__ = ("_value",)

    _value: list[Any]

    @classmethod
    def _of_value(cls, value: Any) -> ValueOrphan:
        orphan = cls.__new__(cls)
        orphan._c = None
        orphan._value = [value]  # or none, once it was adopted or discarded
        return orphan

    @property
    def type(self) -> Any:
        return self.get().__class__

    def get(self) -> Any:
        if not self._value:
            raise EncodeError(_NO_MORE)
        return self._value[0]

    get_reader = get

    def __bool__(self) -> bool:
        return bool(self._value)

    def __len__(self) -> int:
        raise EncodeTypeError("a plain value has no length")

    def resize(self, size: int) -> None:
        raise EncodeTypeError("a plain value has no size")

    def release_as(self, type_name: Any) -> Orphan:
        raise EncodeTypeError("a plain value has no other type")

    def discard(self) -> None:
        self._value.clear()

    def __repr__(self) -> str:
        return f"<orphan of value {self._value[0]!r}>" if self._value else "<orphan that is no more>"


def adopt_pointer(shape: BuildShape, at: int, pointer_type: PointerType, orphan: Any) -> None:
    """Make a pointer of that type lead to an orphan."""
    shape.adopt(at, shape_of(orphan, pointer_type))
    orphan._c = None


def adopt_struct(shape: BuildShape, word: int, pointer_type: PointerType, orphan: Any) -> None:
    """Overwrite a struct of that type, where it is, with an orphan."""
    shape.adopt_struct(word, shape_of(orphan, pointer_type))
    orphan._c = None


def shape_of(orphan: Any, pointer_type: PointerType) -> BuildShape:
    """The shape that stands for an orphan of a type; an EncodeError if it is of another type, or no more."""
    require_orphan(orphan)
    if isinstance(orphan, ValueOrphan):
        raise EncodeTypeError(f"the plain value {shown(orphan.get())} cannot be adopted as {a(pointer_type.name)}")
    shape: BuildShape = orphan._shape()
    if not pointer_type.accepts(orphan._type):
        hint = "; release_as gives it another type" if orphan._type.accepts(pointer_type) else ""
        raise EncodeTypeError(f"{a(orphan._type.name)} cannot be adopted as {a(pointer_type.name)}{hint}")
    return shape


def value_of(orphan: Any) -> Any:
    """The value of an orphan that is a plain one."""
    require_orphan(orphan)
    if not isinstance(orphan, ValueOrphan):
        orphan._shape()
        raise EncodeTypeError(f"{a(orphan._type.name)} cannot be adopted as a plain value")
    return orphan.get()


def require_orphan(orphan: Any) -> None:
    """EncodeTypeError for anything but an orphan."""
    if not isinstance(orphan, Orphan):
        raise EncodeTypeError(f"only an orphan can be adopted, not {a(type(orphan).__name__)}; assignment copies")
