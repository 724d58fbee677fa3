"""Whether what is given for Data is bytes.

`marshal` takes any object with a buffer for bytes, and not always in the order of its items.  So before it is asked,
what stands where a type has Data is looked at here; types without Data have no such look.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from ccapnp.wire.layout import StructLayout, ValueLayout

__all__ = ["Check", "all_of", "bytes_check"]

Check = Callable[[Any], bool]


def bytes_check(layout: StructLayout) -> Optional[Check]:
    """What tells whether every Data in a dict of a type is bytes, a bytearray or ``None``.

    ``None`` for a type without Data.
    """
    if __name__ not in layout.compiled:
        made: dict[StructLayout, Optional[Check]] = {}
        _compile(layout, made)
        for each, check in made.items():  # only now that all are complete: another thread may be waiting to use them
            each.compiled[__name__] = check
    return layout.compiled[__name__]  # type: ignore[no-any-return]


def _compile(layout: StructLayout, made: dict[StructLayout, Optional[Check]]) -> Optional[Check]:
    if layout not in made:
        fields: list[tuple[str, Check]] = []
        made[layout] = (lambda value: _check_fields(fields, value)) if _reaches_data(layout) else None
        for field in layout.fields if made[layout] else ():
            check = _value_check(field.value, made)
            if check is not None:
                fields.append((field.name, check))
    return made[layout]


def _check_fields(fields: list[tuple[str, Check]], value: Any) -> bool:
    if type(value) is dict:
        for name, check in fields:
            if name in value and not check(value[name]):
                return False
    return True


def _value_check(value: ValueLayout, made: dict[StructLayout, Optional[Check]]) -> Optional[Check]:
    if value.form == "data":
        return _is_bytes
    if value.element is not None:
        check = _value_check(value.element, made)
        return None if check is None else lambda values: all_of(check, values)
    return None if value.struct is None else _compile(value.struct, made)


def _is_bytes(value: Any) -> bool:
    return value is None or type(value) is bytes or type(value) is bytearray


def all_of(check: Check, values: Any) -> bool:
    """Whether all of a list or tuple pass; what is neither is not looked at."""
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
