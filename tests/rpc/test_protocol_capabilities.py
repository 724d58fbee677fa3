"""Capabilities in messages, promises and what becomes of them, message by message (rpc.capnp)."""

from __future__ import annotations

import gc
import sys
from typing import Any

import pytest

from ccapnp.errors import DisconnectedError, FailedError
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.core.payload import Payload
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.rpc.core.remote import ImportHook, ImportPromise
from ccapnp.rpc.core.request import Request
from tests.rpc.peer import Peer, Recorder
from tests.rpc.test_protocol_calls import aborted, kinds


@pytest.fixture
def peer(backend: str) -> Peer:
    return Peer(backend)


def pass_on(peer: Peer, to: Hook, *hooks: Hook) -> list[dict[str, Any]]:
    """The descriptors under which capabilities are sent in a call, whose results are dropped."""
    call = to.innermost().call(Request(1, 1, peer.results(hooks)))
    message = peer.received()[-1]
    call.drop()
    peer.received()
    peer.send(**{"return": {"answerId": message["call"]["questionId"], "releaseParamCaps": False, "canceled": None}})
    return [
        {kind: value for kind, value in descriptor.items() if kind != "attachedFd"}
        for descriptor in message["call"]["params"]["capTable"]
    ]


# ---- descriptors


@pytest.mark.conformance("PRO-07")
def test_a_capability_of_the_peers_goes_back_as_its_own(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    assert isinstance(hook, ImportHook) and pass_on(peer, hook, hook) == [{"receiverHosted": 5}]


@pytest.mark.conformance("PRO-07")
def test_a_capability_of_an_answer_goes_back_by_its_path(peer: Peer) -> None:
    main = peer.connection.ask_bootstrap()
    call = peer.ask(main)
    inner = call.pipeline((2, 1))
    assert pass_on(peer, main, inner) == [
        {"receiverAnswer": {"questionId": 1, "transform": [{"getPointerField": 2}, {"getPointerField": 1}]}}
    ]


@pytest.mark.conformance("PRO-07")
def test_our_own_capability_comes_back_as_the_object(peer: Peer) -> None:
    peer.bootstrap()
    assert peer.imported({"receiverHosted": 0}) is peer.main.hook


@pytest.mark.conformance("PRO-07")
@pytest.mark.parametrize("descriptor", [{"receiverHosted": 77}, {"receiverAnswer": {"questionId": 77}}])
def test_what_the_peer_names_and_we_do_not_have_is_broken(peer: Peer, descriptor: dict[str, Any]) -> None:
    hook = peer.imported(descriptor)
    assert isinstance(hook, BrokenHook) and peer.error is None


@pytest.mark.conformance("PRO-07")
def test_an_answer_of_ours_can_be_named_before_it_is_there(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    first = peer.main.calls[0]
    hook = peer.imported({"receiverAnswer": {"questionId": 1, "transform": [{"getPointerField": 0}]}})
    call, other = peer.ask(hook), Recorder(peer.turns)
    first.complete(peer.results([other.hook]))
    peer.settle()
    other.calls[0].complete(Payload())
    assert call.results is not None


@pytest.mark.conformance("PRO-07", "PRO-25")
def test_what_a_third_party_has_is_reached_by_the_vine(peer: Peer) -> None:
    hook = peer.imported({"thirdPartyHosted": {"vineId": 6}})
    assert isinstance(hook, ImportHook) and hook.number == 6


@pytest.mark.conformance("PRO-07")
def test_none_is_no_capability(peer: Peer) -> None:
    assert isinstance(peer.imported({"none": None}), BrokenHook)


# ---- counting


@pytest.mark.conformance("PRO-08", "RPC-10", "RPC-25")
def test_a_capability_has_one_number_however_often_it_is_sent(peer: Peer) -> None:
    to, sent = peer.imported({"senderHosted": 5}), Recorder(peer.turns)
    descriptors = [*pass_on(peer, to, sent.hook, sent.hook), *pass_on(peer, to, sent.hook)]
    (number,) = {each["senderHosted"] for each in descriptors}
    peer.send(release={"id": number, "referenceCount": 2})
    assert peer.connection.exports.get(number) is not None
    peer.send(release={"id": number, "referenceCount": 1})
    assert peer.connection.exports.get(number) is None


@pytest.mark.conformance("RPC-24")
def test_the_lowest_free_number_is_taken(peer: Peer) -> None:
    to = peer.imported({"senderHosted": 5})
    hooks = [Recorder(peer.turns).hook for _ in range(4)]
    assert [each["senderHosted"] for each in pass_on(peer, to, *hooks[:3])] == [1, 2, 3]
    peer.send(release={"id": 2, "referenceCount": 1})
    assert pass_on(peer, to, hooks[3]) == [{"senderHosted": 2}]


@pytest.mark.conformance("PRO-08")
@pytest.mark.parametrize(("number", "count"), [(0, 2), (33, 1)])
def test_what_is_released_too_often_is_a_fault(peer: Peer, number: int, count: int) -> None:
    peer.bootstrap()
    assert "released more often" in aborted(peer.send(release={"id": number, "referenceCount": count}))


@pytest.mark.conformance("PRO-08", "RPC-03")
def test_what_was_imported_several_times_is_released_once(peer: Peer) -> None:
    first = peer.imported({"senderHosted": 5})
    second = peer.imported({"senderHosted": 5}, question=70)
    assert first is second
    del first
    gc.collect()
    assert peer.received() == []
    del second
    gc.collect()
    (message,) = peer.received()
    assert message["release"] == {"id": 5, "referenceCount": 2}


@pytest.mark.conformance("RPC-04")
def test_capabilities_of_results_that_nobody_waits_for_are_released(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    peer.main.calls[0].complete(peer.results([Recorder(peer.turns).hook]))
    peer.received()
    before = len(peer.connection.exports)
    peer.send(finish={"questionId": 1, "releaseResultCaps": True})
    assert len(peer.connection.exports) == before - 1


@pytest.mark.conformance("RPC-09")
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython frees what is not used at once")
def test_parameters_are_released_when_a_call_is_canceled(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1, params={"content": peer._capability(), "capTable": [{"senderHosted": 8}]})
    messages = peer.send(finish={"questionId": 1})
    peer.main.calls.clear()
    peer.main.canceled.clear()
    gc.collect()
    assert sorted(kinds(messages + peer.received())) == ["release", "return"]


# ---- promises


@pytest.mark.conformance("PRO-09", "RPC-25")
def test_a_promise_is_sent_as_one_and_resolved_once(peer: Peer) -> None:
    to, promise, settled = peer.imported({"senderHosted": 5}), QueuedHook(), Recorder(peer.turns)
    assert pass_on(peer, to, promise, promise, QueuedHook()) == [
        {"senderPromise": 1},
        {"senderPromise": 1},
        {"senderPromise": 2},
    ]
    peer.call(1, 1)
    promise.resolve(settled.hook)
    (message,) = peer.received()
    assert message["resolve"] == {"promiseId": 1, "cap": {"senderHosted": 3, "attachedFd": 255}}
    assert len(settled.calls) == 1
    peer.send(release={"id": 1, "referenceCount": 2})
    assert peer.error is None


@pytest.mark.conformance("PRO-09", "RPC-14")
def test_a_promise_that_is_broken_is_resolved_to_an_error(peer: Peer) -> None:
    to, promise = peer.imported({"senderHosted": 5}), QueuedHook()
    pass_on(peer, to, promise)
    peer.call(1, 1)
    promise.resolve(BrokenHook(FailedError("gone")))
    messages = peer.received()
    assert {*kinds(messages)} == {"resolve", "return"}
    assert next(each for each in messages if "resolve" in each)["resolve"]["exception"]["reason"] == "gone"


@pytest.mark.conformance("PRO-09")
def test_the_peers_promise_becomes_what_it_resolves_to(peer: Peer) -> None:
    promise = peer.imported({"senderPromise": 5})
    assert isinstance(promise, ImportPromise) and promise.is_promise
    messages = peer.send(resolve={"promiseId": 5, "cap": {"senderHosted": 6}})
    assert isinstance(promise.innermost(), ImportHook) and promise.innermost().number == 6  # type: ignore[attr-defined]
    gc.collect()
    assert [*messages, *peer.received()] == [{"release": {"id": 5, "referenceCount": 1}}]


@pytest.mark.conformance("PRO-09", "RPC-16")
def test_the_peers_promise_may_break(peer: Peer) -> None:
    promise = peer.imported({"senderPromise": 5})
    call = peer.ask(promise)
    peer.received()
    peer.send(resolve={"promiseId": 5, "exception": {"reason": "gone"}})
    assert "gone" in str(peer.ask(promise).error) and not call.is_done


@pytest.mark.conformance("PRO-09")
def test_what_an_unknown_promise_resolves_to_is_released(peer: Peer) -> None:
    messages = peer.send(resolve={"promiseId": 44, "cap": {"senderHosted": 6}})
    gc.collect()
    assert [*messages, *peer.received()] == [{"release": {"id": 6, "referenceCount": 1}}]


@pytest.mark.conformance("PRO-09")
@pytest.mark.parametrize(
    ("number", "resolve"), [(5, {"cap": {"senderHosted": 6}}), (5, {"cap": {"none": None}})], ids=["settled", "none"]
)
def test_what_is_no_promise_cannot_be_resolved(peer: Peer, number: int, resolve: dict[str, Any]) -> None:
    hook = peer.imported({"senderHosted": number})
    assert aborted(peer.send(resolve={"promiseId": number, **resolve}))
    assert isinstance(hook, ImportHook)


# ---- embargoes


def reflected(peer: Peer) -> tuple[Recorder, Hook, list[Any]]:
    """A promise of the peer's that was called twice, and then resolved to an object here; the loopback is not back."""
    promise = peer.imported({"senderPromise": 5})
    own = Recorder(peer.turns)
    pass_on(peer, promise, own.hook)
    calls = [peer.ask(promise, method_id=number) for number in range(2)]
    peer.received()
    (message, *_) = peer.send(resolve={"promiseId": 5, "cap": {"receiverHosted": 1}})
    assert message["disembargo"] == {"target": {"importedCap": 5}, "context": {"senderLoopback": 0}}
    return own, promise, calls


@pytest.mark.conformance("PRO-13", "RPC-11")
def test_calls_wait_until_those_before_them_have_come_round(peer: Peer) -> None:
    own, promise, _ = reflected(peer)
    late = [peer.ask(promise, method_id=2), peer.ask(promise, method_id=3)]
    assert "call" not in kinds(peer.received()) and own.calls == []
    for number in range(2):
        peer.call(10 + number, 1, methodId=number)
    assert [each.request.method_id for each in own.calls] == [0, 1]
    peer.send(disembargo={"target": {"importedCap": 1}, "context": {"receiverLoopback": 0}})
    assert [each.request.method_id for each in own.calls] == [0, 1, 2, 3]
    own.calls[2].complete(Payload())
    assert late[0].results is not None


@pytest.mark.conformance("PRO-12")
def test_a_loopback_of_no_embargo_is_a_fault(peer: Peer) -> None:
    peer.bootstrap()
    found = peer.send(disembargo={"target": {"importedCap": 0}, "context": {"receiverLoopback": 3}})
    assert "no embargo 3" in aborted(found)


@pytest.mark.conformance("PRO-13")
@pytest.mark.parametrize(
    "resolve",
    [{"cap": {"senderHosted": 6}}, {"exception": {"reason": "no"}}, {"cap": {"receiverHosted": 55}}],
    ids=["the peer's", "broken", "unknown"],
)
def test_only_what_comes_back_here_is_embargoed(peer: Peer, resolve: dict[str, Any]) -> None:
    promise = peer.imported({"senderPromise": 5})
    call = peer.ask(promise)
    peer.received()
    assert "disembargo" not in kinds(peer.send(resolve={"promiseId": 5, **resolve}))
    assert not call.is_done


@pytest.mark.conformance("PRO-13", "RPC-11")
def test_what_was_never_called_needs_no_embargo(peer: Peer) -> None:
    promise = peer.imported({"senderPromise": 5})
    assert "disembargo" not in kinds(peer.send(resolve={"promiseId": 5, "cap": {"receiverHosted": 0}}))
    assert promise.innermost() is peer.main.hook


@pytest.mark.conformance("PRO-13", "RPC-15")
def test_results_with_null_need_no_embargo(peer: Peer) -> None:
    call = peer.ask(peer.connection.ask_bootstrap())
    built_on_it = peer.ask(call.pipeline((0,)))
    peer.received()
    assert {*kinds(peer.send(**{"return": {"answerId": 1, "results": {}}}))} == {"finish"}
    peer.send(**{"return": {"answerId": 2, "exception": {"reason": "null"}}})
    assert built_on_it.error is not None and peer.error is None


@pytest.mark.conformance("PRO-12", "TWO-16")
def test_a_disembargo_comes_back_behind_what_was_passed_on(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    path = {"questionId": 1, "transform": [{"getPointerField": 0}]}
    peer.call(2, path, methodId=9)
    theirs = peer.imported({"senderHosted": 5})
    peer.main.calls[0].complete(peer.results([theirs]))
    peer.received()
    messages = peer.send(disembargo={"target": {"promisedAnswer": path}, "context": {"senderLoopback": 4}})
    assert messages == [{"disembargo": {"target": {"importedCap": 5}, "context": {"receiverLoopback": 4}}}]


@pytest.mark.conformance("PRO-12")
def test_a_disembargo_of_what_is_not_the_senders_is_a_fault(peer: Peer) -> None:
    peer.bootstrap()
    found = peer.send(disembargo={"target": {"importedCap": 0}, "context": {"senderLoopback": 4}})
    assert "not the sender's" in aborted(found)


@pytest.mark.conformance("PRO-14")
def test_a_promise_of_ours_that_became_the_peers_seems_not_to_be_its(peer: Peer) -> None:
    to, promise = peer.imported({"senderHosted": 5}), QueuedHook()
    pass_on(peer, to, promise)
    theirs = peer.imported({"senderPromise": 6}, question=70)
    call = peer.ask(theirs)
    peer.received()
    promise.resolve(to)
    peer.received()
    messages = peer.send(resolve={"promiseId": 6, "cap": {"receiverHosted": 1}})
    assert "disembargo" in kinds(messages) and not call.is_done
    peer.ask(theirs)
    assert "call" not in kinds(peer.received())
    peer.send(disembargo={"target": {"importedCap": 1}, "context": {"receiverLoopback": 0}})
    assert peer.error is None


# ---- tail calls


@pytest.mark.conformance("PRO-15", "RPC-01d")
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython frees what is not used at once")
def test_a_tail_call_of_the_callers_own_object_is_answered_there(peer: Peer) -> None:
    peer.bootstrap()
    theirs = peer.imported({"senderHosted": 5})
    peer.call(1)
    peer.call(2, {"questionId": 1, "transform": [{"getPointerField": 0}]})
    peer.main.calls[-1].tail_call(theirs, Request(3, 4, Payload()))
    tail, *more = peer.received()
    assert tail["call"]["sendResultsTo"] == {"yourself": None}
    question = tail["call"]["questionId"]
    forwarded = next(each["call"] for each in more if "call" in each)
    assert forwarded["target"]["promisedAnswer"] == {"questionId": question, "transform": [{"getPointerField": 0}]}
    returned = [each["return"] for each in more if "return" in each]
    assert {(each["answerId"], each["takeFromOtherQuestion"]) for each in returned} == {
        (1, question),
        (2, forwarded["questionId"]),
    }
    assert peer.send(**{"return": {"answerId": question, "resultsSentElsewhere": None}}) == []
    assert peer.send(finish={"questionId": 1}) == []  # the other call is built upon it
    messages = peer.send(finish={"questionId": 2})
    gc.collect()
    finished = {each["finish"]["questionId"] for each in [*messages, *peer.received()] if "finish" in each}
    assert finished == {question, forwarded["questionId"]}


@pytest.mark.conformance("PRO-15")
def test_results_of_a_tail_call_are_taken_here(peer: Peer) -> None:
    peer.bootstrap()
    call = peer.ask(peer.connection.ask_bootstrap())
    inner = peer.ask(call.pipeline((0,)), method_id=8)
    asked = [each["call"]["questionId"] for each in peer.received() if "call" in each]
    peer.call(1, sendResultsTo={"yourself": None})
    peer.send(**{"return": {"answerId": asked[0], "takeFromOtherQuestion": 1}})
    other = Recorder(peer.turns)
    peer.main.calls[0].complete(peer.results([other.hook]))
    messages = peer.received()
    assert {"answerId": 1, "releaseParamCaps": False, "noFinishNeeded": False, "resultsSentElsewhere": None} in [
        each.get("return") for each in messages
    ]
    assert call.results is not None and call.results.capability_at((0,)) is other.hook
    assert not inner.is_done


@pytest.mark.conformance("PRO-15", "RPC-05")
def test_a_tail_call_is_canceled_with_the_call_once(peer: Peer) -> None:
    peer.bootstrap()
    call = peer.ask(peer.connection.ask_bootstrap())
    asked = [each["call"]["questionId"] for each in peer.received() if "call" in each]
    peer.call(1, sendResultsTo={"yourself": None})
    call.drop()
    peer.received()
    peer.send(**{"return": {"answerId": asked[0], "takeFromOtherQuestion": 1}})
    assert peer.main.canceled == peer.main.calls and len(peer.main.calls) == 1


@pytest.mark.conformance("PRO-15")
@pytest.mark.parametrize("answer", [{"takeFromOtherQuestion": 1}, {"takeFromOtherQuestion": 44}])
def test_only_results_that_stay_here_can_be_taken(peer: Peer, answer: dict[str, Any]) -> None:
    peer.bootstrap()
    peer.call(1)
    call = peer.ask(peer.connection.ask_bootstrap())
    asked = [each["call"]["questionId"] for each in peer.received() if "call" in each]
    assert "no results to take" in aborted(peer.send(**{"return": {"answerId": asked[0], **answer}}))
    assert isinstance(call.error, DisconnectedError)


@pytest.mark.conformance("PRO-15")
@pytest.mark.parametrize("answer", [{"results": {}}, {"exception": {"reason": "x"}}])
def test_results_of_a_tail_call_must_not_come_here(peer: Peer, answer: dict[str, Any]) -> None:
    peer.bootstrap()
    theirs = peer.imported({"senderHosted": 5})
    peer.call(1)
    peer.main.calls[-1].tail_call(theirs, Request(3, 4, Payload()))
    question = peer.received()[0]["call"]["questionId"]
    assert "not where they were to be sent" in aborted(peer.send(**{"return": {"answerId": question, **answer}}))


@pytest.mark.conformance("PRO-15")
def test_a_tail_call_elsewhere_is_an_ordinary_call(peer: Peer) -> None:
    peer.bootstrap()
    other = Recorder(peer.turns)
    peer.call(1)
    peer.main.calls[0].tail_call(other.hook, Request(3, 4, Payload()))
    assert peer.received() == []
    other.calls[0].complete(peer.results())
    assert "results" in peer.received()[0]["return"]


# ---- messages of other levels, and unknown ones


@pytest.mark.conformance("PRO-10")
def test_a_peer_that_knows_no_resolve_gives_back_what_it_brought(peer: Peer) -> None:
    to, promise, settled = peer.imported({"senderHosted": 5}), QueuedHook(), Recorder(peer.turns)
    pass_on(peer, to, promise)
    promise.resolve(settled.hook)
    (message,) = peer.received()
    number = message["resolve"]["cap"]["senderHosted"]
    peer.send(unimplemented={"resolve": {"promiseId": 1, "cap": {"senderHosted": number}}})
    assert peer.connection.exports.get(number) is None and peer.error is None


@pytest.mark.conformance("PRO-10")
@pytest.mark.parametrize("kind", ["call", "finish", "release"])
def test_a_peer_that_knows_no_calls_is_none(peer: Peer, kind: str) -> None:
    assert "does not implement" in aborted(peer.send(unimplemented={kind: {}}))


@pytest.mark.conformance("PRO-11", "PRO-25")
@pytest.mark.parametrize("kind", ["provide", "accept", "join", "obsoleteSave", "obsoleteDelete"])
def test_messages_of_other_levels_are_sent_back(peer: Peer, kind: str) -> None:
    content: Any = {"questionId": 3} if kind in ("provide", "accept", "join") else None
    message = peer.wire.Message.new_message(**{kind: content})
    (answer,) = peer.send_bytes(message.to_bytes())
    assert list(answer["unimplemented"]) == [kind] and peer.error is None


@pytest.mark.conformance("PRO-11")
def test_messages_that_are_not_known_are_sent_back(peer: Peer) -> None:
    message = peer.wire.new()
    message._c.u16[message._w << 2] = 99
    answers = list(peer.connection._receiver.feed(message.to_bytes()))
    assert len(answers) == 1
    peer.connection.receive(message.to_bytes())
    (sent,) = peer.connection.take_output()
    echoed = peer.wire.Message.from_bytes(sent).unimplemented
    assert echoed._c.u16[echoed._w << 2] == 99 and peer.error is None


# ---- the end


@pytest.mark.conformance("PRO-18")
def test_an_abort_of_the_peers_ends_all(peer: Peer) -> None:
    promise = peer.imported({"senderPromise": 5})
    call, built_on_it = peer.ask(promise), peer.ask(peer.ask(promise).pipeline((0,)))
    peer.call(1)
    peer.received()
    assert peer.send(abort={"reason": "you again", "type": "failed"}) == []
    for each in (call, built_on_it, peer.ask(promise)):
        assert isinstance(each.error, DisconnectedError) and "you again" in str(each.error)
    assert peer.main.canceled and not len(peer.connection.exports) and not peer.connection.answers


@pytest.mark.conformance("PRO-19", "TWO-02")
def test_the_end_of_the_stream_ends_all(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook)
    peer.connection.end()
    assert isinstance(call.error, DisconnectedError) and "Peer disconnected" in str(call.error)
    assert isinstance(peer.ask(hook).error, DisconnectedError) and isinstance(peer.error, DisconnectedError)
    assert isinstance(peer.ask(peer.connection.ask_bootstrap()).error, DisconnectedError)


@pytest.mark.conformance("PRO-18")
def test_an_embargo_ends_with_the_connection(peer: Peer) -> None:
    _, promise, _ = reflected(peer)
    waiting = peer.ask(promise)
    peer.connection.end()
    assert isinstance(waiting.error, DisconnectedError)


# ---- streams, and what is in flight


@pytest.mark.conformance("PRO-21", "TWO-09")
def test_a_window_of_bytes_is_in_flight(backend: str) -> None:
    peer = Peer(backend, Options(stream_window=1024))
    hook = peer.imported({"senderHosted": 5})
    calls = [peer.ask(hook, is_streaming=True)]
    size = len(peer.connection._output[0])
    while calls[-1].is_done:
        calls.append(peer.ask(hook, is_streaming=True))
    assert len(calls) == 1024 // size + 2
    sent = [each["call"]["questionId"] for each in peer.received()]
    for question in sent[:5]:
        peer.send(**{"return": {"answerId": question, "results": {}}})
        assert calls[-1].is_done
        calls.append(peer.ask(hook, is_streaming=True))
        assert not calls[-1].is_done


@pytest.mark.conformance("PRO-21", "CAP-23")
def test_a_streaming_call_that_fails_fails_all_that_follow(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    first = peer.ask(hook, is_streaming=True)
    question = peer.received()[0]["call"]["questionId"]
    assert first.results is not None
    peer.send(**{"return": {"answerId": question, "exception": {"reason": "full"}}})
    assert "full" in str(peer.ask(hook, is_streaming=True).error)


@pytest.mark.conformance("TWO-14")
def test_streaming_calls_outlive_who_made_them(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook, is_streaming=True)
    del call
    gc.collect()
    assert kinds(peer.received()) == ["call"]


@pytest.mark.conformance("PRO-22")
def test_a_peer_with_too_much_in_flight_has_to_wait(backend: str) -> None:
    peer = Peer(backend, Options(flow_limit_in_words=100))
    resumed: list[bool] = []
    peer.connection.on_resume = lambda: resumed.append(True)
    peer.bootstrap()
    question = 1
    while not peer.connection.is_paused:
        peer.call(question)
        question += 1
    assert 3 < question < 20 and not resumed
    peer.main.calls[0].complete(Payload())
    peer.received()
    assert not peer.connection.is_paused and resumed


@pytest.mark.conformance("PRO-22")
def test_results_that_a_peer_does_not_take_count_as_in_flight(backend: str) -> None:
    peer = Peer(backend, Options(flow_limit_in_words=100))
    peer.bootstrap()
    peer.connection.hold_output()
    for question in range(1, 20):
        peer.call(question)
        peer.main.calls[-1].complete(peer.results())
        peer.received()
    assert peer.connection.is_paused
    peer.connection.release_output()
    assert not peer.connection.is_paused


@pytest.mark.conformance("PRO-09")
def test_a_promise_that_cannot_be_told_of_is_broken_for_the_peer(backend: str) -> None:
    peer = Peer(backend, Options(max_exports=2))
    to, promise, settled = peer.imported({"senderHosted": 5}), QueuedHook(), Recorder(peer.turns)
    pass_on(peer, to, promise)
    after: list[Hook] = []
    promise.when_resolved(after.append)
    promise.resolve(settled.hook)
    (message,) = peer.received()
    assert "has not released" in message["resolve"]["exception"]["reason"]
    assert after == [settled.hook] and peer.error is None
