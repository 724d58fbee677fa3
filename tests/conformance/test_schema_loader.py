"""Schemas made of nodes that come one by one: `ccapnp.SchemaLoader`."""

from __future__ import annotations

import pytest

import ccapnp
from ccapnp.schema import schema_capnp
from tests.conformance.nodes import SCHEMA, STREAM_RESULT, nodes_of

OUTER, INNER, KIND, SERVER, ANSWER, BOX, BOXES, NOTE = range(0xF000000000000010, 0xF000000000000018)

VALUES = {
    "inner": {"n": 3, "outer": {"b": "deep"}},
    "kind": "two",
    "others": [{"n": 1}, {"n": 2}],
    "a": 42,
    "place": {"x": -1, "deep": {"z": "zed"}},
    "late": {"q": 9},
}


@pytest.fixture
def loader(backend: str) -> ccapnp.SchemaLoader:
    return ccapnp.SchemaLoader()


def load(loader: ccapnp.SchemaLoader, text: str = SCHEMA) -> None:
    for name, node in nodes_of(text).items():
        if name:
            loader.load(node)


# ---- loading


@pytest.mark.conformance("LDR-01", "LDR-02", "LDR-03")
@pytest.mark.parametrize("seed", range(4))
def test_nodes_may_be_loaded_in_any_order(loader: ccapnp.SchemaLoader, seed: int) -> None:
    nodes = [node for name, node in nodes_of(SCHEMA).items() if name]
    for node in nodes[seed::2] + nodes[:seed] + nodes[seed + 1 :: 2]:
        loader.load(node)
        if seed == 3:
            loader.get(node.id)  # types that are made early do not stay behind
    outer = loader.get(OUTER)
    builder = outer.from_dict(VALUES)
    for view in (builder, outer.from_bytes(builder.to_bytes())):
        assert view.to_dict() == outer.from_dict(view.to_dict()).to_dict()
        assert view.inner.outer.b == "deep"
        assert view.others[1].n == 2
        assert view.which() == "a"
        assert view.place.deep.z == "zed"
        assert view.late.q == 9
        assert isinstance(view.inner, loader.get(INNER))
        assert view.kind is loader.get(KIND).two


@pytest.mark.conformance("LDR-01")
def test_a_loaded_schema_is_another_one_that_prints_the_same(loader: ccapnp.SchemaLoader) -> None:
    load(loader)
    compiled = ccapnp.load_text(SCHEMA, "test.capnp")
    data = compiled.Outer.from_dict(VALUES).to_bytes()
    assert loader.get(OUTER) is not compiled.Outer
    assert str(loader.get(OUTER).from_bytes(data)) == str(compiled.Outer.from_bytes(data))
    assert repr(loader.get(OUTER).schema) == repr(compiled.Outer.schema)


@pytest.mark.conformance("LDR-01")
def test_what_is_not_loaded_is_empty(loader: ccapnp.SchemaLoader) -> None:
    nodes = nodes_of(SCHEMA)
    data = ccapnp.load_text(SCHEMA, "test.capnp").Outer.from_dict(VALUES).to_bytes()
    loader.load(nodes["Outer"])
    outer = loader.get(OUTER)
    reader = outer.from_bytes(data)
    assert reader.inner.to_dict() == {}
    assert len(reader.others) == 2
    assert reader.place.to_dict() == {}
    assert int(reader.kind) == 1
    assert reader.as_builder().inner.to_dict() == {}
    for name in ("Outer.Inner", "Kind", "Outer.place", "Outer.place.deep", "Outer.late", "Server"):
        loader.load(nodes[name])
    assert reader.inner.to_dict() == {}  # a type stays what it was when it was made
    assert (
        loader.get(OUTER).from_bytes(data).to_dict()
        == ccapnp.load_text(SCHEMA, "test.capnp").Outer.from_bytes(data).to_dict()
    )


@pytest.mark.conformance("LDR-01")
def test_only_a_type_that_would_change_is_made_anew(loader: ccapnp.SchemaLoader) -> None:
    nodes = nodes_of(SCHEMA)
    loader.load(nodes["Kind"])
    kind = loader.get(KIND)
    loader.load(nodes["Boxes"])
    loader.load(nodes["Kind"])
    assert loader.get(KIND) is kind


