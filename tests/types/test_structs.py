"""Structs: built from keywords, dicts and each other; read-only readers; types and instances."""

from __future__ import annotations

import pydoc
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import ccapnp
from ccapnp import EncodeError, EncodeTypeError, UnknownFieldError
from tests.types.reading import read


def node(schema: Any) -> Any:
    return schema.Node.new_message(
        name="root",
        value=1,
        child={"name": "child", "child": {"name": "grandchild", "value": 3}},
        children=[{"name": "a"}, {"name": "b", "children": [{"name": "ba"}]}],
        point={"x": 1, "y": -1, "label": "p", "sub": {"name": "sub"}},
    )


# ---- building


@pytest.mark.conformance("PYC-04")
def test_pyc04_keywords_with_nested_dicts_and_lists(schema: Any) -> None:
    for view in (node(schema), read(node(schema))):
        assert view.name == "root" and view.value == 1
        assert (
            view.child.child.name == "grandchild" and view.child.child.value == 3 and view.child.child.child.name == ""
        )
        assert [each.name for each in view.children] == ["a", "b"] and view.children[1].children[0].name == "ba"
        assert (view.point.x, view.point.y, view.point.label, view.point.sub.name) == (1, -1, "p", "sub")


@pytest.mark.conformance("PYC-04")
def test_pyc04_calling_the_type_is_short_for_new_message(schema: Any) -> None:
    assert (
        schema.Pair(key="a", value=1)
        == schema.Pair.new_message(key="a", value=1)
        == schema.Pair.from_dict({"key": "a", "value": 1})
    )
    assert isinstance(schema.Pair(), schema.Pair.Builder)
    with pytest.raises(TypeError):
        schema.Pair("a", 1)


@pytest.mark.conformance("PYC-04")
@pytest.mark.parametrize("words", [None, 0, 1, 5, 1024, 10_000])
def test_pyc04_the_first_segment_may_have_any_size(schema: Any, words: Any) -> None:
    builder = schema.Node.new_message(num_first_segment_words=words, name="x" * 300, children=[{"name": "y" * 99}] * 3)
    assert read(builder).children[2].name == "y" * 99 and read(builder).name == "x" * 300
    assert (len(builder.to_segments()) == 1) is (words in (None, 1024, 10_000))
    assert builder == node_like(schema, builder)


@pytest.mark.conformance("PYC-04")
@pytest.mark.parametrize("words", [{"name": "x"}, "5", 5.0])
def test_pyc04_the_size_of_the_first_segment_is_an_integer(schema: Any, words: Any) -> None:
    with pytest.raises(TypeError, match=f"num_first_segment_words must be an integer, not {type(words).__name__}"):
        schema.Node.new_message(words)
    for use in (ccapnp.MessageBuilder, schema.Node.new_message().as_builder):
        with pytest.raises(TypeError, match="num_first_segment_words must be an integer"):
            use(words)


@pytest.mark.parametrize("words", [2**29, 2**63, pytest.param(10**5000, id="huge")])
def test_no_first_segment_is_larger_than_a_segment_can_be(schema: Any, words: int) -> None:
    for use in (ccapnp.MessageBuilder, schema.Node.new_message, schema.Node.new_message().as_builder):
        with pytest.raises(ValueError, match="num_first_segment_words must be at most 536870911"):
            use(words)


def node_like(schema: Any, view: Any) -> Any:
    return schema.Node.from_dict(view.to_dict())


@pytest.mark.conformance("PYC-04")
def test_pyc04_structs_are_values(schema: Any) -> None:
    part = schema.Node.new_message(name="part")
    for source in (part, part.as_reader(), read(part), {"name": "part"}):
        builder = schema.Node.new_message(child=source, children=[source, source], point={"sub": source})
        part.value += 1  # was copied
        assert builder.child.name == "part" and builder.children[1].name == "part" and builder.point.sub.name == "part"
        builder.child.name = "other"
        assert builder.children[0].name == "part" and part.name == "part"


@pytest.mark.conformance("PYC-05")
def test_pyc05_a_struct_field_reads_what_it_is_made_of(schema: Any) -> None:
    builder = schema.Node.new_message()
    assert not builder.has("child") and builder.as_reader().child.name == ""
    assert not builder.has("child")  # a reader makes nothing
    child = builder.child  # a builder does, so that it can be written to
    assert builder.has("child")
    child.name = "made"
    assert builder.child.name == "made" and read(builder).child.name == "made"


def test_init_makes_a_new_struct(schema: Any) -> None:
    builder = node(schema)
    made = builder.init("child")
    assert made.name == "" and not made.has("child") and builder.has("child")
    made.name = "new"
    assert builder.child.name == "new" and b"grandchild" not in builder.to_bytes()
    with pytest.raises(EncodeTypeError, match="^child: a Node has no size"):
        builder.init("child", 3)


