"""ccapnp and pycapnp in one process, on one schema: each has a libcapnp of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.install.environments import Environment, make_environment, missing

MODULES = ("capnp", "ccapnp", "addressbook_capnp")

EXCHANGE = """
theirs = capnp.load(sys.argv[1]).Person
ours = addressbook_capnp.Person
assert ccapnp.backend == "native"

value = {"id": 123, "name": "Alice", "email": "", "phones": [{"number": "555-1212", "type": "mobile"}]}
value["employment"] = {"school": "MIT"}

assert ours.from_bytes(theirs.new_message(**value).to_bytes()).to_dict() == value
assert ours.from_bytes_packed(theirs.new_message(**value).to_bytes_packed()).to_dict() == value
with theirs.from_bytes(ours.from_dict(value).to_bytes()) as person:
    assert person.to_dict() == value
assert theirs.from_bytes_packed(ours.from_dict(value).to_bytes_packed()).to_dict() == value

# Each throws in its own libcapnp: the name is said to be far behind the end of the message.
bad = bytearray(ours.from_dict(value).to_bytes())
bad[24:28] = (0x7FFFFFFC | 1).to_bytes(4, "little")
try:
    ours.from_bytes(bad).to_dict()
    sys.exit("ccapnp reads a bad message")
except ccapnp.DecodeError:
    pass
try:
    with theirs.from_bytes(bytes(bad)) as person:
        person.to_dict()
    sys.exit("pycapnp reads a bad message")
except capnp.KjException:
    pass
print("exchanged")
"""


@pytest.fixture(scope="module")
def both(work: Path, native_wheel: Path) -> Environment:
    """An environment with both."""
    if sys.implementation.name != "cpython":
        pytest.skip("pycapnp is for CPython")
    try:
        return make_environment(work / "both-venv", str(native_wheel), "pycapnp==2.2.4")
    except subprocess.CalledProcessError:
        missing("pip finds no pycapnp for this Python")


@pytest.mark.parametrize("order", [MODULES, MODULES[::-1]], ids=["pycapnp first", "ccapnp first"])
def test_they_exchange_messages(both: Environment, examples: Path, order: tuple[str, ...]) -> None:
    code = "".join(f"import {name}\n" for name in ("sys", *order)) + EXCHANGE
    schema = str(examples / "addressbook.capnp")
    assert both.run("-c", code, schema, PYTHONPATH=str(examples)).decode() == "exchanged\n"
