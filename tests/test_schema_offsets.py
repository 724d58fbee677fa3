"""The schema model reads schema.capnp's structs by offsets; here all are compared with the compiled schema.capnp."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any, Optional

import pytest

from ccapnp.schema import Annotation, Brand, Enumerant, Field, Kind, Method, Node, NodeKind, Type, Value, schema_capnp
from ccapnp.schema import nodes as nodes_module
from ccapnp.schema import request as request_module
from ccapnp.schema import value as value_module
from ccapnp.schema.request import Request
from ccapnp.schema.value import WIDTH_BITS

Call = tuple[str, int]
HIT: set[tuple[str, int, str, int]] = set()


class Recorder:
    """Stands for a `Record`: notes what is read, and gives chosen values, or zeros, or itself."""

    def __init__(self, values: Optional[dict[Call, int]] = None, empty: bool = False) -> None:
        self.values = values or {}
        self.calls: list[Call] = []
        self.empty = empty

    def __bool__(self) -> bool:
        return True

    def _note(self, method: str, index: int, default: Any) -> Any:
        frame = sys._getframe(2)
        HIT.add((frame.f_code.co_filename, frame.f_lineno, method, index))
        self.calls.append((method, index))
        return self.values.get((method, index), default)

    def bit(self, index: int) -> bool:
        return bool(self._note("bit", index, 0))

    def u8(self, index: int) -> Any:
        return self._note("u8", index, 0)

    def u16(self, index: int) -> Any:
        return self._note("u16", index, 0)

    def u32(self, index: int) -> Any:
        return self._note("u32", index, 0)

    def u64(self, index: int) -> Any:
        return self._note("u64", index, 0)

    def text(self, index: int) -> Any:
        return self._note("text", index, "")

    def pointer(self, index: int) -> Any:
        return self._note("pointer", index, None)

    def struct(self, index: int) -> Any:
        return self._note("struct", index, None)

    def structs(self, index: int) -> Any:
        return self._note("structs", index, [])


def place(struct: Any, path: str) -> Call:
    """How a `Record` reads the field at a dotted path; ``which`` is a union's discriminant."""
    node: Node = struct._node
    *groups, last = path.split(".")
    for name in groups:
        node = struct._registry.node(node.fields_by_name[name].group_id)
    if last == "which":
        return "u16", node.discriminant_offset
    field = node.fields_by_name[last]
    kind = field.type.kind
    if kind.is_pointer:
        is_list = kind == Kind.LIST and field.type.element is not None and field.type.element.kind == Kind.STRUCT
        return {Kind.TEXT: "text", Kind.STRUCT: "struct"}.get(kind, "structs" if is_list else "pointer"), field.offset
    return "bit" if kind == Kind.BOOL else f"u{WIDTH_BITS[kind]}", field.offset


STRUCT, ENUM, INTERFACE = NodeKind.STRUCT, NodeKind.ENUM, NodeKind.INTERFACE

NODE: list[tuple[NodeKind, str, list[str]]] = [
    (STRUCT, "display_name", ["displayName"]),
    (STRUCT, "name", ["displayName", "displayNamePrefixLength"]),
    (STRUCT, "scope_id", ["scopeId"]),
    (STRUCT, "nested", ["nestedNodes"]),
    (STRUCT, "annotations", ["annotations"]),
    (STRUCT, "parameters", ["parameters"]),
    (STRUCT, "is_generic", ["isGeneric"]),
    (STRUCT, "data_words", ["struct.dataWordCount"]),
    (STRUCT, "pointer_count", ["struct.pointerCount"]),
    (STRUCT, "is_group", ["struct.isGroup"]),
    (STRUCT, "discriminant_count", ["struct.discriminantCount"]),
    (STRUCT, "discriminant_offset", ["struct.discriminantOffset"]),
    (STRUCT, "fields", ["struct.fields"]),
    (ENUM, "enumerants", ["enum.enumerants"]),
    (INTERFACE, "methods", ["interface.methods"]),
    (INTERFACE, "superclasses", ["interface.superclasses"]),
    (NodeKind.CONST, "type", ["const.type"]),
    (NodeKind.CONST, "value", ["const.value"]),
    (NodeKind.ANNOTATION, "type", ["annotation.type"]),
]


@pytest.mark.parametrize(("kind", "attribute", "paths"), NODE)
def test_node(kind: NodeKind, attribute: str, paths: list[str]) -> None:
    record = Recorder({place(schema_capnp.Node, "which"): kind})
    node = Node(record)
    assert record.calls == [place(schema_capnp.Node, "id"), place(schema_capnp.Node, "which")]
    del record.calls[:]
    getattr(node, attribute)
    assert record.calls == [place(schema_capnp.Node, path) for path in paths]


