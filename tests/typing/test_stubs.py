"""The text of stubs: imports of other schemas' modules, names that mean two things, and layout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccapnp.codec import default_codec
from ccapnp.plugin.emit_pyi import emit_pyi
from ccapnp.plugin.model import FileModel, build_model
from ccapnp.plugin.pyi_layout import wrapped
from ccapnp.schema import Request
from tests.conftest import compile_to_request

PEOPLE = "@0xd3f0c52e9a7b1847; struct Person { mood @0 :Mood; } enum Mood { good @0; }"
COMPANY = """@0xe5b7d04c1f6a3929;
using People = import "/some/people.capnp";
struct Company { boss @0 :People.Person; mood @1 :People.Mood; }
"""


def model_of(
    tool: str, folder: Path, imported: str, importing: str, people: str = PEOPLE, company: str = COMPANY
) -> FileModel:
    """The model of the second of two schemas, which are at these paths."""
    for path in (imported, importing):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / imported).write_text(people)
    path = os.path.relpath(folder / imported, (folder / importing).parent)
    source = company.replace("/some/people.capnp", path)
    request = Request(default_codec(), compile_to_request(tool, folder, source, importing))
    return build_model(request, request.files[0])


@pytest.mark.parametrize(
    ("imported", "importing", "packages", "statement"),
    [
        ("people.capnp", "company.capnp", {""}, "from . import people_capnp as _people_capnp"),
        ("people.capnp", "company.capnp", set(), "import people_capnp as _people_capnp"),
        ("people.capnp", "work/company.capnp", {"", "work"}, "from .. import people_capnp as _people_capnp"),
        ("people.capnp", "work/company.capnp", {"work"}, "import people_capnp as _people_capnp"),
        ("people.capnp", "work/company.capnp", {""}, "import people_capnp as _people_capnp"),
        ("a/people.capnp", "b/company.capnp", {"", "b"}, "from ..a import people_capnp as _a_people_capnp"),
        ("a/people.capnp", "b/company.capnp", set(), "import a.people_capnp as _a_people_capnp"),
        ("x/a/people.capnp", "x/company.capnp", {"x"}, "from .a import people_capnp as _x_a_people_capnp"),
        ("x/a/people.capnp", "x/company.capnp", set(), "import x.a.people_capnp as _x_a_people_capnp"),
    ],
)
def test_imports(
    capnp_tool: str, tmp_path: Path, imported: str, importing: str, packages: set[str], statement: str
) -> None:
    model = model_of(capnp_tool, tmp_path, imported, importing)
    assert f"\n{statement}\n" in emit_pyi(model, packages.__contains__)


def test_a_folder_that_cannot_be_imported_from(capnp_tool: str, tmp_path: Path) -> None:
    text = emit_pyi(model_of(capnp_tool, tmp_path, "not-python/people.capnp", "company.capnp"))
    assert "people_capnp" not in text
    assert "def boss(self) -> _typing.Any: ..." in text


def test_an_interface_of_types_that_cannot_be_imported(capnp_tool: str, tmp_path: Path) -> None:
    people = f"{PEOPLE} interface Service {{}}"
    company = """@0xe5b7d04c1f6a3929;
using People = import "/some/people.capnp";
interface Company extends(People.Service) { hire @0 People.Person -> (service :People.Service); }
"""
    text = emit_pyi(model_of(capnp_tool, tmp_path, "not-python/people.capnp", "company.capnp", people, company))
    assert "people_capnp" not in text
    assert "class Client(_rpc.Client):" in text
    assert "class Server(_rpc.Server):" in text
    assert "class _HireRequest(_ccapnp.StructBuilder):" in text
    assert "def service(self) -> _typing.Any | None: ..." in text


def test_structs_that_lead_to_no_capability_have_no_pipeline(code: Path) -> None:
    text = (code / "calls_capnp.pyi").read_text()
    shelf, plain = text.index("\nclass Shelf("), text.index("\nclass Plain(")
    assert "class Pipeline(" in text[shelf:plain]
    assert "class Pipeline(" not in text[plain : text.index("\nclass Store(")]
    assert "-> _people_capnp.Person.Pipeline: ..." in (code / "work" / "company_capnp.pyi").read_text()


def test_the_same_schema_gives_the_same_text(capnp_tool: str, tmp_path: Path) -> None:
    first = emit_pyi(model_of(capnp_tool, tmp_path, "people.capnp", "company.capnp"))
    assert first == emit_pyi(model_of(capnp_tool, tmp_path, "people.capnp", "company.capnp"))


def test_comments_become_docstrings(code: Path) -> None:
    text = (code / "people_capnp.pyi").read_text()
    assert '\nclass Person(_ccapnp.Struct):\n    """Somebody."""\n' in text
    assert '    def id(self) -> _builtins.int:\n        """A number that nobody else has."""\n' in text
    assert '\nclass Mood(_ccapnp.Enum):\n    """How somebody feels."""\n' in text


def test_long_lines_are_broken_at_their_brackets() -> None:
    names = ", ".join(f'"field{number}"' for number in range(12))
    assert wrapped(f"def has(self, name: _typing.Literal[{names}] | str) -> bool: ...", "    ") == [
        "    def has(",
        "        self,",
        "        name: _typing.Literal[",
        *[f'            "field{number}",' for number in range(12)],
        "        ] | str,",
        "    ) -> bool: ...",
    ]


def test_short_lines_stay_as_they_are() -> None:
    assert wrapped("def has(self, name: str) -> bool: ...", "    ") == ["    def has(self, name: str) -> bool: ..."]
