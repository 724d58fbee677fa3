"""The declarations of a file as scopes within scopes: what has an id, and the aliases that `using` makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Optional, Union

from ccapnp.compiler.ids import child_id
from ccapnp.language import syntax
from ccapnp.language.syntax import Span

if TYPE_CHECKING:
    from ccapnp.compiler.files import SchemaFile

__all__ = ["Alias", "Definition", "Symbol", "collect", "declared_span"]

_KINDS: dict[type[syntax.Declaration], str] = {
    syntax.File: "file",
    syntax.Struct: "struct",
    syntax.Enum: "enum",
    syntax.Interface: "interface",
    syntax.Constant: "const",
    syntax.AnnotationDeclaration: "annotation",
}


class Definition:
    """A declaration that becomes a node of its own; ``members`` are the names that can be looked up in it."""

    def __init__(
        self,
        file: SchemaFile,
        kind: str,
        declaration: syntax.Declaration,
        parent: Optional[Definition],
        name: str,
        node_id: int,
    ) -> None:
        self.file = file
        self.kind = kind
        self.declaration = declaration
        self.parent = parent
        self.name = name
        self.id = node_id
        self.parameters = tuple(each.text for each in declaration.parameters)
        self.is_generic: bool = bool(self.parameters) or parent is not None and parent.is_generic
        self.members: dict[str, Symbol] = {}
        self.nested: list[Definition] = []
        self.aliases: list[Alias] = []

    @property
    def scoped_name(self) -> str:
        """``Outer.Inner``; of a file the empty string."""
        if self.parent is None:
            return ""
        outer = self.parent.scoped_name
        return f"{outer}.{self.name}" if outer else self.name

    @property
    def display_name(self) -> str:
        """``file.capnp:Outer.Inner``."""
        return f"{self.file.name}:{self.scoped_name}" if self.parent else self.file.name

    def enclosing(self) -> Iterator[Definition]:
        """This definition, and all that it stands in, from the inside out."""
        at: Optional[Definition] = self
        while at is not None:
            yield at
            at = at.parent

    def all_nested(self) -> Iterator[Definition]:
        """This definition and all within it."""
        yield self
        for each in self.nested:
            yield from each.all_nested()

    def report(self, span: Span, message: str) -> None:
        """Note a fault in the source of this definition."""
        self.file.report(span, message)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.display_name}>"


class Alias:
    """``using name = target;``."""

    def __init__(self, declaration: syntax.Using, parent: Definition) -> None:
        self.declaration = declaration
        self.parent = parent


Symbol = Union[Definition, Alias]


def collect(parent: Definition) -> None:
    """Make the scopes within a definition, all the way down; of two of one name, the first can be looked up."""
    for declaration in parent.declaration.nested:
        if declaration.name is None:
            continue
        name = declaration.name.text
        if isinstance(declaration, syntax.Using):
            alias = Alias(declaration, parent)
            parent.aliases.append(alias)
            parent.members.setdefault(name, alias)
            continue
        kind = _KINDS.get(type(declaration))
        if kind is None:
            continue
        node_id = declaration.id.value if declaration.id else child_id(parent.id, name)
        definition = Definition(parent.file, kind, declaration, parent, name, node_id)
        parent.nested.append(definition)
        parent.members.setdefault(name, definition)
        collect(definition)


def declared_span(declaration: syntax.Declaration) -> Span:
    """Where to point at for a declaration: its name if it has one."""
    return declaration.name.span if declaration.name else declaration.span
