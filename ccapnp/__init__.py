"""Cap'n Proto for Python: messages that are read in place, through classes made from a schema.

The page that explains it is README.md; `ccapnp.errors` has all errors, which are also here.
"""

from ccapnp._version import __version__
from ccapnp.codec import BackendInfo, backend_info, default_codec
from ccapnp.errors import (
    BackendError,
    CapnpError,
    DecodeError,
    EncodeError,
    EncodeTypeError,
    LimitError,
    SchemaError,
    TruncatedError,
    UnionError,
    UnknownFieldError,
)
from ccapnp.schema.value import Kind
from ccapnp.types.any import AnyPointerBuilder, AnyPointerReader, Capability
from ccapnp.types.constants import Annotation
from ccapnp.types.enums import Enum
from ccapnp.types.interface import Interface
from ccapnp.types.list_of import List
from ccapnp.types.lists import ListBuilder, ListReader
from ccapnp.types.message import (
    MessageSize,
    canonicalize,
    to_bytes,
    to_bytes_packed,
    to_segments,
    write,
    write_packed,
)
from ccapnp.types.messages import MessageBuilder, MessageReader, read, read_multiple, read_multiple_bytes
from ccapnp.types.module import load_request
from ccapnp.types.resizable_list import ResizableList
from ccapnp.types.struct_type import Struct
from ccapnp.types.struct_view import (
    StructBuilder,
    StructReader,
    as_builder,
    as_reader,
    copy,
    get_data_as_view,
    get_field,
    has,
    init,
    init_resizable_list,
    set_field,
    to_dict,
    to_text,
    total_size,
    which,
)

__all__ = [
    "Annotation",
    "AnyPointerBuilder",
    "AnyPointerReader",
    "BackendError",
    "BackendInfo",
    "Capability",
    "CapnpError",
    "DecodeError",
    "EncodeError",
    "EncodeTypeError",
    "Enum",
    "Interface",
    "Kind",
    "LimitError",
    "List",
    "ListBuilder",
    "ListReader",
    "MessageBuilder",
    "MessageReader",
    "MessageSize",
    "ResizableList",
    "SchemaError",
    "Struct",
    "StructBuilder",
    "StructReader",
    "TruncatedError",
    "UnionError",
    "UnknownFieldError",
    "__version__",
    "as_builder",
    "as_reader",
    "backend",
    "backend_info",
    "canonicalize",
    "copy",
    "get_data_as_view",
    "get_field",
    "has",
    "init",
    "init_resizable_list",
    "load_request",
    "read",
    "read_multiple",
    "read_multiple_bytes",
    "set_field",
    "to_bytes",
    "to_bytes_packed",
    "to_dict",
    "to_segments",
    "to_text",
    "total_size",
    "which",
    "write",
    "write_packed",
]

backend: str = default_codec().name
"""The name of the codec that runs where none is asked for."""
