"""What type checkers see of the library is what there is at run time."""

from __future__ import annotations

import ast
import enum
import inspect
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Union

import pytest

from ccapnp.plugin import pyi_clashes
from ccapnp.rpc import typed as rpc_typed
from ccapnp.types import typed

STUB_ONLY_BASES = {("Struct", "StructView")}
"""An instance of any struct's type is a view, but at run time the type is not one."""

OVERLOADED_BY_GENERATED_STUBS = {f"StructBuilder.{name}" for name in ("init", "init_resizable_list", "disown", "adopt")}

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]


class Stub:
    """The stub of a module that gathers classes and functions."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.body = ast.parse(Path(module.__file__ or "").with_suffix(".pyi").read_text()).body
        self.classes = {each.name: each for each in self.body if isinstance(each, ast.ClassDef)}
        self.functions = [each for each in self.body if isinstance(each, _FUNCTIONS)]

    def declared_names(self) -> list[str]:
        for each in self.body:
            if (
                isinstance(each, ast.Assign)
                and isinstance(each.targets[0], ast.Name)
                and each.targets[0].id == "__all__"
            ):
                return ast.literal_eval(each.value)  # type: ignore[no-any-return]
        raise AssertionError("the stub has no __all__")

    def members(self, name: str) -> dict[str, ast.stmt]:
        """The public members of a class, inherited ones included."""
        members: dict[str, ast.stmt] = {}
        for base in self.classes[name].bases:
            base_name = ast.unparse(base).partition("[")[0]
            if base_name in self.classes and (name, base_name) not in STUB_ONLY_BASES:
                members.update(self.members(base_name))
        for each in self.classes[name].body:
            if isinstance(each, _FUNCTIONS) and not each.name.startswith("_"):
                members[each.name] = each
            elif (
                isinstance(each, ast.AnnAssign)
                and isinstance(each.target, ast.Name)
                and not each.target.id.startswith("_")
            ):
                members[each.target.id] = each
        return members

    def real_members(self, name: str) -> dict[str, Any]:
        """The public members of the class at run time that the library has defined."""
        members: dict[str, Any] = {}
        for base in reversed(getattr(self.module, name).__mro__):
            if base.__module__.startswith("ccapnp."):
                members.update({key: value for key, value in vars(base).items() if not key.startswith("_")})
        for made_for_each_type in ("Reader", "Builder", "Record", "Pipeline"):
            members.pop(made_for_each_type, None)
        return members


STUBS = [Stub(typed), Stub(rpc_typed)]
CLASSES = [
    pytest.param(stub, name, id=name)
    for stub in STUBS
    for name in stub.classes
    if isinstance(getattr(stub.module, name, None), type)  # names of types are objects
]
FUNCTIONS = [pytest.param(stub, each, id=each.name) for stub in STUBS for each in stub.functions]


def stub_parameters(function: Function) -> list[str]:
    arguments = function.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def real_parameters(function: Any) -> list[str]:
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return [each.name for each in inspect.signature(function).parameters.values() if each.kind not in kinds]


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.module.__name__)
def test_the_stub_has_the_same_names(stub: Stub) -> None:
    assert sorted(stub.declared_names()) == sorted(stub.module.__all__)


@pytest.mark.parametrize(("stub", "name"), CLASSES)
def test_a_class_has_the_same_members(stub: Stub, name: str) -> None:
    assert sorted(stub.members(name)) == sorted(stub.real_members(name))


@pytest.mark.parametrize(("stub", "name"), CLASSES)
def test_methods_have_the_same_parameters(stub: Stub, name: str) -> None:
    real = stub.real_members(name)
    for key, member in stub.members(name).items():
        value = real[key].__func__ if isinstance(real[key], classmethod) else real[key]
        if isinstance(value, FunctionType) and f"{name}.{key}" not in OVERLOADED_BY_GENERATED_STUBS:
            assert isinstance(member, _FUNCTIONS)
            assert stub_parameters(member)[1:] == real_parameters(value)[1:], key


@pytest.mark.parametrize(("stub", "function"), FUNCTIONS)
def test_functions_have_the_same_parameters(stub: Stub, function: Function) -> None:
    assert stub_parameters(function) == real_parameters(getattr(stub.module, function.name))


def without_underscore(*types: type) -> set[str]:
    """The names in classes that a field, constant or enumerant can have too."""
    return {name for each in types for base in each.__mro__ for name in vars(base) if "_" not in name}


def test_the_plugin_knows_which_names_clash() -> None:
    assert without_underscore(typed.StructView) == pyi_clashes.VIEW_NAMES
    assert without_underscore(typed.StructBuilder) - pyi_clashes.VIEW_NAMES == pyi_clashes.BUILDER_NAMES
    assert without_underscore(typed.StructReader) == pyi_clashes.VIEW_NAMES
    # A declaration of a view class's name gets a mark of its own.
    assert without_underscore(typed.StructType) - {"Reader", "Builder", "Record", "Pipeline"} == pyi_clashes.CLASS_NAMES


def test_the_plugin_knows_which_names_of_clients_and_promises_clash() -> None:
    assert without_underscore(rpc_typed.Client) == pyi_clashes.CLIENT_NAMES
    assert without_underscore(rpc_typed.Promise) == pyi_clashes.PROMISE_NAMES
    assert without_underscore(rpc_typed.Server, rpc_typed.Pipeline, rpc_typed.AnyPipeline) == set()


def test_the_plugin_knows_the_attributes_of_enums() -> None:
    named = {name for name in without_underscore(enum.IntEnum) if pyi_clashes.enumerant_mark(name)}
    assert named == without_underscore(enum.IntEnum) - {"mro"}
