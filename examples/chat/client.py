"""Talks in a chat room: says each line of the standard input, and prints what others say.

python client.py 127.0.0.1:6000 Alice
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import ccapnp
import ccapnp.rpc

chat = ccapnp.load(Path(__file__).with_name("chat.capnp"))


class Listener(chat.Listener.Server):
    """What the server tells of what happens."""

    def notice(self, event: Any) -> None:
        if event.which() == "said":
            print(f"{event.name}: {event.said}", flush=True)
        else:
            print(f"* {event.name} {event.which()}", flush=True)


async def talk(room: Any, name: str) -> None:
    """Be in a room as long as there is input."""
    joined = await room.join(name, Listener())
    print(f"* here already: {', '.join(joined.others) or 'nobody'}", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await joined.member.say(line.rstrip("\n"))
    await joined.member.leave()


async def main(address: str, name: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.connect(host, int(port)) as connection:
        await talk(connection.bootstrap(chat.Room), name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: client.py HOST:PORT NAME")
    try:
        asyncio.run(main(*sys.argv[1:]))
    except ccapnp.RpcError as error:
        sys.exit(f"{error.reason}")
