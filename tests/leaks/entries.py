"""Each way into the library, as an action that can be done again and again; all on the messages of one `Sample`."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import ccapnp
from tests.parity.schemas import make_schema
from tests.schema_request import schema_request

__all__ = ["ENTRIES", "Entry", "Sample"]


class Sample:
    """A message of schema.capnp's ``Node``, in all forms: with groups, unions, lists of structs, texts and pointers."""

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.request = schema_request()
        self.small_request = make_schema(1).request
        self.module: ModuleType = ccapnp.load_request(self.request, backend=backend)
        self.Node: Any = self.module.Node  # type: ignore[attr-defined]
        self.values: dict[str, Any] = {
            "id": 2**63,
            "displayName": "a.capnp:A",
            "nestedNodes": [{"name": "Nested", "id": 7}, {"name": "Other", "id": 8}],
            "annotations": [{"id": 1, "value": {"text": "x"}}],
            "struct": {
                "dataWordCount": 3,
                "fields": [{"name": f"f{n}", "slot": {"type": {"int32": None}}} for n in "ab"],
            },
        }
        self.builder: Any = self.Node.from_dict(self.values)
        self.data: bytes = self.builder.to_bytes()
        self.json: str = self.builder.to_json()
        self.text: str = self.builder.to_text()
        self.packed: bytes = self.builder.to_bytes_packed()
        self.reader: Any = self.Node.from_bytes(self.data, None)
        self.small_segments: list[bytes] = [bytes(each) for each in self.reader.as_builder(1).to_segments()]
        self.pickle: bytes = pickle.dumps([self.reader, self.builder, self.reader.nestedNodes], 5)

    def open(self, **limits: Any) -> Any:
        return self.Node.from_bytes(self.data, **limits)


Action = Callable[[Sample], Any]


class Entry(NamedTuple):
    """``share``: an action that takes long is done only for one in so many turns."""

    action: Action
    share: int


ENTRIES: dict[str, Entry] = {}


def _entry(action: Action, share: int = 1) -> Action:
    ENTRIES[action.__name__] = Entry(action, share)
    return action


def _slow(share: int) -> Callable[[Action], Action]:
    return lambda action: _entry(action, share)


# ---- reading


@_entry
def open_a_buffer(sample: Sample) -> None:
    sample.Node.from_bytes(sample.data)
    sample.Node.from_bytes(bytearray(sample.data))
    sample.Node.from_bytes(memoryview(b"x" + sample.data)[1:])


@_entry
def open_segments(sample: Sample) -> None:
    sample.Node.from_segments(sample.small_segments)
    ccapnp.MessageReader.from_segments(sample.small_segments, backend=sample.backend).get_root(sample.Node)


@_entry
def unpack(sample: Sample) -> None:
    sample.Node.from_bytes_packed(sample.packed)
    sample.Node.read_packed(io.BytesIO(sample.packed))


@_entry
def read_streams(sample: Sample) -> None:
    for _ in sample.Node.read_multiple(io.BytesIO(sample.data * 2)):
        pass
    for _ in sample.Node.read_multiple_packed(io.BytesIO(sample.packed * 2)):
        pass
    next(sample.Node.read_multiple_packed(io.BytesIO(sample.packed * 2)))  # left where it is
    for _ in sample.Node.read_multiple_bytes(sample.data * 2):
        pass


@_entry
def read_streams_in_pieces(sample: Sample) -> None:
    for packed, data in ((False, sample.data), (True, sample.packed)):
        decoder = ccapnp.StreamDecoder(None, packed=packed, backend=sample.backend)
        assert len([*decoder.feed(data[:9]), *decoder.feed(data[9:] + data), *decoder.feed(data[:50])]) == 2


@_entry
def read_fields(sample: Sample) -> None:
    node = sample.open()
    node.displayName, node.nestedNodes[1].name, node.struct.fields[0].slot.type.which(), node.which()
    list(node.nestedNodes), len(node.annotations), node.annotations[0].value.text


@_entry
def to_dict(sample: Sample) -> None:
    node = sample.open()
    node.to_dict(), node.struct.to_dict(), node.nestedNodes[0].to_dict()
    sample.builder.to_dict()


@_slow(4)
def to_dict_in_other_modes(sample: Sample) -> None:
    sample.reader.to_dict(verbose=True), sample.reader.to_dict(True, True), sample.reader.to_dict(omit_defaults=True)


@_slow(4)
def texts(sample: Sample) -> None:
    str(sample.reader), repr(sample.reader), sample.reader.to_text(pretty=True)


