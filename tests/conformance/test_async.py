"""Messages over the streams of asyncio."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

import pytest

from ccapnp import DecodeError, EncodeTypeError, LimitError, MessageBuilder, MessageReader, TruncatedError, aio
from tests.conformance.test_serialize import COUNTS, NODE, PACKINGS, encoded, in_segments
from tests.types.schema import SCHEMA
from tests.wire.raw import frame


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    """What a coroutine gives; it has a minute."""

    async def within_a_minute() -> Any:
        return await asyncio.wait_for(work(), 60)

    return asyncio.run(within_a_minute())


def stream_of(data: bytes) -> asyncio.StreamReader:
    """A stream of which all has arrived."""
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


async def fed(reader: asyncio.StreamReader, data: bytes, sizes: list[int]) -> None:
    """Have the data arrive in pieces of these sizes, over and over, with a rest in between."""
    position = index = 0
    while position < len(data):
        size = sizes[index % len(sizes)]
        reader.feed_data(data[position : position + size])
        await asyncio.sleep(0)
        position += size
        index += 1
    reader.feed_eof()


@COUNTS
@PACKINGS
@pytest.mark.parametrize("sizes", [[1], [3, 8, 1], [1 << 20]], ids=str)
@pytest.mark.conformance("ASY-01", "ASY-08")
def test_a_fragmented_stream_is_read(schema: Any, count: int, packed: bool, sizes: list[int]) -> None:
    root = in_segments(schema, count)

    async def work() -> list[Any]:
        reader = asyncio.StreamReader()
        feeding = asyncio.ensure_future(fed(reader, encoded(root, packed) * 2, sizes))
        found = [await aio.read(reader, packed=packed) for _ in range(3)]
        await feeding
        return found

    first, second, end = run(work)
    assert first.get_root(schema.Node) == second.get_root(schema.Node) == root and end is None


@COUNTS
@PACKINGS
@pytest.mark.conformance("ASY-02")
def test_a_writer_waits_for_a_slow_reader(schema: Any, count: int, packed: bool) -> None:
    root = in_segments(schema, count)
    root.data = os.urandom(1 << 20)

    async def work() -> tuple[list[Any], list[str]]:
        here, there = socket.socketpair()
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        reader, back = await asyncio.open_connection(sock=there)
        _, writer = await asyncio.open_connection(sock=here)
        events: list[str] = []

        async def write() -> None:
            for _ in range(2):
                await aio.write(writer, root, packed=packed)
                events.append("written")
            writer.close()

        writing = asyncio.ensure_future(write())
        for _ in range(20):
            await asyncio.sleep(0)
        events.append("read")
        found = [each.get_root(schema.Node) async for each in aio.read_multiple(reader, packed=packed)]
        await writing
        back.close()
        return found, events

    found, events = run(work)
    assert found == [root] * 2
    assert events == ["read", "written", "written"]


@PACKINGS
@pytest.mark.conformance("ASY-03")
def test_messages_of_growing_sizes_are_read_in_order(schema: Any, packed: bool) -> None:
    async def work() -> list[Any]:
        here, there = socket.socketpair()
        reader, back = await asyncio.open_connection(sock=there)
        _, writer = await asyncio.open_connection(sock=here)
        await asyncio.gather(*(aio.write(writer, in_segments(schema, 2 * n + 1), packed=packed) for n in range(5)))
        builder = MessageBuilder()
        builder.set_root(schema.Node.new_message(**NODE))
        await aio.write(writer, builder, packed=packed)
        writer.close()
        found = [each async for each in aio.read_multiple(reader, packed=packed)]
        back.close()
        return found

    found = run(work)
    assert [len(each._root.pieces()) for each in found] == [1, 3, 5, 7, 9, 1]
    assert found[5].get_root(schema.Node) == schema.Node.new_message(**NODE)


@pytest.mark.conformance("ASY-04")
def test_small_and_large_messages_and_a_wait_for_the_end(schema: Any) -> None:
    small, large = schema.Node.new_message(value=1), schema.Node.new_message(data=bytes(300_000))

    async def work() -> None:
        reader = asyncio.StreamReader(limit=64)
        reader.feed_data(small.to_bytes() * 2 + large.to_bytes() + small.to_bytes())
        for expected in (small, small, large, small):
            found = await aio.read(reader)
            assert found is not None and found.get_root(schema.Node) == expected
        waiting = asyncio.ensure_future(aio.read(reader))
        await asyncio.sleep(0)
        assert not waiting.done()
        reader.feed_eof()
        assert await waiting is None

    run(work)


@pytest.mark.conformance("ASY-05")
def test_a_message_is_complete_with_its_last_byte(schema: Any) -> None:
    data = in_segments(schema, 7).to_bytes()

    async def work() -> None:
        reader = asyncio.StreamReader()
        reading = asyncio.ensure_future(aio.read(reader))
        position = 0
        for size in (5, 4, 10, len(data) - 20, 1):
            assert not reading.done()
            reader.feed_data(data[position : position + size])
            position += size
            for _ in range(5):
                await asyncio.sleep(0)
        assert position == len(data) and reading.done()
        found = await reading
        assert found is not None and found.get_root(schema.Node) == in_segments(schema, 7)

    run(work)


@pytest.mark.conformance("ASY-06", "ASY-08")
@pytest.mark.usefixtures("backend")
def test_garbage_behind_messages_is_no_clean_end() -> None:
    data = frame(bytes(32))  # five words

    async def work() -> None:
        reader = asyncio.StreamReader()
        feeding = asyncio.ensure_future(fed(reader, data * 16 + b"garbage", [64, 24, 100]))
        for _ in range(16):
            assert isinstance(await aio.read(reader), MessageReader)
        with pytest.raises(TruncatedError) as caught:
            await aio.read(reader)
        assert isinstance(caught.value, EOFError) and caught.value.available == 7
        await feeding

    run(work)


@pytest.mark.conformance("ASY-07", "SER-10", "SER-11", "PYC-12")
@pytest.mark.usefixtures("backend")
def test_what_is_no_message_is_refused_at_its_first_words() -> None:
    async def refused(data: bytes, error: type[Exception], text: str, **limits: Any) -> None:
        reader = asyncio.StreamReader()  # which goes on
        reader.feed_data(data)
        with pytest.raises(error, match=text):
            await aio.read(reader, **limits)

    async def work() -> None:
        await refused(b"\xff" * 8, DecodeError, "too many segments")
        await refused(frame(*[b""] * 512)[:8], DecodeError, "too many segments: 512")
        await refused(frame(bytes(24))[:8], LimitError, "has 3 words", traversal_limit_in_words=2)
        await refused(b"HTTP/1.1 400 Bad Request", DecodeError, "looks like text")

    run(work)


@PACKINGS
@pytest.mark.conformance("ASY-08")
def test_the_end_of_a_stream_is_none_between_messages_and_an_error_within(schema: Any, packed: bool) -> None:
    data = encoded(schema.Node.new_message(**NODE), packed)

    async def work() -> None:
        assert await aio.read(stream_of(b""), packed=packed) is None
        assert [each async for each in aio.read_multiple(stream_of(b""), packed=packed)] == []
        for end in range(1, len(data)):
            with pytest.raises(TruncatedError):
                await aio.read(stream_of(data[:end]), packed=packed)
        found = []
        with pytest.raises(TruncatedError):
            async for each in aio.read_multiple(stream_of(data * 2 + data[:9]), packed=packed):
                found.append(each)
        assert len(found) == 2

    run(work)


@PACKINGS
@pytest.mark.conformance("ASY-01")
def test_no_byte_behind_a_message_is_read(schema: Any, packed: bool) -> None:
    async def work() -> None:
        reader = stream_of(encoded(schema.Node.new_message(**NODE), packed) + b"something else")
        found = await aio.read(reader, packed=packed)
        assert found is not None and found.get_root(schema.Node) == schema.Node.new_message(**NODE)
        assert await reader.read() == b"something else"

    run(work)


def test_what_is_no_message_is_not_written(schema: Any) -> None:
    class Untouched:
        def write(self, data: bytes) -> None:
            raise AssertionError("written")

    reader = MessageReader(schema.Node.new_message(value=1).to_bytes())
    for wrong in (None, 5, b"", schema.Node, reader, MessageBuilder().new_orphan(schema.Node)):
        with pytest.raises(EncodeTypeError, match="a struct or a MessageBuilder is written, not an? "):
            asyncio.run(aio.write(Untouched(), wrong))
