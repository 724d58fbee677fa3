"""The targets of the fuzzer do well with what they begin with, and with some changes of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import tests.fuzz.__main__
from tests.fuzz.blind import changed
from tests.fuzz.target import TARGETS, get_target
from tests.parity.draws import needs_both

pytestmark = needs_both


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_changes_of_them(name: str) -> None:
    target = get_target(name)
    seeds = list(target.seeds())
    rng = random.Random(name)
    assert len(seeds) > 50
    for data in seeds:
        target.run(data)
    for _ in range(200):
        target.run(changed(rng, seeds, target.TOKENS)[: target.MOST_BYTES])


def test_an_input_that_fails_is_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """By a target that fails at once, for there is a folder in the place of an input."""
    (tmp_path / "streams" / "corpus" / "folder").mkdir(parents=True)
    monkeypatch.setattr(tests.fuzz.__main__, "MOST_PROCESSES", 1)
    (tmp_path / "streams" / "running").write_bytes(b"the last input")
    assert tests.fuzz.__main__.main(["--blind", "--seconds", "5", "--folder", str(tmp_path), "streams"]) == 1
    (found,) = (tmp_path / "streams").glob("crash-*")
    assert found.read_bytes() == b"the last input" and str(found) in capsys.readouterr().out
