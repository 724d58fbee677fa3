"""Sends a file to a server, or fetches one.

python client.py 127.0.0.1:6000 upload FILE
python client.py 127.0.0.1:6000 download FILE
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from transfer import FileSink, schema, send

import ccapnp
import ccapnp.rpc


async def upload(files: Any, path: Path) -> None:
    sink = files.upload(path.name).sink  # it can be written to before the server has even made it
    print(f"{await send(path, sink)} bytes were sent")


async def download(files: Any, path: Path) -> None:
    results = await files.download(path.name, FileSink(path))
    print(f"{results.size} bytes were received")


async def main(address: str, command: str, file: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.connect(host, int(port)) as connection:
        await COMMANDS[command](connection.bootstrap(schema.Files), Path(file))


COMMANDS = {"upload": upload, "download": download}

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[2] not in COMMANDS:
        sys.exit("usage: client.py HOST:PORT upload|download FILE")
    try:
        asyncio.run(main(*sys.argv[1:]))
    except (OSError, ccapnp.RpcError) as error:
        sys.exit(f"{error}")
