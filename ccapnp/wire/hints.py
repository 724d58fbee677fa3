"""Guesses at what an input is that could not be read as a message: packed, not packed, or something else entirely.

A framed message has no signature, so that a packed message read as a plain one, or the reverse, or a file of another
kind, fails with an error about sizes that helps nobody.  A guess is made only once reading has failed.
"""

from __future__ import annotations

import struct

from ccapnp.errors import CapnpError

__all__ = ["add_hint", "format_hint", "looks_framed", "looks_packed"]

_SIGNATURES = (
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"BZh", "bzip2 data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"@0x", "the text of a schema"),
)

_PRINTABLE = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\n\r")

_MOST_LIKELY_SEGMENTS = 512
_MOST_LIKELY_WORDS = 2**29


def format_hint(prefix: bytes, packed: bool = False) -> str:
    """What to add to the text of an error about a message that begins with ``prefix``: a sentence part, or "".

    ``packed`` says how the input was read.  32 bytes are enough for a good guess, 8 for a fair one.
    """
    other = _other_format(prefix)
    if other:
        return f"; the input looks like {other}, not like a Cap'n Proto message"
    if packed and looks_framed(prefix):
        return "; the input looks unpacked: from_bytes or read would read it"
    if not packed and looks_packed(prefix):
        return "; the input looks packed: from_bytes_packed or read_packed would read it"
    if looks_packed(prefix) if packed else looks_framed(prefix):
        return ""
    if len(prefix) >= 4 and _PRINTABLE.issuperset(prefix):
        return "; the input looks like text, not like a Cap'n Proto message"
    return "; the input does not look like a Cap'n Proto message" if len(prefix) >= 8 else ""


def add_hint(error: CapnpError, prefix: bytes, packed: bool = False) -> None:
    """Add the `format_hint` to the text of ``error``."""
    error.args = (f"{error}{format_hint(prefix, packed)}",)


def looks_framed(prefix: bytes) -> bool:
    """Whether ``prefix`` could be the beginning of a framed message that is not packed."""
    if len(prefix) < 8:
        return False
    last, size = struct.unpack_from("<2I", prefix)
    if last >= _MOST_LIKELY_SEGMENTS or not 0 < size < _MOST_LIKELY_WORDS:
        return False
    root = prefix[8 * ((last + 1) // 2 + 1) :][:8]
    return len(root) < 8 or _likely_root(root, last)


def looks_packed(prefix: bytes) -> bool:
    """Whether ``prefix`` could be the beginning of a packed message."""
    words = _unpack_start(prefix)
    if not words:
        return False
    # The table's high bytes are zero, and an encoder leaves zero bytes out.
    return looks_framed(words) and prefix[0] & 0b1000_1100 == 0


def _likely_root(word: bytes, last: int) -> bool:
    """Whether ``word`` could be a root: null, a struct or list that follows somewhere, or a far pointer."""
    low, high = struct.unpack("<iI", word)
    kind = low & 3
    if kind == 2:
        return bool(high <= last)
    return bool(kind < 2 and (low >= 0 or low >> 2 == -1))


def _unpack_start(prefix: bytes) -> bytes:
    """The first few words of packed ``prefix``; fewer, or none, where it ends or has a run of words other than zero."""
    words = b""
    position = 0
    while len(words) < 32 and position < len(prefix):
        tag = prefix[position]
        end = position + 1 + (1 if tag == 0 else bin(tag).count("1"))
        if tag == 0xFF or end > len(prefix):
            break
        given = iter(prefix[position + 1 : end])
        words += bytes(next(given) if tag >> bit & 1 else 0 for bit in range(8))
        if tag == 0:
            words += bytes(8 * prefix[position + 1])
        position = end
    return words


def _other_format(prefix: bytes) -> str | None:
    return next((name for signature, name in _SIGNATURES if prefix.startswith(signature)), None)
