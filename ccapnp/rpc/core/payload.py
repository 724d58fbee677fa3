"""Parameters and results: a pointer to anything, and the capabilities that go with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

from ccapnp.errors import CapnpError, FailedError
from ccapnp.rpc.core.hooks import NULL, BrokenHook, Hook
from ccapnp.wire.shape import StructAt

__all__ = ["BuiltPayload", "CapabilityPayload", "Payload", "ReceivedPayload"]


class Payload:
    """What a call brings along, or gives; this one is nothing at all."""

    __slots__ = ()

    @property
    def caps(self) -> Any:
        """The capability table."""
        return ()

    def read(self, struct_type: Any) -> Any:
        """A reader of the content as a struct of that type."""
        return struct_type._pointer.absent()

    def copy_to(self, shape: Any, at: int) -> None:
        """Make the null pointer at word ``at`` lead to a copy of the content."""

    def with_caps(self, change: Callable[[Hook], Hook]) -> Payload:
        """The same with each capability changed, without a change to this one."""
        return self

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        """The capability to which a path of pointer fields leads, each in the struct before it."""
        return NULL


class BuiltPayload(Payload):
    """A struct that was built here, as the root of a message of its own."""

    __slots__ = ("view",)

    def __init__(self, view: Any) -> None:
        self.view = view

    @property
    def caps(self) -> Any:
        return getattr(self.view._c.arena, "caps", ())

    def read(self, struct_type: Any) -> Any:
        return struct_type.Reader._at(self.view._c, self.view._w)

    def copy_to(self, shape: Any, at: int) -> None:
        shape.copy_struct(at, self.view._c, self.view._w)

    def with_caps(self, change: Callable[[Hook], Hook]) -> Payload:
        return _copy(self, self.view._c.codec, change) if self.caps else self

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        if not path:
            return NULL
        return _follow((self.view._c, self.view._w), path, self.caps)


class ReceivedPayload(Payload):
    """A Payload of rpc.capnp that came from a peer; ``caps`` are the capabilities that it described."""

    __slots__ = ("_wire", "view")

    def __init__(self, view: Any, wire: Any, caps: Any) -> None:
        self.view = view
        self._wire = wire
        if caps:
            view._c.arena.caps = caps

    @property
    def caps(self) -> Any:
        return getattr(self.view._c.arena, "caps", ())

    def read(self, struct_type: Any) -> Any:
        return self._wire.content_of(struct_type)(self.view)

    def _place(self) -> Optional[tuple[Any, int]]:
        """Where the content's pointer is, if there is one."""
        shape = self.view._c
        return (shape, self.view._w + shape.data_words) if shape.pointers else None

    def copy_to(self, shape: Any, at: int) -> None:
        place = self._place()
        if place is not None:
            shape.copy_pointer(at, *place)

    def with_caps(self, change: Callable[[Hook], Hook]) -> Payload:
        if self.caps and self._is_capability():
            return CapabilityPayload(change(self.capability_at(())))
        return _copy(self, self.view._c.codec, change) if self.caps else self

    def _is_capability(self) -> bool:
        place = self._place()
        return place is not None and place[0].read_kind(place[1]) == "capability"

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        if not path:
            return _follow((self.view._c, self.view._w), (0,), self.caps)
        try:
            struct = self._wire.content(self.view)
        except CapnpError as error:
            return _no_capability(error)
        return _follow((struct._c, struct._w), path, self.caps)


class CapabilityPayload(Payload):
    """A capability alone."""

    __slots__ = ("_hook",)

    def __init__(self, hook: Hook) -> None:
        self._hook = hook

    @property
    def caps(self) -> Any:
        return (self._hook,)

    def copy_to(self, shape: Any, at: int) -> None:
        table = shape.arena.capability_table()
        shape.set_capability(at, len(table))
        table.append(self._hook)

    def with_caps(self, change: Callable[[Hook], Hook]) -> Payload:
        return CapabilityPayload(change(self._hook))

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        return NULL if path else self._hook


def _copy(payload: Payload, codec: Any, change: Callable[[Hook], Hook]) -> Payload:
    root = codec.new_message()
    payload.copy_to(root, 0)
    table = root.arena.capability_table()
    table[:] = [None if hook is None else change(hook) for hook in table]
    return BuiltPayload(root.read_struct(0, _view))


def _view(shape: Any, word: int) -> StructAt:
    view = StructAt()
    view._c, view._w = shape, word
    return view


def _follow(struct: tuple[Any, int], path: tuple[int, ...], caps: Any) -> Hook:
    """The capability to which a path leads from a struct: its first pointer field, that of what is there, and so on."""
    *way, last = path
    shape, word = struct
    try:
        for index in way:
            found = None
            if index < shape.pointers:
                found = shape.read_struct(word + shape.data_words + index, _as_place)
            if found is None:
                return NULL
            shape, word = found
        number = shape.read_capability(word + shape.data_words + last) if last < shape.pointers else None
    except CapnpError as error:
        return _no_capability(error)
    if number is None:
        return NULL
    if number >= len(caps) or caps[number] is None:
        return BrokenHook(FailedError(f"the results have a pointer to capability {number}, which did not come"))
    return caps[number]  # type: ignore[no-any-return]


def _no_capability(error: CapnpError) -> Hook:
    return BrokenHook(FailedError(f"a call on what is no capability: {error}"))


def _as_place(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word
