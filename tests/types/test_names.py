"""Fields with the names of methods, keywords and arguments: a field wins, and all else still works."""

from __future__ import annotations

import copy
import io
import keyword
import pickle
from typing import Any

import pytest

import ccapnp
from ccapnp.schema.names import attribute_name

METHODS = (
    "schema", "which", "init", "write", "copy", "items", "keys", "values", "get", "has", "read", "update", "pop",
    "count", "index", "append", "view", "field", "fields", "name", "type", "self", "cls", "value", "builder", "mro",
    "size", "file", "data", "words", "object", "print", "args", "kwargs", "shape", "at",
)  # fmt: skip
KEYWORDS = tuple(word for word in keyword.kwlist if word.islower() and "_" not in word)
NAMES = (*METHODS, *(word for word in KEYWORDS if word not in METHODS))


@pytest.fixture(scope="module")
def named(compile_schema: Any) -> Any:
    """A module with a struct ``Named`` that has a field of each of the names, and one of a union and of a group."""
    fields = "\n".join(f"{name} @{number} :Text;" for number, name in enumerate(NAMES))
    first = len(NAMES)
    return compile_schema(
        f"""
        struct Named {{
            {fields}
            toBytes @{first} :Text;
            children @{first + 1} :List(Named);
            group :group {{ copy @{first + 2} :Text; from @{first + 3} :Text; which @{first + 4} :Int8; }}
            union {{ true @{first + 5} :Void; init2 @{first + 6} :Text; class2 :group {{ init @{first + 7} :Text; }} }}
        }}
        struct Kinds {{
            union {{ which @0 :Int8; from @1 :Text; copy @2 :Data; init :group {{ has @3 :Int8; self @4 :Text; }} }}
            has @5 :Int8;
        }}
        struct Nested {{
            struct Reader {{ x @0 :Int8; }} struct Builder {{ x @0 :Int8; }}
            enum Which {{ mro @0; name @1; }} const schema :Text = "mine"; const read :Int8 = 3; const cls :Int8 = 4;
            reader @0 :Reader; builder @1 :Builder; which @2 :Which;
        }}
        """
    )


def values() -> dict[str, str]:
    return {name: f"<{name}>" for name in NAMES}


@pytest.mark.conformance("CPY-05")
@pytest.mark.parametrize("name", NAMES)
def test_a_field_of_any_name_is_set_and_read(named: Any, name: str) -> None:
    builder = named.Named.new_message(**{name: "x"})
    assert getattr(builder, attribute_name(name)) == "x"
    setattr(builder, attribute_name(name), "y")
    reader = named.Named.from_bytes(builder.to_bytes())
    for view in (builder, reader):
        assert getattr(view, attribute_name(name)) == "y" == ccapnp.get_field(view, name)
        assert ccapnp.to_dict(view)[name] == "y" and ccapnp.has(view, name)
        assert ccapnp.get_data_as_view(view, name) == b"y"
    ccapnp.set_field(builder, name, "z")
    assert ccapnp.get_field(builder, attribute_name(name)) == "z"
    assert str(reader) == f'({name} = "y", group = (which = 0), true = void)'
    assert named.Named(**{name: "x"}) == named.Named.from_dict({name: "x"}) == named.Named.new_message(**{name: "x"})


