"""Tells setuptools what a table cannot: the packages here, and the `cffi_modules` once there are any.

`plugin/` is a top-level folder of the repository and is installed as `ccapnp.plugin`.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["ccapnp", "ccapnp.*"]), "ccapnp.plugin"],
    package_dir={"ccapnp.plugin": "plugin"},
)
