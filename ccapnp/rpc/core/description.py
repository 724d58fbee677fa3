"""What a message says of a capability that goes with it, or of one that it is for."""

from __future__ import annotations

from struct import Struct as Packer
from typing import Any, NamedTuple, Optional

from ccapnp.types.list_types import list_of
from ccapnp.wire.pointers import LIST, ElementSize, struct_pointer

__all__ = ["NO_CAPABILITY", "Description", "DescriptorTable", "fill_target"]


class Description(NamedTuple):
    """What a CapDescriptor holds: the member of its union, a number, and of an answer's capability the path to it."""

    kind: str
    number: int = 0
    path: Optional[tuple[int, ...]] = None

    def fill(self, descriptor: Any) -> None:
        """Put it into a CapDescriptor."""
        if self.path is not None:
            fill_answer(descriptor.init(self.kind), self.number, self.path)
        elif self.kind != "none":
            setattr(descriptor, self.kind, self.number)


NO_CAPABILITY = Description("none")


def fill_target(target: Any, number: int, path: Optional[tuple[int, ...]]) -> None:
    """Fill a MessageTarget: a capability of the peer's, or one that an answer of its will have."""
    if path is None:
        target.importedCap = number
    else:
        fill_answer(target.init("promisedAnswer"), number, path)


def fill_answer(answer: Any, number: int, path: tuple[int, ...]) -> None:
    """Fill a PromisedAnswer."""
    answer.questionId = number
    if path:
        for operation, index in zip(answer.init("transform", len(path)), path):
            operation.getPointerField = index


class DescriptorTable:
    """Capability tables: a pointer to a list, and the words that follow it."""

    def __init__(self, codec: Any, descriptor_type: Any) -> None:
        self._codec = codec
        self.list_type = list_of(descriptor_type._pointer)
        node = descriptor_type._node
        self._sizes = node.data_words, node.pointer_count
        kinds = ("none", "senderHosted", "senderPromise", "receiverHosted")
        self._elements = {kind: self._element(descriptor_type, kind) for kind in kinds}

    def _element(self, descriptor_type: Any, kind: str) -> tuple[bytes, bytes]:
        """What stands before and behind the number in a descriptor of that kind."""
        descriptor = descriptor_type._new()
        Description(kind).fill(descriptor)
        words = descriptor.to_bytes()[16:]  # behind the table of segments, and the pointer
        at = descriptor_type._access("senderHosted").field.offset * 4
        return words[:at], words[at + 4 :]

    def words(self, descriptions: list[Description]) -> tuple[int, bytes]:
        """(pointer, words) of a table."""
        if any(each.path is not None for each in descriptions):
            return self._built(descriptions)
        parts = [_WORD.pack(struct_pointer(len(descriptions), *self._sizes))]
        for kind, number, _ in descriptions:
            before, after = self._elements[kind]
            parts += (before, _HALF.pack(number), after)
        words = b"".join(parts)
        return LIST | ((len(words) >> 3) - 1 << 3 | ElementSize.COMPOSITE) << 32, words

    def _built(self, descriptions: list[Description]) -> tuple[int, bytes]:
        """The same of some that need more than a number each."""
        steps = sum(len(each.path or ()) for each in descriptions)
        root = self._codec.new_message(8 + 8 * len(descriptions) + 2 * steps)
        for descriptor, description in zip(self.list_type.init(root, 0, len(descriptions)), descriptions):
            description.fill(descriptor)
        words = b"".join(root.pieces())
        return int.from_bytes(words[:8], "little"), words[8:]


_WORD, _HALF = Packer("<Q"), Packer("<I")
