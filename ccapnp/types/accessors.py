"""The functions behind a struct's properties, each specialised for its field.

A field's getter is where a program spends its time, and every attribute and comparison in it counts.  So the functions
are made from the few templates below, as `collections.namedtuple` makes its own: one text per width and kind of field,
compiled when first needed, with offsets and defaults bound as plain variables.
"""

from __future__ import annotations

import struct
from functools import cache
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.errors import CapnpError, DecodeError
from ccapnp.schema.value import NUMBER_VIEWS, Kind
from ccapnp.types.pointer_types import TEXT
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.wire import near
from ccapnp.wire.views import F32_MAX, F64_MAX

if TYPE_CHECKING:
    from ccapnp.types.fields import GroupAccess, PointerAccess, ScalarAccess

__all__ = [
    "NUMBER_RANGES",
    "group_getter",
    "pointer_builder_getter",
    "pointer_getter",
    "pointer_setter",
    "scalar_getter",
    "scalar_setter",
]

# Kind: (name, lowest, highest), for errors.
NUMBER_RANGES: dict[Kind, tuple[str, Any, Any]] = {
    **{
        kind: (name, -(1 << bits - 1), (1 << bits - 1) - 1)
        for kind, name, bits in (
            (Kind.INT8, "Int8", 8),
            (Kind.INT16, "Int16", 16),
            (Kind.INT32, "Int32", 32),
            (Kind.INT64, "Int64", 64),
        )
    },
    **{
        kind: (name, 0, (1 << bits) - 1)
        for kind, name, bits in (
            (Kind.UINT8, "UInt8", 8),
            (Kind.UINT16, "UInt16", 16),
            (Kind.UINT32, "UInt32", 32),
            (Kind.UINT64, "UInt64", 64),
        )
    },
    Kind.FLOAT32: ("Float32", -F32_MAX, F32_MAX),
    Kind.FLOAT64: ("Float64", -F64_MAX, F64_MAX),
}

_WIDTH_SHIFTS = {8: 3, 16: 2, 32: 1, 64: 0}
_FLOATS = {Kind.FLOAT32: struct.Struct("<f"), Kind.FLOAT64: struct.Struct("<d")}
_FLOAT_BITS = {Kind.FLOAT32: struct.Struct("<I"), Kind.FLOAT64: struct.Struct("<Q")}

_CHECK_UNION = """
        if (c.u16[(self._w << 2) + tag_index] if c.data_bits >= tag_bits else 0) != tag:
            refuse(self)"""

_SET_UNION = """
        c.u16[(self._w << 2) + tag_index] = tag"""

_GET_SCALAR = """
def make(index, bits, mask, default, members, convert, tag_index, tag_bits, tag, refuse):
    def get(self):
        c = self._c{check_union}
        if c.data_bits >= bits:
            return {value}
        return default
    return get
"""

_GET_VOID = """
def make(tag_index, tag_bits, tag, refuse):
    def get(self):
        c = self._c{check_union}
    return get
"""

_GET_POINTER = """
def make(index, default, read, pointer_type, new, located, tag_index, tag_bits, tag, refuse):
    def get(self):
        c = self._c{check_union}
        if index < c.pointers:
            at = self._w + c.data_words + index
            try:
{near}\
                value = read(c, at)
            except DecodeError as error:
                raise located(error) from None
            if value is not None:
                return value
        return default
    return get
"""

_BUILD_POINTER = """
def make(index, default, build, make_struct, data_words, pointers, located, tag_index, tag_bits, tag, refuse):
    def get(self):
        c = self._c{check_union}
        try:
            return {value}
        except DecodeError as error:
            raise located(error) from None
    return get
"""

_SET_TEXT = """
def make(index, set_any, tag_index, tag):
    def set(self, text):
        if text.__class__ is str:
            try:
                value = text.encode()
            except UnicodeEncodeError:
                pass
            else:
                c = self._c
                at = self._w + c.data_words + index
{near}\
        set_any(self, text)
    return set
"""

_SET_NUMBER = """
def make(index, mask, pack, encode, bad_number, tag_index, tag):
    def set(self, value):
        c = self._c
        try:
            {store}
        except ERRORS:
            raise bad_number(value) from None{set_union}
    return set
"""