@_entry
def to_json(sample: Sample) -> None:
    sample.reader.to_json(), sample.reader.struct.to_json(), sample.reader.nestedNodes.to_json()


@_slow(4)
def to_json_in_python(sample: Sample) -> None:
    sample.reader.to_json(pretty=True)


# ---- building


@_entry
def from_json(sample: Sample) -> None:
    sample.Node.from_json(sample.json), sample.Node.from_json(sample.json.encode())


@_slow(4)
def from_text(sample: Sample) -> None:
    sample.Node.from_text(sample.text)


@_entry
def from_dict(sample: Sample) -> None:
    sample.Node.from_dict(sample.values)


@_entry
def new_message(sample: Sample) -> None:
    node = sample.Node.new_message(**sample.values)
    node.struct.fields = [{"name": "x"}]
    node.nestedNodes[0] = {"name": "y"}
    node.displayName = "z" * 50


@_entry
def new_message_of_many_segments(sample: Sample) -> None:
    sample.Node.new_message(1, **sample.values)


@_entry
def set_from_others(sample: Sample) -> None:
    message = ccapnp.MessageBuilder(backend=sample.backend)
    message.set_root(sample.reader)
    message.root.set(sample.reader.nestedNodes)
    message.root.set("text")


@_entry
def building_in_given_memory(sample: Sample) -> None:
    message = ccapnp.MessageBuilder(
        first_segment=bytearray(400), allocator=lambda words: bytearray(8 * words), backend=sample.backend
    )
    message.set_root(sample.reader)
    message.write_into(bytearray(message.framed_size))
    segments = [bytearray(each) for each in message.to_segments()]
    message.reset()
    ccapnp.MessageBuilder.from_segments(segments, backend=sample.backend).get_root(sample.Node).displayName = "z" * 50


@_entry
def resizable_list(sample: Sample) -> None:
    node = sample.Node.new_message()
    values = node.init_resizable_list("nestedNodes")
    values.add().name = "x"
    values.finish()
    values.append({"name": "y"})
    values.finish()


# ---- whole messages


@_entry
def copies(sample: Sample) -> None:
    sample.reader.as_builder(), sample.builder.copy(), copy.deepcopy(sample.reader), sample.reader.as_builder(1)
    sample.reader.nestedNodes[1].copy(), copy.deepcopy(sample.builder.nestedNodes)


@_entry
def comparing(sample: Sample) -> None:
    assert sample.reader == sample.builder
    assert sample.open() == sample.reader and sample.reader.nestedNodes == sample.builder.nestedNodes
    assert sample.reader.nestedNodes[0] != sample.reader.nestedNodes[1]


@_entry
def hashing(sample: Sample) -> None:
    hash(sample.reader), ccapnp.canonicalize(sample.reader.nestedNodes)
    message = ccapnp.MessageReader(sample.data, backend=sample.backend)
    assert not ccapnp.is_canonical(message)
    form = ccapnp.MessageReader.from_segments([ccapnp.canonicalize(sample.builder)], backend=sample.backend)
    assert ccapnp.is_canonical(form)


@_entry
def measuring(sample: Sample) -> None:
    sample.reader.total_size, sample.builder.total_size


@_entry
def writing(sample: Sample) -> None:
    sample.builder.to_bytes(), sample.builder.to_segments(), sample.reader.nestedNodes[0].to_bytes()
    sample.builder.write(io.BytesIO())


@_entry
def packing(sample: Sample) -> None:
    sample.builder.to_bytes_packed(), sample.reader.write_packed(io.BytesIO())


@_slow(2)
def pickling(sample: Sample) -> None:
    pickle.dumps([sample.reader, sample.builder, sample.reader.nestedNodes], 5)
    pickle.loads(sample.pickle)


@_slow(40)
def loading_a_schema(sample: Sample) -> None:
    ccapnp.load_request(sample.small_request, backend=sample.backend)


# ---- errors


def _refused(*actions: Callable[[], Any]) -> None:
    """Each is an error; the frames that it went through must not be kept."""
    for action in actions:
        try:
            action()
        except (ccapnp.CapnpError, AttributeError, TypeError, ValueError, pickle.PicklingError):
            continue
        raise AssertionError("there was no error")


def _broken(sample: Sample) -> bytes:
    return sample.data.replace(b"Other\0", b"Other\1")


