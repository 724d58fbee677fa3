"""The messages of rpc.capnp on one codec.

A call and its results are the two that matter for speed: each begins with the same words but for a few numbers, and so
they are begun as a copy of these words, and the numbers are put in where they stand.
"""

from __future__ import annotations

from functools import cache
from struct import Struct as Packer
from typing import Any, Callable, Optional

from ccapnp.codec import Codec, get_codec
from ccapnp.errors import REMOTE, DisconnectedError, FailedError, OverloadedError, RpcError, UnimplementedError
from ccapnp.rpc.core import rpc_capnp
from ccapnp.rpc.core.payload import Payload
from ccapnp.types.list_types import list_of
from ccapnp.types.module import add_nodes
from ccapnp.types.registry import TypeRegistry

__all__ = ["Envelope", "Wire", "read_exception", "wire_of", "write_exception"]

KINDS: tuple[type[RpcError], ...] = (FailedError, OverloadedError, DisconnectedError, UnimplementedError)
"""The class of each kind of exception, by its number."""

_FORMATS = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}
_ROOM_WORDS = 64


class Envelope:
    """Messages of one kind, with a payload that is built in place."""

    def __init__(self, wire: Wire, fill: Callable[[Any], tuple[Any, Any]]) -> None:
        """``fill(message)`` makes all that is there but the payload's content; it gives the struct and the payload."""
        root = wire.codec.new_message(_ROOM_WORDS)
        message = wire.Message._pointer.init(root, 0, None)
        self.wire = wire
        self.body, payload = fill(message)
        self.content_at: int = payload._w
        self.caps_at: int = payload._w + 1
        self._words = bytes(root.pieces()[0])
        self._size = len(self._words) >> 3

    def begin(self, words: int = _ROOM_WORDS) -> Payload:
        """The empty payload of a new message, with room for ``words`` more in its first segment."""
        root = self.wire.codec.new_message(self._size + words)
        root.u8[: self._size << 3] = self._words
        root.segment.size = self._size
        root.arena.caps = []
        return Payload(root, self.content_at, self)

    def copy_of(self, payload: Payload) -> Payload:
        """A new message with a copy of what is elsewhere, or in another kind of message."""
        made = self.begin()
        made.shape.copy_pointer(self.content_at, payload.shape, payload.at)
        return made

    def setter(self, view: Any, name: str, size: int) -> Callable[[Any, int], None]:
        """What puts a number of ``size`` bytes into a field of a struct that all such messages begin with."""
        field = view._type._access(name).field
        offset = (view._w << 3) + field.offset * size
        pack = Packer(_FORMATS[size]).pack_into

        def put(payload: Payload, number: int) -> None:
            pack(payload.shape.segment.raw, offset, number)

        return put


    def flag(self, view: Any, name: str) -> Callable[[Payload], None]:
        """What sets a Bool of such a struct."""
        bit = view._type._access(name).field.offset
        offset, mask = (view._w << 3) + (bit >> 3), 1 << (bit & 7)

        def put(payload: Payload) -> None:
            payload.shape.segment.raw[offset] |= mask

        return put


class _Fixed:
    """A message that is always the same but for one number."""

    def __init__(self, wire: Wire, kind: str, number: str, **fields: Any) -> None:
        message = wire.new()
        body = message.init(kind)
        for name, value in fields.items():
            setattr(body, name, value)
        framed = message.to_bytes()
        offset = 8 + (body._w << 3) + body._type._access(number).field.offset * 4
        self._before, self._after = framed[:offset], framed[offset + 4 :]

    def __call__(self, number: int) -> bytes:
        return b"".join((self._before, number.to_bytes(4, "little"), self._after))


class Wire:
    """The types of rpc.capnp on one codec, and the envelopes."""

    def __init__(self, codec: Codec) -> None:
        registry = TypeRegistry(codec)
        add_nodes(registry, rpc_capnp._nodes, rpc_capnp.__name__)
        self.codec = codec
        self.Message = registry.struct(rpc_capnp.Message._node_id)
        self.CapDescriptor = registry.struct(rpc_capnp.CapDescriptor._node_id)
        self.call = Envelope(self, _fill_call)
        self.answer = Envelope(self, _fill_return)
        call, answer = self.call, self.answer
        target = call.body.target
        self.set_question = call.setter(call.body, "questionId", 4)
        self.set_interface = call.setter(call.body, "interfaceId", 8)
        self.set_method = call.setter(call.body, "methodId", 2)
        self.set_target = call.setter(target, "importedCap", 4)
        self.set_answer = answer.setter(answer.body, "answerId", 4)
        self.set_no_finish_needed = answer.flag(answer.body, "noFinishNeeded")
        self.cap_list = list_of(self.CapDescriptor._pointer)
        self.finish = _Fixed(self, "finish", "questionId", requireEarlyCancellationWorkaround=False)
        self.finish_keeping_caps = _Fixed(
            self, "finish", "questionId", releaseResultCaps=False, requireEarlyCancellationWorkaround=False
        )

    def message_of(self, payload: Payload) -> Any:
        """The builder of the whole message that a payload is in."""
        return payload.shape.read_struct(0, self.Message.Builder._at)

    def new(self) -> Any:
        """The builder of any other message."""
        return self.Message._new(_ROOM_WORDS)


def _fill_call(message: Any) -> tuple[Any, Any]:
    call = message.init("call")
    call.init("target").importedCap = 0
    return call, call.init("params")


def _fill_return(message: Any) -> tuple[Any, Any]:
    answer = message.init("return")
    answer.releaseParamCaps = False
    return answer, answer.init("results")


@cache
def _wire_of(backend: str) -> Wire:
    return Wire(get_codec(backend))


def wire_of(codec: Codec) -> Wire:
    """The messages on that codec."""
    return _wire_of(codec.name)


def write_exception(builder: Any, error: RpcError, trace: Optional[str] = None) -> None:
    """Fill an Exception."""
    builder.reason = str(error.args[0]) if error.args and not error.is_remote else error.reason
    builder.type = error.kind
    if trace:
        builder.trace = trace


def read_exception(reader: Any) -> RpcError:
    """The error that an Exception says; of a kind that is not known, that it failed."""
    kind = int(reader.type)
    reason = reader.reason
    error = KINDS[kind if kind < len(KINDS) else 0](reason if reason.startswith(REMOTE) else f"{REMOTE}{reason}")
    error.is_remote = True
    error.trace = reader.trace or None
    return error
