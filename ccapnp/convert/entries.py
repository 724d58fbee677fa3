"""What a struct prints: one entry for each field, and which of them are printed for a given struct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from ccapnp.convert.floats import float32_text, float64_text
from ccapnp.schema.value import Kind
from ccapnp.types.enums import schema_name
from ccapnp.types.fields import FieldAccess, GroupAccess, PointerAccess, ScalarAccess, read_tag
from ccapnp.types.kept import kept
from ccapnp.types.struct_pointer import null_pointer

if TYPE_CHECKING:
    from ccapnp.convert.printer import Printer
    from ccapnp.types.struct_type import StructType

__all__ = ["Entry", "StructEntries", "bool_text", "entries_of"]


def bool_text(value: bool) -> str:
    """A Bool."""
    return "true" if value else "false"


_SCALAR_TEXTS: dict[Kind, Callable[[Any], str]] = {
    Kind.VOID: lambda value: "void",
    Kind.BOOL: bool_text,
    Kind.FLOAT32: float32_text,
    Kind.FLOAT64: float64_text,
    Kind.ENUM: schema_name,
}


class Entry:
    """How one field is printed."""

    def __init__(self, access: FieldAccess) -> None:
        self.name = access.name
        self.discriminant = access.discriminant

    def text(self, printer: Printer, view: Any, level: int) -> str | None:
        """The field's value in the reader ``view``; ``None`` if it is not printed."""
        raise NotImplementedError


class _ScalarEntry(Entry):
    def __init__(self, access: ScalarAccess) -> None:
        super().__init__(access)
        self._get = access.get
        self._text = _SCALAR_TEXTS.get(access.kind, str)

    def text(self, printer: Printer, view: Any, level: int) -> str:
        return printer.spend(self._text(self._get(view)))


class _GroupEntry(Entry):
    def __init__(self, access: GroupAccess) -> None:
        super().__init__(access)
        self._group = access.group

    def text(self, printer: Printer, view: Any, level: int) -> str:
        return printer.struct(entries_of(self._group), self._group.Reader._at(view._c, view._w), level, bare=False)


class _PointerEntry(Entry):
    """A null pointer is printed only as a union's active member, and then only if the union is not as it began."""

    def __init__(self, access: PointerAccess) -> None:
        super().__init__(access)
        self._index = access.field.offset
        self._default = access.default
        self._pointer_type = access.pointer_type

    def text(self, printer: Printer, view: Any, level: int) -> str | None:
        shape = view._c
        at = view._w + shape.data_words + self._index
        if self._index >= shape.pointers or shape.is_null(at):
            if not self.discriminant:
                return None
            shape, at = self._default or null_pointer()
        return printer.pointer(self._pointer_type, shape, at, level, bare=False)


def _make_entry(access: FieldAccess) -> Entry:
    if isinstance(access, PointerAccess):
        return _PointerEntry(access)
    if isinstance(access, GroupAccess):
        return _GroupEntry(access)
    assert isinstance(access, ScalarAccess)
    return _ScalarEntry(access)


class StructEntries:
    """The entries of one struct type, in the order of its fields."""

    def __init__(self, struct_type: StructType) -> None:
        node = struct_type._node
        entries = [_make_entry(access) for access in struct_type._accesses()]
        self.type_name = struct_type.__qualname__
        self._tag_index = node.discriminant_offset if node.discriminant_count else None
        self._plain = [entry for entry in entries if entry.discriminant is None]
        self._active = {
            tag.discriminant: [entry for entry in entries if entry.discriminant in (None, tag.discriminant)]
            for tag in entries
            if tag.discriminant is not None
        }

    def unknown_tag(self, view: Any) -> int | None:
        """The number of the union's active member, if the schema does not know it."""
        if self._tag_index is None:
            return None
        tag = read_tag(view, self._tag_index)
        return None if tag in self._active else tag

    def active(self, view: Any) -> list[Entry]:
        """The fields outside a union, and the union's active member, all by their ordinals."""
        if self._tag_index is None:
            return self._plain
        return self._active.get(read_tag(view, self._tag_index), self._plain)


@kept
def entries_of(struct_type: StructType) -> StructEntries:
    """The entries of a struct type."""
    return StructEntries(struct_type)
