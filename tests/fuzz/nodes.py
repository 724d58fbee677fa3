"""Schemas that no compiler makes: good requests in which fields of nodes have other values, all of the right type.

An input is a list of decisions: which schema, and then for each change the way down to a field and its new value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import ccapnp
from ccapnp import Kind
from ccapnp.schema import schema_capnp
from ccapnp.schema.value import WIDTH_BITS
from tests.fuzz import requests

__all__ = ["MOST_BYTES", "TOKENS", "run", "seeds"]

MOST_BYTES = 200
TOKENS = [bytes([number]) for number in range(16)]

MOST_STEPS = 12
NAMES = ("", "x", "name", "a_b", "import", "Reader", "\u00e9", "x y", "__init__", "which", "x" * 300)
FLOATS = (0.0, -1.5, float("nan"), float("inf"), 1e300)


def run(data: bytes) -> None:
    decisions = Decisions(data)
    request = decisions.among(good_requests()).as_builder()
    while decisions.left():
        nodes = request.nodes
        change(nodes[decisions.next() % len(nodes)], request, decisions)
    requests.run(request.to_bytes())


class Decisions:
    """The bytes of an input, one after the other, and zeros behind them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def left(self) -> bool:
        return self._at < len(self._data)

    def next(self) -> int:
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def among(self, choices: Any) -> Any:
        return choices[self.next() % len(choices)]


def change(view: Any, request: Any, decisions: Decisions) -> None:
    """Go down from a struct, and change what is there."""
    for _ in range(MOST_STEPS):
        field = decisions.among(type(view)._type._node.fields)
        if field.discriminant is not None and not ccapnp.has(view, field.name):
            new_value(view, field, request, decisions)  # which makes it the active member
            return
        below = ccapnp.get_field(view, field.name)
        if isinstance(below, ccapnp.StructBuilder):
            view = below
            continue
        is_list_of_structs = isinstance(below, ccapnp.ListBuilder) and field.type.element.kind == Kind.STRUCT
        if is_list_of_structs and len(below) and decisions.next() % 8:
            view = below[decisions.next() % len(below)]
            continue
        new_value(view, field, request, decisions)
        return


def new_value(view: Any, field: Any, request: Any, decisions: Decisions) -> None:
    kind = field.type.kind
    if field.is_group or kind == Kind.STRUCT:
        ccapnp.init(view, field.name)
    elif kind == Kind.LIST:
        resize(view, field.name, decisions)
    elif kind in (Kind.VOID, Kind.ANY_POINTER):
        ccapnp.set_field(view, field.name, None)
    elif kind == Kind.BOOL:
        ccapnp.set_field(view, field.name, decisions.next() % 2 == 1)
    elif kind == Kind.TEXT:
        ccapnp.set_field(view, field.name, decisions.among(NAMES))
    elif kind == Kind.DATA:
        ccapnp.set_field(view, field.name, bytes(decisions.next() % 9))
    elif kind in (Kind.FLOAT32, Kind.FLOAT64):
        ccapnp.set_field(view, field.name, decisions.among(FLOATS[: 4 if kind == Kind.FLOAT32 else 5]))
    else:
        number = an_id(request, decisions) if kind == Kind.UINT64 else a_number(decisions)
        bits = WIDTH_BITS[kind] - (kind <= Kind.INT64)
        ccapnp.set_field(view, field.name, number & (1 << bits) - 1)


def resize(view: Any, name: str, decisions: Decisions) -> None:
    """Fewer elements, or the last one again."""
    values = ccapnp.get_field(view.as_reader(), name)[:100]
    count = decisions.next() % 4
    ccapnp.set_field(view, name, [*values, *values[-1:] * count] if count else values[:-1])


def a_number(decisions: Decisions) -> int:
    return decisions.next() if decisions.next() % 4 else 0xFFFF << decisions.next() % 48


def an_id(request: Any, decisions: Decisions) -> int:
    """Of a node mostly, for that is what most such numbers are."""
    nodes = request.nodes
    return int(nodes[decisions.next() % len(nodes)].id) if decisions.next() % 4 else a_number(decisions)


@cache
def good_requests() -> list[Any]:
    return [schema_capnp.CodeGeneratorRequest.from_bytes(each, None) for each in requests.seeds()]


def seeds() -> Iterator[bytes]:
    for number in range(len(good_requests())):
        yield bytes([number])
        yield bytes([number, *(7 * number % 256 + step * 37 % 256 & 0xFF for step in range(12))])
