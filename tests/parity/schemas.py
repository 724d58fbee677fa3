"""Random schemas: nodes of structs, groups, unions, enums and an interface, laid out as a compiler could.

A schema is made in two steps.  A *plan* says what members each struct has; emitting it gives each a place and the whole
the form of a CodeGeneratorRequest.  Defaults that are structs or lists are values of the same plan's types, emitted
before under other ids.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple, Optional, Union

import ccapnp
from ccapnp.schema import schema_capnp
from ccapnp.schema.value import WIDTH_BITS, Kind
from tests.parity.values import Values, data, number, realised, text

__all__ = ["Schema", "make_schema"]

SCALARS = (*list(Kind)[: Kind.FLOAT64 + 1], Kind.ENUM)
_NAMES = {
    kind: "".join(part if not index else part.title() for index, part in enumerate(kind.name.lower().split("_")))
    for kind in Kind
}
"""The members of schema.capnp's ``Type`` and ``Value``."""


class TypePlan(NamedTuple):
    """A type: ``target`` numbers the struct or enum, ``element`` is that of a list, ``any_kind`` of an AnyPointer."""

    kind: Kind
    target: int = 0
    element: Optional[Any] = None
    any_kind: str = "anyKind"


class Slot(NamedTuple):
    name: str
    type: TypePlan
    has_default: bool


class Group(NamedTuple):
    name: str
    members: list[Any]


class Alternatives(NamedTuple):
    """The unnamed union of a struct or group."""

    members: list[Any]


_Member = Union[Slot, Group, Alternatives]


class Plan(NamedTuple):
    """What a schema has; ``structs`` gives the members of each."""

    enums: list[int]
    structs: list[list[_Member]]


class Schema(NamedTuple):
    """A schema, loaded for each codec; ``names`` are the structs', ``Old`` and a name is one with fewer members."""

    request: bytes
    modules: dict[str, ModuleType]
    names: list[str]


@cache
def make_schema(seed: int) -> Schema:
    """The schema of that number."""
    rng = random.Random(seed)
    plan = _plan(rng)
    bare = ccapnp.load_request(_Emission(plan, f"{seed} without defaults", None, rng).request(), backend="pure")
    request = _Emission(plan, f"{seed}", bare, rng).request()
    modules = {backend: ccapnp.load_request(request, backend=backend) for backend in ("pure", "native")}
    return Schema(request, modules, [_struct_name(index) for index in range(len(plan.structs))])


# ---- the plan


class _Scope(NamedTuple):
    """The number of the struct that a member is for, and how many there are."""

    owner: int
    structs: int


def _plan(rng: random.Random) -> Plan:
    counts = [rng.randint(1, 5) for _ in range(2)]
    structs = rng.randint(2, 4)
    return Plan(counts, [_members(rng, _Scope(owner, structs), "f", depth=0) for owner in range(structs)])


def _members(rng: random.Random, scope: _Scope, prefix: str, depth: int) -> list[_Member]:
    """The members of a struct or group; names begin with ``prefix``, so that all of a struct's differ."""
    made: list[_Member] = []
    has_union = False
    for index in range(rng.choice([0, 2, 4, 6, 9] if depth == 0 else [1, 2, 3])):
        name, roll = f"{prefix}{index}", rng.random()
        if roll < 0.12 and depth < 2:
            made.append(Group(name, _members(rng, scope, f"{name}g", depth + 1)))
        elif roll < 0.3 and depth < 2 and not has_union:
            has_union = True
            made.append(
                Alternatives([_alternative(rng, scope, f"{name}u{at}", depth) for at in range(rng.randint(2, 4))])
            )
        else:
            made.append(_slot(rng, scope, name))
    return made


def _alternative(rng: random.Random, scope: _Scope, name: str, depth: int) -> _Member:
    if rng.random() < 0.25:
        return Group(name, _members(rng, scope, f"{name}g", depth + 1))
    return _slot(rng, scope, name)


