"""How values of each schema type are read and written where a pointer is: in a struct, a list or a root.

One object stands for one type.  ``shape`` and ``at`` are the pointer's place; ``default`` is the place of the schema's
default value, or ``None``.  Lists and structs, which have more to say, are in `ccapnp.types.list_types` and
`ccapnp.types.struct_pointer`.
"""

from __future__ import annotations

from operator import index as as_index
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, EncodeTypeError, a, shown
from ccapnp.wire import near
from ccapnp.wire.pointers import ElementSize

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape
    from ccapnp.wire.layout import FieldPlan

__all__ = ["DATA", "TEXT", "DataType", "Place", "PointerType", "RawText", "TextType", "checked_size"]

Place = tuple["ReadShape", int]


class PointerType:
    """One type of what pointers lead to."""

    name = "AnyPointer"

    near = ""
    """How a getter follows a near pointer in place: a text of `ccapnp.wire.near`, or nothing."""

    near_use = ""
    """What it does then.  ``new`` there is the ``near_class``, ``pointer_type`` is this type."""

    near_class: Any = None

    def plan(self, plan: FieldPlan) -> Optional[FieldPlan]:
        """The plan of a field of this type, completed; ``None`` if a codec has no way of its own to read or set it."""
        return None

    def read(self, shape: ReadShape, at: int) -> Any:
        """The value as a reader sees it; ``None`` where the pointer is null."""
        raise NotImplementedError

    def absent(self) -> Any:
        """What a null pointer without a default reads as."""
        raise NotImplementedError

    def read_or_absent(self, shape: ReadShape, at: int) -> Any:
        """The value as a reader sees it, where no schema says what null is."""
        value = self.read(shape, at)
        return self.absent() if value is None else value

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        """The value as a builder sees it: what can be changed, changes the message."""
        raise NotImplementedError

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        """Replace the value by a copy of ``value``; if that fails, nothing is changed."""
        raise NotImplementedError

    def init(self, shape: BuildShape, at: int, size: Any) -> Any:
        """A new, empty value in place of the old one, to be filled."""
        raise NotImplementedError

    # ---- orphans of this type, whose pointer is at a place that is no part of the message

    def accepts(self, other: PointerType) -> bool:
        """Whether an orphan of type ``other`` can be adopted where this type is expected."""
        return other is self

    def own(self, shape: BuildShape, at: int) -> Any:
        """The value of an orphan as a builder sees it."""
        return self.build(shape, at, None)

    def count(self, shape: BuildShape, at: int) -> int:
        """How many elements or bytes an orphan has."""
        raise EncodeTypeError(f"{a(self.name)} has no length")

    def resize(self, shape: BuildShape, at: int, size: Any) -> None:
        """Give an orphan ``size`` elements or bytes."""
        raise EncodeTypeError(f"{a(self.name)} has no size")

    # ---- as the name of a type

    list_type: Any = None
    """The type of lists of what it leads to, once it has been asked for: see `list_types.list_of`."""

    @property
    def type_name(self) -> Any:
        """What names the type in Python: a class, or this object itself."""
        return self

    @property
    def nesting(self) -> int:
        """How many levels of lists and of parameters in brackets its name has."""
        return 0

    is_any = False
    """Whether it is the type of pointers to anything, which a parameter has that is bound to nothing."""

    def matches(self, other: PointerType) -> bool:
        """Whether a value of a type with this bound may be taken for one with ``other``: unless both are bound."""
        return self is other or self.is_any or other.is_any

    def read_default(self, default: Optional[Place]) -> Any:
        """What a null pointer reads as."""
        return self.absent() if default is None else self.read(*default)

    def __repr__(self) -> str:
        return self.name


def checked_size(size: Any, need: str) -> int:
    """The size that ``init`` was given, as an int; EncodeTypeError, which states the ``need``, if it was given none."""
    if size is None:
        raise EncodeTypeError(f"init of {need}")
    try:
        return as_index(size)
    except TypeError:
        raise EncodeTypeError(f"init of {need}, an integer, not {shown(size)}") from None


class RawText(str):
    """A text that may not be valid UTF-8: lone surrogates stand for its other bytes (error handler surrogateescape)."""

    __slots__ = ()


class TextType(PointerType):
    """Text: a `str`."""

    name = "Text"
    near = near.TEXT
    near_use = "return text"

    def plan(self, plan: FieldPlan) -> FieldPlan:
        return plan._replace(form="text")

    def read(self, shape: ReadShape, at: int) -> Optional[str]:
        return shape.read_text(at)

    def absent(self) -> str:
        return ""

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> str:
        text = shape.read_text(at)
        return self.read_default(default) if text is None else text

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if not isinstance(value, str):
            raise EncodeTypeError(f"a Text is set from a str, not {type(value).__name__}")
        try:
            data = value.encode("utf-8", "surrogateescape" if isinstance(value, RawText) else "strict")
        except UnicodeEncodeError as error:
            raise EncodeError(f"this str is not Unicode text: {error.reason} at its character {error.start}") from None
        shape.set_text(at, data)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        raise EncodeTypeError("a Text is assigned as a whole; there is nothing to init")

    def count(self, shape: BuildShape, at: int) -> int:
        return len(shape.read_text_bytes(at) or b"")

    def resize(self, shape: BuildShape, at: int, size: Any) -> None:
        count = checked_size(size, "a Text needs its size in bytes") + 1
        if count < 1:
            raise EncodeError(f"a Text cannot have {shown(size)} bytes")
        _resize_bytes(shape, at, count)
        shape.read_data(at)[-1] = 0  # type: ignore[index]  # not null any more, and writable


class DataType(PointerType):
    """Data: `bytes` when read; any buffer when written."""

    name = "Data"

    def plan(self, plan: FieldPlan) -> FieldPlan:
        return plan._replace(form="data")

    def read(self, shape: ReadShape, at: int) -> Optional[bytes]:
        view = shape.read_data(at)
        return None if view is None else bytes(view)

    def absent(self) -> bytes:
        return b""

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> bytes:
        view = shape.read_data(at)
        return self.read_default(default) if view is None else bytes(view)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        try:
            view = memoryview(value)
        except (TypeError, ValueError, BufferError):  # no buffer, or one that says it cannot be one
            hint = "; encode it first" if isinstance(value, str) else ""
            raise EncodeTypeError(
                f"a Data is set from bytes or another buffer, not {type(value).__name__}{hint}"
            ) from None
        data = bytes(view)  # also lets the value be a view of the very memory that is freed now
        shape.set_bytes(at, data, len(data), len(data))

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> memoryview:
        """A writable view of ``size`` new bytes, all zero."""
        count = checked_size(size, "a Data needs its size in bytes")
        target, start = shape.init_list(at, ElementSize.BYTE, count)
        view: memoryview = target.u8[start << 3 : (start << 3) + count]
        return view

    def own(self, shape: BuildShape, at: int) -> memoryview:
        """A writable view of the bytes."""
        view = shape.read_data(at)
        if view is not None and view.readonly:
            raise EncodeError("external data cannot be written; get_reader() reads it")
        return memoryview(bytearray()) if view is None else view

    def count(self, shape: BuildShape, at: int) -> int:
        return len(shape.read_data(at) or b"")

    def resize(self, shape: BuildShape, at: int, size: Any) -> None:
        _resize_bytes(shape, at, checked_size(size, "a Data needs its size in bytes"))


def _resize_bytes(shape: BuildShape, at: int, count: int) -> None:
    if shape.is_null(at):
        shape.init_list(at, ElementSize.BYTE, count)
    else:
        shape.resize(at, count)


TEXT = TextType()
DATA = DataType()
