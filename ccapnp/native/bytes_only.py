"""Whether what is given for Data is bytes.

`marshal` takes any object with a buffer for bytes, and not always in the order of its items.  So before it is asked,
what stands where a type has Data is looked at here; types without Data have no such look.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Optional

from ccapnp.wire.layout import StructLayout, ValueLayout

__all__ = ["Check", "all_of", "bytes_check"]

Check = Callable[[Any], bool]


def bytes_check(layout: StructLayout) -> Optional[Check]:
    """What tells whether every Data in a dict of a type is bytes, a bytearray or ``None``.

    ``None`` for a type without Data.
    """
    if __name__ not in layout.compiled:
        for each, check in _checks(layout).items():  # all are complete: another thread may be waiting to use them
            each.compiled[__name__] = check
    return layout.compiled[__name__]  # type: ignore[no-any-return]


def _checks(layout: StructLayout) -> dict[StructLayout, Optional[Check]]:
    """The checks of a type and all that it leads to."""
    users: dict[StructLayout, list[StructLayout]] = {layout: []}
    to_check: list[StructLayout] = []
    types = [layout]
    for each in types:  # which grows meanwhile, as the next
        for field in each.fields:
            value = _innermost(field.value)
            if value.form == "data":
                to_check.append(each)
            elif value.struct is not None:
                if value.struct not in users:
                    users[value.struct] = []
                    types.append(value.struct)
                users[value.struct].append(each)
    fields: dict[StructLayout, list[tuple[str, Check]]] = {}
    for each in to_check:
        if each not in fields:
            fields[each] = []
            to_check += users[each]
    made: dict[StructLayout, Optional[Check]] = dict.fromkeys(types)
    made.update((each, partial(_check_fields, checks)) for each, checks in fields.items())
    for each, checks in fields.items():
        for field in each.fields:
            check = _value_check(field.value, made)
            if check is not None:
                checks.append((field.name, check))
    return made


def _innermost(value: ValueLayout) -> ValueLayout:
    """What lists of lists hold in the end."""
    while value.element is not None:
        value = value.element
    return value


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
        return None if check is None else partial(all_of, check)
    return None if value.struct is None else made[value.struct]


def _is_bytes(value: Any) -> bool:
    return value is None or type(value) is bytes or type(value) is bytearray


def all_of(check: Check, values: Any) -> bool:
    """Whether all of a list or tuple pass; what is neither is not looked at."""
    return all(map(check, values)) if type(values) is list or type(values) is tuple else True
