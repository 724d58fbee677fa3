"""What an interface inherits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ccapnp.schema import Brand, Node

__all__ = ["ambiguous_methods", "direct_superclasses"]


def direct_superclasses(node: Node, nodes: Mapping[int, Node]) -> dict[int, Brand]:
    """The interfaces that one extends, and their brands: none twice, and none that another one of them extends.

    A class cannot have its base's base in front of that base.
    """
    extended = {above for each, _ in node.superclasses for above in _above(each, nodes) if above != each}
    return {each: brand for each, brand in node.superclasses if each not in extended}


def ambiguous_methods(node: Node, nodes: Mapping[int, Node]) -> list[str]:
    """The names that methods of more than one interface have, among this one and those it inherits from."""
    lineage = _above(node.id, nodes)
    names = Counter(method.name for each in lineage for method in nodes[each].methods)
    return sorted(name for name, count in names.items() if count > 1)


def _above(node_id: int, nodes: Mapping[int, Node]) -> list[int]:
    """An interface and those that it inherits from, however far up."""
    found: list[int] = []
    waiting = [node_id]
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.append(node_id)
            waiting += [each for each, _ in nodes[node_id].superclasses]
    return found
