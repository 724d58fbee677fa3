"""What the views of AnyPointers, AnyStructs and AnyLists have in common: all that needs no type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.types import message

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape
    from ccapnp.types.pointer_types import Place, PointerType

__all__ = ["AnyView"]


class AnyView:  # noqa: PLW1641  # a reader has a hash, a builder none
    """A view of something in a message whose type the schema leaves open."""

    __slots__ = ()

    kind: Any
    """ "struct", "list", and of an AnyPointer also "capability" or "null"."""

    _type: PointerType
    _is_builder = False
    _c: Any

    def _copy_to(self, shape: BuildShape, at: int) -> None:
        """Make a pointer lead to a deep copy."""
        raise NotImplementedError

    def _place(self) -> Place:
        """The place of a pointer that leads here."""
        raise NotImplementedError

    def _own_message(self) -> BuildShape:
        """The root pointer of a new message with a copy."""
        root: BuildShape = self._c.codec.new_message()
        self._copy_to(root, 0)
        return root

    @property
    def total_size(self) -> message.MessageSize:
        """The words that this and all below it take, without the pointer to it, and how many capabilities they hold."""
        return self._size()

    def _size(self) -> message.MessageSize:
        shape, at = self._place()
        words, capabilities = shape.codec.total_size(shape.pointer_alone(), at)
        return message.MessageSize(words - 1, capabilities)

    def as_reader(self) -> Any:
        """A reader of the same; of a builder, it sees what the builder goes on to write."""
        raise NotImplementedError

    def as_builder(self) -> Any:
        """A builder of a new message with a copy as its root."""
        return self._type.build(self._own_message(), 0, None)

    def copy(self) -> Any:
        """A copy in a message of its own: a builder of a builder, a reader of a reader."""
        made = self.as_builder()
        return made if self._is_builder else made.as_reader()

    def __copy__(self) -> Any:
        return self.copy() if self._is_builder else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce_ex__(self, protocol: Any) -> Any:
        from ccapnp.types.pickling import reduce_any

        return reduce_any(self, protocol)

    def __eq__(self, other: object) -> bool:
        """Structural equality; CapnpError if only capabilities could tell."""
        if not isinstance(other, AnyView) or other._type is not self._type:
            return NotImplemented
        from ccapnp.types.comparing import equal

        return message.decided(equal(self, other))

    def _hash(self) -> int:
        """The hash of a reader: equal ones have equal bytes."""
        shape, at = self._place()
        return hash((self._type.name, shape.codec.canonicalize(message.afresh(shape.pointer_alone()), at)))

    def _describe(self) -> str:
        """What `repr` says of it."""
        from ccapnp.convert.any_pointer import describe_pointer

        return describe_pointer(*self._place())

    def __repr__(self) -> str:
        return f"<{self._type.name} {'builder' if self._is_builder else 'reader'} {self._describe()}>"
