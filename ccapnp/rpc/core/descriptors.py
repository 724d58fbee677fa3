"""Capabilities on their way into and out of messages (rpc.capnp, "CapDescriptor")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from ccapnp.errors import FailedError
from ccapnp.rpc.core.description import NO_CAPABILITY, Description
from ccapnp.rpc.core.errors import ProtocolError
from ccapnp.rpc.core.exports import Export, Exports
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.remote import ImportHook, ImportPromise, ReflectedHook

if TYPE_CHECKING:
    from ccapnp.rpc.core.connection import Connection

__all__ = ["Descriptors"]


class _Import:
    """What is known under a number of the peer's, as long as it is in use."""

    __slots__ = ("hook", "promise")

    def __init__(self, hook: ImportHook) -> None:
        self.hook = ref(hook)
        self.promise: Optional[ref[ImportPromise]] = None


class Descriptors:
    """The export and the import table of a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.exports = Exports()
        self.imports: dict[int, _Import] = {}

    # ---- out

    def describe_all(self, caps: Sequence[Optional[Hook]], exported: list[int]) -> list[Description]:
        """Descriptions of capabilities; the numbers of those that are exports go into ``exported``."""
        if len(caps) > self._connection.options.max_capabilities:
            raise FailedError(f"a message cannot bring along {len(caps)} capabilities")
        return [NO_CAPABILITY if hook is None else self.describe(hook, exported) for hook in caps]

    def describe(self, hook: Hook, exported: list[int]) -> Description:
        """The description of one capability; if it is an export, its number goes to the end of ``exported``."""
        hook = hook.innermost()
        connection = self._connection
        if hook.connection is connection:
            path = hook.path  # type: ignore[attr-defined]
            kind = "receiverHosted" if path is None else "receiverAnswer"
            return Description(kind, hook.number, path)  # type: ignore[attr-defined]
        if len(self.exports) >= connection.options.max_exports:
            raise FailedError("there are too many capabilities that the peer has not released")
        number, entry = self.exports.add(hook)
        exported.append(number)
        if not hook.is_promise:
            return Description("senderHosted", number)
        if entry.count == 1:
            hook.when_resolved(lambda found: self._resolved(number, entry, found))
        return Description("senderPromise", number)

    def fixed(self, caps: Iterable[Optional[Hook]]) -> dict[Hook, Hook]:
        """For each promise of the peer's, which the peer was told that this is, what messages for it go to.

        It has to see them all, even when the promise has become something here: it may be about to send a disembargo
        (rpc.capnp, "Disembargo", on the race of four).
        """
        own = self._connection
        found = ((hook, hook.innermost()) for hook in caps if hook is not None)
        return {hook: inner.fixed() for hook, inner in found if inner.is_promise and inner.connection is own}

    def _resolved(self, number: int, entry: Export, hook: Hook) -> None:
        """Tell the peer what a promise has become, if it still has it."""
        if self.exports.get(number) is entry and self._connection.error is None:
            hook = hook.innermost()
            self.exports.replace(number, entry, hook, self.fixed([hook]).get(hook, hook))
            self._connection.send_resolve(number, hook)

    def release(self, exported: list[int]) -> None:
        """Take back that the peer was told of these."""
        for number in exported:
            self.exports.release(number, 1)

    # ---- in

    def read_all(self, table: Any) -> list[Optional[Hook]]:
        """The capabilities that a table describes."""
        if len(table) > self._connection.options.max_capabilities:
            raise ProtocolError(f"a message brought along {len(table)} capabilities")
        return [self.read(descriptor) for descriptor in table]

    def read(self, descriptor: Any) -> Optional[Hook]:
        """The capability that is described; ``None`` for none at all."""
        kind = descriptor.which()
        if kind == "senderHosted":
            return self._import(descriptor.senderHosted, is_promise=False)
        if kind == "senderPromise":
            return self._import(descriptor.senderPromise, is_promise=True)
        if kind == "receiverHosted":
            return self._own(descriptor.receiverHosted)
        if kind == "receiverAnswer":
            return self.seen_by_peer(self._connection.answers.capability(descriptor.receiverAnswer))
        if kind == "thirdPartyHosted":  # the vine works as well as the capability itself
            return self._import(descriptor.thirdPartyHosted.vineId, is_promise=False)
        return None

    def _import(self, number: int, is_promise: bool) -> Hook:
        known = self.imports.get(number)
        hook = None if known is None else known.hook()
        if known is None or hook is None:
            if len(self.imports) >= self._connection.options.max_imports:
                raise ProtocolError("the peer exports too many capabilities")
            hook = ImportHook(self._connection, number)
            known = self.imports[number] = _Import(hook)
        hook.count += 1
        promise = None if known.promise is None else known.promise()
        if promise is not None:
            return promise.innermost()
        if not is_promise:
            return hook
        promise = ImportPromise(hook)
        known.promise = ref(promise)
        return promise

    def _own(self, number: int) -> Hook:
        entry = self.exports.get(number)
        if entry is None:
            return BrokenHook(FailedError(f"the peer named our capability {number}, which there is not"))
        return self.seen_by_peer(entry.hook) if entry.was_promise else entry.hook.innermost()

    def seen_by_peer(self, hook: Hook) -> Hook:
        """What the peer takes for ours, but which may have become one of its own meanwhile."""
        return ReflectedHook(hook) if hook.innermost().connection is self._connection else hook.innermost()

    def forget_import(self, number: int) -> None:
        """Remove the entry of a number that is not in use."""
        known = self.imports.get(number)
        if known is not None and known.hook() is None:
            del self.imports[number]

    def break_all(self, error: Any) -> None:
        """Have no capability any more, in either direction."""
        for known in list(self.imports.values()):
            promise = None if known.promise is None else known.promise()
            if promise is not None:
                promise.break_(error)
        self.imports.clear()
        self.exports.clear()