@pytest.mark.conformance("LDR-03")
def test_constants_and_annotations(loader: ccapnp.SchemaLoader) -> None:
    load(loader)
    assert loader.get(ANSWER).a == 42
    assert loader.get(ANSWER).place.x == 7
    assert isinstance(loader.get(ANSWER), loader.get(OUTER))
    assert isinstance(loader.get(NOTE), ccapnp.Annotation)
    assert issubclass(loader.get(SERVER), ccapnp.Interface)
    with pytest.raises(ccapnp.SchemaError, match="test.capnp is not a type"):
        loader.get(loader.load(nodes_of(SCHEMA)[""]).id)


@pytest.mark.conformance("LDR-03")
def test_values_of_loaded_types_are_no_values_of_compiled_ones_but_hold_the_same(loader: ccapnp.SchemaLoader) -> None:
    load(loader)
    compiled = ccapnp.load_text(SCHEMA, "test.capnp")
    there = compiled.Outer.from_dict(VALUES)
    assert not isinstance(there, loader.get(OUTER))
    here = loader.get(OUTER).new_message(inner={"outer": there})
    assert here.inner.outer.to_dict() == there.to_dict()


@pytest.mark.conformance("LDR-01")
def test_nodes_may_be_of_any_message(loader: ccapnp.SchemaLoader, backend: str) -> None:
    """Also of another codec, hand-built, inside of other structs, and the ``schema`` of a class."""
    other = ccapnp.SchemaLoader(backend="pure")
    node = nodes_of(SCHEMA)["Outer.Inner"]
    wrapped = ccapnp.load_text(
        '@0xf000000000000002; struct Answer { node @0 :import "/capnp/schema.capnp".Node; }', backend="pure"
    ).Answer.new_message(node=node)
    for each in (node, node.as_reader(), wrapped.as_reader().node, ccapnp.load_text(SCHEMA).Outer.Inner.schema):
        assert loader.load(each).id == other.load_dynamic(each).id == INNER
    built = schema_capnp.Node.new_message(id=1, displayName="made:E", displayNamePrefixLength=5)
    built.enum = {"enumerants": [{"name": "first"}, {"name": "second", "codeOrder": 1}]}
    loader.load(built)
    assert loader.get(1).second == 1
    assert loader.get(1).__name__ == "E"


@pytest.mark.conformance("LDR-01")
def test_what_is_no_node(loader: ccapnp.SchemaLoader) -> None:
    for wrong in (
        None,
        b"",
        5,
        ccapnp.load_text(SCHEMA, "test.capnp").Outer.new_message(),
        schema_capnp.Field.new_message(),
    ):
        with pytest.raises(TypeError, match=r"a Node of schema\.capnp is loaded, not"):
            loader.load(wrong)  # type: ignore[arg-type]


@pytest.mark.conformance("LDR-01", "LDR-07", "LDR-08")
def test_what_is_not_known(loader: ccapnp.SchemaLoader) -> None:
    with pytest.raises(ccapnp.SchemaError, match="no node with the id 0xf000000000000011 has been loaded$"):
        loader.get(INNER)
    loader.load(nodes_of(SCHEMA)["Outer"])
    with pytest.raises(ccapnp.SchemaError, match="has been loaded; test.capnp:Outer uses it"):
        loader.get(INNER)
    assert OUTER in loader
    assert INNER not in loader
    for wrong in (None, "Outer", 1.5):
        with pytest.raises(TypeError, match="node_id must be an integer, not"):
            loader.get(wrong)  # type: ignore[arg-type]


@pytest.mark.conformance("LDR-07")
def test_placeholders_are_not_listed(loader: ccapnp.SchemaLoader) -> None:
    nodes = nodes_of(SCHEMA)
    loader.load(nodes["Outer"])
    loader.get(OUTER).new_message().inner.to_dict()
    assert [node.id for node in loader.loaded()] == [OUTER]
    loader.load(nodes["Outer.Inner"])
    assert [node.id for node in loader.loaded()] == [OUTER, INNER]
    assert [node.scoped_name for node in loader.loaded()] == ["Outer", "Outer.Inner"]


@pytest.mark.conformance("LDR-08")
def test_the_callback_is_asked_once_for_each_id(backend: str) -> None:
    nodes = {node.id: node for node in nodes_of(SCHEMA).values()}
    asked = []

    def find(loader: ccapnp.SchemaLoader, node_id: int) -> None:
        asked.append(node_id)
        if node_id in nodes and node_id != KIND:
            loader.load(nodes[node_id])

    loader = ccapnp.SchemaLoader(find)
    assert loader.loaded() == []
    outer = loader.get(OUTER)
    assert asked[0] == OUTER
    builder = outer.from_dict({**VALUES, "kind": 1})
    assert builder.inner.outer.b == "deep"
    assert builder.place.deep.z == "zed"
    assert loader.get(OUTER) is outer
    assert isinstance(builder.inner, loader.get(INNER))
    for _ in range(2):
        assert 7 not in loader
        with pytest.raises(ccapnp.SchemaError, match="0x0000000000000007"):
            loader.get(7)
    assert sorted(asked) == sorted(set(asked))
    assert {INNER, KIND, 7} <= set(asked)
    assert KIND not in {node.id for node in loader.loaded()}
    loader.load(nodes[KIND])  # which the callback did not find, but comes later
    assert loader.get(OUTER).new_message(kind=1).kind is loader.get(KIND).two


