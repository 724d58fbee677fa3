"""``import x_capnp`` with the hook, and what it keeps in ``__pycache__``."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import stat
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
import ccapnp.compiler.compile as compiler
from ccapnp._version import __version__
from ccapnp.compiler.trees import place_of
from ccapnp.loading import request_cache
from ccapnp.loading.request_cache import compiled

FILE_ID = 0xC000000000000001


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the module search path, with the hook installed; what was imported is forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    ccapnp.install_import_hook()
    yield tmp_path
    ccapnp.remove_import_hook()
    for name in set(sys.modules) - before:
        if name.endswith("_capnp") or name.startswith("package_of"):
            del sys.modules[name]


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the files of each compilation from now on."""
    found: list[list[str]] = []
    compile_files = compiler.compile_files

    def counted(names: list[str], *arguments: Any) -> bytes:
        found.append(names)
        return compile_files(names, *arguments)

    monkeypatch.setattr(compiler, "compile_files", counted)
    return found


_next_id = iter(range(FILE_ID, FILE_ID + 1000))


def write(path: Path, text: str = "struct T { n @0 :Int32 = 5; }") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"@{next(_next_id):#x};\n{text}")
    return path


def again(name: str) -> ModuleType:
    """Import a module as another process would."""
    sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return importlib.import_module(name)


# ---- finding


@pytest.mark.conformance("PYC-02")
def test_import(folder: Path) -> None:
    path = write(folder / "plain.capnp", "struct T { n @0 :Int32 = 5; }")
    module = importlib.import_module("plain_capnp")
    assert module.__file__ == str(path)
    assert module.__spec__ is not None and module.__spec__.origin == str(path)
    assert module.T.new_message().n == 5
    assert module.T.__module__ == "plain_capnp"
    assert pickle.loads(pickle.dumps(module.T.new_message(n=7).as_reader())).n == 7
    assert ccapnp.load(path).T is module.T


@pytest.mark.parametrize("file", ["foo-bar.capnp", "foo bar.capnp", "foo_bar.capnp", "foo.bar.capnp"])
@pytest.mark.conformance("PYC-02")
def test_spellings(folder: Path, file: str) -> None:
    write(folder / file)
    assert again("foo_bar_capnp").__file__ == str(folder / file)


@pytest.mark.conformance("PYC-02")
def test_two_spellings(folder: Path) -> None:
    write(folder / "a-b.capnp")
    write(folder / "a_b.capnp")
    with pytest.raises(ImportError, match=r"a-b.capnp and a_b.capnp in .* would both be"):
        importlib.import_module("a_b_capnp")


@pytest.mark.conformance("PYC-02")
def test_in_a_package(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """B2: whatever the working folder is, and in the package's own folder alone."""
    package = folder / "package_of_schemas"
    write(package / "inner.capnp", 'using O = import "sub/other.capnp"; struct T { o @0 :O.T; }')
    write(package / "sub/other.capnp")
    (package / "__init__.py").touch()
    write(folder / "outer.capnp")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    module = importlib.import_module("package_of_schemas.inner_capnp")
    assert module.T.__module__ == "package_of_schemas.inner_capnp"
    namespace: dict[str, Any] = {}
    exec("from package_of_schemas import inner_capnp", namespace)
    assert namespace["inner_capnp"] is module
    other = importlib.import_module("package_of_schemas.sub.other_capnp")  # a folder without __init__.py is one, too
    assert isinstance(module.T.new_message().o, other.T.Builder)
    assert other.T.__module__ == "package_of_schemas.sub.other_capnp"
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("package_of_schemas.outer_capnp")
    assert str(package) in str(caught.value)
    assert caught.value.name == "package_of_schemas.outer_capnp"


def test_what_is_not_there(folder: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match="no nowhere.capnp in any of") as caught:
        importlib.import_module("nowhere_capnp")
    assert str(folder) in str(caught.value)
    with pytest.raises(ModuleNotFoundError, match="No module named 'nowhere'$"):
        importlib.import_module("nowhere")


def test_a_generated_module_goes_first(folder: Path) -> None:
    write(folder / "made.capnp")
    (folder / "made_capnp.py").write_text("x = 1")
    assert again("made_capnp").x == 1


def test_an_empty_entry_is_the_working_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "deep/here.capnp")
    monkeypatch.chdir(folder / "deep")
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert again("here_capnp").__file__ == str(folder / "deep/here.capnp")


def test_absolute_imports(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere / "lib/far.capnp")
    write(folder / "lib/near.capnp")
    write(folder / "both.capnp", 'struct T { a @0 :import "/lib/near.capnp".T; b @1 :import "/lib/far.capnp".T; }')
    with pytest.raises(ccapnp.SchemaError, match="/lib/far.capnp"):
        importlib.import_module("both_capnp")
    ccapnp.install_import_hook(imports=[elsewhere])
    assert again("both_capnp").T.new_message().b.n == 5


def test_faults(folder: Path) -> None:
    write(folder / "wrong.capnp", "struct T { n @0 :Nope; }")
    with pytest.raises(ccapnp.SchemaError, match=r"wrong.capnp:2:"):
        importlib.import_module("wrong_capnp")
    assert "wrong_capnp" not in sys.modules


