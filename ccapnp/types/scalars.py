"""What plain values may be set from, and the errors for what they may not."""

from __future__ import annotations

from operator import index as as_index
from typing import Any

from ccapnp.errors import CapnpError, EncodeError, EncodeTypeError, a, shown

__all__ = ["as_bool", "bad_number"]


def as_bool(value: Any) -> bool:
    """``value`` if it is a bool, Python's or numpy's; numbers are not bools."""
    if value is True or value is False:
        return value
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    raise EncodeTypeError(f"a Bool is set from True or False, not {shown(value)}")


def bad_number(value: Any, name: str, low: Any, high: Any) -> CapnpError:
    """The error for a value that is not a number of the type ``name``, whose range is given."""
    number = value
    try:
        if isinstance(value, (str, bytes, bytearray, complex)):  # float() would parse them, or drop a part of numpy's
            raise TypeError
        number = float(value) if name.startswith("Float") else as_index(value)
    except (TypeError, ValueError):
        wanted = "a number" if name.startswith("Float") else "an integer"
        return EncodeTypeError(f"{a(name)} is set from {wanted}, not {shown(value)}")
    except OverflowError:
        pass
    return EncodeError(f"{shown(number)} does not fit in {a(name)}, which goes from {low} to {high}")
