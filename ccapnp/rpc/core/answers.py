"""The peer's calls to us: the table of them, and what is returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import CapnpError, FailedError, RpcError
from ccapnp.rpc.core.errors import ProtocolError, error_of
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.rpc.core.questions import Elsewhere, Question
from ccapnp.rpc.core.wire import write_exception

if TYPE_CHECKING:
    from ccapnp.rpc.core.connection import Connection
    from ccapnp.rpc.core.payload import Payload
    from ccapnp.rpc.core.pending import PendingCall

__all__ = ["Answer", "Answers"]


class Answer:
    """The entry of a call of the peer's, from when it comes until the peer has no more use for it.

    ``is_redirected`` is of a call whose results stay here, for a question of ours that will be told to take them.
    ``pipelines`` has what messages went to that were for capabilities of results which were not there yet.
    ``fixed`` has what messages for capabilities of the results go to, where that is not simply the capability.
    """

    __slots__ = (
        "call",
        "fixed",
        "is_finished",
        "is_redirected",
        "is_returned",
        "is_taken",
        "number",
        "pipelines",
        "result_exports",
        "table",
        "wants_return",
        "words",
    )

    def __init__(self, table: Answers, number: int, words: int, is_redirected: bool, wants_return: bool) -> None:
        self.table = table
        self.number = number
        self.words = words
        self.is_redirected = is_redirected
        self.wants_return = wants_return
        self.call: Optional[PendingCall] = None
        self.pipelines: dict[tuple[int, ...], Hook] = {}
        self.result_exports: list[int] = []
        self.fixed: dict[Hook, Hook] = {}
        self.is_returned = False
        self.is_finished = False
        self.is_taken = False

    def give(self, call: PendingCall) -> None:
        """Send what a call has given, which is done."""
        self.table.give(self, call)

    def give_elsewhere(self, call: PendingCall) -> None:
        """Send that a call, whose results these will be, has its results where they are wanted, if that is so."""
        self.table.give_elsewhere(self, call)


class _BehindHook(QueuedHook):
    """A capability of the peer's that calls of it have not reached yet which took another way."""

    __slots__ = ()


