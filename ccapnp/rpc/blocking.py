"""RPC without an event loop of one's own: every call waits for its results, in whichever thread it is made.

One loop runs in a thread in the background, for all connections; objects that are passed as capabilities are called
there.  ``Ctrl-C`` stops waiting, and cancels the call.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Optional, TypeVar

from ccapnp.rpc import io
from ccapnp.rpc.classes.client import Client, close
from ccapnp.rpc.core.hooks import Hook
from ccapnp.types.capability import Holder
from ccapnp.types.interface import Interface
from ccapnp.types.struct_view import StructView

__all__ = ["BlockingClient", "BlockingConnection", "connect"]

_T = TypeVar("_T")


class _Background:
    """The loop, and the thread that it runs in, from when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._thread: Optional[threading.Thread] = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                self._thread = threading.Thread(target=run, name="ccapnp.rpc.blocking", daemon=True)
                self._thread.start()
            return self._loop

    def run(self, make: Callable[[], Awaitable[_T]], timeout: Optional[float] = None) -> _T:
        """Wait for what ``make()``, called in the loop, gives; asyncio's TimeoutError after ``timeout`` seconds."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a blocking call in the thread that works it off would wait for ever")

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


class BlockingClient(Holder):
    """A client whose methods wait for their results; capabilities in these are such clients again."""

    def __init__(self, client: Client, timeout: Optional[float]) -> None:
        self._client = client
        self._timeout = timeout

    def _entry(self) -> Any:
        return self._client._entry()

    def _send(self, request: Any, promise: Any) -> Any:
        return self._wait(lambda: self._client._send(request, promise))

    def _wait(self, call: Callable[[], Any]) -> Any:
        """Make a call in the loop, and wait for what it gives."""

        async def run() -> Any:
            value = call()
            return await value if inspect.isawaitable(value) else value

        value = _background.run(run, self._timeout)
        if isinstance(value, StructView):
            _wrap_table(value, self._timeout)
        return BlockingClient(value, self._timeout) if isinstance(value, Client) else value

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        if hasattr(method, "_gives_builder"):

            def call(*args: Any, **named: Any) -> Any:
                request = method(*args, **named)
                request._client = self
                return request

        else:

            def call(*args: Any, **named: Any) -> Any:
                return self._wait(lambda: method(*args, **named))

        call.__name__ = name
        call.__doc__ = method.__doc__
        return call

    def __dir__(self) -> list[str]:
        return dir(self._client)

    def __repr__(self) -> str:
        return f"<blocking {self._client!r}>"

    __reduce_ex__ = Client.__reduce_ex__

    def __enter__(self) -> BlockingClient:
        return self

    def __exit__(self, *error: object) -> None:
        close(self._client)


class _BlockingEntry(Hook):
    """A capability in a message that is read by a thread without a loop."""

    __slots__ = ("_hook", "present")

    def __init__(self, hook: Hook, timeout: Optional[float]) -> None:
        self._hook = hook
        self.present = lambda client: BlockingClient(client, timeout)

    def innermost(self) -> Hook:
        return self._hook.innermost()


def _wrap_table(view: StructView, timeout: Optional[float]) -> None:
    table = getattr(view._c.arena, "caps", [])
    table[:] = [None if hook is None else _BlockingEntry(hook, timeout) for hook in table]


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
