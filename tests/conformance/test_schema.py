"""Reflection: what schemas say of themselves, and the constants and annotations in them."""

from __future__ import annotations

import math
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp
from ccapnp import Kind, SchemaError, UnknownNameError, schema_of, type_of
from ccapnp.reflection import (
    AnnotationSchema,
    ConstSchema,
    EnumSchema,
    FileSchema,
    InterfaceSchema,
    SchemaType,
    StructSchema,
)
from ccapnp.schema.schema_capnp import CodeGeneratorRequest, Node

SCHEMA = """@0xb8f1c2d3e4a59601;
# The file.
$note("file");

annotation note(*) :Text;
annotation mark(field, struct) :Void;
annotation range(field, param) :Range;
annotation tags(struct) :List(Color);
struct Range { min @0 :Int32; max @1 :Int32; }

enum Color $note("enum") { red @0; green @2 $note("enumerant"); blue @1; }

struct Shuffled {
  qux @3 :Int32;
  grault @6 :Int32;
  bar @1 :Int32;
  foo @0 :Int32;
  corge @5 :Int32;
  waldo @8 :Int32;
  quux @4 :Int32;
  garply @7 :Int32;
  baz @2 :Int32;
}

struct Outer $note("struct") $mark $tags([blue, red]) {
  # A struct.

  number @0 :Int32 = 5 $note("field") $range(min = -1, max = 9);
  # A number.
  text @1 :Text;
  union { plain @2 :Void; inner @3 :Inner; }
  named :union $note("union") { first @4 :Int8; second @5 :Text = "s"; }
  group :group $note("group") { x @6 :Int16; }
  color @7 :Color = green;
  service @8 :Service;
  lists @9 :List(List(Outer));
  any @10 :AnyPointer;
  zero @11 :Int32 = 0;

  struct Inner { outer @0 :Outer; shade @1 :Shade; enum Shade { dark @0; light @1; } const most :Int8 = 7; }
}

struct Every {
  void @0 :List(Void); bool @1 :List(Bool); int8 @2 :List(Int8); int16 @3 :List(Int16); int32 @4 :List(Int32);
  int64 @5 :List(Int64); uInt8 @6 :List(UInt8); uInt16 @7 :List(UInt16); uInt32 @8 :List(UInt32);
  uInt64 @9 :List(UInt64); float32 @10 :List(Float32); float64 @11 :List(Float64); text @12 :List(Text);
  data @13 :List(Data); color @14 :List(Color); range @15 :List(Range); lists @16 :List(List(Int8));
  service @17 :List(Service);
}

interface Base { ping @0 (); }
interface Other extends(Base) { pong @0 (); }
interface Left extends(Base) { left @0 (); ping @1 (); }
interface Service extends(Left, Other) $note("interface") {
  call @1 (a :Int32 = 3 $note("param"), b :Int32, c :Text = "") -> (d :Color $note("result")) $note("method");
  swap @0 Range -> Outer;
}

struct Box(T) { value @0 :T; struct Lid(U) { value @0 :U; } }

struct NoCapabilities { next @0 :NoCapabilities; other @1 :List(Cycle); struct Cycle { back @0 :NoCapabilities; } }
struct DeepCapability {
  next @0 :List(List(Holder));
  struct Holder { back @0 :DeepCapability; it :group { c @1 :Base; } }
}

const number :Int32 = 12 $note("const");
const range1 :Range = (min = 1, max = 2);
"""


