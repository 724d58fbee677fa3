"""Gives and takes the files of a folder.

python server.py 127.0.0.1:6000 FOLDER
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from transfer import FileSink, schema, send

import ccapnp
import ccapnp.rpc


class Files(schema.Files.Server):
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def upload(self, name: str) -> FileSink:
        return FileSink(self.path(name))

    async def download(self, name: str, sink: Any) -> int:
        path = self.path(name)
        if not path.is_file():
            raise ccapnp.FailedError(f"there is no file {name!r}")
        return await send(path, sink)

    def path(self, name: str) -> Path:
        """The path of a file, for a name that a client gave: it must not lead out of the folder."""
        if name in ("", "..") or Path(name).name != name:
            raise ccapnp.FailedError(f"{name!r} is not the name of a file")
        return self.folder / name


async def main(address: str, folder: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.serve(Files(Path(folder)), host, int(port)) as server:
        print(f"listening on {host}:{server.port}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: server.py HOST:PORT FOLDER")
    with suppress(KeyboardInterrupt):
        asyncio.run(main(*sys.argv[1:]))