def test_lists_of_a_node() -> None:
    def calls_of(kind: NodeKind, path: str, attribute: str) -> list[Call]:
        element = Recorder()
        node = Node(Recorder({place(schema_capnp.Node, "which"): kind, place(schema_capnp.Node, path): [element]}))
        getattr(node, attribute)
        return element.calls

    nested, parameter = schema_capnp.Node.NestedNode, schema_capnp.Node.Parameter
    assert calls_of(STRUCT, "nestedNodes", "nested") == [place(nested, "name"), place(nested, "id")]
    assert calls_of(STRUCT, "parameters", "parameters") == [place(parameter, "name")]
    superclass = schema_capnp.Superclass
    assert calls_of(INTERFACE, "interface.superclasses", "superclasses") == [
        place(superclass, "id"),
        place(superclass, "brand"),
    ]


def test_annotation() -> None:
    record = Recorder({place(schema_capnp.Annotation, "brand"): Recorder()})
    Annotation(record)
    assert record.calls == [place(schema_capnp.Annotation, path) for path in ("id", "value", "brand")]


def test_enumerant() -> None:
    record = Recorder()
    Enumerant(record, 0).annotations
    assert record.calls == [place(schema_capnp.Enumerant, path) for path in ("name", "codeOrder", "annotations")]


def test_method() -> None:
    method, parameter = schema_capnp.Method, Recorder()
    record = Recorder({place(method, "implicitParameters"): [parameter]})
    made = Method(record, 0)
    made.annotations, made.params_brand, made.results_brand
    paths = ["name", "codeOrder", "paramStructType", "resultStructType", "implicitParameters", "annotations"]
    assert record.calls == [place(method, path) for path in [*paths, "paramBrand", "resultBrand"]]
    assert parameter.calls == [place(schema_capnp.Node.Parameter, "name")]


COMMON = ["ordinal.which", "name", "codeOrder", "discriminantValue", "which"]


def test_slot() -> None:
    field = schema_capnp.Field
    record = Recorder()
    made = Field(record)
    made.type, made.default, made.annotations
    paths = [*COMMON, "slot.offset", "slot.hadExplicitDefault", "slot.type", "slot.defaultValue", "annotations"]
    assert record.calls == [place(field, path) for path in paths]
    assert field.noDiscriminant == field._node.fields_by_name["discriminantValue"].default.bits
    assert made.discriminant is None  # the bits 0 are the default


def test_group_with_an_ordinal() -> None:
    field = schema_capnp.Field
    record = Recorder({place(field, "which"): 1, place(field, "ordinal.which"): 1})
    Field(record)
    paths = ["ordinal.which", "ordinal.explicit", *COMMON[1:], "group.typeId"]
    assert record.calls == [place(field, path) for path in paths]


def type_calls(values: dict[str, Any]) -> list[Call]:
    record = Recorder({place(schema_capnp.Type, path): value for path, value in values.items()})
    Type(record)
    return record.calls


TYPE: list[tuple[dict[str, Any], list[str]]] = [
    ({"which": Kind.INT8}, []),
    ({"which": Kind.LIST}, ["list.elementType"]),
    ({"which": Kind.ENUM}, ["enum.typeId", "enum.brand"]),
    ({"which": Kind.STRUCT}, ["struct.typeId", "struct.brand"]),
    ({"which": Kind.INTERFACE}, ["interface.typeId", "interface.brand"]),
    (
        {"which": Kind.ANY_POINTER, "anyPointer.which": 0},
        ["anyPointer.which", *["anyPointer.unconstrained.which"] * 2],
    ),
    (
        {"which": Kind.ANY_POINTER, "anyPointer.which": 1},
        ["anyPointer.which", "anyPointer.parameter.scopeId", "anyPointer.parameter.parameterIndex"],
    ),
    (
        {"which": Kind.ANY_POINTER, "anyPointer.which": 2},
        ["anyPointer.which", "anyPointer.implicitMethodParameter.parameterIndex"],
    ),
]


@pytest.mark.parametrize(("values", "paths"), TYPE)
def test_type(values: dict[str, Any], paths: list[str]) -> None:
    assert type_calls(values) == [place(schema_capnp.Type, path) for path in ["which", *paths]]


def test_brand() -> None:
    brand, scope, binding = Recorder(), Recorder(), Recorder({place(schema_capnp.Brand.Binding, "which"): 1})
    brand.values[place(schema_capnp.Brand, "scopes")] = [scope]
    scope.values[place(schema_capnp.Brand.Scope, "bind")] = [binding]
    Brand(brand)
    assert brand.calls == [place(schema_capnp.Brand, "scopes")]
    assert scope.calls == [place(schema_capnp.Brand.Scope, path) for path in ("which", "bind", "scopeId")]
    assert binding.calls == [place(schema_capnp.Brand.Binding, path) for path in ("which", "type")]


