"""Writes a method of an interface: as its clients and its servers have it, and the classes that stand for a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccapnp.plugin.pyi_clashes import client_mark, promise_mark
from ccapnp.plugin.pyi_layout import INDENT, items, wrapped
from ccapnp.plugin.pyi_names import Names
from ccapnp.plugin.pyi_pipelines import pipelined_names
from ccapnp.plugin.pyi_types import ANY, TypeWriter, View
from ccapnp.plugin.text import docstring
from ccapnp.schema import Brand, Field, Method, Node
from ccapnp.schema.names import attribute_name

__all__ = ["MethodWriter"]


class MethodWriter:
    """Writes one method of an interface.

    What stands for a call has names that begin with an underscore, since it is for type checkers alone.
    """

    def __init__(self, names: Names, interface_id: int, method: Method) -> None:
        self._interface = names.reference(interface_id)
        self._method = method
        self._params = _in_order(names.nodes[method.params_id])
        self._results = _in_order(names.nodes[method.results_id])
        self._types = TypeWriter(names, interface_id, View.READER)
        self._name = attribute_name(method.name)

    # ---- in the client

    def of_client(self, doc: str, indent: str) -> Iterator[str]:
        """The method, and the one that makes a request of it."""
        parameters, request = self._parameters(), self._reference("Request", self._types)
        lines = docstring(doc, indent + INDENT)
        head, *rest = wrapped(f"def {self._name}({parameters}) -> {self._sent}:{'' if lines else ' ...'}", indent)
        yield head + client_mark(self._name)
        yield from [*rest, *lines]
        yield from wrapped(f"def {self._method.name}_request({parameters}) -> {request}: ...", indent)

    def _parameters(self) -> str:
        types, brand = self._types, self._method.params_brand
        this = "_self" if "self" in self._params else "self"
        taken = (f"{name}: {_value(types, field, brand)} = ..." for name, field in self._params.items())
        return ", ".join([this, *taken])

    @property
    def _sent(self) -> str:
        """What a call gives back."""
        return "_rpc.Promise[None]" if self._method.is_streaming else self._reference("Promise", self._types)

    # ---- in the server

    def of_server(self, indent: str) -> Iterator[str]:
        """The method, of whose parameters an override takes what it likes, and the one that takes the context."""
        returned = f"{self._interface}.{self._own('Returned')}"
        context = self._reference("Context", self._types.unbound)
        yield from wrapped(f"def {self._name}(self, *args: {ANY}, **kwargs: {ANY}) -> {returned}: ...", indent)
        yield from wrapped(f"def {self._method.name}_context(self, context: {context}) -> {returned}: ...", indent)

    def _returned(self) -> Iterator[str]:
        """What a server returns: nothing, the results as a message or by name, or their values."""
        yield "None"
        if not self._method.is_streaming:
            types, brand = self._types.unbound, self._method.results_brand
            yield from (types.struct(self._method.results_id, View.EITHER, brand), "_ccapnp.Fields")
            values = [_value(types, field, brand) for field in self._results.values()]
            if values:
                yield values[0] if len(values) == 1 else f"_builtins.tuple[{', '.join(values)}]"

    # ---- calls

    def classes(self, indent: str) -> Iterator[str]:
        """The promise of a call, the request for one, its context in the server, and what that may return."""
        types, method = self._types, self._method
        params = types.struct(method.params_id, View.BUILDER, method.params_brand)
        body = () if "send" in self._params else (f"def send(self) -> {self._sent}: ...",)
        if not method.is_streaming:
            yield from self._promise(indent)
        yield from self._class("Request", "_ccapnp.StructBuilder" if params == ANY else params, body, indent)
        yield from self._class("Context", self._context_base(), (), indent)
        union = " | ".join(dict.fromkeys(item for part in self._returned() for item in items(part, "|")))
        alias = f"{self._own('Returned')}: _typing_extensions.TypeAlias = _rpc.MaybeAwaitable[{union}]"
        yield from [*wrapped(alias, indent), ""]

    def _promise(self, indent: str) -> Iterator[str]:
        types, method = self._types, self._method
        base = f"_rpc.Promise[{types.struct(method.results_id, View.READER, method.results_brand)}]"
        pipeline = types.made(method.results_id, "Pipeline", method.results_brand)
        head, *rest = self._class("Promise", f"{pipeline}, {base}" if pipeline else base, (), indent)
        mark = promise_mark(pipelined_names(types, self._results.values())) if pipeline else ""
        yield from [head + mark, *rest]

    def _context_base(self) -> str:
        types, method = self._types, self._method
        params = types.struct(method.params_id, View.READER, method.params_brand)
        results = types.struct(method.results_id, View.BUILDER, method.results_brand)
        return f"_rpc.CallContext[{params}, {'None' if method.is_streaming else results}]"

    def _class(self, name: str, bases: str, body: Sequence[str], indent: str) -> Iterator[str]:
        """A class, with an empty line behind it."""
        end = "" if body else " ..."
        yield from wrapped(f"class {self._own(name)}({bases}{self._types.generic_base}):{end}", indent)
        for line in body:
            yield from wrapped(line, indent + INDENT)
        yield ""

    def _own(self, name: str) -> str:
        """The name of a class of this method."""
        return f"_{self._method.name[:1].upper()}{self._method.name[1:]}{name}"

    def _reference(self, name: str, types: TypeWriter) -> str:
        return f"{self._interface}.{self._own(name)}{types.own_arguments}"


def _in_order(node: Node) -> dict[str, Field]:
    """The fields of a struct in the order of the source, by attribute."""
    return {attribute_name(field.name): field for field in sorted(node.fields, key=lambda field: field.code_order)}


def _value(types: TypeWriter, field: Field, brand: Brand) -> str:
    """What a parameter or result can be given as."""
    if field.is_group:
        return f"{types.struct(field.group_id, View.EITHER, brand)} | _ccapnp.Fields"
    return types.value(field.type)
