"""The generated modules that are checked in are what the plugin makes today."""

from __future__ import annotations

import shutil

import pytest

from tests.regenerate import SOURCES, generated


@pytest.mark.parametrize("folder", SOURCES)
def test_checked_in_modules_are_current(folder: str) -> None:
    if SOURCES[folder].endswith(".capnp") and shutil.which("capnp") is None:
        pytest.skip("the official capnp tool is not installed")
    for path, text in generated(folder).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run `make schema`"
