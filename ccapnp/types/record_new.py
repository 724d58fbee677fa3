"""What makes a record of a user's values: a function for each class, with a parameter for each field outside a union.

It is made as a namedtuple makes its own, so that Python itself matches names and defaults; only values that a record
does not hold as they are given (lists, dicts, ``None``, names of enum members) take longer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.errors import CapnpError
from ccapnp.schema.names import attribute_name

if TYPE_CHECKING:
    from ccapnp.wire.layout import FieldLayout

__all__ = ["compile_new"]

_MADE_OF = {"list": ("list", "None"), "struct": ("dict", "None"), "group": ("dict", "None"), "enum": ("str", "None")}
"""What a value of some forms may be given as, but is not held as."""

_AS_IT_IS = ("void", "bool", "number")


def compile_new(
    record_class: Any, item: Callable[[FieldLayout, Any], Any], changed: Callable[[Any, Any, Any], Any]
) -> Callable[..., Any]:
    """The ``__new__`` of a class of records.

    ``item(field, value)`` is what the record has for a value; ``changed(record class, record, fields)`` is a record
    with other values for fields that are given by other names, or are a union's members.
    """
    unset = record_class._type._unset_record
    scope: dict[str, Any] = {"_new": tuple.__new__, "_changed": changed}
    parameters, lines, names = [], [], []
    fields = [field for field in record_class._type._require_layout().fields if field.discriminant is None]
    for position, field in enumerate(fields):
        name = attribute_name(field.name)
        names.append(name)
        parameters.append(f"{name}=_d{position}")
        scope[f"_d{position}"] = unset[position]
        if field.value.form not in _AS_IT_IS:
            scope[f"_item{position}"] = partial(_located, record_class, field, item)
            given = _MADE_OF.get(field.value.form, ("list", "dict", "None"))
            kinds = " or ".join(
                f"{name} is None" if kind == "None" else f"{name}.__class__ is {kind}" for kind in given
            )
            lines.append(f"    if {kinds}: {name} = _item{position}({name})")
    for position in range(len(fields), len(unset)):
        scope[f"_d{position}"] = unset[position]
        names.append(f"_d{position}")
    items = "".join(f"{name}, " for name in names)
    star = "*, " if parameters else ""
    source = [
        f"def __new__(_class, /, {star}{''.join(f'{each}, ' for each in parameters)}**_others):",
        *lines,
        f"    _made = _new(_class, ({items}))",
        "    return _changed(_class, _made, _others) if _others else _made",
        "",
    ]
    exec(compile("\n".join(source), f"<new {record_class.__qualname__}>", "exec"), scope)
    return scope["__new__"]  # type: ignore[no-any-return]


def _located(record_class: Any, field: FieldLayout, item: Callable[[FieldLayout, Any], Any], value: Any) -> Any:
    try:
        return item(field, value)
    except CapnpError as error:
        raise error.inside(field.name, record_class._type.__qualname__) from None
