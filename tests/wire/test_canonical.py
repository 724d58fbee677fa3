"""Canonical form: what it is, and messages that are or are not in it."""

from __future__ import annotations

from operator import eq
from typing import Any

import pytest

from ccapnp import CapnpError, EncodeError, Kind, List, canonicalize
from tests.wire.canonical_forms import CANONICAL, NOT_CANONICAL, cases
from tests.wire.raw import capability, far, frame, lst, root_of, struct, words


@pytest.mark.conformance("CAN-01")
def test_the_golden_message(official: Any, testdata: Any) -> None:
    expected = (testdata / "binary.canonical").read_bytes()
    for name in ("binary", "segmented"):
        reader = official.TestAllTypes.from_bytes((testdata / name).read_bytes())
        assert canonicalize(reader) == canonicalize(reader.as_builder()) == expected
        again = official.TestAllTypes.from_segments([expected])
        assert again == reader and canonicalize(again) == expected and hash(again) == hash(reader)


@pytest.mark.conformance("CAN-01")
def test_empty_structs(shapes: Any, official: Any) -> None:
    for empty in (
        official.TestEmptyStruct.new_message(),
        shapes.Node.new_message(),
        shapes.Node.from_bytes(frame(words(0))),
    ):
        assert canonicalize(empty) == words("fcffffff00000000")


@pytest.mark.parametrize("segment", cases(CANONICAL))
def test_can_what_is_canonical_stays_as_it_is(shapes: Any, segment: bytes) -> None:
    assert canonicalize(shapes.Void0.from_segments([segment])) == segment


@pytest.mark.parametrize("segment", cases(NOT_CANONICAL))
def test_can_what_is_not_canonical_becomes_so(shapes: Any, segment: bytes) -> None:
    reader = shapes.Void0.from_segments([segment])
    made = canonicalize(reader)
    assert made != segment
    again = shapes.Void0.from_segments([made])
    assert canonicalize(again) == made and again == reader


@pytest.mark.conformance("CAN-15", "CAN-16")
def test_padding_becomes_zero(shapes: Any) -> None:
    for padded, name in (("last byte", "bytes and zeros behind them"), ("last bit", "bits and zeros behind them")):
        reader = shapes.Node.from_segments([NOT_CANONICAL[f"something behind the {padded}"].segment])
        assert canonicalize(reader) == CANONICAL[name].segment


@pytest.mark.conformance("CAN-08")
def test_several_segments(shapes: Any) -> None:
    segments = words(far(0, 1)), words(struct(0, 1, 1), 5, far(0, 2)), words(struct(0, 1, 0), 6)
    assert canonicalize(shapes.Void0.from_segments(segments)) == words(struct(0, 1, 1), 5, struct(0, 1, 0), 6)


@pytest.mark.conformance("CAN-13")
def test_numbers_read_as_structs(shapes: Any) -> None:
    items = root_of(words(lst(0, 3, 3), 0x0003_0000_0001)).as_list(List(shapes.Short16))
    assert [canonicalize(item) for item in items] == [
        words(struct(0, 1, 0), 1),
        words("fcffffff00000000"),
        words(struct(0, 1, 0), 3),
    ]


@pytest.mark.conformance("CAN-14")
def test_all_elements_have_the_size_that_the_largest_needs(shapes: Any) -> None:
    node = shapes.Node.new_message(children=[{}, {"name": "x"}, {"value": 1}])
    # The third pointer is the last that is not null, and one data word is.
    made = canonicalize(node)
    expected = words(struct(0, 0, 2), 0, lst(0, 7, 12), struct(3, 1, 3), *[0] * 4, *(0, 0, 0, lst(4, 2, 2)))
    assert made == expected + words(1, 0, 0, 0, b"x")


def test_can_b4_children_follow_in_order(shapes: Any) -> None:
    """Elements first, then what is below the first of them, then what is below the second."""
    node = shapes.Text2.new_message(u="last", t="first")
    assert canonicalize(node) == words(struct(0, 0, 2), lst(1, 2, 6), lst(1, 2, 5), b"first", b"last")
    lists = root_of(words(lst(0, 6, 2), lst(2, 2, 1), lst(0, 2, 1), b"2", b"1"))
    copy = shapes.Caps.new_message()
    copy.any.set(lists)
    assert canonicalize(copy)[-40:] == words(lst(0, 6, 2), lst(1, 2, 1), lst(1, 2, 1), b"1", b"2")


