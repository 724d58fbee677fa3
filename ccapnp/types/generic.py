"""Generic types: the classes of structs and interfaces take what their parameters stand for, as ``Map[Text, Person]``.

What is bound is an `Environment`.  A type's own says what its fields of a parameter's type are; it is empty for the
type as the schema declares it, whose parameters are AnyPointers then.  For each environment there is one class, which
`ccapnp.types.registry` keeps.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from ccapnp.errors import shown
from ccapnp.types.pointer_types import PointerType

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.registry import TypeRegistry

__all__ = ["UNBOUND", "BoundType", "Environment", "GenericType", "bound_type", "do_match", "picklable"]

Environment = Mapping[int, tuple[PointerType, ...]]
"""Per id of a generic scope, what its parameters stand for.  Scopes of which nothing is bound are left out."""

UNBOUND: Environment = {}

_LONGEST_NAME = 200
"""Characters of the parameters in a type's name: a type that uses itself with larger ones has names without end."""


def do_match(ours: Environment, theirs: Environment) -> bool:
    """Whether no parameter is bound to one type here and to another there."""
    return all(
        our.matches(their) for scope_id, bound in ours.items() for our, their in zip(bound, theirs.get(scope_id, ()))
    )


class GenericType(type):
    """The metaclass of types that may have parameters, their own or those of a scope around them."""

    _node_id: int
    _registry: TypeRegistry
    _origin: Any
    """The type without anything bound: itself, if nothing is."""
    _environment: Environment = UNBOUND
    _nesting = 0
    """See `PointerType.nesting`."""
    _bound_class: type
    """The metaclass of the type where something is bound."""

    def _begin(cls) -> None:
        """Give a new class what each one has of its own."""

    def __getitem__(cls, arguments: Any) -> Any:
        """The type with its parameters bound, as in ``Map[Text, Person]``.

        ``arguments`` are names of types: structs, interfaces, ``ccapnp.Text``, ``Data``, ``AnyPointer``, ``List[...]``.
        They are for the type's own parameters; a type in generic scopes may be given all of theirs, too, behind its
        own: ``Map.Entry[Text, Person]`` is ``Map[Text, Person].Entry``.  Raises TypeError for the wrong number of them,
        and for a type that no pointer leads to, as a parameter of a schema's type can stand for pointers only.
        """
        if "_node_id" not in cls.__dict__:
            raise TypeError(f"{cls.__qualname__} is the base of all types of its kind, which takes no parameters")
        given = arguments if isinstance(arguments, tuple) else (arguments,)
        every = {node.id: node.parameters for node in _scopes(cls) if node.parameters}
        own = {scope_id: names for scope_id, names in every.items() if scope_id == cls._node_id}
        for scopes in (own, every):
            if len(given) == sum(map(len, scopes.values())) > 0 and scopes.keys().isdisjoint(cls._environment):
                return cls._registry.bind(cls._origin, {**cls._environment, **_bound(cls, scopes, given)})
        raise TypeError(_refusal(cls, own or every, len(given)))


class BoundType(GenericType):
    """The metaclass of types of which something is bound; what is declared in them is bound, too."""

    __origin__: Any
    __args__: tuple[Any, ...]

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"type {cls.__qualname__} has no attribute {name!r}")
        value = getattr(cls._origin, name)
        return cls._registry.bind(value, cls._environment) if isinstance(value, GenericType) else value

    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), *dir(cls._origin)})


def bound_type(origin: Any, environment: Environment) -> Any:
    """A new class for ``origin`` with this bound."""
    values = {name: value for name, value in vars(origin).items() if name[0] != "_" and not isinstance(value, type)}
    namespace = {
        **values,  # constants and annotations, which may be called as what any such type has
        "__slots__": (),
        "__module__": origin.__module__,
        "__qualname__": _bound_name(origin, environment),
        "__doc__": origin.__doc__,
        "__origin__": origin,
        "__args__": tuple(each.type_name for each in _arguments(origin, environment)),
        "_node_id": origin._node_id,
        "_registry": origin._registry,
        "_origin": origin,
        "_environment": environment,
        "_nesting": 1 + max(each.nesting for types in environment.values() for each in types),
    }
    made = origin._bound_class(origin.__name__, origin.__bases__, namespace)
    made._begin()
    return made


def _scopes(cls: Any) -> list[Node]:
    """The nodes of a type and of the types around it, outwards."""
    registry = cls._registry
    node, found = registry.node(cls._node_id), []
    while node is not None and node not in found:  # nodes that are wrong may be in each other
        found.append(node)
        node = registry.find(node.scope_id)
    return found


def _bound(cls: Any, scopes: dict[int, tuple[str, ...]], given: tuple[Any, ...]) -> dict[int, tuple[PointerType, ...]]:
    types = iter([_argument(cls, each) for each in given])
    return {scope_id: tuple(islice(types, len(names))) for scope_id, names in scopes.items()}


def _argument(cls: Any, name: Any) -> PointerType:
    from ccapnp.types.struct_pointer import StructPointer
    from ccapnp.types.type_names import pointer_type

    with suppress(TypeError):
        found = pointer_type(name)
        if not isinstance(found, StructPointer) or not found.struct_type._node.is_group:
            return found
    raise TypeError(
        f"{shown(name)} cannot be a parameter of {cls.__qualname__}: only what pointers lead to can, which is Text, "
        "Data, AnyPointer, a list, a struct or an interface"
    )


def _refusal(cls: Any, scopes: dict[int, tuple[str, ...]], count: int) -> str:
    names = [name for names in scopes.values() for name in names]
    if not names:
        return f"{cls.__qualname__} is not generic: it takes no parameters"
    if not scopes.keys().isdisjoint(cls._environment):
        return f"{cls.__qualname__} has its parameters already"
    many = f"{len(names)} parameters" if len(names) > 1 else "one parameter"
    return f"{cls.__qualname__} takes {many}, {', '.join(names)}; here {'is' if count == 1 else 'are'} {count}"


def _arguments(origin: Any, environment: Environment) -> list[PointerType]:
    """What ``origin`` would have to be given in brackets to have this bound."""
    from ccapnp.types.any import ANY_POINTER

    if environment.keys() == {origin._node_id}:
        return list(environment[origin._node_id])
    found: list[PointerType] = []
    for node in _scopes(origin):
        found += environment.get(node.id, [ANY_POINTER] * len(node.parameters))
    return found


def _bound_name(origin: Any, environment: Environment) -> str:
    """The name of a type with what is bound in brackets, each behind its scope."""
    parts = origin.__qualname__.split(".")
    for scope_id, types in environment.items():
        names = ", ".join(each.name for each in types)
        depth = origin._registry.find_class(scope_id).__qualname__.count(".")
        parts[min(depth, len(parts) - 1)] += f"[{names if len(names) < _LONGEST_NAME else '...'}]"
    return ".".join(parts)


def _reduce(cls: Any) -> Any:
    from ccapnp.types.pickling import reduce_bound_type

    return reduce_bound_type(cls)


def picklable(metaclass: type) -> None:
    """Have types with bound parameters pickled by what they are made of; others are found by their names."""
    copyreg.pickle(metaclass, _reduce)
