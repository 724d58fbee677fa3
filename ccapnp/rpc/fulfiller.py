"""Capabilities that are handed out before they are there."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import FailedError
from ccapnp.rpc.classes.client import hook_of
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.hooks import BrokenHook
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.types.interface import Interface

__all__ = ["Fulfiller", "promise"]


class Fulfiller:
    """Says what a promised capability is; once it is known, to say it again has no effect.

    One that is freed before it has said so breaks the promise.
    """

    def __init__(self, queue: QueuedHook) -> None:
        self._queue = queue

    @property
    def is_done(self) -> bool:
        """Whether it is known."""
        return self._queue.is_settled

    def fulfill(self, target: Any) -> None:
        """It is a server, another client, or what an awaitable will give; calls that wait are made, in their order."""
        self._queue.resolve(hook_of(target))

    def reject(self, error: BaseException) -> None:
        """It will never be there: all calls fail with this error."""
        self._queue.resolve(BrokenHook(error_of(error)))

    def __del__(self) -> None:
        self._queue.resolve(BrokenHook(FailedError("whoever was to give the capability went away")))


def promise(interface: Any = Interface) -> tuple[Any, Fulfiller]:
    """A client that can be called and passed on at once, and what says later where its calls go."""
    queue = QueuedHook()
    return interface._client(queue), Fulfiller(queue)
