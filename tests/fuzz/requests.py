"""CodeGeneratorRequests: each gives the same module, or the same error, under both codecs, and the plugin's Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import ccapnp
from ccapnp.codec import get_codec
from ccapnp.plugin.main import generate
from ccapnp.types.module import make_module
from ccapnp.types.registry import TypeRegistry
from tests.fuzz.schemas import compiled, texts
from tests.fuzz.verdicts import assert_sound
from tests.parity.outcomes import outcome

__all__ = ["MOST_BYTES", "TOKENS", "run", "seeds"]

MOST_BYTES = 6000
TOKENS = [bytes([low, 0, high, 0]) for low in range(8) for high in range(4)]

MOST_MEMBERS = 50
"""How many members of a module and fields of a struct are looked at."""

LIMITS = {"traversal_limit_in_words": 1000, "nesting_limit": 10}


def run(data: bytes) -> None:
    assert_sound([outcome(lambda backend=backend: _used(data, backend)) for backend in ("pure", "native")])
    try:
        generated = generate(data)
    except ccapnp.CapnpError:
        return
    for name, text in generated.items():
        ast.parse(text, name)


def _used(data: bytes, backend: str) -> list[Any]:
    """What is in the module, and what its structs are like."""
    module: ModuleType = make_module(TypeRegistry(get_codec(backend)), data)
    members = [(name, value) for name, value in vars(module).items() if not name.startswith("_")][:MOST_MEMBERS]
    return [
        (name, outcome(lambda value=value: _use_struct(value)) if isinstance(value, ccapnp.StructType) else repr(value))
        for name, value in members
    ]


def _use_struct(struct_type: Any) -> Any:
    """An empty message, and one in which everything is made anew."""
    reader = struct_type.from_segments([bytes(8)], **LIMITS)
    builder = struct_type.new_message()
    names = [field.name for field in struct_type._node.fields][:MOST_MEMBERS]
    made = [outcome(lambda name=name: ccapnp.init(builder, name, 2)) for name in names]
    verbose = outcome(lambda: ccapnp.to_dict(reader, verbose=True))
    return reader, made, verbose, str(reader), ccapnp.to_bytes(builder)


def seeds() -> Iterator[bytes]:
    for text in texts():
        request = compiled(text)
        if request is not None and len(request) <= MOST_BYTES:
            yield request
