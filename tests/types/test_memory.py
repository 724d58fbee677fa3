"""What keeps memory, and what gives it back at once: no cycles, no caches that grow, no buffer held too long."""

from __future__ import annotations

import contextlib
import gc
import io
import mmap
import pickle
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import MessageReader
from tests.types.schema import LIST_VALUES

pytestmark = pytest.mark.usefixtures("cpython")


class Buffer(bytearray):
    """A buffer whose end can be watched."""


@pytest.fixture(autouse=True)
def _no_automatic_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def node(schema: Any) -> Any:
    return schema.Node.new_message(
        name="n",
        child={"name": "c", "child": {"name": "cc"}},
        children=[{"name": "a", "numbers": b"abc"}],
        point={"x": 3, "sub": {"value": 1}},
        any="text",
        data=b"data",
        numbers=b"abc",
    )


def use(view: Any) -> None:
    """Do most things with a struct once."""
    assert view.child.child.name == "cc" and view.children[0].numbers == [97, 98, 99] and view.point.sub.value == 1
    assert view == view and view.children == view.children and view.any.as_text() == "text"
    assert list(view.children) == view.children[0:1] and memoryview(view.numbers).tolist() == list(view.numbers)
    assert view.to_dict() and view.to_dict(verbose=True) and str(view) and repr(view) and view.total_size
    assert view.copy().to_bytes() and view.to_bytes_packed() and view.to_segments() and ccapnp.canonicalize(view)
    assert view.get_data_as_view("data") == view.data


def test_messages_make_no_reference_cycles(schema: Any) -> None:
    use(node(schema))  # classes and properties are made on the way
    gc.collect()
    builder = node(schema)
    use(builder)
    builder.child = builder
    builder.children = [builder, {}]
    builder.child.child.name = "changed"
    builder.init("numbers", 3)
    with builder.init_resizable_list("children") as growing:
        growing.add().name = "x"
    with pytest.raises(ccapnp.EncodeError):
        builder.value = 2**40
    reader = schema.Node.from_bytes(node(schema).to_bytes())
    use(reader)
    with pytest.raises(AttributeError):
        reader.name = "x"
    del builder, reader, growing
    assert gc.collect() == 0


def test_errors_in_messages_make_no_reference_cycles(schema: Any) -> None:
    def fail() -> None:
        with pytest.raises(ccapnp.DecodeError):
            schema.Node.from_bytes(b"12345678" * 3)
        with pytest.raises(ccapnp.CapnpError):
            schema.Node.new_message(children=[{"child": {"value": "x"}}])

    fail()
    gc.collect()
    with contextlib.suppress(ccapnp.EncodeError):
        schema.Node.new_message(children=[{"child": {"value": "x"}}])
    with contextlib.suppress(ccapnp.DecodeError):
        schema.Node.from_bytes(b"12345678" * 3)
    assert gc.collect() == 0


WAYS_IN: dict[str, Callable[[Any, Any], Any]] = {
    "bytes": lambda T, data: T.from_bytes(data),
    "view": lambda T, data: T.from_bytes(memoryview(data)),
    "segments": lambda T, data: T.from_segments([memoryview(data)[8:]]),
    "many": lambda T, data: next(T.read_multiple_bytes(data)),
    "message": lambda T, data: MessageReader(data).get_root(T),
    "messages": lambda T, data: next(ccapnp.read_multiple_bytes(data)).get_root(T),
}
PARTS: dict[str, Callable[[Any], Any]] = {
    "root": lambda reader: reader,
    "struct": lambda reader: reader.child.child,
    "group": lambda reader: reader.point,
    "list": lambda reader: reader.children,
    "element": lambda reader: reader.children[0],
    "iterator": lambda reader: iter(reader.children),
    "numbers": lambda reader: reader.numbers,
    "memoryview": lambda reader: memoryview(reader.numbers),
    "data": lambda reader: reader.get_data_as_view("data"),
    "any": lambda reader: reader.any,
    "segments": lambda reader: reader.to_segments(),
}


@pytest.mark.parametrize("way_in", WAYS_IN)
@pytest.mark.parametrize("part", PARTS)
def test_a_buffer_is_held_as_long_as_any_part_of_the_message(schema: Any, way_in: str, part: str) -> None:
    buffer = Buffer(node(schema).to_bytes())
    watch = weakref.ref(buffer)
    held = PARTS[part](WAYS_IN[way_in](schema.Node, buffer))
    with pytest.raises(BufferError):
        buffer.append(0)
    del buffer
    assert watch() is not None
    del held
    assert watch() is None


@pytest.mark.parametrize("kind", [bytes, bytearray])
@pytest.mark.parametrize("first_segment_words", [4, 1024])
def test_a_view_that_was_given_may_be_released(schema: Any, kind: Any, first_segment_words: int) -> None:
    builder = schema.Node.new_message(first_segment_words, name="n" * 50, children=[{"data": b"x" * 100}] * 3)
    views = [memoryview(kind(segment)) for segment in builder.to_segments()]
    reader = schema.Node.from_segments(views)
    reader.to_dict()
    for view in views:
        view.release()
    assert reader == builder.as_reader() and reader.children[2].data == b"x" * 100
    assert reader.to_bytes() == builder.to_bytes() and reader.to_dict() == builder.to_dict()


