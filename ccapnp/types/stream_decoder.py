"""Messages of a stream whose bytes come from elsewhere: a socket, an event loop, a websocket."""

from __future__ import annotations

from copy import copy
from typing import Any, Optional

from ccapnp.codec import get_codec
from ccapnp.errors import DecodeError
from ccapnp.types.messages import MessageReader
from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT, DEFAULT_TRAVERSAL_LIMIT_IN_WORDS, checked_limits

__all__ = ["StreamDecoder"]


class StreamDecoder:
    """Makes messages of the bytes of a stream, which may arrive in any pieces.

    It reads from nothing and waits for nothing.  The limits are for each message, and memory is taken only for bytes
    that were given.
    """

    def __init__(
        self,
        traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
        nesting_limit: int = DEFAULT_NESTING_LIMIT,
        *,
        packed: bool = False,
        backend: Optional[str] = None,
    ) -> None:
        limits = checked_limits(traversal_limit_in_words, nesting_limit)
        self._incoming = get_codec(backend).incoming(limits.traversal_limit_in_words, packed)
        self._arguments = (traversal_limit_in_words, nesting_limit)
        self._backend = backend
        self._error: Optional[DecodeError] = None

    @property
    def missing_bytes(self) -> int:
        """How many bytes are sure to be missing for the next message: whoever reads so many never reads beyond it."""
        return self._incoming.missing_bytes

    def feed(self, data: Any) -> list[MessageReader]:
        """The messages that are complete with ``data``, the next bytes of the stream, in any buffer.

        Raises DecodeError for what is no message, and LimitError for one beyond ``traversal_limit_in_words``; if there
        are whole messages before it, the next call does.  After an error, the stream cannot be read any further.
        """
        self._refuse_after_error()
        messages: list[MessageReader] = []
        try:
            for segments in self._incoming.feed(data):
                messages.append(MessageReader.from_segments(segments, *self._arguments, backend=self._backend))
        except DecodeError as error:
            self._error = copy(error)  # which has no traceback, and so leads to no frame that leads back here
            if not messages:
                raise
        return messages

    def close(self) -> None:
        """Say that the stream has ended; TruncatedError if it did so inside a message."""
        self._refuse_after_error()
        self._incoming.close()

    def _refuse_after_error(self) -> None:
        if self._error is not None:
            raise copy(self._error)
