"""Messages of any root: in memory of the caller's, in pieces, and over asyncio."""

from __future__ import annotations

import asyncio
import mmap
from typing import Optional

from people_capnp import Person
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp import aio

builder = ccapnp.MessageBuilder(16, first_segment=bytearray(64), allocator=lambda words: mmap.mmap(-1, 8 * words))
assert_type(builder.init_root(Person), Person.Builder)
builder.reset()
more = ccapnp.MessageBuilder.from_segments([bytearray(8), memoryview(bytearray(8))], [1, 0])
assert_type(more, ccapnp.MessageBuilder)
assert_type(more.write_into(bytearray(more.framed_size)), int)
person = more.get_root(Person)
assert_type(person.write_into(memoryview(bytearray(person.framed_size + 1)), 1), int)
assert_type(ccapnp.write_into(person, bytearray(ccapnp.framed_size(person))), int)

reader = ccapnp.MessageReader(more.to_bytes())
for value in (reader, more, person, person.as_reader(), person.phones, person.extra):
    assert_type(ccapnp.canonicalize(value), bytes)
assert_type(ccapnp.is_canonical(reader) and ccapnp.is_canonical(more) and ccapnp.is_canonical([b""]), bool)
assert_type(ccapnp.expected_size_in_words(b""), int)

decoder = ccapnp.StreamDecoder(None, 64, packed=True, backend="pure")
assert_type(decoder.feed(memoryview(b"")), "list[ccapnp.MessageReader]")
assert_type(decoder.missing_bytes, int)
decoder.close()


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    assert_type(await aio.read(reader, packed=True), Optional[ccapnp.MessageReader])
    async for message in aio.read_multiple(reader, nesting_limit=3):
        await aio.write(writer, message.get_root(Person))
    await aio.write(writer, more, packed=True)