_SET_CHECKED = """
def make(index, mask, bit, encode, tag_index, tag):
    def set(self, value):
        c = self._c
        {store}{set_union}
    return set
"""


@cache
def _compile(template: str, **parts: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {
        "DecodeError": DecodeError,
        "ERRORS": (TypeError, ValueError, OverflowError, struct.error),
    }
    exec(template.format(**parts), namespace)
    return namespace["make"]  # type: ignore[no-any-return]


def _union(access: Any) -> dict[str, Any]:
    return {
        "tag_index": access.tag_index,
        "tag_bits": (access.tag_index + 1) << 4,
        "tag": access.discriminant,
        "refuse": access.refuse,
    }


def _check_union(access: Any) -> str:
    return "" if access.discriminant is None else _CHECK_UNION


def _set_union(access: Any) -> str:
    return "" if access.discriminant is None else _SET_UNION


def scalar_getter(access: ScalarAccess) -> Callable[[Any], Any]:
    """The getter of a field in the data section, the same for readers and builders."""
    kind, value = access.kind, access.field.default
    if kind == Kind.VOID:
        return _compile(_GET_VOID, check_union=_check_union(access))(**_union(access))  # type: ignore[no-any-return]
    offset = access.field.offset
    mask: Any = value.bits
    default: Any = value.number
    members: Any = None
    convert: Any = None
    if kind == Kind.BOOL:
        bit = "c.u8[(self._w << 3) + index] & mask"
        expression = f"False if {bit} else True" if mask else f"True if {bit} else False"  # comparing takes longer
        index, bits, mask, default = offset >> 3, offset + 1, 1 << (offset & 7), bool(mask)
    else:
        view, shift = NUMBER_VIEWS[kind], _WIDTH_SHIFTS[access.width]
        index, bits = offset, (offset + 1) * access.width
        place = "[self._w + index]" if not shift else f"[(self._w << {shift}) + index]"
        expression = f"c.{view}{place}"
        if kind in _FLOATS and mask:
            to_bits, to_float = _FLOAT_BITS[kind], _FLOATS[kind]
            convert = lambda bits: to_float.unpack(to_bits.pack(bits))[0]  # noqa: E731
            expression = f"convert(c.u{access.width}{place} ^ mask)"
        elif mask:
            expression += " ^ mask"
            if kind != Kind.ENUM:
                mask = default
        if kind == Kind.ENUM:
            members = access.members
            expression = f"members[{expression}]"
            default = members[mask]
    make = _compile(_GET_SCALAR, check_union=_check_union(access), value=expression)
    return make(  # type: ignore[no-any-return]
        index=index,
        bits=bits,
        mask=mask,
        default=default,
        members=members,
        convert=convert,
        **_union(access),
    )


def scalar_setter(access: ScalarAccess) -> Callable[[Any, Any], None]:
    """The setter of a field in the data section; a value that does not fit changes nothing."""
    kind, mask, offset = access.kind, access.field.default.bits, access.field.offset
    union = {"tag_index": access.tag_index, "tag": access.discriminant}
    if kind in (Kind.VOID, Kind.BOOL, Kind.ENUM):
        index, bit = offset, 0
        if kind == Kind.VOID:
            store = "encode(value)"
        elif kind == Kind.ENUM:
            store = f"c.u16[(self._w << 2) + index] = encode(value){' ^ mask' if mask else ''}"
        else:
            index, bit = offset >> 3, 1 << (offset & 7)
            store = (
                "on = value if value is True or value is False else encode(value)\n"
                f"        if {'not on' if mask else 'on'}:\n"
                "            c.u8[(self._w << 3) + index] |= bit\n"
                "        else:\n"
                "            c.u8[(self._w << 3) + index] &= mask"
            )
            mask = ~bit & 0xFF
        make = _compile(_SET_CHECKED, store=store, set_union=_set_union(access))
        return make(index=index, mask=mask, bit=bit, encode=access.encode, **union)  # type: ignore[no-any-return]
    view, shift = NUMBER_VIEWS[kind], _WIDTH_SHIFTS[access.width]
    place = "[self._w + index]" if not shift else f"[(self._w << {shift}) + index]"
    pack = encode = None
    if kind in _FLOATS and mask:
        encode = _masked_float(kind, mask)
        store = f"c.u{access.width}{place} = encode(value)"
    elif kind == Kind.FLOAT32:
        pack = _FLOATS[kind].pack  # refuses what is too large, which the view would make infinite
        store = (
            f"if value.__class__ is not float or not {-F32_MAX} < value < {F32_MAX}:\n"
            f"                pack(value)\n            c.{view}{place} = value"
        )
    elif mask:
        mask = int(access.field.default.number or 0)
        encode = as_index
        store = f"c.{view}{place} = encode(value) ^ mask"
    else:
        store = f"c.{view}{place} = value"
    make = _compile(_SET_NUMBER, store=store, set_union=_set_union(access))
    return make(  # type: ignore[no-any-return]
        index=offset, mask=mask, pack=pack, encode=encode, bad_number=access.bad_number, **union
    )


def _masked_float(kind: Kind, mask: int) -> Callable[[Any], int]:
    """Float to bits under a default; every NaN is the same one there (capnp/layout.h, `mask`)."""
    to_bits, to_float = _FLOAT_BITS[kind], _FLOATS[kind]
    nan = 0x7FC00000 if kind == Kind.FLOAT32 else 0x7FF8000000000000

    def encode(value: Any) -> int:
        bits: int = to_bits.unpack(to_float.pack(value))[0]
        return (nan if value != value else bits) ^ mask

    return encode


def pointer_getter(access: PointerAccess) -> Callable[[Any], Any]:
    """The getter of a reader's pointer field."""
    pointer_type = access.pointer_type
    make = _compile(
        _GET_POINTER,
        check_union=_check_union(access),
        near=near.near(pointer_type.near, 16, pointer_type.near_use, "return default"),
    )
    return make(  # type: ignore[no-any-return]
        index=access.field.offset,
        default=pointer_type.read_default(access.default),
        read=pointer_type.read,
        pointer_type=pointer_type,
        new=pointer_type.near_class,
        located=access.located,
        **_union(access),
    )


def pointer_builder_getter(access: PointerAccess) -> Callable[[Any], Any]:
    """The getter of a builder's pointer field."""
    pointer_type = access.pointer_type
    at = "self._w + c.data_words + index"
    make_struct, data_words, pointers = None, 0, 0
    if isinstance(pointer_type, StructPointer):
        node = pointer_type.struct_type._node
        make_struct, data_words, pointers = pointer_type.struct_type.Builder._at, node.data_words, node.pointer_count
        expression = f"c.get_struct({at}, data_words, pointers, default, make_struct)"
    else:
        expression = f"build(c, {at}, default)"
    make = _compile(_BUILD_POINTER, check_union=_check_union(access), value=expression)
    return make(  # type: ignore[no-any-return]
        index=access.field.offset,
        default=access.default,
        build=pointer_type.build,
        make_struct=make_struct,
        data_words=data_words,
        pointers=pointers,
        located=access.located,
        **_union(access),
    )


def pointer_setter(access: PointerAccess) -> Callable[[Any, Any], None]:
    """The setter of a pointer field; ``None`` clears it."""
    index, write = access.field.offset, access.pointer_type.write
    tag_index, tag = access.tag_index, access.discriminant
    name, owner = access.name, access.owner

    def set(self: Any, value: Any) -> None:
        c = self._c
        at = self._w + c.data_words + index
        if value is None:
            c.clear(at)
        else:
            try:
                write(c, at, value)
            except CapnpError as error:
                raise error.inside(name, owner.__qualname__) from None
        if tag is not None:
            c.u16[(self._w << 2) + tag_index] = tag

    return _text_setter(access, set) if access.pointer_type is TEXT else set


def _text_setter(access: PointerAccess, set_any: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The setter of a text, in the common case; ``set_any`` is the one for all cases."""
    use = "return" if access.discriminant is None else f"{_SET_UNION.strip()}; return"
    make = _compile(_SET_TEXT, near=near.near(near.NEW_TEXT, 16, use))
    return make(access.field.offset, set_any, access.tag_index, access.discriminant)  # type: ignore[no-any-return]


def group_getter(access: GroupAccess, make: Any) -> Callable[[Any], Any]:
    """The getter of a group: the same struct, seen as the group's type."""
    if access.discriminant is None:
        return lambda self: make(self._c, self._w)

    def get(self: Any) -> Any:
        if not access.is_active(self):
            access.refuse(self)
        return make(self._c, self._w)

    return get
