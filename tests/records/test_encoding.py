"""What is encoded is decoded as it was, on both codecs, which read each other."""

from __future__ import annotations

import io
import threading
from typing import Any

import pytest
from hypothesis import given

import ccapnp
from ccapnp import CapnpError, EncodeError, EncodeTypeError, MessageBuilder, TruncatedError
from tests.records.model import exact, items_of, modelled
from tests.types.values import NODES


def node(schema: Any) -> Any:
    return schema.Node.Record(
        name="n",
        value=-5,
        child={"name": "c", "children": [{}, {"name": "d"}]},
        data=b"\0\1",
        point={"y": 2, "label": "p"},
    )


@given(value=NODES)
def test_a_record_s_message_says_the_same_as_a_dict_s(schema: Any, value: dict[str, Any]) -> None:
    record = schema.Node.from_dict(value).to_record()
    message = schema.Node.from_bytes(schema.Node.encode(record))
    assert message.to_record()[:1] == record[:1] and exact(message.to_record()) == exact(record)
    assert schema.Node.from_bytes(schema.Node.encode(value)) == schema.Node.from_dict(value)


def test_what_is_empty_takes_no_room(schema: Any) -> None:
    assert len(schema.Pair.encode(schema.Pair.Record())) == 8 * 4
    builder = schema.Node.from_bytes(schema.Node.encode(schema.Node.Record(children=[], name="", data=b"")))
    assert [builder.has(name) for name in ("children", "name", "data", "child", "numbers")] == [False] * 5
    assert schema.Blobs.decode(schema.Blobs.encode(schema.Blobs.Record(greeting="", bytes=b""))) == (
        *("", b"", "", b"", 0, "word", ""),
    )
    lists = schema.Lists.Record(preset=[], presetStructs=[])
    assert schema.Lists.decode(schema.Lists.encode(lists)) == lists and lists.preset == ()


def test_values_that_do_not_fit_are_refused_with_their_place(schema: Any) -> None:
    wrong = (
        (schema.Node.Record(children=[{}, {"value": 2**31}]), EncodeError, "children[1].value"),
        (schema.Node.Record(name=5), EncodeTypeError, "name"),
        (schema.Node.Record(data="text"), EncodeTypeError, "data"),
        (schema.Node.Record(child=5), EncodeTypeError, "child"),
        (schema.Node.Record(children=schema.Node.Record), EncodeTypeError, "children"),
        (schema.Node.Record(point=5), EncodeTypeError, "point"),
        (schema.Node.Record(child=schema.Pair.Record()), EncodeTypeError, "child"),
        (schema.Node.Record(numbers=[1, 256]), EncodeError, "numbers[1]"),
        (schema.Scalars.Record(bool=1), EncodeTypeError, "bool"),
        (schema.Scalars.Record(color="mauve"), EncodeError, "color"),
        (schema.Scalars.Record(float32=1e39), EncodeError, "float32"),
        (schema.Scalars.Record(void=0), EncodeTypeError, "void"),
        (schema.Shapes.Record(count=-1), EncodeError, "count"),
        (schema.Node.Record(name="\ud800"), EncodeError, "name"),
    )
    for record, kind, field in wrong:
        for attempt in (type(record)._type.encode, type(record)._type.from_dict):
            with pytest.raises(kind) as caught:
                attempt(record)
            assert caught.value.field == field


def test_a_record_of_another_type_is_refused(schema: Any) -> None:
    with pytest.raises(EncodeTypeError, match="a Node cannot be set from a Pair"):
        schema.Node.encode(schema.Pair.Record())
    for value in (schema.Shapes.Box.Record(), {}, {"width": 1}):
        with pytest.raises(EncodeTypeError, match="is a group"):
            schema.Shapes.Box.encode(value)


