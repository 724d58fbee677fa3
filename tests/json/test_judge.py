"""The official tool writes the same JSON, and reads the same from it, whatever a schema's annotations are."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Optional

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

import ccapnp
from tests.conftest import compile_to_request
from tests.json.schemas import schema_text
from tests.parity.draws import RANDOMS
from tests.parity.values import Values, realised

several = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


class Schema(NamedTuple):
    """A schema's file, and its module."""

    path: Path
    module: ModuleType

    @property
    def names(self) -> list[str]:
        return [
            name for name, each in vars(self.module).items() if name.startswith("Struct") and hasattr(each, "_node")
        ]


@pytest.fixture(scope="module")
def schema_of(backend: str, capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Schema]:
    """A function that gives the random schema of some number."""
    folder = tmp_path_factory.mktemp("json")

    @cache
    def schema(seed: int) -> Optional[Schema]:
        name = f"random{seed}.capnp"
        try:
            request = compile_to_request(capnp_tool, folder, schema_text(random.Random(seed)), name)
        except AssertionError as error:
            # It refuses what it once would have laid out wrongly.
            assert "which would cause this schema to be compiled incorrectly" in str(error)
            return None
        return Schema(folder / name, ccapnp.load_request(request, backend=backend))

    def found(seed: int) -> Schema:
        made = schema(seed)
        assume(made is not None)
        assert made is not None
        return made

    return found


@pytest.fixture(scope="module")
def convert(capnp_tool: str) -> Callable[..., bytes]:
    """Runs the official tool."""

    def run(formats: str, path: Path, name: str, data: bytes, *options: str) -> bytes:
        command = [capnp_tool, "convert", formats, *options, str(path), name]
        done = subprocess.run(command, input=data, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


def some_messages(rng: random.Random, schema: Schema) -> list[Any]:
    """Messages of one of the types; the first has nothing set."""
    struct_type = getattr(schema.module, rng.choice(schema.names))
    values = Values(rng, schema.module)
    made = [realised(values.struct(struct_type, 4), schema.module) for _ in range(4)]
    return [struct_type.new_message(), *(struct_type.new_message(**each) for each in made)]


@several
@given(seed=st.integers(0, 99), rng=RANDOMS)
def test_what_is_written_is_what_the_tool_writes(
    schema_of: Callable[[int], Schema], convert: Callable[..., bytes], seed: int, rng: random.Random
) -> None:
    schema = schema_of(seed)
    messages = some_messages(rng, schema)
    name = type(messages[0])._type.__name__
    data = b"".join(message.to_bytes() for message in messages)
    for options in ((), ("--short",)):
        expected = convert("binary:json", schema.path, name, data, *options)
        found = "".join(f"{message.to_json(pretty=not options)}\n" for message in messages)
        assert expected.decode() == found


@several
@given(seed=st.integers(0, 99), rng=RANDOMS)
def test_what_is_read_is_what_the_tool_reads(
    schema_of: Callable[[int], Schema], convert: Callable[..., bytes], seed: int, rng: random.Random
) -> None:
    schema = schema_of(seed)
    for message in some_messages(rng, schema)[:3]:
        struct_type = type(message)._type
        text = message.to_json(pretty=rng.random() < 0.5)
        note(text)
        data = convert("json:binary", schema.path, struct_type.__name__, text.encode())
        assert ccapnp.canonicalize(struct_type.from_json(text)) == ccapnp.canonicalize(struct_type.from_bytes(data))


@given(seed=st.integers(0, 99), rng=RANDOMS)
def test_what_is_written_is_read_as_what_it_was_written_from(
    schema_of: Callable[[int], Schema], seed: int, rng: random.Random
) -> None:
    for message in some_messages(rng, schema_of(seed)):
        struct_type = type(message)._type
        text = message.to_json()
        note(text)
        again = struct_type.from_json(text)
        assert again.to_json() == text
        assert struct_type.from_json(message.to_json(pretty=True)).to_json() == text
        assert struct_type.from_json(text.encode()).to_json() == text
        short = again.to_json(omit_defaults=True)
        assert struct_type.from_json(short).to_json(omit_defaults=True) == short


VALUES = """@0xb7c0d1e2f3a49586;
using Json = import "/capnp/compat/json.capnp";
struct Holder { value @0 :Json.Value; values @1 :List(Json.Value); }
"""
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@several
@given(item=JSON)
def test_json_within_a_message_is_as_the_tool_has_it(
    backend: str, convert: Callable[..., bytes], tmp_path_factory: pytest.TempPathFactory, item: Any
) -> None:
    path = tmp_path_factory.mktemp("values") / "values.capnp"
    path.write_text(VALUES)
    holder: Any = ccapnp.SchemaParser(backend=backend).load_text(VALUES, "values.capnp").Holder
    message = holder.from_json({"value": item, "values": [item, None]})
    for options in ((), ("--short",)):
        text = convert("binary:json", path, "Holder", message.to_bytes(), *options).decode()
        assert message.to_json(pretty=not options) + "\n" == text
    assert holder.from_json(message.to_json()) == message
