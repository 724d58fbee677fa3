"""What an adapter says of a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Optional

__all__ = ["SCHEMAS", "Library"]

SCHEMAS = Path(__file__).parent.parent / "schemas"


class Library:
    """A library, as it takes part in the cases. Making one raises ImportError if the library is not there.

    Its functions are those that its users call, or small ones around these, for all of them are timed.
    """

    # Which of a case's styles are for this library, the best one first.
    styles: ClassVar[Sequence[str]]
    packs: ClassVar[bool] = False
    # Makes of a message what is read from it, unless it is read as it is.
    hand_over: Optional[Callable[[Any], Any]] = None

    def load(self, schema: str) -> Any:
        """The types of a schema, as attributes."""
        raise NotImplementedError

    def members(self, enum: Any) -> Sequence[Any]:
        """What stands for the members of an enum, in their order."""
        raise NotImplementedError

    def maker(self, struct: Any, reuse: bool) -> Callable[..., Any]:
        """What makes a new message, in the memory of the one before if there is a way."""
        return struct  # type: ignore[no-any-return]

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        """What makes bytes of a message."""
        raise NotImplementedError

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        """What opens a message in bytes."""
        raise NotImplementedError

    def sender(self, struct: Any, file: Any, packed: bool) -> Callable[[Any], object]:
        """What writes a message to a file, behind its length, unless messages of the library tell how long they are."""
        encode = self.encoder(struct, packed, False)

        def send(message: Any) -> None:
            data = encode(message)
            file.write(len(data).to_bytes(4, "little"))
            file.write(data)
            file.flush()

        return send

    def receiver(self, struct: Any, file: Any, packed: bool) -> Callable[[], Any]:
        """What reads the next message from a file."""
        decode = self.decoder(struct, packed, False)
        return lambda: decode(file.read(int.from_bytes(file.read(4), "little")))
