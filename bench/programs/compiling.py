"""What it costs to compile a large schema: by the official tool, by ccapnp, and with what the import hook has kept."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from bench.programs.processes import print_times, time_in_turn

__all__ = ["run"]

LINES = 4000
PART = """
struct Order{0} {{
  # What somebody wants to have.

  id @0 :UInt64;
  customer @1 :Text;
  # Their name.
  priority @2 :Priority = normal;
  ratio @3 :Float64 = 0.5;
  tags @4 :List(Text) = ["new", "checked"];
  items @5 :List(Item);

  enum Priority {{
    low @0;
    normal @1;
    high @2;
  }}

  struct Item {{
    article @0 :Text $note("as it was ordered");
    amount @1 :UInt32 = 1;
    details :group {{
      weight @2 :Float32;
      fragile @3 :Bool;
      box @4 :Pair(Text, Order{0});
    }}
  }}

  payment :union {{
    cash @6 :Void;
    card :group {{
      number @7 :Text;
      expires @8 :UInt16;
    }}
    voucher @9 :Data;
  }}
}}

const first{0} :Order{0} = (id = {0}, customer = "Alice", items = [(article = "tea", amount = 2)]);

interface Desk{0} extends(Desk) {{
  place @0 (order :Order{0}, note :Text = "none") -> (id :UInt64);
  list @1 [T] (filter :T) -> (orders :List(Order{0}));
}}
"""
HEAD = """\
@0xe7f1c1a9c4f5b6d4;

struct Pair(First, Second) {
  first @0 :First;
  second @1 :Second;
}

annotation note(field) :Text;

interface Desk {}
"""


def run(rounds: int = 5) -> None:
    """Print the shortest and the median time of each, measured in turn in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder, "large.capnp")
        schema.write_text(large_schema())
        python = [sys.executable, "-c"]
        commands = {
            "import ccapnp": [*python, "import ccapnp"],
            "ccapnp compile -o-": [sys.executable, "-m", "ccapnp", "compile", "-o-", schema.name],
            "ccapnp.load": [*python, f"import ccapnp; ccapnp.load({schema.name!r})"],
            "import by the hook, kept": [*python, "import ccapnp; ccapnp.install_import_hook(); import large_capnp"],
        }
        tool = shutil.which("capnp")
        if tool is None:
            print("left out: the official capnp tool, which is not installed", file=sys.stderr)
        else:
            commands["capnp compile -o-"] = [tool, "compile", "-o-", schema.name]
        print(f"A schema of {len(schema.read_text().splitlines())} lines")
        print_times(time_in_turn(commands, Path(folder), rounds))


def large_schema() -> str:
    """The text of a schema that has something of everything, over and over."""
    parts = (LINES - HEAD.count("\n")) // PART.count("\n") + 1
    return HEAD + "".join(map(PART.format, range(parts)))
