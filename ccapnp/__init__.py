"""Cap'n Proto for Python: messages that are read in place, through classes generated from a schema."""

from ccapnp import errors
from ccapnp._version import __version__
from ccapnp.types.module import load_request