@pytest.mark.conformance("PYC-05")
def test_pyc05_a_default_struct_is_copied_when_it_is_built_on(schema: Any) -> None:
    builder = schema.Node.new_message()
    reader = read(builder)
    assert reader.preset.key == "preset" and not reader.has("preset") and reader.preset.value == 7
    builder.preset.value = 8
    assert (builder.preset.key, builder.preset.value) == ("preset", 8)
    assert reader.preset.value == 7 and schema.Node.new_message().as_reader().preset.value == 7
    builder.preset = None
    assert not builder.has("preset") and builder.as_reader().preset.value == 7
    builder.preset = {}
    assert builder.preset.key == "" and builder.preset.value == 0


def test_none_clears_a_pointer(schema: Any) -> None:
    builder = node(schema)
    for field in ("name", "child", "children", "any", "data", "preset", "numbers", "cap"):
        setattr(builder, field, None)
        assert not builder.has(field), field
    assert b"grandchild" not in builder.to_bytes()
    assert not schema.Node.new_message(child=None, children=None, any=None).has("child")


@pytest.mark.parametrize("field", ["value", "point"])
def test_none_is_no_scalar_and_no_group(schema: Any, field: str) -> None:
    builder = node(schema)
    before = builder.to_bytes()
    for attempt in (lambda: setattr(builder, field, None), lambda: schema.Node.new_message(**{field: None})):
        with pytest.raises(EncodeTypeError, match=f"^{field}: "):
            attempt()
    assert builder.to_bytes() == before


@pytest.mark.parametrize("value", [5, "text", b"data", [("name", "x")], [], object(), ccapnp.Capability(0)], ids=str)
@pytest.mark.parametrize("field", ["child", "point", "preset"])
def test_a_struct_is_only_set_from_mappings_and_its_own_type(schema: Any, field: str, value: Any) -> None:
    builder = node(schema)
    before = builder.to_bytes()
    for attempt in (lambda: setattr(builder, field, value), lambda: schema.Node.new_message(**{field: value})):
        with pytest.raises(EncodeTypeError, match=rf"^{field}: a [\w.]+ is set from a mapping or another [\w.]+, not"):
            attempt()
    assert builder.to_bytes() == before


@pytest.mark.conformance("PYC-03")
def test_another_type_is_refused(schema: Any) -> None:
    builder = node(schema)
    before = builder.to_bytes()
    for field, other in (("child", schema.Pair()), ("child", schema.New().as_reader()), ("preset", schema.Node())):
        with pytest.raises(
            EncodeTypeError, match=rf"^{field}: a \w+ cannot be set from a {type(other)._type.__name__}"
        ):
            setattr(builder, field, other)
    with pytest.raises(EncodeTypeError, match=r"^children\[1\]: a Node cannot be set from a Pair"):
        builder.children = [{"name": "good"}, schema.Pair()]
    with pytest.raises(EncodeTypeError, match=r"^point: .*"):
        builder.point = schema.Shapes.new_message(box={}).box
    assert builder.to_bytes() == before


@pytest.mark.conformance("PYC-05")
def test_an_unknown_field_is_an_error_with_the_nearest_names(schema: Any) -> None:
    builder = node(schema)
    before = builder.to_bytes()
    attempts = (
        (lambda: schema.Node.new_message(valeu=1), "Node has no field 'valeu'; did you mean 'value'", "valeu"),
        (lambda: schema.Node.from_dict({"chldren": []}), "did you mean 'children' or 'child'", "chldren"),
        (lambda: builder.has("naem"), "did you mean 'name'", "naem"),
        (lambda: ccapnp.get_field(builder, "zzz"), "Node has no field 'zzz'$", "zzz"),
        (lambda: ccapnp.set_field(builder, "name_", 1), "no field 'name_'; did you mean 'name'", "name_"),
        (lambda: builder.init("Child"), "did you mean 'child'", "Child"),
        (lambda: builder.init_resizable_list("childs"), "did you mean 'child", "childs"),
        (lambda: setattr(builder, "child", {"lable": 1}), r"^child\.lable: Node has no field 'lable'", "child.lable"),
        (lambda: setattr(builder, "point", {"z": 1}), r"^point\.z: Node\.Point has no field 'z'", "point.z"),
        (lambda: schema.Node.from_dict({1: 2}), "has no field 1", "1"),
    )
    for attempt, message, field in attempts:
        with pytest.raises(UnknownFieldError, match=message) as caught:
            attempt()
        assert isinstance(caught.value, AttributeError) and caught.value.field == field
    assert builder.to_bytes() == before


