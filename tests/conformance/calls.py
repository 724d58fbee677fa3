"""Servers of schemas/rpc.capnp, and ways to have them called."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import ccapnp
from ccapnp import rpc

__all__ = ["Servers", "eventually", "run", "ways"]

SCHEMA = Path(__file__).parent / "schemas" / "rpc.capnp"


class Servers:
    """The classes of servers on one codec, which count their calls in ``counts``."""

    def __init__(self, backend: str) -> None:
        self.schema: Any = _loaded(backend)
        self.backend = backend
        self.counts: dict[str, int] = {}
        schema, count = self.schema, self._count

        class Base(schema.Base.Server):  # type: ignore[misc, name-defined]
            """Also says when it is freed."""

            name = "base"

            def foo(self, i: int, j: bool) -> str:
                count(self.name)
                assert i == 123 and j is True
                return "foo"

            def baz(self, item: Any) -> None:
                count(self.name)
                assert item.name == "an item"

            def __del__(self) -> None:
                count(f"{self.name} freed")

        class Derived(Base, schema.Derived.Server):  # type: ignore[misc, name-defined]
            def qux(self) -> None:
                count("qux")

            def grault(self) -> dict[str, Any]:
                return {"name": "an item", "size": 7}

        class Diamond(schema.Diamond.Server):  # type: ignore[misc, name-defined]
            def foo(self, **_: Any) -> str:
                return "diamond"

            def left(self) -> str:
                return "left"

            def right(self) -> str:
                return "right"

            def both(self) -> str:
                return "both"

        class Pipeline(schema.Pipeline.Server):  # type: ignore[misc, name-defined]
            async def getCap(self, n: int, inCap: Any) -> dict[str, Any]:
                count("pipeline")
                results = await inCap.foo(n, True)
                assert results.x == "foo"
                return {"s": "bar", "outBox": {"cap": Derived(), "inner": {"cap": Derived()}}}

            def getAny(self, cap: Any) -> Any:
                return cap

            def getPlain(self, cap: Any) -> Any:
                return cap

            def getNull(self) -> None:
                return None

        class Order(schema.Order.Server):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                self.calls = 0

            def next(self) -> int:
                self.calls += 1
                return self.calls - 1

        class Callee(schema.Callee.Server):  # type: ignore[misc, name-defined]
            def foo(self, i: int, t: str) -> tuple[int, str, Any]:
                count("callee")
                return i, t, Order()

        class Caller(schema.Caller.Server):  # type: ignore[misc, name-defined]
            def foo(self, i: int, callee: Any, _context: Any) -> None:
                count("caller")
                request = callee.foo_request(i=i)
                request.t = "from the caller"
                _context.tail_call(request)

        class More(schema.More.Server):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                self.order = Order()
                self.held: Any = None
                self.events: list[str] = []

            def next(self) -> int:
                return self.order.next()

            async def callFoo(self, cap: Any) -> str:
                return f"bar {(await cap.foo(123, True)).x}"

            async def never(self, cap: Any) -> None:
                self.events.append("began")
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    self.events.append("canceled")
                    raise

            def hold(self, cap: Any) -> None:
                self.held = cap

            async def callHeld(self) -> str:
                return f"held {(await self.held.foo(123, True)).x}"

            def getHeld(self) -> Any:
                return self.held

            def echo(self, cap: Any) -> Any:
                return cap

            def fail(self) -> None:
                raise ccapnp.FailedError("test exception")

            async def early(self, _context: Any) -> None:
                _context.results.cap = Derived()
                _context.set_pipeline()
                await self.never(None)

        class Stream(schema.Stream.Server):  # type: ignore[misc, name-defined]
            """Each call waits to be let go."""

            def __init__(self) -> None:
                self.i = self.j = 0
                self.gate = asyncio.Semaphore(0)
                self.running = 0

            async def _pass(self) -> None:
                assert not self.running, "two run at once"
                self.running += 1
                try:
                    await self.gate.acquire()
                finally:
                    self.running -= 1

            async def addI(self, i: int) -> None:
                await self._pass()
                if i == 666:
                    raise ccapnp.FailedError("no such number")
                self.i += i

            async def addJ(self, j: int) -> None:
                await self._pass()
                self.j += j

            async def finish(self) -> tuple[int, int]:
                return self.i, self.j

        class Keywords(schema.Keywords.Server):  # type: ignore[misc, name-defined]
            def import_(self, from_: int) -> int:
                return from_

            def pass_(self) -> None:
                count("pass")

            def none(self, None_: int) -> int:
                return None_

        class Generic(schema.Generic.Server):  # type: ignore[misc, name-defined]
            def put(self, value: Any) -> Any:
                return value

            def implicit(self, value: Any) -> Any:
                return value

        class Keeper(schema.Keeper.Server):  # type: ignore[misc, name-defined]
            def keep(self, holder: Any) -> Any:
                return holder

        self.Base, self.Derived, self.Diamond, self.Pipeline, self.Order = Base, Derived, Diamond, Pipeline, Order
        self.Callee, self.Caller, self.More, self.Stream = Callee, Caller, More, Stream
        self.Keywords, self.Generic, self.Keeper = Keywords, Generic, Keeper

    def _count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def local(self, server: Any) -> Any:
        """A client of an object in this process."""
        return server._interface.Client(server)

    def remote(self, server: Any, **options: Any) -> Any:
        """A client of it by a connection, which is kept as long as the client is."""
        made, _ = rpc.pair(server, options=rpc.Options(**options), backend=self.backend)
        return made.bootstrap(server._interface)


_schemas: dict[str, ModuleType] = {}


def _loaded(backend: str) -> ModuleType:
    if backend not in _schemas:
        _schemas[backend] = ccapnp.load(str(SCHEMA), backend=backend)
    return _schemas[backend]


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run a test's coroutine, which must come to an end."""

    async def limited() -> None:
        await asyncio.wait_for(main(), 30)

    asyncio.run(limited())


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    for _ in range(200):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came to be")


ways = ("local", "remote")
"""How a server is called."""
