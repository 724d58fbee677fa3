"""Generic types: what parameters are bound to by a schema's fields, and by names in Python."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

import ccapnp
from ccapnp import Data, Kind, List, Text
from tests.conformance.bindings import BOUND, NESTINGS, Bound

SCHEMA = """
struct Leaf { number @0 :Int32 = 123; }
enum Color { red @0; green @1; }
interface Plain {}

struct Generic(Foo, Bar) {
  foo @0 :Foo;
  rev @1 :Generic(Bar, Foo);
  union { uv @2 :Void; ug :group { ugFoo @3 :Foo; number @4 :Int32; } }
  list @5 :List(Inner);
  struct Inner { foo @0 :Foo; bar @1 :Bar; }
  struct Inner2(Baz) {
    bar @0 :Bar;
    baz @1 :Baz;
    innerBound @2 :Inner;
    innerUnbound @3 :Generic.Inner;
    struct DeepNest(Qux) { foo @0 :Foo; bar @1 :Bar; baz @2 :Baz; qux @3 :Qux; }
  }
  interface Service(Quux) extends(Base(Bar)) {
    call @0 (foo :Foo, quux :Quux) -> Generic(Quux, Foo);
    own @1 [Own] (own :Own, bar :Bar) -> (own :Own);
  }
  annotation note(struct) :Foo;
  enum Mood { good @0; }
}
interface Base(Of) { base @0 Leaf -> (of :Of); }
struct Either(Foo, Bar) { union { foo @0 :Foo; bar @1 :Bar; } }

struct Wrapper(Foo, Bar) { value @0 :Generic(Foo, Bar); }
struct Wrapper2 { value @0 :Wrapper(Text, Leaf); }
struct Grow(T) { value @0 :T; next @1 :Grow(Grow(T)); list @2 :List(Grow(Grow(T))); }

struct Uses $Generic(Text, Data).note("noted") {
  basic @0 :Generic(Leaf, Text);
  inner @1 :Generic(Leaf, Text).Inner;
  inner2 @2 :Generic(Leaf, Data).Inner2(Text);
  unbound @3 :Generic;
  outerUnbound @4 :Generic.Inner2(Text);
  deep @5 :Generic(Text, Data).Inner2(Leaf).DeepNest(List(Int16));
  default @6 :Generic(Leaf, Text) = (foo = (number = 5), rev = (foo = "text", rev = (foo = (number = 321))));
  wrapper @7 :Wrapper2 = (value = (value = (foo = "text", rev = (foo = (number = 321)))));
  colors @8 :Generic(List(Color), Text) = (foo = [green, red], rev = (rev = (foo = [green])));
  service @9 :Generic(Plain, Generic(Text, Text).Service(Data));
  lists @10 :Generic(List(Leaf), List(List(Text)));
  many @11 :List(Generic(Text, Data));
}

