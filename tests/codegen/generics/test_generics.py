"""Generic types: what parameters are bound to in generated modules, also in one that another one imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ccapnp import Data, List, Text

ROOT = Path(__file__).parents[3]


def test_fields_are_of_bound_types(module: Any, capnp_tool: str) -> None:
    text = b"""(texts = (left = "l", count = 3, group = (number = 4)), inner = (third = ["t"], left = "i", number = 5),
                list = [(count = 6, right = "r")], unbound = (count = 7))"""
    schema = str(Path(__file__).with_name("generics.capnp"))
    data = subprocess.run([capnp_tool, "encode", schema, "Uses"], input=text, check=True, capture_output=True).stdout
    uses = module.Uses.from_bytes(data)
    assert isinstance(uses.texts, module.Pair[Text, module.Uses].Reader) and isinstance(uses.texts, module.Pair.Reader)
    assert (uses.texts.left, uses.texts.count, uses.texts.group.number) == ("l", 3, 4)
    assert (uses.inner.third, uses.inner.left, uses.inner.number) == (["t"], "i", 5)
    assert isinstance(uses.inner, module.Pair[Text, Data].Inner[List[Text]])
    assert [(pair.count, pair.right) for pair in uses.list] == [(6, "r")]
    assert uses.unbound.count == 7
    assert uses.texts.swapped.count == 0
    assert uses.texts.swapped.right == ""


def test_nested_types(module: Any) -> None:
    assert module.Pair.Inner.schema.parameters == ("Third",)
    assert module.Pair.schema.parameters == ("Left", "Right")
    assert module.Pair.Service.CallParams.schema.is_generic
    assert module.Pair[Text, Data].Service.CallParams.new_message(left="x").left == "x"


def test_a_constant(module: Any) -> None:
    assert (module.pair.count, module.pair.left, module.pair.right) == (3, "l", b"r")


CHECK = """
from ccapnp import Data, Text
Pair, Box = generics.Pair, boxes.Box
bound = Box[Pair[Text, Data]]
assert uses.box._type is bound, (uses.box._type, bound)
assert type(uses.box.value.left) is str
assert uses.label._type is Box[Data].Label, uses.label._type
assert bound.Unused.new_message(of={"left": "x"}).of.left == "x"
assert bound.size == 5
"""
USED = "uses = generics.Uses.new_message(box={'value': {'left': 'x'}}, label={'of': b'd'})\n"
LOAD = "import ccapnp; {0} = ccapnp.load(sys.argv[1] + '/{0}.capnp')\n"
IMPORT = "import {0}_capnp as {0}\n"


@pytest.mark.parametrize("first", [LOAD, IMPORT], ids=["loaded", "generated"])
@pytest.mark.parametrize("second", [LOAD, IMPORT], ids=["loaded", "generated"])
def test_a_type_that_is_met_through_an_import(generated: Path, first: str, second: str) -> None:
    """Whichever way the importing and the imported schema come, there is one class for each binding."""
    for code in (
        first.format("generics") + USED + second.format("boxes"),
        first.format("generics") + second.format("boxes") + USED,
        first.format("boxes") + second.format("generics") + USED,
    ):
        subprocess.run(
            [sys.executable, "-W", "error", "-c", f"import sys\n{code}{CHECK}", str(Path(__file__).parent)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(generated)))},
            check=True,
        )
