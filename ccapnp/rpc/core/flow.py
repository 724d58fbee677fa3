"""Streaming calls to one capability: how many bytes of them may be on their way."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Optional

from ccapnp.errors import RpcError
from ccapnp.rpc.core.payload import Payload
from ccapnp.rpc.core.pending import PendingCall, failed

if TYPE_CHECKING:
    from ccapnp.rpc.core.questions import Question

__all__ = ["Flow"]


class Flow:
    """A window of bytes.  A call is done for its caller when the next may follow; the peer's return acknowledges it.

    What is in flight may exceed the window by the largest call so far, so that a window smaller than one call works.
    The calls themselves are held here: whoever made one, and went away, does not cancel it.
    """

    __slots__ = ("_flying", "_largest", "_size", "_waiting", "_window", "error")

    def __init__(self, window: int) -> None:
        self._window = window
        self._size = 0
        self._largest = 0
        self._flying: set[Question] = set()
        self._waiting: deque[PendingCall] = deque()
        self.error: Optional[RpcError] = None

    def add(self, question: Question, size: int) -> PendingCall:
        """A call of ``size`` bytes that was just sent, as its caller is to have it."""
        if self.error is not None:
            return failed(self.error)
        self._size += size
        self._largest = max(self._largest, size)
        self._flying.add(question)
        call = PendingCall()
        self._waiting.append(call)
        question.when_done(lambda done: self._acknowledged(question, size))
        self._let_go()
        return call

    def _acknowledged(self, question: Question, size: int) -> None:
        self._size -= size
        self._flying.discard(question)
        if question.error is not None:
            self.error = self.error or question.error
        self._let_go()

    def _let_go(self) -> None:
        while self._waiting and (self.error is not None or self._size <= self._window + self._largest):
            call = self._waiting.popleft()
            if self.error is None:
                call.complete(Payload())
            else:
                call.fail(self.error)
