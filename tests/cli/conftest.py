"""Schemas and messages for the command."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import ccapnp

SCHEMA = """\
@0xd000000000000011;
struct Person {
  id @0 :UInt32;  name @1 :Text;  phones @2 :List(Phone);  data @3 :Data;  real @4 :Float64;
  struct Phone { number @0 :Text;  type @1 :Type;  enum Type { mobile @0; home @1; } }
  union { nobody @5 :Void;  friend @6 :Person; }
}
struct Box(T) { value @0 :T;  struct Inner(U) { outer @0 :T;  inner @1 :U;  group :group { both @2 :T; } } }
using TextBox = Box(Text);
"""

MESSAGES = [
    {"id": 1, "name": "Alice"},
    {},
    {"phones": [{"number": "555", "type": "home"}, {}], "real": -0.5, "data": b"\0\xff"},
    {"name": "line\n#caf\xe9", "friend": {"name": "Bob", "friend": {"id": 7}}},
    {"name": "x" * 300, "id": 2**32 - 1, "phones": [{"number": str(number)} for number in range(9)]},
]


class Sample(NamedTuple):
    """A schema file, the type's name, and messages of it in binary."""

    schema: Path
    type: str
    messages: list[bytes]

    @property
    def typed(self) -> list[str]:
        """The arguments that name the type."""
        return [str(self.schema), self.type]


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """A few persons."""
    path = tmp_path_factory.mktemp("people") / "people.capnp"
    path.write_text(SCHEMA)
    module = ccapnp.load_text(SCHEMA, "people.capnp", backend="pure")
    return Sample(path, "Person", [module.Person.from_dict(each).to_bytes() for each in MESSAGES])
