"""Every legal name works: keywords, builtins, and names that the library has itself."""

from __future__ import annotations

import math
from typing import Any

import ccapnp


def test_keywords_get_an_underscore(module: Any) -> None:
    none = module.None_.new_message(from_="x", **{"import": True})
    assert (none.from_, none.import_) == ("x", True)
    assert none.to_dict() == {"a": 0, "from": "x", "import": True}
    assert module.class_.id
    assert module.import_.id
    assert module.Consts.class_ == 8


def test_types_named_like_those_of_every_struct(module: Any) -> None:
    true = module.True_.new_message(r={"y": 1}, b={"z": 2}, reader={"q": 3})
    assert isinstance(true, module.True_.Builder)
    assert isinstance(true.as_reader(), module.True_.Reader)
    assert isinstance(true.r, module.True_.Reader_)
    assert isinstance(true.b, module.True_.Builder_)
    assert isinstance(true.reader, module.True_.Reader__)
    assert (true.r.y, true.b.z, true.reader.q) == (1, 2, 3)


def test_types_named_like_the_base_classes(module: Any) -> None:
    assert module.Struct.new_message().enum.v == 4
    assert module.Enum.new_message().u.which() == "foo"
    assert issubclass(module.Interface.new_message().__class__, module.Interface)
    assert issubclass(module.SchemaFile, ccapnp.Interface)


def test_enumerants(module: Any) -> None:
    names = module.Struct.Enum.Names
    assert [member.name for member in names] == [
        *("name", "value", "mro_", "none", "class_", "real", "imag", "numerator", "denominator", "conjugate"),
        *("names", "values", "self", "cls", "from_"),
    ]
    assert [member.value for member in names] == list(range(15))
    assert names.name.value == 0
    assert names.value.name == "value"
    for member in ("name", "value", "mro", "class", "real", "self"):
        struct = module.Struct.new_message(e=member)
        assert struct.to_dict()["e"] == member


def test_fields_win_over_methods(module: Any) -> None:
    values = {"schema": 1, "which": 2, "init": 3, "write": 4, "copy": 5, "from": 6, "class": 7, "mro": 8, "read": 9}
    fields = module.Fields.from_dict(values)
    assert (fields.schema, fields.which, fields.init, fields.write, fields.copy, fields.mro) == (1, 2, 3, 4, 5, 8)
    assert ccapnp.which(fields) == "read"
    assert ccapnp.copy(fields).from_ == 6
    assert module.Fields.from_bytes(ccapnp.to_bytes(fields)).class_ == 7


def test_constants_win_over_methods(module: Any) -> None:
    consts = module.Consts
    assert (consts.schema, consts.read, list(consts.mro), consts.name, consts.module) == (5, "x", [1], 1, "m")
    assert math.isnan(consts.float)
    assert consts.inf == -math.inf
    assert module.SchemaFile.schema == 3


def test_constants_of_the_module(module: Any) -> None:
    assert math.isnan(module.float)
    assert module.inf == math.inf
    assert module.print == -math.inf
    assert list(module.globals) == [1, 2]
    assert module.from_.schema == 3
    assert module.reader is module.Reader_.a


def test_groups_named_like_nested_types(module: Any) -> None:
    clashes = module.Clashes.new_message()
    assert isinstance(clashes.inner, module.Clashes.Inner_)
    assert module.Clashes.Inner.new_message().to_dict() == {}
    assert isinstance(clashes.which, module.Clashes.Which)
    assert isinstance(clashes.record, module.Clashes.Record)
    assert isinstance(clashes.none, module.Clashes.None_)


def test_structs_of_methods(module: Any) -> None:
    interface = module.SchemaFile
    assert interface.ImportParams.new_message(from_=3).from_ == 3
    assert interface.ImportResults.new_message(class_=3).class_ == 3
    assert interface.BarParams.__qualname__ == "SchemaFile.BarParams"
    assert interface.BarParams_.schema.scoped_name == "SchemaFile.bar$Params"
    assert not hasattr(interface, "FooParams_")
