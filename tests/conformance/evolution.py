"""Schemas that evolve: a schema as a value, steps that change it, and its text.

A step is drawn by hypothesis, so that a failure shrinks to the few steps that matter.  `compatible` steps are those
after which messages can still be exchanged, `incompatible` ones those that a loader must refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional, Union

from hypothesis import strategies as st

__all__ = ["POINTERS", "SCALARS", "Evolution", "Schema", "Scope", "Slot", "compatible", "incompatible", "schemas"]

FILE_ID = 0xF00000000000E000

INTEGERS = {f"{sign}Int{bits}": (sign, bits) for sign in ("", "U") for bits in (8, 16, 32, 64)}
SCALARS = ("Void", "Bool", *INTEGERS, "Float32", "Float64", "E")
POINTERS = ("Text", "Data", "S", "List(Text)", "List(S)", *(f"List({each})" for each in SCALARS))


@dataclass
class Slot:
    """One field; ``default`` is text of the schema language, and what it stands for.

    ``is_widened`` is set once not every value is one of the type that the field had before.
    """

    name: str
    ordinal: int
    type: str
    default: Optional[tuple[str, Any]] = None
    is_widened: bool = False


@dataclass
class Scope:
    """A struct, group or union; an unnamed union has no name."""

    kind: str
    name: str
    members: list[Union[Slot, Scope]] = field(default_factory=list)


class Place(NamedTuple):
    """A field, the scope that it is in, and its struct."""

    struct: str
    scope: Scope
    slot: Slot


@dataclass
class Schema:
    """Structs by name, of which "S" is the root, and the names of the enum "E"."""

    structs: dict[str, Scope] = field(default_factory=lambda: {"S": Scope("struct", "S")})
    enumerants: list[str] = field(default_factory=lambda: ["e0"])
    names: int = 0

    def new_name(self) -> str:
        self.names += 1
        return f"f{self.names}"

    def places(self, struct: Optional[str] = None) -> list[Place]:
        """All fields, of one struct if it is given."""
        names = self.structs if struct is None else (struct,)
        return [Place(name, scope, slot) for name in names for scope, slot in _slots(self.structs[name])]

    def find(self, struct: str, ordinal: int) -> Place:
        return next(place for place in self.places(struct) if place.slot.ordinal == ordinal)

    def scopes(self) -> list[tuple[str, Scope]]:
        """All structs, groups and unions, with the names of their structs."""
        return [(name, scope) for name, struct in self.structs.items() for scope in _scopes(struct)]

    def next_ordinal(self, struct: str) -> int:
        return len(self.places(struct))

    @property
    def text(self) -> str:
        lines = [f"@{FILE_ID:#x};"]
        for number, (name, scope) in enumerate(self.structs.items(), 1):
            lines.append(f"struct {name} @{FILE_ID + number:#x} {{ {_text(scope)} }}")
        names = " ".join(f"{name} @{number};" for number, name in enumerate(self.enumerants))
        lines.append(f"enum E @{FILE_ID + 0xFFF:#x} {{ {names} }}")
        return "\n".join(lines)


def _scopes(scope: Scope) -> Iterator[Scope]:
    yield scope
    for member in scope.members:
        if isinstance(member, Scope):
            yield from _scopes(member)


def _slots(struct: Scope) -> Iterator[tuple[Scope, Slot]]:
    for scope in _scopes(struct):
        for member in scope.members:
            if isinstance(member, Slot):
                yield scope, member


def _in(member: Union[Slot, Scope]) -> list[Slot]:
    return [slot for _, slot in _slots(member)] if isinstance(member, Scope) else [member]


def _text(scope: Scope) -> str:
    parts = []
    for member in scope.members:
        if isinstance(member, Scope):
            head = f"{member.name} :{member.kind}" if member.name else member.kind
            parts.append(f"{head} {{ {_text(member)} }}")
        else:
            default = f" = {member.default[0]}" if member.default else ""
            parts.append(f"{member.name} @{member.ordinal} :{member.type}{default};")
    return " ".join(parts)


# ---- values


def values(draw: Any, schema: Schema, type: str, depth: int = 2) -> Any:
    """A value of a type, as `from_dict` takes it."""
    if type in INTEGERS:
        sign, bits = INTEGERS[type]
        low, high = (0, 1 << bits) if sign else (-1 << bits - 1, 1 << bits - 1)
        return draw(st.integers(low, high - 1))
    if type.startswith("List("):
        return [values(draw, schema, type[5:-1], depth - 1) for _ in range(draw(st.integers(0, 2)))]
    if type in schema.structs:
        return struct_values(draw, schema, type, depth - 1) if depth > 0 else {}
    if type == "E":
        return draw(st.integers(0, len(schema.enumerants)))
    simple: dict[str, Any] = {
        "Void": st.none(),
        "Bool": st.booleans(),
        "Float32": st.floats(width=32, allow_nan=False),
        "Float64": st.floats(allow_nan=False),
        "Text": st.text("ab \xe9", max_size=9),
        "Data": st.binary(max_size=9),
    }
    return draw(simple[type])


def struct_values(draw: Any, schema: Schema, struct: str, depth: int = 2) -> dict[str, Any]:
    """Values for some fields of a struct, and for one member of each union.

    In a struct that some other value became, the union around that has it as the active member.
    """

    def of(scope: Scope) -> dict[str, Any]:
        members = scope.members
        if scope.kind == "union":
            first = [each for each in members if struct != "S" and any(slot.ordinal == 0 for slot in _in(each))]
            members = [draw(st.sampled_from(first or members))]
        found: dict[str, Any] = {}
        for member in members:
            if isinstance(member, Scope):
                found.update({member.name: of(member)} if member.name else of(member))
            elif not member.is_widened and (scope.kind == "union" or draw(st.booleans())):
                found[member.name] = values(draw, schema, member.type, depth)
        return found

    return of(schema.structs[struct])


# ---- steps

Step = Callable[[Any, Schema], None]


def rename(draw: Any, schema: Schema) -> None:
    members = [member for _, scope in schema.scopes() for member in scope.members if member.name]
    draw(st.sampled_from(members)).name = schema.new_name()


def rename_enumerant(draw: Any, schema: Schema) -> None:
    schema.enumerants[draw(st.integers(0, len(schema.enumerants) - 1))] = schema.new_name()


def add_enumerant(draw: Any, schema: Schema) -> None:
    schema.enumerants.append(schema.new_name())


def add(draw: Any, schema: Schema) -> None:
    """A field at the end, anywhere."""
    struct, scope = draw(st.sampled_from(schema.scopes()))
    scope.members.insert(draw(st.integers(0, len(scope.members))), new_slot(draw, schema, struct))


def permute(draw: Any, schema: Schema) -> None:
    """The order in the source."""
    _, scope = draw(st.sampled_from(schema.scopes()))
    scope.members[:] = draw(st.permutations(scope.members))


def into_group(draw: Any, schema: Schema) -> None:
    """One field into a group, with others that are new."""
    struct, scope, slot = draw(st.sampled_from(schema.places()))
    group = Scope("group", schema.new_name(), [slot])
    if draw(st.booleans()):
        group.members.append(new_slot(draw, schema, struct))
    scope.members[scope.members.index(slot)] = group


def into_union(draw: Any, schema: Schema) -> None:
    """One field into a union, with another that is new."""
    struct, scope, slot = draw(st.sampled_from(schema.places()))
    may_be_unnamed = scope.kind != "union" and all(member.name for member in scope.members)
    name = "" if may_be_unnamed and draw(st.booleans()) else schema.new_name()
    scope.members[scope.members.index(slot)] = Scope("union", name, [slot, new_slot(draw, schema, struct)])


def into_structs(draw: Any, schema: Schema) -> None:
    """A list of anything but bits into one of structs of which that is the first field."""
    chosen = [
        place.slot
        for place in schema.places()
        if place.slot.type.startswith("List(")
        and place.slot.default is None
        and place.slot.type[5:-1] not in ("Bool", *schema.structs)
    ]
    if chosen:
        slot = draw(st.sampled_from(chosen))
        name = f"P{len(schema.structs)}"
        schema.structs[name] = Scope("struct", name, [Slot(schema.new_name(), 0, slot.type[5:-1])])
        slot.type = f"List({name})"


def widen(draw: Any, schema: Schema) -> None:
    """A pointer to one that may lead to more."""
    chosen = [place.slot for place in schema.places() if place.slot.type in POINTERS and place.slot.default is None]
    if chosen:
        slot = draw(st.sampled_from(chosen))
        to_data = slot.type in ("Text", "List(Int8)", "List(UInt8)")
        slot.type = "Data" if to_data and draw(st.booleans()) else "AnyPointer"
        slot.is_widened = True


COMPATIBLE: tuple[Step, ...] = (
    rename,
    rename_enumerant,
    add_enumerant,
    add,
    permute,
    into_group,
    into_union,
    into_structs,
    widen,
)


def new_slot(draw: Any, schema: Schema, struct: str) -> Slot:
    """A field after all others of a struct."""
    type = draw(st.sampled_from(SCALARS + POINTERS))
    default = draw(st.none() | defaults(type))
    return Slot(schema.new_name(), schema.next_ordinal(struct), type, default)


def defaults(type: str) -> st.SearchStrategy[Any]:
    """A default that differs from the usual one, where that is simple."""
    if type in INTEGERS:
        return st.integers(1, 100).map(lambda number: (str(number), number))
    if type in ("Float32", "Float64"):
        return st.integers(1, 100).map(lambda number: (f"{number}.5", number + 0.5))
    if type == "Bool":
        return st.just(("true", True))
    if type == "Text":
        return st.just(('"default"', "default"))
    if type == "List(UInt8)":
        return st.just(("[1, 2]", [1, 2]))
    return st.none()


@st.composite
def schemas(draw: Any) -> Schema:
    """A schema to begin with, of some fields."""
    schema = Schema()
    schema.structs["S"].members.append(new_slot(draw, schema, "S"))
    for _ in range(draw(st.integers(0, 5))):
        add(draw, schema)
    for _ in range(draw(st.integers(0, 2))):
        draw(st.sampled_from((into_group, into_union)))(draw, schema)
    return schema


class Evolution(NamedTuple):
    """Two versions of one schema, and the names of the steps between."""

    old: Schema
    new: Schema
    steps: list[str]


@st.composite
def compatible(draw: Any) -> Evolution:
    """Some steps that messages survive."""
    old = draw(schemas())
    new = deepcopy(old)
    steps = draw(st.lists(st.sampled_from(COMPATIBLE), min_size=1, max_size=6))
    for step in steps:
        step(draw, new)
    return Evolution(old, new, [step.__name__ for step in steps])


@st.composite
def incompatible(draw: Any) -> Evolution:
    """Some such steps, and then another type or default for a field that has been there."""
    old, new, steps = draw(compatible())
    place = draw(st.sampled_from(old.places("S")))
    slot = new.find("S", place.slot.ordinal).slot
    defaulted = defaults(place.slot.type) if place.slot.type in SCALARS else st.none()
    if not defaulted.is_empty and draw(st.booleans()):
        default = draw(st.none() | defaulted)
        if default != place.slot.default:
            slot.default = default
            return Evolution(old, new, [*steps, "change_default"])
    slot.type = draw(st.sampled_from([type for type in SCALARS if type != place.slot.type]))
    slot.default = None
    return Evolution(old, new, [*steps, "change_type"])
