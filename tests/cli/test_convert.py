"""``ccapnp convert``, ``decode`` and ``encode``: what is written equals what the official tool writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ccapnp
from tests.cli.conftest import Sample
from tests.cli.running import Result, official, ours

STREAMS = ["binary", "packed", "text", "json"]
SINGLE = ["flat", "flat-packed", "canonical"]
FORMATS = [*STREAMS, *SINGLE]
TYPED = ["text", "json"]


def converted(tool: str, sample: Sample, formats: str, data: bytes, *options: str) -> bytes:
    """What both write, which must be the same."""
    arguments = ["convert", *options, formats, *sample.typed]
    found = ours([*arguments, "--quiet"], data)
    expected = official(tool, [*arguments, "--quiet"], data)
    assert found.status == expected.status == 0, (found.error, expected.error)
    assert (found.out, found.error) == (expected.out, "")
    return found.out


@pytest.fixture
def streams(capnp_tool: str, people: Sample) -> dict[str, bytes]:
    """Messages, in each format that holds many; the official tool cannot read texts that are longer together."""
    data = b"".join(people.messages[:4])
    return {name: converted(capnp_tool, people, f"binary:{name}", data) for name in STREAMS}


@pytest.mark.conformance("CLI-01", "CLI-02", "CLI-04")
@pytest.mark.parametrize("source", STREAMS)
@pytest.mark.parametrize("target", STREAMS)
def test_streams_are_as_the_tool_writes_them(
    backend: str, capnp_tool: str, people: Sample, streams: dict[str, bytes], source: str, target: str
) -> None:
    pretty = converted(capnp_tool, people, f"{source}:{target}", streams[source])
    assert pretty == streams[target]
    short = converted(capnp_tool, people, f"{source}:{target}", streams[source], "--short")
    assert (short == pretty) is (target not in TYPED)
    if target in TYPED:
        assert converted(capnp_tool, people, f"{target}:{source}", short) == streams[source]


@pytest.mark.conformance("CLI-01", "CLI-02")
@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_one_message_is_as_the_tool_writes_it(
    backend: str, capnp_tool: str, people: Sample, source: str, target: str
) -> None:
    for message in people.messages:
        data = converted(capnp_tool, people, f"binary:{source}", message)
        converted(capnp_tool, people, f"{source}:{target}", data)


@pytest.mark.conformance("CLI-03")
@pytest.mark.parametrize("formats", ["binary:packed", "packed:binary", "binary:binary", "packed:packed"])
def test_no_schema_is_needed_between_binary_formats(
    backend: str, capnp_tool: str, streams: dict[str, bytes], formats: str
) -> None:
    source, _, target = formats.partition(":")
    for arguments in (["convert", formats], ["convert", formats, "no.capnp", "None"]):
        assert ours(arguments, streams[source]) == Result(0, streams[target], "")


@pytest.mark.parametrize("size", ["0", "1", "2", "4", "7", "64", "100000"])
@pytest.mark.parametrize("formats", ["binary:binary", "packed:packed", "text:binary", "json:packed"])
def test_segment_sizes_are_the_tools(
    backend: str, capnp_tool: str, people: Sample, streams: dict[str, bytes], formats: str, size: str
) -> None:
    source, _, target = formats.partition(":")
    found = converted(capnp_tool, people, formats, streams[source], f"--segment-size={size}")
    assert converted(capnp_tool, people, f"{target}:{source}", found) == streams[source]


@pytest.mark.parametrize("root", [bytes(8), bytes([0xFC, 255, 255, 255, 0, 0, 0, 0])])
@pytest.mark.parametrize("target", FORMATS)
def test_an_empty_root_is_as_the_tool_writes_it(
    backend: str, capnp_tool: str, people: Sample, root: bytes, target: str
) -> None:
    converted(capnp_tool, people, f"binary:{target}", bytes([0, 0, 0, 0, 1, 0, 0, 0]) + root)


def test_gaps_are_left_out(backend: str, capnp_tool: str, people: Sample) -> None:
    module = ccapnp.load(str(people.schema))
    builder = module.Person.new_message(name="a long name that is replaced", phones=[{"number": "1"}])
    builder.name = "b"
    found = converted(capnp_tool, people, "binary:binary", builder.to_bytes())
    assert len(found) < len(builder.to_bytes())


@pytest.mark.conformance("CLI-06")
@pytest.mark.parametrize("options", [[], ["--packed"], ["-p"], ["--flat"], ["-p", "--flat"], ["--short"]], ids=str)
def test_decode_and_encode(backend: str, capnp_tool: str, people: Sample, options: list[str]) -> None:
    data = people.messages[2]
    text = official(capnp_tool, ["decode", *options[-1:], *people.typed], data).out if "--short" in options else None
    text = text or official(capnp_tool, ["decode", *people.typed], data).out
    encoding = [option for option in options if option != "--short"]
    encoded = ours(["encode", *encoding, *people.typed], text)
    assert encoded == official(capnp_tool, ["encode", *encoding, *people.typed], text)
    decoded = ours(["decode", *options, *people.typed, "--quiet"], encoded.out)
    assert decoded == official(capnp_tool, ["decode", *options, *people.typed, "--quiet"], encoded.out)
    assert decoded.out == text


@pytest.mark.conformance("CLI-05")
@pytest.mark.parametrize(
    "expression",
    ["Box(Text)", "TextBox", "Box(Person).Inner(Text)", "TextBox.Inner(Person)", "Box( List(Text) )", "Person.Phone"],
)
def test_types_are_given_as_in_a_schema(
    backend: str, capnp_tool: str, people: Sample, expression: str, tmp_path: Path
) -> None:
    values = {
        "Box(Text)": '(value = "a")',
        "TextBox": '(value = "a")',
        "Box(Person).Inner(Text)": '(outer = (id = 5), inner = "b", group = (both = (id = 6)))',
        "TextBox.Inner(Person)": '(outer = "a", inner = (id = 5), group = (both = "x"))',
        "Box( List(Text) )": '(value = ["a", "b"])',
        "Person.Phone": '(number = "5", type = home)',
    }
    sample = people._replace(type=expression)
    data = converted(capnp_tool, sample, "text:binary", values[expression].encode())
    for target in ("text", "json", "packed"):
        converted(capnp_tool, sample, f"binary:{target}", data)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("Nope", "Nope is not a type in "),
        ("Text", "Text is not a struct type"),
        ("Int32", "Int32 is not a struct type"),
        ("List(Person)", "List(Person) is not a struct type"),
        ("Person.Phone.Type", "Person.Phone.Type is not a struct type"),
        ("Person; } struct X {", "'Person; } struct X {' is not the name of a type"),
        ("Person.", "Person. is not a type in "),
        ("Box(Text", "Box(Text is not a type in "),
    ],
)
def test_what_is_no_struct_type(people: Sample, expression: str, reason: str) -> None:
    status, out, error = ours(["convert", "binary:text", people.schema, expression], people.messages[0])
    assert (status, out) == (1, b"")
    assert error.startswith(f"ccapnp convert: error: {reason}") and error.count("\n") == 1


def test_imports_are_found(people: Sample, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/other.capnp").write_text("@0xd000000000000031; struct Other { n @0 :Int32; }")
    user = tmp_path / "user.capnp"
    user.write_text('@0xd000000000000032; using O = import "/other.capnp"; struct User { other @0 :O.Other; }')
    arguments = ["convert", "text:json", "--short", str(user), "User"]
    for option in ([f"-I{tmp_path}/folder"], ["--import-path", f"{tmp_path}/folder"]):
        assert ours([*arguments, *option], b"(other = (n = 5))").out == b'{"other":{"n":5}}\n'
    status, out, error = ours(arguments, b"()")
    assert (status, out) == (1, b"") and error.startswith(f"{user}:1:")


# ---- the official goldens


@pytest.mark.conformance("CLI-01", "CLI-02", "CLI-03", "CLI-04", "CLI-06")
@pytest.mark.parametrize(
    ("formats", "source", "target"),
    [
        ("text:binary", "short.txt", "binary"),
        ("text:packed", "short.txt", "packed"),
        ("text:flat", "short.txt", "flat"),
        ("text:flat-packed", "short.txt", "packedflat"),
        ("text:binary", "pretty.txt", "binary"),
        ("binary:text", "binary", "pretty.txt"),
        ("packed:text", "packed", "pretty.txt"),
        ("flat:text", "flat", "pretty.txt"),
        ("flat-packed:text", "packedflat", "pretty.txt"),
        ("binary:text", "segmented", "pretty.txt"),
        ("packed:text", "segmented-packed", "pretty.txt"),
        ("binary:text", "binary", "short.txt"),
        ("binary:packed", "binary", "packed"),
        ("packed:binary", "packed", "binary"),
        ("binary:json", "binary", "pretty.json"),
        ("binary:json", "binary", "short.json"),
        ("json:binary", "pretty.json", "binary"),
        ("json:binary", "short.json", "binary"),
        ("binary:canonical", "binary", "binary.canonical"),
    ],
)
def test_official_messages(backend: str, testdata: Path, formats: str, source: str, target: str) -> None:
    schema = Path(__file__).parents[1] / "conformance/schemas/all_types.capnp"
    arguments = ["convert", formats, str(schema), "TestAllTypes", *(["--short"] if "short" in target else [])]
    status, out, error = ours(arguments, (testdata / source).read_bytes())
    assert (status, error) == (0, "")
    assert out.strip(b"\n") == (testdata / target).read_bytes().strip(b"\n")


# ---- segments


def test_segments_are_lines_of_digits(backend: str, people: Sample) -> None:
    data = b"".join(people.messages)
    shown = ours(["convert", "binary:segments"], data).out
    assert ours(["convert", "segments:binary"], shown).out == data
    assert len(shown.split(b"\n\n")) == len(people.messages) + 1
    assert ours(["convert", "segments:segments"], b"0000000000000000  # a null root\r\n").out == b"0000000000000000\n\n"
    small = ours(["convert", "--segment-size=1", "binary:binary"], data).out
    found = ours(["convert", "binary:segments"], small).out
    assert ours(["convert", "segments:json", "--short", *people.typed], found).out.count(b"\n") == len(people.messages)
    for wrong in (b"xyz", b"123", b"\xff"):
        status, out, error = ours(["convert", "segments:binary"], wrong + b"\n")
        assert (status, out) == (1, b"") and error == (
            "ccapnp convert: error: message 1: line 1 has no pairs of hexadecimal digits\n"
        )
    assert "not a whole number of words" in ours(["convert", "segments:binary"], b"0011\n").error


# ---- text that people write


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_text_as_people_write_it(backend: str, people: Sample, end: bytes) -> None:
    lines = [
        b"# the first one, with brackets ( in a comment",
        b'(id = 1, name = "a ) in a string \\" # and no comment (")',
        b"",
        b"(id = 2,  # here as well )",
        b"  phones = [(number = `)])",
        b'  )]) (id = 3) (name = "x',
        b"# the end",
    ]
    lines[4:6] = [b'  phones = [(number = ")])")]) (id = 3) (name = "\\\\")']
    found = ours(["convert", "--short", "text:json", *people.typed], end.join(lines))
    assert found.error == ""
    values = [json.loads(line) for line in found.out.splitlines()]
    assert [value["id"] for value in values] == [1, 2, 3, 0]
    assert values[1]["phones"][0]["number"] == ")])" and values[3]["name"] == "\\"


@pytest.mark.parametrize("end", ["\n", "\r\n", "", " "])
def test_json_on_lines_or_not(backend: str, people: Sample, end: str) -> None:
    source = end.join(['{"id": 1}', '{"name": "}{\\"[", "phones": [{}, {"number": "2"}]}', "{}"])
    found = ours(["convert", "--short", "json:text", *people.typed], source.encode())
    assert found.out.splitlines()[0].startswith(b"(id = 1,") and found.out.count(b"\n") == 3


def test_a_stream_may_be_empty(backend: str, people: Sample) -> None:
    for source in STREAMS:
        assert ours(["convert", f"{source}:json", *people.typed]) == (0, b"", "")
    assert ours(["convert", "text:json", *people.typed], b"\n# nothing\n") == (0, b"", "")
    assert ours(["convert", "flat:json", *people.typed]).status == 1


# ---- what is wrong


FAULTS: dict[str, tuple[list[str], bytes, str]] = {
    "a type in text": (
        ["text:json"],
        b"(id = 1)\n\n (id = 2, name = 5)",
        "message 2: (capnp text input):3:18: error: an integer ",
    ),
    "text after a value": (["text:json"], b"(id = 1) (id = x)", "message 2: (capnp text input):1:"),
    "a cut text": (["text:json"], b'(id = 1)\n(name = "', "message 2: (capnp text input):2:"),
    "a value in JSON": (["json:text"], b'{"id": 1}\n\n{"id": "x"}', "message 2: the value that begins in line 3: id: "),
    "cut JSON": (["json:text"], b'{}\n{"id": ', "message 2: line 2, column 8: "),
    "a stray bracket": (["json:text"], b"{}\n}", "message 2: line 2, column 1: "),
    "a list of JSON": (["json:text"], b"[1]", "message 1: "),
    "bytes that are not UTF-8": (["json:text"], b'{}\n{"name": "\xff"}', "message 2: line 2, column 11: "),
    "a cut message": (["binary:text"], bytes([0, 0, 0, 0, 9, 0, 0, 0, 0]), "message 1: the input ends inside"),
    "a cut table": (["binary:text"], b"\0\0", "message 1: the input ends after 2 of 8 bytes"),
    "a cut packed message": (["packed:text"], b"\x10\x05\x50", "message 1: "),
    "half a word": (["flat:text"], b"123", "message 1: 3 bytes are not a segment"),
    "what is not canonical": (["canonical:text"], bytes(8), "message 1: the message is not in canonical form"),
    "a limit of words": (
        ["binary:text", "--traversal-limit=1"],
        bytes([0, 0, 0, 0, 2, 0, 0, 0]) + bytes(16),
        "message 1: the message has 2 words, more than the limit of 1; --traversal-limit raises it\n",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_told_with_its_place(backend: str, people: Sample, name: str) -> None:
    (formats, *options), data, reason = FAULTS[name]
    status, out, error = ours(["convert", "--quiet", formats, *people.typed, *options], data)
    assert status == 1
    assert error.startswith(f"ccapnp convert: error: {reason}"), error
    assert out.count(b"\n") >= int(reason[8]) - 1  # those before it have been written


def test_what_is_below_the_nesting_limit_is_told(backend: str, people: Sample) -> None:
    arguments = ["convert", "--nesting-limit=1", "binary:text", *people.typed]
    status, out, error = ours(arguments, people.messages[3])
    assert status == 1 and "--nesting-limit" in error and "nesting_limit" not in error


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["binary"], "say both formats"),
        (["binary:nope"], "there is no format 'nope'"),
        (["nope:binary"], "there is no format 'nope'"),
        (["binary:json"], "for json, say which schema file"),
        (["binary:json", "x.capnp"], "for json, say which schema file"),
        ([], "the following arguments are required"),
        (["binary:binary", "--segment-size=x"], "'x' is not a number of at least 0"),
        (["binary:binary", "--segment-size=-1"], "'-1' is not a number of at least 0"),
        (["binary:binary", "--nesting-limit=0"], "'0' is not a number of at least 1"),
        (["binary:binary", "--color=blue"], "invalid choice"),
        (["binary:binary", "--nope"], "unrecognized arguments"),
        (["binary:binary", "a", "b", "c"], "unrecognized arguments"),
    ],
)
def test_wrong_usage(arguments: list[str], reason: str) -> None:
    status, out, error = ours(["convert", *arguments])
    assert (status, out) == (2, b"")
    assert error.startswith("usage: ccapnp convert") and reason in error


def test_files_that_are_not_there(people: Sample) -> None:
    assert ours(["convert", "text:json", "nope.capnp", "T"]) == (
        1,
        b"",
        "ccapnp convert: error: nope.capnp: no such file\n",
    )
    assert "No such file" in ours(["convert", "binary:binary", "--input=nope"]).error
    assert "No such file" in ours(["convert", "binary:binary", "--output=nope/x"]).error


# ---- input in another format than was said


def looks(data: bytes, formats: str, sample: Sample, *options: str) -> str:
    """What is said of how an input looks, in one line at most."""
    error = ours(["convert", formats, *sample.typed, *options], data).error
    lines = [line for line in error.splitlines() if "looks like" in line]
    assert len(lines) <= 1
    return "".join(lines)


@pytest.mark.parametrize("said", FORMATS)
@pytest.mark.parametrize("actual", STREAMS)
def test_an_input_in_another_format_is_warned_of(
    people: Sample, streams: dict[str, bytes], said: str, actual: str
) -> None:
    found = looks(streams[actual], f"{said}:text", people)
    if actual == said or (said in SINGLE and actual in ("binary", "packed")):
        assert found == ""
    else:
        assert found == (
            f"ccapnp: warning: the input looks like {actual}, not like {said}; "
            f"if so, say {actual}:text, and if not, --quiet"
        )
    assert looks(streams[actual], f"{said}:text", people, "--quiet") == ""


@pytest.mark.parametrize("source", FORMATS)
def test_what_is_as_was_said_is_not_warned_of(capnp_tool: str, people: Sample, source: str) -> None:
    for message in people.messages:
        data = converted(capnp_tool, people, f"binary:{source}", message)
        assert ours(["convert", f"{source}:text", *people.typed], data).error == ""
