"""How schema files are found and named (PAR-01 to PAR-03); the official tool is the judge of the names."""

from __future__ import annotations

import os
import subprocess
import zipfile
from importlib import resources
from pathlib import Path

import pytest

from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import SearchPath
from ccapnp.schema import schema_capnp

FILES = {
    "a/x.capnp": '@0xa000000000000001; using Y = import "b/y.capnp"; using L = import "/lib/l.capnp"; '
    "struct X { y @0 :Y.Y; l @1 :L.L; }",
    "a/b/y.capnp": '@0xa000000000000002; using Z = import "../z.capnp"; using K = import "/lib/./k.capnp"; '
    "struct Y { z @0 :Z.Z; k @1 :K.K; }",
    "a/z.capnp": "@0xa000000000000003; struct Z {}",
    "inc/lib/l.capnp": '@0xa000000000000004; using K = import "k.capnp"; struct L { k @0 :K.K; }',
    "inc/lib/k.capnp": "@0xa000000000000005; struct K {}",
    "other/lib/k.capnp": "@0xa000000000000006; struct K {}",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of schemas, which is the working folder."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", str(tmp_path))
    return tmp_path


def file_names(request: bytes) -> tuple[dict[int, str], list[str]]:
    """The display names of all files by the last digit of their ids, and the names of those that were asked for."""
    message = schema_capnp.CodeGeneratorRequest.from_bytes(request, None)
    names = {node.id & 15: node.displayName for node in message.nodes if node.which() == "file"}
    return names, [file.filename for file in message.requestedFiles]


@pytest.mark.parametrize(
    ("arguments", "files", "folder"),
    [
        (["-Iinc"], ["a/x.capnp"], "."),
        (["-Iinc"], ["./a//b/../x.capnp"], "."),
        (["-Iinc"], ["{tree}/a/x.capnp"], "."),
        (["-Iinc"], ["a/z.capnp", "a/x.capnp"], "."),
        (["-Iinc"], ["inc/lib/l.capnp", "a/x.capnp"], "."),
        (["-Iinc"], ["a/x.capnp", "inc/lib/l.capnp"], "."),
        (["-Iinc", "-Iother"], ["a/x.capnp"], "."),
        (["-Iother", "-Iinc"], ["a/x.capnp"], "."),
        (["-I../inc"], ["x.capnp"], "a"),
        (["-I../inc"], ["../inc/lib/l.capnp"], "a"),
        (["-Iinc", "--src-prefix=a"], ["a/x.capnp"], "."),
        (["-Iinc", "--src-prefix=./a/"], ["a/x.capnp", "a/b/y.capnp"], "."),
        (["-Iinc", "--src-prefix={tree}/.."], ["a/x.capnp"], "."),
        (["-I../inc", "--src-prefix=.."], ["../a/x.capnp"], "inc"),
        (["-Iinc", "--src-prefix=inc/lib"], ["a/x.capnp"], "."),
        (["--src-prefix=inc", "--src-prefix=inc/lib"], ["inc/lib/l.capnp"], "."),
        (["--src-prefix=inc/lib", "--src-prefix=inc"], ["inc/lib/l.capnp"], "."),
        (["--src-prefix=/", "--src-prefix=.."], ["inc/lib/l.capnp"], "."),
        (["--src-prefix=/"], ["inc/lib/l.capnp"], "."),
        (["-Iinc", "--src-prefix=a", "--src-prefix=inc"], ["inc/lib/l.capnp", "a/x.capnp"], "."),
    ],
)
@pytest.mark.conformance("PAR-01", "PAR-02")
def test_names_are_the_tools(
    capnp_tool: str, tree: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], files: list[str], folder: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PWD", os.getcwd())
    arguments = [each.format(tree=tree) for each in arguments]
    files = [each.format(tree=tree) for each in files]
    done = subprocess.run([capnp_tool, "compile", "-o-", *arguments, *files], capture_output=True, check=True)
    imports = [each[2:] for each in arguments if each.startswith("-I")]
    prefixes = [each.partition("=")[2] for each in arguments if each.startswith("--src-prefix")]
    finder = SearchPath(imports, prefixes=prefixes, strip_root=True)
    assert file_names(compile_files(files, finder)) == file_names(done.stdout)


@pytest.mark.conformance("PAR-03")
def test_one_file_by_several_routes(tree: Path) -> None:
    (tree / "link").symlink_to("inc")
    finder = SearchPath(["inc", "link"])
    root = finder.open("inc/lib/l.capnp")
    assert root is not None
    routes = [
        finder.open(str(tree / "inc/lib/k.capnp")),
        finder.open("link/lib/k.capnp"),
        finder.find(root, "k.capnp"),
        finder.find(root, "../lib/k.capnp"),
        finder.find(root, "/lib/k.capnp"),
        SearchPath(["link"]).find(root, "/lib/k.capnp"),
    ]
    assert len({found.key for found in routes if found is not None}) == 1
    assert None not in routes


