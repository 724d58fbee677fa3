"""The plugin as a program: how it is called, where its files go, and what it says when it cannot make them."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Optional

import pytest

from ccapnp.plugin.main import generate
from ccapnp.schema import schema_capnp
from tests.conftest import ROOT, compile_to_request
from tests.schema_request import schema_request

SCHEMA = "@0xa1b2c3d4e5f60001; struct Thing { value @0 :Int32; }"
SCHEMA_REQUEST = schema_request()
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(plugin: Path, tmp_path: Path) -> Run:
    """Runs the plugin by itself, in an empty folder."""

    def run_plugin(*arguments: str, input: bytes = b"") -> subprocess.CompletedProcess[str]:
        folder = tmp_path / "out"
        folder.mkdir(exist_ok=True)
        done = subprocess.run([str(plugin), *arguments], input=input, cwd=folder, capture_output=True, check=False)
        return subprocess.CompletedProcess([], done.returncode, done.stdout.decode(), done.stderr.decode())

    return run_plugin


@pytest.fixture
def compile(capnp_tool: str, plugin: Path, tmp_path: Path) -> Run:
    """Runs `capnp compile` with the plugin in a folder with schemas, given as a dict."""

    def run_compile(
        schemas: dict[str, str], *arguments: str, cwd: Optional[Path] = None
    ) -> subprocess.CompletedProcess[str]:
        for name, text in schemas.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (tmp_path / "out").mkdir(exist_ok=True)
        command = [capnp_tool, "compile", f"-o{plugin}:{tmp_path / 'out'}", *(arguments or schemas)]
        return subprocess.run(command, cwd=cwd or tmp_path, capture_output=True, text=True, check=False)

    return run_compile


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def altered(change: Callable[[Any], None]) -> bytes:
    """The request of schema.capnp with something changed."""
    request = schema_capnp.CodeGeneratorRequest.from_bytes(SCHEMA_REQUEST, None).as_builder()
    change(request)
    data: bytes = request.to_bytes()
    return data


# ---- how it is called


@pytest.mark.conformance("CLI-09")
def test_on_the_path(capnp_tool: str, plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "x.capnp").write_text(SCHEMA)
    path = os.pathsep.join((str(plugin.parent), os.environ["PATH"]))
    subprocess.run(
        [capnp_tool, "compile", "-occapnp", "x.capnp"], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True
    )
    assert files_in(tmp_path) == ["x.capnp", "x_capnp.py", "x_capnp.pyi"]


def test_by_path_from_a_checkout(capnp_tool: str, tmp_path: Path) -> None:
    if shutil.which("python3") is None:
        pytest.skip("there is no python3 on PATH")
    (tmp_path / "x.capnp").write_text(SCHEMA)
    program = os.path.relpath(ROOT / "bin" / "capnpc-ccapnp", tmp_path)
    subprocess.run([capnp_tool, "compile", f"-o{program}", "x.capnp"], cwd=tmp_path, check=True)
    assert files_in(tmp_path) == ["x.capnp", "x_capnp.py", "x_capnp.pyi"]


def test_as_a_module(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ccapnp.plugin.main"]
    subprocess.run(command, input=SCHEMA_REQUEST, cwd=tmp_path, check=True)
    assert files_in(tmp_path) == ["capnp/schema_capnp.py", "capnp/schema_capnp.pyi"]


def test_help(run: Run) -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "capnp compile -occapnp" in done.stdout
    assert not done.stderr


def test_on_a_terminal(plugin: Path, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    try:
        terminal, other_end = pty.openpty()
    except OSError as error:
        pytest.skip(f"there is no terminal to be had here: {error}")
    try:
        done = subprocess.run(
            [str(plugin)], stdin=other_end, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
    finally:
        os.close(terminal)
        os.close(other_end)
    assert done.returncode == 0
    assert "capnp compile -occapnp" in done.stdout
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("arguments", [["x.capnp"], ["--nonsense"], ["-o", "x"]])
def test_other_arguments(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: " in done.stderr
    assert "Traceback" not in done.stderr


# ---- input that it cannot use


@pytest.mark.parametrize(
    ("input", "message"),
    [
        (b"", "the input is empty"),
        (SCHEMA.encode(), "the input looks like the text of a schema"),
        (SCHEMA_REQUEST[:-8], "longer than the input"),
        (bytes([0, 0, 0, 0, 1, *[0] * 11]), "the request is empty"),
        (bytes([0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, *[0] * 8]), "the request has no nodes"),
    ],
    ids=["nothing", "a schema", "truncated", "null", "no nodes"],
)
def test_broken_input(run: Run, tmp_path: Path, input: bytes, message: str) -> None:
    done = run(input=input)
    assert done.returncode == 1
    assert done.stderr.startswith("capnpc-ccapnp: error: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert files_in(tmp_path) == []


def drop_node(request: Any) -> None:
    wanted = schema_capnp.Field.schema.id
    request.nodes = [node for node in request.as_reader().nodes if node.id != wanted]


def nest_in_itself(request: Any) -> None:
    for node in request.nodes:
        if node.displayName.endswith(":Field"):
            node.nestedNodes = [{"name": "Field", "id": node.id}]


def leave_the_folder(request: Any) -> None:
    request.requestedFiles[0].filename = "a/../../schema.capnp"


def forget_the_file(request: Any) -> None:
    request.requestedFiles[0].id = 5


def point_back(request: Any) -> None:
    """Make a constant contain itself."""
    for node in request.nodes:
        if node.which() == "const":
            node.const.value.anyPointer = "x"
            shape, word = node.const.value._c, node.const.value._w
            shape.u64[word + shape.data_words] = 0xFFFFFFFC | 1 << 48  # a struct of one pointer, which is this one


def name_a_field_as_code(request: Any) -> None:
    node = next(node for node in request.nodes if node.displayName.endswith(":Field"))
    node.struct.fields[0].name = "x: print()"


def name_a_type_as_code(request: Any) -> None:
    node = next(node for node in request.nodes if node.displayName.endswith("schema.capnp"))
    node.nestedNodes[0].name = "X: pass #"


def name_a_parameter_as_code(request: Any) -> None:
    node = next(node for node in request.nodes if node.displayName.endswith(":Field"))
    node.parameters = [{"name": "T = print()"}]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (name_a_parameter_as_code, "'T = print()' is a name in the request, and cannot be one in Python"),
        (name_a_field_as_code, "'x: print()' is a name in the request, and cannot be one in Python"),
        (name_a_type_as_code, "'X: pass #' is a name in the request, and cannot be one in Python"),
        (point_back, "nested deeper than 64 pointers"),
        (drop_node, "needs the node 0x9aad50a41f4af45f, which the request lacks"),
        (nest_in_itself, "schema.capnp:Field"),
        (leave_the_folder, "outside of the output folder"),
        (forget_the_file, "no node for the file capnp/schema.capnp"),
    ],
)
def test_contradictory_requests(run: Run, tmp_path: Path, change: Callable[[Any], None], message: str) -> None:
    done = run(input=altered(change))
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert files_in(tmp_path) == []


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "capnp").write_text("a file, where a folder should be")
    done = run(input=SCHEMA_REQUEST)
    assert done.returncode == 1
    assert done.stderr.startswith("capnpc-ccapnp: error: ")
    assert files_in(tmp_path) == ["out/capnp"]


# ---- where the files go


def test_names_of_folders_are_kept(compile: Run, tmp_path: Path) -> None:
    assert compile({"a/b/x.capnp": SCHEMA}).returncode == 0
    assert files_in(tmp_path / "out") == ["a/b/x_capnp.py", "a/b/x_capnp.pyi"]


def test_src_prefix(compile: Run, tmp_path: Path) -> None:
    assert compile({"a/b/x.capnp": SCHEMA}, "--src-prefix=a", "a/b/x.capnp").returncode == 0
    assert files_in(tmp_path / "out") == ["b/x_capnp.py", "b/x_capnp.pyi"]


def test_an_absolute_name(compile: Run, tmp_path: Path) -> None:
    assert compile({"x.capnp": SCHEMA}, str(tmp_path / "x.capnp"), cwd=Path("/")).returncode == 0
    inside = f"{tmp_path.resolve()}/x_capnp".lstrip("/")
    assert files_in(tmp_path / "out") == [f"{inside}.py", f"{inside}.pyi"]


@pytest.mark.parametrize("name", ["/abs/dir/x.capnp", "./abs//dir/x.capnp", "abs/no/../dir/x.capnp"])
def test_names_as_other_compilers_may_give_them(name: str) -> None:
    def rename(request: Any) -> None:
        request.requestedFiles[0].filename = name

    assert sorted(generate(altered(rename))) == ["abs/dir/x_capnp.py", "abs/dir/x_capnp.pyi"]


def test_names_that_are_no_identifiers(compile: Run, tmp_path: Path) -> None:
    schemas = {
        name: SCHEMA.replace("60001", f"6000{number}").replace("Thing", f"Thing{number}")
        for number, name in enumerate(["foo-bar.capnp", "with space.capnp", "a.b.capnp", "2nd.capnp", "plain"])
    }
    assert compile(schemas).returncode == 0
    modules = ["_2nd_capnp", "a_b_capnp", "foo_bar_capnp", "plain_capnp", "with_space_capnp"]
    assert files_in(tmp_path / "out") == sorted(f"{name}.{end}" for name in modules for end in ("py", "pyi"))
    code = "; ".join(f"import {name}" for name in modules)
    path = os.pathsep.join((str(tmp_path / "out"), str(ROOT)))
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=True)


def test_two_files_for_one_module(compile: Run, tmp_path: Path) -> None:
    other = SCHEMA.replace("60001", "60002").replace("Thing", "Other")
    done = compile({"a/foo-bar.capnp": SCHEMA, "a/foo_bar.capnp": other})
    assert done.returncode == 1
    assert "a/foo-bar.capnp and a/foo_bar.capnp would both be the module a/foo_bar_capnp.py" in done.stderr
    assert files_in(tmp_path / "out") == []


def test_all_files_or_none(compile: Run, tmp_path: Path) -> None:
    (tmp_path / "out" / "y_capnp.pyi").mkdir(parents=True)
    other = SCHEMA.replace("60001", "60002").replace("Thing", "Other")
    done = compile({"x.capnp": SCHEMA, "y.capnp": other})
    assert done.returncode == 1
    assert "capnpc-ccapnp: error: y_capnp.pyi is a folder" in done.stderr
    assert files_in(tmp_path / "out") == []


def test_older_files_are_replaced(compile: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x_capnp.py").write_text("old")
    assert compile({"x.capnp": SCHEMA}).returncode == 0
    assert "class Thing" in (tmp_path / "out" / "x_capnp.py").read_text(encoding="utf-8")


# ---- what is in them


def test_the_banner(capnp_tool: str, tmp_path: Path) -> None:
    for text in generate(compile_to_request(capnp_tool, tmp_path, SCHEMA)).values():
        assert text.splitlines()[0] == "# Generated by capnpc-ccapnp from test.capnp; do not edit."


@pytest.mark.conformance("CLI-09")
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_nodes_does_not_matter(seed: int) -> None:
    def shuffle(request: Any) -> None:
        nodes = list(request.as_reader().nodes)
        random.Random(seed).shuffle(nodes)
        request.nodes = nodes

    assert generate(altered(shuffle)) == generate(SCHEMA_REQUEST)


def test_the_place_in_the_source_does_not_matter() -> None:
    def move(request: Any) -> None:
        for node in request.nodes:
            node.startByte += 10
            node.endByte += 10

    assert generate(altered(move)) == generate(SCHEMA_REQUEST)


@pytest.mark.conformance("CLI-09")
def test_types_and_values_of_a_newer_schema_language(run: Run) -> None:
    def renumber(request: Any) -> None:
        for node in request.nodes:
            if node.displayName.endswith(":Value"):
                for field in node.struct.fields:
                    if field.name == "int8":
                        shape, word = field.slot.type._c, field.slot.type._w
                        shape.u16[word << 2] = 99

    assert run(input=altered(renumber)).returncode == 0


@pytest.mark.conformance("CLI-09")
def test_no_traversal_limit(capnp_tool: str, tmp_path: Path) -> None:
    """400 structs of 20 fields."""
    structs = []
    for number in range(400):
        fields = "".join(f"field{index} @{index} :Int32; # comment\n" for index in range(19))
        structs.append(f"struct S{number} {{ {fields} other @19 :S{(number + 7) % 400}; }}\n")
    texts = generate(compile_to_request(capnp_tool, tmp_path, "".join(structs)))
    assert texts["test_capnp.py"].count("class S") == 400


def test_an_empty_schema(compile: Run, tmp_path: Path) -> None:
    assert compile({"x.capnp": "@0xa1b2c3d4e5f60009;"}).returncode == 0
    path = os.pathsep.join((str(tmp_path / "out"), str(ROOT)))
    code = "import x_capnp; assert x_capnp.__all__ == []"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=True)
