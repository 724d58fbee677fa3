"""Classes made at run time from the text of a schema: by a call, or by an import statement."""

from ccapnp.loading.import_hook import install_import_hook, remove_import_hook
from ccapnp.loading.load import load, load_text
from ccapnp.loading.parser import SchemaParser
from ccapnp.loading.schema_loader import SchemaLoader

__all__ = ["SchemaLoader", "SchemaParser", "install_import_hook", "load", "load_text", "remove_import_hook"]