def test_everything_works_on_a_struct_of_such_fields(named: Any) -> None:
    builder = named.Named.new_message(**values(), children=[values(), values()], group={"copy": "c", "from": "f"})
    reader = named.Named.from_bytes(ccapnp.to_bytes(builder))
    expected = {**values(), "group": {"copy": "c", "from": "f", "which": 0}, "true": None}
    for view in (builder, reader):
        assert view.which == "<which>" and view.copy == "<copy>" and view.self == "<self>" and view.has == "<has>"
        assert view.from_ == "<from>" and view.class_ == "<class>" and view.group.from_ == "f" and view.group.which == 0
        assert ccapnp.which(view) == "true"
        found = ccapnp.to_dict(view)
        assert found.pop("children") == [{**values(), "group": {"which": 0}, "true": None}] * 2 and found == expected
        assert ccapnp.copy(view) == view == ccapnp.as_builder(view) == ccapnp.as_reader(view)
        assert copy.copy(view) == copy.deepcopy(view) == view == pickle.loads(pickle.dumps(view))
        assert view.children == list(view.children) and repr(view) and str(view)
        assert ccapnp.total_size(view).word_count > len(NAMES)
        assert named.Named.from_segments(ccapnp.to_segments(view)) == view
        assert named.Named.from_bytes_packed(ccapnp.to_bytes_packed(view)) == view
        file = io.BytesIO()
        ccapnp.write(view, file)
        ccapnp.write_packed(view, file)
        file.seek(0)
        assert named.Named.read(file) == view == named.Named.read_packed(file)
        assert isinstance(ccapnp.canonicalize(view), bytes)
        assert isinstance(view, named.Named) and named.Named.from_dict(ccapnp.to_dict(view)) == view
    assert hash(reader) == hash(ccapnp.copy(reader))
    with reader as same:
        assert same is reader


def test_building_goes_on_by_functions(named: Any) -> None:
    builder = named.Named.new_message(init="field")
    assert builder.init == "field"
    ccapnp.init(builder, "children", 2)[1].from_ = "x"
    with ccapnp.init_resizable_list(builder, "children") as growing:
        growing.add().class_ = "y"
    assert builder.children[0].class_ == "y" and len(builder.children) == 1
    ccapnp.init(builder, "class2").init = "in a group"
    assert ccapnp.which(builder) == "class2" and builder.class2.init == "in a group"
    other = named.Named.new_message(children=builder.children, group=builder.group, class2=builder.class2)
    assert other.class2.init == "in a group" and other.children[0].class_ == "y"


def test_a_union_of_such_fields(named: Any) -> None:
    for name, value in (("which", 5), ("from", "f"), ("copy", b"c"), ("init", {"has": 1, "self": "s"})):
        builder = named.Kinds.new_message(**{name: value}, has=9)
        reader = named.Kinds.from_bytes(builder.to_bytes())
        for view in (builder, reader):
            assert ccapnp.which(view) == name and ccapnp.has(view, name) and view.has == 9
            assert ccapnp.to_dict(view) == {name: value, "has": 9} and ccapnp.copy(view) == view
        if name != "which":
            with pytest.raises(ccapnp.UnionError, match=f"that is {name}"):
                reader.which
    assert named.Kinds.new_message(from_="keyword").from_ == "keyword"
    with pytest.raises(ccapnp.EncodeError, match="members of one union"):
        named.Kinds.new_message(which=1, copy=b"")


def test_names_of_types_and_constants_inside_a_struct(named: Any) -> None:
    nested = named.Nested
    assert nested.schema == "mine" and nested.read == 3 and nested.cls == 4
    builder = nested.new_message(reader={"x": 1}, builder={"x": 2}, which="name")
    reader = nested.from_bytes(builder.to_bytes())
    assert type(reader) is nested.Reader and type(reader.reader) is nested.Reader_.Reader
    assert type(builder.builder) is nested.Builder_.Builder and reader.builder.x == 2
    assert reader.which is nested.Which.name and str(reader.which) == "name"
    assert ccapnp.to_dict(reader) == {"reader": {"x": 1}, "builder": {"x": 2}, "which": "name"}


def test_a_name_with_an_underscore_is_only_that_of_a_keyword(named: Any) -> None:
    assert named.Named.new_message(from_="x").from_ == "x" == named.Named.new_message(**{"from": "x"}).from_
    for name in ("get_", "from__", "_from", "copy_"):
        with pytest.raises(ccapnp.UnknownFieldError):
            named.Named.new_message(**{name: "x"})
    with pytest.raises(AttributeError):
        _ = named.Named.new_message().get_
