"""Our calls to the peer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.payload import Payload
from ccapnp.rpc.core.pending import PendingCall

if TYPE_CHECKING:
    from ccapnp.rpc.core.connection import Connection

__all__ = ["Asked", "Elsewhere", "Question"]


class Asked:
    """The entry of a question in the table: what is left to do for it, whether or not anybody still waits."""

    __slots__ = ("is_finished", "is_fixed", "is_redirected", "is_returned", "param_exports", "question")

    def __init__(self, is_redirected: bool) -> None:
        self.question: Optional[ref[Question]] = None
        self.param_exports: list[int] = []
        self.is_redirected = is_redirected
        self.is_fixed = False  # whether what the peer sends us may have to go on to the results as it has them
        self.is_returned = False
        self.is_finished = False


class Question(PendingCall):
    """A call to the peer; ``target`` is what it was sent to, which is in use until it returns."""

    __slots__ = ("asked", "connection", "number", "target")

    def __init__(self, connection: Connection, number: int, asked: Asked, target: Optional[Hook]) -> None:
        super().__init__()
        self.connection = connection
        self.number = number
        self.asked = asked
        self.target = target
        asked.question = ref(self)

    def hurry(self) -> None:
        self.connection.hurry()

    def _new_pipeline(self, path: tuple[int, ...]) -> Any:
        from ccapnp.rpc.core.remote import AnswerHook

        return AnswerHook(self, path)

    def take(self, inner: PendingCall) -> None:
        """Have the results of a call of the peer's, as it has told us to.

        What was built upon this went by way of the peer, and may still be on its way back, whatever becomes of it here.
        """
        seen = self.connection.descriptors.seen_by_peer
        self._resolve_pipelines(lambda path: seen(inner.pipeline(path)))
        self.adopt(inner)

    def _done(self) -> None:
        self.target = None
        super()._done()

    def cancel(self) -> None:
        super().cancel()
        self.connection.finish(self.number, self.asked)

    def __del__(self) -> None:
        if not self.asked.is_finished:
            self.connection.turns.soon(self.connection.finish, self.number, self.asked)


class Elsewhere(Payload):
    """The results of a question that were not sent, since they are where they are wanted: at the peer."""

    __slots__ = ("question",)

    def __init__(self, question: Question) -> None:
        self.question = question

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        return self.question._new_pipeline(path)  # type: ignore[no-any-return]
