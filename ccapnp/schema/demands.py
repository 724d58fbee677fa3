"""What loaded nodes demand of each other, and of those that are not loaded yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ccapnp.errors import SchemaError, a
from ccapnp.schema.compatible import check_upgrade
from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.placeholder import placeholder, with_room
from ccapnp.schema.uses import Use, uses
from ccapnp.schema.validate import check_group, check_scope, fault

if TYPE_CHECKING:
    from ccapnp.codec import Codec
    from ccapnp.schema.compatible import Upgrade
    from ccapnp.schema.nodes import Field, Node

__all__ = ["Demands"]


class Demanded(NamedTuple):
    """What one node demands: of which nodes, by group id of which fields, and of which structs."""

    uses: list[Use]
    groups: dict[int, tuple[Node, Field]]
    upgrades: list[Upgrade]


class Demands:
    """Checks each node that is loaded against the others, and keeps what is to be checked of later ones.

    A group is in the memory of its struct.  The two are loaded one after the other, and the group may be of a newer
    version; so a struct gets as much room as any of its groups has asked for.
    """

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        """``nodes`` are those that are loaded; the caller adds to them."""
        self._nodes = nodes
        self._uses: dict[int, tuple[Node, Use]] = {}
        self._groups: dict[int, tuple[Node, Field]] = {}
        self._upgrades: dict[int, list[Upgrade]] = {}
        self._room: dict[int, tuple[int, int]] = {}

    def check(self, node: Node, upgrades: Iterable[Upgrade]) -> Demanded:
        """What a node demands; SchemaError if it contradicts another node.

        ``upgrades`` are those that came of a comparison with its other version.
        """
        check_scope(node, lambda node_id: node if node_id == node.id else self._nodes.get(node_id))
        return Demanded(
            self._checked_uses(node),
            self._checked_groups(node),
            self.checked(node, [*self._upgrades.get(node.id, ()), *upgrades]),
        )

    def add(self, node: Node, demanded: Demanded) -> None:
        """Note what a checked node demands."""
        for use in demanded.uses:
            self._uses.setdefault(use.id, (node, use))
        self._groups.update(demanded.groups)
        self.note(demanded.upgrades)
        self._make_room(node)

    def makes_larger(self, node: Node) -> bool:
        """Whether a node is a group that its struct has no room for yet."""
        outer = self._nodes.get(node.scope_id) if node.is_group else None
        if outer is None:
            return False
        outer = self.with_room(outer)
        return with_room(outer, node.data_words, node.pointer_count) is not outer

    def note(self, upgrades: Iterable[Upgrade]) -> None:
        """Keep upgrades to be checked of what is loaded later."""
        for upgrade in upgrades:
            noted = self._upgrades.setdefault(upgrade.struct_id, [])
            if upgrade not in noted:
                noted.append(upgrade)

    def checked(self, node: Node, upgrades: Iterable[Upgrade]) -> list[Upgrade]:
        """The upgrades with all that they lead to, checked by the structs that are loaded and by ``node``."""
        found = list(upgrades)
        for upgrade in found:  # which grows meanwhile
            struct = node if upgrade.struct_id == node.id else self._nodes.get(upgrade.struct_id)
            if struct is not None:
                found += check_upgrade(upgrade, struct)
        return found

    def with_room(self, node: Node) -> Node:
        """A loaded node with all the room it needs."""
        return with_room(node, *self._room.get(node.id, (0, 0)))

    def placeholder(self, codec: Codec, node_id: int) -> Node:
        """What stands for a node that is used but not loaded; SchemaError if it is not used."""
        if node_id not in self._uses:
            raise SchemaError(f"no schema with the id {node_id:#018x} has been loaded")
        owner, _ = self._groups.get(node_id, (None, None))
        return placeholder(codec, node_id, self._uses[node_id][1].kind, owner.id if owner else 0)

    def reason(self, node_id: int) -> str:
        """The end of a sentence that says who uses a node."""
        return f"; {self._uses[node_id][0].display_name} uses it" if node_id in self._uses else ""

    def _checked_uses(self, node: Node) -> list[Use]:
        found = list(uses(node))
        if node.is_group:
            found.append(Use(node.scope_id, NodeKind.STRUCT, None))
        for use in found:
            used = node if use.id == node.id else self._nodes.get(use.id)
            known = used.kind if used else self._uses[use.id][1].kind if use.id in self._uses else use.kind
            if known != use.kind:
                name = used.display_name if used else f"{use.id:#018x}"
                raise fault(node, f"uses {name} as {_kind(use.kind)}, but it is {_kind(known)}", use.member)
        if node.id in self._uses:
            user, use = self._uses[node.id]
            if use.kind != node.kind:
                raise fault(node, f"is {_kind(node.kind)}, but {user.display_name} uses it as {_kind(use.kind)}")
        return found

    def _checked_groups(self, node: Node) -> dict[int, tuple[Node, Field]]:
        found = {field.group_id: (node, field) for field in node.fields if field.is_group}
        for group_id, (_, field) in found.items():
            owner, _ = self._groups.get(group_id, (node, field))
            if owner.id != node.id:
                raise fault(node, f"is a group of {owner.display_name} already", field)
            if group_id in self._nodes:
                check_group(node, field, self._nodes[group_id])
        if node.id in self._groups:
            check_group(*self._groups[node.id], node)
        return found

    def _make_room(self, node: Node) -> None:
        inner = self.with_room(node)
        while inner.is_group:
            words, pointers = self._room.get(inner.scope_id, (0, 0))
            self._room[inner.scope_id] = max(words, inner.data_words), max(pointers, inner.pointer_count)
            outer = self._nodes.get(inner.scope_id)
            if outer is None:
                break
            inner = self.with_room(outer)


def _kind(kind: NodeKind) -> str:
    return a(kind.name.lower())
