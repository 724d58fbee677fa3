"""Where messages lie: any buffer, at any address; held as long as it is needed and no longer; read where it is."""

from __future__ import annotations

import gc
import mmap
import sys
import weakref
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ccapnp import DecodeError, EncodeError, Kind, List, MessageReader, StreamDecoder, canonicalize, get_data_as_view
from tests.wire.memory_use import peak_bytes
from tests.wire.raw import far, frame, lst, root_of, struct, words
from tests.wire.samples import sample

counts_references = pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="only CPython frees an object as soon as nothing refers to it"
)


class Buffer(bytearray):
    """A buffer whose end can be seen."""


@contextmanager
def no_garbage() -> Iterator[None]:
    """Nothing in here may be left to the collector of reference cycles."""
    gc.collect()
    gc.disable()
    try:
        yield
        assert gc.collect() == 0
    finally:
        gc.enable()


def use_all_of(node: Any) -> None:
    """Touch every kind of field, and let no object of it live on."""
    assert node.name == "name" and node.blob == b"blob" and node.value == 1
    assert node.next.next.name == "deep" and [child.value for child in node.children] == [2, 3]
    assert node.children[1].next.name == "x" and [list(row) for row in node.matrix] == [[1, 2], [3]]
    assert node.any.as_struct(type(node).__mro__[0]._type).value == 9 and node.which() == "number"
    assert bytes(get_data_as_view(node, "blob")) == b"blob" and len(memoryview(node.matrix[0])) == 2
    assert node.total_size.word_count and node == node.as_builder() and hash(node) and canonicalize(node)
    node.to_bytes(), node.to_bytes_packed(), node.to_segments(), node.to_dict(), str(node), repr(node)
    with pytest.raises(AttributeError):
        node.text


OPENERS = {
    "from_bytes": lambda kind, buffer: kind.from_bytes(buffer),
    "from_bytes of a view": lambda kind, buffer: kind.from_bytes(memoryview(buffer)[:]),
    "from_segments": lambda kind, buffer: kind.from_segments(kind.from_bytes(buffer).to_segments()),
    "MessageReader": lambda kind, buffer: MessageReader(buffer).get_root(kind),
    "read_multiple_bytes": lambda kind, buffer: next(kind.read_multiple_bytes(buffer)),
}


@counts_references
def test_a_decoder_that_failed_is_no_garbage(backend: str) -> None:
    with no_garbage():
        for packed in (False, True):
            decoder = StreamDecoder(packed=packed, backend=backend)
            for _ in range(2):
                with suppress(DecodeError):
                    decoder.feed(b"no message at all")
            del decoder


@counts_references
@pytest.mark.parametrize("size", [1, 1024])
@pytest.mark.parametrize("opener", OPENERS)
def test_c8_a_buffer_is_let_go_with_its_last_reader(shapes: Any, opener: str, size: int) -> None:
    data = sample(shapes, size).to_bytes()
    use_all_of(shapes.Node.from_bytes(data))  # makes what is made once for each type
    with no_garbage():
        buffer = Buffer(data)
        ended = weakref.ref(buffer)
        reader = OPENERS[opener](shapes.Node, buffer)
        del buffer
        use_all_of(reader)
        child = reader.children[1]
        del reader
        assert child.next.name == "x" and ended() is not None
        text_list, numbers = child.matrix, memoryview(b"")
        del child, text_list, numbers
        assert ended() is None


@counts_references
@pytest.mark.parametrize("part", ["data", "numbers", "list", "pointers", "iterator", "any", "segments"])
def test_a_part_keeps_the_buffer_alive_and_no_longer(shapes: Any, part: str) -> None:
    parts = {
        "data": lambda node: get_data_as_view(node, "blob"),
        "numbers": lambda node: memoryview(node.matrix[0]),
        "list": lambda node: node.children,
        "pointers": lambda node: node.matrix,
        "iterator": lambda node: iter(node.children),
        "any": lambda node: node.any,
        "segments": lambda node: node.to_segments(),
    }
    data = sample(shapes).to_bytes()
    parts[part](shapes.Node.from_bytes(data))
    with no_garbage():
        buffer = Buffer(data)
        ended = weakref.ref(buffer)
        held = parts[part](shapes.Node.from_bytes(buffer))
        with pytest.raises(BufferError):
            buffer.clear()
        del buffer
        assert ended() is not None
        del held
        assert ended() is None


