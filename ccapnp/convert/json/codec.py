"""Messages as JSON and back."""

from __future__ import annotations

from enum import EnumMeta
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

from ccapnp.convert.json.forms import Form
from ccapnp.convert.json.handlers import HandlerForm
from ccapnp.convert.json.layouts import JsonLayouts
from ccapnp.convert.json.line_breaks import COMPACT, PRETTY
from ccapnp.convert.json.parsing import parsed, unparsed
from ccapnp.convert.json.paths import located, renamed
from ccapnp.convert.json.plan import Plans, plain
from ccapnp.convert.json.writer import Writer
from ccapnp.errors import EncodeError, EncodeTypeError, LimitError, shown
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_type import StructType
from ccapnp.types.struct_view import StructView
from ccapnp.types.type_names import pointer_type

if TYPE_CHECKING:
    from ccapnp.types.typed import HasBuilder

__all__ = ["JsonCodec", "from_json", "to_json"]

_B = TypeVar("_B")

DEFAULT_NESTING_DEPTH = 64


class JsonCodec:
    """Writes and reads JSON by the annotations of json.capnp, as ``capnp::JsonCodec`` does (capnp/compat/json.h).

    ``pretty`` breaks long lines, ``omit_defaults`` leaves out whatever has its default, and ``reject_unknown_fields``
    makes an UnknownFieldError of a member that no field has.  A codec keeps what it has learned of types.
    """

    def __init__(
        self,
        *,
        pretty: bool = False,
        omit_defaults: bool = False,
        reject_unknown_fields: bool = False,
    ) -> None:
        self._handlers: dict[Any, Form] = {}
        self._plans = Plans(self._handlers, rejects_unknown_fields=reject_unknown_fields)
        self._writer = Writer(PRETTY if pretty else COMPACT, omit_defaults=omit_defaults)
        self._written = None if pretty or omit_defaults else JsonLayouts(self._writer)
        self._read = None if reject_unknown_fields else JsonLayouts()

    def add_handler(
        self, type: Any, field: Optional[str] = None, *, encode: Callable[[Any], Any], decode: Callable[[Any], Any]
    ) -> None:
        """Have two functions write and read the values of a type, or of one field of a struct type.

        ``encode`` gives what `json.dumps` takes for a value as `to_dict` has it, ``decode`` what `from_dict` takes.
        The type is a struct type, an enum, or any that `ccapnp.List` takes.  ValueError if it has a handler already, or
        the codec has been used.
        """
        key = (type, type._access(field).name) if field is not None else _handled(type)
        if key in self._handlers or self._plans.made:
            what = "has been used" if self._plans.made else f"has a handler for {type!r} already"
            raise ValueError(f"this codec {what}")
        self._handlers[key] = HandlerForm(encode, decode)

    def encode(self, value: Any) -> str:
        """The JSON of a struct or list, given as a reader or builder."""
        if not isinstance(value, (StructView, ListReader)):
            raise TypeError(f"what has a JSON is a reader or builder of a struct or list, not {shown(value)}")
        try:
            if isinstance(value, StructView):
                return self._encode_struct(value)
            return self._plans.form(value._type).text(self._writer, plain(value), 0, False)
        except RecursionError:
            raise LimitError.of_stack() from None

    def _encode_struct(self, view: Any) -> str:
        plan = self._plans.struct(view._type)
        if self._written is not None:
            layout = self._written.struct(plan)
            text = None if layout is None else view._c.codec.write_json(layout, view._c, view._w)
            if text is not None:
                return text  # type: ignore[no-any-return]
        value = plain(view)
        try:
            return self._writer.struct(plan)(value, 0, False)
        except EncodeTypeError as error:
            raise located(error, plan, value) from None

    def decode(
        self, source: Any, struct_type: type[HasBuilder[_B]], max_nesting_depth: int = DEFAULT_NESTING_DEPTH
    ) -> _B:
        """A builder of a new message made from JSON: text, its bytes in UTF-8, or what `json.loads` gave.

        ``max_nesting_depth`` is how many arrays and objects may be in each other.
        """
        return self._decode(source, struct_type, max_nesting_depth)  # type: ignore[no-any-return]

    def _decode(self, source: Any, struct_type: Any, depth: int) -> Any:
        is_text = isinstance(source, (str, bytes, bytearray, memoryview))
        struct_type._require_struct()
        plan = self._plans.struct(struct_type)
        try:
            item = parsed(source) if is_text else unparsed(source)
            layout = self._read.struct(plan) if self._read is not None else None
            if layout is not None:
                root = struct_type._registry.codec.new_message()
                if root.encode_json(0, layout, item, depth):
                    return root.get_struct(0, 0, 0, None, struct_type.Builder._at)
            values = plan.parse(item, depth)
            try:
                return struct_type.from_dict(values)
            except EncodeError as error:
                raise renamed(error, plan) from None
        except RecursionError:
            raise LimitError.of_stack() from None


def _handled(type: Any) -> Any:
    """What a type's handler is found by."""
    is_itself = isinstance(type, (StructType, EnumMeta))
    return type if is_itself else pointer_type(type)


_OF_PLAIN_LISTS: dict[Any, JsonCodec] = {}


def _kept(type: Any) -> dict[Any, JsonCodec]:
    """The codecs that have learned of a type, by their options: they live as long as the types of its schema."""
    while not isinstance(type, StructType):
        type = getattr(type, "struct_type", None) or getattr(type, "pointer_type", None)
        if type is None:
            return _OF_PLAIN_LISTS
    return type._registry.json_codecs


def to_json(value: Any, pretty: bool = False, omit_defaults: bool = False) -> str:
    """See `ccapnp.to_json`."""
    kept = _kept(getattr(value, "_type", None))
    codec = kept.get((pretty, omit_defaults))
    if codec is None:
        codec = kept[pretty, omit_defaults] = JsonCodec(pretty=pretty, omit_defaults=omit_defaults)
    return codec.encode(value)


def from_json(
    source: Any,
    struct_type: Any,
    reject_unknown_fields: bool = False,
    max_nesting_depth: int = DEFAULT_NESTING_DEPTH,
) -> Any:
    """See `ccapnp.types.struct_type.StructType.from_json`."""
    kept = _kept(struct_type)
    codec = kept.get(reject_unknown_fields)
    if codec is None:
        codec = kept[reject_unknown_fields] = JsonCodec(reject_unknown_fields=reject_unknown_fields)
    return codec.decode(source, struct_type, max_nesting_depth)
