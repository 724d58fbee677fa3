"""Orphans moved, made, resized and dropped at random, beside a model in plain Python: nothing is lost."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import AnyPointer, Data, Kind, List, Text

SCHEMA = """
struct Tree {
  number @0 :UInt32;
  text @1 :Text;
  data @2 :Data;
  one @3 :Tree;
  two @4 :Tree;
  many @5 :List(Tree);
  texts @6 :List(Text);
  bits @7 :List(Bool);
  numbers @8 :List(UInt16);
  lists @9 :List(List(UInt16));
  any @10 :AnyPointer;
}
"""


class Game:
    """A message, the orphans around it, and what both hold."""

    def __init__(self, module: ModuleType, rng: random.Random) -> None:
        self.tree = module.Tree
        self.rng = rng
        self.message = ccapnp.MessageBuilder(rng.choice([1, 3, 20, 1024]), backend=self.tree._registry.codec.name)
        self.root = self.message.init_root(self.tree)
        self.model: dict[str, Any] = {}
        self.orphans: list[tuple[Any, Any]] = []
        self.types: dict[str, Any] = {
            "text": Text, "data": Data, "one": self.tree, "two": self.tree, "many": List[self.tree],
            "texts": List[Text], "bits": List[Kind.BOOL], "numbers": List[Kind.UINT16],
            "lists": List[List[Kind.UINT16]], "any": AnyPointer,
        }  # fmt: skip

    def drawn(self, name: str, depth: int = 2) -> Any:
        rng = self.rng
        some = range(rng.choice([0, 1, 2, 5, 40]))
        values: dict[str, Callable[[], Any]] = {
            "number": lambda: rng.getrandbits(32),
            "text": lambda: "".join(rng.choice("abc") for _ in some),
            "data": lambda: rng.randbytes(len(some)) if hasattr(rng, "randbytes") else bytes(len(some)),
            "one": lambda: self.struct(depth - 1),
            "many": lambda: [self.struct(depth - 1) for _ in some[:5]],
            "texts": lambda: [self.drawn("text") for _ in some[:5]],
            "bits": lambda: [rng.random() < 0.5 for _ in some],
            "numbers": lambda: [rng.getrandbits(16) for _ in some],
            "lists": lambda: [self.drawn("numbers") for _ in some[:5]],
            "any": lambda: self.drawn("text"),
        }
        return values["one" if name == "two" else name]()

    def struct(self, depth: int) -> dict[str, Any]:
        names = [*self.types, "number"] if depth > 0 else ["number", "text", "data", "bits"]
        return {name: self.drawn(name, depth) for name in self.rng.sample(names, 3)}

    def place(self) -> tuple[Any, Any]:
        """A struct of the tree, or of an orphan, and its model."""
        pairs = [(self.root, self.model)]
        pairs += [(orphan.get(), model) for orphan, model in self.orphans if orphan.type is self.tree and orphan]
        builder, model = self.rng.choice(pairs)
        while self.rng.random() < 0.6:
            below = [(ccapnp.get_field(builder, name), model[name]) for name in ("one", "two") if name in model]
            below += list(zip(builder.many, model.get("many", [])))
            if not below:
                break
            builder, model = self.rng.choice(below)
        return builder, model

    # ---- moves

    def assign(self) -> None:
        builder, model = self.place()
        name = self.rng.choice([*self.types, "number"])
        model[name] = self.drawn(name)
        ccapnp.set_field(builder, name, model[name])

    def disown(self) -> None:
        builder, model = self.place()
        name = self.rng.choice(list(self.types))
        orphan, value = builder.disown(name), model.pop(name, None)
        assert bool(orphan) == (value is not None)
        self.orphans.append((orphan, value))

    def disown_element(self) -> None:
        builder, model = self.place()
        name = self.rng.choice(["many", "texts", "lists"])
        if model.get(name):
            index = self.rng.randrange(len(model[name]))
            orphan = ccapnp.get_field(builder, name).disown(index)
            self.orphans.append((orphan, model[name][index] if orphan else None))
            model[name][index] = {"many": dict, "texts": str, "lists": list}[name]()

    def make(self) -> None:
        name = self.rng.choice(list(self.types))
        value = self.drawn(name)
        source = self.tree.new_message(**{name: value})
        orphan = self.message.orphanage.copy(ccapnp.get_field(source, name))
        self.orphans.append((orphan, value))

    def concatenate(self) -> None:
        name = self.rng.choice(["many", "texts", "lists", "bits", "numbers"])
        parts = [self.drawn(name) for _ in range(3)]
        sources = [ccapnp.get_field(self.tree.new_message(**{name: part}), name) for part in parts]
        orphan = self.message.orphanage.concatenate(sources)
        self.orphans.append((orphan, [each for part in parts for each in part]))

    def adopt(self) -> None:
        if not self.orphans:
            return
        index = self.rng.randrange(len(self.orphans))
        orphan, value = self.orphans[index]
        builder, model = self.place()
        name = self.rng.choice([name for name, made in self.types.items() if made is orphan.type])
        try:
            builder.adopt(name, orphan)
        except ccapnp.EncodeError as error:
            assert "by itself" in str(error)
            return
        self.orphans.pop(index)
        model.pop(name, None)
        if value is not None:
            model[name] = value

    def adopt_element(self) -> None:
        builder, model = self.place()
        found = [pair for pair in self.orphans if pair[0].type is self.tree]
        if model.get("many") and found:
            pair = self.rng.choice(found)
            index = self.rng.randrange(len(model["many"]))
            try:
                builder.many.adopt(index, pair[0])
            except ccapnp.EncodeError:
                return
            self.orphans.remove(pair)
            model["many"][index] = pair[1] or {}

    def resize(self) -> None:
        zeros = {"text": "\0", "data": b"\0", "many": {}, "texts": "", "bits": False, "numbers": 0, "lists": []}
        name = self.rng.choice(list(zeros))
        for position, (orphan, value) in enumerate(self.orphans):
            if orphan.type is self.types[name]:
                size = self.rng.choice([0, 1, 3, 4, 17, 64])
                orphan.resize(size)
                zero: Any = zeros[name]
                if isinstance(zero, (str, bytes)) and name in ("text", "data"):
                    changed = (value or type(zero)())[:size]
                    changed += zero * (size - len(changed))
                else:
                    changed = (value or [])[:size]
                    changed += [type(zero)(zero) for _ in range(size - len(changed))]
                self.orphans[position] = (orphan, changed)
                return

    def discard(self) -> None:
        if self.orphans:
            self.orphans.pop(self.rng.randrange(len(self.orphans)))

    # ---- what must hold

    def check(self) -> None:
        assert same(self.root, self.model)
        for orphan, value in self.orphans:
            assert value is None or same(orphan.get_reader(), value)
        read = self.tree.from_bytes(self.message.to_bytes())
        assert same(read, self.model)

    def end(self) -> None:
        for name in self.types:
            ccapnp.set_field(self.root, name, None)
        self.root.number = 0
        self.orphans.clear()
        gc.collect()
        assert self.message._root.arena.beside is None or not self.message._root.arena.beside.pads
        data = b"".join(map(bytes, self.message.to_segments()))
        assert sum(map(bool, data)) <= 16, data  # the root pointer, or two words of landing pad and it


def same(value: Any, model: Any) -> bool:
    """Whether a value is what the model says; what that does not name is null."""
    if isinstance(value, ccapnp.AnyPointerReader):
        return value.kind == "null" if model is None else same_text(value, model)
    if isinstance(value, ccapnp.StructView):
        return value.number == model.get("number", 0) and all(
            value.has(name) == (name in model)
            and (name not in model or same(ccapnp.get_field(value, name), model[name]))
            for name in value._type._node.fields_by_name
            if name != "number"
        )
    if isinstance(value, ccapnp.ListReader):
        return len(value) == len(model) and all(map(same, value, model))
    return bool(value == model)


def same_text(pointer: Any, model: str) -> bool:
    return (pointer.as_text() if pointer.kind == "list" else "") == model


MOVES = (
    Game.assign, Game.disown, Game.disown, Game.disown_element, Game.make, Game.concatenate, Game.adopt, Game.adopt,
    Game.adopt, Game.adopt_element, Game.resize, Game.discard,
)  # fmt: skip


@pytest.fixture(scope="session")
def module(compile_schema: Callable[[str], ModuleType]) -> ModuleType:
    return compile_schema(SCHEMA)


@pytest.mark.fuzz
@given(seed=st.integers(0, 2**32))
def test_nothing_is_lost(module: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    game = Game(module, rng)
    for _ in range(30):
        rng.choice(MOVES)(game)
        game.check()
    game.end()