@pytest.mark.conformance("PYC-05")
def test_pyc05_an_attribute_that_is_no_field_cannot_be_read_or_set(schema: Any) -> None:
    builder = node(schema)
    for view in (builder, read(builder)):
        with pytest.raises(AttributeError, match="nmae"):
            view.nmae
        with pytest.raises(AttributeError, match="nmae"):
            view.nmae = 1
        with pytest.raises(AttributeError):
            del view.name
    for view in (builder.point, read(builder).point):
        with pytest.raises(AttributeError):
            view.name = "of the parent"


def test_a_failed_set_changes_nothing_at_any_depth(schema: Any) -> None:
    builder = node(schema)
    before = builder.to_bytes()
    bad = {"name": "x" * 5000, "child": {"children": [{"value": 1}, {"value": 2**31}]}}
    for attempt, path in (
        (lambda: setattr(builder, "child", bad), r"child\.child\.children\[1\]\.value"),
        (lambda: setattr(builder, "children", [{}, bad]), r"children\[1\]\.child\.children\[1\]\.value"),
        (lambda: setattr(builder, "point", {"x": 5, "sub": bad}), r"point\.sub\.child\.children\[1\]\.value"),
        (lambda: builder.children.__setitem__(0, bad), r"\[0\]\.child\.children\[1\]\.value"),
    ):
        with pytest.raises(ccapnp.EncodeError, match=rf"^{path}: 2147483648 does not fit in an Int32"):
            attempt()
        assert builder.to_bytes() == before


def test_a_mapping_need_not_be_a_dict(schema: Any) -> None:
    from collections import ChainMap, OrderedDict
    from types import MappingProxyType

    for made in (OrderedDict, MappingProxyType, ChainMap):
        builder = schema.Node.new_message(
            child=made({"name": "x"}), children=[made({"name": "y"})], point=made({"x": 3})
        )
        assert (builder.child.name, builder.children[0].name, builder.point.x) == ("x", "y", 3)
        assert schema.Node.from_dict(made({"name": "z"})).name == "z"


def test_a_message_that_its_own_new_value_writes_to_stays_whole(schema: Any) -> None:
    class Meddler(Mapping):  # type: ignore[type-arg]
        def __init__(self, builder: Any, error: Exception) -> None:
            self.builder = builder
            self.error = error

        def __len__(self) -> int:
            return 2

        def __iter__(self) -> Iterator[str]:
            yield "name"
            self.builder.name = "written meanwhile"
            raise self.error

        def __getitem__(self, key: str) -> str:
            return "new"

    builder = node(schema)
    builder.child.name = "old"
    for error in (OSError("half-way"), EncodeError("half-way")):
        for field, value in (
            ("child", Meddler(builder, error)),
            ("children", [{"name": "x"}, Meddler(builder, error)]),
            ("child", {"child": {"child": Meddler(builder, error)}}),
        ):
            with pytest.raises(type(error), match="half-way"):
                setattr(builder, field, value)
            assert builder.name == "written meanwhile" and builder.child.name == "old"
            builder.data = b"after"
            assert read(builder) == builder and builder.name == "written meanwhile"
            builder.name = None


# ---- readers, types


def test_a_reader_cannot_be_changed(schema: Any) -> None:
    reader = read(node(schema))
    for _ in range(2):  # the second time the property exists
        for field, value in (("name", "x"), ("value", 1), ("child", {}), ("children", []), ("point", {})):
            with pytest.raises(
                AttributeError, match=rf"^Node\.{field} cannot be set: this is a reader; as_builder\(\)"
            ):
                setattr(reader, field, value)
            getattr(reader, field)
    with pytest.raises(TypeError, match="this is a reader"):
        ccapnp.set_field(reader, "name", "x")
    with pytest.raises(TypeError, match="this is a reader"):
        ccapnp.init(reader, "child")
    with pytest.raises(TypeError, match="this is a reader"):
        ccapnp.init_resizable_list(reader, "children")
    assert not hasattr(reader, "init") and reader == node(schema)


def test_a_view_is_a_context_manager(schema: Any) -> None:
    with schema.Node.from_bytes(node(schema).to_bytes()) as reader:
        assert reader.name == "root"
    assert reader.name == "root"
    with pytest.raises(KeyError), node(schema) as builder:
        raise KeyError(builder.name)


