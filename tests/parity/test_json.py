"""Any text that looks like JSON is read to the same message, or is the same documented error, by either codec."""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

import ccapnp
from tests.json.schemas import schema_text
from tests.parity.differences import assert_same
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.outcomes import outcome
from tests.parity.schemas import make_schema
from tests.parity.values import Values, realised

pytestmark = parity

DOCUMENTED = ("ParseError", "EncodeError", "EncodeTypeError", "UnknownFieldError", "LimitError")

ITEMS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32, 2**63, 2**64, -(2**63) - 1, 10**40),
    *(
        1.0,
        1.5,
        -0.0,
        1e39,
        1e308,
        "",
        "1",
        "-1",
        "0x1F",
        "1.5",
        "NaN",
        "Infinity",
        "-Infinity",
        "x",
        "AA==",
        "00",
        "0g",
    ),
    *("\ud800", "snow\u2603", [], [[]], [None], [1, 2], ["a"], {}, {"a": 1}, [{}], [[[[]]]], "e0n0", "dark green"),
)
PIECES = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "-",
    "0",
    "1e999",
    "NaN",
    "null",
    "\\ud800",
    "\x00",
    "\ufeff",
    " ",
    "\t",
)


def changed(rng: random.Random, item: Any) -> Any:
    """The same with something else in one place."""
    if isinstance(item, dict) and item and rng.random() < 0.9:
        name = rng.choice(list(item))
        if rng.random() < 0.1:
            return {**{key: each for key, each in item.items() if key != name}, f"{name}x": item[name]}
        return {**item, name: changed(rng, item[name])}
    if isinstance(item, list) and item and rng.random() < 0.8:
        index = rng.randrange(len(item))
        return [*item[:index], changed(rng, item[index]), *item[index + 1 :]]
    return rng.choice(ITEMS)


def edited(rng: random.Random, text: str) -> str:
    """The same with a few characters lost, or others there."""
    for _ in range(rng.choice([0, 0, 1, 2])):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(["", *PIECES]) + text[at + rng.choice([0, 0, 1, 5]) :]
    return text


def compared(modules: list[ModuleType], name: str, source: Any, **options: Any) -> None:
    def read(module: Any) -> Any:
        made = getattr(module, name).from_json(source, **options)
        return ccapnp.to_segments(made), made, made.to_json()

    found = [outcome(lambda module=module: read(module)) for module in modules]
    assert_same(found)
    assert found[0][0] != "error" or found[0][1] in DOCUMENTED


def read_after_changes(rng: random.Random, modules: list[ModuleType], names: list[str]) -> None:
    name = rng.choice(names)
    values = Values(rng, modules[0]).struct(getattr(modules[0], name), 4)
    message = getattr(modules[0], name).new_message(**realised(values, modules[0]))
    try:
        item = json.loads(message.to_json())
    except ccapnp.EncodeTypeError:  # it has an AnyPointer
        return
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        item = changed(rng, item)
    text = edited(rng, json.dumps(item, ensure_ascii=rng.random() < 0.5))
    note(text)
    options = {"reject_unknown_fields": rng.random() < 0.3, "max_nesting_depth": rng.choice([64, 64, 2])}
    compared(modules, name, rng.choice([text, text.encode("utf-8", "surrogatepass"), item]), **options)


@given(seed=SEEDS, rng=RANDOMS)
def test_of_schemas_without_annotations(seed: int, rng: random.Random) -> None:
    schema = make_schema(seed)
    read_after_changes(rng, list(schema.modules.values()), schema.names)


@pytest.fixture(scope="module")
def annotated() -> list[tuple[list[ModuleType], list[str]]]:
    """Modules of some schemas, and the names of their structs."""
    made = []
    for seed in range(8):
        text = f"@0xe5b0c2d4a6f8{seed:04x};\n{schema_text(random.Random(seed))}"
        modules = [ccapnp.SchemaParser(backend=backend).load_text(text) for backend in ("pure", "native")]
        made.append((modules, [name for name in vars(modules[0]) if name.startswith("Struct") and name != "Struct"]))
    return made


@given(data=st.data(), rng=RANDOMS)
def test_of_schemas_with_annotations(
    annotated: list[tuple[list[ModuleType], list[str]]], data: st.DataObject, rng: random.Random
) -> None:
    read_after_changes(rng, *data.draw(st.sampled_from(annotated)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["f0", "f1", "f2"]), inner),
)


@given(seed=SEEDS, item=JSON)
def test_any_json(seed: int, item: Any) -> None:
    schema = make_schema(seed)
    for source in (item, json.dumps(item)):
        compared(list(schema.modules.values()), schema.names[0], source)
