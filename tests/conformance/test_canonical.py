"""Canonical form: which messages are in it, whatever they were built or read as."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp import (
    DecodeError,
    EncodeError,
    EncodeTypeError,
    Kind,
    List,
    MessageBuilder,
    MessageReader,
    canonicalize,
    is_canonical,
)
from tests.types.schema import LIST_VALUES, SCHEMA
from tests.wire.canonical_forms import CANONICAL, NOT_CANONICAL, Form, cases
from tests.wire.raw import capability, far, frame, lst, struct, words


@pytest.fixture
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("segment", cases(CANONICAL))
def test_canonical_messages_are_accepted_and_are_their_own_form(segment: bytes) -> None:
    assert is_canonical([segment]) and is_canonical(MessageReader(frame(segment)))
    assert canonicalize(MessageReader.from_segments([segment])) == segment


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("segment", cases(NOT_CANONICAL))
def test_other_messages_are_refused_until_they_are_canonicalized(segment: bytes) -> None:
    message = MessageReader(frame(segment))
    assert not is_canonical([segment]) and not is_canonical(message)
    assert is_canonical([canonicalize(message)])


@pytest.mark.conformance("CAN-01")
@pytest.mark.parametrize("words", [1, 8, 1024])
def test_the_canonical_form_is_canonical_and_equal_to_the_source(schema: Any, words: int) -> None:
    lists = schema.Lists.new_message(num_first_segment_words=words, **LIST_VALUES)
    node = schema.Node.new_message(num_first_segment_words=words, name="n", child={"name": "c"}, children=[{}, {}])
    node.any = lists
    for view in (lists, node, schema.Scalars.new_message(int8=-1, float64=1.5), schema.Scalars.new_message()):
        form = canonicalize(view)
        again = type(view)._type.from_segments([form])
        assert is_canonical([form]) and again == view == again.as_builder()
        assert canonicalize(again) == form and hash(again) == hash(view.as_reader())
    assert canonicalize(schema.Node()) == words_of_an_empty_root()


def words_of_an_empty_root() -> bytes:
    return words("fcffffff00000000")


@pytest.mark.conformance("CAN-01")
def test_the_official_message_and_its_canonical_form(official: Any, testdata: Any) -> None:
    expected = (testdata / "binary.canonical").read_bytes()
    assert is_canonical([expected])
    for name in ("binary", "segmented"):
        message = MessageReader((testdata / name).read_bytes())
        assert not is_canonical(message) and canonicalize(message) == expected
        assert canonicalize(message.get_root(official.TestAllTypes)) == expected


@pytest.mark.conformance("CAN-08", "CAN-10")
@pytest.mark.usefixtures("backend")
def test_a_canonical_message_has_one_segment_and_nothing_else() -> None:
    segment = CANONICAL["only the last bit is set"].segment
    for segments in ([], [b""], [segment, b""], [segment, bytes(8)], [b"", segment], [segment + bytes(8)]):
        assert not is_canonical(segments)
    assert not is_canonical([segment[:-8]]) and not is_canonical([segment + b"\0"])
    assert not is_canonical([words(far(0, 1)), segment])
    for one in (segment, frame(segment), bytearray(segment), 5):  # with a table or without?
        with pytest.raises(TypeError):
            is_canonical(one)


@pytest.mark.conformance("CAN-17")
@pytest.mark.usefixtures("backend")
def test_a_null_root_is_canonical_alone() -> None:
    assert is_canonical([bytes(8)]) and not is_canonical([bytes(16)])
    assert canonicalize(MessageBuilder()) == canonicalize(MessageReader(frame(bytes(16)))) == bytes(8)
    assert is_canonical(MessageBuilder())
    with pytest.raises(DecodeError, match="no root pointer"):
        canonicalize(MessageReader(bytes(8)))


@pytest.mark.conformance("CAN-17")
@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    "segment",
    [words(capability(0)), words(struct(0, 0, 1), capability(0)), words(lst(0, 6, 2), 0, capability(1))],
    ids=["root", "field", "element"],
)
def test_a_message_with_a_capability_is_not_canonical_and_cannot_be(segment: bytes) -> None:
    assert not is_canonical([segment])
    with pytest.raises(EncodeError, match="a message with capabilities has no canonical form"):
        canonicalize(MessageReader.from_segments([segment]))


@pytest.mark.conformance("CAN-07")
@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    "segment",
    [
        words(struct(0, 2, 0), 1),
        words(struct(-1, 1, 0)),
        words(struct(-1, 0, 1)),
        words(lst(0, 2, 2**29 - 1), 1),
        words(lst(0, 7, 1), lst(1, 1, 0), 1),
        words(lst(0, 7, 1), struct(2, 1, 0), 1),
        words(7),
        words(far(9, 0)),
        words(far(0, 5)),
        words(struct(0, 0, 2), struct(1, 0, 2), struct(-1, 0, 2), struct(-2, 0, 2), struct(-3, 0, 2)),
    ],
    ids=range(10),
)
def test_what_is_not_a_sound_message_is_not_canonical(segment: bytes) -> None:
    assert not is_canonical([segment])


@pytest.mark.conformance("CAN-13")
def test_numbers_that_are_read_as_structs_have_a_canonical_form(schema: Any) -> None:
    newer = schema.HoldsOld.from_segments([words(struct(0, 0, 2), 0, lst(0, 3, 3), 0x0003_0000_0001)])
    form = canonicalize(newer)
    assert is_canonical([form]) and form[24:] == words(0x0003_0000_0001)
    wide = schema.Wide.from_segments([words(struct(0, 0, 1), lst(0, 3, 3), 0x0003_0000_0001)])
    assert is_canonical([canonicalize(wide.values)]) and is_canonical([canonicalize(wide.values[2])])
    assert canonicalize(wide.values[2]) == words(struct(0, 1, 0), 3)


@pytest.mark.conformance("CAN-01")
def test_lists_and_pointers_have_a_canonical_form_as_roots(schema: Any) -> None:
    lists = schema.Lists.new_message(num_first_segment_words=2, **LIST_VALUES).as_reader()
    for field in LIST_VALUES:
        found = getattr(lists, field)
        form = canonicalize(found)
        root = MessageReader.from_segments([form])
        assert is_canonical(root) and root.root.as_list(found._type) == found
        holder = schema.Node.new_message(any=found)
        assert canonicalize(holder.any) == canonicalize(holder.as_reader().any) == form
    assert canonicalize(schema.Node.new_message().any) == bytes(8)
    builder = MessageBuilder()
    builder.root.init_list(List(Kind.UINT16), 3)[0] = 1
    assert is_canonical(builder) and canonicalize(builder) == words(lst(0, 3, 3), 1)
    with pytest.raises(EncodeTypeError, match="not of dict"):
        canonicalize({})


@pytest.mark.conformance("CAN-01")
@pytest.mark.usefixtures("backend")
def test_any_depth_and_any_number_of_empty_elements_is_judged() -> None:
    deep = words(*[struct(0, 0, 1)] * 5000, struct(-1, 0, 0))
    assert is_canonical([deep]) and not is_canonical([deep[:-8]])
    with pytest.raises(ccapnp.LimitError):
        canonicalize(MessageReader.from_segments([deep]))
    assert canonicalize(MessageReader.from_segments([deep], nesting_limit=6000)) == deep
    assert is_canonical([words(lst(0, 0, 2**29 - 1))])
    assert is_canonical([words(lst(0, 7, 0), struct(2**29 - 1, 0, 0))])


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("name", [*CANONICAL, *NOT_CANONICAL])
def test_the_official_tool_gives_the_same_verdict(capnp_tool: str, name: str) -> None:
    form: Form = {**CANONICAL, **NOT_CANONICAL}[name]
    done = subprocess.run(
        [capnp_tool, "convert", "canonical:binary"], input=form.segment, capture_output=True, check=False, timeout=60
    )
    if name != "a far pointer to a landing pad that is data, too":  # which the tool takes for a near pointer
        assert (done.returncode == 0) == is_canonical([form.segment])
