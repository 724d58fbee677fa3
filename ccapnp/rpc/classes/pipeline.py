"""What can be said of results that are not there yet: the capabilities in them can be called already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.schema.names import attribute_name
from ccapnp.types.any import AnyPointerType
from ccapnp.types.capability import CapabilityType
from ccapnp.types.fields import PointerAccess
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.rpc.core.pending import PendingCall

__all__ = ["AnyPipeline", "Pipeline", "pipeline_class", "pipeline_fields"]


class Pipeline:
    """A struct in the results of a call, as a promise: its fields that are structs or capabilities can be had.

    All else is to be read when the call has returned, by ``await``.
    """

    __slots__ = ("_call", "_path")

    _call: PendingCall
    _path: tuple[int, ...]

    @classmethod
    def _of(cls, call: PendingCall, path: tuple[int, ...]) -> Any:
        made = cls()
        made._call = call
        made._path = path
        return made

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"{type(self).__qualname__} has no {name!r} to build a call on: only structs and capabilities can be had "
            "before the call has returned; await it for the others"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}>"


class AnyPipeline(Pipeline):
    """An AnyPointer in the results of a call, as a promise."""

    __slots__ = ()

    def as_interface(self, interface: Any) -> Any:
        """It as a capability of that interface."""
        return interface._client(self._call.pipeline(self._path))

    def as_struct(self, struct_type: Any) -> Any:
        """It as a struct of that type."""
        return struct_type._pipeline._of(self._call, self._path)


def pipeline_class(struct_type: Any) -> Any:
    """The class of promises of such a struct."""
    made = type("Pipeline", (Pipeline,), {**pipeline_fields(struct_type), "__slots__": ()})
    made.__module__, made.__qualname__ = struct_type.__module__, f"{struct_type.__qualname__}.Pipeline"
    return made


def pipeline_fields(struct_type: Any) -> dict[str, property]:
    """A property for each field of which something can be had before it is there."""
    found: dict[str, property] = {}
    for field in struct_type._node.fields:
        access = struct_type._access(field.name)
        name = attribute_name(field.name)
        if field.is_group:
            found[name] = _group(access)
        elif isinstance(access, PointerAccess):
            made = _pointer(access.pointer_type, field.offset)
            if made is not None:
                found[name] = made
    return found


def _group(access: Any) -> property:
    return property(lambda self: access.group._pipeline._of(self._call, self._path))


def _pointer(pointer_type: Any, offset: int) -> Any:
    if isinstance(pointer_type, StructPointer):
        return property(lambda self: pointer_type.struct_type._pipeline._of(self._call, (*self._path, offset)))
    if isinstance(pointer_type, CapabilityType):
        return property(lambda self: pointer_type._client(self._call.pipeline((*self._path, offset))))
    if isinstance(pointer_type, AnyPointerType):
        return property(lambda self: AnyPipeline._of(self._call, (*self._path, offset)))
    return None
