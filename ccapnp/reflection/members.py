"""Fields, enumerants and methods, as reflection shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Optional, TypeVar, Union

from ccapnp.reflection.mappings import AnnotationMap
from ccapnp.reflection.raw import raw
from ccapnp.reflection.schema_types import SchemaType
from ccapnp.schema.nodes import Enumerant, Field, Member, Method

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import EnumSchema, InterfaceSchema, Schema, StructSchema
    from ccapnp.schema import schema_capnp
    from ccapnp.types.enums import Enum

__all__ = ["EnumerantSchema", "FieldSchema", "MemberSchema", "MethodSchema"]

_M = TypeVar("_M", bound=Member)
_O = TypeVar("_O", bound="Schema")


class MemberSchema(Generic[_O, _M]):
    """What fields, enumerants and methods have in common."""

    __slots__ = ("_model", "_owner", "index")

    _owner: _O
    _model: _M
    index: int
    """The position among its like, by ordinal."""

    def __init__(self, owner: _O, model: _M, index: int) -> None:
        self._owner = owner
        self._model = model
        self.index = index

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def code_order(self) -> int:
        """The position among its like in the schema's text."""
        return self._model.code_order

    @property
    def doc(self) -> Optional[str]:
        """The comment in the schema; generated modules have none of members."""
        docs = self._owner._registry.member_docs.get(self._owner.id, ())
        return (docs[self.index] or None) if self.index < len(docs) else None

    @property
    def annotations(self) -> AnnotationMap:
        """The values of the annotations by their declarations."""
        return AnnotationMap(str(self), self._owner._registry, self._model.annotations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MemberSchema):
            return NotImplemented
        return self._owner == other._owner and self.index == other.index

    def __hash__(self) -> int:
        return hash((self._owner, self.index))

    def __str__(self) -> str:
        return f"{self._owner.scoped_name}.{self.name}"


class FieldSchema(MemberSchema["StructSchema", Field]):
    """One field of a struct: a slot or a group."""

    __slots__ = ()

    @property
    def ordinal(self) -> Optional[int]:
        """The number behind its ``@``; ``None`` for a group, which has none."""
        return self._model.ordinal if self._model.ordinal >= 0 else None

    @property
    def containing_struct(self) -> StructSchema:
        """The struct, or the group, that the field is in."""
        return self._owner

    @property
    def is_group(self) -> bool:
        return self._model.is_group

    @property
    def type(self) -> SchemaType:
        """The type; a group's is that of the struct which it is like."""
        from ccapnp.schema.value import Kind, Type

        model = self._model
        type = Type.of(Kind.STRUCT, type_id=model.group_id) if model.is_group else model.type
        return SchemaType(self._owner._registry, type)

    @property
    def schema(self) -> Union[Schema, SchemaType, None]:
        """The schema of the field's type, where that has one; ``None`` for numbers, texts and the like."""
        return self.type.schema

    @property
    def default(self) -> Any:
        """What the field reads as where it is not set; ``None`` for a group."""
        model = self._model
        return None if model.is_group else self._owner._registry.value(model.type, model.default)

    @property
    def had_explicit_default(self) -> bool:
        """Whether the schema states the default."""
        return self._model.had_explicit_default

    @property
    def discriminant(self) -> Optional[int]:
        """The number of the field in its union; ``None`` if it is in none."""
        return self._model.discriminant

    @property
    def offset(self) -> int:
        """The position in the struct's section: in units of the field's own size, or pointers; 0 for a group."""
        return self._model.offset

    @property
    def proto(self) -> schema_capnp.Field.Reader:
        """The field as schema.capnp has it."""
        from ccapnp.schema import schema_capnp

        return raw(self._model._record, schema_capnp.Field)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<field {self}: {self.type}>"


class EnumerantSchema(MemberSchema["EnumSchema", Enumerant]):
    """One name of an enum."""

    __slots__ = ()

    @property
    def ordinal(self) -> int:
        """The enumerant's number."""
        return self._model.ordinal

    @property
    def containing_enum(self) -> EnumSchema:
        return self._owner

    @property
    def member(self) -> Enum:
        """The member of the Python class."""
        return self._owner._registry.enum_members(self._owner.id)[self.ordinal]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<enumerant {self} = {self.ordinal}>"


class MethodSchema(MemberSchema["InterfaceSchema", Method]):
    """One method of an interface."""

    __slots__ = ()

    @property
    def ordinal(self) -> int:
        """The number behind its ``@``."""
        return self._model.ordinal

    @property
    def containing_interface(self) -> InterfaceSchema:
        return self._owner

    @property
    def implicit_parameters(self) -> tuple[str, ...]:
        """The names of the method's own generic parameters."""
        return self._model.implicit_parameters

    @property
    def param_type(self) -> StructSchema:
        """The struct whose fields are the parameters."""
        return self._owner._schema(self._model.params_id).as_struct()

    @property
    def result_type(self) -> StructSchema:
        """The struct whose fields are the results."""
        return self._owner._schema(self._model.results_id).as_struct()

    def __repr__(self) -> str:
        return f"<method {self} @{self.ordinal}>"
