"""One connection: its four tables and the embargoes, what is sent, and how it ends.

Whoever has the transport calls `receive` with bytes as they come, and `end` when no more do.  ``on_output(may_wait)``
tells it that `take_output` has something to write, ``on_hurry()`` that this is to wait for nothing more, and
``on_end(error)`` that there is nothing to be done once it is written.  While `is_paused`, it reads no more;
``on_resume()`` tells it to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Optional, Union

from ccapnp.errors import CapnpError, DisconnectedError, FailedError, OverloadedError, RpcError
from ccapnp.rpc.core import receiving
from ccapnp.rpc.core.answers import Answers
from ccapnp.rpc.core.description import fill_target
from ccapnp.rpc.core.descriptors import Descriptors
from ccapnp.rpc.core.errors import ProtocolError, error_of
from ccapnp.rpc.core.flow import Flow
from ccapnp.rpc.core.framing import Receiver
from ccapnp.rpc.core.hooks import NULL, BrokenHook, Hook
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.core.pending import PendingCall, failed
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.rpc.core.questions import Asked, Question
from ccapnp.rpc.core.tables import Table
from ccapnp.rpc.core.wire import wire_of, write_exception
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    from ccapnp.codec import Codec
    from ccapnp.rpc.core.request import Request
    from ccapnp.rpc.core.turns import Turns

__all__ = ["Connection"]


_MOST_GATHERED = 16
"""Messages that are written together: the peer is to begin with the first while the last are made."""


def _nothing() -> None: ...


class Connection:
    """The protocol's state; ``bootstrap`` is what the peer gets if it asks, or a function that gives it."""

    def __init__(
        self,
        turns: Turns,
        codec: Codec,
        options: Options,
        bootstrap: Union[Hook, Callable[[], Optional[Hook]], None] = None,
    ) -> None:
        self.turns = turns
        self.wire = wire_of(codec)
        self.options = options
        self.bootstrap = bootstrap
        self.questions: Table[Asked] = Table()
        self.answers = Answers(self)
        self.descriptors = Descriptors(self)
        self.exports = self.descriptors.exports
        self.embargoes: Table[tuple[QueuedHook, Hook]] = Table()
        self.error: Optional[RpcError] = None
        """Why there is no connection any more."""
        self.owner: Any = None
        """What a user knows the connection as."""
        self.on_output: Callable[[bool], None] = lambda may_wait: None
        self.on_hurry: Callable[[], None] = _nothing
        self.on_end: Callable[[RpcError], None] = lambda error: None
        self.on_resume: Callable[[], None] = _nothing
        self.was_paused = False
        """Whether it is paused as far as is known, or was told, to whoever reads."""
        self._output: list[Any] = []
        self._unsent_questions = 0
        self.is_urgent = False
        """Whether something is to be written that should not wait for more."""
        self._receiver = Receiver(self.wire, Limits(options.traversal_limit_in_words, options.nesting_limit))

    # ---- bytes in and out

    def receive(self, data: bytes) -> None:
        """Take bytes from the peer, and do what they ask for."""
        self._handle(self._receiver.feed, data)

    def room(self) -> Optional[memoryview]:
        """Where the next bytes can be put, to be told of to `filled`; `None` if they are to be given to `receive`."""
        return self._receiver.room()

    def filled(self, size: int) -> None:
        """As `receive`, of so many bytes that were put where `room` said."""
        self._handle(self._receiver.filled, size)

    def _handle(self, messages: Callable[[Any], Iterator[tuple[Any, int]]], arrived: Any) -> None:
        if self.error is not None:
            return
        try:
            for message, size in messages(arrived):
                receiving.handle(self, message, size)
                if self.is_closed:
                    return
        except CapnpError as error:
            self.abort(f"{type(error).__name__}: {error}" if not isinstance(error, ProtocolError) else str(error))

    def end(self, reason: Optional[str] = None) -> None:
        """No more bytes will come: the peer closed the connection, or ``reason`` is what happened to it."""
        if reason is None:
            try:
                self._receiver.close()
                reason = "Peer disconnected"
            except CapnpError as error:
                reason = f"Peer disconnected: {error}"
        self.close(reason)

    def send(self, data: Any, may_wait: bool = False) -> None:
        """Have the bytes of a message written, which may wait for others if more is likely to follow it."""
        if self.error is None:
            output = self._output
            output.append(data)
            self.is_urgent = self.is_urgent or not may_wait
            if len(output) == 1 or len(output) == _MOST_GATHERED:
                self.on_output(may_wait)

    def send_message(self, message: Any) -> None:
        """Have a message written, which is no call and no result."""
        self.send(message.to_bytes())

    def take_output(self) -> list[Any]:
        """What is to be written, in this order."""
        output, self._output = self._output, []
        self._unsent_questions, self.is_urgent = 0, False
        return output

    @property
    def is_closed(self) -> bool:
        """Whether there is no connection any more."""
        return self.error is not None

    @property
    def is_paused(self) -> bool:
        """Whether the peer has so much in flight that it has to wait; `on_resume` is called when this has changed."""
        limit = self.options.flow_limit_in_words
        self.was_paused = limit is not None and self.answers.words + (self.answers.unsent_words or 0) > limit
        return self.was_paused

    def hold_output(self) -> None:
        """The peer takes no more for now; what is sent from now on waits in memory."""
        if self.answers.unsent_words is None:
            self.answers.unsent_words = 0

    def release_output(self) -> None:
        """The peer took what waited."""
        self.answers.unsent_words = None
        self.on_resume()

    @property
    def has_gathered(self) -> bool:
        """Whether there is so much to be written that nothing more should be waited for."""
        return len(self._output) >= _MOST_GATHERED

    def hurry(self) -> None:
        """Somebody waits: what there is to be written is not to wait for more if the peer has no other call of ours."""
        if self._unsent_questions and self._unsent_questions == len(self.questions):
            self.on_hurry()

    @property
    def is_quiet(self) -> bool:
        """Whether there is no more than one call in flight."""
        return len(self.questions) + len(self.answers) < 2

    @property
    def is_idle(self) -> bool:
        """Whether neither side has anything of the other's."""
        return not (len(self.questions) or self.answers or len(self.exports) or self.descriptors.imports)

    # ---- the end

    def abort(self, reason: str) -> None:
        """Tell the peer what it did wrong, and have done with it."""
        if self.error is None:
            message = self.wire.new()
            write_exception(message.init("abort"), FailedError(reason))
            self.send_message(message)
            self.close(f"the connection was cut off: {reason}")

    def close(self, reason: str) -> None:
        """Have all that is in flight fail, in both directions, with a DisconnectedError."""
        if self.error is not None:
            return
        error = self.error = DisconnectedError(reason)
        for asked in self.questions.clear():
            asked.is_finished = True
            question = None if asked.question is None else asked.question()
            if question is not None:
                question.fail(error)
        self.descriptors.break_all(error)
        for embargo, _ in self.embargoes.clear():
            embargo.resolve(BrokenHook(error))
        self.answers.close()
        self.bootstrap = None
        self.on_end(error)

    # ---- questions

    def ask_bootstrap(self) -> Hook:
        """The peer's main capability, which need not have come yet."""
        if self.error is not None:
            return BrokenHook(self.error)
        asked = Asked(is_redirected=False)
        number = self.questions.add(asked)
        message = self.wire.new()
        message.init("bootstrap").questionId = number
        self.send_message(message)
        return Question(self, number, asked, None).pipeline(())

    def send_call(self, target: Any, request: Request) -> PendingCall:
        """Call something of the peer's."""
        flow = None
        if request.is_streaming:
            flow = target.flow
            if flow is None:
                flow = target.flow = Flow(self.options.stream_window)
            elif flow.error is not None:
                return failed(flow.error)
        if self.error is not None:
            return failed(self.error)
        if len(self.questions) >= self.options.max_questions:
            return failed(OverloadedError(f"there are {len(self.questions)} calls in flight already"))
        asked = Asked(is_redirected=request.origin is self and not request.is_awaited_here)
        number = self.questions.add(asked)
        try:
            framed = self._framed_call(target, request, number, asked)
        except CapnpError as error:
            self.questions.pop(number)
            self.descriptors.release(asked.param_exports)
            return failed(error_of(error))
        self._unsent_questions += 1
        self.send(framed, may_wait=True)
        question = Question(self, number, asked, target)
        return question if flow is None else flow.add(question, len(framed))

    def _framed_call(self, target: Any, request: Request, number: int, asked: Asked) -> bytes:
        numbers = number, request.method_id, request.interface_id
        exported, describe = asked.param_exports, self.descriptors.describe_all
        framed = self.wire.call(target, numbers, request.params, asked.is_redirected, describe, exported)
        return self.checked(framed, "call")

    def checked(self, framed: bytes, what: str) -> bytes:
        """A message; FailedError if the peer might not take it, since we would not."""
        limit = self.options.traversal_limit_in_words
        if limit is not None and len(framed) >> 3 >= limit:
            raise FailedError(
                f"a {what} of {len(framed) >> 3} words is larger than our single-message size limit of {limit}; "
                "the option traversal_limit_in_words raises it"
            )
        return framed

    def finish(self, number: int, asked: Asked) -> None:
        """Tell the peer that a question is of no more use."""
        if asked.is_finished or self.error is not None:
            return
        asked.is_finished = True
        if asked.is_returned:
            self.send(self.wire.finish(number, keeps_caps=True), may_wait=True)
            self.questions.pop(number)
        else:
            self.send(self.wire.finish(number, keeps_caps=False), may_wait=True)

    # ---- what the peer calls

    def find_target(self, target: Any) -> Hook:
        """What a MessageTarget means; ProtocolError for an export that there is not."""
        kind = target.which()
        if kind == "importedCap":
            entry = self.exports.get(target.importedCap)
            if entry is None:
                raise ProtocolError(f"there is no capability {target.importedCap} to call")
            return entry.target
        if kind == "promisedAnswer":
            return self.answers.capability(target.promisedAnswer)
        raise ProtocolError("a message has a target of an unknown kind")

    def bootstrap_hook(self) -> Hook:
        """What the peer gets that asks for the main capability."""
        bootstrap = self.bootstrap() if callable(self.bootstrap) else self.bootstrap
        if bootstrap is None or bootstrap is NULL:
            return BrokenHook(
                FailedError(
                    "This vat does not expose any public/bootstrap interfaces: pass one to serve, connect or pair"
                )
            )
        return bootstrap

    # ---- capabilities

    def send_resolve(self, number: int, hook: Hook) -> None:
        """Tell the peer what a promise that it knows has become."""
        message = self.wire.new()
        resolve = message.init("resolve")
        resolve.promiseId = number
        try:
            if not isinstance(hook, BrokenHook):
                self.descriptors.describe(hook, []).fill(resolve.init("cap"))
        except RpcError as error:  # there is no room for another export
            hook = BrokenHook(error)
        if isinstance(hook, BrokenHook):
            write_exception(resolve.init("exception"), hook.error)
        self.send_message(message)

    def release_import(self, number: int, count: int) -> None:
        """Tell the peer that one of its capabilities, of which it told ``count`` times, is not in use any more."""
        if self.error is None:
            self.descriptors.forget_import(number)
            self.send(self.wire.release(number, count), may_wait=True)

    def send_disembargo(self, promise: Any, embargo: QueuedHook, hook: Hook) -> None:
        """Have the peer send back that all which was sent to a promise has been passed on; then be ``hook``."""
        message = self.wire.new()
        disembargo = message.init("disembargo")
        fill_target(disembargo.init("target"), promise.number, promise.path)
        disembargo.context.senderLoopback = self.embargoes.add((embargo, hook))
        self.send_message(message)

    def answer_disembargo(self, hook: Hook, number: int) -> None:
        """Send a disembargo back, once all that came before it has been passed on to the peer's own ``hook``.

        What it went to may be behind an embargo of ours.
        """
        hook = hook.innermost()
        if hook.connection is self:
            self.turns.soon(self._loop_back, hook, number)
        elif hook.is_promise:
            hook.when_resolved(lambda found: self.answer_disembargo(found, number))
        else:
            self.abort("a disembargo is for something that is not the sender's")

    def _loop_back(self, hook: Any, number: int) -> None:
        if self.error is not None:
            return
        message = self.wire.new()
        disembargo = message.init("disembargo")
        fill_target(disembargo.init("target"), hook.number, hook.path)
        disembargo.context.receiverLoopback = number
        self.send_message(message)
