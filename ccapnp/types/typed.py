"""The public classes and functions under the names that type checkers know them by.

At run time these are the real ones.  A type checker reads `typed.pyi` instead, which says what no annotation in the
implementation can: that ``Person.from_bytes`` gives a ``Person.Reader``.  Generated stubs build on it.
"""

from ccapnp.reflection.of import schema_of, type_of
from ccapnp.types.any import AnyPointerBuilder, AnyPointerReader
from ccapnp.types.any_list import AnyListBuilder, AnyListReader
from ccapnp.types.any_struct import AnyStructBuilder, AnyStructReader, as_any_struct
from ccapnp.types.canonical import canonicalize, is_canonical
from ccapnp.types.capability import Capability
from ccapnp.types.comparing import equal
from ccapnp.types.constants import Annotation
from ccapnp.types.enums import Enum
from ccapnp.types.interface import Interface
from ccapnp.types.list_kinds import NumberList, NumberListBuilder
from ccapnp.types.list_types import ListType
from ccapnp.types.lists import ListBuilder, ListReader
from ccapnp.types.message import (
    MessageSize,
    framed_size,
    to_bytes,
    to_bytes_packed,
    to_segments,
    write,
    write_into,
    write_packed,
)
from ccapnp.types.messages import MessageBuilder, MessageReader, read, read_multiple, read_multiple_bytes
from ccapnp.types.orphan import Orphan
from ccapnp.types.orphanage import Orphanage, orphanage
from ccapnp.types.record import Record
from ccapnp.types.resizable_list import ResizableList
from ccapnp.types.stream_decoder import StreamDecoder
from ccapnp.types.struct_type import Struct, StructType
from ccapnp.types.struct_view import (
    StructBuilder,
    StructReader,
    StructView,
    adopt,
    as_builder,
    as_reader,
    copy,
    disown,
    get_data_as_view,
    get_field,
    has,
    init,
    init_resizable_list,
    set_field,
    to_dict,
    to_json,
    to_record,
    to_text,
    total_size,
    which,
)
from ccapnp.types.type_names import AnyList, AnyPointer, AnyStruct, Data, List, Text
from ccapnp.wire.framing import expected_size_in_words
from ccapnp.wire.pointers import ElementSize

__all__ = [
    "Annotation",
    "AnyList",
    "AnyListBuilder",
    "AnyListReader",
    "AnyPointer",
    "AnyPointerBuilder",
    "AnyPointerReader",
    "AnyStruct",
    "AnyStructBuilder",
    "AnyStructReader",
    "Capability",
    "Data",
    "ElementSize",
    "Enum",
    "Interface",
    "List",
    "ListBuilder",
    "ListReader",
    "ListType",
    "MessageBuilder",
    "MessageReader",
    "MessageSize",
    "NumberList",
    "NumberListBuilder",
    "Orphan",
    "Orphanage",
    "Record",
    "ResizableList",
    "StreamDecoder",
    "Struct",
    "StructBuilder",
    "StructReader",
    "StructType",
    "StructView",
    "Text",
    "adopt",
    "as_any_struct",
    "as_builder",
    "as_reader",
    "canonicalize",
    "copy",
    "disown",
    "equal",
    "expected_size_in_words",
    "framed_size",
    "get_data_as_view",
    "get_field",
    "has",
    "init",
    "init_resizable_list",
    "is_canonical",
    "orphanage",
    "read",
    "read_multiple",
    "read_multiple_bytes",
    "schema_of",
    "set_field",
    "to_bytes",
    "to_bytes_packed",
    "to_dict",
    "to_json",
    "to_record",
    "to_segments",
    "to_text",
    "total_size",
    "type_of",
    "which",
    "write",
    "write_into",
    "write_packed",
]
