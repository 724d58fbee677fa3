"""Pickles of records: messages, which either codec loads."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest

import ccapnp
from tests.types.test_copy_pickle import EVERY_PROTOCOL

TYPES = (
    "struct Held { name @0 :Text; held @1 :List(Held); union { a @2 :Int32; b @3 :Text; } g :group { n @4 :Int8; } }"
)


@EVERY_PROTOCOL
def test_a_record_survives_a_pickle(compile_schema: Any, protocol: int) -> None:
    held = compile_schema(TYPES).Held
    record = held.Record(name="n", held=[{"b": "x", "g": {"n": 3}}], a=5)
    for each in (record, record.held[0], record.g, held.Record()):
        again = pickle.loads(pickle.dumps(each, protocol))
        assert again == each and type(again) is type(each)
    assert pickle.loads(pickle.dumps([record, record], protocol))[1] == record


def test_a_bound_type_s_record_survives_a_pickle(schema: Any) -> None:
    record = schema.Box[schema.Pair].Record(value={"key": "k"})
    again = pickle.loads(pickle.dumps(record))
    assert again == record and type(again) is schema.Box[schema.Pair].Record


def test_a_value_that_does_not_fit_cannot_be_pickled(schema: Any) -> None:
    with pytest.raises(ccapnp.EncodeError):
        pickle.dumps(schema.Pair.Record(value="x"))


@pytest.mark.parametrize("other", ["pure", "native"])
def test_the_other_codec_loads_it(compile_schema: Any, backend: str, other: str) -> None:
    if other == "native":
        pytest.importorskip("ccapnp.native._shim")
    held = compile_schema(TYPES).Held
    data = pickle.dumps(held.Record(name="n", held=[{"b": "x"}]))
    program = (
        "import pickle, sys, ccapnp\n"
        f"module = ccapnp.load_text({f'@0x{held._node.scope_id:x}; {TYPES}'!r}, 'test.capnp', backend={other!r})\n"
        "record = pickle.loads(bytes.fromhex(sys.stdin.read()))\n"
        "assert type(record) is module.Held.Record and record.name == 'n' and record.held[0].b == 'x'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=data.hex(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