@pytest.mark.conformance("LDR-09")
def test_generic_types(loader: ccapnp.SchemaLoader) -> None:
    load(loader)
    boxes = loader.get(BOXES)
    assert loader.get(BOX).schema.parameters == ("T",)
    (field,) = boxes._node.fields
    ((bound,),) = field.type.brand.scopes.values()
    assert (field.type.type_id, bound.type_id) == (BOX, OUTER)
    assert loader.get(BOX)._node.fields[0].type.parameter == (BOX, 0)
    box = loader.get(BOX).new_message(boxes=[{}, {}])
    box.boxes[1].content = "text"
    assert ccapnp.get_field(box.as_reader().boxes[1], "content") is not None


@pytest.mark.conformance("LDR-10")
def test_streaming_methods_are_known_as_such(loader: ccapnp.SchemaLoader) -> None:
    load(loader)
    call, feed = loader.get(SERVER)._registry.node(SERVER).methods
    assert feed.results_id == STREAM_RESULT
    assert (call.is_streaming, feed.is_streaming) == (False, True)
    assert STREAM_RESULT not in loader
    stream = ccapnp.load_text(
        'using import "/capnp/stream.capnp".StreamResult; @0xf000000000000003; struct S { r @0 :StreamResult; }'
    )
    loader.load(stream.S.schema)
    loader.load(stream.S.new_message().r._type.schema)
    assert STREAM_RESULT in loader


# ---- versions

OLD = """@0xf000000000000101;
struct Thing @0xf000000000000110 {
  name @0 :Text;
  size @1 :Int32 = 7;
  kind @2 :Kind;
  numbers @3 :List(UInt16);
  thing @4 :Thing;
  part :group { left @5 :Int8; }
}
enum Kind @0xf000000000000112 { one @0; }
interface Server @0xf000000000000113 { call @0 Thing -> Thing; }
"""
NEW = """@0xf000000000000101;
struct Thing @0xf000000000000110 {
  title @0 :Data;
  measure :union { size @1 :Int32 = 7; weight @6 :Float64 = 2.5; }
  kind @2 :Kind;
  numbers @3 :List(Number);
  thing @4 :AnyPointer;
  part :group { left @5 :Int8; right @7 :Text; far @8 :Int64; }
  more @9 :List(Text);
  struct Number @0xf000000000000111 { low @0 :UInt16; high @1 :Text; }
}
enum Kind @0xf000000000000112 { uno @0; due @1; }
interface Server @0xf000000000000113 extends (Base) { call @0 Thing -> Thing; other @1 (n :Int8); }
interface Base @0xf000000000000114 {}
"""
THING, NUMBER, KIND_2, SERVER_2 = range(0xF000000000000110, 0xF000000000000114)


@pytest.mark.conformance("LDR-04", "EVO-01")
@pytest.mark.parametrize("order", [1, -1])
def test_a_newer_version_takes_the_place_of_an_older_one(loader: ccapnp.SchemaLoader, order: int) -> None:
    load(loader, OLD)
    old = loader.get(THING)
    data = old.from_dict({"name": "n", "size": 3, "numbers": [1, 2], "part": {"left": -1}}).to_bytes()
    for node in list(nodes_of(NEW).values())[::order]:
        loader.load(node)
        loader.get(THING).from_bytes(data).as_builder().part.left = 5  # halfway, too
    new = loader.get(THING)
    assert new is not old
    reader = new.from_bytes(data)
    assert reader.measure.size == 3
    assert [number.low for number in reader.numbers] == [1, 2]
    assert reader.part.left == -1
    assert loader.get(KIND_2).due == 1
    assert list(loader.get(SERVER_2).schema.methods) == ["call", "other"]
    # And the old one is usable as before.
    builder = old.from_dict({"name": "n", "kind": "one", "thing": {"size": 1}, "part": {"left": 2}})
    assert builder.to_dict() == old.from_bytes(builder.to_bytes()).to_dict()
    newer = new.from_dict({"measure": {"weight": 1.0}, "more": ["x"], "part": {"far": 9}})
    assert old.from_bytes(newer.to_bytes()).part.left == 0


