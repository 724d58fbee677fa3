"""A peer that says what a test tells it to, message by message, and a connection that has no idea of that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Union

from ccapnp.codec import Codec, get_codec
from ccapnp.rpc.core.connection import Connection
from ccapnp.rpc.core.framing import Receiver
from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.local import IncomingCall, LocalHook
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.core.payload import BuiltPayload, Payload
from ccapnp.rpc.core.request import Request
from ccapnp.rpc.core.turns import Turns
from ccapnp.rpc.core.wire import wire_of
from ccapnp.wire.limits import Limits

__all__ = ["Peer", "Recorder", "new_turns", "payload_of"]


def new_turns() -> Turns:
    """Turns that are run by hand, and hide no error."""

    def report(error: BaseException) -> None:
        raise error

    return Turns(lambda: None, report)


def payload_of(codec: Codec, caps: Iterable[Hook]) -> Payload:
    """A struct whose first pointers are these capabilities."""
    caps = list(caps)
    root = codec.new_message()
    shape, word = root.init_struct(0, 1, max(len(caps), 1), lambda shape, word: (shape, word))
    table = root.arena.capability_table()
    for index, hook in enumerate(caps):
        shape.set_capability(word + 1 + index, index)
        table.append(hook)
    return BuiltPayload(root.read_struct(0, wire_of(codec).Message.Builder._at))


class Recorder:
    """An object here that keeps the calls it gets, for a test to answer."""

    def __init__(self, turns: Turns, is_streaming: bool = False) -> None:
        self.calls: list[IncomingCall] = []
        self.canceled: list[IncomingCall] = []
        self._is_streaming = is_streaming
        self.hook = LocalHook(self, turns, self._dispatch)

    def _dispatch(self, incoming: IncomingCall) -> bool:
        self.calls.append(incoming)
        incoming.on_cancel = lambda: self.canceled.append(incoming)
        return self._is_streaming


class Peer:
    """The other end of ``connection``."""

    def __init__(self, backend: str, options: Optional[Options] = None, bootstrap: Any = None) -> None:
        self.turns = new_turns()
        codec = get_codec(backend)
        self.main = Recorder(self.turns)
        self.connection = Connection(
            self.turns, codec, options or Options(), self.main.hook if bootstrap is None else bootstrap
        )
        self.wire = self.connection.wire
        self.error: Any = None
        self.connection.on_end = self._ended
        self._receiver = Receiver(self.wire, Limits())

    def _ended(self, error: BaseException) -> None:
        self.error = error

    # ---- messages, as dicts

    def send(self, **message: Any) -> list[dict[str, Any]]:
        """Send a message, and give those that come in answer."""
        return self.send_bytes(self.wire.Message.new_message(**message).to_bytes())

    def send_bytes(self, data: bytes) -> list[dict[str, Any]]:
        self.connection.receive(data)
        return self.received()

    def received(self) -> list[dict[str, Any]]:
        """The messages that have been sent to the peer, after all that there is to do has been done."""
        self.settle()
        found = []
        for data in self.connection.take_output():
            found += [message.to_dict() for message, _ in self._receiver.feed(bytes(data))]
        return found

    def settle(self) -> None:
        """Do all there is to do."""
        for _ in range(1000):
            if not self.turns._ready:
                return
            self.turns.run()
        raise AssertionError("it does not come to an end")

    # ---- the usual ones

    def bootstrap(self, question: int = 0) -> dict[str, Any]:
        """What the bootstrap is returned as."""
        (answer,) = self.send(bootstrap={"questionId": question})
        return answer["return"]  # type: ignore[no-any-return]

    def call(self, question: int, target: Union[int, dict[str, Any]] = 0, **more: Any) -> list[dict[str, Any]]:
        """Call the export of that number, or any target."""
        to = {"importedCap": target} if isinstance(target, int) else {"promisedAnswer": target}
        return self.send(call={"questionId": question, "target": to, "interfaceId": 7, "methodId": 1, **more})

    def results(self, caps: Iterable[Hook] = ()) -> Payload:
        """Results whose first pointers are these capabilities."""
        return payload_of(self.wire.codec, caps)

    def imported(self, descriptor: dict[str, Any], question: int = 90) -> Hook:
        """The capability that a descriptor in the parameters of a call stands for."""
        self.bootstrap(question)
        self.call(
            question + 1, {"questionId": question}, params={"content": self._capability(), "capTable": [descriptor]}
        )
        (incoming,) = self.main.calls[-1:]
        found = incoming.request.params.capability_at(())
        incoming.complete(Payload())
        self.send(finish={"questionId": question, "releaseResultCaps": False})
        self.received()
        return found

    def _capability(self) -> Any:
        import ccapnp

        message = ccapnp.MessageBuilder(backend=self.wire.codec.name)
        message.set_root(ccapnp.Capability(0))
        return message.root

    def ask(self, hook: Hook, interface_id: int = 5, method_id: int = 2, **how: bool) -> Any:
        """A call from here."""
        return hook.innermost().call(Request(interface_id, method_id, Payload(), **how))

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left in any table."""
        return self.connection.is_idle and not len(self.connection.embargoes)
