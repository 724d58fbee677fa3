"""How a struct type's fields lie in JSON: one plan for each, made from the schema and its annotations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.convert.dicts import struct_to_dict, to_python
from ccapnp.convert.json import json_annotations as marks
from ccapnp.convert.json.forms import BYTES_FORMS, Form, NoForm, StructForm, form_of, scalar_form
from ccapnp.convert.json.items import check_names, described, enter, pass_over
from ccapnp.convert.json.targets import Target, Targets
from ccapnp.errors import CapnpError, EncodeTypeError, SchemaError, UnknownFieldError, a
from ccapnp.schema.value import Kind
from ccapnp.types.fields import GroupAccess, PointerAccess, ScalarAccess
from ccapnp.types.lists import ListReader
from ccapnp.types.pointer_types import DATA
from ccapnp.types.struct_view import StructView
from ccapnp.wire.layout import TreeMode

if TYPE_CHECKING:
    from ccapnp.convert.json.json_annotations import Discriminator
    from ccapnp.types.fields import FieldAccess
    from ccapnp.types.struct_type import StructType

__all__ = ["JsonField", "JsonStruct", "Plans", "PlansInTheMaking", "plain"]


def plain(value: Any) -> Any:
    """A value as a plain Python one, as `to_python`, but the active member of each union is in its dict."""
    if isinstance(value, StructView):
        return struct_to_dict(value, TreeMode(active=True))
    return list(map(plain, value)) if isinstance(value, ListReader) else to_python(value)


class JsonField:
    """One field: ``key`` is its name in dicts, ``name`` the one in JSON.

    ``prefix`` is what precedes the names of the members of a struct or group that is flattened, and else ``None``.
    """

    def __init__(self, access: FieldAccess, form: Form, prefix: Optional[str]) -> None:
        self.access = access
        self.key = access.name
        self.name = marks.json_name(access.field)
        self.form = form
        self.prefix = prefix
        self.is_union_member = access.discriminant is not None
        self.is_void = isinstance(access, ScalarAccess) and access.kind == Kind.VOID
        self.is_pointer = isinstance(access, PointerAccess)
        self.is_group = isinstance(access, GroupAccess)

    @property
    def plan(self) -> JsonStruct:
        """The plan of a struct or group."""
        assert isinstance(self.form, StructForm)
        return self.form.plan

    @cached_property
    def default(self) -> Any:
        """What stands in a dict for a field outside of groups as it is in a new struct."""
        if isinstance(self.access, ScalarAccess):
            return self.access.owner._registry.value(self.access.field.type, self.access.field.default)
        return None

    @cached_property
    def plain_default(self) -> Any:
        """The value of a field that is not set, as a dict has it.

        ``None`` if JSON can only say null: of AnyPointers and their like, of capabilities, and of a struct that would
        hold itself, for ever, as the active member of its own union.
        """
        if not isinstance(self.access, PointerAccess):
            return to_python(self.default)
        if self.is_endless or isinstance(self.form, NoForm):
            return None
        value = plain(self.access.pointer_type.read_default(self.access.default))
        return value if isinstance(value, (str, bytes, list, dict)) else None

    @property
    def is_endless(self) -> bool:
        """Whether what is written for the field while it is null has the field in it again."""
        return not self.has_default and isinstance(self.form, StructForm) and self.plan.is_endless()

    @property
    def has_default(self) -> bool:
        return isinstance(self.access, PointerAccess) and self.access.default is not None


class JsonStruct:
    """A struct or group: the fields outside a union, and its union's members.

    ``tag_name`` is the JSON member that names the union's active member, ``value_name`` the one that has its value;
    either may be ``None``.
    """

    def __init__(self, struct_type: StructType, *, rejects_unknown_fields: bool) -> None:
        self.struct_type = struct_type
        self._rejects_unknown_fields = rejects_unknown_fields
        self.fields: list[JsonField] = []
        self.variants: list[JsonField] = []
        self.tag_name: Optional[str] = None
        self.value_name: Optional[str] = None
        self._targets: Optional[dict[str, Target]] = None  # of all objects; of none, if each has its own

    @property
    def name(self) -> str:
        return self.struct_type.__qualname__

    @cached_property
    def fields_by_key(self) -> dict[str, JsonField]:
        return {field.key: field for field in (*self.fields, *self.variants)}

    def member_name(self, field: JsonField) -> str:
        """The name of the member of an object that has a field's value."""
        return self.value_name if field.is_union_member and self.value_name is not None else field.name

    @cached_property
    def variants_by_name(self) -> dict[str, JsonField]:
        return {field.name: field for field in self.variants}

    def is_endless(self, around: tuple[JsonStruct, ...] = ()) -> bool:
        """Whether an empty struct of the type, with the active members of its unions, has no end."""
        if self in around:
            return True
        members = [field for field in self.fields if field.is_group] + self.variants[:1]
        inner = [field.plan for field in members if isinstance(field.form, StructForm) and not field.has_default]
        return any(plan.is_endless((*around, self)) for plan in inner)

    def _check_depth(self, around: tuple[JsonStruct, ...] = ()) -> None:
        """SchemaError if the struct is flattened into itself."""
        if self in around:
            raise SchemaError(f"{self.name} is flattened into itself")
        for field in (*self.fields, *self.variants):
            if field.prefix is not None:
                field.plan._check_depth((*around, self))

    def check(self) -> None:
        """SchemaError if members are flattened, or have names, so that JSON cannot tell them apart."""
        _check_flattened(self)
        self._check_depth()
        targets = Targets(self, {})
        self._targets = None if targets.depends else targets.by_name

    def parse(self, item: Any, room: int) -> dict[str, Any]:
        """The dict for a JSON object."""
        if item.__class__ is not tuple:
            raise EncodeTypeError(f"{a(self.name)} is an object, not {described(item)}")
        room = enter(room)
        targets, made = self._targets, {}
        if targets is None:
            found = Targets(self, dict(item))
            targets, made = found.by_name, found.new_dict()
        name: Any = None
        chosen: dict[Any, str] = {}
        try:
            for name, value in item:
                target = targets.get(name)
                if target is None:
                    if self._rejects_unknown_fields:
                        raise UnknownFieldError.of(self.name, name, targets)
                    pass_over(value, room)
                elif target.is_plain:
                    made[target.key] = target.parse(value, room)
                elif not target.is_tag:
                    parsed = target.parse(value, room)
                    around = target.around(made)
                    if target.is_union_member:  # of two, the last one wins
                        around.pop(chosen.get(target.steps, ""), None)
                        chosen[target.steps] = target.key
                    around[target.key] = parsed
        except CapnpError as error:
            # An error for this very name has it already.
            is_located = isinstance(error, UnknownFieldError) and targets.get(name) is None
            raise error if is_located else error.inside(str(name), self.name) from None
        if len(made) != len(item):
            check_names(item)
        return made


