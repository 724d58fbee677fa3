"""`ccapnp compile`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ccapnp.cli.main import main
from ccapnp.schema import schema_capnp

SCHEMA = '@0xd000000000000001; using U = import "units/length.capnp"; struct T { n @0 :Int32; l @1 :U.Length; }'
UNITS = "@0xd000000000000002; struct Length { meters @0 :Float64; }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with schemas."""
    (tmp_path / "units").mkdir()
    (tmp_path / "units/length.capnp").write_text(UNITS)
    (tmp_path / "x.capnp").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", str(tmp_path))
    return tmp_path


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def fails(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 1) -> str:
    """What a call that fails says."""
    try:
        assert main(arguments) == status
    except SystemExit as exit:
        assert exit.code == status
    out, error = capfd.readouterr()
    assert not out
    assert "Traceback" not in error
    return error


# ---- compile


def test_compile_writes_modules(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = files_in(folder)
    assert main(["compile", "x.capnp", "units/length.capnp"]) == 0
    assert files_in(folder) - before == {
        "x_capnp.py",
        "x_capnp.pyi",
        "units/length_capnp.py",
        "units/length_capnp.pyi",
    }
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "ccapnp:out", "x.capnp"],
        ["-occapnp:out", "x.capnp"],
        ["--output=ccapnp:out", "x.capnp"],
        ["x.capnp", "-o", "ccapnp:out"],
    ],
)
def test_compile_to_a_folder(folder: Path, arguments: list[str]) -> None:
    (folder / "out").mkdir()
    assert main(["compile", *arguments]) == 0
    assert files_in(folder / "out") == {"x_capnp.py", "x_capnp.pyi"}


def test_compile_as_the_tool_does(folder: Path, capnp_tool: str, plugin: Path) -> None:
    (folder / "ours").mkdir()
    (folder / "theirs").mkdir()
    files = ["x.capnp", "units/length.capnp"]
    assert main(["compile", "-occapnp:ours", *files]) == 0
    subprocess.run([capnp_tool, "compile", f"-o{plugin}:theirs", *files], check=True)
    assert files_in(folder / "ours") == files_in(folder / "theirs")
    for name in files_in(folder / "ours"):
        assert (folder / "ours" / name).read_text() == (folder / "theirs" / name).read_text()


def test_src_prefix(folder: Path) -> None:
    assert main(["compile", "--src-prefix", "units", "units/length.capnp"]) == 0
    assert "length_capnp.py" in files_in(folder)


def test_a_file_outside_of_the_working_folder(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "work").mkdir()
    os.chdir("work")
    assert main(["compile", "-o-", "../x.capnp"]) == 0
    assert main(["compile", "--src-prefix=..", "../x.capnp"]) == 0
    assert capfd.readouterr().err == ""
    assert main(["compile", "../x.capnp"]) == 0
    name = str(folder)[1:]
    assert capfd.readouterr().err == (
        "ccapnp compile: warning: ../x.capnp is not in the working folder, so that its output is named "
        f"{name}/x.capnp; with --src-prefix=.. it is relative to that folder\n"
    )
    assert files_in(folder / "work") == {"x_capnp.py", "x_capnp.pyi", f"{name}/x_capnp.py", f"{name}/x_capnp.pyi"}


def test_options_between_files(folder: Path) -> None:
    assert main(["compile", "x.capnp", "-I", "units", "units/length.capnp", "-occapnp"]) == 0
    assert {"x_capnp.py", "units/length_capnp.py"} <= files_in(folder)


def test_import_path(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "y.capnp").write_text(
        '@0xd000000000000003; using L = import "/length.capnp"; struct Y { l @0 :L.Length; }'
    )
    assert "/length.capnp" in fails(capfd, "compile", "y.capnp")
    assert main(["compile", "-Iunits", "y.capnp"]) == 0


def test_no_standard_import(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "y.capnp").write_text('@0xd000000000000004; using Cxx = import "/capnp/c++.capnp"; $Cxx.namespace("y");')
    assert main(["compile", "-o", "-", "y.capnp"]) == 0
    capfd.readouterr()
    assert "/capnp/c++.capnp" in fails(capfd, "compile", "-o-", "--no-standard-import", "y.capnp")


