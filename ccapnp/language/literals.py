"""What the literals of the schema language stand for."""

from __future__ import annotations

import re

__all__ = ["LiteralError", "binary", "block_line", "number", "text"]

MAX_INTEGER = (1 << 64) - 1
MAX_DIGITS = len(oct(MAX_INTEGER))

INTEGER = re.compile(rb"0x0*(?P<hexadecimal>[0-9a-fA-F]+)|0+(?P<octal>[0-7]*)|(?P<decimal>[1-9][0-9]*)")
FLOAT = re.compile(rb"(?:0[0-7]*|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
ZERO_AND_DIGITS = re.compile(rb"0[0-9]")
BASES = {"hexadecimal": 16, "octal": 8, "decimal": 10}

ESCAPE = re.compile(
    rb"\\(?:x(?P<hexadecimal>[0-9a-fA-F]{2})|(?P<octal>[0-7]{1,3})|(?P<letter>[abfnrtv'\"\\?])|(?P<unknown>.?))",
    re.DOTALL,
)
LETTERS = dict(zip(b"abfnrtv'\"\\?", (b"%c" % byte for byte in b"\a\b\f\n\r\t\v'\"\\?")))


class LiteralError(Exception):
    """What is wrong with a literal."""


def number(raw: bytes) -> int | float:
    """``12``, ``0x1f``, ``017`` (octal), ``1.``, ``1E5``; a minus sign is not part of it."""
    match = INTEGER.fullmatch(raw)
    if match is not None:
        base = match.lastgroup or "decimal"
        digits = match[base]
        # The length is looked at first: int() refuses, or takes long over, thousands of digits.
        value = int(digits or b"0", BASES[base]) if len(digits) <= MAX_DIGITS else MAX_INTEGER + 1
        if value > MAX_INTEGER:
            raise LiteralError("this integer is too large: it does not fit in 64 bits")
        return value
    if FLOAT.fullmatch(raw) is None:
        if ZERO_AND_DIGITS.match(raw):
            raise LiteralError("a number that begins with 0 is octal: its digits go from 0 to 7")
        raise LiteralError("this is not a number; numbers are written 12, 0x1f, 017 (octal), 1.5 or 1e-9")
    return float(raw)


def text(raw: bytes) -> str:
    """What is between the quotes of a string; escaped bytes that are not UTF-8 become surrogate escapes."""
    try:
        plain = raw.decode()
    except UnicodeDecodeError:
        raise LiteralError(r"this string is not UTF-8; other bytes can be written as \x and two hex digits") from None
    if "\\" not in plain:
        return plain
    return ESCAPE.sub(_unescaped, raw).decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    if match["letter"]:
        return LETTERS[match["letter"][0]]
    if match["unknown"] is not None:
        raise LiteralError(
            r"this string has an unknown escape; there are \a \b \f \n \r \t \v \' \" \\ \?, "
            r"\ with one to three octal digits, and \x with two hex digits"
        )
    value = int(match["hexadecimal"], 16) if match["hexadecimal"] else int(match["octal"], 8)
    return bytes([value & 0xFF])


def block_line(raw: bytes) -> str:
    """One line of a block of text, without the backtick before it."""
    try:
        return raw.decode() + "\n"
    except UnicodeDecodeError:
        raise LiteralError("this text is not UTF-8") from None


def binary(raw: bytes) -> bytes:
    """The hex digits between the quotes of ``0x"..."``; white space may stand between the pairs."""
    try:
        value = bytes.fromhex(raw.decode("ascii"))
    except ValueError:
        value = b""
    if not value:
        raise LiteralError('between the quotes of 0x"..." stand pairs of hex digits, at least one')
    return value