def _check_flattened(plan: JsonStruct) -> None:
    """SchemaError if a union's member is flattened where nothing tells which member is active."""
    for field in plan.variants:
        if field.prefix is None or (plan.tag_name is not None and plan.value_name is None):
            continue
        why = "has no discriminator" if plan.tag_name is None else "gives all its members one valueName"
        raise SchemaError(f"{plan.name}.{field.key} is flattened, but its union {why}")


class Plans:
    """The plans of all types; ``handlers`` are the forms that a user gives to types, and to fields of a type."""

    def __init__(self, handlers: Mapping[Any, Form], *, rejects_unknown_fields: bool = False) -> None:
        self.handlers = handlers
        self.rejects_unknown_fields = rejects_unknown_fields
        self.made: dict[Any, JsonStruct] = {}

    def struct(self, struct_type: StructType) -> JsonStruct:
        """The plan of a struct type; SchemaError if the annotations of it, or of what it leads to, make no sense."""
        key = struct_type, marks.discriminator(struct_type._node), None
        if key not in self.made:
            making = PlansInTheMaking(self)
            making.struct(struct_type)
            making.publish()
        return self.made[key]

    def form(self, pointer_type: Any) -> Form:
        """The form of what a pointer of that type leads to."""
        making = PlansInTheMaking(self)
        form = form_of(making, pointer_type)
        making.publish()
        return form


class PlansInTheMaking:
    """The plans of a type and of all that it leads to, which others are not to see before all are made."""

    def __init__(self, plans: Plans) -> None:
        self._plans = plans
        self.made: dict[Any, JsonStruct] = {}

    def struct(self, struct_type: StructType) -> JsonStruct:
        """The plan of a struct type."""
        return self._plan(struct_type, marks.discriminator(struct_type._node), None)

    def struct_later(self, struct_type: StructType) -> JsonStruct:
        """The plan of a struct type, when these have long been made."""
        return self._plans.struct(struct_type)

    def publish(self) -> None:
        """Let others have them, now that all are complete; SchemaError if one makes no sense."""
        for plan in self.made.values():
            plan.check()
        self._plans.made.update(self.made)

    def handler(self, type: Any) -> Optional[Form]:
        """The form that a user has given a type."""
        return self._plans.handlers.get(type)

    def _plan(self, struct_type: StructType, union: Optional[Discriminator], union_name: Optional[str]) -> JsonStruct:
        """``union_name`` is the schema's name of a flattened union, which is its tag's unless that has one."""
        key = struct_type, union, union_name
        found = self._plans.made.get(key) or self.made.get(key)
        if found is None:
            found = self.made[key] = JsonStruct(struct_type, rejects_unknown_fields=self._plans.rejects_unknown_fields)
            if union is not None:
                found.tag_name, found.value_name = union.name or union_name, union.value_name
            for access in struct_type._accesses():
                (found.fields if access.discriminant is None else found.variants).append(self._field(access))
        return found

    def _field(self, access: FieldAccess) -> JsonField:
        form, prefix = self._form(access), marks.flatten_prefix(access.field)
        if prefix is not None and not isinstance(form, StructForm):
            raise SchemaError(f"{access.owner.__qualname__}.{access.name} is flattened, but is no object in JSON")
        return JsonField(access, form, prefix)

    def _form(self, access: FieldAccess) -> Form:
        given = self.handler((access.owner, access.name))
        if given is not None:
            return given
        field = access.field
        bytes_form = marks.bytes_form(field)
        if bytes_form:
            if isinstance(access, PointerAccess) and access.pointer_type is DATA:
                return BYTES_FORMS[bytes_form]
            raise SchemaError(f"{access.owner.__qualname__}.{access.name} is marked as {bytes_form}, but is no Data")
        if isinstance(access, GroupAccess):
            is_flat = marks.flatten_prefix(field) is not None
            name = field.name if is_flat else None
            return StructForm(self._plan(access.group, marks.discriminator(field), name), is_group=True)
        if isinstance(access, PointerAccess):
            return form_of(self, access.pointer_type)
        assert isinstance(access, ScalarAccess)
        return scalar_form(self, access)
