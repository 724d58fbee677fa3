"""The rows of the conformance table: what there is to show, each by an id that tests name in their markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LAYERS = {
    "W": "wire",
    "D": "dynamic API",
    "G": "generated code",
    "S": "schemas and their compiler",
    "P": "Python surface",
    "T": "text",
    "J": "JSON",
    "R": "RPC",
}

# The layers whose every row must be shown or excused for the suite to pass; the rest is listed as open.
REQUIRED_LAYERS = "WDGSPTJR"


class Row(NamedTuple):
    """One behaviour, or a group of them."""

    id: str
    section: str
    layer: str

    @property
    def required(self) -> bool:
        """Whether the suite fails without it."""
        return self.layer in REQUIRED_LAYERS


class Section(NamedTuple):
    """The rows that go together: what one of the official implementation's test files is about, mostly."""

    id: str
    name: str
    rows: tuple[Row, ...]


def section(section_id: str, name: str, **spans: str) -> Section:
    """A section of rows that are spelled as spans, ``X-01..09`` or ``X-01a..d`` or ``X-01``, by layer."""
    rows = (Row(row_id, section_id, layer) for layer, text in spans.items() for row_id in ids(text))
    return Section(section_id, name, tuple(sorted(rows)))


def ids(spans: str) -> Iterator[str]:
    """The ids that spans stand for."""
    for span in spans.split():
        match = re.fullmatch(r"([A-Z]{3}-)(\d+)(?:\.\.(\d+)|([a-z])\.\.([a-z]))?", span)
        assert match, span
        area, number, last_number, letter, last_letter = match.groups()
        if letter:
            yield from (f"{area}{number}{chr(each)}" for each in range(ord(letter), ord(last_letter) + 1))
        else:
            yield from (f"{area}{each:0{len(number)}}" for each in range(int(number), int(last_number or number) + 1))


SECTIONS = (
    section("0", "the values and schemas that tests share", W="FIX-1..3", S="FIX-4..5"),
    section("A1", "layout", W="LAY-01..09"),
    section(
        "A2",
        "encoding",
        W="ENC-01..32 ENC-35..42 ENC-47..49 ENC-51 ENC-56..60",
        G="ENC-33..34 ENC-43..46 ENC-50 ENC-52..55",
    ),
    section("A3", "pointers to anything", W="ANY-01..11"),
    section("A4", "orphans", W="ORP-01..09 ORP-14..28", D="ORP-10..13"),
    section("A5", "messages and their segments", W="MSG-01..09"),
    section("A6", "framing", W="SER-01..13"),
    section("A7", "packing", W="PCK-01..15"),
    section("A8", "text", T="TXT-01..12"),
    section("A9", "streams that arrive in pieces", W="ASY-01..08"),
    section("A10", "canonical form", W="CAN-01..17"),
    section("A11", "dynamic API", D="DYN-01..16"),
    section("A12", "schemas", S="SCH-01..11"),
    section("A13", "schema loader", S="LDR-01..11"),
    section("A14", "schema files and imports", S="PAR-01..07"),
    section("A15", "schema language", S="LEX-01..07 TID-01..03 EVO-01 ERR-01 ERR-01a..z ERR-02"),
    section("A16", "blobs, versions, byte order", W="BLB-01..02 COM-01 END-01"),
    section("A17", "hostile bytes", W="FUZ-01..07"),
    section("A18", "JSON", J="JSN-01..19"),
    section("A19", "command line", T="CLI-01..03 CLI-05..07", J="CLI-04", S="CLI-08", G="CLI-09"),
    section("A20", "capabilities", R="CAP-01..25"),
    section("A21", "RPC", R="RPC-01a..d RPC-02..26 RPC-27a..e RPC-28a..e"),
    section("A22", "RPC between two parties", R="TWO-01..16"),
    section("A23", "membranes, reconnecting", R="MEM-01..05 REC-01..07"),
    section("A24", "RPC over other transports", R="OPT-01..03"),
    section("B7", "RPC protocol", R="PRO-01..27"),
    section("D1", "what pycapnp's users know", P="PYC-01..16 PYC-22..23", T="PYC-17", R="PYC-18..21"),
    section("D2", "what capnpy's users know", P="CPY-01..06 CPY-08..09", T="CPY-07"),
)

ROWS = {row.id: row for each in SECTIONS for row in each.rows}

# The rows that do not apply here, and why not.
EXCUSES = {
    "LAY-09": "every read is checked; there is no way to read a message on trust",
    "ENC-17": "the list takes a gigabyte; one of 128 megabytes is read and written instead",
    "MSG-04": "data-only structs in memory without framing are an interface of C++'s generated code",
    "DYN-14": "assigns builders to variables declared beforehand, which only C++ has",
    "RPC-23": "details of exceptions are of a version of rpc.capnp that is not released",
    **{f"RPC-27{part}": "a connection has two parties, and no way to a third" for part in "abcde"},
    **{
        f"RPC-28{part}": "a stream's window has the size that its option says, as in released versions"
        for part in "abcde"
    },
    "TWO-08": "files are not passed along with messages: asyncio's transports cannot do so",
    "OPT-01": "JSON-RPC is another protocol; JSON itself is there",
    "OPT-02": "a frame holds what to_bytes gives and from_bytes reads; the websocket is the user's",
    "OPT-03": "bridges C++ HTTP, which Python has no part in",
}
