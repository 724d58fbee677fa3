"""What each kind of message does to the state of a connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ccapnp.errors import FailedError, UnionError
from ccapnp.rpc.core.errors import ProtocolError, error_of
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.payload import CapabilityPayload, Payload, ReceivedPayload
from ccapnp.rpc.core.pending import PendingCall, failed
from ccapnp.rpc.core.questions import Elsewhere, Question
from ccapnp.rpc.core.remote import ImportPromise
from ccapnp.rpc.core.request import Request
from ccapnp.rpc.core.wire import read_exception

if TYPE_CHECKING:
    from ccapnp.rpc.core.connection import Connection

__all__ = ["handle"]


def handle(connection: Connection, message: Any, size: int) -> None:
    """Do what a message of ``size`` bytes says; ProtocolError if it says what it must not."""
    try:
        kind = message.which()
    except UnionError:
        kind = ""
    handler = _HANDLERS.get(kind)
    if handler is None:  # of another level, or of a newer version
        answer = connection.wire.new()
        answer.unimplemented = message
        connection.send_message(answer)
    else:
        handler(connection, message, size)


def _payload(connection: Connection, payload: Any) -> Payload:
    """A payload, and with it the capabilities that it brings."""
    table = payload.capTable
    return ReceivedPayload(payload, connection.wire, connection.descriptors.read_all(table) if len(table) else None)


# ---- the peer's calls


def _bootstrap(connection: Connection, message: Any, size: int) -> None:
    bootstrap = message.bootstrap
    answer = connection.answers.add(bootstrap.questionId, size)
    if not bootstrap._c.pointers or bootstrap._c.is_null(bootstrap._w + bootstrap._c.data_words):
        try:
            hook = connection.bootstrap_hook()
        except Exception as error:  # noqa: BLE001  # a factory of the user's
            hook = BrokenHook(error_of(error))
    else:
        hook = BrokenHook(FailedError("there are no capabilities by an object id; ask for the bootstrap interface"))
    connection.answers.begin(answer, failed(hook.error) if isinstance(hook, BrokenHook) else _only(hook))


def _only(hook: Hook) -> PendingCall:
    """A call whose results are one capability."""
    call = PendingCall()
    call.results = CapabilityPayload(hook)
    return call


def _call(connection: Connection, message: Any, size: int) -> None:
    call = message.call
    to = call.sendResultsTo.which()
    if to == "thirdParty":
        raise ProtocolError("results cannot be sent to a third party")
    answer = connection.answers.add(call.questionId, size, to == "yourself", not call.onlyPromisePipeline)
    params = _payload(connection, call.params)
    target = connection.find_target(call.target).innermost()
    request = Request(call.interfaceId, call.methodId, params, origin=connection, is_awaited_here=answer.is_redirected)
    connection.answers.begin(answer, target.call(request))


def _finish(connection: Connection, message: Any, size: int) -> None:
    finish = message.finish
    answer = connection.answers.get(finish.questionId)
    if answer is None:
        return  # it was not needed
    if answer.is_finished:
        raise ProtocolError(f"question {answer.number} is finished already")
    if finish.releaseResultCaps:
        connection.descriptors.release(answer.result_exports)
        answer.result_exports = []
    connection.answers.finish(answer, finish.requireEarlyCancellationWorkaround)


# ---- the answers to our calls


def _return(connection: Connection, message: Any, size: int) -> None:
    returned = message.return_
    number = returned.answerId
    asked = connection.questions.get(number)
    if asked is None or asked.is_returned:
        raise ProtocolError(f"there is no question {number} to return from")
    if returned.releaseParamCaps:
        connection.descriptors.release(asked.param_exports)
    asked.param_exports = []
    kind = returned.which()
    question = None if asked.question is None else asked.question()
    if asked.is_finished or question is None:
        if not asked.is_finished:
            connection.finish(number, asked)
        asked.is_returned = True
        connection.questions.pop(number)
        if kind == "takeFromOtherQuestion":
            _cancel_other(connection, returned.takeFromOtherQuestion)
        return
    asked.is_returned = True
    if asked.is_redirected != (kind == "resultsSentElsewhere") and kind != "canceled":
        raise ProtocolError(f"the results of question {number} are not where they were to be sent")
    if kind == "results":
        results = _payload(connection, returned.results)
        if returned.noFinishNeeded:
            asked.is_finished = True
            connection.questions.pop(number)
        question.complete(results)
    elif kind == "exception":
        question.fail(read_exception(returned.exception))
    elif kind == "resultsSentElsewhere":
        question.complete(Elsewhere(question))
        return  # the peer keeps them as long as something may be built upon them
    elif kind == "takeFromOtherQuestion":
        _take(connection, question, returned.takeFromOtherQuestion)
    elif kind == "canceled":
        raise ProtocolError(f"question {number}, which was not finished, was canceled")
    else:
        raise ProtocolError(f"question {number} was returned from with a {kind}")
    if not asked.is_fixed or kind == "exception":
        connection.finish(number, asked)


def _take(connection: Connection, question: Question, number: int) -> None:
    answer = connection.answers.get(number)
    if answer is None or not answer.is_redirected or answer.call is None:
        raise ProtocolError(f"question {number} has no results to take")
    answer.is_taken = True
    question.take(answer.call)


def _cancel_other(connection: Connection, number: int) -> None:
    answer = connection.answers.get(number)
    if answer is not None and answer.is_redirected and answer.call is not None:
        answer.call.drop()


# ---- capabilities


def _resolve(connection: Connection, message: Any, size: int) -> None:
    resolve = message.resolve
    kind = resolve.which()
    if kind == "cap":
        hook = connection.descriptors.read(resolve.cap)
        if hook is None:
            raise ProtocolError("a promise was resolved to no capability")
    elif kind == "exception":
        hook = BrokenHook(read_exception(resolve.exception))
    else:
        raise ProtocolError("a promise was resolved to something unknown")
    known = connection.descriptors.imports.get(resolve.promiseId)
    if known is None or known.hook() is None:
        return  # it has been released meanwhile
    if known.promise is None:
        raise ProtocolError(f"capability {resolve.promiseId}, which is no promise, was resolved")
    promise = known.promise()
    if isinstance(promise, ImportPromise):
        promise.resolve(hook)


def _release(connection: Connection, message: Any, size: int) -> None:
    release = message.release
    if not connection.exports.release(release.id, release.referenceCount):
        raise ProtocolError(f"capability {release.id} was released more often than it was sent")


def _disembargo(connection: Connection, message: Any, size: int) -> None:
    disembargo = message.disembargo
    context = disembargo.context
    kind = context.which()
    if kind == "senderLoopback":
        connection.answer_disembargo(connection.find_target(disembargo.target), context.senderLoopback)
    elif kind == "receiverLoopback":
        found = connection.embargoes.pop(context.receiverLoopback)
        if found is None:
            raise ProtocolError(f"there is no embargo {context.receiverLoopback}")
        embargo, hook = found
        embargo.resolve(hook)
    else:
        answer = connection.wire.new()
        answer.unimplemented = message
        connection.send_message(answer)


# ---- the rest


def _unimplemented(connection: Connection, message: Any, size: int) -> None:
    original = message.unimplemented
    if original.which() != "resolve":
        raise ProtocolError(f"the peer does not implement the message {original.which()!r}")
    resolve = original.resolve
    if resolve.which() == "cap":
        _release_described(connection, resolve.cap)


def _release_described(connection: Connection, descriptor: Any) -> None:
    """Take back a capability that the peer had no use for."""
    kind = descriptor.which()
    if kind in ("senderHosted", "senderPromise") and not connection.exports.release(getattr(descriptor, kind), 1):
        raise ProtocolError("the peer does not implement a resolve that was not sent")


def _abort(connection: Connection, message: Any, size: int) -> None:
    connection.close(f"the peer cut the connection off: {message.abort.reason}")


_HANDLERS: dict[str, Callable[[Connection, Any, int], None]] = {
    "unimplemented": _unimplemented,
    "abort": _abort,
    "bootstrap": _bootstrap,
    "call": _call,
    "return": _return,
    "finish": _finish,
    "resolve": _resolve,
    "release": _release,
    "disembargo": _disembargo,
}
