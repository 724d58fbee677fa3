"""Messages over the streams of `asyncio`, or whatever else has a coroutine ``read(n)``, ``write`` and ``drain``.

    message = await aio.read(reader)
    async for message in aio.read_multiple(reader): ...
    await aio.write(writer, person)

`ccapnp.StreamDecoder`, which this is built on, serves other event loops.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Optional, Protocol, Union

from ccapnp.errors import EncodeTypeError, a
from ccapnp.types.typed import MessageBuilder, MessageReader, StreamDecoder, StructView, to_bytes, to_bytes_packed
from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT, DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = ["read", "read_multiple", "write"]


class _Reads(Protocol):
    async def read(self, size: int, /) -> bytes: ...


class _Writes(Protocol):
    def write(self, data: bytes, /) -> Any: ...

    async def drain(self) -> None: ...


async def read(
    reader: _Reads,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
    *,
    packed: bool = False,
    backend: Optional[str] = None,
) -> Optional[MessageReader]:
    """The next message of a stream; ``None`` at a clean end.

    No byte behind it is read.  Raises TruncatedError where the stream ends inside a message, else as `StreamDecoder`
    does.  If it is cancelled inside a message, the stream cannot be read any further.
    """
    decoder = StreamDecoder(traversal_limit_in_words, nesting_limit, packed=packed, backend=backend)
    while data := await reader.read(decoder.missing_bytes):
        for message in decoder.feed(data):
            return message
    decoder.close()
    return None


async def read_multiple(
    reader: _Reads,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
    *,
    packed: bool = False,
    backend: Optional[str] = None,
) -> AsyncIterator[MessageReader]:
    """All messages of a stream, up to its end; otherwise as `read`."""
    while message := await read(reader, traversal_limit_in_words, nesting_limit, packed=packed, backend=backend):
        yield message


async def write(writer: _Writes, message: Union[StructView, MessageBuilder], *, packed: bool = False) -> None:
    """Write a struct as the root of a framed message, or a builder's message, and wait until the stream takes more.

    A message is written in one call, so that several tasks may write to one stream.
    """
    if isinstance(message, MessageBuilder):
        data = message.to_bytes_packed() if packed else message.to_bytes()
    elif isinstance(message, StructView):
        data = to_bytes_packed(message) if packed else to_bytes(message)
    else:
        raise EncodeTypeError(f"a struct or a MessageBuilder is written, not {a(type(message).__name__)}")
    writer.write(data)
    await writer.drain()
