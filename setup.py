"""Tells setuptools what a table cannot: which packages there are, and that plugin/ is ccapnp.plugin."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["ccapnp", "ccapnp.*"]), "ccapnp.plugin"],
    package_dir={"ccapnp.plugin": "plugin"},
    cffi_modules=["ccapnp/_build.py:builder"],
)