@pytest.mark.conformance("LDR-05")
@pytest.mark.parametrize("order", [1, -1])
def test_an_older_version_changes_nothing(loader: ccapnp.SchemaLoader, order: int) -> None:
    load(loader, NEW)
    new = loader.get(THING)
    for node in list(nodes_of(OLD).values())[::order]:
        known = loader.load(node)
        assert known.id == node.id
    assert loader.get(THING) is new
    assert loader.get(SERVER_2).schema.superclasses
    assert loader.load(nodes_of(OLD)["Thing"]).data_words == new.schema.data_words


@pytest.mark.conformance("LDR-05")
def test_of_two_that_differ_in_names_alone_the_first_stays(loader: ccapnp.SchemaLoader) -> None:
    text = "@0xf000000000000102; struct S @0xf000000000000120 { a @0 :Int8; }"
    load(loader, text)
    load(loader, text.replace("a @0", "b @0"))
    assert list(loader.get(0xF000000000000120).schema.fields) == ["a"]
    load(loader, text.replace("a @0", "struct New {} b @0"))  # but something new is something more
    assert list(loader.get(0xF000000000000120).schema.fields) == ["b"]


@pytest.mark.conformance("LDR-04")
@pytest.mark.parametrize("names", [("S", "S.g"), ("S.g", "S")])
def test_a_group_of_a_newer_version_has_the_room_it_needs(loader: ccapnp.SchemaLoader, names: tuple[str, str]) -> None:
    """Struct and group are loaded one after the other, and what is built between must not touch other objects."""
    text = "@0xf000000000000103; struct S @0xf000000000000130 { t @0 :Text; g :group { a @1 :Int8; %s } }"
    load(loader, text % "")
    newer = nodes_of(text % "b @2 :Int64; c @3 :Text;")
    for name in names:
        loader.load(newer[name])
        struct = loader.get(0xF000000000000130)
        builder = struct.new_message(t="text", g={"a": 1})
        for field in builder.g._type._node.fields:
            ccapnp.set_field(builder.g, field.name, "x" if field.name == "c" else -1)
        assert builder.t == "text"
        assert struct.from_bytes(builder.to_bytes()).to_dict() == builder.to_dict()


S = "struct S @0xf000000000000140"

