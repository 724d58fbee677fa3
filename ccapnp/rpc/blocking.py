"""RPC without an event loop of one's own: every call waits for its results, in whichever thread it is made.

One loop runs in a thread in the background, for all connections; objects that are passed as capabilities are called
there.  ``Ctrl-C`` stops waiting, and cancels the call.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Optional, TypeVar

from ccapnp.rpc import io
from ccapnp.rpc.classes.client import Client
from ccapnp.types.interface import Interface
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_view import StructView

__all__ = ["BlockingClient", "BlockingConnection", "connect"]

_T = TypeVar("_T")


class _Background:
    """The loop, and the thread that it runs in, from when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="ccapnp.rpc.blocking", daemon=True).start()
            return self._loop

    def run(self, make: Callable[[], Awaitable[_T]], timeout: Optional[float] = None) -> _T:
        """Wait for what ``make()``, called in the loop, gives; asyncio's TimeoutError after ``timeout`` seconds."""

        async def wait() -> _T:
            made = make()
            return await (made if timeout is None else asyncio.wait_for(made, timeout))

        future = asyncio.run_coroutine_threadsafe(wait(), self.loop())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


_background = _Background()


class BlockingClient:
    """A client whose methods wait, and give what the results hold; capabilities in them are such clients again."""

    def __init__(self, client: Client, timeout: Optional[float]) -> None:
        self._client = client
        self._timeout = timeout

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        if not callable(method):
            return method

        def call(*args: Any, **named: Any) -> Any:
            made_args = [_bare(each) for each in args]
            made_named = {key: _bare(each) for key, each in named.items()}

            async def run() -> Any:
                value = method(*made_args, **made_named)
                return await value if inspect.isawaitable(value) else value

            return _shown(_background.run(run, self._timeout), self._timeout)

        call.__name__ = name
        call.__doc__ = method.__doc__
        return call

    def __dir__(self) -> list[str]:
        return dir(self._client)

    def __repr__(self) -> str:
        return f"<blocking {self._client!r}>"

    def __enter__(self) -> BlockingClient:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()


class _Results:
    """A reader of which capabilities are given as blocking clients."""

    __slots__ = ("_reader", "_timeout")

    def __init__(self, reader: Any, timeout: Optional[float]) -> None:
        self._reader = reader
        self._timeout = timeout

    def __getattr__(self, name: str) -> Any:
        return _shown(getattr(self._reader, name), self._timeout)

    def __getitem__(self, index: Any) -> Any:
        return _shown(self._reader[index], self._timeout)

    def __len__(self) -> int:
        return len(self._reader)

    def __repr__(self) -> str:
        return repr(self._reader)

    def __str__(self) -> str:
        return str(self._reader)

    def __dir__(self) -> list[str]:
        return dir(self._reader)


def _shown(value: Any, timeout: Optional[float]) -> Any:
    """A value as a thread without a loop is to have it."""
    if isinstance(value, Client):
        return BlockingClient(value, timeout)
    if isinstance(value, (StructView, ListReader)):
        return _Results(value, timeout)
    return value


def _bare(value: Any) -> Any:
    """The same the other way round, for parameters."""
    if isinstance(value, BlockingClient):
        return value._client
    if isinstance(value, _Results):
        return value._reader
    if isinstance(value, Mapping):
        return {key: _bare(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_bare(each) for each in value]
    return value


class BlockingConnection:
    """A connection for threads without an event loop; it is closed by `close`, or at the end of ``with``."""

    def __init__(self, connection: io.Connection, timeout: Optional[float]) -> None:
        self._connection = connection
        self._timeout = timeout

    def bootstrap(self, interface: Any = Interface) -> Any:
        """The peer's main capability."""

        async def get() -> Any:
            return self._connection.bootstrap(interface)

        return BlockingClient(_background.run(get), self._timeout)

    @property
    def is_closed(self) -> bool:
        """Whether it is closed, by whichever side."""
        return self._connection.is_closed

    @property
    def peer(self) -> Any:
        """The peer's address."""
        return self._connection.peer

    def close(self) -> None:
        """Close the connection, and wait until it is; it does no harm to do so twice."""

        async def end() -> None:
            self._connection.close()
            await self._connection.wait_closed()

        _background.run(end)

    def __enter__(self) -> BlockingConnection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def connect(
    host: Optional[str] = None, port: Optional[int] = None, *, timeout: Optional[float] = None, **options: Any
) -> BlockingConnection:
    """A connection, as of `ccapnp.rpc.connect`, whose other arguments it takes, too.

    ``timeout`` is in seconds, for connecting and for each call, which then raises TimeoutError and is canceled.
    """
    return BlockingConnection(_background.run(lambda: io.connect(host, port, **options), timeout), timeout)
