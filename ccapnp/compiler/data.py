"""Values of the data section: their sizes, ranges and bits, by the names that schema.capnp has for their types."""

from __future__ import annotations

import struct
from typing import Any

from ccapnp.compiler.types import Branded, Primitive, Target
from ccapnp.wire.pointers import ElementSize

__all__ = [
    "DATA_SIZES",
    "ELEMENTS",
    "RANGES",
    "WORDS",
    "bits_of",
    "data_kind",
    "is_enum",
    "is_struct",
    "packed",
    "rounded",
    "zero",
]

DATA_SIZES = {
    "bool": 0,
    "int8": 3,
    "uint8": 3,
    "int16": 4,
    "uint16": 4,
    "int32": 5,
    "uint32": 5,
    "float32": 5,
    "int64": 6,
    "uint64": 6,
    "float64": 6,
    "enum": 4,
}
"""Binary logarithms of the bits that a field of the data section takes."""

WORDS = {
    ("void", "void"): None,
    ("bool", "true"): True,
    ("bool", "false"): False,
    **{(kind, word): float(word) for kind in ("float32", "float64") for word in ("inf", "nan")},
}
RANGES = {
    f"{sign}{bits}": (0, 2**bits - 1) if sign == "uint" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("int", "uint")
    for bits in (8, 16, 32, 64)
}
ELEMENTS = {
    0: ElementSize.BIT,
    3: ElementSize.BYTE,
    4: ElementSize.TWO_BYTES,
    5: ElementSize.FOUR_BYTES,
    6: ElementSize.EIGHT_BYTES,
}


def is_struct(target: Target) -> bool:
    return isinstance(target, Branded) and target.definition.kind == "struct"


def is_enum(target: Target) -> bool:
    return isinstance(target, Branded) and target.definition.kind == "enum"


def data_kind(target: Target) -> str:
    if isinstance(target, Primitive):
        return target.kind
    return "enum" if is_enum(target) else ""


def zero(target: Target) -> Any:
    kind = data_kind(target)
    if kind == "bool":
        return False
    if kind in ("float32", "float64"):
        return 0.0
    return 0 if kind in DATA_SIZES else None


def bits_of(kind: str, value: Any) -> int:
    if kind == "float32":
        return int.from_bytes(struct.pack("<f", value), "little")
    if kind == "float64":
        return int.from_bytes(struct.pack("<d", value), "little")
    return int(value) & (1 << (1 << DATA_SIZES[kind])) - 1


def packed(values: list[Any], kind: str) -> bytes:
    if kind == "bool":
        digits = "".join("01"[each] for each in reversed(values)) or "0"
        return int(digits, 2).to_bytes((len(values) + 7) >> 3, "little")
    width = 1 << DATA_SIZES[kind] >> 3
    return b"".join(bits_of(kind, each).to_bytes(width, "little") for each in values)


def rounded(value: float, kind: str) -> float:
    if kind == "float64":
        return value
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded
