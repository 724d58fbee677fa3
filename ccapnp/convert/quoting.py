"""Text and Data as quoted literals, with the escapes of ``kj::encodeCEscape`` (kj/encoding.h)."""

from __future__ import annotations

from typing import Any

__all__ = ["quote_data", "quote_text", "whole_characters"]

_NAMED = {
    7: r"\a",
    8: r"\b",
    9: r"\t",
    10: r"\n",
    11: r"\v",
    12: r"\f",
    13: r"\r",
    ord('"'): r"\"",
    ord("'"): r"\'",
    ord("\\"): r"\\",
}
_UNPRINTABLE = [*range(32), 127]
_HIGH = range(128, 256)
_DATA_ESCAPES = {**{byte: f"\\{byte:03o}" for byte in (*_UNPRINTABLE, *_HIGH)}, **_NAMED}
# A byte that is not UTF-8 is decoded to a lone surrogate, its value plus this (PEP 383).
_SURROGATES = 0xDC00
_TEXT_ESCAPES = {
    **{byte: f"\\{byte:03o}" for byte in _UNPRINTABLE},
    **{_SURROGATES + byte: f"\\{byte:03o}" for byte in _HIGH},
    **_NAMED,
}


def quote_text(data: Any) -> str:
    """The literal for a text, given as the bytes of a buffer.

    Characters beyond ASCII stand for themselves.  A byte that is not part of valid UTF-8 becomes an octal escape, which
    a parser turns into the same byte again; the official printer would write that byte as it is.
    """
    return f'"{str(data, "utf-8", "surrogateescape").translate(_TEXT_ESCAPES)}"'


def quote_data(data: Any) -> str:
    """The literal for data, which is ASCII whatever the bytes are."""
    return f'"{str(data, "latin-1").translate(_DATA_ESCAPES)}"'


def whole_characters(data: Any, size: int) -> int:
    """The largest size up to ``size`` at which UTF-8 may be cut without cutting a character."""
    for cut in range(size, max(size - 4, 0), -1):
        if data[cut] & 0xC0 != 0x80:
            return cut
    return size
