"""Segments that are a message in canonical form, and segments that are one in another form, by the rule they show."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tests.wire.raw import words

__all__ = ["CANONICAL", "NOT_CANONICAL", "Form", "cases"]


class Form(NamedTuple):
    """The row that a segment is about, and its words."""

    row: str
    words: tuple[Any, ...]

    @property
    def segment(self) -> bytes:
        return words(*self.words)


ONE_WORD, ONE_POINTER, TWO_POINTERS = "0000000001000000", "0000000000000100", "0000000000000200"
"""Root pointers to structs right behind them."""

CANONICAL = {
    "only the last bit is set": Form("CAN-02", ("0000000002000000", "1111111111111111", "0000000000000080")),
    "a list of a struct": Form(
        "CAN-03", (ONE_POINTER, "0100000017000000", "0400000002000000", "2222222222222222", "0000000000000080")
    ),
    "an empty struct": Form("CAN-04", (TWO_POINTERS, "0400000001000000", "fcffffff00000000", "eeeeeeeeeeeeeeee")),
    "a list of no structs": Form("CAN-11", (ONE_POINTER, "0100000007000000", 0)),
    "a list of empty structs": Form("CAN-11", (ONE_POINTER, "0100000007000000", "0c00000000000000")),
    "one element needs the size": Form("CAN-14", (ONE_POINTER, "0100000027000000", "0800000002000000", 1, 0, 1, 2)),
    "bytes and zeros behind them": Form("CAN-15", (ONE_POINTER, "010000001a000000", "0102030000000000")),
    "bits and zeros behind them": Form("CAN-16", (ONE_POINTER, "0100000059000000", "ee07000000000000")),
    "a list of no numbers": Form("CAN-17", (ONE_POINTER, "0100000004000000")),
}

NOT_CANONICAL = {
    "an empty struct with another offset": Form(
        "CAN-05", (TWO_POINTERS, "0400000001000000", "0400000000000000", "eeeeeeeeeeeeeeee")
    ),
    "children in another order": Form("CAN-06", (TWO_POINTERS, "0800000001000000", "0000000001000000", 2, 1)),
    "a gap": Form("CAN-07", (ONE_POINTER, "0400000001000000", 0, 1)),
    "a far pointer": Form("CAN-08", (ONE_POINTER, "1200000000000000", ONE_WORD, 7)),
    "a far pointer to a landing pad that is data, too": Form("CAN-08", ("0a00000000000000", "fcffffff01000000")),
    "a zero word at the end of a struct": Form("CAN-09", (ONE_WORD, 0)),
    "a null pointer at the end of a struct": Form("CAN-09", ("0000000001000100", 5, 0)),
    "words that nothing leads to": Form("CAN-10", (ONE_WORD, 5, 6)),
    "an object that two pointers lead to": Form("CAN-10", (TWO_POINTERS, "0400000001000000", ONE_WORD, 5)),
    "more words than the elements take": Form("CAN-12", (ONE_POINTER, "0100000017000000", "0400000001000000", 5, 0)),
    "no element needs the size": Form("CAN-14", (ONE_POINTER, "0100000027000000", "0800000002000000", 1, 0, 1, 0)),
    "something behind the last byte": Form("CAN-15", (ONE_POINTER, "010000001a000000", "0102030100000000")),
    "something behind the last bit": Form("CAN-16", (ONE_POINTER, "0100000059000000", "ee0f000000000000")),
    "something behind the last number": Form("CAN-17", (ONE_POINTER, "010000000c000000", "0100000001000000")),
    "a list of no numbers with another offset": Form("CAN-17", (ONE_POINTER, "0500000004000000", 0)),
}


def cases(forms: dict[str, Form]) -> list[Any]:
    """The segments as parameters of a test, each marked with its row."""
    return [
        pytest.param(form.segment, id=name, marks=pytest.mark.conformance(form.row)) for name, form in forms.items()
    ]
