"""The peer's capabilities, and those that its answers will have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import RpcError
from ccapnp.rpc.core.flow import Flow
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.promises import PromiseHook, QueuedHook

if TYPE_CHECKING:
    from ccapnp.rpc.core.connection import Connection
    from ccapnp.rpc.core.pending import PendingCall
    from ccapnp.rpc.core.questions import Question
    from ccapnp.rpc.core.request import Request

__all__ = ["AnswerHook", "ImportHook", "ImportPromise", "ReflectedHook"]


class ImportHook(Hook):
    """A capability that the peer has under a number; ``count`` is how often it told of it, which it is told at last."""

    __slots__ = ("connection", "count", "flow", "number")

    path: Optional[tuple[int, ...]] = None
    """The way to it in the results of question ``number``, of what is not yet there."""

    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.number = number
        self.count = 0
        self.flow: Optional[Flow] = None

    def call(self, request: Request) -> PendingCall:
        return self.connection.send_call(self, request)  # type: ignore[no-any-return]

    def __del__(self) -> None:
        self.connection.turns.soon(self.connection.release_import, self.number, self.count)


class _RemotePromise(PromiseHook):
    """A promise of the peer's, to which calls are sent already.

    If it becomes something that is not the peer's, calls that went through the peer must arrive there before those that
    are made from now on: these wait until the peer says that it has passed on all it had (rpc.capnp, "Disembargo").
    """

    __slots__ = ("_connection", "flow", "was_called")

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self.was_called = False
        self.flow: Optional[Flow] = None

    @property
    def connection(self) -> Any:
        return self._connection if self.resolution is None else self.resolution.connection

    def call(self, request: Request) -> PendingCall:
        if self.resolution is not None:
            return self.innermost().call(request)
        self.was_called = True
        return self._connection.send_call(self, request)

    def resolve(self, hook: Hook) -> None:
        """Be that hook, behind an embargo if need be."""
        if self.resolution is not None:
            return
        hook = hook.innermost()
        if self.was_called and not isinstance(hook, BrokenHook):
            if hook.connection is not self._connection:
                embargo = QueuedHook()
                self._connection.send_disembargo(self, embargo, hook)
                hook = embargo
            elif isinstance(hook, _RemotePromise):
                hook.was_called = True  # what went through this promise may still be on its way through that one
        if isinstance(hook, (ImportHook, _RemotePromise)) and hook.flow is None:
            hook.flow = self.flow
        self._let_go()
        self._become(hook)

    def break_(self, error: RpcError) -> None:
        """Be broken: the connection is lost."""
        if self.resolution is None:
            self._let_go()
            self._become(BrokenHook(error))

    def _let_go(self) -> None:
        """Have no more use for what it was."""


class ImportPromise(_RemotePromise):
    """A capability that the peer does not know yet itself, and has under a number."""

    __slots__ = ("_import", "number")

    path = None

    def __init__(self, imported: ImportHook) -> None:
        super().__init__(imported.connection)
        self._import: Optional[ImportHook] = imported
        self.number = imported.number

    def fixed(self) -> Hook:
        return self if self._import is None else self._import

    def _let_go(self) -> None:
        self._import = None


class AnswerHook(_RemotePromise):
    """What a path of pointer fields will lead to in the results of a question."""

    __slots__ = ("_question", "number", "path")

    def __init__(self, question: Question, path: tuple[int, ...]) -> None:
        super().__init__(question.connection)
        self._question: Optional[Question] = question
        self.number = question.number
        self.path = path

    def fixed(self) -> Hook:
        return self if self._question is None else _FixedAnswer(self._question, self.path)

    def _let_go(self) -> None:
        self._question = None


class _FixedAnswer(Hook):
    """What a path leads to in the results of a question as the peer has them, which therefore is not finished."""

    __slots__ = ("_question", "flow", "number", "path")

    def __init__(self, question: Question, path: tuple[int, ...]) -> None:
        question.asked.is_fixed = True
        self._question = question
        self.number = question.number
        self.path = path
        self.flow: Optional[Flow] = None

    @property
    def connection(self) -> Any:
        return None if self._question.asked.is_finished else self._question.connection

    def call(self, request: Request) -> PendingCall:
        if self._question.asked.is_finished:  # it failed, or gave no capability
            return self._question.pipeline(self.path).call(request)
        return self._question.connection.send_call(self, request)


class ReflectedHook(Hook):
    """A promise of ours that became a capability of the peer's, named by the peer as ours: it does not know that yet.

    Calls that it sent to the promise may not have come back to it, so that it must not seem to be the peer's.  (This is
    the race of four in rpc.capnp, "Disembargo".)
    """

    __slots__ = ("_hook",)

    def __init__(self, hook: Hook) -> None:
        self._hook = hook

    def call(self, request: Request) -> PendingCall:
        return self._hook.innermost().call(request)
