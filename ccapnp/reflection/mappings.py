"""The mappings of reflection: members and declarations by name, annotations by their declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ccapnp.errors import UnknownNameError
from ccapnp.types.constants import Annotation

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Annotation as Applied
    from ccapnp.types.registry import TypeRegistry

__all__ = ["AnnotationMap", "NameMap"]

_T = TypeVar("_T")


class NameMap(Mapping[str, _T]):
    """Things by their names in the schema; UnknownNameError, which offers the nearest, for a name that is none."""

    __slots__ = ("_items", "_kind", "_owner")

    def __init__(self, owner: str, kind: str, items: Iterable[tuple[str, _T]]) -> None:
        self._owner = owner
        self._kind = kind
        self._items = dict(items)

    def __getitem__(self, name: str) -> _T:
        try:
            return self._items[name]
        except KeyError:
            raise UnknownNameError.of(self._owner, self._kind, name, self._items) from None

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<{self._kind}s of {self._owner}: {', '.join(self._items)}>"


class AnnotationMap(Mapping[Annotation, Any]):
    """The annotations of something: the value of each by its declaration, ``True`` for one of type Void.

    An annotation whose declaration is not known, which a hand-made request may have, is left out.
    """

    __slots__ = ("_applied", "_owner", "_registry")

    def __init__(self, owner: str, registry: TypeRegistry, applied: Iterable[Applied]) -> None:
        self._owner = owner
        self._registry = registry
        self._applied: dict[Annotation, Applied] = {}
        for each in applied:
            node = registry.find(each.id)
            if node is not None:
                self._applied.setdefault(Annotation(node, registry), each)

    def __getitem__(self, annotation: Annotation) -> Any:
        try:
            applied = self._applied[annotation]
        except KeyError:
            raise UnknownNameError(f"{self._owner} does not carry {annotation!r}") from None
        return annotation.value_of(applied, self._registry)

    def __contains__(self, annotation: object) -> bool:
        return annotation in self._applied

    def __iter__(self) -> Iterator[Annotation]:
        return iter(self._applied)

    def __len__(self) -> int:
        return len(self._applied)

    def __repr__(self) -> str:
        return f"<annotations of {self._owner}: {', '.join(map(repr, self._applied))}>"
