"""How a class of servers handles a method: which parameters its function takes, and what becomes of what it gives."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from operator import attrgetter
from typing import Any, Optional

from ccapnp.errors import CapnpError, FailedError, UnimplementedError, UnionError
from ccapnp.rpc.classes.context import CallContext
from ccapnp.rpc.classes.methods import Method
from ccapnp.rpc.classes.promise import Promise
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.local import IncomingCall
from ccapnp.rpc.loop import LoopTurns

__all__ = ["Handler"]

_log = logging.getLogger("ccapnp.rpc")

_Arguments = Callable[[CallContext], tuple[tuple[Any, ...], dict[str, Any]]]
_Parameter = inspect.Parameter
_BY_PLACE = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)


class Handler:
    """One method of one class of servers."""

    def __init__(self, cls: type, method: Method) -> None:
        self.method = method
        self.is_streaming = method.is_streaming
        with_context_alone = hasattr(cls, f"{method.schema_name}_context")
        self._name = f"{method.schema_name}_context" if with_context_alone else method.name
        function = getattr(cls, self._name)
        self._is_implemented = not hasattr(function, "_is_missing")
        self._is_coroutine = inspect.iscoroutinefunction(function)
        if with_context_alone:
            self._arguments: _Arguments = _context_alone
        else:
            self._arguments = _arguments(
                function, method.param_names, bool(method.params_type._node.discriminant_count)
            )

    def begin(self, server: Any, incoming: IncomingCall, turns: LoopTurns) -> None:
        """Begin a call: of a coroutine function, in a task that is canceled with the call."""
        context = CallContext(incoming, self.method)
        if self._is_coroutine:
            incoming.on_cancel = turns.workers.soon(self._run, server, context).cancel
            return
        try:
            value = self._call(server, context)
            if inspect.isawaitable(value) and not isinstance(value, Promise):
                incoming.on_cancel = turns.workers.soon(self._run, server, context, value).cancel
            else:
                self._give(context, value)
        except Exception as error:  # noqa: BLE001  # it is for the caller
            self._fail(incoming, error)

    def _call(self, server: Any, context: CallContext) -> Any:
        if not self._is_implemented:
            raise UnimplementedError(f"{type(server).__qualname__} does not implement {self.method}")
        places, named = self._arguments(context)
        return getattr(server, self._name)(*places, **named)

    async def _run(self, server: Any, context: CallContext, value: Optional[Awaitable[Any]] = None) -> None:
        """Call the coroutine function, or wait for what a plain one gave."""
        try:
            self._give(context, await (self._call(server, context) if value is None else value))
        except asyncio.CancelledError:
            self._fail(context._incoming, FailedError("the call was canceled"))
            raise
        except Exception as error:  # noqa: BLE001  # it is for the caller
            self._fail(context._incoming, error)

    def _give(self, context: CallContext, value: Any) -> None:
        incoming = context._incoming
        if incoming.is_done:
            return
        if isinstance(value, Promise):
            self.method.require_results_of(value)
            incoming.give(value._call)
        elif value is None and context._payload is not None:
            incoming.complete(context._payload)
        else:
            incoming.complete(self.method.results_of(value))

    def _fail(self, incoming: IncomingCall, error: Exception) -> None:
        if not incoming.is_done:
            origin = incoming.origin
            made = error_of(error)
            if origin is not None and origin.options.trace is not None:
                made.trace = origin.options.trace(error)
            if not isinstance(error, CapnpError):
                _log.debug("%s failed", self.method, exc_info=error)
            incoming.fail(made)


def _context_alone(context: CallContext) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return (context,), {}


def _arguments(function: Any, names: tuple[str, ...], has_union: bool) -> _Arguments:
    """What gives a function its arguments: the parameters that it takes, and the context if it takes that."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1:]
    except ValueError:  # of something written in C
        parameters = [_Parameter("named", _Parameter.VAR_KEYWORD)]
    if not has_union and all(each.name in names and each.kind in _BY_PLACE for each in parameters):
        return _by_place(tuple(each.name for each in parameters))
    takes_all = any(each.kind is _Parameter.VAR_KEYWORD for each in parameters)
    known = {each.name for each in parameters}
    return _by_name(tuple(name for name in names if takes_all or name in known), takes_all or "_context" in known)


def _by_place(names: tuple[str, ...]) -> _Arguments:
    if not names:
        return lambda context: ((), {})
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda context: ((get(context.params),), {})
    return lambda context: (get(context.params), {})


def _by_name(names: tuple[str, ...], wants_context: bool) -> _Arguments:
    def give(context: CallContext) -> tuple[tuple[Any, ...], dict[str, Any]]:
        params = context.params
        named = {}
        for name in names:
            with suppress(UnionError):  # members of a union that are not the active one are not there
                named[name] = getattr(params, name)
        if wants_context:
            named["_context"] = context
        return (), named

    return give
