"""Structs that are set and begun anew by the extension: the bytes, words traversed and errors of the pure codec."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import ccapnp
from ccapnp.native import objects
from ccapnp.pure.building import BuildShape
from tests.native.conftest import Codecs
from tests.native.messages import damaged, random_message

pytestmark = pytest.mark.skipif(not objects.HAS_OBJECTS, reason="this Python has no objects of the extension's own")

ROUNDS = 600
LIMITS = [{}, {"traversal_limit_in_words": 40}, {"nesting_limit": 3}]

Step = Callable[[Any], Any]


def told(step: Step, builder: Any) -> tuple[Any, ...]:
    """What becomes of a step, and the bytes that are there then."""
    try:
        found = step(builder)
    except ccapnp.CapnpError as error:
        found = type(error), str(error)
    return found, [bytes(segment) for segment in builder.to_segments()]


def set_struct(module: Any, segments: list[bytes], limits: dict[str, int]) -> Step:
    """Sets a struct to one that is read from a message of whatever form."""
    reader = module.Node.from_segments(segments, **limits)

    def step(builder: Any) -> Any:
        builder.child = reader
        return reader._c.arena.budget

    return step


def set_text(text: str) -> Step:
    def step(builder: Any) -> None:
        builder.name = text

    return step


def set_data(data: bytes) -> Step:
    def step(builder: Any) -> None:
        builder.data = data

    return step


def init(name: str, *size: int) -> Step:
    return lambda builder: builder.init(name, *size) and None


def steps(rng: random.Random, codecs: Codecs) -> tuple[Step, ...]:
    """The same step on each codec."""
    kind = rng.choice(("struct", "struct", "struct", "text", "data", "init", "init list"))
    if kind == "struct":
        segments = random_message(rng, rng.choice((1, 1, 1, 2)), capabilities=rng.random() < 0.1)
        if rng.random() < 0.3:
            segments = damaged(rng, segments)
        try:
            return tuple(set_struct(module, segments, limits) for limits in [rng.choice(LIMITS)] for module in codecs)
        except ccapnp.CapnpError:
            return steps(rng, codecs)
    if kind == "text":
        step = set_text("x" * rng.choice((0, 1, 7, 8, 100)))
    elif kind == "data":
        step = set_data(b"x" * rng.choice((0, 1, 8, 9, 100)))
    else:
        step = init("child") if kind == "init" else init("children", rng.choice((1, 2, 30)))
    return step, step


@pytest.mark.parametrize("seed", range(5))
def test_any_steps_are_done_as_on_the_pure_codec(codecs: Codecs, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(ROUNDS // 5):
        words = rng.choice((1, 12, 60, 1024))
        builders = [module.Node.new_message(words) for module in codecs]
        for _ in range(6):
            found = [told(step, builder) for step, builder in zip(steps(rng, codecs), builders)]
            assert found[0] == found[1]


# ---- what the extension does without Python

VALUE = {
    "name": "x",
    "value": 5,
    "numbers": [1, 2, 3],
    "children": [{"name": "y", "data": b""}, {}],
    "child": {"point": {"label": "z", "sub": {"preset": {"key": "k"}}}},
}


@pytest.mark.parametrize("is_far", [False, True], ids=["near", "far"])
def test_the_usual_is_done_without_python(codecs: Codecs, is_far: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    native = codecs.native.Node
    made = native.from_dict(VALUE)
    values = [made, made.as_reader(), native.from_bytes(made.to_bytes())]
    wanted, empty = made.to_dict(), native.new_message().to_dict()
    node = native.new_message(20 if is_far else 1024)
    if is_far:
        node.data = bytes(1000 * 8)
        node.name = "in another segment, with room for more " * 9
    for name in ("copy_struct", "init_struct", "init_structs", "set_bytes", "set_text_anywhere", "replacing"):
        monkeypatch.setattr(BuildShape, name, lambda *_: pytest.fail("Python was asked"))
    for value in values:
        node.child = value
        assert node.child.to_dict() == wanted
    for text in ("a", "bb", "c" * 20):
        made = node.init("child")
        assert made.to_dict() == empty
        made.name = text
        made.data = text.encode()
        made.data = b""
        assert (made.name, made.data) == (text, b"")
    assert len(made.init("children", 3)) == 3 and len(made.init("children", 1)) == 1


def test_what_is_replaced_becomes_zero(codecs: Codecs) -> None:
    node = codecs.native.Node.new_message()
    node.child = codecs.native.Node.from_dict(VALUE)
    for change in (init("child"), set_text("short"), set_text("much longer than before"), set_text("")):
        change(node)
    node.child = codecs.native.Node.new_message()
    node.data = b"some data"
    node.data = b""
    node.init("children", 2)[0].name = "secret"
    node.init("children", 1)
    left = node.to_bytes()
    assert [word for word in (b"secret", b"much", b"some data", b"short", b"k\0") if word in left] == []


# ---- what it leaves to Python


def test_a_struct_of_its_own_message_is_copied_as_it_was(codecs: Codecs) -> None:
    for module in codecs:
        node = module.Node.new_message(name="top", child={"name": "below", "child": {"name": "lowest"}})
        node.child = node
        node.child = node.child.child
        assert (node.child.name, node.child.child.name) == ("below", "lowest")


def test_capabilities_go_along(codecs: Codecs) -> None:
    for module in codecs:
        source = module.Node.new_message(child={"cap": ccapnp.Capability(3)})
        node = module.Node.new_message()
        node.child = source.child
        assert node.child.cap.index == 3


def test_a_limit_of_the_source_is_kept_to_and_nothing_changes(codecs: Codecs) -> None:
    data = codecs.pure.Node.from_dict(VALUE).to_bytes()
    words = len(data) >> 3
    for module in codecs:
        node = module.Node.new_message(child={"name": "old"})
        before = node.to_bytes()
        with pytest.raises(ccapnp.LimitError):
            node.child = module.Node.from_bytes(data, traversal_limit_in_words=words - 4)
        assert node.to_bytes() == before
        node.child = module.Node.from_bytes(data, traversal_limit_in_words=words)
        assert node.child.name == "x"


def test_a_struct_of_another_type_is_refused(codecs: Codecs) -> None:
    for module in codecs:
        node = module.Node.new_message()
        with pytest.raises(ccapnp.EncodeTypeError, match="Pair"):
            node.child = module.Pair.new_message()
        with pytest.raises(ccapnp.EncodeTypeError, match="Node"):
            node.child = node.point


def test_one_that_is_very_deep_is_copied_and_replaced(codecs: Codecs) -> None:
    for module in codecs:
        source = module.Node.new_message()
        deepest = source
        for _ in range(500):
            deepest = deepest.init("child")
        deepest.name = "deepest"
        node = module.Node.new_message()
        for _ in range(2):
            node.child = source
        assert node.to_bytes().count(b"deepest") == 1
        node.init("child")
        assert b"deepest" not in node.to_bytes()
