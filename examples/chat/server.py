"""A chat room.

python server.py 127.0.0.1:6000
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

import ccapnp
import ccapnp.rpc

chat = ccapnp.load(Path(__file__).with_name("chat.capnp"))


class Room(chat.Room.Server):
    """All who are here, each with the capability by which to tell them of something."""

    def __init__(self) -> None:
        self.listeners: dict[str, Any] = {}

    async def join(self, name: str, listener: Any, _context: Any) -> dict[str, Any]:
        if name in self.listeners:
            raise ccapnp.FailedError(f"the name {name} is taken")
        others = list(self.listeners)
        member = Member(self, name)
        self.listeners[name] = listener
        _context.connection.on_lost.append(lambda connection: member.leave())
        await self.tell_others({"name": name, "joined": None})
        return {"member": member, "others": others}

    def tell_others(self, event: dict[str, Any]) -> Awaitable[Any]:
        """Tell all but the one whom it is about.

        The calls are made at once; what is awaited is that none of the others is far behind.  An error is that of one
        who is gone, or about to be.
        """
        others = [listener for name, listener in self.listeners.items() if name != event["name"]]
        return asyncio.gather(*(listener.notice(event) for listener in others), return_exceptions=True)


class Member(chat.Member.Server):
    def __init__(self, room: Room, name: str) -> None:
        self.room = room
        self.name = name
        self.is_here = True

    async def say(self, text: str) -> None:
        if not self.is_here:
            raise ccapnp.FailedError(f"{self.name} has left")
        await self.room.tell_others({"name": self.name, "said": text})

    def leave(self) -> None:
        if self.is_here:
            self.is_here = False
            del self.room.listeners[self.name]
            self.room.tell_others({"name": self.name, "left": None})


async def main(address: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.serve(Room(), host, int(port)) as server:
        print(f"listening on {host}:{server.port}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: server.py HOST:PORT")
    with suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1]))