def _slot(rng: random.Random, scope: _Scope, name: str) -> Slot:
    type_plan = innermost = _type(rng, scope.structs, 0)
    while innermost.element is not None:
        innermost = innermost.element
    # A struct whose default holds one of its own kind has no end when its defaults are read.
    may_have_default = innermost.kind != Kind.STRUCT or innermost.target > scope.owner
    return Slot(name, type_plan, may_have_default and rng.random() < 0.4)


def _type(rng: random.Random, structs: int, depth: int) -> TypePlan:
    roll = rng.random()
    if roll < (0.35 if depth == 0 else 0.4):
        return TypePlan(rng.choice(SCALARS), rng.randrange(2))
    if roll < 0.52:
        return TypePlan(rng.choice([Kind.TEXT, Kind.DATA]))
    if roll < 0.7 or depth == 3:
        return TypePlan(Kind.STRUCT, rng.randrange(structs))
    if roll < 0.92:
        return TypePlan(Kind.LIST, element=_type(rng, structs, depth + 1))
    if roll < 0.96:
        return TypePlan(Kind.INTERFACE)
    structs_too = ["struct"] if depth == 0 else []  # no compiler makes a List(AnyStruct)
    return TypePlan(Kind.ANY_POINTER, any_kind=rng.choice(["anyKind", "anyKind", "list", "capability", *structs_too]))


# ---- its form as a request


def _struct_name(index: int) -> str:
    return f"Struct{index}"


