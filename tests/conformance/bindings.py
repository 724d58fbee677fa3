"""Types whose parameters are bound to each other in any way: as a schema writes them, as Python does, and a value."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from hypothesis import strategies as st

from ccapnp import Data, Kind, List, Text

__all__ = ["BOUND", "NESTINGS", "Bound"]


class Bound(NamedTuple):
    """One type: as a schema writes it, as Python does, and a value of it in a dict."""

    text: str
    name: Callable[[Any], Any]
    value: Any


NESTINGS = """
struct Leaf { number @0 :Int32; }
enum Color { red @0; green @1; }
struct Box(T) { value @0 :T; }
struct Pair(Left, Right) {
  left @0 :Left;
  swapped @1 :Pair(Right, Left);
  boxes @2 :List(Box(Right));
  union { none @3 :Void; both :group { first @4 :Left; second @5 :Box(Right); } }
  struct Inner(Third) { third @0 :Third; left @1 :Left; pair @2 :Pair(Third, Right); }
}
"""
PLAIN = (
    Bound("Text", lambda m: Text, "text"),
    Bound("Data", lambda m: Data, b"\0data"),
    Bound("Leaf", lambda m: m.Leaf, {"number": 3}),
    Bound("List(UInt16)", lambda m: List[Kind.UINT16], [1, 65535]),
    Bound("List(Bool)", lambda m: List[Kind.BOOL], [True, False]),
    Bound("List(Color)", lambda m: List[m.Color], ["green", "red"]),
)


def box(of: Bound) -> Bound:
    return Bound(f"Box({of.text})", lambda m: m.Box[of.name(m)], {"value": of.value})


def pair(left: Bound, right: Bound) -> Bound:
    value = {
        "left": left.value,
        "swapped": {"left": right.value, "boxes": [{"value": left.value}], "none": None},
        "boxes": [{"value": right.value}, {}],
        "both": {"first": left.value, "second": {"value": right.value}},
    }
    return Bound(f"Pair({left.text}, {right.text})", lambda m: m.Pair[left.name(m), right.name(m)], value)


def inner(left: Bound, right: Bound, third: Bound) -> Bound:
    return Bound(
        f"Pair({left.text}, {right.text}).Inner({third.text})",
        lambda m: m.Pair[left.name(m), right.name(m)].Inner[third.name(m)],
        {"third": third.value, "left": left.value, "pair": {"left": third.value, "none": None}},
    )


def list_of(of: Bound) -> Bound:
    return Bound(f"List({of.text})", lambda m: List[of.name(m)], [of.value, of.value])


BOUND = st.recursive(
    st.sampled_from(PLAIN),
    lambda of: st.one_of(
        st.builds(box, of), st.builds(list_of, of), st.builds(pair, of, of), st.builds(inner, of, of, of)
    ),
    max_leaves=6,
)
