"""The methods of an interface, its own and those it has from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, EncodeTypeError, a
from ccapnp.rpc.core.payload import BuiltPayload, Payload
from ccapnp.rpc.core.request import Request
from ccapnp.schema.names import attribute_name
from ccapnp.types.struct_view import StructView, as_builder

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Method as MethodNode
    from ccapnp.types.interface import InterfaceType

__all__ = ["Method", "all_methods", "derived", "own_methods", "room_for", "superclasses"]

_ROOM_WORDS = 64


def room_for(values: Iterable[Any]) -> int:
    """Words for a first segment: with room for long texts and data, a message of one segment need not be copied."""
    size = 0
    for value in values:
        if isinstance(value, _LONG):
            size += len(value)
    return _ROOM_WORDS + (size >> 3)


_LONG = (str, bytes, bytearray, memoryview)
_SHORT = (int, float, bool)


def _maker(struct_type: Any) -> Callable[[int], Any]:
    """What makes builders of a struct, given the words of their messages' first segments."""
    node = struct_type._node
    new, data_words, pointers = struct_type._registry.codec.new_struct, node.data_words, node.pointer_count
    return lambda words: new(words, data_words, pointers, struct_type.Builder)


class Method:
    """One method: what it takes and gives, as types, and how calls of it are built."""

    def __init__(self, interface: InterfaceType, node: MethodNode) -> None:
        self.interface = interface
        self.interface_id = interface._node_id
        self.method_id = node.ordinal
        self.schema_name = node.name
        self.name = attribute_name(node.name)
        self.is_streaming = node.is_streaming
        self._node = node

    def __repr__(self) -> str:
        return f"<method {self}>"

    def __str__(self) -> str:
        return f"{self.interface.__qualname__}.{self.schema_name}"

    @cached_property
    def params_type(self) -> Any:
        """The struct type of the parameters."""
        return self.interface._params(self._node)

    @cached_property
    def results_type(self) -> Any:
        """The struct type of the results; ``None`` of a streaming method."""
        return None if self.is_streaming else self.interface._results(self._node)

    @cached_property
    def param_names(self) -> tuple[str, ...]:
        """The parameters' names in Python, in their order."""
        return _field_names(self.params_type)

    @cached_property
    def result_names(self) -> tuple[str, ...]:
        """The same of the results."""
        return () if self.is_streaming else _field_names(self.results_type)

    @cached_property
    def _new_params(self) -> Callable[[int], Any]:
        return _maker(self.params_type)

    @cached_property
    def _new_results(self) -> Callable[[int], Any]:
        return _maker(self.results_type)

    # ---- a call

    def begin(self, words: int = _ROOM_WORDS) -> tuple[Request, Any]:
        """A request, and the builder of its parameters, with so many words in its first segment."""
        params = self._new_params(words)
        return Request(self.interface_id, self.method_id, BuiltPayload(params), self.is_streaming), params

    def begin_without_parameters(self) -> Request:
        """A request in which all parameters have their defaults."""
        if self._takes_nothing:
            return Request(self.interface_id, self.method_id, Payload(), self.is_streaming)
        return self.begin()[0]

    @cached_property
    def _takes_nothing(self) -> bool:
        node = self.params_type._node
        return not (node.data_words or node.pointer_count)

    def fill(self, params: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Set parameters; EncodeTypeError for too many, or one that is given twice."""
        if positional:
            names = self.param_names
            if len(positional) > len(names):
                raise EncodeTypeError(f"{self} takes {len(names)} parameters, and {len(positional)} were given")
            for name, value in zip(names, positional):
                if name in named:
                    raise EncodeTypeError(f"{self} got parameter {name!r} twice")
                setattr(params, name, value)
        if named:
            self.params_type._fill(params, named)

    # ---- what it gives

    def begin_results(self, words: int = _ROOM_WORDS) -> Any:
        """The builder of the results; ``None`` of a stream."""
        return None if self.is_streaming else self._new_results(words)

    def results_of(self, value: Any) -> Payload:
        """The results that a server's return value stands for; EncodeTypeError if it is none."""
        if self.is_streaming:
            if value is not None:
                raise self._wrong(value)
            return Payload()
        names = self.result_names
        if value is None and not names:
            return Payload()
        if value.__class__ in _SHORT and len(names) == 1:
            builder = self._new_results(self._short_words)
            self._set_result(builder, names[0], value)
            return BuiltPayload(builder)
        if isinstance(value, StructView) and self.results_type._matches(value._type):
            return BuiltPayload(as_builder(value))
        builder = self._new_results(room_for(value.values() if isinstance(value, dict) else (value,)))
        if value is None:
            pass
        elif isinstance(value, dict) and (len(names) != 1 or value.keys() <= self._names_of_results):
            self.results_type._fill(builder, value)
        elif isinstance(value, tuple) and len(value) == len(names):
            for name, item in zip(names, value):
                self._set_result(builder, name, item)
        elif isinstance(value, tuple) or len(names) != 1:
            raise self._wrong(value)
        else:
            self._set_result(builder, names[0], value)
        return BuiltPayload(builder)

    def require_results_of(self, promise: Any) -> None:
        """EncodeTypeError if the results of another call, of whose promise this is the class, cannot be its own."""
        ours, theirs = self.results_type, promise._results_type
        if ours is not theirs and (ours is None or theirs is None or not ours._matches(theirs)):
            names = [each.__qualname__ if each is not None else "a stream" for each in (ours, theirs)]
            raise EncodeTypeError(f"{self} gives {names[0]}, which a call that gives {names[1]} cannot do for it")

    @cached_property
    def _short_words(self) -> int:
        """Words of a message of results that are no more than the struct itself."""
        node = self.results_type._node
        return int(node.data_words + node.pointer_count + 1)

    @cached_property
    def _names_of_results(self) -> set[str]:
        return {*self.result_names, *(field.name for field in self.results_type._node.fields)}

    def _set_result(self, builder: Any, name: str, value: Any) -> None:
        try:
            setattr(builder, name, value)
        except EncodeError as error:
            raise EncodeTypeError(f"the result of {self}: {error}") from None

    def _wrong(self, value: Any) -> EncodeTypeError:
        names = self.result_names
        wanted = f"{len(names)} results ({', '.join(names)})" if names else "no results"
        given = f"a tuple of {len(value)}" if isinstance(value, tuple) else a(type(value).__name__)
        return EncodeTypeError(f"{self} has {wanted}, and {given} was returned")


def _field_names(struct_type: Any) -> tuple[str, ...]:
    fields = struct_type._node.fields
    return tuple(attribute_name(each.name) for each in sorted(fields, key=lambda field: field.code_order))


def own_methods(interface: Any) -> Iterator[Method]:
    """The methods that an interface declares itself."""
    for node in interface._registry.node(interface._node_id).methods:
        yield Method(interface, node)


def superclasses(interface: Any) -> list[Any]:
    """The interfaces that it extends, without those that another of them extends already."""
    found: list[Any] = []
    for each in interface._superclasses:
        if each not in found:
            found.append(each)
    above = {id(higher) for each in found for higher in _ancestors(each)}
    return [each for each in found if id(each) not in above]


def _ancestors(interface: Any, seen: Optional[list[Any]] = None) -> list[Any]:
    seen = [] if seen is None else seen
    for each in interface._superclasses:
        if each not in seen:
            seen.append(each)
            _ancestors(each, seen)
    return seen


def all_methods(interface: Any) -> list[Method]:
    """All that it has: its own first, then those of the interfaces that it extends."""
    return [method for each in (interface, *_ancestors(interface)) for method in own_methods(each)]


def derived(
    name: str,
    bases: tuple[Any, ...],
    namespace: dict[str, Any],
    own: list[Method],
    every: list[Method],
    make: Callable[[list[Method]], dict[str, Any]],
) -> Any:
    """A class with those bases and what ``make`` gives for its own methods.

    Interfaces can extend others in orders that no Python class can have: then it has one base, and all the methods.
    """
    try:
        return type(name, bases, {**namespace, **make(own)})
    except TypeError:
        return type(name, bases[:1], {**namespace, **make(every)})