@pytest.mark.parametrize("option", [["-o-"], ["-o", "-"]])
def test_request_to_standard_output(folder: Path, capfdbinary: pytest.CaptureFixture[bytes], option: list[str]) -> None:
    assert main(["compile", *option, "x.capnp"]) == 0
    request = schema_capnp.CodeGeneratorRequest.from_bytes(capfdbinary.readouterr().out, None)
    assert [file.filename for file in request.requestedFiles] == ["x.capnp"]


def test_a_pipe(folder: Path) -> None:
    if not os.path.exists("/dev/stdin"):
        pytest.skip("there is no /dev/stdin")
    command = [sys.executable, "-m", "ccapnp", "compile", "-o-", "/dev/stdin"]
    done = subprocess.run(command, input=UNITS.encode(), stdout=subprocess.PIPE, check=True)
    request = schema_capnp.CodeGeneratorRequest.from_bytes(done.stdout, None)
    assert [file.filename for file in request.requestedFiles] == ["dev/stdin"]


@pytest.fixture
def other_plugin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plugin on PATH that notes where it runs and what it is given; it fails if there is a file "fail" there."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "capnpc-other"
    program.write_text('#!/bin/sh\ncat > request\npwd > pwd\necho "$PWD $#" > env\ntest ! -e fail || exit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    (folder / "out").mkdir()
    return program


@pytest.mark.parametrize("name", ["other", "bin/capnpc-other", "./bin/capnpc-other"])
def test_other_plugins(folder: Path, other_plugin: Path, name: str) -> None:
    assert main(["compile", "-o", f"{name}:out", "x.capnp"]) == 0
    out = folder / "out"
    assert (out / "pwd").read_text() == f"{out}\n"
    assert (out / "env").read_text() == f"{out} 0\n"
    assert schema_capnp.CodeGeneratorRequest.from_bytes((out / "request").read_bytes(), None).requestedFiles


def test_several_outputs(folder: Path, other_plugin: Path) -> None:
    assert main(["compile", "-oother:out", "-occapnp", "x.capnp"]) == 0
    assert {"out/request", "x_capnp.py"} <= files_in(folder)


def test_a_plugin_that_fails(folder: Path, other_plugin: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "out/fail").touch()
    assert fails(capfd, "compile", "-oother:out", "x.capnp") == (
        "ccapnp compile: error: the plugin capnpc-other failed with exit code 3\n"
    )


def test_the_official_plugin(folder: Path, capnp_tool: str) -> None:
    assert main(["compile", "-oc++", "x.capnp"]) == 0
    assert {"x.capnp.h", "x.capnp.c++"} <= files_in(folder)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-onowhere", "x.capnp"], "there is no plugin capnpc-nowhere on PATH"),
        (["-o./nowhere", "x.capnp"], "there is no plugin ./nowhere"),
        (["-o./x.capnp", "x.capnp"], "there is no plugin ./x.capnp"),
        (["nope.capnp"], "nope.capnp: no such file"),
        (["units"], "units: no such file"),
    ],
)
def test_what_cannot_be_done(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert fails(capfd, "compile", *arguments) == f"ccapnp compile: error: {message}\n"


@pytest.mark.conformance("CLI-08")
def test_faults_in_a_schema(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = files_in(folder)
    (folder / "x.capnp").write_text(SCHEMA.replace("Int32", "Nope"))
    assert fails(capfd, "compile", "x.capnp").startswith("x.capnp:1:")
    assert files_in(folder) == before


@pytest.mark.conformance("CLI-08")
def test_faults_name_the_file_as_it_is_reached(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An editor can open it, wherever the file is and whatever its output would be called."""
    broken = folder / "units/length.capnp"
    broken.write_text("@0xd000000000000005; struct T { n @0 :Nope; }")
    assert fails(capfd, "compile", "--src-prefix=units", "units/length.capnp").startswith("units/length.capnp:1:")
    (folder / "work").mkdir()
    os.chdir("work")
    assert fails(capfd, "compile", "-o-", str(broken)).startswith(f"{broken}:1:")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile"],
        ["compile", "--nonsense", "x.capnp"],
        ["compile", "-Inope", "x.capnp"],
        ["compile", "-occapnp:nope", "x.capnp"],
        ["compile", "--src-prefix=nope", "x.capnp"],
    ],
)
def test_wrong_usage(folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert "usage: ccapnp" in fails(capfd, *arguments, status=2)
