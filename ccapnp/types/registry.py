"""From nodes to the types of Python: classes of structs, enums and interfaces, and how fields of each type are read."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.codec import get_codec
from ccapnp.errors import SchemaError
from ccapnp.schema.names import enumerant_name, module_name, type_name
from ccapnp.schema.nodes import Node, NodeKind
from ccapnp.schema.registry import Registry
from ccapnp.schema.scope import declared_in
from ccapnp.schema.validate import check_group, check_room
from ccapnp.schema.value import Kind, Type, Value
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.any_list import ANY_LIST
from ccapnp.types.any_struct import ANY_STRUCT
from ccapnp.types.capability import CAPABILITY
from ccapnp.types.constants import Annotation
from ccapnp.types.enums import Enum, EnumMembers
from ccapnp.types.generic import UNBOUND, Environment, GenericType, bound_type
from ccapnp.types.interface import Interface, InterfaceType
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, ListType, list_of
from ccapnp.types.number_lists import NUMBER_LISTS
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.struct_type import Struct, StructType

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccapnp.codec import Codec
    from ccapnp.reflection.schemas import Schema
    from ccapnp.schema.nodes import Field
    from ccapnp.schema.value import Brand
    from ccapnp.wire.layout import StructLayout

__all__ = ["LIST_TYPES", "POINTER_TYPES", "TypeRegistry", "made_registries", "type_registry"]


class TypeRegistry(Registry):
    """All types of one codec.  A class is made once for each id, whichever way it is first asked for."""

    def __init__(self, codec: Codec) -> None:
        super().__init__(codec)
        self._classes: dict[int, Any] = {}
        self._members: dict[int, EnumMembers] = {}
        self._bound: dict[Any, Any] = {}
        self._enum_lists: dict[int, ListType] = {}
        self._finders: dict[int, Callable[[], Any]] = {}
        self.docs: dict[int, str] = {}
        self.member_docs: dict[int, tuple[str, ...]] = {}
        self.schemas: dict[int, Schema] = {}
        self.layouts: dict[StructType, StructLayout] = {}
        self.json_codecs: dict[Any, Any] = {}

    # ---- classes

    def add_finder(self, node_id: int, find: Callable[[], Any]) -> None:
        """Have ``find`` called, which imports the module of a class, before one is made from its node alone."""
        self._finders.setdefault(node_id, find)

    def find_class(self, node_id: int) -> Any:
        """The class of a struct, enum or interface."""
        found = self._classes.get(node_id)
        if found is None:
            find = self._finders.get(node_id)
            if find is not None:
                find()  # where other threads that need the class wait for it, too
                self._finders.pop(node_id, None)
                found = self._classes.get(node_id)
        return self.make_class(self.node(node_id)) if found is None else found

    def struct(self, node_id: int, environment: Environment = UNBOUND) -> StructType:
        """The type of a struct or group, with this bound."""
        return self.bind(self._expect(node_id, StructType, "struct"), environment)  # type: ignore[no-any-return]

    def interface(self, node_id: int, environment: Environment = UNBOUND) -> InterfaceType:
        """The type of an interface, with this bound."""
        return self.bind(self._expect(node_id, InterfaceType, "interface"), environment)  # type: ignore[no-any-return]

    def group(self, owner: StructType, field: Field) -> StructType:
        """The type of a field that is a group; SchemaError if that is not in its struct, whose memory it would use."""
        group = self.struct(field.group_id, owner._environment)
        check_group(owner._node, field, group._node)
        check_room(owner._node, field, group._node)
        return group

    def enum(self, node_id: int) -> type[Enum]:
        """The class of an enum."""
        return self._expect(node_id, type(Enum), "enum")  # type: ignore[no-any-return]

    def _expect(self, node_id: int, kind: type, what: str) -> Any:
        found = self.find_class(node_id)
        if not isinstance(found, kind):
            raise SchemaError(f"{self.node(node_id).display_name} is used as if it were a {what}")
        return found

    def enum_members(self, node_id: int) -> EnumMembers:
        """The members of an enum by number."""
        found = self._members.get(node_id)
        if found is None:
            found = self._members.setdefault(node_id, EnumMembers(self.enum(node_id)))
        return found

    def adopt_class(self, node_id: int, made: Any) -> Any:
        """Make ``made`` the class of a node, or give the one that the node already has."""
        known = self._classes.get(node_id)
        if known is not None:
            if known.__dict__.get("_is_provisional"):
                known.__module__, known.__qualname__ = made.__module__, made.__qualname__
                known._is_provisional = False
            return known
        made._node_id = node_id
        made._registry = self
        if isinstance(made, GenericType):
            made._origin = made
            made._begin()
        return self._classes.setdefault(node_id, made)  # of which another thread may have made one meanwhile

    def make_class(self, node: Node, module: Optional[str] = None) -> Any:
        """The class of a node, with those that are nested in it."""
        known = self._classes.get(node.id)
        if known is not None:
            if module is not None and known.__dict__.get("_is_provisional"):
                known.__module__ = module
                known._is_provisional = False
                self.add_members(known, node, module)  # an import brings along only what is used of it
            return known
        namespace: dict[str, Any] = {
            "__module__": module or module_name(node.file_name),
            "__qualname__": node.scoped_name,
            "__doc__": self.docs.get(node.id),
        }
        if node.kind == NodeKind.STRUCT:
            made: Any = StructType(type_name(node.name), (Struct,), {**namespace, "__slots__": ()})
        elif node.kind == NodeKind.ENUM:
            made = make_enum(node, namespace)
        elif node.kind == NodeKind.INTERFACE:
            made = InterfaceType(type_name(node.name), (Interface,), namespace)
        else:
            raise SchemaError(f"{node.display_name} is not a type")
        if module is None:
            made._is_provisional = True
        made = self.adopt_class(node.id, made)
        self.add_members(made, node, module)
        return made

    def add_members(self, made: Any, node: Node, module: Optional[str] = None) -> None:
        """Give a class, or a module, what is declared in its node."""
        prefix = "" if isinstance(made, ModuleType) else f"{made.__qualname__}."
        for name, _, declared in declared_in(node, self.find):
            value = self.declaration(declared.id, module)
            if isinstance(value, type):
                value.__name__, value.__qualname__ = name, f"{prefix}{name}"
            setattr(made, name, value)

    def declaration(self, node_id: int, module: Optional[str] = None) -> Any:
        """What a node is in Python: a class, a constant's value, or an `Annotation`."""
        node = self.node(node_id)
        if node.kind == NodeKind.CONST:
            return self.constant(node_id)
        if node.kind == NodeKind.ANNOTATION:
            return Annotation(node, self)
        return self.make_class(node, module)

    # ---- generic types

    def bind(self, origin: Any, environment: Environment) -> Any:
        """A type as the schema declares it with this bound: the same class whenever the same is bound."""
        bound = {
            scope_id: types for scope_id, types in environment.items() if any(each is not ANY_POINTER for each in types)
        }
        if not bound or not self.node(origin._node_id).is_generic:
            return origin
        key = origin._node_id, frozenset(bound.items())
        return self._bound.get(key) or self._bound.setdefault(key, bound_type(origin, bound))

    def environment(self, brand: Optional[Brand], outer: Environment = UNBOUND) -> Environment:
        """What a type is bound to that is used with ``brand`` where ``outer`` holds."""
        made: dict[int, tuple[PointerType, ...]] = {}
        for scope_id, types in brand.scopes.items() if brand else ():
            if scope_id not in self:
                continue
            if types is None:  # the scope is one that the user of the type is in, too
                inherited = outer.get(scope_id)
                if inherited is not None:
                    made[scope_id] = inherited
            else:
                made[scope_id] = tuple(
                    ANY_POINTER if each is None else self.pointer_type(each, outer) for each in types
                )
        return made

    # ---- values

    def constant(self, node_id: int) -> Any:
        """The value of a constant."""
        node = self.node(node_id)
        if node.type is None or node.value is None:
            raise SchemaError(f"{node.display_name} is not a constant")
        return self.value(node.type, node.value)

    def value(self, type: Type, value: Value, environment: Environment = UNBOUND) -> Any:
        """A constant, default or annotation value as a reader sees it."""
        if type.kind == Kind.ENUM:
            return self.enum_members(type.type_id)[value.bits]
        if type.kind.is_pointer:
            return self.pointer_type(type, environment).read_default(value.pointer)
        return value.number

    # ---- types of fields and elements

    def pointer_type(self, type: Type, environment: Environment = UNBOUND) -> PointerType:
        """How values of a pointer type are read and written where ``environment`` holds."""
        kind = type.kind
        if kind == Kind.LIST:
            return self.list_type(type.element or Type(None), environment)
        if kind == Kind.STRUCT:
            return self.struct(type.type_id, self.environment(type.brand, environment))._pointer
        if kind == Kind.INTERFACE and type.type_id in self:
            return self.interface(type.type_id, self.environment(type.brand, environment))._pointer
        parameter = type.parameter
        if parameter is not None and parameter.scope_id is not None:
            bound = environment.get(parameter.scope_id, ())
            return bound[parameter.position] if parameter.position < len(bound) else ANY_POINTER
        return ANY_TYPES[type.any_kind] if kind == Kind.ANY_POINTER else POINTER_TYPES.get(kind, ANY_POINTER)

    def list_type(self, element: Type, environment: Environment = UNBOUND) -> ListType:
        """The type of lists of ``element`` where ``environment`` holds."""
        kind = element.kind
        if kind in LIST_TYPES:
            return LIST_TYPES[kind]
        if kind == Kind.ENUM:
            return self.enum_list(element.type_id)
        return list_of(self.pointer_type(element, environment))

    def type_name(self, type: Type, environment: Environment = UNBOUND) -> Any:
        """What names a type in Python where ``environment`` holds: a class, a `PointerType`, or the `Kind` of a scalar.

        ``environment`` is that of the type that uses it, as ``Map[Text, Person]._environment``.
        """
        if type.kind.is_pointer:
            return self.pointer_type(type, environment).type_name
        return self.enum(type.type_id) if type.kind == Kind.ENUM else type.kind

    def enum_list(self, node_id: int) -> ListType:
        """The type of lists of an enum's members."""
        return self._enum_lists.get(node_id) or self._enum_lists.setdefault(
            node_id, EnumListType(self.enum(node_id), self.enum_members(node_id))
        )


