"""What is done under both codecs: functions of one reader, by name.

Each gets the reader, the `Side` it is on, and a random generator that is in the same state for both.
"""

from __future__ import annotations

import copy
import io
import pickle
import random
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import ccapnp
from ccapnp import Kind, List
from tests.parity.outcomes import outcome

__all__ = ["OPERATIONS", "Side", "performed"]


class Side(NamedTuple):
    """One codec's side of a comparison, with the classes of the other codec, and another message of the same type."""

    module: ModuleType
    other_module: ModuleType
    name: str
    other_message: list[bytes]
    limits: dict[str, Any]

    @property
    def backend(self) -> str:
        return str(self.type._registry.codec.name)

    @property
    def type(self) -> Any:
        """The type of the root, or of whatever else is read."""
        return getattr(self.module, self.name)

    @property
    def structs(self) -> list[Any]:
        return [made for name, made in vars(self.module).items() if name.startswith("Struct")]


Operation = Callable[[Any, Side, random.Random], Any]
OPERATIONS: dict[str, Operation] = {}


def performed(name: str, view: Any, side: Side, start: int) -> Any:
    """What became of an operation, and what is left of the traversal limit then."""
    return outcome(lambda: OPERATIONS[name](view, side, random.Random(start))), view._c.arena.budget


def _operation(function: Operation) -> Operation:
    OPERATIONS[function.__name__] = function
    return function


# ---- reading


@_operation
def read_everything(view: Any, side: Side, rng: random.Random) -> Any:
    return view


@_operation
def to_dict(view: Any, side: Side, rng: random.Random) -> Any:
    return _told(view)


@_operation
def to_dict_verbose(view: Any, side: Side, rng: random.Random) -> Any:
    return _told(view, verbose=True)


@_operation
def to_dict_without_defaults(view: Any, side: Side, rng: random.Random) -> Any:
    return _told(view, omit_defaults=True)


@_operation
def to_dict_base64(view: Any, side: Side, rng: random.Random) -> Any:
    return _told(view, verbose=rng.random() < 0.5, encode_bytes_as_base64=True)


@_operation
def to_dict_of_a_part(view: Any, side: Side, rng: random.Random) -> Any:
    return _told(_a_struct_below(view, rng))


