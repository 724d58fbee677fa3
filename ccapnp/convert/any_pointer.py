"""What an AnyPointer leads to, in words: kind and size, for `repr`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.wire.limits import Limits
from ccapnp.wire.pointers import ElementSize

if TYPE_CHECKING:
    from ccapnp.wire.shape import Shape

__all__ = ["describe_pointer", "describe_struct"]

_ELEMENT_NAMES = {
    ElementSize.VOID: "void",
    ElementSize.BIT: "bit",
    ElementSize.BYTE: "byte",
    ElementSize.TWO_BYTES: "16-bit number",
    ElementSize.FOUR_BYTES: "32-bit number",
    ElementSize.EIGHT_BYTES: "64-bit number",
    ElementSize.POINTER: "pointer",
}


def describe_pointer(shape: Any, at: int) -> str:
    """As in "list of 3 bytes"; what is wrong with the pointer, if something is.  The traversal limit is not touched."""
    try:
        return _describe(shape.reopen(Limits(None, shape.depth)), at)
    except ValueError as error:  # a DecodeError, or the memory has been released
        return f"<error: {error}>"


def describe_struct(shape: Shape) -> str:
    """The same of a struct of that shape."""
    return f"struct of {_sections(shape)}"


def _describe(shape: Any, at: int) -> str:
    kind = shape.read_kind(at)
    if kind == "capability":
        return f"capability {shape.read_capability(at)}"
    if kind == "struct":
        found = shape.read_struct(at, lambda found, word: found)
        return describe_struct(found) if found else kind
    return f"list of {_elements(shape, at)}" if kind == "list" else kind


def _sections(shape: Shape) -> str:
    return f"{_number(shape.data_words, 'data word')} and {_number(shape.pointers, 'pointer')}"


def _elements(shape: Any, at: int) -> str:
    element = shape.read_element_size(at)
    if element == ElementSize.COMPOSITE:
        structs = shape.read_structs(at)
        return f"{_number(structs[2], 'struct')} of {_sections(structs[0])}" if structs else "nothing"
    read = shape.read_pointers(at) if element == ElementSize.POINTER else shape.read_list(at, element)
    return _number(read[2] if read else 0, _ELEMENT_NAMES[ElementSize(element)])


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