def test_numbers_of_other_kinds_are_taken_as_by_assignment(schema: Any) -> None:
    numpy = pytest.importorskip("numpy")
    record = schema.Lists.Record(int32s=numpy.arange(3), float64s=numpy.ones(2))
    assert schema.Lists.decode(schema.Lists.encode(record)).int32s == (0, 1, 2)
    scalars = schema.Scalars.Record(int16=numpy.int16(-3), float64=1, uint8=True)
    again = schema.Scalars.decode(schema.Scalars.encode(scalars))
    assert (again.int16, again.float64, again.uint8) == (-3, 1.0, 1)


def test_records_go_where_mappings_go(schema: Any) -> None:
    record = node(schema)
    builder = schema.Node.new_message(child=record, children=[record, {"name": "x"}, record], point=record.point)
    assert exact(builder.child.to_record()) == exact(record)
    assert [each.name for each in builder.children] == ["n", "x", "n"] and builder.point.label == "p"
    builder.child, builder.preset = record.child, schema.Pair.Record(key="k")
    builder.point = schema.Node.Point.Record(x=9)
    builder.any = schema.Pair.Record(value=4)
    assert builder.child.name == "c" and builder.preset.key == "k" and builder.point.x == 9 and not builder.point.label
    assert builder.any.as_struct(schema.Pair).value == 4
    builder.children[0] = record.child
    assert builder.children[0].children[1].name == "d"
    shapes = schema.Shapes.new_message(box=schema.Shapes.Box.Record(name="b"))
    assert shapes.which() == "box" and shapes.box.name == "b" and shapes.box.width == 1.5
    message = MessageBuilder(backend=schema.Node._registry.codec.name)
    message.set_root(schema.Pair.Record(key="r"))
    assert message.get_root(schema.Pair).key == "r"
    assert schema.Node.from_dict({"child": record}, ignore_unknown=True).child.name == "n"


def test_records_of_another_version_of_a_type_are_taken(schema: Any) -> None:
    bound = schema.Box[ccapnp.Text]
    assert schema.Box.from_dict(bound.Record(value="x")).value.as_text() == "x"
    assert bound.from_dict(schema.Box.new_message(value="y").to_record()).value == "y"
    with pytest.raises(EncodeTypeError):
        schema.Box[schema.Pair].from_dict(bound.Record(value="x"))


def test_a_member_that_the_schema_does_not_know_is_kept(schema: Any) -> None:
    data = schema.After.encode(schema.After.Record(four=7))
    old = schema.Before.decode(data)
    assert old == (3, None) and old._asdict() == {} and repr(old) == "Before.Record()"
    for read in (old.which, lambda: old.one):
        with pytest.raises(ccapnp.UnionError):
            read()
    assert schema.Before.decode(schema.Before.encode(old)) == old
    assert schema.After.decode(schema.Before.encode(old)).which() == "four"
    assert schema.Before.from_dict(old).to_record() == old


def test_each_member_of_a_large_union(schema: Any) -> None:
    values = {
        "a": -1,
        "b": 300,
        "c": "text",
        "d": True,
        "e": 1.5,
        "f": (1, 2),
        "g": None,
        "h": b"h",
        "j": -2.5,
        "i": schema.Color.red,
        "k": schema.Many.Record(b=1),
        "l": schema.Many.L.Record(x=False, y=""),
    }
    for name, value in values.items():
        for flag in (False, True):
            record = schema.Many.Record(flag=flag, **{name: value})
            again = schema.Many.decode(schema.Many.encode(record))
            assert again == record and again.which() == name and getattr(again, name) == value and again.flag is flag
            assert items_of(again) == modelled(schema.Many.from_bytes(schema.Many.encode(record)))


def test_types_that_lead_to_themselves(schema: Any) -> None:
    ring = schema.Ring.Record(next={"link": {"ring": {"number": 3}, "rings": [{}, {"number": 4}]}})
    again = schema.Ring.decode(schema.Ring.encode(ring))
    assert again == ring and again.next.link.rings[1].number == 4 and again.next.next is None
    depth = schema.Depth.Record(text={"deeper": {"deeper": {"value": {"value": {"value": "deep"}}}}})
    assert schema.Depth.decode(schema.Depth.encode(depth)) == depth
    assert schema.Depth.decode(schema.Depth.encode(depth)).text.deeper.deeper.value.value.value == "deep"


