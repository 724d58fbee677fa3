"""The official tool decodes the same bytes: it accepts and refuses the same messages, and prints the same values."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional

import pytest

from ccapnp import CapnpError
from tests.wire.conftest import SCHEMA
from tests.wire.raw import far, frame, lst, struct, words
from tests.wire.samples import sample
from tests.wire.test_list_evolution import BOTH_STRUCTS, BYTES, DATA_STRUCTS, INTS, LONGS, SHORTS, TEXT_STRUCTS, VOIDS

Judge = Callable[[str, list[bytes]], list[Optional[str]]]

DIFFERENT_BY_DESIGN = ("not valid UTF-8", "elements cannot be read as a list of bits elements")
"""What the C++ library reads and this one refuses: text that is none, and the low bits of numbers as List(Bool)."""


@pytest.fixture(scope="session")
def judge(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """What the tool prints of each message, as a struct type of the schema above; None where it refuses it."""
    path = tmp_path_factory.mktemp("judge") / "judge.capnp"
    path.write_text(f"@0xd3b07384d113edec;\n{SCHEMA}")

    def decode_one(struct_name: str, message: bytes) -> Optional[str]:
        command = [capnp_tool, "decode", "--short", str(path), struct_name]
        done = subprocess.run(command, input=message, capture_output=True, check=False, timeout=60)
        return done.stdout.decode(errors="replace").rstrip("\n") if done.returncode == 0 else None

    def decode(struct_name: str, messages: list[bytes]) -> list[Optional[str]]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda message: decode_one(struct_name, message), messages))

    return decode


def ours(kind: Any, message: bytes) -> Optional[str]:
    """What is printed here; None where it is refused, and "skip" where that is by design."""
    try:
        text: str = kind.from_bytes(message).to_text()
    except CapnpError as error:
        return "skip" if any(reason in str(error) for reason in DIFFERENT_BY_DESIGN) else None
    return text


def compare(judge: Judge, shapes: Any, name: str, messages: list[bytes]) -> int:
    """Compare all; gives how many the tool accepts."""
    verdicts = judge(name, messages)
    kind = getattr(shapes, name)
    for message, verdict in zip(messages, verdicts):
        mine = ours(kind, message)
        if verdict is None and mine and "<opaque pointer>" in mine:
            continue  # of an AnyPointer the tool checks what kind it is, and the text here does not need to know
        if verdict is not None and "\ufffd" in verdict:
            assert mine is not None, message.hex(" ", 8)  # the tool printed what is no text; here it is escaped
            continue
        assert mine in ("skip", verdict), message.hex(" ", 8)
    return sum(verdict is not None for verdict in verdicts)


LISTS = [VOIDS, BYTES, SHORTS, INTS, LONGS, DATA_STRUCTS, TEXT_STRUCTS, BOTH_STRUCTS]


@pytest.mark.conformance("ENC-18")
def test_lists_read_as_lists_of_structs(judge: Judge, compile_schema: Any, shapes: Any) -> None:
    def as_children(which: Any) -> bytes:
        pointer = which[0] + (4 << 2)  # behind the other pointers of a Node
        return frame(words(struct(0, 2, 7), 0, 0, 0, pointer, 0, 0, 0, 0, 0) + words(*which[1]))

    assert compare(judge, shapes, "Node", [as_children(which) for which in LISTS]) >= 6


def hand_made() -> list[bytes]:
    """Nodes with one thing wrong, or nearly wrong."""
    made = []
    pointers = [
        *(lst(offset, 2, size) for offset in (4, 5, 6, -1, -3) for size in (0, 1, 4, 8, 9)),
        *(lst(offset, 7, size) for offset in (4, 5) for size in (0, 1, 2)),
        *(struct(offset, data, 0) for offset in (-1, 0, 5, 2**29 - 1) for data in (0, 1, 2)),
        *(3, 7, 2**32 + 3, 2**64 - 1, far(0, 0), far(9, 0), far(10, 0), far(0, 1), far(9, 0, double=True)),
        *(lst(6, element, count) for element in range(8) for count in (0, 1, 64, 2**29 - 1)),
    ]
    for index in (1, 2, 3):  # children, name, blob
        for pointer in pointers:
            slots = [0] * 7
            slots[index] = pointer
            made.append(frame(words(struct(0, 2, 7), 1, 0, *slots, b"foo\0", lst(-2, 2, 4))))
    return made


@pytest.mark.parametrize("part", range(3))
def test_b3_hand_made_pointers(judge: Judge, shapes: Any, part: int) -> None:
    messages = hand_made()[part::3]
    accepted = compare(judge, shapes, "Node", messages)
    assert 0 < accepted < len(messages)


@pytest.mark.parametrize("size", [1, 6, 1024])
@pytest.mark.conformance("FUZ-07")
def test_messages_with_one_bit_changed(judge: Judge, shapes: Any, size: int) -> None:
    data = sample(shapes, size).to_bytes()
    header = len(data) - sum(len(segment) for segment in shapes.Node.from_bytes(data).to_segments())
    rng = random.Random(size)
    messages = [data]
    for _ in range(80):
        changed = bytearray(data)
        bit = rng.randrange(8 * header, 8 * len(data))
        changed[bit >> 3] ^= 1 << (bit & 7)
        messages.append(bytes(changed))
    accepted = compare(judge, shapes, "Node", messages)
    assert 1 < accepted < len(messages)


def test_can_the_tool_converts_to_the_same_canonical_form(
    capnp_tool: str, official: Any, shapes: Any, tmp_path: Path
) -> None:
    from ccapnp import canonicalize

    path = tmp_path / "canonical.capnp"
    path.write_text(f"@0xd3b07384d113edec;\n{SCHEMA}")
    for size in (1, 6, 1024):
        node = sample(shapes, size)
        done = subprocess.run(
            [capnp_tool, "convert", "binary:canonical", str(path), "Node"],
            input=node.to_bytes(),
            capture_output=True,
            check=True,
        )
        assert done.stdout == canonicalize(node)
