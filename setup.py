"""Tells setuptools what a table cannot: which packages there are, and whether the native extension is one of them."""

import sys
import sysconfig
from pathlib import Path

from setuptools import find_packages, setup

sys.path.insert(0, str(Path(__file__).with_name("tools")))
from native_build import extension_wanted

# Where cffi builds for all later versions of Python at once, the wheel's name must say so.
LIMITED_API = sys.implementation.name == "cpython" and not (
    sysconfig.get_config_var("Py_GIL_DISABLED") or sysconfig.get_config_var("Py_DEBUG")
)

NATIVE = {
    "cffi_modules": ["ccapnp/_build.py:builder"],
    "install_requires": ["cffi>=1.15; implementation_name != 'pypy'"],
    "options": {"bdist_wheel": {"py_limited_api": "cp39"}} if LIMITED_API else {},
}
PURE = {
    "exclude_package_data": {"ccapnp.native": ["shim.h"]},
}

setup(
    packages=[*find_packages(include=["ccapnp", "ccapnp.*"]), "ccapnp.plugin"],
    package_dir={"ccapnp.plugin": "plugin"},
    **(NATIVE if extension_wanted() else PURE),
)