const constant :Generic(Leaf, Text) = (foo = (number = 5), rev = (foo = "text"), ug = (ugFoo = (number = 7)));
const floats :List(Float32) = [1.5, -2];
const number :UInt8 = 7;
const leaf :Leaf = (number = 9);
"""


@pytest.fixture
def schema(compile_schema: Callable[[str], Any]) -> Any:
    """The module of the schema above."""
    return compile_schema(SCHEMA)


def type_of(view: Any) -> Any:
    """The struct type of a view."""
    return view._type


def read(builder: Any) -> Any:
    """A reader of a message with what is in the builder."""
    return type_of(builder).from_bytes(builder.to_bytes())


# ---- what a schema binds


@pytest.mark.conformance("ENC-53", "LDR-09", "SCH-09")
def test_fields_have_the_types_that_their_brands_say(schema: Any) -> None:
    generic, uses = schema.Generic, schema.Uses.new_message()
    expected = {
        "basic": generic[schema.Leaf, Text],
        "inner": generic[schema.Leaf, Text].Inner,
        "inner2": generic[schema.Leaf, Data].Inner2[Text],
        "unbound": generic,
        "outerUnbound": generic.Inner2[Text],
        "deep": generic[Text, Data].Inner2[schema.Leaf].DeepNest[List[Kind.INT16]],
        "service": generic[schema.Plain, generic[Text, Text].Service[Data]],
    }
    for view in (uses, uses.as_reader()):
        for name, struct_type in expected.items():
            assert type_of(getattr(view, name)) is struct_type, name
        assert type_of(view.basic.rev) is generic[Text, schema.Leaf]
        assert type_of(view.basic.rev.rev) is generic[schema.Leaf, Text]
        assert type_of(view.inner2.innerBound) is generic[schema.Leaf, Data].Inner
        assert type_of(view.inner2.innerUnbound) is generic.Inner
        assert type_of(view.wrapper.value) is schema.Wrapper[Text, schema.Leaf]
        assert type_of(view.wrapper.value.value) is generic[Text, schema.Leaf]


@pytest.mark.conformance("ENC-53")
def test_fields_of_a_parameter_are_what_it_is_bound_to(schema: Any) -> None:
    uses = schema.Uses.new_message(
        basic={"foo": {"number": 1}, "rev": {"foo": "r"}, "list": [{"foo": {"number": 2}, "bar": "b"}]},
        inner2={"bar": b"d", "baz": "z", "innerBound": {"foo": {"number": 3}, "bar": b"e"}},
        deep={"foo": "f", "bar": b"\0", "baz": {"number": 4}, "qux": [5, -6]},
        lists={"foo": [{"number": 7}], "rev": {"foo": [["a"], []]}},
        many=[{"foo": "m", "ug": {"ugFoo": "g"}}, {"rev": {"foo": b"n"}}],
    )
    for view in (uses, read(uses)):
        assert (view.basic.foo.number, view.basic.rev.foo) == (1, "r")
        assert (view.basic.list[0].foo.number, view.basic.list[0].bar) == (2, "b")
        assert (view.inner2.bar, view.inner2.baz, view.inner2.innerBound.foo.number) == (b"d", "z", 3)
        assert (view.deep.foo, view.deep.bar, view.deep.baz.number, view.deep.qux) == ("f", b"\0", 4, [5, -6])
        assert view.lists.foo[0].number == 7 and view.lists.rev.foo == [["a"], []]
        assert [each.which() for each in view.many] == ["ug", "uv"]
        assert view.many[0].ug.ugFoo == "g" and view.many[1].rev.foo == b"n"


@pytest.mark.conformance("ENC-53")
def test_an_unbound_parameter_is_an_anypointer(schema: Any) -> None:
    uses = schema.Uses.new_message(unbound={"foo": "t"}, outerUnbound={"bar": b"d", "baz": "z"})
    uses.inner2.innerUnbound.foo = schema.Leaf(number=2)
    for view in (uses, read(uses)):
        assert view.unbound.foo.as_text() == "t"
        assert view.outerUnbound.bar.as_data() == b"d" and view.outerUnbound.baz == "z"
        assert view.inner2.innerUnbound.foo.as_struct(schema.Leaf).number == 2


@pytest.mark.conformance("ENC-54")
def test_defaults_of_bound_types(schema: Any) -> None:
    empty = schema.Uses.new_message()
    for view in (empty.as_reader(), empty):
        assert view.default.foo.number == 5
        assert view.default.rev.foo == "text"
        assert view.default.rev.rev.foo.number == 321
        assert view.default.rev.rev.rev.rev.foo.number == 123
        assert view.wrapper.value.value.foo == "text"
        assert view.wrapper.value.value.rev.foo.number == 321
    assert empty.to_dict()["default"]["rev"]["foo"] == "text"


@pytest.mark.conformance("ENC-55")
def test_unions_and_groups_of_a_generic_struct(schema: Any) -> None:
    builder = schema.Generic[Text, Data].new_message(foo="f")
    assert builder.which() == "uv" and builder.uv is None
    builder.init("ug").ugFoo = "g"
    assert builder.which() == "ug" and read(builder).ug.ugFoo == "g"
    assert type_of(builder.ug) is schema.Generic[Text, Data].Ug
    builder.uv = None
    assert read(builder).which() == "uv"
    either = schema.Either[schema.Leaf, Text].new_message(bar="b")
    assert either.which() == "bar" and read(either).bar == "b"
    either.init("foo")
    assert read(either).which() == "foo" and read(either).foo.number == 123


@pytest.mark.conformance("SCH-11")
def test_a_list_of_an_enum_is_a_type_argument(schema: Any) -> None:
    empty = schema.Uses.new_message().as_reader()
    assert empty.colors.foo == [schema.Color.green, schema.Color.red]
    assert empty.colors.rev.rev.foo[0] is schema.Color.green
    assert type_of(empty.colors) is schema.Generic[List[schema.Color], Text]
    assert type_of(empty.colors).__args__ == (List[schema.Color], Text)


@pytest.mark.conformance("SCH-09")
def test_methods_and_superclasses_have_the_binding_of_their_interface(schema: Any) -> None:
    generic = schema.Generic
    service = generic[Text, Data].Service[schema.Leaf]
    call, own = schema.Generic._registry.node(service._node_id).methods
    assert service._params(call) is service.CallParams
    params = service.CallParams.new_message(foo="f", quux={"number": 1})
    assert read(params).foo == "f" and read(params).quux.number == 1
    assert service._results(call) is generic[schema.Leaf, Text]
    assert service._superclasses == (schema.Base[Data],)
    # A method's own parameters are bound when it is called.
    mine = service._params(own).new_message(own="o", bar=b"b")
    assert read(mine).own.as_text() == "o" and read(mine).bar == b"b"
    assert generic.Service._params(call) is generic.Service.CallParams


@pytest.mark.conformance("SCH-09")
def test_a_type_of_the_schema_has_a_name_in_python(schema: Any) -> None:
    def names(struct_type: Any) -> list[Any]:
        registry = struct_type._registry
        fields = registry.node(struct_type._node_id).fields
        return [registry.type_name(field.type, struct_type._environment) for field in fields if not field.is_group]

    generic, leaf = schema.Generic, schema.Leaf
    bound = generic[leaf, Text].Inner2[List[Kind.INT8]]
    assert names(bound) == [Text, List[Kind.INT8], generic[leaf, Text].Inner, generic.Inner]
    assert names(generic[schema.Plain, Data].Inner) == [schema.Plain, Data]
    assert names(generic.Inner) == [ccapnp.AnyPointer, ccapnp.AnyPointer]
    assert names(leaf) == [Kind.INT32]


@pytest.mark.conformance("PAR-05")
def test_constants_from_the_parser(schema: Any, backend: str) -> None:
    for module in (schema, ccapnp.SchemaParser(backend=backend).load_text(f"@0xe4c3a1b2d5f60718;{SCHEMA}")):
        constant = module.constant
        assert type_of(constant) is module.Generic[module.Leaf, Text]
        assert (constant.foo.number, constant.rev.foo, constant.ug.ugFoo.number) == (5, "text", 7)
        assert (module.floats, module.number, module.leaf.number) == ([1.5, -2], 7, 9)


@pytest.mark.conformance("SCH-09")
def test_an_annotation_of_a_parameter_is_what_it_is_bound_to(schema: Any) -> None:
    assert schema.Generic.note.find(schema.Uses.schema) == "noted"


@pytest.mark.conformance("ENC-53", "ENC-54", "ENC-55")
def test_the_official_generics(official: Any) -> None:
    uses = official.TestUseGenerics.new_message().as_reader()
    assert (uses.default.foo.int16Field, uses.default.rev.foo, uses.default.rev.rev.foo.int16Field) == (
        123,
        "text",
        321,
    )
    wrapped = uses.defaultWrapper2.value.value
    assert (wrapped.foo, wrapped.rev.foo.int16Field) == ("text", 321)
    assert uses.aliasInner2Bind.baz == [12, 34] and uses.aliasInner2Bind.innerBound.foo.int16Field == 123
    assert uses.aliasRev == "text" and uses.default.which() == "uv"
    assert type_of(uses.useAliases).__qualname__ == "TestGenerics[TestAllTypes, List(UInt32)].UseAliases"
    assert uses.useAliases.revFoo == [12, 34, 56]
    assert official.genericConstant.rev.foo == "text"
    assert official.TestGenerics.ann.find(official.TestUseGenerics.schema) == "foo"
    assert str(uses.bindEnumList._type.__args__) == "(List(TestEnum), Text)"


# ---- names in Python


@pytest.mark.conformance("CLI-05")
def test_a_bound_type_is_the_type_of_a_root(schema: Any) -> None:
    generic = schema.Generic
    boxed = generic[Text, Text]
    message = generic[boxed, Text].new_message(foo={"foo": "inner"}, list=[{"foo": {"foo": "x"}, "bar": "y"}])
    data = message.to_bytes()
    for struct_type in (generic[boxed, Text], type_of(message)):
        assert struct_type.from_bytes(data).foo.foo == "inner"
        assert struct_type.from_bytes_packed(message.to_bytes_packed()).list[0].bar == "y"
        assert [each.foo.foo for each in struct_type.read_multiple_bytes(data + data)] == ["inner", "inner"]
        assert ccapnp.MessageReader(data).get_root(struct_type).foo.foo == "inner"
    assert ccapnp.MessageReader(data).root.as_struct(generic[boxed, Text]).list[0].foo.foo == "x"
    inner = generic[boxed, Text].Inner2[boxed].new_message(baz={"foo": "z"})
    assert read(inner).baz.foo == "z"
    assert generic(foo=generic[Text, Text](foo="any")).foo.as_struct(boxed).foo == "any"


def test_the_same_parameters_give_the_same_type(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    assert generic[leaf, Text] is generic[leaf, Text] is not generic[Text, leaf]
    assert generic[List[List[Text]], Data] is generic[List[List[Kind.TEXT]], Kind.DATA]
    assert generic[Text, Data].Inner is generic.Inner[Text, Data]
    assert generic[Text, Data].Inner2[leaf] is generic.Inner2[leaf, Text, Data]
    assert generic[Text, Data].Inner2[leaf].DeepNest[Text] is generic.Inner2.DeepNest[Text, leaf, Text, Data]
    assert generic[ccapnp.AnyPointer, ccapnp.AnyPointer] is generic
    assert generic.Reader[leaf, Text] is generic[leaf, Text].Reader
    assert generic[Text, Data].Mood is generic.Mood


def test_a_bound_type_tells_what_it_is(schema: Any) -> None:
    generic = schema.Generic
    bound = generic[schema.Leaf, Text]
    assert (bound.__origin__, bound.__args__) == (generic, (schema.Leaf, Text))
    assert (bound.__name__, bound.__qualname__, bound.__module__) == (
        "Generic",
        "Generic[Leaf, Text]",
        generic.__module__,
    )
    assert bound.Inner2[Data].__qualname__ == "Generic[Leaf, Text].Inner2[Data]"
    assert bound.Inner2[Data].__origin__[bound.Inner2[Data].__args__] is bound.Inner2[Data]
    assert bound.Inner.__origin__[bound.Inner.__args__] is bound.Inner
    assert bound.schema is generic.schema
    assert bound.Service[Data].CallParams.__qualname__ == "Generic[Leaf, Text].Service[Data].CallParams"
    assert "Generic[Leaf, Text]" in repr(bound) and "Generic[Leaf, Text]" in repr(bound())
    assert not hasattr(generic, "__args__") and not hasattr(bound, "nothing")
    assert {"Inner", "new_message"} <= set(dir(bound))


def test_isinstance_of_a_generic_type_holds_for_every_binding(schema: Any) -> None:
    generic = schema.Generic
    for view in (generic[Text, Data](), read(generic[Text, Data]())):
        assert isinstance(view, generic) and isinstance(view, generic[Text, Data])
        assert not isinstance(view, generic[Data, Text]) and not isinstance(view, generic.Inner)
    assert isinstance(generic[Text, Data](), generic.Builder) and not isinstance(generic(), generic[Text, Data])
    assert issubclass(generic[Text, Data].Reader, generic) and issubclass(generic[Text, Data].Reader, ccapnp.Struct)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (lambda m: m.Generic[Text], "Generic takes 2 parameters, Foo, Bar; here is 1"),
        (lambda m: m.Generic[Text, Text, Text], "Generic takes 2 parameters, Foo, Bar; here are 3"),
        (lambda m: m.Generic[()], "here are 0"),
        (lambda m: m.Grow[Text, Text], "Grow takes one parameter, T; here are 2"),
        (lambda m: m.Generic[Text, int], "<class 'int'> cannot be a parameter of Generic: only what pointers lead to"),
        (lambda m: m.Generic[Text, Kind.INT32], "INT32.* cannot be a parameter of Generic"),
        (lambda m: m.Generic[m.Color, Text], "Color.* cannot be a parameter of Generic"),
        (lambda m: m.Generic[m.Generic.Ug, Text], "Generic.Ug.* cannot be a parameter of Generic"),
        (lambda m: m.Generic[ccapnp.Struct, Text], "Struct.* cannot be a parameter of Generic"),
        (lambda m: m.Generic["Text", Text], "'Text' cannot be a parameter"),
        (lambda m: m.Leaf[Text], "Leaf is not generic: it takes no parameters"),
        (lambda m: m.Plain[Text], "Plain is not generic"),
        (lambda m: m.Generic[Text, Text][Text, Text], r"Generic\[Text, Text\] has its parameters already"),
        (lambda m: m.Generic[Text, Text].Inner[Text, Text], r"Generic\[Text, Text\].Inner has its parameters already"),
        (lambda m: m.Generic.Inner[Text], "Generic.Inner takes 2 parameters, Foo, Bar"),
        (lambda m: ccapnp.Struct[Text], "Struct is the base of all"),
        (lambda m: ccapnp.Interface[Text], "Interface is the base of all"),
    ],
)
def test_what_cannot_be_bound(schema: Any, name: Callable[[Any], Any], error: str) -> None:
    with pytest.raises(TypeError, match=error):
        name(schema)


def test_views_of_another_binding_are_refused(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    uses = schema.Uses.new_message()
    uses.basic = generic[leaf, Text](foo={"number": 1})
    uses.basic = generic()
    uses.unbound = generic[leaf, Text](foo={"number": 2})
    assert uses.unbound.foo.as_struct(leaf).number == 2
    wrong = generic[Text, Data](ug={"ugFoo": "g"})
    before = uses.to_bytes()
    for assign in (
        lambda: setattr(uses, "basic", wrong),
        lambda: setattr(uses, "basic", read(wrong)),
        lambda: setattr(uses, "many", [generic[Data, Text]()]),
        lambda: setattr(uses.basic, "ug", wrong.ug),
        lambda: schema.Uses.new_message(basic=wrong),
        lambda: schema.Wrapper[leaf, Text](value=wrong),
    ):
        with pytest.raises(
            ccapnp.EncodeTypeError, match=r"a Generic\[.*\](.Ug)? cannot be set from a Generic\[.*\](.Ug)?$"
        ):
            assign()
    assert uses.to_bytes() == before
    uses.basic.ug = generic[leaf, Text](ug={"ugFoo": {"number": 3}}).ug
    assert uses.basic.ug.ugFoo.number == 3


def test_orphans_of_another_binding_are_refused(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    uses = schema.Uses.new_message()
    orphanage = ccapnp.orphanage(uses)
    wrong = orphanage.copy(generic[Text, Data](foo="f", ug={"ugFoo": "g"}, list=[{"foo": "l"}]))
    orphans = [
        ("basic", uses, wrong),
        ("list", uses.init("basic"), wrong.get().disown("list")),
        ("ug", uses.basic, wrong.get().disown("ug")),
        ("many", uses, orphanage.new(List[generic[Data, Text]], 2)),
    ]
    before = uses.to_bytes()
    for name, builder, orphan in orphans:
        with pytest.raises(ccapnp.EncodeTypeError, match=f"{name}: a .* cannot be adopted as a .*Generic"):
            builder.adopt(name, orphan)
        assert orphan
    with pytest.raises(ccapnp.EncodeTypeError, match="cannot be concatenated with"):
        orphanage.concatenate([generic[Text, Data](list=[{}]).list, generic[Data, Text](list=[{}]).list])
    assert uses.to_bytes() == before
    wrong.get().adopt("list", orphans[1][2])
    uses.adopt("unbound", wrong)
    assert uses.unbound.list[0].foo.as_text() == "l" and uses.unbound.foo.as_text() == "f"
    uses.adopt("basic", orphanage.new(generic))
    uses.basic.adopt("rev", orphanage.copy(generic[Text, leaf](foo="r")))
    assert uses.basic.rev.foo == "r" and read(uses) == uses


def test_a_binding_may_be_unknown_further_in(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    known, unknown = generic[generic[Text, leaf], List[generic[Text, leaf]]], generic[generic, List[generic]]
    assert known(foo=generic()).foo.which() == unknown(foo=generic[Text, Data]()).foo.which() == "uv"
    wrapper = schema.Wrapper[generic, List[generic]](value=known(foo={"foo": "x"}, rev={"foo": [{"foo": "y"}]}))
    assert wrapper.value.foo.foo.as_text() == "x" and wrapper.value.rev.foo[0].foo.as_text() == "y"
    with pytest.raises(ccapnp.EncodeTypeError):
        wrapper.value = generic[leaf, Text]()


def test_equality_is_that_of_the_messages(schema: Any) -> None:
    generic = schema.Generic
    one, other = generic[Text, Data](foo="x"), generic(foo="x")
    assert one == other and read(one) == other and hash(read(one)) == hash(read(other))
    assert one != generic[Text, Data](foo="y")


def test_reflection_knows_what_a_schema_binds(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    types = {name: field.type for name, field in schema.Uses.schema.fields.items()}
    assert types["basic"].python_type is generic[leaf, Text]
    assert types["inner"].python_type is generic[leaf, Text].Inner
    assert types["many"].element_type.python_type is generic[Text, Data]
    assert types["unbound"].python_type is generic
    assert ccapnp.schema_of(schema).nested["constant"].type.python_type is generic[leaf, Text]
    service = generic[schema.Plain, generic[Text, Text].Service[Data]]
    for bound in (generic[leaf, List[List[schema.Color]]], generic[Data, Text].Inner, generic, schema.Plain, service):
        found = ccapnp.schema_of(List[bound])
        assert found.python_type is List[bound] and found.element_type.python_type is bound
        assert found.element_type.schema is bound.schema
    values = generic[leaf, Text](list=[{"bar": "b"}]).list
    assert ccapnp.schema_of(values).element_type.python_type is generic[leaf, Text].Inner
    assert ccapnp.schema_of(List[generic[Text, Data]]) == types["many"] != ccapnp.schema_of(List[generic])
    assert hash(ccapnp.schema_of(List[generic[Text, Data]])) == hash(types["many"])
    assert types["service"] == types["service"] != types["basic"]


def test_views_and_types_can_be_pickled_and_copied(schema: Any) -> None:
    generic, leaf = schema.Generic, schema.Leaf
    types = (
        generic[leaf, Text],
        generic[leaf, Text].Inner,
        generic[leaf, Text].Inner2[List[List[schema.Color]]].DeepNest[generic[Data, ccapnp.AnyPointer]],
        generic[schema.Plain, List[generic[Text, Text]]],
        generic[Text, Text].Service[Data],
    )
    for each in types:
        assert pickle.loads(pickle.dumps(each)) is each is copy.copy(each) is copy.deepcopy(each)
    for view in (generic[leaf, Text](foo={"number": 1}), generic[leaf, Text](list=[{"bar": "b"}]).as_reader()):
        for made in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view), view.copy(), view.as_builder()):
            assert made == view and type_of(made) is type_of(view)
    values = generic[leaf, Text](list=[{"bar": "b"}]).list
    assert pickle.loads(pickle.dumps(values))[0].bar == "b" == copy.deepcopy(values)[0].bar


# ---- whole trees


def test_a_type_that_uses_itself_with_larger_parameters(schema: Any) -> None:
    def value(depth: int) -> dict[str, Any]:
        return {"next": value(depth - 1), "list": [{}, {"list": [{}]}]} if depth else {}

    tree = {"value": "x", **value(24)}
    made = schema.Grow[Text].from_dict(dict(tree))
    assert made.to_dict() == tree == read(made).to_dict()
    deepest = made
    for _ in range(24):
        deepest = deepest.next
    assert len(type_of(deepest).__qualname__) < 300
    assert read(made).to_dict(verbose=True)["list"][1]["list"] == [{"value": None, "next": None, "list": []}]
    assert str(made).count("list") == 48


def test_dicts_of_bound_types_are_verbose(schema: Any) -> None:
    found = read(schema.Either[Text, Data](foo="")).to_dict(verbose=True)
    assert found == {"foo": ""}
    inner = schema.Generic[Data, List[Kind.INT8]].Inner.new_message()
    assert inner.to_dict(verbose=True) == {"foo": b"", "bar": []}
    inner.foo = b"\xff"
    assert inner.to_dict(encode_bytes_as_base64=True) == {"foo": "/w=="}


def test_data_that_a_parameter_stands_for_comes_back_from_base64(schema: Any) -> None:
    bound = schema.Generic[Data, List[schema.Generic[Text, List[Data]]]]
    made = bound(ug={"ugFoo": b"\xfe"}, list=[{"foo": b"\xff", "bar": [{"foo": "text", "rev": {"foo": [b"\xfd"]}}]}])
    found = made.to_dict(encode_bytes_as_base64=True)
    assert found["ug"]["ugFoo"] == "/g==" and found["list"][0]["bar"][0]["foo"] == "text"
    assert bound.from_dict(found, decode_bytes_from_base64=True) == made
    found["list"][0]["bar"][0]["rev"]["foo"][0] = "?"
    with pytest.raises(ccapnp.EncodeError, match=r"^list\[0\].bar\[0\].rev.foo\[0\]: '\?' is not base64"):
        bound.from_dict(found, decode_bytes_from_base64=True)


@pytest.mark.conformance("ENC-53")
@settings(max_examples=60)
@given(bound=BOUND)
def test_nestings_of_bindings(backend: str, bound: Bound) -> None:
    text = f"@0xa1c3e5f708192b3d;{NESTINGS}struct Uses {{ field @0 :Box({bound.text}); }}"
    module = ccapnp.SchemaParser(backend=backend).load_text(text)
    named = module.Box[bound.name(module)]
    made = module.Uses.from_dict({"field": {"value": bound.value}})
    assert type_of(made.field) is type_of(made.as_reader().field) is named
    again = named.from_bytes(named.new_message(value=bound.value).to_bytes())
    assert again == made.field and again.to_dict() == {"value": bound.value} == made.field.to_dict()
    assert again.as_builder().to_dict() == again.to_dict(verbose=False)
    assert again.to_text() == made.field.to_text()
    # The other way to build: field by field.
    by_field = named.new_message()
    by_field.value = again.value
    assert by_field == again
    other = ccapnp.SchemaParser(backend="pure").load_text(text).Uses.from_dict({"field": {"value": bound.value}})
    assert other.to_bytes() == made.to_bytes() and other.to_text() == made.to_text()
