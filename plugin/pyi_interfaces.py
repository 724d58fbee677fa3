"""Writes an interface: its client, its server, and the classes that stand for calls of its methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccapnp.plugin.lineage import ambiguous_methods, direct_superclasses
from ccapnp.plugin.model import Declaration
from ccapnp.plugin.pyi_layout import INDENT, wrapped
from ccapnp.plugin.pyi_methods import MethodWriter
from ccapnp.plugin.pyi_names import Names
from ccapnp.plugin.pyi_types import ANY, TypeWriter, View
from ccapnp.schema.names import attribute_name

__all__ = ["InterfaceWriter"]


class InterfaceWriter:
    """Writes the body of an interface."""

    def __init__(self, names: Names, node_id: int) -> None:
        self._node = names.nodes[node_id]
        self._superclasses = direct_superclasses(self._node, names.nodes)
        self._ambiguous = ambiguous_methods(self._node, names.nodes)
        self._methods = {method.name: MethodWriter(names, node_id, method) for method in self._node.methods}
        self._types = TypeWriter(names, node_id)
        self._client_types = TypeWriter(names, node_id, View.READER)

    def body(self, declaration: Declaration, indent: str) -> Iterator[str]:
        """What stands in the class before the declarations nested in it."""
        client, server = self._types.made_here(self._node.id, "Client"), self._types.server(self._node.id)
        if client:
            head = f"class Client({self._client_bases()}{self._client_types.generic_base}):"
            yield from _class(head, self._client(server, declaration.member_docs, indent + INDENT), indent)
        if server:
            head = f"class Server({self._server_bases()}):"
            yield from _class(head, self._server(indent + INDENT), indent)
        for method in self._methods.values():
            yield from method.classes(indent)
        if client:
            yield f"{indent}def _client(self) -> {client}: ..."
        if server:
            yield f"{indent}def _server(self) -> {server}: ..."

    def _client_bases(self) -> str:
        found = [self._client_types.made(each, "Client", brand) for each, brand in self._superclasses.items()]
        return ", ".join(filter(None, found)) or "_rpc.Client"

    def _server_bases(self) -> str:
        found = [self._types.server(each) for each in self._superclasses]
        return ", ".join(filter(None, found)) or "_rpc.Server"

    def _client(self, server: str | None, docs: Sequence[str], indent: str) -> Iterator[str]:
        if server:
            own = self._client_types.made_here(self._node.id, "Client")
            target = f"_rpc.MaybeAwaitable[{own} | {server}]"
            yield from wrapped(f"def __init__(self, target: {target}) -> None: ...", indent)
        for (name, method), doc in zip(self._methods.items(), docs):
            if name not in self._ambiguous:
                yield from method.of_client(doc, indent)
        yield from self._unclear("request", indent)

    def _server(self, indent: str) -> Iterator[str]:
        client = self._types.unbound.made_here(self._node.id, "Client")
        if client:
            yield from wrapped(f"def this_cap(self) -> {client}: ...", indent)
        for name, method in self._methods.items():
            if name not in self._ambiguous:
                yield from method.of_server(indent)
        yield from self._unclear("context", indent)

    def _unclear(self, suffix: str, indent: str) -> Iterator[str]:
        """What is named like methods of two interfaces, which no signature describes."""
        for name in self._ambiguous:
            yield f"{indent}{attribute_name(name)}: {ANY}"
            yield f"{indent}{name}_{suffix}: {ANY}"


def _class(head: str, lines: Iterator[str], indent: str) -> Iterator[str]:
    """A class, with an empty line behind it."""
    body = list(lines)
    yield from wrapped(head + ("" if body else " ..."), indent)
    yield from [*body, ""]
