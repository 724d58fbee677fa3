"""What a schema says of its JSON: the annotations of /capnp/compat/json.capnp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ccapnp.schema.record import Record

if TYPE_CHECKING:
    from ccapnp.schema.value import Value

__all__ = [
    "JSON_VALUE_ID",
    "Discriminator",
    "bytes_form",
    "discriminator",
    "flatten_prefix",
    "is_notification",
    "json_name",
]

JSON_VALUE_ID = 0xA3FA7845F919DD83
"""The id of the struct ``Value`` of json.capnp, which is JSON itself."""

_NAME = 0xFA5B1FD61C2E7C3D
_FLATTEN = 0x82D3E852AF0336BF
_DISCRIMINATOR = 0xCFA794E8D19A0162
_NOTIFICATION = 0xA0A054DEA32FD98C
_BYTES_FORMS = {0xD7D879450A253E4B: "base64", 0xF061E22F0AE5C7B5: "hex"}


class Discriminator(NamedTuple):
    """The member that names the active member of a union, and the one that has its value; each may be left open."""

    name: Optional[str]
    value_name: Optional[str]


def json_name(annotated: Any) -> str:
    """The name of a field or enumerant in JSON."""
    value = _find(annotated, _NAME)
    return annotated.name if value is None else _text(value)


def flatten_prefix(field: Any) -> Optional[str]:
    """What precedes the names of the members of a field that has none of its own; ``None`` if it has."""
    value = _find(field, _FLATTEN)
    if value is None:
        return None
    options = _record(value)
    return options.text(0) if options else ""


def discriminator(annotated: Any) -> Optional[Discriminator]:
    """How a union says which member is active."""
    value = _find(annotated, _DISCRIMINATOR)
    if value is None:
        return None
    options = _record(value)
    return Discriminator(*((options.text(index) or None) if options else None for index in (0, 1)))


def bytes_form(field: Any) -> Optional[str]:
    """ "base64" or "hex", if Data is written so."""
    return next((_BYTES_FORMS[each.id] for each in field.annotations if each.id in _BYTES_FORMS), None)


def is_notification(method: Any) -> bool:
    """Whether who calls a method by JSON-RPC does not wait for an answer."""
    return _find(method, _NOTIFICATION) is not None


def _find(annotated: Any, annotation_id: int) -> Optional[Value]:
    return next((each.value for each in annotated.annotations if each.id == annotation_id), None)


def _text(value: Value) -> str:
    place = value.pointer
    return (place[0].read_text(place[1]) or "") if place else ""


def _record(value: Value) -> Optional[Record]:
    place = value.pointer
    return place[0].read_struct(place[1], Record) if place else None