@pytest.mark.parametrize("kind", Kind)
def test_value(kind: Kind) -> None:
    record = Recorder({place(schema_capnp.Value, "which"): kind})
    Value(record)
    name = union_names(schema_capnp.Value)[kind]
    method, offset = place(schema_capnp.Value, name)
    if kind.is_pointer:  # interface is Void there: no value but null can be said
        method, offset = "pointer", 0 if kind == Kind.INTERFACE else offset
    read = [] if kind == Kind.VOID else [(method, offset)]
    assert record.calls == [place(schema_capnp.Value, "which"), *read]


def union_names(struct: Any) -> list[str]:
    return [field.name for field in struct._node.union_fields]


def spoken(name: str) -> str:
    """ANY_POINTER as anyPointer."""
    first, *others = name.lower().split("_")
    return first + "".join(map(str.capitalize, others))


@pytest.mark.parametrize(("numbers", "struct"), [(NodeKind, "Node"), (Kind, "Type"), (Kind, "Value")])
def test_numbers_of_unions(numbers: Any, struct: str) -> None:
    assert [spoken(each.name) for each in sorted(numbers)] == union_names(getattr(schema_capnp, struct))


def test_kinds_of_any_pointers() -> None:
    kinds = union_names(schema_capnp.Type.AnyPointer.Unconstrained)
    assert kinds == ["anyKind", *value_module._ANY_KINDS[1:]]
    assert union_names(schema_capnp.Type.AnyPointer) == ["unconstrained", "parameter", "implicitMethodParameter"]


def test_request() -> None:
    member = Recorder()
    info = Recorder({("u64", 0): 1, ("structs", 1): [member]})
    imported = Recorder()
    file = Recorder({("structs", 1): [imported]})
    wrong_node = Recorder({place(schema_capnp.Node, "which"): STRUCT})
    record = Recorder({("structs", 0): [wrong_node], ("structs", 1): [file], ("structs", 3): [info]})

    class Codec:
        @staticmethod
        def open_flat(data: object, limits: object) -> Any:
            return Codec

        @staticmethod
        def charge_root() -> None:
            """There is one."""

        @staticmethod
        def read_struct(*arguments: object) -> Any:
            return record

    request = Request(Codec, b"")  # type: ignore[arg-type]
    request.source_info
    top = schema_capnp.CodeGeneratorRequest
    assert record.calls == [place(top, path) for path in ("nodes", "requestedFiles", "sourceInfo")]
    assert file.calls == [place(top.RequestedFile, path) for path in ("id", "filename", "imports")]
    assert imported.calls == [place(top.RequestedFile.Import, path) for path in ("id", "name")]
    source_info = schema_capnp.Node.SourceInfo
    assert set(info.calls) == {place(source_info, path) for path in ("id", "docComment", "members")}
    assert member.calls == [place(source_info.Member, "docComment")]


def test_what_does_not_make_nodes_differ() -> None:
    """`ccapnp.schema.registry.content_of` and `ccapnp.plugin.embed` leave the place in the source out."""
    assert place(schema_capnp.Node, "displayName") == ("text", 0)
    assert place(schema_capnp.Node, "displayNamePrefixLength") == ("u32", 2)
    in_sixth_word = {
        field.name
        for field in schema_capnp.Node.schema.fields_list
        if not field.is_group and WIDTH_BITS.get(field.type.kind, 0) * field.offset >= 5 * 64
    }
    assert in_sixth_word == {"startByte", "endByte"}


def test_no_offset_was_left_out() -> None:
    """Every call of a `Record` method with a number is made by the tests above."""
    HIT.clear()
    for row in NODE:
        test_node(*row)
    for kind in Kind:
        test_value(kind)
    for values, paths in TYPE:
        test_type(values, paths)
    for test in (
        test_lists_of_a_node,
        test_annotation,
        test_enumerant,
        test_method,
        test_slot,
        test_group_with_an_ordinal,
        test_brand,
        test_request,
    ):
        test()
    done = {(filename, line) for filename, line, _, _ in HIT}
    for module in (nodes_module, value_module, request_module):
        path = str(module.__file__)
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_read(node):
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                assert any((path, line) in done for line in lines), f"{path}:{node.lineno} {ast.unparse(node)}"


def is_read(call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    reads = ("bit", "u8", "u16", "u32", "u64", "text", "pointer", "struct", "structs")
    return call.func.attr in reads and len(call.args) == 1 and isinstance(call.args[0], ast.Constant)
