"""Limits: what reading a message may cost, as arguments of every way to open one."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

import ccapnp
from ccapnp import LimitError, MessageReader


def node(schema: Any) -> Any:
    return schema.Node.new_message(name="n", child={"name": "c"}, children=[{"name": "a" * 50}, {"name": "b"}])


LIMITED = (
    lambda T, data, **limits: T.from_bytes(data, **limits),
    lambda T, data, **limits: T.from_bytes_packed(T.from_bytes(data).to_bytes_packed(), **limits),
    lambda T, data, **limits: T.from_segments(T.from_bytes(data).to_segments(), **limits),
    lambda T, data, **limits: T.read(io.BytesIO(data), **limits),
    lambda T, data, **limits: T.read_packed(io.BytesIO(T.from_bytes(data).to_bytes_packed()), **limits),
    lambda T, data, **limits: next(T.read_multiple(io.BytesIO(data), **limits)),
    lambda T, data, **limits: next(T.read_multiple_packed(io.BytesIO(T.from_bytes(data).to_bytes_packed()), **limits)),
    lambda T, data, **limits: next(T.read_multiple_bytes(data, **limits)),
    lambda T, data, **limits: next(T.read_multiple_bytes_packed(T.from_bytes(data).to_bytes_packed(), **limits)),
    lambda T, data, **limits: MessageReader(data, **limits).get_root(T),
    lambda T, data, **limits: MessageReader.from_segments(T.from_bytes(data).to_segments(), **limits).get_root(T),
    lambda T, data, **limits: ccapnp.read(io.BytesIO(data), **limits).get_root(T),
    lambda T, data, **limits: next(ccapnp.read_multiple(io.BytesIO(data), **limits)).get_root(T),
    lambda T, data, **limits: next(ccapnp.read_multiple_bytes(data, **limits)).get_root(T),
)
EVERY_WAY_IN = pytest.mark.parametrize("open_message", LIMITED, ids=range(len(LIMITED)))


@pytest.mark.conformance("PYC-12")
@EVERY_WAY_IN
def test_the_traversal_limit_is_an_argument(schema: Any, open_message: Callable[..., Any]) -> None:
    data = schema.Lists.new_message(int64s=range(100)).to_bytes()

    def read_often(**limits: Any) -> int:
        reader = open_message(schema.Lists, data, **limits)
        return sum(len(reader.int64s) for _ in range(5))

    assert read_often() == read_often(traversal_limit_in_words=1000) == 500
    assert read_often(traversal_limit_in_words=None) == read_often(traversal_limit_in_words=0) == 500
    with pytest.raises(LimitError, match="traversal_limit_in_words") as caught:
        read_often(traversal_limit_in_words=300)
    assert caught.value.option == "traversal_limit_in_words"


@pytest.mark.conformance("PYC-12")
@EVERY_WAY_IN
def test_the_nesting_limit_is_an_argument(schema: Any, open_message: Callable[..., Any]) -> None:
    data = schema.Node.new_message(child={"child": {"child": {}}}).to_bytes()
    assert open_message(schema.Node, data, nesting_limit=4).child.child.child.name == ""
    with pytest.raises(LimitError, match="nesting_limit") as caught:
        open_message(schema.Node, data, nesting_limit=3).child.child.child.name
    assert caught.value.option == "nesting_limit"


@EVERY_WAY_IN
def test_limits_that_make_no_sense_are_refused(schema: Any, open_message: Callable[..., Any]) -> None:
    data = node(schema).to_bytes()
    for limits, kind in (
        ({"traversal_limit_in_words": -1}, ValueError),
        ({"nesting_limit": 0}, ValueError),
        ({"nesting_limit": -5}, ValueError),
        ({"traversal_limit_in_words": "8"}, TypeError),
        ({"traversal_limit_in_words": 1.5}, TypeError),
        ({"nesting_limit": None}, TypeError),
        ({"nesting_limit": 64.0}, TypeError),
    ):
        with pytest.raises(kind, match=f"^{next(iter(limits))} must be "):
            open_message(schema.Node, data, **limits)


def test_limits_are_checked_before_anything_is_read(schema: Any) -> None:
    file = io.BytesIO(node(schema).to_bytes())
    for attempt in (
        lambda: schema.Node.read(file, -1),
        lambda: schema.Node.read_multiple(file, -1),
        lambda: ccapnp.read(file, -1),
        lambda: ccapnp.read_multiple(file, -1),
        lambda: ccapnp.read_multiple_bytes(b"", -1),
    ):
        with pytest.raises(ValueError, match="traversal_limit_in_words"):
            attempt()
    assert file.tell() == 0


def test_a_builder_and_its_reader_have_no_limit(schema: Any) -> None:
    builder = schema.Lists.new_message(uint8s=bytes(1 << 20))
    reader = builder.as_reader()
    for _ in range(100):  # 100 MiB
        assert len(reader.uint8s) == 1 << 20
    many = schema.Lists.from_bytes(builder.to_bytes())
    with pytest.raises(LimitError, match="pass a larger traversal_limit_in_words, or None for no limit"):
        for _ in range(100):
            len(many.uint8s)
    assert schema.Lists.from_bytes(builder.to_bytes(), None).copy() == builder


@pytest.mark.parametrize("limit", [2**31, 2**32, 2**64, 2**100])
def test_a_limit_may_be_any_number(schema: Any, limit: int) -> None:
    data = node(schema).to_bytes()
    reader = schema.Node.from_bytes(data, traversal_limit_in_words=limit, nesting_limit=limit)
    assert reader.to_dict() == node(schema).to_dict() and reader == node(schema).as_reader()
    assert reader.copy().to_bytes() == data and reader.total_size == node(schema).total_size
    assert ccapnp.canonicalize(reader) == ccapnp.canonicalize(node(schema))