POINTER_TYPES: dict[Kind, PointerType] = {
    Kind.TEXT: TEXT,
    Kind.DATA: DATA,
    Kind.INTERFACE: CAPABILITY,
    Kind.ANY_POINTER: ANY_POINTER,
}
"""How pointers are read and written whose kind says it all."""

ANY_TYPES: dict[str, PointerType] = {
    "any": ANY_POINTER,
    "struct": ANY_STRUCT,
    "list": ANY_LIST,
    "capability": CAPABILITY,
}
"""The same for how far an any pointer is constrained."""

LIST_TYPES: dict[Kind, ListType] = {**NUMBER_LISTS, Kind.BOOL: BOOL_LIST, Kind.VOID: VOID_LIST}
"""The types of lists whose elements' kind says it all."""


def make_enum(node: Node, namespace: dict[str, Any]) -> type[Enum]:
    """The class of an enum, numbered by ordinal."""
    create: Any = Enum  # the enum module's functional form, which type checkers know only by literals
    made: Any = create(type_name(node.name), [(enumerant_name(each.name), each.ordinal) for each in node.enumerants])
    for name, value in namespace.items():
        if value is not None:
            setattr(made, name, value)
    return made  # type: ignore[no-any-return]


_registries: dict[str, TypeRegistry] = {}


def type_registry(backend: Optional[str] = None) -> TypeRegistry:
    """The registry that everything loaded for a codec shares."""
    codec = get_codec(backend)
    return _registries.get(codec.name) or _registries.setdefault(codec.name, TypeRegistry(codec))


def made_registries() -> list[TypeRegistry]:
    """The registries of the codecs that something has been loaded for."""
    return list(_registries.values())
