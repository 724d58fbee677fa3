"""Two codecs in one process: each class keeps to its own, values go from one to the other."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp.codec import default_codec
from tests.conftest import compile_to_request
from tests.types.schema import LIST_VALUES, SCHEMA

pytestmark = pytest.mark.skipif(
    find_spec("ccapnp.native._shim") is None, reason="the native extension is not built, and these tests need both"
)

BOTH = ("pure", "native")
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(scope="module")
def request_bytes(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_to_request(capnp_tool, tmp_path_factory.mktemp("schema"), SCHEMA)


@pytest.fixture(scope="module")
def modules(request_bytes: bytes) -> dict[str, Any]:
    return {backend: ccapnp.load_request(request_bytes, backend=backend) for backend in BOTH}


@pytest.fixture(params=BOTH)
def default(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each codec as the default in turn."""
    monkeypatch.setenv("CCAPNP_BACKEND", request.param)
    default_codec.cache_clear()
    yield request.param
    default_codec.cache_clear()


@pytest.fixture(params=BOTH)
def mine(request: pytest.FixtureRequest, modules: dict[str, Any]) -> Any:
    return modules[request.param]


@pytest.fixture
def others(mine: Any, modules: dict[str, Any]) -> Any:
    """The module that ``mine`` is not."""
    return next(module for module in modules.values() if module is not mine)


def codec_of(value: Any) -> str:
    return str(value._c.codec.name)


def node(module: Any) -> Any:
    return module.Node.new_message(name="n", children=[{"name": "a"}], point={"x": 3}, numbers=[1, 2])


@pytest.mark.usefixtures("default")
def test_a_class_keeps_to_its_codec(mine: Any) -> None:
    name = mine.Node._registry.codec.name
    builder = node(mine)
    reader = mine.Node.from_bytes(builder.to_bytes())
    empty = mine.Node.from_bytes(bytes.fromhex("0000000001000000 0000000000000000"))
    values = [builder, builder.copy(), builder.as_reader(), builder.children, builder.children[0], builder.point]
    values += [reader, reader.copy(), reader.as_builder(), reader.children, reader.preset, reader.child, empty]
    values += [empty.children, empty.copy(), empty.point, mine.Node.from_dict({}), mine.Lists.new_message().structs]
    assert [codec_of(value) for value in values] == [name] * len(values)


@pytest.mark.usefixtures("default")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_is_pickled_is_unpickled_under_its_codec(mine: Any, protocol: int) -> None:
    builder = node(mine)
    for value in (
        builder,
        builder.as_reader(),
        builder.children,
        builder.as_reader().children,
        mine.Node.new_message(),
    ):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value) and codec_of(again) == codec_of(value)
    assert pickle.loads(pickle.dumps(mine.Color.green, protocol)) is mine.Color.green
    for field, values in LIST_VALUES.items():
        found = getattr(mine.Lists.new_message(**{field: values}), field)
        again = pickle.loads(pickle.dumps(found, protocol))
        assert again == found and type(again) is type(found)
        assert not hasattr(found, "_c") or codec_of(again) == codec_of(found)


SCRIPT = """
import pickle, sys, ccapnp
request, backend, data = (open(name, "rb").read() for name in sys.argv[1:])
module = ccapnp.load_request(request, backend=backend.decode())
for value in pickle.loads(data):
    assert isinstance(value, (module.Node, module.Color, ccapnp.ListReader))
    if hasattr(value, "_c"):
        print(value._c.codec.name)
"""


@pytest.mark.parametrize("backend", BOTH)
def test_what_is_pickled_under_one_codec_loads_under_the_other(
    mine: Any, request_bytes: bytes, tmp_path: Path, backend: str
) -> None:
    """In a process that knows the schema under the other codec alone, or the same."""
    builder = node(mine)
    lists = mine.Lists.new_message(**LIST_VALUES)
    values = [builder, builder.as_reader(), builder.children, mine.Color.green, lists.structLists, lists.colors]
    files = {"request": request_bytes, "backend": backend.encode(), "data": pickle.dumps(values)}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, "-c", SCRIPT, *(str(tmp_path / name) for name in files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [backend] * 4


@pytest.mark.usefixtures("default")
def test_values_of_the_other_codec_are_taken(mine: Any, others: Any) -> None:
    source = node(others)
    for value in (source, source.as_reader(), others.Node.from_bytes(source.to_bytes())):
        builder = mine.Node.new_message(child=value, children=[value, value], point=value.point, any=value)
        builder.children[1] = value
        builder.point.sub = value
        assert (
            builder.child == value and builder.children == [value, value] and builder.any.as_struct(mine.Node) == value
        )
        assert builder.point.sub == value and value == builder.child
        assert mine.Node.new_message(children=value.children).children == value.children
        assert codec_of(builder.child) == codec_of(builder) != codec_of(value)
        message = ccapnp.MessageBuilder(backend=codec_of(builder))
        assert message.set_root(value) == value
        message.root.set(value.children)
        assert message.root.as_list(ccapnp.List(mine.Node)) == value.children


@pytest.mark.usefixtures("default")
def test_pointers_to_anything_are_compared_over_the_border(mine: Any, others: Any) -> None:
    one, other = (module.Node.new_message(any=node(module)) for module in (mine, others))
    assert one.any == other.any and one.as_reader().any == other.as_reader().any == one.any
    other.any.as_struct(others.Node).children[0].name = "b"
    assert one.any != other.any and other.any != one.any
    assert mine.Node.new_message().as_reader().any == others.Node.new_message().as_reader().any


def test_hashes_are_the_same_on_both(mine: Any, others: Any) -> None:
    assert hash(node(mine).as_reader()) == hash(node(others).as_reader())
    assert {node(mine).as_reader(): 1}[node(others).as_reader()] == 1


def test_members_of_enums_are_taken(mine: Any, others: Any) -> None:
    assert mine.Scalars.new_message(color=others.Color.blue).color is mine.Color.blue
    assert mine.Lists.new_message(colors=others.Lists.new_message(colors=[1, 9]).colors).colors == [1, 9]
