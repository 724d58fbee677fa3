"""Random schemas as text, whose fields have annotations of every kind that json.capnp knows, in any combination."""

from __future__ import annotations

import random

__all__ = ["schema_text"]

_SCALARS = ("Void", "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
_PLAIN = (*_SCALARS, "Float32", "Float64", "Text", "Data", "Color", "Shape")
_NAMES = ("ren amed", 'quo\\"te', "\u00e9t\u00e9", "a.b[0]", "back\\\\slash")
_HEAD = """using Json = import "/capnp/compat/json.capnp";
enum Color { red @0; green @1 $Json.name("dark green"); blue @2; }
enum Shape { round @0; square @1; }
"""


def schema_text(rng: random.Random) -> str:
    """A schema with structs ``Struct0``, ``Struct1`` and so on."""
    count = rng.randint(2, 4)
    return _HEAD + "".join(_Struct(rng, index, count).text() for index in range(count))


class _Struct:
    """One struct.  All of its members' names differ, also from those of other structs, so that any may be flattened."""

    def __init__(self, rng: random.Random, index: int, count: int) -> None:
        self.rng = rng
        self.index = index
        self.count = count
        self.ordinal = -1
        self.names = 0

    def text(self) -> str:
        # A struct that says how its union is told apart has that union.
        mark = self._discriminator(True) if self._maybe(0.3) else ""
        union = self._union(0, mark) if mark or self._maybe(0.3) else ""
        fields = "".join(self._member(0) for _ in range(self.rng.choice([0, 2, 4, 7])))
        more = "".join(self._member(0) for _ in range(2))
        return f"struct Struct{self.index}{mark} {{\n{fields}{union}{more}}}\n"

    def _maybe(self, chance: float) -> bool:
        return self.rng.random() < chance

    def _name(self) -> str:
        self.names += 1
        return f"s{self.index}m{self.names}"

    def _renamed(self) -> str:
        return f' $Json.name("{self.rng.choice(_NAMES)}{self._name()}")' if self._maybe(0.25) else ""

    def _flattened(self) -> str:
        """A prefix of its own, so that one struct may be flattened twice."""
        return f' $Json.flatten(prefix = "{self._name()}.")'

    def _discriminator(self, must_be_named: bool) -> str:
        options = []
        if must_be_named or self._maybe(0.5):
            options.append(f'name = "{self._name()} kind"')
        if self._maybe(0.5):
            options.append(f'valueName = "{self._name()} value"')
        return f" $Json.discriminator({', '.join(options)})"

    # ---- members, each a line or more

    def _member(self, depth: int, *, in_union: bool = False, may_flatten: bool = True) -> str:
        roll = self.rng.random()
        if roll < 0.15 and depth < 2:
            return self._group(depth, may_flatten)
        if roll < 0.3 and depth < 2 and not in_union:
            return self._named_union(depth)
        self.ordinal += 1
        start = f"  {self._name()} @{self.ordinal} :"
        if roll < 0.4 and may_flatten and self.index + 1 < self.count:
            return f"{start}Struct{self.rng.randrange(self.index + 1, self.count)}{self._flattened()};\n"
        if roll < 0.47:
            return f"{start}Data $Json.{self.rng.choice(['base64', 'hex'])}{self._renamed()};\n"
        return f"{start}{self._type(0, self.index + 1 if in_union else 0)}{self._renamed()};\n"

    def _type(self, depth: int, first: int) -> str:
        """A type; of structs, the first that it may be.

        The official tool crashes where the first member of a union leads to its own struct again.
        """
        roll = self.rng.random()
        if roll < 0.6 or depth > 2:
            return self.rng.choice(_PLAIN)
        if roll > 0.75:
            return f"List({self._type(depth + 1, 0)})"
        return f"Struct{self.rng.randrange(first, self.count)}" if first < self.count else "Text"

    def _group(self, depth: int, may_flatten: bool) -> str:
        start = f"  {self._name()} :group"
        mark = self._flattened() if may_flatten and self._maybe(0.5) else self._renamed()
        members = "".join(self._member(depth + 1) for _ in range(self.rng.randint(1, 3)))
        union = self._union(depth + 1, "") if self._maybe(0.3) else ""
        return f"{start}{mark} {{\n{members}{union}}}\n"

    def _named_union(self, depth: int) -> str:
        start, mark = f"  {self._name()} :union", self._renamed()
        roll = self.rng.random()
        if roll < 0.3:
            mark = self._flattened() if self._maybe(0.5) else f"{mark} $Json.flatten()"
            mark += self._discriminator(False)
        elif roll < 0.6:
            mark += self._discriminator(True)
        return f"{start}{mark} {{\n{self._members(depth, mark)}}}\n"

    def _union(self, depth: int, mark: str) -> str:
        return f"  union {{\n{self._members(depth, mark)}}}\n"

    def _members(self, depth: int, mark: str) -> str:
        """They may be flattened if ``mark`` tells them apart by a discriminator, and each has its own name."""
        may_flatten = "discriminator" in mark and "valueName" not in mark
        members = range(self.rng.randint(2, 4))
        return "".join(self._member(depth + 1, in_union=True, may_flatten=may_flatten) for _ in members)
