"""What the server and the client have in common: either sends files, and either receives them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any
from weakref import finalize

import ccapnp
import ccapnp.rpc

schema = ccapnp.load(Path(__file__).with_name("files.capnp"))

_CHUNK_BYTES = 1 << 16


class FileSink(schema.Sink.Server):
    """Receives a file, which gets its name once it is complete.

    When its sender drops it, or is gone, nobody refers to it any more: what is not complete then is removed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False)  # noqa: SIM115  # it stays open
        finalize(self, discard, self.file)

    def write(self, chunk: bytes) -> None:
        self.file.write(chunk)

    def done(self) -> int:
        size = self.file.tell()
        self.file.close()
        Path(self.file.name).replace(self.path)
        return size


def discard(file: IO[bytes]) -> None:
    """Close and remove a temporary file, if it still is one."""
    file.close()
    Path(file.name).unlink(missing_ok=True)


async def send(path: Path, sink: Any) -> int:
    """Write a file to a sink; the number of bytes that arrived."""
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK_BYTES):
            await sink.write(chunk)
    return int((await sink.done()).size)