class _Sections:
    """How much of a struct's two sections is taken: bits and pointers."""

    def __init__(self) -> None:
        self.bits = self.pointers = self.most_bits = self.most_pointers = 0

    def take(self, kind: Kind) -> int:
        """The offset of a new field."""
        if kind.is_pointer:
            self.pointers += 1
            self.most_pointers = max(self.most_pointers, self.pointers)
            return self.pointers - 1
        width = WIDTH_BITS[kind]
        if not width:
            return 0
        start = -(-self.bits // width)
        self.bits = (start + 1) * width
        self.most_bits = max(self.most_bits, self.bits)
        return start

    def alternatives(self, members: list[Any]) -> Iterator[Any]:
        """Each member of a union, which may lie over those before it."""
        bits, pointers = self.bits, self.pointers
        for member in members:
            self.bits, self.pointers = bits, pointers
            yield member
        self.bits, self.pointers = self.most_bits, self.most_pointers


class _Emission:
    """One plan as nodes; ``values`` is a module of the same plan, which makes the defaults, or ``None`` for none."""

    def __init__(self, plan: Plan, label: str, values: Optional[ModuleType], rng: random.Random) -> None:
        self.plan = plan
        self.label = label
        self.values = values
        self.rng = random.Random(rng.random())
        self.nodes: list[dict[str, Any]] = []
        self.pointer_defaults: list[TypePlan] = []

    def id_of(self, name: str) -> int:
        digest = hashlib.md5(f"parity {self.label} {name}".encode()).digest()
        return int.from_bytes(digest[:8], "big") | 1 << 63

    def request(self) -> bytes:
        tops = []
        for index, count in enumerate(self.plan.enums):
            names = [{"name": f"e{index}n{number}", "codeOrder": number} for number in range(count)]
            tops.append(self._node(f"Enum{index}", {"enum": {"enumerants": names}}))
        tops.append(self._node("Service", {"interface": {"methods": []}}))
        for index, members in enumerate(self.plan.structs):
            name = _struct_name(index)
            tops.append(self._struct(name, members))
            tops.append(self._struct(f"Old{name}", members[: len(members) // 2]))
        if self.values is None:
            slots = [Slot(f"d{at}", type_plan, False) for at, type_plan in enumerate(self.pointer_defaults)]
            tops.append(self._struct("Defaults", slots))
        nested = [{"name": node["displayName"].rpartition(":")[2], "id": node["id"]} for node in tops]
        file = {"id": self.id_of(""), "displayName": self._file, "nestedNodes": nested, "file": None}
        made = schema_capnp.CodeGeneratorRequest.new_message(
            nodes=[file, *self.nodes], requestedFiles=[{"id": file["id"], "filename": self._file}]
        )
        return made.to_bytes()

    @property
    def _file(self) -> str:
        return f"parity {self.label}.capnp"

    def _node(self, name: str, body: dict[str, Any], scope: str = "") -> dict[str, Any]:
        node = {
            "id": self.id_of(name),
            "displayName": f"{self._file}:{name}",
            "displayNamePrefixLength": len(self._file) + 1 + (len(scope) + 1 if scope else 0),
            "scopeId": self.id_of(scope),
            **body,
        }
        self.nodes.append(node)
        return node

    def _struct(self, name: str, members: list[Any]) -> dict[str, Any]:
        sections, bodies = _Sections(), []
        body = self._body(name, members, sections, bodies)
        node = self._node(name, {"struct": body})
        for each in bodies:  # its own and its groups'
            each["dataWordCount"], each["pointerCount"] = -(-sections.most_bits // 64), sections.most_pointers
        return node

    def _body(self, name: str, members: list[Any], sections: _Sections, bodies: list[Any]) -> dict[str, Any]:
        """A struct or group, but for its size."""
        body: dict[str, Any] = {"preferredListEncoding": "inlineComposite", "fields": []}
        bodies.append(body)
        fields = body["fields"]
        for member in members:
            if isinstance(member, Alternatives):
                body["discriminantOffset"] = sections.take(Kind.UINT16)
                body["discriminantCount"] = len(member.members)
                for number_, inner in enumerate(sections.alternatives(member.members)):
                    field = self._field(name, inner, sections, bodies)
                    fields.append({**field, "discriminantValue": number_})
            else:
                fields.append(self._field(name, member, sections, bodies))
        return body

    def _field(self, owner: str, member: Any, sections: _Sections, bodies: list[Any]) -> dict[str, Any]:
        field: dict[str, Any] = {"name": member.name}
        if isinstance(member, Group):
            name = f"{owner}.{member.name}"
            body = self._body(name, member.members, sections, bodies)
            body["isGroup"] = True
            self._node(name, {"struct": body}, owner)
            return {**field, "group": {"typeId": self.id_of(name)}}
        slot = {
            "offset": sections.take(member.type.kind),
            "type": self._type(member.type),
            "defaultValue": self._default(member),
            "hadExplicitDefault": member.has_default,
        }
        return {**field, "slot": slot}

    def _type(self, plan: TypePlan) -> dict[str, Any]:
        kind = plan.kind
        body: Any = None
        if kind == Kind.LIST:
            body = {"elementType": self._type(plan.element)}
        elif kind == Kind.ENUM:
            body = {"typeId": self.id_of(f"Enum{plan.target}")}
        elif kind == Kind.STRUCT:
            body = {"typeId": self.id_of(_struct_name(plan.target))}
        elif kind == Kind.INTERFACE:
            body = {"typeId": self.id_of("Service")}
        elif kind == Kind.ANY_POINTER:
            body = {"unconstrained": {plan.any_kind: None}}
        return {_NAMES[kind]: body}

    def _default(self, slot: Slot) -> dict[str, Any]:
        kind = slot.type.kind
        if kind in (Kind.LIST, Kind.STRUCT):
            return {_NAMES[kind]: self._pointer_default(slot)}
        if not slot.has_default or kind in (Kind.VOID, Kind.INTERFACE, Kind.ANY_POINTER):
            nothing: Any = None if kind == Kind.VOID or kind.is_pointer else kind != Kind.BOOL and 0
            return {_NAMES[kind]: nothing}
        if kind == Kind.TEXT:
            return {"text": text(self.rng)}
        if kind == Kind.DATA:
            return {"data": data(self.rng)}
        value = number(self.rng, Kind.UINT16 if kind == Kind.ENUM else kind)
        return {_NAMES[kind]: value % 7 if kind == Kind.ENUM else value}

    def _pointer_default(self, slot: Slot) -> Any:
        if not slot.has_default:
            return None
        name = f"d{len(self.pointer_defaults)}"
        self.pointer_defaults.append(slot.type)
        if self.values is None:
            return None
        defaults: Any = self.values.Defaults
        value = Values(self.rng, self.values).field(defaults, defaults._node.fields_by_name[name], 2)
        made = defaults.new_message(**{name: realised(value, self.values)})
        return getattr(made, name) if made.has(name) else None
