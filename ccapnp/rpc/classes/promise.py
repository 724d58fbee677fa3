"""The promise of a call's results."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from copy import copy
from typing import TYPE_CHECKING, Any

from ccapnp.rpc.classes.pipeline import Pipeline, pipeline_fields

if TYPE_CHECKING:
    from ccapnp.rpc.core.pending import PendingCall

__all__ = ["Promise", "promise_class", "wait"]


class Promise(Pipeline):
    """A call that was made.  ``await`` gives a reader of its results, or raises its error.

    What can be built upon the results is an attribute (`Pipeline`).  The call is canceled, and what it does at its
    server, when the task that waits for it is, by `cancel`, and when there is nothing any more that refers to it or to
    a capability of it.
    """

    __slots__ = ("_waiting",)

    _results_type: Any = None
    _waiting: int

    @classmethod
    def _of(cls, call: PendingCall, path: tuple[int, ...] = ()) -> Any:
        made = cls()
        made._call = call
        made._path = path
        made._waiting = 0
        return made

    def __await__(self) -> Generator[Any, None, Any]:
        call = self._call
        if not call.is_done:
            self._waiting += 1
            try:
                yield from wait(call)
            except asyncio.CancelledError:
                if self._waiting == 1:
                    call.drop()
                raise
            finally:
                self._waiting -= 1
        if call.error is not None:
            raise copy(call.error)
        assert call.results is not None
        return None if self._results_type is None else call.results.read(self._results_type)

    def cancel(self) -> None:
        """Say that the results are not wanted; whoever waits for them gets a FailedError."""
        self._call.drop()


def wait(call: PendingCall) -> Generator[Any, None, None]:
    """Wait until a call is done."""
    call.hurry()
    future = asyncio.get_running_loop().create_future()
    call.when_done(lambda done: None if future.done() else future.set_result(None))
    yield from future


def promise_class(method: Any) -> Any:
    """The class of promises of a method's results."""
    results_type = method.results_type
    fields = {} if results_type is None else pipeline_fields(results_type)
    namespace = {**fields, "__slots__": (), "__module__": method.interface.__module__, "_results_type": results_type}
    made = type("Promise", (Promise,), namespace)
    made.__qualname__ = f"{method}.Promise"
    return made