def test_in_an_archive(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "app.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("zipped.capnp", write(folder / "in/zipped.capnp").read_text())
        archive.writestr("package_of_zip/__init__.py", "")
        archive.writestr("package_of_zip/in-zip.capnp", write(folder / "in/in-zip.capnp").read_text())
    monkeypatch.syspath_prepend(str(path))
    assert again("zipped_capnp").__file__ == f"{path}/zipped.capnp"
    assert again("package_of_zip.in_zip_capnp").T.new_message().n == 5


@pytest.mark.conformance("PYC-02")
def test_installing_and_removing() -> None:
    before = list(sys.meta_path)
    ccapnp.remove_import_hook()
    ccapnp.install_import_hook()
    ccapnp.install_import_hook()
    assert len(sys.meta_path) == len(before) + 1
    ccapnp.remove_import_hook()
    assert sys.meta_path == before
    with pytest.raises(ModuleNotFoundError, match="No module named 'nowhere_capnp'$"):
        importlib.import_module("nowhere_capnp")


# ---- the cache


def cache_of(path: Path) -> Path:
    return path.parent / "__pycache__" / f"{path.name}-{sys.implementation.cache_tag}.request"


def test_it_is_compiled_once(folder: Path, compilations: list[list[str]]) -> None:
    path = write(folder / "once.capnp")
    for _ in range(3):
        assert again("once_capnp").T.new_message().n == 5
    assert len(compilations) == 1
    assert [entry.name for entry in (folder / "__pycache__").iterdir()] == [cache_of(path).name]


def test_a_change_is_noticed(folder: Path, compilations: list[list[str]]) -> None:
    inner = write(folder / "inner.capnp", "enum E { a @0; }")
    path = write(folder / "changed.capnp", 'using I = import "/inner.capnp"; const text :Text = embed "a.txt";')
    text = folder / "a.txt"
    text.write_text("one")
    place = place_of(folder).join("changed.capnp")
    assert place is not None
    for changed in (path, inner, text):
        before = compiled(place, [folder])
        compilations.clear()
        assert compiled(place, [folder]) == before
        assert compilations == []
        changed.write_text(changed.read_text() + "#")
        compiled(place, [folder])
        assert len(compilations) == 1


def test_a_file_that_goes_before_another_is_noticed(
    folder: Path, compilations: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    first = tmp_path_factory.mktemp("first")
    inner = write(folder / "lib.capnp")
    write(folder / "shadowed.capnp", 'using L = import "/lib.capnp"; struct T {}')
    ccapnp.install_import_hook(imports=[first])
    again("shadowed_capnp")
    (first / "lib.capnp").write_text(inner.read_text())
    again("shadowed_capnp")
    assert len(compilations) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-8],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: data.partition(b"\n")[2],
        lambda data: b"[]\n" + data.partition(b"\n")[2],
        lambda data: b"\xff\n",
        lambda data: data.replace(__version__.encode(), b"0.0.0"),
        lambda data: data.replace(b'"find"', b'"lost"').replace(b'"open"', b'"lost"'),
        lambda data: data.replace(b"null", b"99"),
    ],
)
def test_a_damaged_cache_is_not_used(folder: Path, compilations: list[list[str]], damage: Any) -> None:
    path = write(folder / "damaged.capnp")
    again("damaged_capnp")
    whole = cache_of(path).read_bytes()
    cache_of(path).write_bytes(damage(whole))
    assert again("damaged_capnp").T.new_message().n == 5
    assert len(compilations) == 2
    assert json.loads(cache_of(path).read_bytes().partition(b"\n")[0])["compiler"].split()[0] == __version__


def test_a_cache_of_another_compiler_is_not_used(
    folder: Path, compilations: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "developed.capnp")
    again("developed_capnp")
    (folder / "parser.py").write_text("# changed by a developer")
    monkeypatch.setattr(ccapnp.compiler, "__path__", [str(folder)])
    request_cache._compiler.cache_clear()
    again("developed_capnp")
    again("developed_capnp")
    request_cache._compiler.cache_clear()
    assert len(compilations) == 2


def test_no_bytecode_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(folder / "unkept.capnp")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    again("unkept_capnp")
    assert not cache_of(path).exists()


def test_the_prefix_of_caches(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    prefix = tmp_path_factory.mktemp("prefix")
    path = write(folder / "prefixed.capnp")
    monkeypatch.setattr(sys, "pycache_prefix", str(prefix))
    again("prefixed_capnp")
    assert not (folder / "__pycache__").exists()
    assert [found.name for found in prefix.rglob("*.request")] == [cache_of(path).name]


def test_a_cache_that_cannot_be_written(folder: Path, compilations: list[list[str]]) -> None:
    write(folder / "unwritable.capnp")
    (folder / "__pycache__").write_text("not a folder")
    again("unwritable_capnp")
    again("unwritable_capnp")
    assert len(compilations) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(folder: Path) -> None:
    write(folder / "inside/read.capnp")
    (folder / "inside").chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert again("inside.read_capnp").T.new_message().n == 5
    finally:
        (folder / "inside").chmod(0o700)


def test_writers_side_by_side(folder: Path) -> None:
    """Each of them finds, or leaves, a whole cache."""
    path = write(folder / "shared.capnp")
    place = place_of(folder).join("shared.capnp")
    assert place is not None
    results: list[bytes] = []
    threads = [threading.Thread(target=lambda: results.append(compiled(place, []))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert len(set(results)) == 1
    assert [entry.name for entry in (folder / "__pycache__").iterdir()] == [cache_of(path).name]
