"""What format an input seems to be in, for a warning where it is read as another one."""

from __future__ import annotations

from typing import Optional

from ccapnp.wire.hints import looks_framed, looks_packed

__all__ = ["likely_format"]

_HEAD_BYTES = 512
_READABLE = ("text", "json")
_WITHOUT_TABLE = ("flat", "flat-packed", "canonical")
"""A segment may begin as a segment table does."""


def likely_format(head: bytes, said: str) -> Optional[str]:
    """The format that an input which begins with ``head`` is in rather than in the one it is ``said`` to be.

    ``None`` if it may well be in that one.
    """
    head = head[:_HEAD_BYTES]
    bare = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    is_readable = not any(byte < 9 or 13 < byte < 32 for byte in head)
    likely = {
        "binary": looks_framed(head),
        "packed": looks_packed(head),
        "text": is_readable and bare[:1] in (b"(", b"#"),
        "json": is_readable and bare[:1] == b"{",
    }
    if likely.get(said) or said == "segments":
        return None
    by_eye = said in _WITHOUT_TABLE or (said in _READABLE and is_readable)
    return next((name for name in (_READABLE if by_eye else likely) if likely[name]), None)
