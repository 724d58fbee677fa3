"""Random values for the fields of any struct type, in a form from which each codec's own can be made."""

from __future__ import annotations

import math
import random
from types import ModuleType
from typing import Any, NamedTuple, Optional

import ccapnp
from ccapnp.schema.nodes import Field
from ccapnp.schema.value import WIDTH_BITS, Kind, Type

__all__ = ["PartOf", "Values", "data", "number", "realised", "text"]

_FLOATS = (0.0, -0.0, 1.0, -1.5, 1e10, 3.4028234663852886e38, math.inf, -math.inf, math.nan, 2.0**-149)
_TEXTS = ("", "a", "hello", "snow\u2603", "nul\0inside", "\U0001f600", 'quo"te\\\n', "x" * 40)
_DATAS = (b"", b"\0", b"\xff\xfe", b"eight by", bytes(range(40)))
_BAD = (None, -1, 2**70, "x", 1.5, True, (), {}, [], b"", "\ud800", [None], {"nope": 1}, [[]], ["a", 1], 0x10000, 1e300)

_PARTS = {"any": (Kind.TEXT, Kind.DATA, Kind.LIST, Kind.STRUCT), "struct": (Kind.STRUCT,), "list": (Kind.LIST,)}
"""What an AnyPointer, AnyStruct or AnyList can be set from."""


class PartOf(NamedTuple):
    """A struct of that name, with those values, or a field of it; in a message that is read, or being built."""

    name: str
    values: dict[str, Any]
    field: Optional[str]
    is_reader: bool


def realised(value: Any, module: ModuleType) -> Any:
    """A value with what ``module`` makes in the place of each `PartOf`."""
    if isinstance(value, PartOf):
        struct_type = getattr(module, value.name)
        made = struct_type.new_message(**realised(value.values, module))
        if value.is_reader:
            made = struct_type.from_bytes(made.to_bytes())
        return made if value.field is None else ccapnp.get_field(made, value.field)
    if isinstance(value, dict):
        return {name: realised(each, module) for name, each in value.items()}
    return [realised(each, module) for each in value] if isinstance(value, list) else value


class Values:
    """Makes values for the structs of a module.

    ``bad`` is how likely each value is to be one that must be refused.
    """

    def __init__(self, rng: random.Random, module: ModuleType, bad: float = 0.0) -> None:
        self.rng = rng
        self.bad = bad
        self.structs = [made for name, made in vars(module).items() if name.startswith("Struct")]

    def _is_bad(self) -> bool:
        return self.bad > 0 and self.rng.random() < self.bad

    def struct(self, struct_type: Any, depth: int) -> dict[str, Any]:
        """Some fields of a struct or group, and of a union at most one member; unless it is to be bad."""
        fields = struct_type._node.fields
        members = [field for field in fields if field.discriminant is not None]
        chosen = [field for field in fields if field.discriminant is None and self.rng.random() < 0.7]
        if members and self.rng.random() < 0.8:
            chosen.append(self.rng.choice(members))
            if self._is_bad():
                chosen.append(self.rng.choice(members))
        values = {field.name: self.field(struct_type, field, depth) for field in chosen}
        if self._is_bad():
            values[self.rng.choice(["nope", "f", "f00"])] = 1
        return values

    def field(self, struct_type: Any, field: Field, depth: int) -> Any:
        """A value for one field; ``None``, which clears it, for some pointers."""
        registry = struct_type._registry
        if field.is_group:
            return self.struct(registry.struct(field.group_id, struct_type._environment), depth - 1)
        if field.type.kind.is_pointer and self.rng.random() < 0.1:
            return None
        if field.type.parameter is not None:
            return self._bound(registry.pointer_type(field.type, struct_type._environment), depth)
        return self._typed(struct_type, field.type, depth)

    def _bound(self, pointer_type: Any, depth: int) -> Any:
        """A value of what a parameter is bound to."""
        if pointer_type is ccapnp.Text:
            return text(self.rng)
        if pointer_type is ccapnp.Data:
            return data(self.rng)
        if pointer_type is ccapnp.AnyPointer:
            return self._anything("any", depth)
        return self.struct(pointer_type.struct_type, depth - 1) if hasattr(pointer_type, "struct_type") else None

    def _typed(self, owner: Any, type: Type, depth: int) -> Any:
        """A value of a type that the struct type ``owner`` uses."""
        if self._is_bad():
            return self.rng.choice(_BAD)
        registry, kind = owner._registry, type.kind
        if kind == Kind.LIST:
            assert type.element is not None
            return [self._typed(owner, type.element, depth - 1) for _ in range(self._count(type.element, depth))]
        if kind == Kind.STRUCT:
            return self._struct_or_part(registry.pointer_type(type, owner._environment).struct_type, depth)
        if kind == Kind.ENUM:
            names = [enumerant.name for enumerant in registry.node(type.type_id).enumerants]
            return self.rng.choice([*names, 0, 1, 9, 65535])
        if kind == Kind.INTERFACE or type.any_kind == "capability":
            return ccapnp.Capability(self.rng.choice([0, 1, 7])) if self.rng.random() < 0.2 else None
        if kind == Kind.ANY_POINTER:
            return self._anything(type.any_kind, depth)
        return text(self.rng) if kind == Kind.TEXT else data(self.rng) if kind == Kind.DATA else number(self.rng, kind)

    def _count(self, element: Type, depth: int) -> int:
        if depth <= 0:
            return 0
        return self.rng.choice([0, 1, 2, 3] if element.kind.is_pointer else [0, 1, 2, 3, 9, 70])

    def _struct_or_part(self, struct_type: Any, depth: int) -> Any:
        if depth <= 0:
            return {}
        values = self.struct(struct_type, depth - 1)
        is_top = struct_type in self.structs
        return (
            PartOf(struct_type.__name__, values, None, self._coin()) if is_top and self.rng.random() < 0.1 else values
        )

    def _anything(self, any_kind: str, depth: int) -> Any:
        if depth > 0 and self._coin():
            return self._part(any_kind, depth)
        return self.rng.choice([None, text(self.rng), data(self.rng)]) if any_kind == "any" else None

    def _part(self, any_kind: str, depth: int) -> Optional[PartOf]:
        """A struct, or one of its lists, structs and pointers; of these, whatever ``any_kind`` allows."""
        struct_type = self.rng.choice(self.structs)
        fields = struct_type._node.fields
        kinds = _PARTS[any_kind]
        parts = [each.name for each in fields if each.discriminant is None and each.type.kind in kinds]
        if any_kind == "list" and not parts:
            return None
        name = self.rng.choice(parts) if parts and (any_kind == "list" or self._coin()) else None
        return PartOf(struct_type.__name__, self.struct(struct_type, depth - 1), name, self._coin())

    def _coin(self) -> bool:
        return self.rng.random() < 0.5


def number(rng: random.Random, kind: Kind) -> Any:
    """A number, a bool, or nothing: often one at the edges."""
    if kind == Kind.VOID:
        return None
    if kind == Kind.BOOL:
        return rng.random() < 0.5
    if kind in (Kind.FLOAT32, Kind.FLOAT64):
        return rng.choice(_FLOATS)
    bits = WIDTH_BITS[kind]
    low, high = (0, 2**bits - 1) if kind >= Kind.UINT8 else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return rng.choice([low, high, 0, 1, rng.randint(low, high)])


def text(rng: random.Random) -> str:
    return rng.choice(_TEXTS)


def data(rng: random.Random) -> bytes:
    return rng.choice(_DATAS)
