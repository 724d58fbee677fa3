"""Reads as much of the language of .proto files as bench.proto is written in: protoc is a large thing to ask for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["file_descriptor"]

_LINE = re.compile(
    r"(?P<label>repeated )?(?P<type>\w+) (?P<name>\w+) = (?P<number>\d+);|(?P<member>\w+) = (?P<value>\d+);"
)


def file_descriptor(path: Path) -> Any:
    """A FileDescriptorProto."""
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    text = path.read_text()
    enums = set(re.findall(r"^enum (\w+)", text, re.MULTILINE))
    file = FileDescriptorProto(name=path.name, syntax="proto3", package="bench")
    message: Any = None
    enum: Any = None
    in_oneof = False
    for line in map(str.strip, text.splitlines()):
        word, _, rest = line.partition(" ")
        name = rest.partition(" ")[0]
        if word == "message":
            message = file.message_type.add(name=name)
        elif word == "enum":
            enum = file.enum_type.add(name=name)
        elif word == "oneof":
            in_oneof = bool(message.oneof_decl.add(name=name))
        elif word == "}":
            in_oneof = False
        elif (found := _LINE.fullmatch(line)) and found["member"]:
            enum.value.add(name=found["member"], number=int(found["value"]))
        elif found:
            field = message.field.add(name=found["name"], number=int(found["number"]))
            field.label = Field.LABEL_REPEATED if found["label"] else Field.LABEL_OPTIONAL
            scalar = f"TYPE_{found['type'].upper()}"
            if scalar in dict(Field.Type.items()):
                field.type = Field.Type.Value(scalar)
            else:
                field.type = Field.TYPE_ENUM if found["type"] in enums else Field.TYPE_MESSAGE
                field.type_name = f".bench.{found['type']}"
            if in_oneof:
                field.oneof_index = len(message.oneof_decl) - 1
    return file
