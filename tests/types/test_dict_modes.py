"""Which fields a dict has, and that a struct is made from each kind of dict again."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.schemas import make_schema
from tests.parity.values import Values, realised
from tests.types.reading import read
from tests.types.schema import FEWER
from tests.types.values import EVERYTHING

SCHEMA = """
struct Record {
  number @0 :Int32 = 5;  text @1 :Text = "t";  flag @2 :Bool = true;  real @3 :Float64;  nan @4 :Float32 = nan;
  nothing @5 :Void;  color @6 :Color = blue;  list @7 :List(Record);  data @8 :Data;
  group :group {
    inner @9 :Int8;  name @10 :Text;
    choice :union { one @11 :UInt16;  two @12 :UInt16;  three :group { deep @13 :Int8; } }
  }
  union { first @14 :Int64;  second @15 :Int64;  third @16 :Void; }
}
enum Color { red @0; blue @1; }
struct Holder { records @0 :List(Record);  name @1 :Text;  pad @2 :Data; }
struct Newer { name @0 :Text;  union { old @1 :Int8;  older @2 :Text;  new @3 :Int64; }  inner @4 :List(Newer); }
struct Older { name @0 :Text;  union { old @1 :Int8;  older @2 :Text; }
  never @3 :Int64;  inner @4 :List(Older); }
"""


@pytest.fixture(scope="session")
def records(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module of the schema."""
    return compile_schema(SCHEMA)


NOT_DEFAULT: list[dict[str, Any]] = [
    {},
    {"number": 0},
    {"text": "t"},
    {"text": ""},
    {"flag": False},
    {"real": -0.0},
    {"real": math.inf},
    {"nan": 0.0},
    {"color": "red"},
    {"color": 77},
    {"list": []},
    {"list": [{}, {"number": 1}, {"second": 0}]},
    {"data": b""},
    {"group": {"inner": 1}},
    {"group": {"name": ""}},
    {"group": {"choice": {"one": 1}}},
    {"group": {"choice": {"two": 0}}},
    {"group": {"choice": {"three": {}}}},
    {"group": {"choice": {"three": {"deep": 2}}}},
    {"first": 1},
    {"second": 0},
    {"third": None},
]


@pytest.mark.parametrize("values", NOT_DEFAULT, ids=str)
def test_what_is_not_default_is_all_that_is_left(records: Any, values: dict[str, Any]) -> None:
    """In a small message and in one that is large enough for the codec to decode it in one go."""
    builder = records.Record.from_dict(values)
    for view in (builder, read(builder)):
        assert repr(view.to_dict(omit_defaults=True)) == repr(values)
        assert records.Record.from_dict(view.to_dict(omit_defaults=True)) == builder
    holder = records.Holder.new_message(records=[values, {"number": 4}], pad=bytes(100))
    for view in (holder, read(holder)):
        assert repr(view.to_dict(omit_defaults=True)["records"]) == repr([values, {"number": 4}])
        assert repr(view.records.to_list(omit_defaults=True)) == repr([values, {"number": 4}])


def test_what_an_older_message_lacks_is_default(records: Any) -> None:
    assert records.Record.from_segments([bytes(8)]).to_dict(omit_defaults=True) == {}
    short = (1 << 32).to_bytes(8, "little")  # one word of data, no pointers
    reader = records.Record.from_segments([short + (7 ^ 5).to_bytes(4, "little") + bytes(4)])
    assert reader.to_dict(omit_defaults=True) == {"number": 7}


def test_contradicting_modes_are_refused(records: Any) -> None:
    with pytest.raises(ValueError, match="only one of them"):
        records.Record.new_message().to_dict(verbose=True, omit_defaults=True)


@pytest.mark.parametrize("value", [None, 5, "x", b"x", {}, []])
def test_what_is_no_struct_or_list_has_no_dict(backend: str, value: object) -> None:
    """A TypeError, as `json.dumps` expects of its ``default``."""
    with pytest.raises(TypeError, match="to_dict is for structs and lists"):
        ccapnp.to_dict(value)  # type: ignore[call-overload]


@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
def test_without_defaults_nothing_is_lost(schema: Any, name: str, data: st.DataObject) -> None:
    struct_type = getattr(schema, name)
    builder = struct_type.from_dict(data.draw(EVERYTHING[name]))
    for view in (builder, read(builder)):
        found = view.to_dict(omit_defaults=True)
        assert struct_type.from_dict(found) == builder
        everything = view.to_dict()
        assert {key: everything[key] for key in found if not isinstance(found[key], (dict, list))} == {
            key: value for key, value in found.items() if not isinstance(value, (dict, list))
        }


