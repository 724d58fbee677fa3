"""Modules that import each other: one class for each type, whatever is imported first and however it is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

USE = """
p = person.Person.new_message(name="P", employer={"name": "C", "staff": [{"name": "Q"}]}, home={"name": "H"},
                              height={"value": 2}, unit="foot", places=[{"of": {"name": "I"}}])
r = person.Person.from_bytes(p.to_bytes())
"""

CHECK = """
assert type(r.employer) is company.Company.Reader, type(r.employer)
assert type(r.employer.staff[0]) is person.Person.Reader
assert type(r.home) is place.Place.Reader
assert type(r.home.detail) is place.Place.Detail.Reader
assert type(r.places[0]) is place.Place.Part.Reader
assert type(r.height) is units.Length.Reader
assert r.unit is units.Length.Unit.foot
assert place.Place.origin.name == "origin"
assert type(place.Place.origin) is place.Place.Reader
assert place.Place.Unused.new_message().to_dict() == {}
assert place.Place.__module__ == place.__name__
assert isinstance(p.home, place.Place.Builder)
"""

PATHS = {
    "person": "people.person_capnp",
    "company": "people.company_capnp",
    "place": "shared.place_capnp",
    "units": "shared.units_capnp",
}


def run(code: str, *paths: Path, cwd: Path) -> None:
    """Run code in a new Python, with these folders in front of its module search path."""
    path = os.pathsep.join(map(str, (*paths, ROOT)))
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def imports(order: tuple[str, ...], package: str = "") -> str:
    return "".join(f"import {package}{PATHS[name]} as {name}\n" for name in order)


ORDERS = [order for order in permutations(PATHS) if order[0] != "units"][::5]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_all_imported_in_some_order(order: tuple[str, ...], generated: Path, tmp_path: Path) -> None:
    run(imports(order) + USE + CHECK, generated, cwd=tmp_path)


@pytest.mark.parametrize("first", ["person", "company"])
def test_others_imported_after_use(first: str, generated: Path, tmp_path: Path) -> None:
    code = imports((first,))
    if first == "company":
        code += "class person: Person = company.Company.new_message(staff=[{}]).staff[0]._type\n"
    run(code + USE + imports(tuple(PATHS)) + CHECK, generated, cwd=tmp_path)


def test_inside_a_package(generated: Path, tmp_path: Path) -> None:
    shutil.copytree(generated, tmp_path / "top" / "inner")
    run(imports(("person",), "top.inner.") + USE + imports(tuple(PATHS), "top.inner.") + CHECK, tmp_path, cwd=tmp_path)
    (tmp_path / "top" / "__init__.py").touch()
    (tmp_path / "top" / "inner" / "__init__.py").touch()
    run(imports(("person",), "top.inner.") + USE + imports(tuple(PATHS), "top.inner.") + CHECK, tmp_path, cwd=tmp_path)


def test_each_folder_on_the_path(generated: Path, tmp_path: Path) -> None:
    code = "import person_capnp as person, company_capnp as company"
    late = "import place_capnp as place, units_capnp as units"
    run(f"{code}\n{USE}{late}\n{CHECK}", generated / "people", generated / "shared", cwd=tmp_path)


def test_the_other_modules_were_never_generated(generated: Path, tmp_path: Path) -> None:
    shutil.copy(generated / "people" / "person_capnp.py", tmp_path)
    check = """
assert r.employer.staff[0].name == "Q"
assert r.home.detail.x == 0
assert (r.home.name, r.height.value, r.unit.name) == ("H", 2, "foot")
assert type(r.employer).__qualname__ == "Company.Reader"
assert type(r.home.detail).__qualname__ == "Place.Detail.Reader"
"""
    run("import person_capnp as person\n" + USE + check, tmp_path, cwd=tmp_path)


def test_the_other_modules_come_later(generated: Path, tmp_path: Path) -> None:
    shutil.copy(generated / "people" / "person_capnp.py", tmp_path)
    late = f"import sys; sys.path.append({str(generated)!r})\n"
    rest = imports(("units", "place", "company"))
    run("import person_capnp as person\n" + USE + late + rest + CHECK, tmp_path, cwd=tmp_path)


def test_no_module_is_imported_before_it_is_needed(generated: Path, tmp_path: Path) -> None:
    code = """
import sys
import people.person_capnp as person
assert not {"people.company_capnp", "shared.place_capnp"} & set(sys.modules)
person.Person.new_message().home
assert "shared.place_capnp" in sys.modules
"""
    run(code, generated, cwd=tmp_path)


def test_an_error_inside_an_imported_module_is_shown(generated: Path, tmp_path: Path) -> None:
    shutil.copytree(generated, tmp_path / "out")
    (tmp_path / "out" / "shared" / "place_capnp.py").write_text("import nowhere_to_be_found\n")
    code = """
import people.person_capnp as person
try:
    person.Person.new_message().home
except ModuleNotFoundError as error:
    assert error.name == "nowhere_to_be_found"
else:
    assert False
"""
    run(code, tmp_path / "out", cwd=tmp_path)


@pytest.mark.parametrize("first", ["load", "import"])
def test_with_the_same_schema_loaded(first: str, generated: Path, capnp_tool: str, tmp_path: Path) -> None:
    case = Path(__file__).parent
    command = [capnp_tool, "compile", f"--src-prefix={case}", f"-I{case}", "-o-"]
    request = subprocess.run(
        [*command, str(case / "people" / "person.capnp")], check=True, stdout=subprocess.PIPE
    ).stdout
    (tmp_path / "request").write_bytes(request)
    steps = ["import ccapnp; loaded = ccapnp.load_request(open('request', 'rb').read())\n", imports(tuple(PATHS))]
    code = "".join(steps if first == "load" else reversed(steps))
    check = (
        CHECK.replace("assert place.Place.__module__ == place.__name__\n", "") + "assert loaded.Person is person.Person"
    )
    run(code + USE + check, generated, cwd=tmp_path)


@pytest.mark.parametrize("order", ["old, new", "new, old"])
def test_two_versions_of_one_schema(order: str, capnp_tool: str, plugin: Path, tmp_path: Path) -> None:
    for folder, field in (("old", ""), ("new", "b @1 :Int32;")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.capnp").write_text(f"@0xb2f1a3c4d5e6f748; struct X {{ a @0 :Int32; {field} }}")
        command = [capnp_tool, "compile", f"-o{plugin}", f"{folder}/x.capnp"]
        subprocess.run(command, check=True, cwd=tmp_path)
    first, second = order.split(", ")
    code = f"""
import ccapnp
import {first}.x_capnp
try:
    import {second}.x_capnp
except ccapnp.SchemaError as error:
    for name in ("old", "new"):
        assert f"{{name}}/x_capnp.py" in str(error).replace(chr(92), "/"), error
else:
    assert False
assert {first}.x_capnp.X.new_message(a=1).a == 1
"""
    run(code, tmp_path, cwd=tmp_path)