@pytest.fixture(scope="session")
def module(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


# ---- structs


@pytest.mark.conformance("SCH-01", "PYC-16", "CPY-08")
def test_a_struct_knows_its_names_and_fields(module: Any) -> None:
    schema = module.Outer.schema
    assert isinstance(schema, StructSchema) and schema.as_struct() is schema
    assert schema.id == module.Outer._node_id == schema.node.id
    assert schema.display_name == "test.capnp:Outer" == schema.node.displayName
    assert (schema.short_display_name, module.Outer.Inner.schema.short_display_name) == ("Outer", "Inner")
    assert module.Outer.Inner.schema.scoped_name == "Outer.Inner"
    assert len(schema.fields) == len(schema.fields_list) == len(schema.node.struct.fields)
    assert schema.fieldnames == tuple(schema.fields) == tuple(field.name for field in schema.node.struct.fields)
    assert schema.union_fields == ("plain", "inner")
    assert set(schema.non_union_fields) == set(schema.fieldnames) - {"plain", "inner"}


@pytest.mark.conformance("SCH-01")
def test_a_schema_is_of_one_kind(module: Any) -> None:
    for schema, own in (
        (module.Outer.schema, "as_struct"),
        (module.Color.schema, "as_enum"),
        (module.Service.schema, "as_interface"),
        (schema_of(module).nested["number"], "as_const"),
        (schema_of(module), None),
        (module.note.schema, None),
    ):
        for convert in ("as_struct", "as_enum", "as_interface", "as_const"):
            if convert == own:
                assert getattr(schema, convert)() is schema
            else:
                with pytest.raises(TypeError, match=f"^test.capnp.* is an? {schema.what}, not an? "):
                    getattr(schema, convert)()


@pytest.mark.conformance("SCH-01")
def test_what_a_schema_has_not_is_an_error_that_says_what_it_is(module: Any) -> None:
    with pytest.raises(AttributeError, match="test.capnp:Color is an enum: its schema has no 'fields'"):
        module.Color.schema.fields
    with pytest.raises(AttributeError, match="Outer is a struct: its schema has no 'feilds'; did you mean 'fields'"):
        module.Outer.schema.feilds
    assert not hasattr(module.Service.schema, "enumerants")


@pytest.mark.conformance("SCH-01")
def test_a_schema_gives_the_types_that_it_uses_by_id(module: Any) -> None:
    schema = module.Outer.schema
    for used in (module.Outer, module.Outer.Inner, module.Color, module.Service, module.Outer.Group):
        assert schema.dependency(used.schema.id) is used.schema
    for unused in (module.Range.schema.id, 0x1234):
        with pytest.raises(SchemaError, match=f"Outer uses no type with the id {unused:#018x}"):
            schema.dependency(unused)
    assert schema_of(module).nested["range1"].dependency(module.Range.schema.id) is module.Range.schema


@pytest.mark.conformance("SCH-01")
def test_a_field_knows_its_place(module: Any) -> None:
    fields = module.Outer.schema.fields
    first = module.Outer.schema.fields_list[0]
    assert (first.name, first.index, first.ordinal, first.code_order) == ("number", 0, 0, 0)
    assert first == fields["number"] and hash(first) == hash(fields["number"]) and first != fields["text"]
    assert first != module.Range.schema.fields_list[0] and first != "number"
    assert first.containing_struct is module.Outer.schema
    assert (fields["number"].offset, fields["text"].offset, fields["inner"].discriminant) == (0, 0, 1)
    assert fields["number"].discriminant is None
    assert first.proto.slot.offset == 0 and first.proto.name == "number"
    assert repr(first) == "<field Outer.number: Int32>"


@pytest.mark.conformance("SCH-01")
def test_a_field_is_found_by_name_or_not(module: Any) -> None:
    fields = module.Outer.schema.fields
    assert "number" in fields and "nubmer" not in fields and fields.get("nubmer") is None and 3 not in fields
    with pytest.raises(UnknownNameError) as caught:
        fields["nubmer"]
    assert str(caught.value) == "test.capnp:Outer has no field 'nubmer'; did you mean 'number' or 'named' or 'inner'?"
    assert caught.value.nearest == ("number", "named", "inner") and isinstance(caught.value, KeyError)


@pytest.mark.conformance("SCH-01")
def test_a_field_knows_its_default(module: Any) -> None:
    fields = module.Outer.schema.fields
    defaults = {name: field.default for name, field in fields.items()}
    assert (defaults["number"], defaults["text"], defaults["color"]) == (5, "", module.Color.green)
    assert defaults["inner"].to_dict() == {"shade": "dark"} and len(defaults["lists"]) == 0
    assert defaults["plain"] is None and defaults["group"] is None
    explicit = {name for name, field in fields.items() if field.had_explicit_default}
    assert explicit == {"number", "color", "zero"}


@pytest.mark.conformance("SCH-02")
def test_fields_are_in_the_order_of_their_ordinals(module: Any) -> None:
    fields = module.Shuffled.schema.fields
    names = ["foo", "bar", "baz", "qux", "quux", "corge", "grault", "garply", "waldo"]
    assert list(fields) == names
    assert [(field.index, field.ordinal) for field in fields.values()] == [(index, index) for index in range(9)]
    in_text = sorted(fields.values(), key=lambda field: field.code_order)
    assert [each.name for each in in_text] == ["qux", "grault", "bar", "foo", "corge", "waldo", "quux", "garply", "baz"]
    assert [fields[name].name for name in reversed(names)] == names[::-1]


@pytest.mark.conformance("SCH-03")
def test_members_of_a_named_union_are_in_a_group(module: Any) -> None:
    schema, named = module.Outer.schema, module.Outer.Named.schema
    assert "first" not in schema.fields and "x" not in schema.fields
    field = schema.fields["named"]
    assert field.is_group and field.schema is named and field.type.kind == Kind.STRUCT and field.ordinal is None
    assert named.is_group and not schema.is_group and named.scope is schema and named.node.scopeId == schema.id
    assert named.union_fields == ("first", "second") and named.discriminant_count == 2
    for member in named.fields_list:
        assert member.containing_struct is named
    assert named.fields["second"].default == "s"
    assert schema.fields["group"].type.python_type is module.Outer.Group
    assert schema.fields["group"].schema.fieldnames == ("x",)


@pytest.mark.conformance("SCH-06")
def test_members_of_an_unnamed_union_are_fields_of_the_struct(module: Any) -> None:
    schema = module.Outer.schema
    assert [schema.fields[name].discriminant for name in schema.union_fields] == [0, 1]
    assert schema.fields["inner"].containing_struct is schema
    assert "" not in schema.fields
    with pytest.raises(UnknownNameError, match="has no field ''"):
        schema.fields[""]


# ---- enums


@pytest.mark.conformance("SCH-04", "PYC-16")
def test_an_enum_knows_its_enumerants(module: Any) -> None:
    schema = module.Color.schema
    assert isinstance(schema, EnumSchema) and schema is schema_of(module.Color) is schema_of(module.Color.red)
    assert {name: each.ordinal for name, each in schema.enumerants.items()} == {"red": 0, "blue": 1, "green": 2}
    green = schema.enumerants["green"]
    assert (green.index, green.code_order, green.member) == (2, 1, module.Color.green)
    assert green.containing_enum is schema and green == schema.enumerants["green"] != schema.enumerants["red"]
    assert repr(green) == "<enumerant Color.green = 2>"
    with pytest.raises(UnknownNameError, match="test.capnp:Color has no enumerant 'gren'; did you mean 'green'"):
        schema.enumerants["gren"]
    assert schema_of(module.Color(77)) is schema


# ---- lists


@pytest.mark.conformance("SCH-05", "PYC-16")
def test_lists_know_the_types_of_their_elements(module: Any) -> None:
    fields = module.Every.schema.fields
    plain = [Kind[name.upper()] for name in list(fields)[:14]]
    assert [field.schema.element_type.kind for field in fields.values()] == [
        *plain,
        Kind.ENUM,
        Kind.STRUCT,
        Kind.LIST,
        Kind.INTERFACE,
    ]
    for field in list(fields.values())[:14]:
        assert field.type.element_type.schema is None
        for convert in ("as_struct", "as_enum", "as_interface"):
            with pytest.raises(TypeError, match="is neither a struct nor an enum nor an interface"):
                getattr(field.type.element_type, convert)()
        with pytest.raises(TypeError, match="is not a list: it has no elements"):
            field.type.element_type.element_type
    assert fields["color"].type.element_type.as_enum() is module.Color.schema
    assert fields["range"].type.element_type.as_struct() is module.Range.schema
    assert fields["service"].type.element_type.as_interface() is module.Service.schema
    assert fields["lists"].type.element_type.element_type.kind == Kind.INT8
    for name, wrong in (("color", "as_struct"), ("range", "as_enum"), ("service", "as_enum")):
        with pytest.raises(TypeError, match=" is an? (enum|struct|interface), not an? "):
            getattr(fields[name].type.element_type, wrong)()


@pytest.mark.conformance("SCH-05")
def test_the_schema_of_a_list_is_that_of_its_field(module: Any) -> None:
    view = module.Every.new_message()
    for name, field in module.Every.schema.fields.items():
        found = ccapnp.get_field(view, name)
        assert schema_of(found) == schema_of(type_of(found)) == field.type == field.schema
        assert hash(schema_of(found)) == hash(field.type) and field.type.python_type is type_of(found)
    assert schema_of(ccapnp.List[module.Range]) == module.Every.schema.fields["range"].type
    assert schema_of(ccapnp.List[ccapnp.List[Kind.INT8]]) == module.Every.schema.fields["lists"].type
    assert schema_of(ccapnp.List[ccapnp.Text]).element_type.kind == Kind.TEXT
    assert schema_of(ccapnp.List[Kind.INT8]) != schema_of(ccapnp.List[Kind.UINT8])
    for name in ("AnyPointer", "AnyStruct", "AnyList", "Capability"):
        assert str(schema_of(ccapnp.List[getattr(ccapnp, name)])) == f"List({name})"
    assert str(module.Outer.schema.fields["lists"].type) == "List(List(Outer))"


# ---- interfaces


@pytest.mark.conformance("SCH-08", "PYC-16")
def test_an_interface_knows_its_methods(module: Any) -> None:
    schema = module.Service.schema
    assert isinstance(schema, InterfaceSchema) and schema is schema_of(module.Service)
    assert schema.method_names == ("swap", "call")
    call = schema.methods["call"]
    assert (call.name, call.ordinal, call.index, call.code_order) == ("call", 1, 1, 0)
    assert call.containing_interface is schema and call == schema.methods["call"] != schema.methods["swap"]
    assert call.param_type is module.Service.CallParams.schema and call.param_type.scope is None
    assert call.param_type.fieldnames == ("a", "b", "c") and call.result_type.fieldnames == ("d",)
    assert [each.had_explicit_default for each in call.param_type.fields.values()] == [True, False, True]
    assert schema.methods["swap"].param_type is module.Range.schema
    assert schema.methods["swap"].result_type is module.Outer.schema
    with pytest.raises(UnknownNameError, match="test.capnp:Service has no method 'cal'; did you mean 'call'"):
        schema.methods["cal"]
    assert schema.dependency(module.Left.schema.id) is module.Left.schema
    assert schema.dependency(call.param_type.id) is call.param_type


@pytest.mark.conformance("SCH-08")
def test_an_interface_knows_what_it_extends(module: Any) -> None:
    base, left, other, service = (getattr(module, name).schema for name in ("Base", "Left", "Other", "Service"))
    assert service.superclasses == (left, other) and base.superclasses == ()
    assert all(service.extends(each) for each in (service, left, other, base)) and left.extends(base)
    assert not base.extends(left) and not left.extends(other)
    assert service.method_names_inherited == ("swap", "call", "left", "ping", "pong")
    assert service.methods_inherited["ping"] is not base.methods["ping"]
    assert service.methods_inherited["ping"].containing_interface is left
    assert service.methods_inherited["pong"].containing_interface is other


# ---- types


@pytest.mark.conformance("PYC-16")
def test_a_type_knows_what_stands_for_it_in_python(module: Any) -> None:
    types = {name: field.type.python_type for name, field in module.Outer.schema.fields.items()}
    assert types["number"] is int and types["text"] is str and types["plain"] is type(None)
    assert types["inner"] is module.Outer.Inner and types["color"] is module.Color
    assert types["service"] is module.Service and types["any"] is ccapnp.AnyPointer
    assert types["lists"] is ccapnp.List[ccapnp.List[module.Outer]]
    elements = [field.type.element_type.python_type for field in module.Every.schema.fields_list[:14]]
    assert elements == [type(None), bool, *[int] * 8, float, float, str, bytes]
    view = module.Outer.new_message(number=1, inner={})
    for name in ("number", "text", "inner", "color"):
        assert isinstance(ccapnp.get_field(view, name), types[name])


@pytest.mark.conformance("PYC-16")
def test_a_field_without_a_schema_has_none(module: Any) -> None:
    fields = module.Outer.schema.fields
    assert fields["number"].schema is None and fields["text"].schema is None and fields["any"].schema is None
    assert fields["inner"].schema is module.Outer.Inner.schema and fields["color"].schema is module.Color.schema


@pytest.mark.conformance("SCH-10")
def test_a_type_knows_whether_its_messages_can_hold_capabilities(module: Any) -> None:
    for name, expected in {
        "NoCapabilities": False,
        "Range": False,
        "Shuffled": False,
        "DeepCapability": True,
        "Outer": True,
        "Every": True,
        "Box": True,
    }.items():
        assert getattr(module, name).schema.may_contain_capabilities is expected, name


# ---- what has a schema


@pytest.mark.conformance("PYC-16")
def test_everything_that_has_a_schema_gives_it(module: Any) -> None:
    schema, builder = module.Outer.schema, module.Outer.new_message(inner={})
    reader = builder.as_reader()
    for thing in (schema, module.Outer, module.Outer.Reader, module.Outer.Builder, builder, reader):
        assert schema_of(thing) is schema
    assert builder.schema is reader.schema is type(builder).schema is module.Outer.Reader.schema is schema
    assert builder.inner.schema is module.Outer.Inner.schema and builder.group.schema is module.Outer.Group.schema
    assert type_of(builder) is type_of(reader) is module.Outer and type_of(module.Color.red) is module.Color
    assert issubclass(type(reader), module.Outer) and not issubclass(type(reader), module.Range)
    assert isinstance(schema_of(ccapnp.Text), SchemaType) and schema_of(Kind.BOOL).kind == Kind.BOOL


@pytest.mark.conformance("SCH-07", "PYC-16")
def test_what_has_no_schema_is_a_type_error(module: Any) -> None:
    """There are no null schemas: what is of no schema says so."""
    for thing in (3, "text", None, int, ccapnp, ccapnp.Struct, ccapnp.StructReader, ccapnp.Interface, ccapnp.Enum):
        with pytest.raises(TypeError, match="has no schema"):
            schema_of(thing)
    assert not hasattr(ccapnp.Enum, "schema")
    for base in (ccapnp.Struct, ccapnp.Interface, ccapnp.StructReader):
        with pytest.raises(AttributeError, match=f"{base.__name__} is of no schema"):
            base.schema
    for value in (3, module.Outer, module):
        with pytest.raises(TypeError, match="is no value of a schema's type"):
            type_of(value)


@pytest.mark.conformance("PYC-16")
def test_a_field_called_schema_comes_first(compile_schema: Callable[[str], ModuleType]) -> None:
    module = compile_schema(
        """
        struct Named { schema @0 :Int32; fields @1 :Text; struct Schema {} }
        struct Constant { const schema :Int8 = 3; x @0 :Int8; }
        enum Names { schema @0; name @1; }
        """
    )
    builder = module.Named.new_message(schema=5)
    assert builder.schema == builder.as_reader().schema == 5 and module.Named.schema is schema_of(builder)
    assert schema_of(module.Named.Reader) is schema_of(module.Named) and list(module.Named.schema.fields)[0] == "schema"
    assert module.Constant.schema == 3 and schema_of(module.Constant).fieldnames == ("x",)
    assert module.Constant.new_message().schema is schema_of(module.Constant)
    assert module.Names.schema is module.Names(0) and list(schema_of(module.Names).enumerants) == ["schema", "name"]


@pytest.mark.conformance("PYC-16", "PYC-01")
def test_a_module_knows_its_file(module: Any) -> None:
    schema = schema_of(module)
    assert isinstance(schema, FileSchema) and schema.display_name == "test.capnp" and schema.scope is None
    assert schema.nested["Outer"] is module.Outer.schema and module.Outer.schema.scope is schema
    assert module.Outer.schema.nested["Inner"] is module.Outer.Inner.schema
    assert isinstance(schema.nested["number"], ConstSchema) and isinstance(schema.nested["note"], AnnotationSchema)
    assert module.Outer.Inner.schema.nested["most"].value == module.Outer.Inner.most == 7
    assert module.Outer.Inner.schema.nested["most"].type.kind == Kind.INT8
    with pytest.raises(UnknownNameError, match="has no declaration 'Outre'; did you mean 'Outer'"):
        schema.nested["Outre"]


@pytest.mark.conformance("PYC-16")
def test_a_schema_knows_its_parameters(module: Any) -> None:
    assert module.Box.schema.parameters == ("T",) and module.Box.Lid.schema.parameters == ("U",)
    assert module.Box.Lid.schema.is_generic and not module.Range.schema.is_generic


@pytest.mark.conformance("PYC-16")
def test_comments_are_kept(module: Any) -> None:
    assert schema_of(module).doc == module.__doc__ == "The file."
    assert module.Outer.schema.doc == module.Outer.__doc__ == "A struct."
    assert module.Outer.schema.fields["number"].doc == "A number."
    assert module.Outer.schema.fields["text"].doc is None and module.Range.schema.doc is None
    assert module.Color.schema.doc is None


@pytest.mark.conformance("SCH-01")
def test_a_schema_is_equal_to_itself_alone(module: Any) -> None:
    assert len({module.Outer.schema, schema_of(module.Outer), module.Range.schema}) == 2
    newer = ccapnp.SchemaParser().load_text(SCHEMA, "test.capnp")
    assert newer.Outer.schema != module.Outer.schema and newer.Outer.schema.id == module.Outer.schema.id
    assert repr(module.Outer.schema) == "<schema of struct test.capnp:Outer>"


# ---- annotations


@pytest.mark.conformance("PYC-01", "PYC-16", "CPY-08")
def test_annotations_are_found_by_their_declaration(module: Any) -> None:
    note, schema = module.note, module.Outer.schema
    call = module.Service.schema.methods["call"]
    for carrier, value in (
        (schema_of(module), "file"),
        (schema, "struct"),
        (module.Color.schema, "enum"),
        (module.Service.schema, "interface"),
        (schema_of(module).nested["number"], "const"),
        (schema.fields["number"], "field"),
        (schema.fields["group"], "group"),
        (schema.fields["named"], "union"),
        (module.Color.schema.enumerants["green"], "enumerant"),
        (call, "method"),
        (call.param_type.fields["a"], "param"),
        (call.result_type.fields["d"], "result"),
    ):
        assert carrier.annotations[note] == note.find(carrier) == value
    assert note.find(module) == "file" and note.find(module.Outer) == "struct" and note.find(module.Color) == "enum"


@pytest.mark.conformance("PYC-01", "PYC-16", "CPY-08")
def test_annotations_have_values_of_every_kind(module: Any) -> None:
    annotations = module.Outer.schema.annotations
    assert list(annotations) == [module.note, module.mark, module.tags] and len(annotations) == 3
    assert annotations[module.mark] is True
    assert list(annotations[module.tags]) == [module.Color.blue, module.Color.red]
    number = module.Outer.schema.fields["number"].annotations[module.range]
    assert isinstance(number, module.Range.Reader) and (number.min, number.max) == (-1, 9)
    assert dict(module.Outer.schema.fields["text"].annotations) == {}


@pytest.mark.conformance("PYC-16")
def test_an_annotation_that_is_not_there_is_an_error(module: Any) -> None:
    text = module.Outer.schema.fields["text"]
    assert module.note not in text.annotations and module.note.find(text) is None
    assert text.annotations.get(module.note) is None and "note" not in module.Outer.schema.annotations
    with pytest.raises(UnknownNameError, match="^Outer.text does not carry <annotation test.capnp:note>"):
        text.annotations[module.note]


@pytest.mark.conformance("ENC-50")
def test_names_for_other_languages_change_nothing(compile_schema: Callable[[str], ModuleType]) -> None:
    """Python has the schema's own names; those for C++ can be read, and the wire is the same."""
    plain = (
        "struct Named%s { field @0 :Int32%s; other @1 :Text; union { a @2 :Int8%s; b @3 :Void; } } enum E { x @0%s; }"
    )
    renamed = [' $Cxx.name("Better")', ' $Cxx.name("improved")', ' $Cxx.name("c")', ' $Cxx.name("y")']
    source = f'using Cxx = import "/capnp/c++.capnp";\n{plain % tuple(renamed)}'
    renamed_module, plain_module = compile_schema(source), compile_schema(plain % ("", "", "", ""))
    assert renamed_module.Named.schema.fieldnames == plain_module.Named.schema.fieldnames
    data = renamed_module.Named.new_message(field=3, other="o", a=4).to_bytes()
    assert data == plain_module.Named.new_message(field=3, other="o", a=4).to_bytes()
    (annotation,) = renamed_module.Named.schema.fields["field"].annotations
    assert annotation.schema.display_name.endswith("c++.capnp:name") and annotation.id == 0xF264A779FEF191CE
    assert annotation.find(renamed_module.Named) == "Better" and annotation.find(renamed_module.E.x) is None
    assert annotation.find(renamed_module.E.schema.enumerants["x"]) == "y"


# ---- nested and imported types


@pytest.mark.conformance("ENC-33")
def test_the_nearest_of_two_types_of_one_name_is_meant(compile_schema: Callable[[str], ModuleType]) -> None:
    module = compile_schema(
        """
        enum Kind { foo @0; bar @1; }
        struct Holder {
          enum Kind { baz @0; qux @1; quux @2; }
          struct Item { kind @0 :Kind = quux; outer @1 :Outer = bar; }
          using Outer = .Kind;
          inner @0 :Kind = quux;
          outer @1 :Outer = bar;
          item @2 :Item;
          items @3 :List(Item) = [(kind = qux)];
        }
        struct User { using Holder.Item; item @0 :Item = (kind = baz); kind @1 :Holder.Kind = qux; }
        """
    )
    empty = module.Holder.new_message().as_reader()
    assert empty.inner is module.Holder.Kind.quux and empty.outer is module.Kind.bar
    assert empty.item.kind is module.Holder.Kind.quux and empty.item.outer is module.Kind.bar
    assert empty.items[0].kind is module.Holder.Kind.qux
    user = module.User.new_message()
    assert type_of(user.item) is module.Holder.Item and user.item.kind is module.Holder.Kind.baz
    assert user.kind is module.Holder.Kind.qux
    assert module.Holder.schema.fields["outer"].schema is module.Kind.schema


@pytest.mark.conformance("ENC-34", "PYC-01", "CPY-08")
def test_types_of_other_files(backend: str) -> None:
    imports = {
        "lib.capnp": '@0xb8f1c2d3e4a59611; using Deep = import "deep.capnp"; struct Held { deep @0 :Deep.Deep; }',
        "deep.capnp": "@0xb8f1c2d3e4a59612; struct Deep { x @0 :Int32 = 4; } const origin :Deep = (x = 9);",
    }
    text = """@0xb8f1c2d3e4a59613;
    using Lib = import "/lib.capnp";
    struct User { held @0 :Lib.Held; node @1 :import "/capnp/schema.capnp".Node; held2 @2 :List(Lib.Held); }
    const copied :import "/deep.capnp".Deep = import "/deep.capnp".origin;
    """
    module = ccapnp.load_text(text, "user.capnp", imports=imports, backend=backend)
    user = module.User.new_message(held={"deep": {"x": 5}}, node={"id": 7, "file": None}, held2=[{}])
    assert user.held.deep.x == 5 and user.held2[0].deep.x == 4 and user.node.which() == "file"
    held = module.User.schema.fields["held"].schema
    assert held.display_name == "lib.capnp:Held" and held.fields["deep"].schema.display_name == "deep.capnp:Deep"
    assert module.User.schema.fields["node"].schema.id == 0xE682AB4CF923A417
    assert module.copied.x == 9
    library = ccapnp.load_text(imports["deep.capnp"], "deep.capnp", backend=backend)
    assert library.Deep is type_of(user.held.deep) and library.Deep.schema.scope is schema_of(library)


# ---- constants

CONSTANTS = """
const void :Void = void; const bool :Bool = true;
const int8 :Int8 = -123; const int16 :Int16 = -12345; const int32 :Int32 = -12345678;
const int64 :Int64 = -123456789012345; const uInt8 :UInt8 = 234; const uInt16 :UInt16 = 45678;
const uInt32 :UInt32 = 3456789012; const uInt64 :UInt64 = 12345678901234567890;
const float32 :Float32 = 1234.5; const float64 :Float64 = -123e45;
const text :Text = "foo"; const data :Data = "bar"; const hex :Data = 0x"00 ff";
const enum :Color = green; const struct :Point = (x = 1, label = "p");
const voids :List(Void) = [void, void]; const bools :List(Bool) = [true, false];
const int8s :List(Int8) = [111, -111]; const uInt64s :List(UInt64) = [11111111111111111111];
const float32s :List(Float32) = [5555.5, inf, -inf, nan]; const texts :List(Text) = ["plugh", "xyzzy"];
const datas :List(Data) = ["oops", 0x"01"]; const structs :List(Point) = [(x = 2), .struct];
const enums :List(Color) = [blue, red]; const lists :List(List(Int16)) = [[1], [], [2, 3]];

const copied :Int32 = .int32;
const derived :Point = (x = Holder.most, label = .text, numbers = .int8s);
const listOfText :List(Text) = Holder.few;
const whole32 :Float32 = 456; const whole64 :Float64 = 4e30; const whole :Float64 = -123;
const adjacent :Text = "one " "two\\n" "three";

enum Color { red @0; green @1; blue @2; }
struct Point { x @0 :Int32; label @1 :Text; numbers @2 :List(Int8); texts @3 :List(Text); }
struct Holder {
  const most :Int32 = 77;
  const first :Point = (x = .copied, texts = .texts); const few :List(Text) = .texts;
  whole @0 :Float32 = 123; big @1 :Float64 = 2e30; preset @2 :Point = .struct; number @3 :Int32 = Holder.most;
}
"""

VALUES: dict[str, Any] = {
    "void": None,
    "bool": True,
    "int8": -123,
    "int16": -12345,
    "int32": -12345678,
    "int64": -123456789012345,
    "uInt8": 234,
    "uInt16": 45678,
    "uInt32": 3456789012,
    "uInt64": 12345678901234567890,
    "float32": 1234.5,
    "float64": -123e45,
    "text": "foo",
    "data": b"bar",
    "hex": b"\0\xff",
    "enum": 1,
    "voids": [None, None],
    "bools": [True, False],
    "int8s": [111, -111],
    "uInt64s": [11111111111111111111],
    "texts": ["plugh", "xyzzy"],
    "datas": [b"oops", b"\1"],
    "enums": [2, 0],
    "lists": [[1], [], [2, 3]],
}
"""The constants that are equal to plain values."""


@pytest.fixture(scope="session")
def constants(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(CONSTANTS)


@pytest.mark.conformance("ENC-43", "PYC-01", "PYC-16", "CPY-08")
@pytest.mark.parametrize("name", VALUES)
def test_a_constant_is_in_the_module_and_in_its_schema(constants: Any, name: str) -> None:
    schema, expected = schema_of(constants).nested[name], VALUES[name]
    for value in (getattr(constants, name), schema.value):
        assert value == expected and (not isinstance(expected, (bool, bytes, float)) or type(value) is type(expected))
    assert schema.as_const() is schema and schema.type.kind.name in ("LIST", name.upper(), "DATA")


@pytest.mark.conformance("ENC-43")
def test_constants_that_are_structs_or_hold_nan(constants: Any) -> None:
    for value in (constants.struct, schema_of(constants).nested["struct"].value):
        assert isinstance(value, constants.Point.Reader) and value.to_dict() == {"x": 1, "label": "p"}
    assert [each.to_dict() for each in constants.structs] == [{"x": 2}, {"x": 1, "label": "p"}]
    assert constants.enum is constants.Color.green and constants.enums[0] is constants.Color.blue
    assert constants.float32s[:3] == [5555.5, math.inf, -math.inf] and math.isnan(constants.float32s[3])


@pytest.mark.conformance("ENC-45")
def test_constants_are_made_of_others(constants: Any) -> None:
    assert constants.copied == constants.int32 and constants.Holder.first.x == constants.copied
    assert constants.derived.to_dict() == {"x": 77, "label": "foo", "numbers": [111, -111]}
    assert list(constants.listOfText) == ["plugh", "xyzzy"] == list(constants.Holder.first.texts)
    view = constants.Holder.new_message()
    assert view.preset == constants.struct and view.number == constants.Holder.most == 77
    assert constants.adjacent == "one two\nthree"


@pytest.mark.conformance("ENC-45")
def test_a_block_of_text(backend: str) -> None:
    """Of each line, all behind the back-tick; a line in quotes may stand among them, and has escapes."""
    text = """@0xb8f1c2d3e4a59621;
    const block :Text =
        `foo bar\\n "baz"
        `  qux # no comment
        "quoted\\tline\\n"
        `
        `end
    ;
    """
    module = ccapnp.load_text(text, "block.capnp", backend=backend)
    assert module.block == 'foo bar\\n "baz"\n  qux # no comment\nquoted\tline\n\nend\n'


@pytest.mark.conformance("ENC-46")
def test_files_are_embedded(backend: str, tmp_path: Path) -> None:
    point = "struct Point { x @0 :Int32; label @1 :Text; more @2 :Point; }"
    source = f"@0xb8f1c2d3e4a59631; {point}"
    built = ccapnp.load_text(source, "embed.capnp", backend=backend)
    message = built.Point.new_message(x=5, label="é", more={"x": 6})
    (tmp_path / "packed").write_bytes(message.to_bytes_packed())
    (tmp_path / "text.txt").write_text(message.to_text(), encoding="utf-8")
    (tmp_path / "message").write_bytes(message.to_bytes())
    (tmp_path / "embed.capnp").write_text(
        f"""@0xb8f1c2d3e4a59632; {point}
        const data :Data = embed "packed";
        const text :Text = embed "text.txt";
        const message :Point = embed "message";
        """
    )
    module = ccapnp.load(str(tmp_path / "embed.capnp"), backend=backend)
    assert module.data == message.to_bytes_packed() and module.text == message.to_text()
    assert module.message.to_dict() == message.to_dict() == module.Point.from_bytes_packed(module.data).to_dict()


@pytest.mark.conformance("ENC-52")
def test_whole_numbers_are_floats_where_the_type_is(constants: Any) -> None:
    view = constants.Holder.from_segments([bytes(8)])
    for value, expected in (
        (view.whole, 123.0),
        (view.big, 2e30),
        (constants.whole32, 456.0),
        (constants.whole64, 4e30),
        (constants.whole, -123.0),
    ):
        assert value == expected and type(value) is float
    assert constants.Holder.schema.fields["whole"].default == 123.0


# ---- schemas as messages


@pytest.mark.conformance("PYC-16", "SCH-01")
def test_schemas_that_are_sent_as_messages_are_loaded(module: Any, backend: str) -> None:
    """The nodes of reflection are structs of schema.capnp: together they are a request, and so a module again."""
    found, waiting = {}, [schema_of(module)]
    while waiting:
        schema = waiting.pop()
        if schema.id not in found:
            found[schema.id] = schema
            waiting += schema.nested.values()
            if isinstance(schema, StructSchema):
                waiting += [field.schema for field in schema.fields.values() if field.is_group]
            if isinstance(schema, InterfaceSchema):
                waiting += [
                    each for method in schema.methods.values() for each in (method.param_type, method.result_type)
                ]
    assert all(isinstance(schema.node, Node.Reader) for schema in found.values())
    file = {"id": schema_of(module).id, "filename": "test.capnp"}
    request = CodeGeneratorRequest(nodes=[schema.node for schema in found.values()], requestedFiles=[file])
    again = ccapnp.load_request(request.to_bytes(), backend=backend)
    assert again.Outer is module.Outer and again.number == module.number
    assert {name: each.id for name, each in schema_of(again).nested.items()} == {
        name: each.id for name, each in schema_of(module).nested.items()
    }
