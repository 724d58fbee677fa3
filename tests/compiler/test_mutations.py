"""Schemas with something changed at random: the verdict is the official compiler's, and so is the request."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccapnp.compiler.compile import compile_files
from ccapnp.errors import SchemaError
from tests.compiler.compare import differences, parts
from tests.compiler.folder import FolderFinder

SCHEMAS = Path(__file__).parent / "schemas"
STANDARD = Path("/usr/include")
TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|\w+|\s+|[^\w\s]')
TEXTS = {path.name: TOKEN.findall(path.read_text()) for path in sorted(SCHEMAS.glob("*.capnp"))}

# What we refuse and the tool does not: values of a kind that their type cannot have, and parameters of a parameter.
STRICTER = ("a value of type AnyStruct", "a value of type AnyList", "a value of type Capability", "is not generic")
# What the tool, older than this rule, does not know: a struct may be given by the value of its first field.
OLDER = "Type mismatch; expected"


def kind_of(token: str) -> str:
    """Tokens of one kind stand for each other without a fault of syntax."""
    first = token[0]
    return "number" if first.isdigit() else "type" if first.isupper() else "name" if first.islower() else first


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, str]:
    """The name and text of a schema in which one or two tokens have been replaced by others of their kind."""
    name = draw(st.sampled_from(list(TEXTS)))
    tokens = list(TEXTS[name])
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.sampled_from([index for index, token in enumerate(tokens) if token[0].isalnum()]))
        tokens[at] = draw(st.sampled_from([each for each in tokens if kind_of(each) == kind_of(tokens[at])]))
    return name, "".join(tokens)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(SCHEMAS, tmp_path_factory.mktemp("mutations") / "schemas"))


@settings(max_examples=300)
@given(mutations())
def test_nothing_but_a_schema_error_is_raised(folder: Path, mutation: tuple[str, str]) -> None:
    compiled(folder, *mutation)


@settings(max_examples=100)
@given(mutations())
def test_the_tool_has_the_same_verdict(capnp_tool: str, folder: Path, mutation: tuple[str, str]) -> None:
    name, text = mutation
    ours = compiled(folder, name, text)
    run = subprocess.run([capnp_tool, "compile", "-o-", name], cwd=folder, capture_output=True, check=False)
    message = run.stderr.decode(errors="replace")
    if "exception" in message or "compiler bug" in message:
        return
    if isinstance(ours, SchemaError):
        assert run.returncode != 0 or any(each in str(ours) for each in STRICTER), ours
    elif run.returncode == 0:
        assert differences(parts(ours), parts(run.stdout)) == []
    else:
        assert OLDER in message, message


def compiled(folder: Path, name: str, text: str) -> bytes | SchemaError:
    """The request, or the fault; the text stays there."""
    (folder / name).write_text(text)
    try:
        return compile_files([name], FolderFinder(folder, STANDARD))
    except SchemaError as error:
        return error
