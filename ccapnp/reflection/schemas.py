"""Schemas: one object for each file, struct, group, enum, interface, constant and annotation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from ccapnp.errors import SchemaError, a, did_you_mean
from ccapnp.reflection.mappings import AnnotationMap, NameMap
from ccapnp.reflection.members import EnumerantSchema, FieldSchema, MethodSchema
from ccapnp.reflection.raw import raw
from ccapnp.reflection.schema_types import SchemaType
from ccapnp.schema.nodes import Node, NodeKind
from ccapnp.schema.scope import TYPE_KINDS
from ccapnp.schema.value import Kind, Type

if TYPE_CHECKING:
    from ccapnp.schema import schema_capnp
    from ccapnp.types.registry import TypeRegistry

__all__ = [
    "AnnotationSchema",
    "ConstSchema",
    "EnumSchema",
    "FileSchema",
    "InterfaceSchema",
    "Schema",
    "StructSchema",
    "schema_for",
]


_DOC_OF_ANY_ENUM = "An enumeration."
"""What Python up to 3.10 puts where an enum's class has no docstring."""


class Schema:
    """What the schema says of one declaration; what only some kinds have is in the subclasses.

    There is one object for a declaration, which is equal to itself alone: types of the two codecs, or of two versions
    of a schema, have schemas of their own.
    """

    what = "declaration"
    """The kind, for people."""

    def __init__(self, registry: TypeRegistry, model: Node) -> None:
        self._registry = registry
        self._model = model

    def __repr__(self) -> str:
        return f"<schema of {self.what} {self.display_name}>"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # as Python itself asks, to find out what an object can do
            raise AttributeError(name)
        known = [each for each in dir(type(self)) if not each.startswith("_")]
        raise AttributeError(
            f"{self.display_name} is {a(self.what)}: its schema has no {name!r}{did_you_mean(name, known)}"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a schema cannot be pickled: pickle the id, or the message")

    # ---- names

    @property
    def id(self) -> int:
        return self._model.id

    @property
    def kind(self) -> NodeKind:
        return self._model.kind

    @property
    def display_name(self) -> str:
        """The file, a colon and the scoped name, as in "addressbook.capnp:Person.PhoneNumber"."""
        return self._model.display_name

    @property
    def short_display_name(self) -> str:
        """The last part of the name, as in "PhoneNumber"."""
        return self._model.name

    @property
    def scoped_name(self) -> str:
        """The name without its file, as in "Person.PhoneNumber"; empty for a file."""
        return self._model.scoped_name

    @property
    def doc(self) -> Optional[str]:
        """The comment in the schema; ``None`` if there is none, or it was not kept."""
        found = self._registry.docs.get(self.id)
        if found is None and self.kind in TYPE_KINDS:  # of a generated module, the classes have the comments
            made = self._registry.find_class(self.id)
            found = None if made.__doc__ in (made.__base__.__doc__, _DOC_OF_ANY_ENUM) else made.__doc__
        return found

    @property
    def annotations(self) -> AnnotationMap:
        """The values of the annotations by their declarations."""
        return AnnotationMap(self.display_name, self._registry, self._model.annotations)

    @property
    def node(self) -> schema_capnp.Node.Reader:
        """The declaration as schema.capnp has it."""
        from ccapnp.schema import schema_capnp

        return raw(self._model.record, schema_capnp.Node)  # type: ignore[no-any-return]

    # ---- what is around it

    @property
    def scope(self) -> Optional[Schema]:
        """What it is declared in; ``None`` for a file, for parameters of a method, and where that is not loaded."""
        node = self._registry.find(self._model.scope_id)
        return None if node is None else schema_for(self._registry, node.id)

    @cached_property
    def nested(self) -> NameMap[Schema]:
        """What is declared in it; of an imported file, only what is used is loaded."""
        found = [each for each in self._model.nested if each.id in self._registry]
        return NameMap(self.display_name, "declaration", [(each.name, self._schema(each.id)) for each in found])

    @property
    def is_generic(self) -> bool:
        """Whether it, or what it is declared in, has generic parameters."""
        return self._model.is_generic

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its own generic parameters."""
        return self._model.parameters

    def dependency(self, node_id: int) -> Schema:
        """The type of that id that this one uses: in a field, method, constant, or by extending it.

        SchemaError if it uses none of that id.
        """
        if node_id not in set(self._used_ids()):
            raise SchemaError(f"{self.display_name} uses no type with the id {node_id:#018x}")
        return self._schema(node_id)

    def _schema(self, node_id: int) -> Schema:
        found: Schema = schema_for(self._registry, node_id)
        return found

    def _used_ids(self) -> Iterator[int]:
        return _ids_in(self._model.type)

    # ---- which kind it is

    def as_struct(self) -> StructSchema:
        """This, if it is a struct or group; else a TypeError."""
        return self._refuse("struct")

    def as_enum(self) -> EnumSchema:
        """This, if it is an enum; else a TypeError."""
        return self._refuse("enum")

    def as_interface(self) -> InterfaceSchema:
        """This, if it is an interface; else a TypeError."""
        return self._refuse("interface")

    def as_const(self) -> ConstSchema:
        """This, if it is a constant; else a TypeError."""
        return self._refuse("constant")

    def _refuse(self, wanted: str) -> NoReturn:
        raise TypeError(f"{self.display_name} is {a(self.what)}, not {a(wanted)}")


def _ids_in(type: Optional[Type]) -> Iterator[int]:
    while type is not None and type.element is not None:
        type = type.element
    if type is not None and type.type_id:
        yield type.type_id


class FileSchema(Schema):
    """A file, and so a module."""

    what = "file"


class StructSchema(Schema):
    """A struct or a group."""

    what = "struct"

    @cached_property
    def fields(self) -> NameMap[FieldSchema]:
        """The fields by name, in the order of their ordinals; a group, or a union with a name, is one."""
        fields = [FieldSchema(self, field, index) for index, field in enumerate(self._model.fields)]
        return NameMap(self.display_name, "field", [(field.name, field) for field in fields])

    @property
    def fields_list(self) -> tuple[FieldSchema, ...]:
        return tuple(self.fields.values())

    @property
    def fieldnames(self) -> tuple[str, ...]:
        return tuple(self.fields)

    @property
    def union_fields(self) -> tuple[str, ...]:
        """The names of the members of the unnamed union, by discriminant."""
        return tuple(field.name for field in self._model.union_fields)

    @property
    def non_union_fields(self) -> tuple[str, ...]:
        """The names of the fields that are not in the unnamed union."""
        return tuple(field.name for field in self._model.fields if field.discriminant is None)

    @property
    def is_group(self) -> bool:
        return self._model.is_group

    @property
    def data_words(self) -> int:
        """The size of the data section."""
        return self._model.data_words

    @property
    def pointer_count(self) -> int:
        """The size of the pointer section."""
        return self._model.pointer_count

    @property
    def discriminant_count(self) -> int:
        """How many members the unnamed union has; 0 if there is none."""
        return self._model.discriminant_count

    @property
    def discriminant_offset(self) -> int:
        """Where the unnamed union's discriminant is, in units of 16 bits."""
        return self._model.discriminant_offset

    @cached_property
    def may_contain_capabilities(self) -> bool:
        """Whether a message of this type can hold capabilities: False says that none need be looked for."""
        seen = {self.id}
        waiting: list[StructSchema] = [self]
        while waiting:
            for field in waiting.pop().fields_list:
                leaf = field.type
                while leaf.kind == Kind.LIST:
                    leaf = leaf.element_type
                if leaf.kind in (Kind.INTERFACE, Kind.ANY_POINTER):
                    return True
                if leaf.kind == Kind.STRUCT and leaf.as_struct().id not in seen:
                    seen.add(leaf.as_struct().id)
                    waiting.append(leaf.as_struct())
        return False

    def as_struct(self) -> StructSchema:
        return self

    def _used_ids(self) -> Iterator[int]:
        for field in self._model.fields:
            yield from (field.group_id,) if field.is_group else _ids_in(field.type)


class EnumSchema(Schema):
    """An enum."""

    what = "enum"

    @cached_property
    def enumerants(self) -> NameMap[EnumerantSchema]:
        """The names of the enum, in the order of their numbers."""
        enumerants = [EnumerantSchema(self, each, index) for index, each in enumerate(self._model.enumerants)]
        return NameMap(self.display_name, "enumerant", [(each.name, each) for each in enumerants])

    def as_enum(self) -> EnumSchema:
        return self


class InterfaceSchema(Schema):
    """An interface."""

    what = "interface"

    @cached_property
    def methods(self) -> NameMap[MethodSchema]:
        """The interface's own methods by name, in the order of their ordinals."""
        methods = [MethodSchema(self, method, index) for index, method in enumerate(self._model.methods)]
        return NameMap(self.display_name, "method", [(method.name, method) for method in methods])

    @cached_property
    def methods_inherited(self) -> NameMap[MethodSchema]:
        """The methods by name with those of all interfaces that it extends; of one name, the nearest."""
        found: dict[str, MethodSchema] = {}
        for schema in self._lineage():
            for name, method in schema.methods.items():
                found.setdefault(name, method)
        return NameMap(self.display_name, "method", found.items())

    @property
    def method_names(self) -> tuple[str, ...]:
        return tuple(self.methods)

    @property
    def method_names_inherited(self) -> tuple[str, ...]:
        return tuple(self.methods_inherited)

    @property
    def superclasses(self) -> tuple[InterfaceSchema, ...]:
        """The interfaces that it extends itself."""
        return tuple(self._schema(node_id).as_interface() for node_id, _ in self._model.superclasses)

    def extends(self, other: InterfaceSchema) -> bool:
        """Whether it is ``other``, or extends it, however far up."""
        return other in self._lineage()

    def _lineage(self) -> list[InterfaceSchema]:
        """The interface and all that it extends, nearest first, each once."""
        found: list[InterfaceSchema] = [self]
        for schema in found:
            found += [each for each in dict.fromkeys(schema.superclasses) if each not in found]
        return found

    def as_interface(self) -> InterfaceSchema:
        return self

    def _used_ids(self) -> Iterator[int]:
        for method in self._model.methods:
            yield from (method.params_id, method.results_id)
        for node_id, _ in self._model.superclasses:
            yield node_id


class _TypedSchema(Schema):
    """A constant or an annotation."""

    @property
    def type(self) -> SchemaType:
        return SchemaType(self._registry, self._model.type or Type(None))


class ConstSchema(_TypedSchema):
    """A constant."""

    what = "constant"

    @property
    def value(self) -> Any:
        """The value, as a reader sees it."""
        return self._registry.constant(self.id)

    def as_const(self) -> ConstSchema:
        return self


class AnnotationSchema(_TypedSchema):
    """The declaration of an annotation."""

    what = "annotation"


_CLASSES: dict[NodeKind, type[Schema]] = {
    NodeKind.FILE: FileSchema,
    NodeKind.STRUCT: StructSchema,
    NodeKind.ENUM: EnumSchema,
    NodeKind.INTERFACE: InterfaceSchema,
    NodeKind.CONST: ConstSchema,
    NodeKind.ANNOTATION: AnnotationSchema,
}


def schema_for(registry: TypeRegistry, node_id: int) -> Any:
    """The schema of that id; SchemaError if none has been loaded."""
    found = registry.schemas.get(node_id)
    if found is None:
        node = registry.node(node_id)
        found = registry.schemas.setdefault(node_id, _CLASSES[node.kind](registry, node))
    return found
