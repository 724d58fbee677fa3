"""Reflection: what the schema says of types and their fields, as objects for users.

`ccapnp.schema` has the same as it is stored, and knows no Python classes; this does.
"""

from ccapnp.reflection.mappings import AnnotationMap, NameMap
from ccapnp.reflection.members import EnumerantSchema, FieldSchema, MemberSchema, MethodSchema
from ccapnp.reflection.of import schema_of, type_of
from ccapnp.reflection.schema_types import SchemaType
from ccapnp.reflection.schemas import (
    AnnotationSchema,
    ConstSchema,
    EnumSchema,
    FileSchema,
    InterfaceSchema,
    Schema,
    StructSchema,
)

__all__ = [
    "AnnotationMap",
    "AnnotationSchema",
    "ConstSchema",
    "EnumSchema",
    "EnumerantSchema",
    "FieldSchema",
    "FileSchema",
    "InterfaceSchema",
    "MemberSchema",
    "MethodSchema",
    "NameMap",
    "Schema",
    "SchemaType",
    "StructSchema",
    "schema_of",
    "type_of",
]
