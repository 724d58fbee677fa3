"""Structs as dicts and lists as lists of plain Python values."""

from __future__ import annotations

from typing import Any

__all__ = ["list_to_python", "struct_to_dict"]


def struct_to_dict(view: Any, verbose: bool = False, encode_bytes_as_base64: bool = False) -> dict[str, Any]:
    raise NotImplementedError


def list_to_python(values: Any, verbose: bool = False, encode_bytes_as_base64: bool = False) -> list[Any]:
    raise NotImplementedError
