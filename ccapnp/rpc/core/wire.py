"""The messages of rpc.capnp on one codec."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Optional

from ccapnp.codec import Codec, get_codec
from ccapnp.errors import REMOTE, DisconnectedError, FailedError, OverloadedError, RpcError, UnimplementedError
from ccapnp.rpc.core import rpc_capnp
from ccapnp.rpc.core.description import Description, DescriptorTable, fill_target
from ccapnp.rpc.core.heads import Head, content_of
from ccapnp.rpc.core.payload import Payload
from ccapnp.types.fields import PointerAccess
from ccapnp.types.module import add_nodes
from ccapnp.types.registry import TypeRegistry

__all__ = ["Wire", "read_exception", "wire_of", "write_exception"]

KINDS: tuple[type[RpcError], ...] = (FailedError, OverloadedError, DisconnectedError, UnimplementedError)
"""The class of each kind of exception, by its number."""

_ROOM_WORDS = 64

Describe = Callable[[Any, list[int]], list[Description]]
"""Describes the capabilities of a message, and notes the numbers of those that are exports in a list."""


class Wire:
    """The types of rpc.capnp on one codec, and the messages that are sent often."""

    def __init__(self, codec: Codec) -> None:
        module: Any = rpc_capnp
        registry = TypeRegistry(codec)
        add_nodes(registry, module._nodes, module.__name__)
        self.codec = codec
        self.Message = registry.struct(module.Message._node_id)
        self._payload = registry.struct(module.Payload._node_id)
        self._contents: dict[Any, Callable[[Any], Any]] = {}
        self.content = self.content_of(self.Message)
        """Gives the content of a Payload as a struct of whatever type; the class of the reader means nothing."""
        self._table = DescriptorTable(codec, registry.struct(module.CapDescriptor._node_id))
        self._calls = {is_redirected: self._call_head(None, is_redirected) for is_redirected in (False, True)}
        self._pipelined: dict[tuple[int, bool], Head] = {}
        self._returns = {needs_finish: self._return_head(needs_finish) for needs_finish in (False, True)}
        self._finishes = {keeps_caps: self._finish_head(keeps_caps) for keeps_caps in (False, True)}
        self._release = self._release_head()

    def new(self) -> Any:
        """The builder of a message."""
        return self.Message._new(_ROOM_WORDS)

    def content_of(self, struct_type: Any) -> Callable[[Any], Any]:
        """What reads the content of a Payload as a struct of that type."""
        found = self._contents.get(struct_type)
        if found is None:
            field = self._payload._node.fields_by_name["content"]
            found = PointerAccess(self._payload, field, struct_type._pointer).of_reader.__get__
            self._contents[struct_type] = found
        return found

    # ---- calls and results

    def call(
        self,
        target: Any,
        numbers: tuple[int, ...],
        params: Payload,
        is_redirected: bool,
        describe: Describe,
        exported: list[int],
    ) -> bytes:
        """A Call; ``numbers`` are question, method and interface."""
        path = target.path
        head = self._calls[is_redirected] if path is None else self._pipelined_head(len(path), is_redirected)
        numbers += (target.number,) if path is None else (target.number, *path)
        return self._whole(head, numbers, params, describe, exported)

    def results(
        self, number: int, results: Payload, needs_finish: bool, describe: Describe, exported: list[int]
    ) -> bytes:
        """A Return with results."""
        return self._whole(self._returns[needs_finish], (number,), results, describe, exported)

    def _whole(
        self, head: Head, numbers: tuple[int, ...], payload: Payload, describe: Describe, exported: list[int]
    ) -> bytes:
        content = content_of(payload)
        if content is None:
            return self._copied(head.with_room(numbers), payload, describe, exported)
        caps = payload.caps
        return head.with_payload(numbers, content, self._table.words(describe(caps, exported)) if caps else None)

    def _copied(self, head: bytes, payload: Payload, describe: Describe, exported: list[int]) -> bytes:
        """The same of a payload that has to be copied, and so may be of any number of segments."""
        words = len(head) >> 3
        root = self.codec.new_message(words + _ROOM_WORDS)
        root.u8[: len(head)] = head
        root.segment.size = words
        at = words - 2
        payload.copy_to(root, at)
        caps = getattr(root.arena, "caps", ())
        if caps:
            table = self._table.list_type.init(root, at + 1, len(caps))
            for descriptor, description in zip(table, describe(caps, exported)):
                description.fill(descriptor)
        return root.framed()

    # ---- other messages

    def finish(self, number: int, keeps_caps: bool) -> bytes:
        """A Finish."""
        return self._finishes[keeps_caps].framed(number)

    def release(self, number: int, count: int) -> bytes:
        """A Release."""
        return self._release.framed(number, count)

    # ---- heads

    def _call_head(self, steps: Optional[int], is_redirected: bool) -> Head:
        """Up to the parameters; of a call to an answer, with so many steps in its path."""
        message = self.new()
        call = message.init("call")
        target = call.init("target")
        fields = [(call, "questionId", 4), (call, "methodId", 2), (call, "interfaceId", 8)]
        fill_target(target, 0, None if steps is None else (0,) * steps)
        if steps is None:
            fields.append((target, "importedCap", 4))
        else:
            answer = target.promisedAnswer
            fields.append((answer, "questionId", 4))
            fields += [(operation, "getPointerField", 2) for operation in answer.transform]
        if is_redirected:
            call.sendResultsTo.yourself = None
        call.init("params")
        return Head(message, *fields, has_payload=True)

    def _pipelined_head(self, steps: int, is_redirected: bool) -> Head:
        key = steps, is_redirected
        head = self._pipelined.get(key)
        if head is None:
            head = self._call_head(steps, is_redirected)
            if steps < _MOST_STEPS:
                self._pipelined[key] = head
        return head

    def _return_head(self, needs_finish: bool) -> Head:
        message = self.new()
        returned = message.init("return")
        returned.releaseParamCaps = False
        returned.noFinishNeeded = not needs_finish
        returned.init("results")
        return Head(message, (returned, "answerId", 4), has_payload=True)

    def _finish_head(self, keeps_caps: bool) -> Head:
        message = self.new()
        finish = message.init("finish")
        finish.releaseResultCaps = not keeps_caps
        finish.requireEarlyCancellationWorkaround = False
        return Head(message, (finish, "questionId", 4))

    def _release_head(self) -> Head:
        message = self.new()
        release = message.init("release")
        return Head(message, (release, "id", 4), (release, "referenceCount", 4))


_MOST_STEPS = 16
"""Heads for longer paths are not kept."""


@cache
def _wire_of(backend: str) -> Wire:
    return Wire(get_codec(backend))


def wire_of(codec: Codec) -> Wire:
    """The messages on that codec."""
    return _wire_of(codec.name)


def write_exception(builder: Any, error: RpcError, trace: Optional[str] = None) -> None:
    """Fill an Exception."""
    builder.reason = error.reason
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
