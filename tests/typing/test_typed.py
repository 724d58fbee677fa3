"""What type checkers see of the library is what there is at run time."""

from __future__ import annotations

import ast
import enum
import inspect
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from ccapnp.plugin import pyi_clashes
from ccapnp.types import typed

STUB = ast.parse(Path(typed.__file__).with_suffix(".pyi").read_text())
CLASSES = {each.name: each for each in STUB.body if isinstance(each, ast.ClassDef)}
FUNCTIONS = [each for each in STUB.body if isinstance(each, ast.FunctionDef)]
PUBLIC = [name for name in CLASSES if isinstance(getattr(typed, name, None), type)]  # names of types are objects

STUB_ONLY_BASES = {("Struct", "StructView")}
"""An instance of any struct's type is a view, but at run time the type is not one."""

OVERLOADED_BY_GENERATED_STUBS = {f"StructBuilder.{name}" for name in ("init", "init_resizable_list", "disown", "adopt")}


def declared_names() -> list[str]:
    for each in STUB.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id == "__all__":
            return ast.literal_eval(each.value)  # type: ignore[no-any-return]
    raise AssertionError("the stub has no __all__")


def stub_members(name: str) -> dict[str, ast.stmt]:
    """The public members of a class in the stub, inherited ones included."""
    members: dict[str, ast.stmt] = {}
    for base in CLASSES[name].bases:
        base_name = ast.unparse(base).partition("[")[0]
        if base_name in CLASSES and (name, base_name) not in STUB_ONLY_BASES:
            members.update(stub_members(base_name))
    for each in CLASSES[name].body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            members[each.name] = each
        elif (
            isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.target.id.startswith("_")
        ):
            members[each.target.id] = each
    return members


def real_members(name: str) -> dict[str, Any]:
    """The public members of the class at run time that the library has defined."""
    members: dict[str, Any] = {}
    for base in reversed(getattr(typed, name).__mro__):
        if base.__module__.startswith("ccapnp."):
            members.update({key: value for key, value in vars(base).items() if not key.startswith("_")})
    for made_for_each_type in ("Reader", "Builder", "Record"):
        members.pop(made_for_each_type, None)
    return members


def stub_parameters(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def real_parameters(function: Any) -> list[str]:
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [each.name for each in inspect.signature(function).parameters.values() if each.kind not in kinds]


def test_the_stub_has_the_same_names() -> None:
    assert sorted(declared_names()) == sorted(typed.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_class_has_the_same_members(name: str) -> None:
    assert sorted(stub_members(name)) == sorted(real_members(name))


@pytest.mark.parametrize("name", PUBLIC)
def test_methods_have_the_same_parameters(name: str) -> None:
    real = real_members(name)
    for key, stub in stub_members(name).items():
        value = real[key].__func__ if isinstance(real[key], classmethod) else real[key]
        if isinstance(value, FunctionType) and f"{name}.{key}" not in OVERLOADED_BY_GENERATED_STUBS:
            assert isinstance(stub, ast.FunctionDef)
            assert stub_parameters(stub)[1:] == real_parameters(value)[1:], key


@pytest.mark.parametrize("stub", FUNCTIONS, ids=lambda each: each.name)
def test_functions_have_the_same_parameters(stub: ast.FunctionDef) -> None:
    assert stub_parameters(stub) == real_parameters(getattr(typed, stub.name))


def without_underscore(*types: type) -> set[str]:
    """The names in classes that a field, constant or enumerant can have too."""
    return {name for each in types for base in each.__mro__ for name in vars(base) if "_" not in name}


def test_the_plugin_knows_which_names_clash() -> None:
    assert without_underscore(typed.StructView) == pyi_clashes.VIEW_NAMES
    assert without_underscore(typed.StructBuilder) - pyi_clashes.VIEW_NAMES == pyi_clashes.BUILDER_NAMES
    assert without_underscore(typed.StructReader) == pyi_clashes.VIEW_NAMES
    # A declaration of a view class's name gets a mark of its own.
    assert without_underscore(typed.StructType) - {"Reader", "Builder", "Record"} == pyi_clashes.CLASS_NAMES


def test_the_plugin_knows_the_attributes_of_enums() -> None:
    named = {name for name in without_underscore(enum.IntEnum) if pyi_clashes.enumerant_mark(name)}
    assert named == without_underscore(enum.IntEnum) - {"mro"}