class Answers:
    """The table of answers.

    ``words`` is the size of the calls in flight, and ``unsent_words`` that of results which the peer has not taken, if
    it takes none just now.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._entries: dict[int, Answer] = {}
        self.words = 0
        self.unsent_words: Optional[int] = None

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, number: object) -> bool:
        return number in self._entries

    def get(self, number: int) -> Optional[Answer]:
        """The entry of that number, if there is one."""
        return self._entries.get(number)

    def add(self, number: int, size_bytes: int, is_redirected: bool = False, wants_return: bool = True) -> Answer:
        """The entry of a new call; ProtocolError if the peer cannot make one."""
        if number in self._entries:
            raise ProtocolError(f"question {number} is in use already")
        if len(self._entries) >= self._connection.options.max_calls:
            raise ProtocolError(f"there are {len(self._entries)} calls in flight, which are too many")
        answer = self._entries[number] = Answer(self, number, size_bytes >> 3, is_redirected, wants_return)
        return answer

    def capability(self, promised: Any) -> Hook:
        """What a PromisedAnswer means; it is broken where there is no such answer."""
        answer = self._entries.get(promised.questionId)
        path = []
        for operation in promised.transform:
            kind = operation.which()
            if kind == "getPointerField":
                path.append(operation.getPointerField)
            elif kind != "noop":
                raise ProtocolError("a promised answer has an unknown operation")
        if answer is None or answer.call is None:
            return BrokenHook(
                FailedError("Pipeline call on a request that returned no capabilities or was already closed.")
            )
        options = self._connection.options
        if len(path) > options.nesting_limit:
            return BrokenHook(FailedError(f"a path of {len(path)} steps leads deeper than any message may be"))
        hook = answer.pipelines.get(tuple(path))
        if hook is None:
            if len(answer.pipelines) >= options.max_capabilities:
                raise ProtocolError(f"calls are built upon {len(answer.pipelines)} places in the results of one")
            hook = answer.call.pipeline(tuple(path))
            if not answer.call.is_done:
                answer.pipelines[tuple(path)] = hook  # the way that these calls took is that of all others
        if answer.fixed and answer.call.results is not None:
            fixed = answer.fixed.get(answer.call.results.capability_at(tuple(path)))
            if fixed is not None:
                hook = answer.pipelines[tuple(path)] = self._behind(hook, fixed)
        return hook

    def _behind(self, hook: Hook, fixed: Hook) -> Hook:
        """What messages go to that are for a promise of the peer's: it, but behind calls that took another way."""
        innermost = hook.innermost()
        if isinstance(innermost, _BehindHook):
            return innermost
        if innermost is fixed or not innermost.is_promise or innermost.connection is self._connection:
            return fixed
        queue = _BehindHook()
        innermost.when_resolved(lambda found: queue.resolve(fixed))
        return queue

    def begin(self, answer: Answer, call: PendingCall) -> None:
        """Have the results of a call go to the peer."""
        answer.call = call
        self.words += answer.words
        if isinstance(call, Question):
            self.give_elsewhere(answer, call)
        elif not call.is_done:
            call.on_adopt = answer.give_elsewhere
        call.when_done(answer.give)

    def give_elsewhere(self, answer: Answer, call: PendingCall) -> None:
        """Tell the peer that it has the results itself, or will have, if this is so."""
        is_there = isinstance(call, Question) and call.connection is self._connection and call.asked.is_redirected
        if is_there and not answer.is_redirected and not answer.is_returned:
            message = self._begin_return(answer)
            message.takeFromOtherQuestion = call.number  # type: ignore[attr-defined]
            self._end_return(answer, message)

    def _begin_return(self, answer: Answer) -> Any:
        message = self._connection.wire.new().init("return")
        message.answerId = answer.number
        message.releaseParamCaps = False
        return message

    def _end_return(self, answer: Answer, message: Any) -> None:
        self._returned(answer)
        self._connection.send(message._c.arena.framed())

    def _returned(self, answer: Answer) -> None:
        answer.is_returned = True
        connection = self._connection
        self.words -= answer.words
        if answer.is_finished:
            self._forget(answer)
        if connection.was_paused and not connection.is_paused:
            connection.turns.soon(connection.on_resume)

    def give(self, answer: Answer, call: PendingCall) -> None:
        """Send what a call has given."""
        if answer.is_returned or self._connection.error is not None:
            return
        results = call.results
        if not answer.wants_return:
            self._returned(answer)
        elif answer.is_finished:
            self._return_word(answer, "canceled")
        elif answer.is_redirected:
            self._return_word(answer, "resultsSentElsewhere")
        elif results is None:
            self._return_error(answer, call.error or FailedError("the call gave nothing"))
        elif isinstance(results, Elsewhere):
            self.give_elsewhere(answer, results.question)
        else:
            self._return_results(answer, results)

    def _return_word(self, answer: Answer, word: str) -> None:
        message = self._begin_return(answer)
        setattr(message, word, None)
        self._end_return(answer, message)

    def _return_error(self, answer: Answer, error: RpcError) -> None:
        message = self._begin_return(answer)
        trace = None if self._connection.options.trace is None else error.trace  # which may be that of another's peer
        write_exception(message.init("exception"), error, trace)
        self._end_return(answer, message)

    def _return_results(self, answer: Answer, results: Payload) -> None:
        connection, exported = self._connection, answer.result_exports
        needs_finish = bool(results.caps)
        try:
            describe = connection.descriptors.describe_all
            framed = connection.wire.results(answer.number, results, needs_finish, describe, exported)
            connection.checked(framed, "result")
        except CapnpError as error:
            connection.descriptors.release(exported)
            answer.result_exports = []
            self._return_error(answer, error_of(error))
            return
        if needs_finish:
            answer.fixed = connection.descriptors.fixed(results.caps)
        else:
            answer.is_finished = True
        self._returned(answer)
        if self.unsent_words is not None:
            self.unsent_words += len(framed) >> 3
        connection.send(framed)

    def finish(self, answer: Answer, needs_delivery: bool) -> None:
        """The peer has no more use for an answer."""
        answer.is_finished = True
        if answer.is_returned:
            self._forget(answer)
        elif needs_delivery:
            self._connection.turns.soon(self._connection.turns.soon, self._cancel, answer)
        else:
            self._cancel(answer)

    def _forget(self, answer: Answer) -> None:
        self._entries.pop(answer.number, None)
        answer.call = None
        answer.pipelines = {}

    def _cancel(self, answer: Answer) -> None:
        if not answer.is_returned and self._connection.error is None:
            call = answer.call
            if answer.wants_return:
                self._return_word(answer, "canceled")
            else:
                self._returned(answer)
            if not answer.is_taken and call is not None:
                call.drop()

    def close(self) -> None:
        """Cancel all calls: there is nobody any more who waits for them."""
        entries, self._entries = list(self._entries.values()), {}
        for answer in entries:
            answer.is_finished = answer.is_returned = True
            call, answer.call = answer.call, None
            answer.pipelines = {}
            if call is not None:
                call.drop()
