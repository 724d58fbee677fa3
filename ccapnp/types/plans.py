"""What a codec is told of a field, so that it can read and set it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ccapnp.schema.value import NUMBER_VIEWS, Kind
from ccapnp.types.enums import numbers_by_name
from ccapnp.wire.layout import FieldPlan

if TYPE_CHECKING:
    from ccapnp.types.fields import GroupAccess, PointerAccess, ScalarAccess

__all__ = ["group_plan", "pointer_plan", "scalar_plan"]


def scalar_plan(access: ScalarAccess, *, is_builder: bool) -> FieldPlan:
    """Of a field in the data section."""
    kind, default = access.kind, access.field.default
    plan = FieldPlan(
        kind.name.lower(),
        is_builder,
        offset=access.field.offset,
        mask=default.bits,
        tag_index=access.tag_index,
        discriminant=access.discriminant,
    )
    if kind == Kind.VOID:
        return plan
    if kind == Kind.BOOL:
        return plan._replace(absent=bool(default.bits))
    if access.members is None:
        return plan._replace(form="number", view=NUMBER_VIEWS[kind], absent=default.number)
    enum = access.owner._registry.enum(access.field.type.type_id)
    return plan._replace(
        view=NUMBER_VIEWS[kind],
        absent=access.members[default.bits],
        members=access.members,
        numbers=numbers_by_name(enum),
    )


def pointer_plan(access: PointerAccess, *, is_builder: bool) -> Optional[FieldPlan]:
    """Of a field in the pointer section; ``None`` for kinds that are for Python alone."""
    pointer_type = access.pointer_type
    plan = FieldPlan(
        "",
        is_builder,
        offset=access.field.offset,
        absent=... if is_builder else pointer_type.read_default(access.default),
        tag_index=access.tag_index,
        discriminant=access.discriminant,
    )
    return pointer_type.plan(plan)


def group_plan(access: GroupAccess, *, is_builder: bool) -> FieldPlan:
    """Of a group."""
    return FieldPlan(
        "group",
        is_builder,
        make=access.group.Builder if is_builder else access.group.Reader,
        tag_index=access.tag_index,
        discriminant=access.discriminant,
    )
