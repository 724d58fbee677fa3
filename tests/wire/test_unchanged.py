"""An assignment that fails leaves the message as it was, to the byte."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from ccapnp import Capability, CapnpError, DecodeError, LimitError, MessageBuilder, UnknownFieldError
from tests.wire.arenas import fixed_segments
from tests.wire.raw import frame, lst, root_of, segments_of, struct, words


def memory_of(builder: Any) -> list[bytes]:
    """All memory of a builder's message, used or not."""
    return [bytes(segment.u8) for segment in builder._c.arena.segments]


def filled(shapes: Any, size: int) -> Any:
    return shapes.Node.new_message(
        num_first_segment_words=size,
        value=1,
        name="name",
        blob=b"blob",
        next={"name": "next", "children": [{"value": 2}]},
        children=[{"name": "a"}, {"name": "b", "next": {"value": 3}}],
        matrix=[[1, 2, 3], [4]],
        text="text",
    )


class Broken:
    """A sequence that fails while it is read."""

    def __iter__(self) -> Iterator[Any]:
        yield {"name": "fine"}
        raise RuntimeError("broken")


WRONG_VALUES = [
    ("value", None),
    ("value", "1"),
    ("value", -1),
    ("value", 2**32),
    ("value", 1.5),
    ("value", object()),
    ("number", None),
    ("number", 2**64),
    ("none", 1),
    ("name", b"bytes"),
    ("name", 5),
    ("name", "\ud800"),
    ("text", ["x"]),
    ("blob", "text"),
    ("blob", 5),
    ("blob", [1, 2]),
    ("next", 5),
    ("next", [{}]),
    ("next", {"unknown": 1}),
    ("next", {"name": "x", "value": None}),
    ("next", {"name": "x", "children": [{"name": "y"}, {"matrix": [[1], [2, 70000]]}]}),
    ("next", {"number": 1, "text": "both of one union"}),
    ("next", {"any": object()}),
    ("children", 5),
    ("children", "text"),
    ("children", {"name": "x"}),
    ("children", [{"name": "x"}, None]),
    ("children", [{"name": "x"}, 5]),
    ("children", [{"name": "x" * 10000}] * 20 + [{"next": {"next": {"blob": 5}}}]),
    ("children", Broken()),
    ("matrix", [[1, 2], 5]),
    ("matrix", [[1, 2], [3, "x"]]),
    ("matrix", [[1, 2], [3, -1]]),
    ("matrix", [b"\1\2", [3.5]]),
    ("any", object()),
    ("any", 5),
]


@pytest.mark.parametrize("size", [1, 64, 1024])
@pytest.mark.parametrize(("name", "value"), WRONG_VALUES)
def test_a_wrong_value_changes_nothing(shapes: Any, name: str, value: Any, size: int) -> None:
    node = filled(shapes, size)
    before, segments = memory_of(node), segments_of(node)
    with pytest.raises((CapnpError, RuntimeError)) as caught:
        setattr(node, name, value)
    assert segments_of(node) == segments and memory_of(node) == before
    if isinstance(caught.value, CapnpError) and not isinstance(caught.value, UnknownFieldError):
        assert name in str(caught.value)


@pytest.mark.parametrize("size", [1, 1024])
def test_a_wrong_element_changes_nothing(shapes: Any, size: int) -> None:
    node = filled(shapes, size)
    before, segments = memory_of(node), segments_of(node)
    for change in (
        lambda: node.children.__setitem__(0, {"name": "x", "value": -1}),
        lambda: node.children.__setitem__(1, {"name": "x", "next": {"name": b"x"}}),
        lambda: node.children.__setitem__(slice(0, 2), [{"name": "x"}, {"value": "x"}]),
        lambda: node.children.__setitem__(slice(0, 2), [{}]),
        lambda: node.matrix.__setitem__(0, [1, "x"]),
        lambda: node.matrix[0].__setitem__(0, 70000),
        lambda: node.matrix[0].__setitem__(slice(0, 3), [1, 2, 70000]),
        lambda: node.matrix[0].__setitem__(slice(0, 3), [1, 2]),
    ):
        with pytest.raises((CapnpError, ValueError)):
            change()
        assert segments_of(node) == segments and memory_of(node) == before


def test_wrong_values_of_a_group_change_nothing(official: Any) -> None:
    root = official.TestGroups.new_message()
    root.groups.foo = {"corge": 1, "grault": 2, "garply": "kept"}
    before = memory_of(root)
    for value in ({"corge": 5, "garply": 6}, {"corge": 5, "wrong": 6}, {"grault": None}, 5, [1]):
        with pytest.raises(CapnpError, match="foo"):
            root.groups.foo = value
        assert memory_of(root) == before
    with pytest.raises(CapnpError):
        root.groups = {"bar": {"corge": 1}, "baz": {"corge": 2}}
    assert memory_of(root) == before and root.groups.foo.garply == "kept"


