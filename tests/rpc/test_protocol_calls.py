"""Calls and what comes of them, message by message (rpc.capnp)."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp.errors import DisconnectedError, FailedError, OverloadedError, RpcError, UnimplementedError
from ccapnp.rpc.core.hooks import NULL
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.core.payload import CapabilityPayload, Payload
from ccapnp.rpc.core.request import Request
from tests.rpc.peer import Peer, Recorder


@pytest.fixture
def peer(backend: str) -> Peer:
    return Peer(backend)


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [next(iter(message)) for message in messages]


def aborted(messages: list[dict[str, Any]]) -> str:
    """The reason of the abort that is the last of some messages."""
    return str(messages[-1]["abort"]["reason"])


def reason(messages: list[dict[str, Any]]) -> str:
    """The reason of the exception that the only message returns."""
    (message,) = messages
    return str(message["return"]["exception"]["reason"])


# ---- bootstrap


@pytest.mark.conformance("PRO-01")
def test_the_bootstrap_is_a_single_capability(peer: Peer) -> None:
    answer = peer.bootstrap(3)
    assert answer["answerId"] == 3 and answer["results"]["capTable"] == [{"senderHosted": 0, "attachedFd": 255}]
    assert answer["results"]["content"].kind == "capability"


@pytest.mark.conformance("PRO-01")
def test_the_bootstrap_can_be_called_before_it_has_come(peer: Peer) -> None:
    peer.send(bootstrap={"questionId": 0})
    peer.call(1, {"questionId": 0})
    assert len(peer.main.calls) == 1


@pytest.mark.conformance("PRO-01")
def test_without_a_bootstrap_the_peer_is_told_so(backend: str) -> None:
    peer = Peer(backend, bootstrap=NULL)
    assert "does not expose any public/bootstrap interfaces" in reason(peer.send(bootstrap={"questionId": 0}))


@pytest.mark.conformance("PRO-01")
def test_there_are_no_capabilities_by_object_id(peer: Peer) -> None:
    message = peer.wire.new()
    bootstrap = message.init("bootstrap")
    bootstrap.deprecatedObjectId = "an object"
    assert "object id" in reason(peer.send_bytes(message.to_bytes()))


@pytest.mark.conformance("PRO-01")
def test_the_peers_bootstrap_is_asked_for_and_called_at_once(peer: Peer) -> None:
    hook = peer.connection.ask_bootstrap()
    call = peer.ask(hook)
    asked, called = peer.received()
    assert asked["bootstrap"]["questionId"] == 0
    assert called["call"]["target"]["promisedAnswer"] == {"questionId": 0}
    assert called["call"]["interfaceId"] == 5 and called["call"]["methodId"] == 2
    peer.send(**{"return": {"answerId": 1, "exception": {"reason": "no", "type": "overloaded"}}})
    assert isinstance(call.error, OverloadedError) and call.error.reason == "no"


# ---- calls


@pytest.mark.conformance("PRO-02")
def test_a_call_of_an_export_gets_its_results(peer: Peer) -> None:
    peer.bootstrap()
    assert peer.call(1) == []
    (incoming,) = peer.main.calls
    assert (incoming.request.interface_id, incoming.request.method_id) == (7, 1)
    incoming.complete(peer.results())
    (message,) = peer.received()
    assert message["return"]["answerId"] == 1 and "results" in message["return"]


@pytest.mark.conformance("PRO-02")
@pytest.mark.parametrize("message", ["call", "bootstrap"])
def test_a_question_in_use_cannot_be_asked_again(peer: Peer, message: str) -> None:
    peer.bootstrap()
    peer.call(1)
    found = peer.call(1) if message == "call" else peer.send(bootstrap={"questionId": 1})
    assert "question 1 is in use" in aborted(found) and isinstance(peer.error, DisconnectedError)


@pytest.mark.conformance("PRO-02")
def test_results_cannot_go_to_a_third_party(peer: Peer) -> None:
    peer.bootstrap()
    message = peer.wire.new()
    call = message.init("call")
    call.init("target").importedCap = 0
    call.sendResultsTo.thirdParty = "somebody"
    assert "third party" in aborted(peer.send_bytes(message.to_bytes()))


@pytest.mark.conformance("PRO-02", "PRO-16")
def test_operations_that_do_nothing_are_skipped(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1, {"questionId": 0, "transform": [{"noop": None}]})
    assert len(peer.main.calls) == 1


@pytest.mark.conformance("PRO-16")
def test_a_call_of_an_unknown_export_is_a_fault(peer: Peer) -> None:
    assert "no capability 9" in aborted(peer.call(1, 9))


@pytest.mark.conformance("PRO-16")
def test_a_call_on_an_unknown_answer_fails_alone(peer: Peer) -> None:
    peer.bootstrap()
    assert "Pipeline call on a request that returned no capabilities" in reason(peer.call(1, {"questionId": 8}))
    peer.call(2)
    assert len(peer.main.calls) == 1


@pytest.mark.conformance("PRO-16")
def test_calls_on_an_answer_wait_for_it_and_keep_their_order(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    path = {"questionId": 1, "transform": [{"getPointerField": 0}]}
    for number in range(5):
        assert peer.call(2 + number, path, methodId=number) == []
    other = Recorder(peer.turns)
    peer.main.calls[0].complete(peer.results([other.hook]))
    peer.received()
    assert [incoming.request.method_id for incoming in other.calls] == list(range(5))
    peer.call(9, path, methodId=9)
    assert other.calls[-1].request.method_id == 9


@pytest.mark.conformance("PRO-16")
def test_calls_on_an_answer_that_fails_fail_with_its_error(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    peer.call(2, {"questionId": 1, "transform": [{"getPointerField": 0}]})
    peer.main.calls[0].fail(OverloadedError("too much"))
    answers = {each["return"]["answerId"]: each["return"]["exception"] for each in peer.received()}
    assert {(number, each["reason"], each["type"]) for number, each in answers.items()} == {
        (1, "too much", "overloaded"),
        (2, "too much", "overloaded"),
    }
    assert reason(peer.call(3, {"questionId": 1, "transform": [{"getPointerField": 0}]})) == "too much"


@pytest.mark.conformance("PRO-16")
@pytest.mark.parametrize(
    "transform",
    [[], [{"getPointerField": 1}], [{"getPointerField": 60000}], [{"getPointerField": 0}, {"getPointerField": 0}]],
)
def test_a_path_to_no_capability_fails_the_call(peer: Peer, transform: list[dict[str, int]]) -> None:
    peer.bootstrap()
    peer.call(1)
    peer.main.calls[0].complete(peer.results([Recorder(peer.turns).hook]))
    peer.received()
    assert reason(peer.call(2, {"questionId": 1, "transform": transform}))
    assert peer.error is None


@pytest.mark.conformance("PRO-16")
def test_a_call_on_a_finished_answer_fails(peer: Peer) -> None:
    peer.bootstrap()
    peer.send(finish={"questionId": 0, "releaseResultCaps": False})
    assert "already closed" in reason(peer.call(1, {"questionId": 0}))


# ---- results


@pytest.mark.conformance("PRO-03")
def test_what_our_calls_bring_along_is_released_one_by_one(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    passed = Recorder(peer.turns)
    call = hook.call(Request(1, 1, CapabilityPayload(passed.hook)))
    (message,) = peer.received()
    assert message["call"]["params"]["capTable"] == [{"senderHosted": 1, "attachedFd": 255}]
    peer.send(**{"return": {"answerId": message["call"]["questionId"], "releaseParamCaps": False, "results": {}}})
    assert call.results is not None and peer.connection.exports.get(1) is not None
    peer.send(release={"id": 1, "referenceCount": 1})
    assert peer.connection.exports.get(1) is None


@pytest.mark.conformance("PRO-03", "PRO-20")
def test_a_return_may_release_all_that_the_call_brought_along(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    passed = Recorder(peer.turns)
    call = hook.call(Request(1, 1, CapabilityPayload(passed.hook)))
    (message,) = peer.received()
    peer.send(**{"return": {"answerId": message["call"]["questionId"], "results": {}}})
    assert call.is_done and peer.connection.exports.get(1) is None


@pytest.mark.conformance("PRO-03")
@pytest.mark.parametrize("answer", [{"canceled": None}, {"acceptFromThirdParty": None}, {"resultsSentElsewhere": None}])
def test_a_call_that_is_waited_for_has_results_or_an_error(peer: Peer, answer: dict[str, Any]) -> None:
    call = peer.ask(peer.connection.ask_bootstrap())
    peer.received()
    assert aborted(peer.send(**{"return": {"answerId": 1, **answer}}))
    assert isinstance(call.error, DisconnectedError)


@pytest.mark.conformance("RPC-17", "PRO-18", "TWO-04")
def test_a_return_from_no_question_cuts_the_peer_off(peer: Peer) -> None:
    assert "no question 4" in aborted(peer.send(**{"return": {"answerId": 4, "results": {}}}))
    assert isinstance(peer.error, DisconnectedError)


@pytest.mark.conformance("PRO-04")
def test_results_without_capabilities_need_no_finish(peer: Peer) -> None:
    peer.bootstrap()
    for number, caps in enumerate(([], [Recorder(peer.turns).hook])):
        peer.call(1 + number)
        peer.main.calls[-1].complete(peer.results(caps))
        (message,) = peer.received()
        assert message["return"]["noFinishNeeded"] is (not caps)
    assert peer.send(finish={"questionId": 1}) == [] and peer.error is None
    assert 2 in peer.connection.answers and 1 not in peer.connection.answers


@pytest.mark.conformance("PRO-04")
def test_a_peer_that_needs_no_finish_gets_none(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook)
    (message,) = peer.received()
    number = message["call"]["questionId"]
    assert peer.send(**{"return": {"answerId": number, "noFinishNeeded": True, "results": {}}}) == []
    assert call.results is not None
    peer.ask(hook)
    assert peer.received()[0]["call"]["questionId"] == number


@pytest.mark.conformance("PRO-05")
def test_a_question_is_finished_when_it_is_done(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook)
    peer.received()
    (message,) = peer.send(**{"return": {"answerId": 0, "results": {}}})
    assert message["finish"] == {
        "questionId": 0,
        "releaseResultCaps": False,
        "requireEarlyCancellationWorkaround": False,
    }
    assert call.is_done


@pytest.mark.conformance("PRO-05", "PRO-06")
def test_a_call_that_is_dropped_is_finished_with_all_its_results(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook)
    peer.received()
    call.drop()
    (message,) = peer.received()
    assert message["finish"]["releaseResultCaps"] is True
    table = [{"senderHosted": 6}]
    results = {"content": peer._capability(), "capTable": table}
    assert peer.send(**{"return": {"answerId": 0, "results": results}}) == []
    assert peer.error is None and not len(peer.connection.questions)
    assert peer.send(**{"return": {"answerId": 0, "canceled": None}})[-1]["abort"]


@pytest.mark.conformance("PRO-05")
def test_a_call_that_nothing_refers_to_is_finished(peer: Peer) -> None:
    import gc

    hook = peer.imported({"senderHosted": 5})
    call = peer.ask(hook)
    peer.received()
    del call
    gc.collect()
    assert kinds(peer.received()) == ["finish"]


@pytest.mark.conformance("PRO-06")
def test_a_call_whose_answer_is_finished_is_canceled(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    (message,) = peer.send(finish={"questionId": 1, "requireEarlyCancellationWorkaround": False})
    assert "canceled" in message["return"]
    assert peer.main.canceled == peer.main.calls and 1 not in peer.connection.answers


@pytest.mark.conformance("PRO-05", "PRO-06")
@pytest.mark.parametrize("needs_delivery", [False, True])
def test_an_old_peer_has_a_call_delivered_that_it_finishes_at_once(peer: Peer, needs_delivery: bool) -> None:
    peer.bootstrap()
    call = peer.wire.Message.new_message(
        call={"questionId": 1, "target": {"importedCap": 0}, "interfaceId": 7, "params": {}}
    )
    finish = peer.wire.Message.new_message(
        finish={"questionId": 1, "requireEarlyCancellationWorkaround": needs_delivery}
    )
    (message,) = peer.send_bytes(call.to_bytes() + finish.to_bytes())
    assert "canceled" in message["return"]
    assert len(peer.main.calls) == (1 if needs_delivery else 0)


@pytest.mark.conformance("PRO-06")
def test_a_server_may_go_on_with_what_is_canceled(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    incoming = peer.main.calls[0]
    incoming.may_cancel = False
    peer.send(finish={"questionId": 1})
    assert peer.main.canceled == []
    incoming.complete(peer.results([Recorder(peer.turns).hook]))
    assert peer.received() == [] and len(peer.connection.exports) == 1


@pytest.mark.conformance("PRO-06", "CAP-04")
def test_a_call_goes_on_as_long_as_something_is_built_on_it(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    peer.call(2, {"questionId": 1, "transform": [{"getPointerField": 0}]})
    peer.send(finish={"questionId": 1})
    assert peer.main.canceled == []
    other = Recorder(peer.turns)
    peer.main.calls[0].complete(peer.results([other.hook]))
    peer.received()
    assert len(other.calls) == 1


# ---- exceptions


@pytest.mark.conformance("PRO-17")
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FailedError, "failed"),
        (OverloadedError, "overloaded"),
        (DisconnectedError, "disconnected"),
        (UnimplementedError, "unimplemented"),
    ],
)
def test_each_kind_of_error_crosses_in_both_directions(peer: Peer, error: type[RpcError], kind: str) -> None:
    peer.bootstrap()
    peer.call(1)
    peer.main.calls[0].fail(error("why"))
    (message,) = peer.received()
    assert message["return"]["exception"]["type"] == kind
    assert message["return"]["exception"]["reason"] == "why" and "trace" not in message["return"]["exception"]

    call = peer.ask(peer.connection.ask_bootstrap())
    peer.received()
    peer.send(**{"return": {"answerId": 1, "exception": {"reason": "why", "type": kind, "trace": "line 1"}}})
    assert type(call.error) is error and str(call.error) == "remote exception: why"
    assert call.error.reason == "why" and call.error.trace == "line 1" and call.error.is_remote


@pytest.mark.conformance("PRO-17")
def test_an_error_of_a_kind_that_is_not_known_is_a_failure(peer: Peer) -> None:
    call = peer.ask(peer.connection.ask_bootstrap())
    peer.received()
    peer.send(**{"return": {"answerId": 1, "exception": {"reason": "why", "type": 17}}})
    assert type(call.error) is FailedError


@pytest.mark.conformance("PRO-17")
def test_null_cannot_be_called(peer: Peer) -> None:
    assert str(peer.ask(NULL).error) == "Called null capability"


@pytest.mark.conformance("RPC-21")
def test_an_error_that_is_passed_on_is_a_remote_one_once(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1)
    inner = peer.ask(peer.connection.ask_bootstrap())
    question = peer.received()[-1]["call"]["questionId"]
    peer.main.calls[0].give(inner)
    answers = peer.send(**{"return": {"answerId": question, "exception": {"reason": "why"}}})
    assert [each["return"]["exception"]["reason"] for each in answers if "return" in each] == ["why"]


# ---- sizes


@pytest.mark.conformance("PRO-24", "TWO-06")
def test_what_is_too_large_to_be_sent_fails_alone(backend: str) -> None:
    peer = Peer(backend, Options(traversal_limit_in_words=100))
    peer.bootstrap()
    large = peer.wire.codec.new_message(300)
    large.set_bytes(0, bytes(1000), 1000, 1000)
    root = peer.wire.codec.new_message(300)
    shape, word = root.init_struct(0, 0, 1, lambda shape, word: (shape, word))
    shape.copy_pointer(word, large, 0)
    from ccapnp.rpc.core.payload import BuiltPayload

    payload = BuiltPayload(root.read_struct(0, peer.wire.Message.Builder._at))
    peer.call(1)
    peer.main.calls[0].complete(payload)
    assert "larger than our single-message size limit" in reason(peer.received())

    hook = peer.connection.ask_bootstrap()
    peer.received()
    call = hook.call(Request(1, 1, payload))
    assert "larger than our single-message size limit" in str(call.error)
    assert peer.received() == [] and peer.error is None


@pytest.mark.conformance("RPC-24")
def test_a_call_that_cannot_be_sent_exports_nothing(backend: str) -> None:
    peer = Peer(backend, Options(max_exports=2))
    hook = peer.imported({"senderHosted": 5})
    first, second = Recorder(peer.turns), Recorder(peer.turns)
    before = len(peer.connection.exports)
    call = hook.call(Request(1, 1, peer.results([first.hook, second.hook])))
    assert isinstance(call.error, FailedError) and len(peer.connection.exports) == before
    sent = hook.call(Request(1, 1, CapabilityPayload(first.hook)))
    assert peer.received()[0]["call"]["params"]["capTable"] == [{"senderHosted": 1, "attachedFd": 255}]
    assert not sent.is_done


# ---- hints


@pytest.mark.conformance("PRO-23")
def test_a_call_for_its_pipeline_alone_is_not_returned_from(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1 << 31, onlyPromisePipeline=True)
    peer.call(2, {"questionId": 1 << 31, "transform": [{"getPointerField": 0}]})
    other = Recorder(peer.turns)
    peer.main.calls[0].complete(peer.results([other.hook]))
    assert peer.received() == [] and len(other.calls) == 1
    peer.send(finish={"questionId": 1 << 31})
    assert 1 << 31 not in peer.connection.answers


@pytest.mark.conformance("PRO-23")
def test_other_hints_change_nothing(peer: Peer) -> None:
    peer.bootstrap()
    peer.call(1, noPromisePipelining=True, allowThirdPartyTailCall=True)
    peer.main.calls[0].complete(Payload())
    assert kinds(peer.received()) == ["return"]


@pytest.mark.conformance("PRO-27")
def test_messages_go_out_in_the_order_of_what_was_done(peer: Peer) -> None:
    hook = peer.imported({"senderHosted": 5})
    calls = [peer.ask(hook, method_id=number) for number in range(40)]
    assert [each["call"]["methodId"] for each in peer.received()] == list(range(40))
    assert not any(call.is_done for call in calls)
