"""How schema names become Python names.

A schema name has no underscore, so one is free to make a name that differs: ``from`` becomes ``from_``, and nothing of
the library that has an underscore in its name can be hidden by a field.
"""

from __future__ import annotations

import keyword
import re

__all__ = ["attribute_name", "enumerant_name", "group_name", "module_name", "type_name"]

_RESERVED_TYPE_NAMES = frozenset(("Reader", "Builder"))
"""Names that every struct type has for its own classes; a nested type of that name gets an underscore."""

_KEYWORDS = frozenset(keyword.kwlist)


def attribute_name(name: str) -> str:
    """The attribute for a field, constant, annotation or method: the schema's own spelling."""
    return f"{name}_" if name in _KEYWORDS else name


def type_name(name: str) -> str:
    """The class for a struct, enum or interface."""
    return f"{name}_" if name in _KEYWORDS or name in _RESERVED_TYPE_NAMES else name


def group_name(field: str, taken: frozenset[str] | set[str] = frozenset()) -> str:
    """The class for a group or named union: the field's name with a capital, as the C++ generator has it."""
    name = type_name(field[:1].upper() + field[1:])
    while name in taken:
        name += "_"
    return name


def enumerant_name(name: str) -> str:
    """The member for an enumerant; `enum` itself does not allow ``mro``."""
    return f"{name}_" if name in _KEYWORDS or name == "mro" else name


def module_name(file_name: str) -> str:
    """The module for a schema file's last path component: ``foo-bar.capnp`` becomes ``foo_bar_capnp``."""
    stem = file_name.rpartition("/")[2]
    stem = stem[: -len(".capnp")] if stem.endswith(".capnp") else stem
    name = re.sub(r"\W", "_", stem)
    return f"_{name}_capnp" if name[:1].isdigit() else f"{name}_capnp"