SCALARS = {
    "boolField": (None, 1, "true", 1.0),
    "int8Field": (128, -129, None, "1", 1.0, math.nan),
    "uInt16Field": (-1, 65536, None),
    "int64Field": (2**63, -(2**63) - 1, None, b"1"),
    "float32Field": (1e39, -1e39, None, "1.0", 10**400),
    "float64Field": (10**400, None, "x"),
    "enumField": ("nosuch", -1, 65536, None, 1.5),
    "voidField": (0, False, ""),
    "interfaceField": (5, "x", Capability(-1)),
    "boolList": ([True, None], [1], 5, "x"),
    "int8List": ([1, 128], [None], b"", [1.5]),
    "float32List": ([1e39], ["x"], [None]),
    "enumList": (["foo", "nosuch"], [70000]),
    "voidList": ([None, 1],),
    "textList": (["x", b"y"], [1]),
    "dataList": ([b"x", "y"], [1]),
    "interfaceList": ([5],),
}


@pytest.mark.parametrize("name", SCALARS)
def test_wrong_values_of_every_type_change_nothing(official: Any, testdata: Any, name: str) -> None:
    root = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes()).as_builder()
    before = memory_of(root)
    for value in SCALARS[name]:
        if name == "int8List" and value == b"":
            continue  # an empty buffer is as good as an empty list
        with pytest.raises(CapnpError, match=name):
            setattr(root, name, value)
        assert memory_of(root) == before, value


HOSTILE = {
    "out of bounds below": (words(struct(0, 1, 6), 0, struct(6, 1, 6), *[0] * 5, 0, lst(9, 2, 4)), DecodeError),
    "loop": (words(struct(-1, 0, 1)), LimitError),
    "unknown kind": (words(struct(0, 1, 2), 5, lst(1, 2, 4), 7, b"abc"), DecodeError),
    "voids": (words(struct(0, 1, 2), 5, lst(1, 2, 4), lst(1, 0, 2**29 - 1), b"abc"), LimitError),
    "bad tag": (words(struct(0, 1, 2), 5, lst(1, 2, 4), lst(1, 7, 1), b"abc", struct(9, 1, 0), 0), DecodeError),
}


@pytest.mark.parametrize("size", [1, 16, 1024])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_source_changes_nothing(shapes: Any, name: str, size: int) -> None:
    segment, error = HOSTILE[name]
    source = shapes.Node.from_bytes(frame(segment))
    with fixed_segments(size):
        node = filled(shapes, size)
        before, segments = memory_of(node), segments_of(node)
        for change in (
            lambda: setattr(node, "next", source),
            lambda: setattr(node, "children", [{"name": "x"}, source]),
            lambda: node.children.__setitem__(0, source),
            lambda: node.any.set(source),
            lambda: node.any.set(root_of(segment)),
            lambda: setattr(node, "next", {"name": "x" * 5000, "next": source}),
            lambda: setattr(node, "children", shapes.Node.new_message(children=[{}] * 9).children[:3] + [source]),
        ):
            with pytest.raises(error):
                change()
            assert segments_of(node) == segments and memory_of(node) == before
        with pytest.raises(error):
            source.as_builder()
        with pytest.raises(error):
            MessageBuilder().set_root(source)


def test_what_fails_takes_no_segments_with_it(shapes: Any) -> None:
    node = shapes.Node.new_message(name="x")
    for _ in range(3):
        with pytest.raises(CapnpError):
            node.children = [{"blob": bytes(1 << 20)}] * 3 + [{"value": -1}]
        assert len(node.to_segments()) == 1 and len(node._c.arena.segments) == 1
    node.children = [{"blob": bytes(1 << 20)}]
    assert len(node.children[0].blob) == 1 << 20 and shapes.Node.from_bytes(node.to_bytes()) == node


def test_memory_after_a_failure_is_zero_for_whoever_gets_it_next(shapes: Any) -> None:
    node = shapes.Node.new_message(num_first_segment_words=2000)
    with pytest.raises(CapnpError):
        node.next = {"name": "y" * 3000, "blob": b"\xff" * 3000, "value": -1}
    child = node.init("next")
    assert (child.value, child.name, child.blob, child.has("children")) == (0, "", b"", False)
    assert list(node.init("matrix", 100)) == [[]] * 100
    assert bytes(node.init("blob", 5000)) == bytes(5000)
