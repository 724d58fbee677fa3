"""Random values for the structs of the schema, as dicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.types.schema import NUMBERS

_TEXT = st.text(max_size=6)
_NUMBERS = {number.field: st.integers(number.low, number.high) for number in NUMBERS[:8]}
_COLORS = st.sampled_from(["red", "green", "blue", "from", "lightGrey"]) | st.integers(5, 65535)

PAIRS = st.fixed_dictionaries({"value": st.integers(-(2**31), 2**31 - 1)}, optional={"key": _TEXT})

SCALARS = st.fixed_dictionaries(
    {
        "void": st.none(),
        "bool": st.booleans(),
        "other": st.booleans(),
        **_NUMBERS,
        "float32": st.floats(width=32, allow_nan=False),
        "float64": st.floats(allow_nan=False),
        "color": _COLORS,
    }
)
"""All fields of ``Scalars`` and ``Defaults``."""

LISTS = st.fixed_dictionaries(
    {},
    optional={
        "voids": st.lists(st.none(), max_size=3),
        "bools": st.lists(st.booleans(), max_size=10),
        **{f"{name}s": st.lists(numbers, max_size=4) for name, numbers in _NUMBERS.items()},
        "float32s": st.lists(st.floats(width=32, allow_nan=False), max_size=3),
        "float64s": st.lists(st.floats(allow_nan=False), max_size=3),
        "texts": st.lists(_TEXT, max_size=3),
        "datas": st.lists(st.binary(max_size=6), max_size=3),
        "colors": st.lists(_COLORS, max_size=3),
        "structs": st.lists(PAIRS, max_size=3),
        "lists": st.lists(st.lists(st.integers(0, 65535), max_size=3), max_size=3),
        "structLists": st.lists(st.lists(PAIRS, max_size=2), max_size=2),
        "textLists": st.lists(st.lists(_TEXT, max_size=2), max_size=2),
        "preset": st.lists(st.integers(-5, 5), max_size=2),
    },
)
"""Fields of ``Lists``."""


def _node(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    number = st.integers(-(2**15), 2**15 - 1)
    point = st.fixed_dictionaries({"x": number, "y": number}, optional={"label": _TEXT, "sub": children})
    return st.fixed_dictionaries(
        {"value": st.integers(-9, 9), "point": point},
        optional={
            "name": _TEXT,
            "data": st.binary(max_size=9),
            "child": children,
            "children": st.lists(children, max_size=3),
            "preset": PAIRS,
            "numbers": st.lists(st.integers(0, 255), max_size=5),
        },
    )


_LEAVES = st.fixed_dictionaries({"value": st.integers(-9, 9), "point": st.just({"x": 0, "y": 0})})

NODES: st.SearchStrategy[dict[str, Any]] = st.recursive(_LEAVES, _node, max_leaves=6)
"""Trees of ``Node``, without what has no plain value."""

_FLOATS = st.floats(width=32, allow_nan=False)
_MEMBERS = st.one_of(
    st.just({"empty": None}),
    st.fixed_dictionaries({"count": st.integers(0, 65535)}),
    st.fixed_dictionaries({"label": st.none() | _TEXT}),
    st.fixed_dictionaries({"pair": st.none() | PAIRS}),
    st.fixed_dictionaries({"list": st.none() | st.lists(PAIRS, max_size=2)}),
    st.fixed_dictionaries(
        {
            "box": st.fixed_dictionaries(
                {"width": _FLOATS}, optional={"name": _TEXT, "corners": st.lists(st.integers(-9, 9), max_size=3)}
            )
        }
    ),
    st.fixed_dictionaries({"circle": st.fixed_dictionaries({"radius": _FLOATS}, optional={"inner": PAIRS})}),
)
_NAMED = st.one_of(
    st.just({"first": None}),
    st.fixed_dictionaries({"second": st.integers(-(2**63), 2**63 - 1)}),
    st.fixed_dictionaries({"third": st.none() | _TEXT}),
)

SHAPES = st.builds(
    lambda before, member, named, after: {"before": before, **member, "named": named, **after},
    st.integers(-9, 9),
    _MEMBERS,
    _NAMED,
    st.fixed_dictionaries({}, optional={"after": _TEXT}),
)
"""``Shapes`` with one member of each union."""

EVERYTHING: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "Scalars": SCALARS,
    "Defaults": SCALARS,
    "Lists": LISTS,
    "Node": NODES,
    "Shapes": SHAPES,
}
"""A strategy for each of these structs."""


def pair(key: str, value: int) -> dict[str, Any]:
    return {"key": key, "value": value}


ELEMENTS: dict[str, st.SearchStrategy[Any]] = {
    **{number.list_field: st.integers(number.low, number.high) for number in NUMBERS[:8]},
    "voids": st.none(),
    "bools": st.booleans(),
    "float32s": st.floats(width=32, allow_nan=False),
    "float64s": st.floats(allow_nan=False),
    "texts": st.text(max_size=9),
    "datas": st.binary(max_size=9),
    "colors": st.integers(0, 65535),
    "structs": st.builds(pair, st.text(max_size=3), st.integers(-9, 9)),
    "lists": st.lists(st.integers(0, 65535), max_size=3),
    "structLists": st.lists(st.builds(pair, st.text(max_size=3), st.integers(-9, 9)), max_size=2),
    "textLists": st.lists(st.text(max_size=2), max_size=2),
}
"""For each field of ``Lists``, a strategy for its elements."""


def list_views(schema: Any, field: str, values: Sequence[Any]) -> list[Any]:
    """The list in a builder, a reader of the builder, and a message that was read."""
    builder = schema.Lists.new_message(**{field: values})
    return [
        getattr(view, field) for view in (builder, builder.as_reader(), schema.Lists.from_bytes(builder.to_bytes()))
    ]
