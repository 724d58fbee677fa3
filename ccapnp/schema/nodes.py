"""Nodes: one for each file, struct, group, enum, interface, constant and annotation of a compiled schema.

A `Node` is a thin view of its message; lists are made when first asked for, so that a large schema loads at once.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from typing import NamedTuple, Optional

from ccapnp.errors import SchemaError
from ccapnp.schema.record import Record
from ccapnp.schema.value import Brand, Type, Value

__all__ = ["Annotation", "Enumerant", "Field", "Method", "Nested", "Node", "NodeKind"]

_NO_DISCRIMINANT = 0xFFFF
_STREAM_RESULT = 0x995F9A3377C0B16E


class NodeKind(IntEnum):
    """The members of schema.capnp's ``Node`` union, by discriminant."""

    FILE = 0
    STRUCT = 1
    ENUM = 2
    INTERFACE = 3
    CONST = 4
    ANNOTATION = 5


class Nested(NamedTuple):
    """A declaration inside a node: its name there, and its id."""

    name: str
    id: int


class Annotation:
    """An annotation applied to something: the id of its declaration, and its value."""

    __slots__ = ("brand", "id", "value")

    def __init__(self, record: Record) -> None:
        self.id = record.u64(0)
        self.value = Value(record.struct(0))
        brand = record.struct(1)
        self.brand = Brand(brand) if brand else None


def _annotations(record: Record, index: int) -> tuple[Annotation, ...]:
    return tuple(Annotation(annotation) for annotation in record.structs(index))


class Member:
    """What fields, enumerants and methods have in common: name, place in the source, annotations."""

    def __init__(self, record: Record, ordinal: int) -> None:
        self._record = record
        self.name = record.text(0)
        self.code_order = record.u16(0)
        self.ordinal = ordinal

    @cached_property
    def annotations(self) -> tuple[Annotation, ...]:
        return _annotations(self._record, 1)

    def __repr__(self) -> str:
        return f"<{type(self).__name__.lower()} {self.name} @{self.ordinal}>"


class Enumerant(Member):
    """One name of an enum; its ``ordinal`` is its number."""


class Field(Member):
    """One field of a struct: a slot with a type, offset and default, or a group with a type id.

    ``discriminant`` is ``None`` for a field that is not in a union.  ``offset`` counts in units of the field's own
    size, or pointers.  ``ordinal`` is the declared one, or -1 for a group.
    """

    def __init__(self, record: Record) -> None:
        explicit = record.u16(5) == 1
        super().__init__(record, record.u16(6) if explicit else -1)
        discriminant = record.u16(1) ^ _NO_DISCRIMINANT
        self.discriminant = None if discriminant == _NO_DISCRIMINANT else discriminant
        kind = record.u16(4)
        if kind > 1:
            raise SchemaError(f"field {self.name!r} is of a kind that is not known")
        self.is_group = kind == 1
        self.group_id = record.u64(2) if self.is_group else 0
        self.offset = 0 if self.is_group else record.u32(1)
        self.had_explicit_default = not self.is_group and record.bit(128)

    @cached_property
    def type(self) -> Type:
        """The type of a slot; Void for a group."""
        return Type(None if self.is_group else self._record.struct(2))

    @cached_property
    def default(self) -> Value:
        """The default of a slot; Void for a group."""
        return Value(None if self.is_group else self._record.struct(3))


class Method(Member):
    """One method of an interface: the ids and brands of its parameter and result structs."""

    def __init__(self, record: Record, ordinal: int) -> None:
        super().__init__(record, ordinal)
        self.params_id = record.u64(1)
        self.results_id = record.u64(2)
        self.implicit_parameters = tuple(parameter.text(0) for parameter in record.structs(4))

    @property
    def is_streaming(self) -> bool:
        """Whether the method is declared as ``-> stream``: its results are the StreamResult of stream.capnp."""
        return self.results_id == _STREAM_RESULT

    @cached_property
    def params_brand(self) -> Brand:
        return Brand(self._record.struct(2))

    @cached_property
    def results_brand(self) -> Brand:
        return Brand(self._record.struct(3))