INCOMPATIBLE: dict[str, tuple[str, str, str]] = {
    "a field's type": (
        f"{S} {{ a @0 :Int32; }}",
        f"{S} {{ a @0 :UInt32; }}",
        "'a' of .*:S is of type UINT32, not INT32",
    ),
    "a pointer's type": (f"{S} {{ a @0 :Text; }}", f"{S} {{ a @0 :List(Text); }}", "'a' .* is of type LIST, not TEXT"),
    "an element's type": (f"{S} {{ a @0 :List(Int8); }}", f"{S} {{ a @0 :List(Int16); }}", "INT16, not INT8"),
    "a default": (f"{S} {{ a @0 :Int32 = 1; }}", f"{S} {{ a @0 :Int32; }}", "'a' .* has another default"),
    "a bool default": (f"{S} {{ a @0 :Bool; }}", f"{S} {{ a @0 :Bool = true; }}", "'a' .* has another default"),
    "a place": (
        f"{S} {{ a @0 :Int8; b @1 :Int16; }}",
        f"{S} {{ b @0 :Int8; a @1 :Int64; }}",
        "is of type INT64, not INT16",
    ),
    "the order of ordinals": (f"{S} {{ a @0 :Void; b @1 :Int8; }}", f"{S} {{ a @0 :Int8; b @1 :Void; }}", "is of type"),
    "more and less": (f"{S} {{ a @0 :Int8; b @1 :Int8; }}", f"{S} {{ a @0 :Int8; b @1 :Data; }}", "is of type"),
    "a kind": (f"{S} {{ a @0 :Int8; }}", "enum S @0xf000000000000140 { a @0; }", ":S is of kind enum, not struct"),
    "an enum's type": (
        f"{S} {{ a @0 :E; }} enum E {{ a @0; }}",
        f"{S} {{ a @0 :F; }} enum F {{ a @0; }}",
        "'a' of .*:S is of another type",
    ),
    "a struct's type": (f"{S} {{ a @0 :T; }} struct T {{}}", f"{S} {{ a @0 :U; }} struct U {{}}", "is of another type"),
    "two fields into a union": (
        f"{S} {{ a @0 :Int8; b @1 :Int8; }}",
        f"{S} {{ union {{ a @0 :Int8; b @1 :Int8; }} }}",
        "'b' of .*:S has another discriminant",
    ),
    "a place of a discriminant": (
        f"{S} {{ union {{ a @0 :Void; b @1 :Void; }} c @2 :UInt16; }}",
        f"{S} {{ c @0 :UInt16; union {{ a @1 :Void; b @2 :Void; }} }}",
        "has its discriminant at another place",
    ),
    "a list of bits": (
        f"{S} {{ a @0 :List(Bool); }}",
        f"{S} {{ a @0 :List(T); }} struct T {{ a @0 :Bool; }}",
        "is of type STRUCT, not BOOL",
    ),
    "a list of structs whose first field is another": (
        f"{S} {{ a @0 :List(Int16); }}",
        f"{S} {{ a @0 :List(T); }} struct T {{ a @0 :Int32; }}",
        "'a' of .*:T is of type INT32, not INT16, so it cannot stand for an element of 'a' of .*:S",
    ),
    "a list of structs whose first field has a default": (
        f"{S} {{ a @0 :List(Int16); }}",
        f"{S} {{ a @0 :List(T); }} struct T {{ a @0 :Int16 = 1; }}",
        "'a' of .*:T has another default",
    ),
    "a group whose first field is another": (
        f"{S} {{ a @0 :Int8; b @1 :Int16; }}",
        f"{S} {{ g :group {{ a @0 :Int16; b @1 :Int16; }} }}",
        "has more of one thing|'a' of .*:S.g is of type INT16, not INT8, so it cannot stand for the field 'a'",
    ),
    "parameters": (
        "interface S @0xf000000000000140 { m @0 T; } struct T {} struct U {}",
        "interface S @0xf000000000000140 { m @0 U; } struct T {} struct U {}",
        "'m' of .*:S has other parameters",
    ),
    "results": (
        "interface S @0xf000000000000140 { m @0 T -> T; } struct T {} struct U {}",
        "interface S @0xf000000000000140 { m @0 T -> U; } struct T {} struct U {}",
        "'m' of .*:S has other results",
    ),
    "a method against a superclass": (
        "interface S @0xf000000000000140 extends (B) { m @0 T; } struct T {} interface B {}",
        "interface S @0xf000000000000140 { m @0 T; n @1 T; } struct T {} interface B {}",
        "more of one thing and less of another",
    ),
}


@pytest.mark.conformance("LDR-06", "EVO-01")
@pytest.mark.parametrize("case", INCOMPATIBLE)
def test_what_is_no_other_version_is_refused(loader: ccapnp.SchemaLoader, case: str) -> None:
    old, new, message = INCOMPATIBLE[case]
    for one, other in ((old, new), (new, old)):
        loader = ccapnp.SchemaLoader()
        load(loader, f"@0xf000000000000104; {one}")
        before = {node.id: node for node in loader.loaded()}
        made = {node_id: loader.get(node_id) for node_id in before}
        with pytest.raises(ccapnp.SchemaError) as caught:
            load(loader, f"@0xf000000000000104; {other}")
        assert caught.value.type
        if one is old:
            assert caught.match(message)
        assert {node.id: node for node in loader.loaded() if node.id in before} == before
        assert {node_id: loader.get(node_id) for node_id in before} == made


@pytest.mark.conformance("LDR-06")
def test_a_type_is_not_used_as_another_kind(loader: ccapnp.SchemaLoader) -> None:
    text = "@0xf000000000000105; struct A { t @0 :T; } struct T @0xf000000000000150 {}"
    other = "@0xf000000000000105; struct B { t @0 :T; } enum T @0xf000000000000150 { a @0; }"
    uses_struct, uses_enum = nodes_of(text), nodes_of(other)
    loader.load(uses_struct["A"])
    with pytest.raises(ccapnp.SchemaError, match="'t' of test.capnp:B uses 0xf000000000000150 as an enum"):
        loader.load(uses_enum["B"])
    with pytest.raises(ccapnp.SchemaError, match="test.capnp:T is an enum, but test.capnp:A uses it as a struct"):
        loader.load(uses_enum["T"])
    loader.load(uses_struct["T"])
    with pytest.raises(ccapnp.SchemaError, match="'t' of test.capnp:B uses test.capnp:T as an enum"):
        loader.load(uses_enum["B"])