@pytest.mark.parametrize("part", [part for part in PARTS if part != "root"])
def test_a_builders_memory_is_given_back_with_its_last_part(schema: Any, part: str) -> None:
    builder = node(schema)
    memory = builder._c.segment.u8.obj  # what pins it can be counted: a bytearray that is exported cannot grow
    held = PARTS[part](builder)
    del builder
    with pytest.raises(BufferError):
        memory.append(0)
    del held
    memory.append(0)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_files_are_not_held(schema: Any, packed: bool) -> None:
    class File(io.BytesIO):
        pass

    file = File((node(schema).to_bytes_packed if packed else node(schema).to_bytes)())
    watch = weakref.ref(file)
    reader = (schema.Node.read_packed if packed else schema.Node.read)(file)
    del file
    assert watch() is None and reader.child.name == "c"


def test_a_mapping_cannot_be_closed_under_a_reader(schema: Any, tmp_path: Path) -> None:
    (tmp_path / "message").write_bytes(node(schema).to_bytes())
    with (tmp_path / "message").open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with schema.Node.from_bytes(mapped) as reader:
            child = reader.child
        with pytest.raises(BufferError):
            mapped.close()
        del reader
        assert child.name == "c"
        with pytest.raises(BufferError):
            mapped.close()
        del child
        mapped.close()


def blocks_after(action: Callable[[], Any], times: int) -> int:
    """How many more blocks of memory there are after an action was repeated."""
    for _ in range(50):
        action()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(times):
        action()
    return sys.getallocatedblocks() - before


def test_reading_leaves_memory_flat(schema: Any) -> None:
    lists = schema.Lists.from_bytes(schema.Lists.new_message(**LIST_VALUES).to_bytes(), None)
    reader = schema.Node.from_bytes(node(schema).to_bytes(), None)

    def read_all() -> None:
        for field in LIST_VALUES:
            for element in getattr(lists, field):
                assert element is not lists
        _ = reader.name, reader.value, reader.child.child.name, reader.point.x, reader.children[0].name, reader.any.kind
        reader.to_dict()

    assert blocks_after(read_all, 2000) < 500


def test_a_million_fields_leave_memory_flat(schema: Any) -> None:
    reader = schema.Node.from_bytes(node(schema).to_bytes(), None)

    def read_many() -> None:
        for _ in range(1000):
            _ = reader.value, reader.name, reader.child, reader.point, reader.numbers

    assert blocks_after(read_many, 200) < 500


def test_building_and_writing_leaves_memory_flat(schema: Any) -> None:
    def build() -> None:
        builder = node(schema)
        data = builder.to_bytes()
        builder.to_bytes_packed()
        builder.to_segments()
        builder.child = builder.child.child
        use(schema.Node.from_bytes(data))

    assert blocks_after(build, 100) < 500


def test_the_types_of_a_loader_end_with_it(schema: Any) -> None:
    text = """struct Box(T) { value @0 :T; items @1 :List(Item); mood @2 :Mood; point :group { x @3 :Int8; }
                              struct Item { data @0 :Data; } }
              enum Mood { good @0; bad @1; }"""

    def used() -> list[weakref.ref[Any]]:
        box = ccapnp.SchemaParser().load_text(f"@0xd6a7ae8e4eb1a3c7; {text}", "box.capnp").Box  # type: ignore[attr-defined]
        bound = box[box.Item]
        bound.add_methods(type("Methods", (), {"answer": lambda self: 42}))
        view = bound(value={"data": b"x"}, items=[{}], mood="bad")
        values = view.to_dict(encode_bytes_as_base64=True)
        assert bound.from_dict(values, decode_bytes_from_base64=True) == view and view.answer() == 42
        assert str(view) and hash(view.as_reader()) and pickle.dumps(view) and view.copy() == view
        assert ccapnp.schema_of(ccapnp.List[bound]).element_type.python_type is bound
        view.adopt("items", view.disown("items"))
        return [weakref.ref(each) for each in (box, bound, box.Item, box._registry)]

    watches = used()
    gc.collect()
    assert [watch() for watch in watches] == [None] * 4


def test_refused_names_are_not_collected_without_end(schema: Any) -> None:
    counter = iter(range(10**6))

    def fail() -> None:
        number = next(counter)
        for attempt in (
            lambda: schema.Node.new_message(**{f"unknown{number}": 1}),
            lambda: schema.Scalars.new_message(color=f"unknown{number}"),
            lambda: schema.Node.new_message().has(f"unknown{number}"),
        ):
            with contextlib.suppress(ccapnp.CapnpError):
                attempt()

    assert blocks_after(fail, 300) < 300


@pytest.mark.parametrize("attempt", range(5))
def test_many_threads_read_the_first_message_of_a_type(compile_schema: Any, attempt: int) -> None:
    """Classes, properties and decoders are made by whichever thread is first, and used by none before they are done."""
    module = compile_schema(
        f"""
        struct Tree {{ name @0 :Text; child @1 :Tree; children @2 :List(Tree); leaf @3 :Leaf; }}
        struct Leaf {{ a @0 :Int32 = {attempt}; b :group {{ c @1 :Text; tree @2 :Tree; }} }}
        """
    )
    expected = {
        "name": "n",
        "child": {"name": "c"},
        "children": [{"leaf": {"a": 1, "b": {"c": "x"}}}] * 3,
        "leaf": {"a": 5, "b": {"c": "y", "tree": {"name": "t"}}},
    }
    message = module.Tree.from_dict(expected).to_bytes()
    barrier = threading.Barrier(8)
    classes: list[type] = []
    found: list[Any] = []

    def work() -> None:
        barrier.wait()
        reader = module.Tree.from_bytes(message)
        classes.append(type(reader))
        found.append(reader.to_dict())

    threads = [threading.Thread(target=work) for _ in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(set(classes)) == 1 and found == [expected] * 8