@pytest.mark.conformance("CAN-17")
def test_capabilities_have_no_canonical_form(shapes: Any) -> None:
    caps = shapes.Caps.from_bytes(frame(words(struct(0, 0, 1), capability(0))))
    with pytest.raises(EncodeError, match="capabilities"):
        canonicalize(caps)
    with pytest.raises(EncodeError, match="capabilities"):
        hash(caps)
    with pytest.raises(CapnpError, match="capabilities"):
        eq(caps, caps.as_builder())
    assert caps != shapes.Caps.new_message()


def test_can_b4_values_of_the_wire_decide(shapes: Any) -> None:
    assert canonicalize(shapes.New.new_message(old1=0, new1=987)) == words("fcffffff00000000")
    assert canonicalize(shapes.New.new_message(new1=0)) == words(struct(0, 2, 0), 0, 987)


# ---- equality (ANY-07 to ANY-11)


def any_of(shapes: Any, *segment: Any) -> Any:
    """A struct whose only pointer leads to a list or struct."""
    return shapes.Void0.from_bytes(frame(words(struct(0, 0, 1), *segment)))


def test_any08_bits_are_compared_without_padding(shapes: Any) -> None:
    one, other = any_of(shapes, lst(0, 1, 11), b"\xee\x0f"), any_of(shapes, lst(0, 1, 11), b"\xee\x07")
    assert one == other and hash(one) == hash(other)
    assert one != any_of(shapes, lst(0, 1, 11), b"\xee\x03") and one != any_of(shapes, lst(0, 1, 10), b"\xee\x07")


def test_any09_any11_the_kind_of_element_matters(shapes: Any) -> None:
    kinds = [lst(0, 0, 0), lst(0, 1, 0), lst(0, 2, 0), lst(0, 3, 0), lst(0, 4, 0), lst(0, 5, 0), lst(0, 6, 0)]
    views = [any_of(shapes, kind) for kind in kinds] + [
        any_of(shapes, lst(0, 7, 0), 0),
        any_of(shapes, struct(-1, 0, 0)),
    ]
    views.append(any_of(shapes, 0))
    for index, one in enumerate(views):
        assert [index == place for place in range(len(views))] == [one == other for other in views]


def test_any10_zeros_at_the_end_do_not_matter_but_pointers_do(shapes: Any) -> None:
    short = any_of(shapes, struct(0, 1, 0), 5)
    long = any_of(shapes, struct(0, 2, 2), 5, 0, 0, 0)
    assert short == long and long == short and hash(short) == hash(long)
    assert short != any_of(shapes, struct(0, 2, 0), 5, 6)
    assert short != any_of(shapes, struct(0, 1, 1), 5, struct(-1, 0, 0))
    assert any_of(shapes, lst(0, 7, 2), struct(2, 1, 0), 5, 0) == any_of(
        shapes, lst(0, 7, 4), struct(2, 1, 1), 5, 0, 0, 0
    )
    assert any_of(shapes, lst(0, 7, 0), struct(3, 0, 0)) == any_of(shapes, lst(0, 7, 3), struct(3, 1, 0), 0, 0, 0)
    assert any_of(shapes, lst(0, 7, 0), struct(3, 0, 0)) != any_of(shapes, lst(0, 7, 3), struct(3, 1, 0), 0, 1, 0)


def test_any07_differences_are_found(official: Any, testdata: Any) -> None:
    data = (testdata / "binary").read_bytes()
    reader = official.TestAllTypes.from_bytes(data)

    def changed(change: Any) -> Any:
        builder = reader.as_builder()
        change(builder)
        return builder

    changes = [
        lambda view: setattr(view, "boolField", False),
        lambda view: setattr(view, "enumField", "foo"),
        lambda view: setattr(view.structField.structField, "textField", "nesteD"),
        lambda view: view.init("voidList", 5),
        lambda view: view.boolList.__setitem__(3, False),
        lambda view: setattr(view.structList[2], "textField", "structlist 4"),
        lambda view: view.textList.__setitem__(1, None),
        lambda view: setattr(view, "float32List", list(view.float32List)[:-1]),
    ]
    for change in changes:
        assert changed(change) != reader and reader != changed(change)
        assert changed(change) == changed(change)
    assert reader == official.TestAllTypes.from_bytes(data)
    assert root_of(words(lst(0, 0, 3))).as_list(List(Kind.VOID)) == [None] * 3