def test_types_and_instances(schema: Any) -> None:
    builder = node(schema)
    reader = read(builder)
    assert type(reader) is schema.Node.Reader and type(builder) is schema.Node.Builder
    assert type(reader.child) is schema.Node.Reader and type(builder.children[0]) is schema.Node.Builder
    assert type(builder.as_reader()) is schema.Node.Reader and type(reader.as_builder()) is schema.Node.Builder
    for view, own, base in ((reader, "Reader", ccapnp.StructReader), (builder, "Builder", ccapnp.StructBuilder)):
        assert isinstance(view, schema.Node) and isinstance(view, ccapnp.Struct) and isinstance(view, base)
        assert isinstance(view, getattr(schema.Node, own)) and not isinstance(view, schema.Pair)
        assert isinstance(view.point, schema.Node.Point) and not isinstance(view.point, schema.Node)
        assert issubclass(type(view), schema.Node) and not issubclass(type(view), schema.Pair)
        assert issubclass(type(view), ccapnp.Struct)
    assert not isinstance(5, schema.Node) and not issubclass(int, schema.Node)
    assert issubclass(schema.Node, ccapnp.Struct) and not issubclass(schema.Node, schema.Pair)
    assert (
        schema.Node.Reader.__qualname__ == "Node.Reader"
        and schema.Node.Point.Builder.__qualname__ == "Node.Point.Builder"
    )
    with pytest.raises(AttributeError, match="'Node' has no attribute 'nothing'"):
        schema.Node.nothing
    with pytest.raises(AttributeError, match="Struct is not of a schema"):
        ccapnp.Struct.Reader


def test_types_are_explored_as_other_classes_are(schema: Any) -> None:
    assert {"Reader", "Builder", "Point", "new_message", "from_bytes", "schema"} < set(dir(schema.Node))
    assert schema.Node.Reader and "Point" in pydoc.render_doc(schema.Node)


def test_a_group_is_not_a_message(schema: Any) -> None:
    with pytest.raises(TypeError, match="exists only within its struct"):
        schema.Node.Point.new_message()
    with pytest.raises((TypeError, AttributeError)):
        ccapnp.Struct.new_message()


def test_every_view_of_a_struct_sees_what_is_written(schema: Any) -> None:
    builder = node(schema)
    reader, child, point = builder.as_reader(), builder.child, builder.point
    child.name = "changed"
    point.x = 77
    builder.value = 9
    assert (reader.child.name, reader.point.x, reader.value) == ("changed", 77, 9)


def test_a_part_becomes_a_message_of_its_own(schema: Any) -> None:
    builder = node(schema)
    for view in (builder, read(builder)):
        for part in (view.child, view.children[1], view.child.child):
            alone = schema.Node.from_bytes(part.to_bytes())
            assert alone == part and len(part.to_bytes()) < len(view.to_bytes())
            assert schema.Node.from_bytes_packed(part.to_bytes_packed()) == part
            assert schema.Node.from_segments(part.to_segments()) == part
            copy = part.as_builder()
            copy.name = "copied"
            assert part.name != "copied" and copy.as_reader().name == "copied"


def test_total_size_counts_words_and_capabilities(schema: Any) -> None:
    assert schema.Pair().total_size == (2, 0)
    assert schema.Pair(key="12345678").total_size.word_count == 4
    builder = schema.Node.new_message(cap=ccapnp.Capability(1), child={"cap": ccapnp.Capability(0)})
    assert builder.total_size.cap_count == 2 and ccapnp.total_size(builder.child).cap_count == 1
    assert read(builder).total_size == builder.total_size


def test_the_functions_do_what_the_methods_do(schema: Any) -> None:
    builder = node(schema)
    assert ccapnp.has(builder, "child") and ccapnp.get_field(builder, "name") == "root"
    ccapnp.set_field(builder, "name", "other")
    ccapnp.init(builder, "numbers", 2)[1] = 3
    with ccapnp.init_resizable_list(builder, "children") as growing:
        growing.add().name = "only"
    assert (
        ccapnp.as_reader(builder).name == "other" and builder.numbers == [0, 3] and builder.children[0].name == "only"
    )
    assert ccapnp.copy(builder) == builder == ccapnp.as_builder(builder)
    assert ccapnp.to_dict(builder) == builder.to_dict() and ccapnp.to_bytes(builder) == builder.to_bytes()
    assert [bytes(each) for each in ccapnp.to_segments(builder)] == [bytes(each) for each in builder.to_segments()]
    assert ccapnp.to_bytes_packed(builder) == builder.to_bytes_packed()


def test_defaults_may_be_read_without_end(schema: Any) -> None:
    reader, lists = schema.Node.from_segments([bytes(8)]), schema.Lists.from_segments([bytes(8)])
    for _ in range(400_000):
        assert reader.preset.key == "preset"
    for _ in range(1000):
        assert lists.presetStructs[0].key == "a" and lists.to_dict(verbose=True)["preset"] == [1, -2, 3]
