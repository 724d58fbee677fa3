"""Pointers to structs of one type; and what stands where no struct, or no pointer, is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

from ccapnp.codec import default_codec, get_codec
from ccapnp.errors import EncodeTypeError, a, shown
from ccapnp.types.pointer_types import Place, PointerType
from ccapnp.types.struct_view import StructView
from ccapnp.wire import near

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec, ReadShape
    from ccapnp.types.struct_type import StructType
    from ccapnp.wire.layout import FieldPlan, StructLayout

__all__ = ["StructPointer", "empty_shape", "null_pointer", "pointer_to"]


def empty_shape(codec: Optional[Codec] = None) -> ReadShape:
    """The shape of a struct that is not there; of the default codec where no type says which."""
    return _empty_shape((codec or default_codec()).name)


@cache
def _empty_shape(backend: str) -> ReadShape:
    """No sections, in a segment without words."""
    root = get_codec(backend).open_segments((b"",))
    return root.child(root.segment, 0)


def null_pointer() -> Place:
    """A pointer that is in no one's message, and leads nowhere."""
    return _null_root(default_codec().name), 0


@cache
def _null_root(backend: str) -> ReadShape:
    return get_codec(backend).open_segments((bytes(8),))


class StructPointer(PointerType):
    """Pointers to structs of one type."""

    near = near.STRUCT
    near_use = "value = new(); value._c = shape; value._w = start; return value"

    def __init__(self, struct_type: StructType) -> None:
        self.struct_type = struct_type

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.struct_type.__qualname__

    @property
    def type_name(self) -> StructType:
        return self.struct_type

    @property
    def nesting(self) -> int:
        return self.struct_type._nesting

    def matches(self, other: PointerType) -> bool:
        return super().matches(other) or (
            isinstance(other, StructPointer) and self.struct_type._matches(other.struct_type)
        )

    @property
    def near_class(self) -> Any:
        return self.struct_type.Reader

    def plan(self, plan: FieldPlan) -> FieldPlan:
        node = self.struct_type._node
        make = self.struct_type.Builder if plan.is_builder else self.struct_type.Reader
        return plan._replace(form="struct", make=make, sizes=(node.data_words, node.pointer_count))

    def read(self, shape: ReadShape, at: int) -> Any:
        return shape.read_struct(at, self.struct_type.Reader._at)

    def absent(self) -> Any:
        return self.struct_type.Reader._at(empty_shape(self.struct_type._registry.codec), 0)

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        node = self.struct_type._node
        return shape.get_struct(at, node.data_words, node.pointer_count, default, self.struct_type.Builder._at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if isinstance(value, StructView):
            source = self.struct_type._as_view(value)
            shape.copy_struct(at, source._c, source._w)
            return
        with shape.replacing(at):
            self.fill(shape, at, value)

    def fill(self, shape: BuildShape, at: int, value: Any) -> Any:
        """Make the null pointer lead to a new struct filled from a mapping, and give its builder."""
        struct_type = self.struct_type
        if value.__class__ is struct_type._record:
            own = struct_type._layout
            if own and shape.encode_record(at, own, value):
                return shape.read_struct(at, struct_type.Builder._at)
        layout = self.layout_of(value, shape.encodes_from)
        if layout and shape.encode_struct(at, layout, value):
            return shape.read_struct(at, struct_type.Builder._at)
        return struct_type._fill(self.init(shape, at, None), value)

    def layout_of(self, value: Any, encodes_from: int) -> Union[StructLayout, Literal[False], None]:
        """The layout to encode a dict by, if it is one to be encoded at once; see `BuildShape.encodes_from`."""
        if type(value) is not dict or not encodes_from:
            return None
        layout = self.struct_type._layout
        return layout if layout and (len(value) >= encodes_from or not layout.nested.isdisjoint(value)) else None

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, StructPointer) and self.struct_type._matches(other.struct_type)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        if size is not None:
            raise EncodeTypeError(f"{a(self.name)} has no size")
        node = self.struct_type._node
        return shape.init_struct(at, node.data_words, node.pointer_count, self.struct_type.Builder._at)


def pointer_to(struct_type: Any) -> StructPointer:
    """The type of pointers to a struct type that a user named; TypeError if it is none, or one of a group."""
    pointer = getattr(struct_type, "_pointer", None)
    if not isinstance(pointer, StructPointer):
        raise TypeError(f"{shown(struct_type)} is not the type of a schema's struct")
    if struct_type._node.is_group:
        raise EncodeTypeError(f"{pointer.name} is a group: it exists only within its struct")
    return pointer