def _told(view: Any, **options: Any) -> Any:
    """The dict, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = ccapnp.to_dict(view, **options)
    return made, [(each.category, str(each.message)) for each in caught]


@_operation
def texts(view: Any, side: Side, rng: random.Random) -> Any:
    return repr(view), str(view), ccapnp.to_text(view), ccapnp.to_text(view, pretty=True)


@_operation
def json_texts(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.to_json(view, rng.random() < 0.3, omit_defaults=rng.random() < 0.2)


@_operation
def json_of_a_part(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.to_json(_a_struct_below(view, rng))


@_operation
def from_json_of_itself(view: Any, side: Side, rng: random.Random) -> Any:
    made = side.type.from_json(ccapnp.to_json(view))
    return ccapnp.to_segments(made), made


@_operation
def from_text_of_itself(view: Any, side: Side, rng: random.Random) -> Any:
    made = side.type.from_text(ccapnp.to_text(view, rng.random() < 0.5))
    return ccapnp.to_segments(made), made


@_operation
def records(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.to_record(view)


@_operation
def records_of_themselves(view: Any, side: Side, rng: random.Random) -> Any:
    struct_type = view._type
    encoded = struct_type.encode(ccapnp.to_record(view))
    return struct_type.decode(encoded, traversal_limit_in_words=None, nesting_limit=200)


@_operation
def lists(view: Any, side: Side, rng: random.Random) -> Any:
    return [_of_list(values) for values in _lists_below(view)]


def _of_list(values: Any) -> Any:
    return [
        values.to_list(),
        str(values),
        repr(values),
        values[::2],
        list(reversed(values)),
        values == values,
        values == values.to_list(),
        values.view() if isinstance(values, ccapnp.NumberList) else None,
        copy.deepcopy(values),
        pickle.loads(pickle.dumps(values)),
    ]


@_operation
def data_views(view: Any, side: Side, rng: random.Random) -> Any:
    fields = view._type._node.fields
    names = [each.name for each in fields if each.type.kind in (Kind.TEXT, Kind.DATA) and each.discriminant is None]
    return [ccapnp.get_data_as_view(view, name) for name in names]


@_operation
def anything_as_anything(view: Any, side: Side, rng: random.Random) -> Any:
    """The root pointer read as whatever it is not."""
    reader = ccapnp.MessageReader.from_segments(ccapnp.to_segments(view), **side.limits, backend=side.backend)
    root = reader.root
    element = rng.choice([Kind.VOID, Kind.BOOL, Kind.UINT8, Kind.FLOAT64, Kind.TEXT, Kind.DATA, *side.structs])
    return root, _attempted(root.as_struct, rng.choice(side.structs)), _attempted(root.as_list, List(element))


def _attempted(read: Callable[[Any], Any], kind: Any) -> Any:
    try:
        return read(kind)
    except ccapnp.CapnpError as error:
        return str(error)


# ---- measuring and comparing


@_operation
def total_size(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.total_size(view)


@_operation
def total_size_of_a_part(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.total_size(_a_struct_below(view, rng))


@_operation
def canonical_form(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.canonicalize(view)


@_operation
def hashed(view: Any, side: Side, rng: random.Random) -> Any:
    return hash(view)


@_operation
def equal_to_itself(view: Any, side: Side, rng: random.Random) -> Any:
    return view == view, view == ccapnp.as_reader(view)


@_operation
def equal_to_a_copy(view: Any, side: Side, rng: random.Random) -> Any:
    made = ccapnp.as_builder(view)
    return view == made, made == view, made != view


@_operation
def equal_to_another(view: Any, side: Side, rng: random.Random) -> Any:
    other = side.type.from_segments(side.other_message, **side.limits)
    return view == other, other == view


@_operation
def equal_to_one_of_the_other_codec(view: Any, side: Side, rng: random.Random) -> Any:
    other_type = getattr(side.other_module, side.name)
    other = other_type.from_segments(ccapnp.to_segments(view), **side.limits)
    return view == other, other == view


@_operation
def equal_parts(view: Any, side: Side, rng: random.Random) -> Any:
    one, other = _a_struct_below(view, rng), _a_struct_below(view, rng)
    return one == other, other == one


@_operation
def equal_pointers(view: Any, side: Side, rng: random.Random) -> Any:
    other = side.type.from_segments(side.other_message, **side.limits)
    names = [each.name for each in view._type._node.fields if each.type.kind == Kind.ANY_POINTER]
    return [
        ccapnp.get_field(view, name) == ccapnp.get_field(each, name)
        for name in names
        for each in (view, other)
        if ccapnp.has(view, name) and ccapnp.has(each, name)
    ]


# ---- writing and copying


@_operation
def to_bytes(view: Any, side: Side, rng: random.Random) -> Any:
    return ccapnp.to_bytes(view), ccapnp.to_segments(view)


@_operation
def to_bytes_packed(view: Any, side: Side, rng: random.Random) -> Any:
    packed = ccapnp.to_bytes_packed(view)
    file = io.BytesIO()
    ccapnp.write_packed(view, file)
    return packed, file.getvalue(), side.type.from_bytes_packed(packed, **side.limits)


@_operation
def as_builder(view: Any, side: Side, rng: random.Random) -> Any:
    made = ccapnp.as_builder(view, rng.choice([None, 1, 7, 100]))
    return ccapnp.to_segments(made), made


@_operation
def copy_of_a_part(view: Any, side: Side, rng: random.Random) -> Any:
    made = ccapnp.copy(_a_struct_below(view, rng))
    return ccapnp.to_segments(made), made


@_operation
def copy_of_a_copy(view: Any, side: Side, rng: random.Random) -> Any:
    made = ccapnp.as_builder(view, 1)
    return ccapnp.to_segments(ccapnp.copy(made)), ccapnp.to_bytes(ccapnp.as_reader(made))


@_operation
def pickled(view: Any, side: Side, rng: random.Random) -> Any:
    return pickle.loads(pickle.dumps(view, rng.choice([2, 4, 5])))


@_operation
def from_dict_of_itself(view: Any, side: Side, rng: random.Random) -> Any:
    made = side.type.from_dict(ccapnp.to_dict(view))
    return ccapnp.to_segments(made), made


@_operation
def set_into_another(view: Any, side: Side, rng: random.Random) -> Any:
    return _set_everywhere(side.module, view, side, rng)


@_operation
def set_into_one_of_the_other_codec(view: Any, side: Side, rng: random.Random) -> Any:
    return _set_everywhere(side.other_module, view, side, rng)


def _set_everywhere(module: ModuleType, view: Any, side: Side, rng: random.Random) -> Any:
    """The segments after the reader, and each of its values, has become part of another message."""
    target_type = getattr(module, side.name)
    message = ccapnp.MessageBuilder(rng.choice([1, 50]), backend=target_type._registry.codec.name)
    message.root.set(view)
    found = [_segments(message)]
    target = target_type.from_segments(side.other_message, **side.limits).as_builder()
    for name in target_type._node.fields_by_name:
        try:
            ccapnp.set_field(target, name, ccapnp.get_field(view, name))
        except ccapnp.CapnpError as error:
            found.append(str(error))
        found.append(_segments(target))
    return found


def _segments(builder: Any) -> list[bytes]:
    return [bytes(segment) for segment in builder.to_segments()]


@_operation
def segments_of_a_list(view: Any, side: Side, rng: random.Random) -> Any:
    message = ccapnp.MessageBuilder(1, backend=side.backend)
    found = []
    for values in _lists_below(view):
        message.root.set(values)
        found.append(_segments(message))
    return found


@_operation
def orphans_of_it(view: Any, side: Side, rng: random.Random) -> Any:
    """The segments after copies of a reader's values, made before there was a place for them, found one."""
    message = ccapnp.MessageBuilder(rng.choice([1, 50]), backend=side.backend)
    orphans = [message.orphanage.copy(value) for value in (view, *_lists_below(view), *_structs_below(view))]
    found = [_segments(message)]
    for orphan in rng.sample(orphans, len(orphans)):
        message.adopt_root(orphan)
        found.append(_segments(message))
    return found


# ---- finding parts


def _a_struct_below(view: Any, rng: random.Random) -> Any:
    """A struct some pointers further, or the view itself."""
    for _ in range(rng.randrange(4)):
        below = list(_structs_below(view))
        if not below:
            break
        view = rng.choice(below)
    return view


def _structs_below(view: Any) -> Iterator[Any]:
    for value in _values(view):
        if isinstance(value, ccapnp.StructView):
            yield value
        elif isinstance(value, ccapnp.ListReader) and len(value) and isinstance(value[0], ccapnp.StructView):
            yield value[0]
            yield value[-1]


def _lists_below(view: Any) -> list[Any]:
    return [value for value in _values(view) if isinstance(value, ccapnp.ListReader) and len(value) < 1000]


def _values(view: Any) -> Iterator[Any]:
    """The values that can be read; of a builder too, which makes some of them."""
    for name in view._type._node.fields_by_name:
        try:
            yield ccapnp.get_field(view, name)
        except (ccapnp.DecodeError, ccapnp.UnionError):
            continue
