"""The address book example, run as its users run it."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT

EXAMPLE = str(ROOT / "examples" / "addressbook.py")
SCHEMA = str(ROOT / "examples" / "addressbook.capnp")

PRINTED = b"""\
Alice: alice@example.com
  mobile phone: 555-1212
  student at: MIT
Bob: bob@example.com
  home phone: 555-4567
  work phone: 555-7654
  unemployed
"""

TEXT = b"""(people = [
  (id = 123, name = "Alice", email = "alice@example.com",
   phones = [(number = "555-1212", type = mobile)], employment = (school = "MIT")),
  (id = 456, name = "Bob", email = "bob@example.com",
   phones = [(number = "555-4567", type = home), (number = "555-7654", type = work)],
   employment = (unemployed = void))])"""


def run(*command: str, input: bytes = b"") -> bytes:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, input=input, env=env, stdout=subprocess.PIPE, check=True).stdout


def test_write_and_read() -> None:
    assert run(sys.executable, EXAMPLE, "read", input=run(sys.executable, EXAMPLE, "write")) == PRINTED


def test_the_official_tool_reads_what_it_writes(capnp_tool: str) -> None:
    written = run(sys.executable, EXAMPLE, "write")
    text = run(capnp_tool, "decode", "--short", SCHEMA, "AddressBook", input=written)
    assert b"".join(text.split()) == b"".join(TEXT.split())


def test_it_reads_what_the_official_tool_writes(capnp_tool: str) -> None:
    encoded = run(capnp_tool, "encode", SCHEMA, "AddressBook", input=TEXT)
    assert run(sys.executable, EXAMPLE, "read", input=encoded) == PRINTED
