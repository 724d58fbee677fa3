"""What a generated module is made with; it is for those modules alone."""

from math import inf, nan

from ccapnp.types.enums import Enum
from ccapnp.types.interface import Interface
from ccapnp.types.module import SchemaFile
from ccapnp.types.struct_type import Struct

__all__ = ["Enum", "Interface", "SchemaFile", "Struct", "inf", "nan"]
