"""x"""
from typing import Any
def struct_repr(x: Any) -> str: return object.__repr__(x)
def list_repr(x: Any) -> str: return f"<list {x[:]!r}>"
def to_text(x: Any) -> str: return struct_repr(x)
