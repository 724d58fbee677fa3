"""Where an error is, by the names of JSON: what builds a message says it by those of the schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.convert.json.forms import Form, ListForm, NoForm, StructForm

if TYPE_CHECKING:
    from ccapnp.convert.json.plan import JsonStruct
    from ccapnp.errors import CapnpError

__all__ = ["located", "renamed"]

_STEP = re.compile(r"(?P<index>\[\d+\])|\.?(?P<name>[^.\[]+)")


def located(error: CapnpError, plan: JsonStruct, value: dict[str, Any]) -> CapnpError:
    """The error for a struct, given as a dict, that has a value without a form in JSON; with the path to it."""
    path = _formless(StructForm(plan), value)
    return error if path is None else renamed(error.inside(path, plan.name), plan)


def _formless(form: Form, value: Any) -> Optional[str]:
    """The path to the first such value, by the names of the schema."""
    parts: Any = ()
    if isinstance(form, NoForm):
        return None if value is None else ""
    if isinstance(form, ListForm):
        parts = ((f"[{index}]", form.element, each) for index, each in enumerate(value or ()))
    elif isinstance(form, StructForm):
        fields = form.plan.fields_by_key
        parts = ((name, fields[name].form, each) for name, each in (value or {}).items())
    for name, inner, each in parts:
        path = _formless(inner, each)
        if path is not None:
            return f"{name}{path}" if path.startswith("[") or not path else f"{name}.{path}"
    return None


def renamed(error: CapnpError, plan: JsonStruct) -> CapnpError:
    """The error, with the path in JSON in the place of that in a message of the type."""
    path = error.field
    if path is not None:
        reason = str(error.args[0])[len(path) + 2 :]
        error.field = _in_json(path, plan)
        error.args = (f"{error.field}: {reason}",)
    return error


def _in_json(path: str, plan: JsonStruct) -> str:
    made, prefix = "", ""
    form: Optional[Form] = StructForm(plan)
    for step in _STEP.finditer(path):
        if isinstance(form, ListForm):
            form = form.element
            made += step["index"]
        elif isinstance(form, StructForm):
            field = form.plan.fields_by_key[step["name"]]
            name = form.plan.member_name(field)
            form = field.form
            if field.prefix is None:
                made, prefix = f"{made}.{prefix}{name}" if made else f"{prefix}{name}", ""
            else:
                prefix += field.prefix
        else:  # what is within has no place in JSON of its own
            break
    return made