class Node:
    """One declaration of a schema; which of the properties mean something depends on its ``kind``.

    ``origin`` is the path of the generated module that the node comes from, if it comes from one.
    """

    origin: Optional[str] = None

    def __init__(self, record: Record) -> None:
        self.record = record
        self.id = record.u64(0)
        number = record.u16(6)
        if number > NodeKind.ANNOTATION:
            raise SchemaError(f"node {self.id:#018x} is of a kind that is not known")
        self.kind = NodeKind(number)

    def __repr__(self) -> str:
        return f"<{self.kind.name.lower()} {self.display_name} @{self.id:#018x}>"

    @cached_property
    def display_name(self) -> str:
        """The file, a colon and the scoped name, as in "addressbook.capnp:Person.PhoneNumber"."""
        return self.record.text(0)

    @cached_property
    def scoped_name(self) -> str:
        """The name without its file, as in "Person.PhoneNumber"; empty for a file."""
        return self.display_name.rpartition(":")[2] if self.kind != NodeKind.FILE else ""

    @cached_property
    def file_name(self) -> str:
        """The file as the compiler was given it."""
        return self.display_name.rpartition(":")[0] if self.kind != NodeKind.FILE else self.display_name

    @cached_property
    def name(self) -> str:
        """The last part of the name."""
        return self.display_name[self.record.u32(2) :]

    @cached_property
    def scope_id(self) -> int:
        """The id of the node around this one; 0 for files and for the structs of a method's parameters."""
        return self.record.u64(2)

    @cached_property
    def nested(self) -> tuple[Nested, ...]:
        return tuple(Nested(record.text(0), record.u64(0)) for record in self.record.structs(1))

    @cached_property
    def annotations(self) -> tuple[Annotation, ...]:
        return _annotations(self.record, 2)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the node's own generic parameters."""
        return tuple(record.text(0) for record in self.record.structs(5))

    @property
    def is_generic(self) -> bool:
        """Whether this node or one around it has generic parameters."""
        return self.record.bit(288)

    # ---- structs

    @cached_property
    def data_words(self) -> int:
        return self.record.u16(7)

    @cached_property
    def pointer_count(self) -> int:
        return self.record.u16(12)

    @cached_property
    def is_group(self) -> bool:
        return self.record.bit(224)

    @cached_property
    def discriminant_count(self) -> int:
        """How many members the struct's unnamed union has; 0 for none."""
        return self.record.u16(15)

    @cached_property
    def discriminant_offset(self) -> int:
        """Where the unnamed union's discriminant is, in 16-bit units."""
        return self.record.u32(8)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The struct's fields in the order of their ordinals."""
        if self.kind != NodeKind.STRUCT:
            return ()
        try:
            return tuple(Field(record) for record in self.record.structs(3))
        except SchemaError as error:
            raise SchemaError(f"{error} (in {self.display_name})", file=self.file_name) from None

    @cached_property
    def fields_by_name(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}

    @cached_property
    def union_fields(self) -> tuple[Field, ...]:
        """The members of the unnamed union, by discriminant."""
        members = [field for field in self.fields if field.discriminant is not None]
        return tuple(sorted(members, key=lambda field: field.discriminant or 0))

    # ---- enums, interfaces, constants, annotations

    @cached_property
    def enumerants(self) -> tuple[Enumerant, ...]:
        """An enum's names, in the order of their numbers."""
        if self.kind != NodeKind.ENUM:
            return ()
        return tuple(Enumerant(record, number) for number, record in enumerate(self.record.structs(3)))

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        if self.kind != NodeKind.INTERFACE:
            return ()
        return tuple(Method(record, ordinal) for ordinal, record in enumerate(self.record.structs(3)))

    @cached_property
    def superclasses(self) -> tuple[tuple[int, Brand], ...]:
        """(id, brand) of the interfaces that an interface extends."""
        if self.kind != NodeKind.INTERFACE:
            return ()
        return tuple((record.u64(0), Brand(record.struct(0))) for record in self.record.structs(4))

    @cached_property
    def type(self) -> Optional[Type]:
        """The type of a constant or annotation."""
        return Type(self.record.struct(3)) if self.kind in (NodeKind.CONST, NodeKind.ANNOTATION) else None

    @cached_property
    def value(self) -> Optional[Value]:
        """The value of a constant."""
        return Value(self.record.struct(4)) if self.kind == NodeKind.CONST else None
