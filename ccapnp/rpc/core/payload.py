"""Parameters and results: a pointer to anything, and the capabilities that go with it."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import CapnpError, FailedError
from ccapnp.rpc.core.hooks import NULL, BrokenHook, Hook
from ccapnp.types.struct_pointer import empty_shape

__all__ = ["Payload", "empty"]


class Payload:
    """What a call brings along, or gives: the pointer at word ``at`` of ``shape``.

    The capabilities are those of the shape's arena.  ``envelope`` is the message that it was built in, if it was built
    here, and goes to a peer in without a copy.
    """

    __slots__ = ("at", "envelope", "shape")

    def __init__(self, shape: Any, at: int, envelope: Any = None) -> None:
        self.shape = shape
        self.at = at
        self.envelope = envelope

    @property
    def caps(self) -> list[Any]:
        """The capability table."""
        return getattr(self.shape.arena, "caps", ())  # type: ignore[return-value]

    def read(self, struct_type: Any) -> Any:
        """A reader of the content as a struct of that type."""
        found = self.shape.read_struct(self.at, struct_type.Reader._at)
        return struct_type._pointer.absent() if found is None else found

    def build(self, struct_type: Any) -> Any:
        """The builder of the content as a struct of that type."""
        return struct_type._pointer.build(self.shape, self.at, None)

    def capability_at(self, path: tuple[int, ...]) -> Hook:
        """The capability to which a path of pointer fields leads, each in the struct before it."""
        shape, at = self.shape, self.at
        try:
            for index in path:
                found = shape.read_struct(at, _place)
                if found is None or index >= found[0].pointers:
                    return NULL
                shape = found[0]
                at = found[1] + shape.data_words + index
            number = shape.read_capability(at)
        except CapnpError as error:
            return BrokenHook(FailedError(f"a call on what is no capability: {error}"))
        if number is None:
            return NULL
        caps = self.caps
        if number >= len(caps) or caps[number] is None:
            return BrokenHook(FailedError(f"the results have a pointer to capability {number}, which did not come"))
        return caps[number]  # type: ignore[no-any-return]


def _place(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def empty() -> Payload:
    """Results with nothing in them."""
    shape = empty_shape()
    return Payload(shape.codec.open_segments((bytes(8),)), 0)