@counts_references
@pytest.mark.parametrize("size", [1, 1024])
def test_building_makes_no_reference_cycles(shapes: Any, size: int) -> None:
    use_all_of(sample(shapes, size).as_reader())
    with no_garbage():
        node = sample(shapes, size)
        use_all_of(node.as_reader())
        node.children[0].next.children = node.children
        node.name = None
        node.copy().as_reader().as_builder()
        with pytest.raises(ValueError, match="value"):
            node.next = {"value": -1}
        del node


@counts_references
def test_a_hostile_message_leaves_no_cycles(shapes: Any) -> None:
    def read() -> None:
        for segment in (words(struct(0, 1, 1), 5, lst(9, 2, 4)), words(struct(-1, 0, 1))):
            node = shapes.Chain.from_bytes(frame(segment))
            for attempt in (node.as_builder, lambda node=node: node.next.next.next, node.to_dict):
                with suppress(DecodeError):
                    attempt()

    read()
    with no_garbage():
        read()


@counts_references
def test_reading_for_long_takes_no_memory(shapes: Any) -> None:
    reader = shapes.Node.from_bytes(sample(shapes).to_bytes(), traversal_limit_in_words=None)

    def read(times: int) -> None:
        for _ in range(times):
            reader.value, reader.name, reader.next.next.name, reader.children[1].next, reader.matrix[0][1]

    read(100)
    gc.collect()
    tracked = len(gc.get_objects())
    assert peak_bytes(lambda: read(20_000)) < 20_000
    assert len(gc.get_objects()) - tracked < 50


def test_assigning_in_vain_for_long_takes_no_memory(shapes: Any) -> None:
    """Each attempt takes a segment of its own before it fails, and gives it back."""
    builder = shapes.Node.new_message(16, value=1, next={"value": 2})
    big = {"name": "x" * 50_000}
    bad = {"next": big, "children": [big, {"value": "no number"}]}

    def attempt(times: int) -> None:
        for _ in range(times):
            with pytest.raises(EncodeError):
                builder.next = bad

    attempt(2)
    gc.collect()
    assert peak_bytes(lambda: attempt(40)) < 2_000_000
    assert len(builder.to_segments()) <= 2 and builder.next.value == 2


# ---- mmap


@pytest.fixture
def sparse_file(tmp_path: Path) -> Path:
    """1 GiB in one segment: a root struct at the start, its text at the end."""
    size_words = (1 << 27) - 1
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.write(frame(b"")[:4] + size_words.to_bytes(4, "little"))
        text_at = size_words - 2
        file.write(words(struct(0, 2, 7), 1234567, 0, 0, 0, lst(text_at - 6, 2, 4), lst(0, 2, (1 << 29) - 1), 0, 0, 0))
        file.truncate(1 << 30)
        file.seek(8 + 8 * text_at)
        file.write(b"end\0")
    return path


def test_a_large_mmap_is_read_where_it_is(shapes: Any, sparse_file: Path) -> None:
    with sparse_file.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:

        def read() -> None:
            node = shapes.Node.from_bytes(data, traversal_limit_in_words=None)
            assert (node.value, node.name, node.next.value) == (1234567, "end", 0)
            assert get_data_as_view(node, "blob")[-1] == 0

        read()
        assert peak_bytes(read) < 50_000
        node = shapes.Node.from_bytes(data)
        with pytest.raises(DecodeError, match="traversal_limit_in_words"):
            node.blob
        del node
        gc.collect()


def test_an_mmap_closed_under_a_reader_is_an_error_and_no_crash(shapes: Any, tmp_path: Path) -> None:
    path = tmp_path / "message"
    path.write_bytes(sample(shapes).to_bytes())
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        reader = shapes.Node.from_bytes(data)
        child = reader.children[1]
        del reader
        if sys.implementation.name == "cpython":
            with pytest.raises(BufferError):
                data.close()
            assert child.next.name == "x"
            del child
        data.close()
        if sys.implementation.name != "cpython":  # PyPy closes it, and then there is nothing to read
            with pytest.raises((IndexError, ValueError)):
                child.next.name


# ---- buffers of every kind


