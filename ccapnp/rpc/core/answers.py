"""The peer's calls to us."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ccapnp.rpc.core.hooks import Hook
    from ccapnp.rpc.core.pending import PendingCall

__all__ = ["Answer"]


class Answer:
    """The entry of a call of the peer's, from when it comes until the peer has no more use for it.

    ``is_redirected`` is of a call whose results stay here, for a question of ours that will be told to take them.
    ``pipelines`` has what messages went to that were for capabilities of results which were not there yet.
    ``fixed`` has what messages for capabilities of the results go to, where that is not simply the capability.
    """

    __slots__ = (
        "call",
        "fixed",
        "is_finished",
        "is_redirected",
        "is_returned",
        "is_taken",
        "number",
        "pipelines",
        "result_exports",
        "wants_return",
        "words",
    )

    def __init__(self, number: int, words: int, is_redirected: bool = False, wants_return: bool = True) -> None:
        self.number = number
        self.words = words
        self.is_redirected = is_redirected
        self.wants_return = wants_return
        self.call: Optional[PendingCall] = None
        self.pipelines: dict[tuple[int, ...], Hook] = {}
        self.result_exports: list[int] = []
        self.fixed: dict[Hook, Hook] = {}
        self.is_returned = False
        self.is_finished = False
        self.is_taken = False
