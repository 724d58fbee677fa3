"""Writes a stub: the module as type checkers and editors see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable

from ccapnp.plugin.emit_py import BASES, banner
from ccapnp.plugin.model import Declaration, DeclarationKind, FileModel
from ccapnp.plugin.pyi_clashes import EMPTY_ENUM, constant_mark, enumerant_mark
from ccapnp.plugin.pyi_interfaces import InterfaceWriter
from ccapnp.plugin.pyi_layout import INDENT, wrapped
from ccapnp.plugin.pyi_names import Names
from ccapnp.plugin.pyi_structs import StructWriter
from ccapnp.plugin.pyi_types import BOUND_VARIABLES, TypeWriter, View
from ccapnp.plugin.text import docstring
from ccapnp.schema import NodeKind, Type
from ccapnp.schema.names import enumerant_name

__all__ = ["emit_pyi"]

_IMPORTS = {
    "_builtins": "import builtins as _builtins",
    "_abc": "import collections.abc as _abc",
    "_typing": "import typing as _typing",
    "_typing_extensions": "import typing_extensions as _typing_extensions",
    "_rpc": "import ccapnp.rpc.typed as _rpc",
    "_ccapnp": "import ccapnp.types.typed as _ccapnp",
}


def emit_pyi(model: FileModel, is_package: Callable[[str], bool] = lambda folder: False) -> str:
    """The text of the stub.

    ``is_package`` says of a folder within the output folder, "" for that itself, whether it is a package: the stub
    imports those of other schemas relative to itself if all folders between them are, and else by their names from the
    output folder.
    """
    names = Names(model, is_package)
    writer = _Writer(names)
    body = [line for declaration in model.declarations for line in writer.declaration(declaration, "")]
    aliases = [*names.root_aliases(), *names.enum_value_aliases()]
    if aliases:
        body += ["", *[line for alias in aliases for line in wrapped(alias, "")]]
    variables = [line for each in names.type_variables() for line in wrapped(each, "")]
    if variables:
        body = ["", *variables, *[f'{each} = _typing.TypeVar("{each}")' for each in BOUND_VARIABLES], *body]
    text = "\n".join(body)
    lines = [
        banner(model),
        *docstring(model.doc or f"The types of {model.file_name}.", ""),
        "",
        *[statement for name, statement in _IMPORTS.items() if f"{name}." in text],
        *_set_apart(names.import_statements(text)),
        "",
        "__all__ = [",
        *[f'{INDENT}"{declaration.name}",' for declaration in model.declarations],
        "]",
    ]
    return "\n".join(lines) + "\n" + text + "\n"


def _set_apart(lines: list[str]) -> list[str]:
    return ["", *lines] if lines else []


class _Writer:
    """Writes declarations."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._types = TypeWriter(names)

    def declaration(self, declaration: Declaration, indent: str, is_in_struct: bool = False) -> Iterator[str]:
        """A declaration, with an empty line in front of a class."""
        if declaration.kind in _VALUES:
            line = f"{declaration.name}: _typing.Final[{self._value_type(declaration)}]"
            yield f"{indent}{line}{constant_mark(declaration.name, is_in_struct)}"
            yield from docstring(declaration.doc, indent)
            return
        node = declaration.node
        mark = EMPTY_ENUM if node.kind == NodeKind.ENUM and not node.enumerants else ""
        yield ""
        base = f"_ccapnp.{BASES[node.kind]}{self._types.within(node.id).generic_base}"
        head, *rest = wrapped(f"class {declaration.name}({base}):", indent)
        yield head + mark
        yield from rest
        inner = indent + INDENT
        doc = docstring(declaration.doc, inner)
        body = list(self._body(declaration, inner))
        yield from doc
        if doc and body and body[0]:
            yield ""
        yield from body if doc or not body or body[0] else body[1:]
        if not doc and not body:
            yield f"{inner}..."

    def _body(self, declaration: Declaration, indent: str) -> Iterator[str]:
        if declaration.is_struct:
            yield from StructWriter(self._types, declaration.node.id).body(declaration, indent)
        elif declaration.kind == DeclarationKind.INTERFACE:
            yield from InterfaceWriter(self._names, declaration.node.id).body(declaration, indent)
        for enumerant, doc in zip(declaration.node.enumerants, declaration.member_docs):
            name = enumerant_name(enumerant.name)
            yield f"{indent}{name} = {enumerant.ordinal}{enumerant_mark(name)}"
            yield from docstring(doc, indent)
        if declaration.is_struct and declaration.nested[:1] and declaration.nested[0].kind in _VALUES:
            yield ""
        for nested in declaration.nested:
            yield from self.declaration(nested, indent, declaration.is_struct)

    def _value_type(self, declaration: Declaration) -> str:
        if declaration.kind == DeclarationKind.ANNOTATION:
            return "_ccapnp.Annotation"
        return self._types.read(declaration.node.type or Type(None), View.READER)


_VALUES = (DeclarationKind.CONST, DeclarationKind.ANNOTATION)
