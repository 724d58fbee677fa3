"""Whether what is given for Data is bytes.

`marshal` takes any object with a buffer for bytes, and not always in the order of its items.  So before it is asked,
what stands where a type has Data is looked at here; types without Data have no such look.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from ccapnp.wire.layout import StructLayout, ValueLayout

__all__ = ["has_bytes_only"]

_Check = Callable[[Any], bool]


def has_bytes_only(layout: StructLayout, value: Any) -> bool:
    """Whether every Data in a dict (or in a list of dicts) of a type is bytes, a bytearray or ``None``."""
    check = _struct_check(layout)
    if check is None:
        return True
    try:
        return _all(check, value) if type(value) is list else check(value)
    except RecursionError:
        return False


def _struct_check(layout: StructLayout) -> Optional[_Check]:
    """The check for a type; ``None`` where no Data is below it."""
    if __name__ not in layout.compiled:
        made: dict[StructLayout, Optional[_Check]] = {}
        _compile(layout, made)
        for each, check in made.items():  # only now that all are complete: another thread may be waiting to use them
            each.compiled[__name__] = check
    return layout.compiled[__name__]  # type: ignore[no-any-return]


def _compile(layout: StructLayout, made: dict[StructLayout, Optional[_Check]]) -> Optional[_Check]:
    if layout not in made:
        fields: list[tuple[str, _Check]] = []
        made[layout] = (lambda value: _check_fields(fields, value)) if _reaches_data(layout) else None
        for field in layout.fields if made[layout] else ():
            check = _value_check(field.value, made)
            if check is not None:
                fields.append((field.name, check))
    return made[layout]


def _check_fields(fields: list[tuple[str, _Check]], value: Any) -> bool:
    if type(value) is dict:
        for name, check in fields:
            if name in value and not check(value[name]):
                return False
    return True


def _value_check(value: ValueLayout, made: dict[StructLayout, Optional[_Check]]) -> Optional[_Check]:
    if value.form == "data":
        return _is_bytes
    if value.element is not None:
        check = _value_check(value.element, made)
        return None if check is None else lambda values: _all(check, values)
    return None if value.struct is None else _compile(value.struct, made)


def _is_bytes(value: Any) -> bool:
    return value is None or type(value) is bytes or type(value) is bytearray


def _all(check: _Check, values: Any) -> bool:
    return all(map(check, values)) if type(values) is list or type(values) is tuple else True


def _reaches_data(layout: StructLayout) -> bool:
    seen = [layout]
    for each in seen:  # which grows meanwhile
        for field in each.fields:
            value = field.value
            while value.element is not None:
                value = value.element
            if value.form == "data":
                return True
            if value.struct is not None and value.struct not in seen:
                seen.append(value.struct)
    return False
