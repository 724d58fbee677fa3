"""A type's layout as plain tables: what a codec needs to decode a whole tree without asking the classes.

The tables are made from a schema by `ccapnp.convert.layouts`, once per type, and compiled by each codec as it likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, NamedTuple, Optional

__all__ = ["FieldLayout", "FieldPlan", "StructLayout", "TreeMode", "ValueLayout"]


class TreeMode(NamedTuple):
    """What a dict looks like: with null pointers, or without; Data as base64, or as bytes.

    ``active`` is for JSON: of a union, an active member that is a null pointer is there, also the first one, which to
    leave out says the same to who knows that there are no other members than the schema's; and a member that the schema
    does not know is no matter for a warning.  With ``omit_defaults``, what has its default is left out.
    """

    verbose: bool = False
    base64: bool = False
    active: bool = False
    omit_defaults: bool = False


class ValueLayout:
    """What a field, or a list's element, holds.

    ``form`` is "void", "bool", "number", "enum", "text", "data", "list", "struct", "group", "later" or "other".  A
    number is read through the segment's view ``view``; an enum's ``names`` are its names by number, and ``members[n]``
    is its member of any number; ``element`` is a list's element and ``struct`` a struct's layout.  What has no plain
    Python value ("other": any pointers, capabilities) is read by ``read(shape, at)``, and in a list of a record it is
    ``absent()`` where its pointer is null.  One of types that go on without end ("later") has its layout made by
    ``make()`` where a message gets there.
    """

    __slots__ = ("absent", "element", "form", "make", "members", "names", "read", "struct", "view")

    def __init__(
        self,
        form: str,
        view: str = "",
        names: Optional[dict[int, str]] = None,
        element: Optional[ValueLayout] = None,
        struct: Optional[StructLayout] = None,
        read: Optional[Callable[[Any, int], Any]] = None,
        make: Optional[Callable[[], ValueLayout]] = None,
        members: Optional[Mapping[int, Any]] = None,
        absent: Optional[Callable[[], Any]] = None,
    ) -> None:
        self.form = form
        self.view = view
        self.names = names
        self.element = element
        self.struct = struct
        self.read = read
        self.make = make
        self.members = members
        self.absent = absent


class FieldLayout(NamedTuple):
    """One field: where it is, in units of its own size or pointers, and what it is when it is not set.

    ``mask`` is the default's bits; ``default(verbose, base64)`` gives a pointer's default as a plain Python value,
    ``None`` where it has none; ``discriminant`` is ``None`` outside a union.  ``absent`` is what `Codec.write_json`
    writes, with a comma, for a null pointer that is a union's active member.  ``unset()`` gives what a null pointer is
    in a record, the same object each time; ``None`` where that is "", b"", () or None, as of every text, data, list or
    struct without a default of its own.
    """

    name: str
    value: ValueLayout
    offset: int
    mask: int
    default: Callable[[bool, bool], Any]
    discriminant: Optional[int]
    absent: bytes = b""
    unset: Optional[Callable[[], Any]] = None


def _no_record() -> Any:
    """Layouts of JSON, whose fields have other names, are not for records."""
    raise NotImplementedError


class StructLayout:
    """One struct or group, and how large its sections are.

    ``record()`` gives the class of its records (`ccapnp.types.record`), which `ccapnp.codec.Codec.decode_record` makes.
    ``nested`` are the names of the fields that are more than a plain value, text or data; ``compiled`` is for the
    codecs to keep what they made of the layout.
    """

    __slots__ = ("compiled", "data_words", "fields", "name", "nested", "pointers", "record", "tag_index")

    def __init__(self, name: str, data_words: int, pointers: int) -> None:
        self.name = name
        self.data_words = data_words
        self.pointers = pointers
        self.fields: tuple[FieldLayout, ...] = ()
        self.nested: frozenset[str] = frozenset()
        self.tag_index: Optional[int] = None
        self.record: Callable[[], Any] = _no_record
        self.compiled: dict[Any, Any] = {}


class FieldPlan(NamedTuple):
    """What a codec must know of a field to read it from a view, and to set it, by itself.

    ``form`` is that of a `ValueLayout`, but "structs" for a list of structs; ``offset`` and ``mask`` are as in a
    `FieldLayout`.  ``absent`` is what the field reads as where the struct does not have it, or it is null; for a
    builder's pointers, which then get a value, it is `...`.  ``members`` are an enum's by number, ``numbers`` its
    numbers by name.  ``make`` is the class of the view, or the list, that it reads as, and ``list_type`` the list's
    type.  ``sizes`` are the (data words, pointers) of its struct or structs.
    """

    form: str
    is_builder: bool
    view: str = ""
    offset: int = 0
    mask: int = 0
    absent: Any = None
    members: dict[int, Any] = {}
    numbers: dict[str, int] = {}
    make: Any = None
    list_type: Any = None
    sizes: tuple[int, int] = (0, 0)
    tag_index: int = 0
    discriminant: Optional[int] = None