def test_an_import_may_lead_out_of_the_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool refuses this; here the file gets the name that it would have by itself."""
    monkeypatch.chdir("a")
    finder = SearchPath()
    root = finder.open("x.capnp")
    assert root is not None
    found = finder.find(root, "../inc/lib/k.capnp")
    assert found is not None and found.name == str(tree / "inc/lib/k.capnp")


@pytest.mark.parametrize(
    "path", ["nope.capnp", "/nope.capnp", "/../a/z.capnp", "", "/", ".", "b", "a\0b", "\ud800", "x" * 5000]
)
def test_what_is_not_there(tree: Path, path: str) -> None:
    finder = SearchPath(["inc"])
    root = finder.open("a/x.capnp")
    assert root is not None
    assert finder.find(root, path) is None
    assert finder.embed(root, path) is None


@pytest.mark.parametrize("name", ["nope.capnp", "a", "no/folder/x.capnp", "a/x.capnp/y.capnp", ""])
def test_what_is_not_there_by_name(tree: Path, name: str) -> None:
    assert SearchPath().open(name) is None


def test_where_it_looked(tree: Path) -> None:
    finder = SearchPath(["inc", "missing"])
    root = finder.open("a/x.capnp")
    assert root is not None
    assert finder.tried(root, "b/nope.capnp") == [str(tree / "a/b")]
    tried = finder.tried(root, "/nope.capnp")
    assert tried[:3] == [str(tree / "inc"), f"{tree / 'missing'} (no such folder)", "<standard schemas>"]
    assert SearchPath(["inc"], standard=False).tried(root, "/nope.capnp") == [str(tree / "inc")]


def test_embed(tree: Path) -> None:
    (tree / "a/data.bin").write_bytes(b"\xff")
    finder = SearchPath(["inc"])
    root = finder.open("a/x.capnp")
    assert root is not None
    assert finder.embed(root, "data.bin") == b"\xff"
    assert finder.embed(root, "/lib/k.capnp") == FILES["inc/lib/k.capnp"].encode()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tree: Path) -> None:
    (tree / "a/z.capnp").chmod(0)
    with pytest.raises(PermissionError):
        SearchPath().open("a/z.capnp")


# ---- standard schemas, and those of other languages


def test_the_users_folders_go_first(tree: Path) -> None:
    finder = SearchPath(["inc"])
    root = finder.open("a/z.capnp")
    assert root is not None
    bundled = finder.find(root, "/capnp/c++.capnp")
    assert bundled is not None and bundled.name == "capnp/c++.capnp"
    assert b"annotation namespace" in bundled.data
    (tree / "inc/capnp").mkdir()
    (tree / "inc/capnp/c++.capnp").write_text("@0xa000000000000007;")
    own = finder.find(root, "/capnp/c++.capnp")
    assert own is not None and own.data == b"@0xa000000000000007;"
    (tree / "inc/capnp/c++.capnp").unlink()
    assert SearchPath(["inc"], standard=False).find(root, "/capnp/c++.capnp") is None


def test_a_standard_schema_by_its_path_is_the_same_file() -> None:
    folder = resources.files("ccapnp.compiler") / "standard"
    finder = SearchPath()
    root = finder.open(str(folder / "capnp/c++.capnp"))
    assert root is not None
    found = finder.find(root, "/capnp/c++.capnp")
    assert found is not None and found.key == root.key


@pytest.mark.parametrize("path", ["/java.capnp", "/capnp/java.capnp", "/include/java.capnp"])
def test_annotations_of_other_languages(tree: Path, path: str) -> None:
    finder = SearchPath()
    root = finder.open("a/z.capnp")
    assert root is not None
    found = finder.find(root, path)
    assert found is not None and found.name == path[1:]
    assert b"annotation outerClassname" in found.data
    assert SearchPath(standard=False).find(root, path) is None


@pytest.mark.parametrize("path", ["/mine/java.capnp", "java.capnp", "/foreign/java.capnp", "/fortran.capnp"])
def test_what_only_looks_like_them(tree: Path, path: str) -> None:
    finder = SearchPath()
    root = finder.open("a/z.capnp")
    assert root is not None
    assert finder.find(root, path) is None


# ---- other places than folders


@pytest.fixture
def archive(tree: Path) -> Path:
    path = tree / "schemas.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, text in FILES.items():
            file.writestr(name, text)
    return path


def test_archives(archive: Path) -> None:
    finder = SearchPath([archive / "inc"])
    names, _ = file_names(compile_files([f"{archive}/a/x.capnp"], finder))
    assert names == {
        1: "schemas.zip/a/x.capnp",
        2: "schemas.zip/a/b/y.capnp",
        3: "schemas.zip/a/z.capnp",
        4: "lib/l.capnp",
        5: "lib/k.capnp",
    }
    root = finder.open(f"{archive}/a/x.capnp")
    assert root is not None
    assert finder.find(root, "../../z.capnp") is None
    assert finder.find(root, "b") is None


def test_one_archive_by_several_routes(archive: Path) -> None:
    finder = SearchPath([zipfile.Path("schemas.zip", "inc/"), archive / "a"])
    root = finder.open("schemas.zip/inc/lib/l.capnp")
    assert root is not None
    first, second = finder.find(root, "k.capnp"), finder.find(root, "/lib/k.capnp")
    assert first is not None and second is not None
    assert first.key == second.key


def test_a_folder_as_a_resource(archive: Path) -> None:
    finder = SearchPath([zipfile.Path(archive, "inc/"), resources.files("ccapnp.compiler")])
    root = finder.open("a/x.capnp")
    assert root is not None
    assert finder.find(root, "/lib/k.capnp") is not None
    assert finder.find(root, "/standard/capnp/c++.capnp") is not None


def test_texts(tree: Path) -> None:
    finder = SearchPath([{"lib/l.capnp": "l", "/lib/k.capnp": b"k"}])
    root = finder.open("a/x.capnp")
    assert root is not None
    found = finder.find(root, "/lib/l.capnp")
    assert found is not None and (found.name, found.data) == ("lib/l.capnp", b"l")
    sibling = finder.find(found, "k.capnp")
    assert sibling is not None and (sibling.name, sibling.data) == ("lib/k.capnp", b"k")
    assert finder.find(found, "../../k.capnp") is None


def test_what_cannot_be_a_folder() -> None:
    with pytest.raises(TypeError, match="not int"):
        SearchPath([3])  # type: ignore[list-item]
