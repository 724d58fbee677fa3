"""Files and streams: whole files or none, messages as they come, and little memory however many there are."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from ccapnp.cli.values import JSON, TEXT, Value, values_of
from tests.cli.conftest import Sample
from tests.cli.running import COMMAND, hear_interrupts, ours
from tests.segments import framed

posix = pytest.mark.skipif(os.name != "posix", reason="this is about files as POSIX has them")


# ---- --input and --output


def test_files_in_the_place_of_standard_streams(people: Sample, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(people.messages[0])
    files = [f"--input={tmp_path}/in", f"--output={tmp_path}/out"]
    assert ours(["convert", "binary:json", "--short", *people.typed, *files]) == (0, b"", "")
    assert (tmp_path / "out").read_bytes().startswith(b'{"id":1,')
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]


def test_a_file_may_be_converted_in_place(people: Sample, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(people.messages[0])
    path.chmod(0o640)
    assert ours(["convert", "binary:packed", f"--input={path}", f"--output={path}"]).status == 0
    assert ours(["convert", "packed:binary", f"--input={path}"]).out == people.messages[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("before", [None, b"what was there"])
def test_an_error_leaves_the_output_as_it_was(people: Sample, tmp_path: Path, before: bytes | None) -> None:
    out = tmp_path / "out"
    if before is not None:
        out.write_bytes(before)
    data = people.messages[0] * 5000 + b"\0" * 9
    assert ours(["convert", "binary:text", *people.typed, f"--output={out}"], data).status == 1
    assert (out.read_bytes() if out.exists() else None) == before
    assert os.listdir(tmp_path) == (["out"] if before is not None else [])


@posix
def test_a_link_and_what_is_no_ordinary_file(people: Sample, tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"")
    link.symlink_to(target)
    assert ours(["convert", "binary:binary", f"--output={link}"], people.messages[0]).status == 0
    assert link.is_symlink() and target.read_bytes() == people.messages[0]
    os.mkfifo(pipe)
    found: list[bytes] = []
    reading = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reading.start()
    assert ours(["convert", "binary:binary", f"--output={pipe}"], people.messages[0]).status == 0
    reading.join()
    assert found == [people.messages[0]] and stat.S_ISFIFO(pipe.stat().st_mode)
    assert ours(["convert", "binary:binary", "--output=/dev/null"], people.messages[0]).status == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_is_killed_leaves_the_output_as_it_was(people: Sample, tmp_path: Path, number: int) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"what was there")
    with running(["convert", "binary:text", *people.typed, f"--output={out}"], preexec_fn=hear_interrupts) as process:
        assert process.stdin is not None
        process.stdin.write(people.messages[0] * 5000)
        process.stdin.flush()
        while not any(each.stat().st_size for each in tmp_path.iterdir() if each != out):
            pass  # until some of it is in a file
        process.send_signal(number)
        process.wait()
    assert out.read_bytes() == b"what was there"


def running(arguments: list[str], **options: object) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


# ---- messages as they come


@pytest.mark.parametrize("source", ["binary", "packed", "text", "json", "segments"])
def test_messages_appear_as_they_come(people: Sample, source: str) -> None:
    """Each before the next has been sent, let alone the end."""
    message = ours(["convert", f"binary:{source}", *people.typed], people.messages[0]).out
    expected = ours(["convert", "binary:json", "--short", *people.typed], people.messages[0]).out
    with running(["convert", "--short", f"{source}:json", *people.typed]) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for _ in range(3):
            process.stdin.write(message)
            process.stdin.flush()
            assert process.stdout.readline() == expected
        process.stdin.write(message[:-3])
        assert process.communicate()[0] in (b"", expected)  # a line break may be all that is missing


@pytest.mark.skipif(
    sys.platform != "linux" or sys.implementation.name != "cpython", reason="the limit is one of CPython's on Linux"
)
@pytest.mark.parametrize("formats", ["binary:packed", "packed:json", "json:binary"])
def test_long_streams_take_little_memory(people: Sample, formats: str) -> None:
    """Less than the stream by far, and what the program takes before it reads any of it is in that, too."""
    source, _, target = formats.partition(":")
    one = ours(["convert", f"binary:{source}", *people.typed], people.messages[4]).out
    piece = one * ((1 << 16) // len(one))

    def limited() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))

    with running(["convert", formats, *people.typed], preexec_fn=limited) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        thread = threading.Thread(target=feed, args=(process.stdin, piece, _PIECES))
        thread.start()
        written = 0
        while chunk := process.stdout.read(1 << 20):
            written += len(chunk)
        thread.join()
        assert (process.wait(), process.stderr.read()) == (0, b"")
    converted = len(ours(["convert", f"binary:{target}", *people.typed], people.messages[4]).out)
    assert written == _PIECES * (len(piece) // len(one)) * converted


_MOST_BYTES = 40 << 20
_PIECES = 800  # of 64 KiB


def feed(stdin: IO[bytes], piece: bytes, count: int) -> None:
    """Write all of it, and close."""
    for _ in range(count):
        stdin.write(piece)
    stdin.close()


def test_a_message_without_end_is_refused(people: Sample) -> None:
    """At the limit of what a message may be, and not when memory is at its end."""
    with running(["convert", "text:binary", "--traversal-limit=1", *people.typed]) as process:
        assert process.stdin is not None and process.stderr is not None and process.stdout is not None
        try:
            process.stdin.write(b'(name = "')
            while True:
                process.stdin.write(bytes(1 << 20))
        except BrokenPipeError:
            error = process.stderr.read()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait() == 1
    assert b"a message of more than 67108864 bytes begins in line 1" in error


# ---- cutting a stream of texts


class Pieces:
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._pieces = [data[at : at + size] for at in range(0, len(data), size)]

    def read(self, most: int) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_texts_are_cut_at_their_brackets(size: int) -> None:
    data = b'(a = ")\\"(\\\\")\n # a ) comment\n(b = [(c = 1)]) (d)\n`( line\n(e)\n# end'
    assert list(values_of(Pieces(data, size), TEXT, 100)) == [
        Value(b'(a = ")\\"(\\\\")', 1, 1),
        Value(b"# a ) comment\n(b = [(c = 1)])", 2, 2),
        Value(b"(d)", 3, 17),
        Value(b"`( line\n(e)", 4, 1),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_json_is_cut_at_its_brackets(size: int) -> None:
    data = b'{"a": "}\\"{"}{"b": [{}]}\r\n[1]  7'
    assert list(values_of(Pieces(data, size), JSON, 100)) == [
        Value(b'{"a": "}\\"{"}', 1, 1),
        Value(b'{"b": [{}]}', 1, 14),
        Value(b"[1]", 2, 1),
        Value(b"7", 2, 6),
    ]


def test_many_segments(people: Sample) -> None:
    found = ours(["convert", "--segment-size=1", "binary:binary"], people.messages[4]).out
    assert len(found) > len(people.messages[4])
    assert ours(["convert", "binary:binary"], found).out == people.messages[4]
    assert ours(["convert", "binary:binary"], framed([bytes(8)])).status == 0
