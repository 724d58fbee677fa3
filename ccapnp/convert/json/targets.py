"""Where the members of a JSON object go: fields, fields of flattened structs, and what a union's tag says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.errors import EncodeError, EncodeTypeError, SchemaError, did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccapnp.convert.json.plan import JsonField, JsonStruct

__all__ = ["Target", "Targets"]

_Steps = tuple[str, ...]


class Target:
    """A field, and the keys of the flattened structs around it."""

    __slots__ = ("is_plain", "is_tag", "is_union_member", "key", "parse", "steps")

    def __init__(self, steps: _Steps, field: JsonField, *, is_tag: bool = False) -> None:
        self.steps = steps
        self.key = field.key
        self.parse = field.form.parse
        self.is_tag = is_tag
        self.is_union_member = field.is_union_member
        self.is_plain = not (steps or is_tag or field.is_union_member)

    def around(self, made: dict[str, Any]) -> dict[str, Any]:
        """The dict of the struct or group that the field is in."""
        return _within(made, self.steps)


class Targets:
    """The targets of one object, by the names of its members.

    Unless `depends` says so, they are those of any object of its type.
    """

    def __init__(self, plan: JsonStruct, item: Mapping[str, Any]) -> None:
        self.by_name: dict[str, Target] = {}
        self.depends = False
        self._plan = plan
        self._item = item
        self._active: list[tuple[_Steps, JsonField]] = []
        self._collect(plan, "", ())

    def new_dict(self) -> dict[str, Any]:
        """A dict in which the members of unions that tags name are active, with their defaults."""
        made: dict[str, Any] = {}
        for steps, field in self._active:
            _within(made, steps)[field.key] = {} if field.is_group else field.default
        return made

    def _collect(self, plan: JsonStruct, prefix: str, steps: _Steps) -> None:
        for field in plan.fields:
            self._add(field, prefix, field.name, steps)
        if plan.tag_name is None:
            variants = [field for field in plan.variants if plan.value_name is None and field.prefix is None]
        else:
            variants = self._tagged(plan, prefix, steps)
        for field in variants:
            self._add(field, prefix, plan.member_name(field), steps)

    def _tagged(self, plan: JsonStruct, prefix: str, steps: _Steps) -> list[JsonField]:
        """The union members that can be meant: the one that the tag names, or any that has a name of its own."""
        self.depends = True
        name = f"{prefix}{plan.tag_name}"
        if plan.variants:
            self.by_name[name] = Target(steps, plan.variants[0], is_tag=True)
        if name not in self._item:
            return [field for field in plan.variants if plan.value_name is None and field.prefix is None]
        tag = self._item[name]
        if not isinstance(tag, str):
            raise EncodeTypeError(f"the name of a member of {plan.name} is a string, not {shown(tag)}").inside(name)
        chosen = plan.variants_by_name.get(tag)
        if chosen is None:
            hint = did_you_mean(tag, plan.variants_by_name)
            raise EncodeError(f"{plan.name} has no member {shown(tag)} in its union{hint}").inside(name)
        self._active.append((steps, chosen))
        return [chosen]

    def _add(self, field: JsonField, prefix: str, name: str, steps: _Steps) -> None:
        if field.prefix is None:
            name = prefix + name
            if name in self.by_name and not field.is_union_member:
                raise SchemaError(f"two members of {self._plan.name} have the name {name!r} in JSON")
            self.by_name[name] = Target(steps, field)
        else:
            self._collect(field.plan, prefix + field.prefix, (*steps, field.key))


def _within(made: dict[str, Any], steps: _Steps) -> dict[str, Any]:
    for step in steps:
        inner = made.get(step)
        if inner is None:
            inner = made[step] = {}
        made = inner
    return made
