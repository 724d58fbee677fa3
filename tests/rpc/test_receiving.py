"""Bytes of a connection become messages, however they are cut, and wherever they are put."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from hypothesis import given

from ccapnp.codec import get_codec
from ccapnp.rpc.core.framing import _LARGE_BYTES, _MOST_AHEAD_BYTES, Receiver
from ccapnp.rpc.core.wire import wire_of
from ccapnp.wire.limits import Limits


def message_of(backend: str, size: int) -> bytes:
    """An abort whose reason is so many bytes."""
    message: Any = wire_of(get_codec(backend)).Message
    return bytes(message.new_message(abort={"reason": "x" * size}).to_bytes())


def receiver_of(backend: str) -> Receiver:
    return Receiver(wire_of(get_codec(backend)), Limits())


def reasons(found: Any) -> list[int]:
    """How long the reasons of messages are, each of which is as large as is said."""
    lengths = [(len(message.abort.reason), size) for message, size in found]
    assert all(length < size < length + 128 for length, size in lengths)
    return [length for length, _ in lengths]


def put(receiver: Receiver, data: bytes, most: int) -> list[int]:
    """Have bytes received as a transport does, so many at once at most, in the room if there is some."""
    found = []
    while data:
        room = receiver.room()
        size = min(most, len(data)) if room is None else min(most, len(data), len(room))
        if room is None:
            found += reasons(receiver.feed(data[:size]))
        else:
            room[:size] = data[:size]
            found += reasons(receiver.filled(size))
        data = data[size:]
    return found


SIZES = st.lists(st.sampled_from([0, 5, 1000, _LARGE_BYTES - 60, _LARGE_BYTES, 3 * _LARGE_BYTES, 5 << 18]), max_size=6)


@given(sizes=SIZES, most=st.sampled_from([1 << 12, _LARGE_BYTES - 1, _LARGE_BYTES, 1 << 18, 1 << 30]), start=st.data())
def test_messages_come_as_they_were_sent(backend: str, sizes: list[int], most: int, start: Any) -> None:
    data = b"".join(message_of(backend, size) for size in sizes)
    receiver = receiver_of(backend)
    first = start.draw(st.integers(0, min(len(data), 1 << 16)), "first")
    assert put(receiver, data[:first], 1 << 10) + put(receiver, data[first:], most) == sizes
    receiver.close()


def test_bytes_need_not_be_put_into_the_room(backend: str) -> None:
    data = message_of(backend, 3 << 20)
    receiver = receiver_of(backend)
    assert reasons(receiver.feed(data[:100])) == []
    room = receiver.room()
    assert room is not None
    room[:50] = data[100:150]
    assert reasons(receiver.filled(50)) == []
    assert reasons(receiver.feed(data[150 : 1 << 20])) == []
    assert put(receiver, data[1 << 20 :] + message_of(backend, 7), 1 << 18) == [3 << 20, 7]


def test_no_more_memory_is_kept_than_came_but_for_a_little(backend: str) -> None:
    data = message_of(backend, 40 << 20)
    receiver = receiver_of(backend)
    came = 16
    assert reasons(receiver.feed(data[:came])) == []
    while came < len(data):
        room = receiver.room()
        if room is None:
            break
        assert len(room) <= max(came, _MOST_AHEAD_BYTES)
        size = min(len(room), 100_000)
        room[:size] = data[came : came + size]
        came += size
        found = reasons(receiver.filled(size))
    assert found + put(receiver, data[came:], 1 << 18) == [40 << 20]
