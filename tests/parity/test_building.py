"""The same values and steps build the same bytes, or are refused with the same words, whichever codec does the work."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

from hypothesis import given, note

import ccapnp
from ccapnp.schema.names import attribute_name
from tests.parity.differences import assert_same
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.messages import built, damaged
from tests.parity.outcomes import outcome
from tests.parity.schemas import Schema, make_schema
from tests.parity.values import Values, realised

pytestmark = parity

_Both = list[ModuleType]


def compared(name: str, modules: _Both, build: Callable[[ModuleType], Any]) -> None:
    note(name)
    assert_same([outcome(lambda module=module: build(module)) for module in modules])


def segments(builder: Any) -> list[bytes]:
    return [bytes(segment) for segment in builder.to_segments()]


def drawn(seed: int, rng: random.Random) -> tuple[Schema, _Both, str]:
    schema = make_schema(seed)
    return schema, list(schema.modules.values()), rng.choice(schema.names)


@given(seed=SEEDS, rng=RANDOMS)
def test_whole_messages(seed: int, rng: random.Random) -> None:
    schema, modules, name = drawn(seed, rng)
    pure = schema.modules["pure"]
    plan = Values(rng, pure, rng.choice([0, 0, 0.02, 0.1])).struct(getattr(pure, name), 4)
    note(plan)
    words = rng.choice([0, 1, 3, 40, 1024])

    def new_message(module: ModuleType) -> Any:
        return segments(getattr(module, name).new_message(words, **realised(plan, module)))

    def from_dict(module: ModuleType) -> Any:
        made = getattr(module, name).from_dict(realised(plan, module))
        return segments(made), made, ccapnp.to_bytes_packed(made)

    def written_and_read(module: ModuleType) -> Any:
        made = getattr(module, name).from_dict(realised(plan, module))
        again = getattr(module, name).from_bytes(made.to_bytes())
        return ccapnp.to_dict(again, verbose=True), again.copy(), hash(again), made == again

    def any_mapping_and_sequence(module: ModuleType) -> Any:
        return segments(getattr(module, name).from_dict(unusual(realised(plan, module))))

    for step in (new_message, from_dict, written_and_read, any_mapping_and_sequence):
        compared(step.__name__, modules, step)


class OtherDict(dict[str, Any]):
    """Not quite a dict, nor quite a str below."""


class OtherText(str):
    __slots__ = ()


class OtherList(list[Any]):
    pass


def unusual(value: Any) -> Any:
    """The same values as subclasses, tuples and iterators."""
    if isinstance(value, dict):
        return OtherDict((name, unusual(each)) for name, each in value.items())
    if isinstance(value, list):
        made = [unusual(each) for each in value]
        return (made, tuple(made), OtherList(made), iter(made))[len(made) % 4]
    if isinstance(value, str):
        return OtherText(value)
    return bytearray(value) if type(value) is bytes else value


@given(seed=SEEDS, rng=RANDOMS)
def test_steps_on_one_builder(seed: int, rng: random.Random) -> None:
    """The builder's bytes are the same after each step; a step that fails changes nothing on either side."""
    schema, modules, name = drawn(seed, rng)
    pure = schema.modules["pure"]
    message = damaged(rng, built(rng, pure, name, 3))
    words = rng.choice([1, 20, 1024])
    try:
        builders = [getattr(module, name).from_segments(message).as_builder(words) for module in modules]
    except ccapnp.CapnpError:
        builders = [getattr(module, name).new_message(words) for module in modules]
    for _ in range(4):
        step, start = rng.choice(STEPS), rng.getrandbits(32)
        note(step.__name__)
        plan = Values(rng, pure, rng.choice([0, 0, 0.05])).struct(getattr(pure, name), 3)
        found = [stepped(step, *pair, start, plan) for pair in zip(builders, modules)]
        assert_same(found)


def stepped(step: Any, builder: Any, module: ModuleType, start: int, plan: dict[str, Any]) -> Any:
    """What became of a step, and the builder's bytes after it."""
    return outcome(lambda: step(builder, module, random.Random(start), plan)), segments(builder)


_Plan = dict[str, Any]