def test_defaults_that_lead_to_themselves_have_an_end(compile_schema: Any) -> None:
    module = compile_schema(
        "struct A { a @0 :A = (n = 1); n @1 :Int32; bs @2 :List(B) = [(n = 2)]; }"
        "struct B { bs @0 :List(B) = [(n = 3)]; n @1 :Int32; c @2 :C = (n = 5); } struct C { n @0 :Int32; }"
    )
    record = module.A.Record()
    assert record.a is None and [each.n for each in record.bs] == [2] and record.bs[0].bs == ()
    assert record.bs[0].c.n == 5
    filled = module.A.Record(a={"n": 7, "bs": []})
    for each in (record, filled):
        assert module.A.decode(module.A.encode(each)) == each


def test_an_empty_struct(schema: Any) -> None:
    record = schema.Empty.Record()
    assert record == () and schema.Empty.decode(schema.Empty.encode(record)) == record
    assert repr(record) == "Empty.Record()"


def test_what_has_no_plain_value_is_what_a_reader_gives(schema: Any) -> None:
    builder = schema.Anything.new_message(number=3, pointer="text")
    builder.init("struct", (1, 1))
    builder.list = schema.Lists.new_message(int32s=[1, 2]).int32s
    record = schema.Anything.decode(builder.to_bytes())
    assert record.pointer.as_text() == "text" and record.services == () and record.capability is None
    assert len(record.struct.data) == 8 and len(record.list) == 2
    again = schema.Anything.decode(schema.Anything.encode(record))
    assert again.pointer == record.pointer and again.list == record.list and again.number == 3
    nothing = schema.Anything.Record(number=1)
    assert schema.Anything.decode(schema.Anything.encode(nothing)).pointer.kind == "null"


# ---- many messages


def test_many_messages_of_every_source(schema: Any) -> None:
    records = [schema.Pair.Record(key=str(number), value=number) for number in range(5)]
    for packed in (False, True):
        data = schema.Pair.encode_many(records, packed)
        assert data == b"".join(schema.Pair.encode(record, packed) for record in records)
        apart = [schema.Pair.encode(record, packed) for record in records]
        for source in (data, bytearray(data), memoryview(data), io.BytesIO(data), apart, iter(apart)):
            assert list(schema.Pair.decode_many(source, packed)) == records
        assert list(schema.Pair.decode_many(b"", packed)) == []
    mixed = [records[0], {"key": "1", "value": 1}, schema.Pair.new_message(key="2", value=2)]
    assert schema.Pair.encode_many(mixed) == schema.Pair.encode_many(records[:3])


def test_errors_among_many(schema: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        schema.Pair.encode_many([schema.Pair.Record(), {"value": 2**40}])
    assert caught.value.field == "[1].value"
    data = schema.Pair.encode_many([schema.Pair.Record(value=1)] * 2)
    for source in (data[:-1], io.BytesIO(data[:-1]), [data[: len(data) // 2], data[len(data) // 2 : -1]]):
        found = schema.Pair.decode_many(source)
        assert next(found).value == 1
        with pytest.raises(TruncatedError):
            next(found)
    with pytest.raises(CapnpError, match="bytes follow the message"):
        schema.Pair.decode(data)


def test_records_decode_in_many_threads(schema: Any) -> None:
    data = schema.Node.encode(node(schema))
    expected = exact(schema.Node.decode(data))
    found: list[bool] = []

    def work() -> None:
        for _ in range(100):
            record = schema.Node.decode(data)
            found.append(exact(record) == expected and schema.Node.encode(record) == data)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800 and all(found)
