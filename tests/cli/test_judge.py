"""Random messages through the command and through the official tool: what both write is the same, byte for byte."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import ccapnp
from tests.cli.running import official, ours
from tests.conformance.all_types import SCHEMA
from tests.parity.values import Values

TYPED = [str(SCHEMA), "TestAllTypes"]


@pytest.fixture(scope="module")
def messages() -> list[bytes]:
    """Messages of the type that has all types."""
    module = ccapnp.load(str(SCHEMA), backend="pure")
    found = []
    for seed in range(40):
        values = Values(random.Random(seed), module).struct(module.TestAllTypes, 3)
        found.append(module.TestAllTypes.from_dict(values).to_bytes())
    return found


@pytest.mark.conformance("CLI-02", "CLI-03", "CLI-04")
@pytest.mark.parametrize("target", ["text", "json", "packed", "binary"])
@pytest.mark.parametrize("options", [[], ["--short"], ["--segment-size=8"]], ids=str)
def test_all_messages(
    backend: str, capnp_tool: str, messages: list[bytes], target: str, options: list[str], tmp_path: Path
) -> None:
    arguments = ["convert", "--quiet", *options, f"binary:{target}", *TYPED]
    data = b"".join(messages)
    found = ours(arguments, data)
    assert (found.status, found.error) == (0, "")
    assert found.out == official(capnp_tool, arguments, data).out
    back = ours(["convert", "--quiet", f"{target}:binary", *TYPED], found.out)
    again = ours(["convert", "--quiet", "--short", "binary:text", *TYPED], back.out)
    assert (back.status, again.status) == (0, 0), back.error
    if target != "json":  # where a text that is not there is the same as an empty one
        assert again == ours(["convert", "--quiet", "--short", "binary:text", *TYPED], data)


@pytest.mark.conformance("CLI-01", "CLI-04")
@pytest.mark.parametrize("source", ["text", "json"])
def test_each_message_back(backend: str, capnp_tool: str, messages: list[bytes], source: str) -> None:
    for message in messages[:15]:
        text = official(capnp_tool, ["convert", "--quiet", f"binary:{source}", *TYPED], message).out
        text = re.sub(rb"-0(?=[],) ])", b"0", text)  # of which it loses the sign
        arguments = ["convert", "--quiet", f"{source}:binary", *TYPED]
        found, expected = ours(arguments, text), official(capnp_tool, arguments, text)
        if expected.status == 0:  # it cannot read all that it writes
            assert found == expected
        else:
            assert found.status == 0, found.error