def assign(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    for name, value in plan.items():
        ccapnp.set_field(builder, name, realised(value, module))


def assign_attributes(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    """The same by what a class has for each field; structs also as views of other messages."""
    for name, value in plan.items():
        made = realised(value, module)
        if isinstance(value, dict) and not builder._type._node.fields_by_name[name].is_group and rng.random() < 0.8:
            made = _in_another_message(ccapnp.get_field(builder, name), made, rng)
        setattr(builder, attribute_name(name), made)


def _in_another_message(view: Any, value: Any, rng: random.Random) -> Any:
    """A struct of the type of ``view`` with that value, as something that a message has in it."""
    struct_type = getattr(view, "_type", None)
    if struct_type is None or not isinstance(view, ccapnp.StructBuilder):
        return value
    made = struct_type.new_message(rng.choice([1, 1024]), **value)
    return rng.choice(
        [made, made.as_reader(), struct_type.from_bytes(made.to_bytes()), struct_type.from_segments(made.to_segments())]
    )


def init_attributes(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    names = list(builder._type._node.fields_by_name)
    return [_init(builder, name, rng.choice([None, 0, 2, 30])) for name in rng.sample(names, min(3, len(names)))]


def _init(builder: Any, name: str, size: Any) -> Any:
    return builder.init(name) if size is None else builder.init(name, size)


def assign_to_another_of_its_type(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    """Its own struct as the value of a field: copied before it changes."""
    for field in builder._type._node.fields:
        if not field.is_group and field.type.kind == ccapnp.Kind.STRUCT and field.discriminant is None:
            ccapnp.set_field(builder, field.name, builder if rng.random() < 0.5 else realised(plan, module))


def clear(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    names = list(builder._type._node.fields_by_name)
    for name in rng.sample(names, min(3, len(names))):
        ccapnp.set_field(builder, name, None)


def init(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    names = list(builder._type._node.fields_by_name)
    return [ccapnp.init(builder, name, rng.choice([None, 0, 2, 30])) for name in rng.sample(names, min(2, len(names)))]


def init_resizable(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    for name, value in plan.items():
        if isinstance(value, list):
            with ccapnp.init_resizable_list(builder, name) as values:
                for each in value:
                    values.append(realised(each, module))


def read(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    """Which upgrades what is too small, and copies defaults."""
    return builder


def set_elements(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    for name, value in plan.items():
        values = ccapnp.get_field(builder, name)
        if isinstance(values, ccapnp.ListBuilder) and isinstance(value, list):
            for position, each in enumerate(value[: len(values)]):
                values[position] = realised(each, module)
            values[: len(value)] = realised(value, module)


def set_deeper(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    for name, value in plan.items():
        inner = ccapnp.get_field(builder, name)
        if isinstance(inner, ccapnp.StructBuilder) and isinstance(value, dict):
            assign(inner, module, rng, value)


def move_by_orphans(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    """Fields that leave the tree and return in another order, or change their length, or are dropped."""
    names = list(builder._type._node.fields_by_name)
    orphans = []
    for name in rng.sample(names, min(4, len(names))):
        try:
            orphans.append((name, ccapnp.disown(builder, name)))
        except ccapnp.UnionError:
            continue
    made = ccapnp.orphanage(builder)
    for name, orphan in rng.sample(orphans, len(orphans)):
        if rng.random() < 0.3 and isinstance(orphan.get_reader(), (ccapnp.ListReader, str, bytes)):
            orphan.resize(rng.choice([0, 1, 3, 20]))
        if rng.random() < 0.3 and isinstance(orphan.get_reader(), ccapnp.ListReader):
            orphan = made.concatenate([orphan.get_reader(), orphan.get_reader()])
        if rng.random() < 0.8:
            ccapnp.adopt(builder, name, orphan)
    return [ccapnp.get_field(builder, name) for name, _ in orphans if builder._type._access(name).is_active(builder)]


def compare_and_measure(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    made = ccapnp.copy(builder)
    return made == builder, ccapnp.total_size(builder), ccapnp.canonicalize(builder), segments(made)


def to_dict(builder: Any, module: ModuleType, rng: random.Random, plan: _Plan) -> Any:
    return ccapnp.to_dict(builder), ccapnp.to_dict(builder, verbose=True), ccapnp.to_text(builder)


STEPS: tuple[Callable[..., Any], ...] = (
    assign,
    assign_attributes,
    init_attributes,
    assign_to_another_of_its_type,
    clear,
    init,
    init_resizable,
    read,
    set_elements,
    set_deeper,
    move_by_orphans,
    compare_and_measure,
    to_dict,
)