def interleaved(data: bytes) -> memoryview:
    twice = bytearray(2 * len(data))
    twice[::2] = data
    return memoryview(twice)[::2]


BUFFERS = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "a view of a bytearray": lambda data: memoryview(bytearray(data)),
    "a read-only view": lambda data: memoryview(bytearray(data)).toreadonly(),
    "array of bytes": lambda data: array("B", data),
    "array of signed bytes": lambda data: array("b", data),
    "array of words": lambda data: array("Q", data),
    "array of floats": lambda data: array("d", data),
    "a view that is not contiguous": interleaved,
    "a reversed view": lambda data: memoryview(data[::-1])[::-1],
    "a view with two dimensions": lambda data: memoryview(data).cast("B", (len(data) // 8, 8)),
    "a subclass of bytes": type("B", (bytes,), {"__getitem__": None, "decode": None}),
    **{f"{n} bytes off": lambda data, n=n: memoryview(bytes(n) + data)[n:] for n in range(1, 8)},
    **{f"{n} bytes before the end": lambda data, n=n: memoryview(bytearray(data + bytes(n)))[:-n] for n in (1, 7)},
}


@pytest.mark.conformance("MSG-06")
@pytest.mark.parametrize("kind", BUFFERS)
@pytest.mark.parametrize("size", [1, 1024])
def test_any_buffer_at_any_address(shapes: Any, kind: str, size: int) -> None:
    original = sample(shapes, size)
    data = original.to_bytes()
    reader = shapes.Node.from_bytes(BUFFERS[kind](data))
    assert reader.name == "name" and reader.children[1].next.name == "x" and reader == original
    assert [list(row) for row in reader.matrix] == [[1, 2], [3]] and reader.as_builder() == original
    packed = original.to_bytes_packed()
    if len(packed) % 8 == 0 or kind not in ("array of words", "array of floats", "a view with two dimensions"):
        assert shapes.Node.from_bytes_packed(BUFFERS[kind](packed)) == original
    parts = [BUFFERS[kind](bytes(segment)) for segment in original.to_segments() if len(segment)]
    again = shapes.Node.from_segments(parts)
    assert again == original and again.next.next.name == "deep"


def test_numpy_arrays_are_buffers(shapes: Any) -> None:
    numpy = pytest.importorskip("numpy")
    data = sample(shapes).to_bytes()
    for made in (
        numpy.frombuffer(data, numpy.uint8),
        numpy.frombuffer(data, numpy.uint64),
        numpy.frombuffer(data, numpy.uint8).reshape(-1, 4),
        numpy.frombuffer(bytes(3) + data, numpy.uint8)[3:],
        numpy.repeat(numpy.frombuffer(data, numpy.uint8), 2)[::2],
    ):
        assert shapes.Node.from_bytes(made).children[1].next.name == "x"
        assert shapes.Node.from_segments([made.reshape(-1).view(numpy.uint8)[8:]]).name == "name"


def test_b1_a_segment_that_is_not_a_whole_number_of_words_is_refused(shapes: Any) -> None:
    good = words(struct(0, 1, 0), 5)
    for segments in ([good + b"\0"], [good[:-1]], [good, b"\0"]):
        with pytest.raises(DecodeError, match="whole number of words"):
            shapes.Node.from_segments(segments)
    with pytest.raises(DecodeError, match="at least one segment"):
        shapes.Node.from_segments([])


@pytest.mark.parametrize("wrong", [None, "text", 5, object()])
def test_what_is_no_buffer_is_a_type_error(shapes: Any, wrong: Any) -> None:
    with pytest.raises(TypeError):
        shapes.Node.from_bytes(wrong)
    with pytest.raises(TypeError):
        shapes.Node.from_segments([wrong])


def test_segments_of_a_builder_are_views_that_show_what_is_built(shapes: Any) -> None:
    node = shapes.Node.new_message(value=1)
    (segment,) = node.to_segments()
    assert segment.readonly
    reader = shapes.Node.from_segments([segment])
    node.value = 2
    assert reader.value == 2
    numbers = root_of(words(far(0, 1)), words(lst(0, 3, 2), 0x00020001)).as_list(List(Kind.UINT16))
    assert memoryview(numbers).readonly and memoryview(numbers).tolist() == [1, 2]
