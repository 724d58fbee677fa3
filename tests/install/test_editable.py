"""An editable install has the extension, as a wheel has."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.install.environments import make_environment


def test_an_editable_install_builds_the_extension(unpacked: Path, tmp_path: Path, index: None, toolchain: None) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(unpacked, checkout)
    environment = make_environment(tmp_path / "venv", "--editable", str(checkout), CCAPNP_BUILD="require")
    assert environment.evaluate("ccapnp.backend_info().name") == "native"
    assert Path(environment.evaluate("ccapnp.__file__")).is_relative_to(checkout)
    assert list((checkout / "ccapnp" / "native").glob("_shim*.so"))
