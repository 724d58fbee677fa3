"""`copy` and `pickle` of readers, builders and lists."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import SchemaError
from tests.types.reading import read
from tests.types.schema import FEWER, LIST_VALUES
from tests.types.values import EVERYTHING

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
EVERY_PROTOCOL = pytest.mark.parametrize("protocol", PROTOCOLS)
EVERY_FIELD = pytest.mark.parametrize("field", LIST_VALUES)


def node(schema: Any) -> Any:
    return schema.Node.new_message(
        name="n",
        child={"name": "c", "child": {"name": "cc"}},
        children=[{"name": "a"}],
        point={"x": 3, "sub": {"value": 1}},
    )


@pytest.mark.conformance("PYC-14")
@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
def test_pyc14_structs_survive_a_pickle(schema: Any, name: str, data: st.DataObject) -> None:
    builder = getattr(schema, name).from_dict(data.draw(EVERYTHING[name]))
    for view in (builder, read(builder)):
        for protocol in PROTOCOLS:
            again = pickle.loads(pickle.dumps(view, protocol))
            assert again == view and type(again) is type(view)


@pytest.mark.conformance("PYC-14")
@EVERY_PROTOCOL
def test_pyc14_a_part_is_pickled_alone(schema: Any, protocol: int) -> None:
    builder = node(schema)
    for view in (builder, builder.as_reader(), read(builder)):
        for part in (view.child, view.children[0], view.child.child, view.point.sub):
            data = pickle.dumps(part, protocol)
            again = pickle.loads(data)
            assert again == part and type(again) is type(part) and len(data) < len(pickle.dumps(view, protocol))
        shared = pickle.loads(pickle.dumps([view, view, view.child], protocol))
        assert shared[0] is shared[1] and shared[2] == shared[0].child


@pytest.mark.conformance("PYC-14")
@EVERY_PROTOCOL
def test_pyc14_an_unpickled_builder_is_independent(schema: Any, protocol: int) -> None:
    builder = node(schema)
    again = pickle.loads(pickle.dumps(builder, protocol))
    again.name = "changed"
    again.child.child.child.name = "grown"
    assert builder.name == "n" and not builder.child.child.has("child") and again != builder


@EVERY_FIELD
@EVERY_PROTOCOL
def test_lists_survive_a_pickle(schema: Any, field: str, protocol: int) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    empty = schema.Lists.new_message()
    for owner in (builder, builder.as_reader(), read(builder), empty, empty.as_reader()):
        found = getattr(owner, field)
        again = pickle.loads(pickle.dumps(found, protocol))
        assert again == found and type(again) is type(found) and len(again) == len(found)


def test_lists_that_hold_capabilities_cannot_be_pickled(schema: Any) -> None:
    anys = ccapnp.MessageBuilder().root.init_list(ccapnp.List(ccapnp.Kind.ANY_POINTER), 1)
    assert pickle.loads(pickle.dumps(anys)) == anys
    anys[0] = ccapnp.Capability(0)
    for found in (anys, schema.Lists.new_message(caps=[ccapnp.Capability(0)]).caps):
        with pytest.raises(pickle.PicklingError, match="cannot be pickled"):
            pickle.dumps(found)
        assert len(copy.copy(found)) == len(copy.deepcopy(found)) == 1


def test_a_message_with_capabilities_cannot_be_pickled(schema: Any) -> None:
    builder = schema.Node.new_message(children=[{"cap": ccapnp.Capability(0)}])
    for value in (builder, read(builder), builder.children[0], builder.children, read(builder).children):
        with pytest.raises(pickle.PicklingError, match="with capabilities cannot be pickled"):
            pickle.dumps(value)
    builder.children[0].cap = None
    assert pickle.loads(pickle.dumps(builder)) == builder


def test_a_group_cannot_be_pickled_without_its_struct(schema: Any) -> None:
    with pytest.raises(pickle.PicklingError, match=r"a group, Node\.Point, cannot be pickled without its struct"):
        pickle.dumps(node(schema).point)


def test_protocol_5_passes_messages_out_of_band(schema: Any) -> None:
    builder = schema.Lists.new_message(uint8s=bytes(range(256)) * 400, structs=[{"key": "x"}])
    for view in (builder, read(builder), builder.uint8s, read(builder).uint8s, builder.structs):
        buffers: list[pickle.PickleBuffer] = []
        data = pickle.dumps(view, 5, buffer_callback=buffers.append)
        assert len(data) < 300 and len(buffers) == 1
        for source in (buffers, [bytearray(buffers[0])], [memoryview(bytes(buffers[0]))]):
            again = pickle.loads(data, buffers=source)
            assert again == view and type(again) is type(view)
        if not isinstance(view, (ccapnp.StructBuilder, ccapnp.ListBuilder)):
            memory = bytearray(buffers[0])
            again = pickle.loads(data, buffers=[memory])
            found = again if isinstance(again, ccapnp.ListReader) else again.uint8s
            before = found[5]
            memory[memory.index(bytes(range(256))) + 5] ^= 1
            assert found[5] == before ^ 1  # without a copy


def test_a_pickle_of_a_schema_that_is_not_loaded_says_so(schema: Any) -> None:
    data = pickle.dumps(schema.Pair.new_message(), 2)
    number = schema.Pair.schema.id.to_bytes(9, "little")
    assert number in data
    with pytest.raises(SchemaError, match="to unpickle this, load the schema of type 0x[0-9a-f]{16} first"):
        pickle.loads(data.replace(number, (schema.Pair.schema.id ^ 1).to_bytes(9, "little")))


def test_a_broken_pickle_is_an_error(schema: Any) -> None:
    data = pickle.dumps(schema.Pair.new_message(key="abcdefgh"), 2)
    with pytest.raises(ccapnp.CapnpError):
        pickle.loads(data.replace(b"abcdefgh\0", b"abcdefgh\1")).key


# ---- copy


def test_a_builder_is_copied_to_an_independent_builder(schema: Any) -> None:
    builder = node(schema)
    for make in (copy.copy, copy.deepcopy, ccapnp.copy, lambda each: each.copy(), ccapnp.as_builder):
        for part in (builder, builder.child, builder.children[0]):
            made = make(part)
            assert made == part and type(made) is type(part)
            made.name = "changed"
            made.children = [{"name": "new"}]
            assert part.name != "changed" and not part.has("children") or part is builder
    assert builder == node(schema)


def test_a_reader_is_its_own_copy(schema: Any) -> None:
    source = bytearray(node(schema).to_bytes())
    reader = schema.Node.from_bytes(source)
    assert copy.copy(reader) is reader
    copies = [copy.deepcopy(reader), ccapnp.copy(reader), reader.copy(), copy.deepcopy([reader])[0]]
    for made in copies:
        assert made == reader and type(made) is schema.Node.Reader
    source[source.index(b"cc\0")] ^= 32
    assert reader.child.child.name == "Cc" and all(made.child.child.name == "cc" for made in copies)


@EVERY_FIELD
def test_lists_are_copied_as_their_structs_are(schema: Any, field: str) -> None:
    values = LIST_VALUES[field]
    builder = schema.Lists.new_message(**{field: values})
    found = getattr(builder, field)
    for make in (copy.copy, copy.deepcopy):
        made = make(found)
        assert made == found and type(made) is type(found)
        made[0] = values[1]
        assert getattr(schema.Lists.new_message(**{field: found}), field) == getattr(
            schema.Lists.new_message(**{field: values}), field
        )
    reading = getattr(read(builder), field)
    assert copy.copy(reading) is reading and copy.deepcopy(reading) == reading
    assert type(copy.deepcopy(reading)) is type(reading)


def test_a_copy_sheds_what_was_overwritten(schema: Any) -> None:
    builder = schema.Blobs.new_message()
    for number in range(100):
        builder.text = f"{number:{200 - number}}"
    assert len(builder.to_bytes()) > 10_000
    assert builder.copy() == builder and len(builder.copy().to_bytes()) < 300


def test_as_builder_takes_the_size_of_the_first_segment(schema: Any) -> None:
    reader = read(node(schema))
    assert len(reader.as_builder(num_first_segment_words=1).to_segments()) > 1
    assert len(ccapnp.as_builder(reader, 1000).to_segments()) == 1
    assert reader.as_builder(1) == reader


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_errors_survive_a_pickle(schema: Any, protocol: int) -> None:
    with pytest.raises(ccapnp.EncodeError) as caught:
        schema.Node.new_message(children=[{"value": 2**40}])
    for made in (pickle.loads(pickle.dumps(caught.value, protocol)), copy.copy(caught.value)):
        assert type(made) is ccapnp.EncodeError and str(made) == str(caught.value)
        assert (made.field, made.type) == ("children[0].value", "Node")
    with pytest.raises(ccapnp.UnknownFieldError) as unknown:
        schema.Node.new_message(nmae=1)
    made = pickle.loads(pickle.dumps(unknown.value, protocol))
    assert made.nearest == unknown.value.nearest and made.nearest[0] == "name" and str(made) == str(unknown.value)
