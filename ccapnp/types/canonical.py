"""Canonical form (encoding.html, "Canonicalization"): one segment, in which equal values are equal bytes."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import DecodeError, EncodeTypeError
from ccapnp.types.any_struct import AnyStructReader
from ccapnp.types.any_view import AnyView
from ccapnp.types.lists import ListReader
from ccapnp.types.message import afresh, canonical_struct
from ccapnp.types.messages import MessageBuilder, MessageReader
from ccapnp.types.struct_view import StructView

__all__ = ["canonicalize", "is_canonical"]


def canonicalize(value: Any) -> bytes:
    """The canonical form of a message, or of one whose root is a struct, list or AnyPointer that is given.

    It is the words of its only segment, without a table: ``T.from_segments([form])`` reads it.  Raises EncodeError if
    there are capabilities, and DecodeError or LimitError where reading all of it would.
    """
    if isinstance(value, (StructView, AnyStructReader)):
        return canonical_struct(value)
    if isinstance(value, (MessageReader, MessageBuilder)):
        root = afresh(value._root)
        root.charge_root()
        return _canonical_pointer(root, 0)
    if isinstance(value, (ListReader, AnyView)):
        shape, at = value._place()
        return _canonical_pointer(afresh(shape.pointer_alone()), at)
    raise EncodeTypeError(
        f"canonical form is that of a message, struct, list or AnyPointer, not of {type(value).__name__}"
    )


def _canonical_pointer(shape: Any, at: int) -> bytes:
    """Of a pointer, read as a struct that has nothing else: all but the pointer to that."""
    form: bytes = shape.codec.canonicalize(shape, at)
    return form[8:] or bytes(8)


def is_canonical(message: Any) -> bool:
    """Whether a message is in canonical form, byte for byte; False as well for what is not a sound message.

    It is a reader or builder of a message, or a sequence of segments: ``is_canonical([form])`` of what `canonicalize`
    gave, ``is_canonical(MessageReader(data))`` of a framed message.  One buffer, which could be either, is a TypeError.
    """
    if not isinstance(message, (MessageReader, MessageBuilder)):
        try:
            message = MessageReader.from_segments(message)
        except DecodeError:
            return False
    return message._root.codec.is_canonical(message._root)  # type: ignore[no-any-return]
