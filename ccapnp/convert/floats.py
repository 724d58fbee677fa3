"""Floats as the official text and JSON printers write them (``kj::str`` of capnp's support library kj)."""

from __future__ import annotations

import struct

__all__ = ["as_float32", "float32_text", "float64_text"]

_FLOAT32 = struct.Struct("<f")
_SMALLEST_NORMAL_FLOAT32 = 2.0**-126


def float64_text(value: float) -> str:
    """A Float64 with 15 significant digits, or 17 if those do not make the same number; NaN has no sign."""
    text = f"{value:.15g}"
    if float(text) != value:
        text = f"{value:.17g}"
    return text.replace("+", "")


def float32_text(value: float) -> str:
    """A Float32 with 6 significant digits, or 8 if those do not make the same number.

    Eight are not always enough: about one Float32 in a hundred is read back as its neighbour.  The C library reports an
    underflow for a number below the normal ones, and that counts as not the same.
    """
    text = f"{value:.6g}"
    if not _is_float32(text, value):
        text = f"{value:.8g}"
    return text.replace("+", "")


def as_float32(value: float) -> float:
    """A number that a Float32 can hold: one that is too large is infinite, as a Float64 that is too large."""
    try:
        _FLOAT32.pack(value)
    except OverflowError:
        return float("-inf" if value < 0 else "inf")
    return value


def _is_float32(text: str, value: float) -> bool:
    number = float(text)
    if 0 < abs(number) < _SMALLEST_NORMAL_FLOAT32:
        return number == value
    return bool(_FLOAT32.unpack(_FLOAT32.pack(number))[0] == value)