@_entry
def messages_that_are_refused(sample: Sample) -> None:
    _refused(
        lambda: sample.Node.from_bytes(sample.data[:-8]),
        lambda: sample.Node.from_bytes(b"x" * 100),
        lambda: sample.Node.from_bytes_packed(sample.packed[:-3]),
        lambda: list(sample.Node.read_multiple_packed(io.BytesIO(sample.packed + b"\xff"))),
        lambda: list(sample.Node.read_multiple(io.BytesIO(sample.data + b"\xff"))),
        lambda: ccapnp.StreamDecoder(backend=sample.backend).feed(b"x" * 100),
        lambda: ccapnp.StreamDecoder(packed=True, backend=sample.backend).feed(b"x" * 100),
        lambda: ccapnp.MessageBuilder.from_segments([bytearray(sample.data[8:-8])], backend=sample.backend),
        lambda: sample.Node.from_segments([b"123"]),
        lambda: sample.Node.from_bytes("text"),
    )


@_entry
def trees_that_are_refused(sample: Sample) -> None:
    broken = sample.Node.from_bytes(_broken(sample))
    _refused(
        broken.to_dict,
        broken.to_json,
        lambda: broken.to_json(pretty=True),
        lambda: sample.open(traversal_limit_in_words=20).to_dict(),
        lambda: sample.open(nesting_limit=2).to_dict(),
        lambda: sample.open(traversal_limit_in_words=20).as_builder(),
        lambda: hash(sample.open(nesting_limit=2)),
        lambda: sample.open(nesting_limit=2).total_size,
        lambda: sample.open(nesting_limit=2) == sample.reader,
        lambda: broken.nestedNodes[1].name,
    )


@_entry
def orphans(sample: Sample) -> None:
    node = sample.Node.new_message(16, displayName="name", nestedNodes=sample.values["nestedNodes"])
    orphanage = ccapnp.orphanage(node)
    nested = node.disown("nestedNodes")
    nested.resize(20)
    node.adopt("nestedNodes", nested)
    orphanage.concatenate([node.nestedNodes, sample.reader.nestedNodes])
    orphanage.reference(sample.data[: len(sample.data) & ~7]).get_reader()
    kept = [orphanage.copy(sample.reader), orphanage.new(sample.Node), node.disown("displayName"), node.disown("id")]
    kept[0].get().displayName = "changed"
    _refused(
        nested.get,
        lambda: node.adopt("nestedNodes", kept[0]),
        lambda: kept[0].get().nestedNodes.adopt(0, kept[0]),
        lambda: sample.builder.adopt("nestedNodes", kept[0]),
        lambda: orphanage.copy(object()),
        lambda: orphanage.reference(b"1"),
    )


@_entry
def values_that_are_refused(sample: Sample) -> None:
    node = sample.Node.new_message()
    _refused(
        lambda: sample.Node.from_dict({"nestedNodes": [{"name": "ok"}, {"name": 5}]}),
        lambda: sample.Node.new_message(id=-1),
        lambda: sample.Node.new_message(nope=1),
        lambda: sample.Node.new_message(displayName="\ud800"),
        lambda: sample.Node.new_message(struct={}, enum={}),
        lambda: setattr(node, "nestedNodes", [{"id": "x"}]),
        lambda: setattr(sample.reader, "id", 5),
        lambda: sample.reader.enum,
        lambda: sample.reader.init("nestedNodes", 1),
        lambda: node.init("nestedNodes", -1),
        lambda: pickle.dumps(sample.reader.struct),
    )


@_entry
def texts_that_are_refused(sample: Sample) -> None:
    _refused(
        lambda: sample.Node.from_json(sample.json[:-1]),
        lambda: sample.Node.from_json(b"\xff"),
        lambda: sample.Node.from_json('{"nestedNodes":[{"id":1},{"id":-1}]}'),
        lambda: sample.Node.from_json('{"id":1,"id":2}'),
        lambda: sample.Node.from_json('{"displayName":"\\ud800"}'),
        lambda: sample.Node.from_json('{"nope":1}', reject_unknown_fields=True),
        lambda: sample.Node.from_text(sample.text[:-1]),
        lambda: sample.Node.from_text("(nope = 1)"),
    )


@_slow(40)
def schemas_that_are_refused(sample: Sample) -> None:
    changed = sample.small_request.replace(b"Enum0\0", b"Enum9\0")
    _refused(
        lambda: ccapnp.load_request(changed, backend=sample.backend),
        lambda: ccapnp.load_request(sample.small_request[:-8], backend=sample.backend),
        lambda: ccapnp.load_request(sample.data, backend=sample.backend),
        lambda: ccapnp.load_request(b"", backend="other"),
    )


@_entry
def views(sample: Sample) -> None:
    view = ccapnp.get_data_as_view(sample.reader, "displayName")
    with contextlib.suppress(BufferError):
        view.release()