@parity[0]
@parity[1]
@FEWER
@given(seed=SEEDS, rng=RANDOMS)
def test_any_struct_of_any_schema_is_made_again(backend: str, seed: int, rng: Any) -> None:
    schema = make_schema(seed)
    module = schema.modules[backend]
    struct_type = getattr(module, rng.choice(schema.names))
    builder = struct_type.from_dict(realised(Values(rng, module).struct(struct_type, 4), module))
    for options in ({}, {"omit_defaults": True}):
        again = struct_type.from_dict(builder.to_dict(**options))
        assert ccapnp.to_text(again) == ccapnp.to_text(builder)
        assert repr(again.to_dict(**options)) == repr(builder.to_dict(**options))
    verbose = struct_type.from_dict(builder.to_dict(verbose=True))
    assert repr(verbose.to_dict(verbose=True)) == repr(builder.to_dict(verbose=True))
    encoded = struct_type.from_dict(builder.to_dict(encode_bytes_as_base64=True), decode_bytes_from_base64=True)
    assert ccapnp.to_text(encoded) == ccapnp.to_text(builder)


# ---- base64


@pytest.mark.conformance("PYC-09")
def test_base64_there_and_back(schema: Any) -> None:
    values = {"data": b"\0\xff", "children": [{"data": b"abc", "point": {"sub": {"data": b""}}}]}
    builder = schema.Node.from_dict(values)
    encoded = json.loads(json.dumps(builder.to_dict(encode_bytes_as_base64=True)))
    assert encoded["data"] == "AP8=" and encoded["children"][0]["data"] == "YWJj"
    assert schema.Node.from_dict(encoded, decode_bytes_from_base64=True) == builder
    lists = schema.Lists.new_message(datas=[b"", b"\0\xff"], texts=["YWJj"])
    encoded = lists.to_dict(encode_bytes_as_base64=True)
    assert schema.Lists.from_dict(encoded, decode_bytes_from_base64=True) == lists
    assert schema.Lists.from_dict({"datas": (each for each in ("YQ==", b"raw"))}, decode_bytes_from_base64=True) == (
        schema.Lists.new_message(datas=[b"a", b"raw"])
    )


@pytest.mark.parametrize("text", ["?", "YWJ", "YWJj?", "\xe9", "YW Jj"])
def test_what_is_not_base64_is_refused(schema: Any, text: str) -> None:
    for values, path in (
        ({"data": text}, "data"),
        ({"children": [{}, {"point": {"sub": {"data": text}}}]}, "children[1].point.sub.data"),
    ):
        with pytest.raises(ccapnp.EncodeError, match="is not base64") as caught:
            schema.Node.from_dict(values, decode_bytes_from_base64=True)
        assert caught.value.field == path
    with pytest.raises(ccapnp.EncodeTypeError, match=r"^data: "):
        schema.Node.from_dict({"data": text})


# ---- unions whose active member only a newer schema knows


def test_an_unknown_union_member_is_warned_of_once(records: Any) -> None:
    names = ["the name of this one is long enough for the codec", "y"]
    newer = records.Newer.new_message(name=names[0], new=7, inner=[{"name": names[1], "new": 8}, {"older": "z"}])
    older = records.Older.from_bytes(newer.to_bytes())
    inner = [{"name": "y", "never": 8}, {"older": "z", "never": 0}]
    for options, expected in (
        ({}, {"name": names[0], "never": 7, "inner": inner}),
        ({"verbose": True}, {"name": names[0], "never": 7, "inner": [{**inner[0], "inner": []}, None]}),
        ({"omit_defaults": True}, {"name": names[0], "never": 7, "inner": [inner[0], {"older": "z"}]}),
        ({"encode_bytes_as_base64": True}, {"name": names[0], "never": 7, "inner": inner}),
    ):
        with pytest.warns(ccapnp.UnknownMemberWarning) as caught:
            found = older.to_dict(**options)
        if "verbose" in options:
            found["inner"][1] = None
        assert found == expected
        assert [str(each.message) for each in caught] == [
            "the union of Older has member 2 set, which this schema does not know; it is left out"
        ]
        assert caught[0].filename == __file__


def test_a_warning_costs_no_traversal(records: Any) -> None:
    newer = records.Newer.new_message(name="x" * 1000, new=7)
    words = len(newer.to_bytes()) // 8
    older = records.Older.from_bytes(newer.to_bytes(), traversal_limit_in_words=words)
    with pytest.warns(ccapnp.UnknownMemberWarning):
        assert older.to_dict()["name"] == "x" * 1000
