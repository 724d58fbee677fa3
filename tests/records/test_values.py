"""A record has what its message has, read field by field; and what is encoded of it is that again."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccapnp
from tests.records.model import modelled
from tests.records.schema import SCHEMA
from tests.types.values import EVERYTHING

FEWER = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
NAMES = sorted(EVERYTHING)


@pytest.mark.parametrize("name", NAMES)
@FEWER
@given(data=st.data())
def test_records_are_what_readers_read(schema: Any, name: str, data: st.DataObject) -> None:
    struct_type = getattr(schema, name)
    builder = struct_type.from_dict(data.draw(EVERYTHING[name]))
    message = builder.to_bytes()
    record = struct_type.decode(message)
    assert type(record) is struct_type.Record
    assert tuple(record) == modelled(struct_type.from_bytes(message))
    assert record == builder.to_record() == ccapnp.to_record(builder.as_reader())
    assert record == struct_type.decode(builder.to_bytes_packed(), packed=True)


@pytest.mark.parametrize("name", NAMES)
@FEWER
@given(data=st.data())
def test_what_is_encoded_is_decoded_again(schema: Any, name: str, data: st.DataObject) -> None:
    struct_type = getattr(schema, name)
    values = data.draw(EVERYTHING[name])
    record = struct_type.from_dict(values).to_record()
    assert struct_type.decode(struct_type.encode(record)) == record
    assert struct_type.decode(struct_type.encode(record, packed=True), packed=True) == record
    assert struct_type.decode(struct_type.encode(values)) == record
    assert struct_type.new_message().to_record() == struct_type.Record()
    assert struct_type._pointer.fill(struct_type._registry.codec.new_message(), 0, record).to_record() == record
    assert struct_type.from_dict(record).to_record() == record


@pytest.fixture(scope="session")
def both() -> list[Any]:
    """The schema on each codec."""
    if find_spec("ccapnp.native._shim") is None:
        pytest.skip("there is one codec only")
    return [ccapnp.load_text("@0xe1f0a9c8d7b65432;" + SCHEMA, backend=name) for name in ("pure", "native")]


@FEWER
@given(data=st.data())
def test_the_codecs_encode_the_same(both: list[Any], data: st.DataObject) -> None:
    """Of the same size, and equal; which object comes first is left to each."""
    name = data.draw(st.sampled_from(NAMES))
    values = data.draw(EVERYTHING[name])
    types = [getattr(module, name) for module in both]
    pure, native = (each.encode(each.from_dict(values).to_record()) for each in types)
    assert len(pure) == len(native)
    assert canonical(types[0], pure) == canonical(types[0], native)


def canonical(struct_type: Any, data: bytes) -> bytes:
    return ccapnp.canonicalize(struct_type.from_bytes(data))


def test_large_messages(schema: Any) -> None:
    """So large that a first guess at how much memory they take is wrong."""
    record = schema.Lists.Record(texts=[f"text number {number}" for number in range(20_000)], int64s=list(range(3)))
    data = schema.Lists.encode(record)
    assert data[:4] == bytes(4), "one segment"
    assert schema.Lists.decode(data) == record and record.int64s == (0, 1, 2)
    assert schema.Scalars.encode(schema.Scalars.Record()) == schema.Scalars.new_message().to_bytes()
