"""capnpy, which compiles a module of Cython for each schema; it needs a C compiler, and takes seconds to load them.

It reads messages, and builds each in one go: there is nothing to be set, converted to a dict, or packed.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from bench.micro.contenders.contender import Contender
from bench.micro.rows import SET

__all__ = ["CONTENDERS"]


def prepare(schemas: Path) -> dict[str, Any]:
    import capnpy
    from capnpy.annotate import Options, TextType
    from setuptools.errors import CompileError

    options = Options(convert_case=False, text_type=TextType.unicode)
    compiler = capnpy.DynamicCompiler(sys.path)

    def load(file: str) -> Any:
        try:
            return compiler.load_schema(filename=str(schemas / file), options=options)
        except CompileError as error:
            raise ImportError(f"its module for {file} does not compile: {error}") from error

    sales = load("carsales.capnp")

    def car(color: str, wheels: Any, engine: Any, **more: Any) -> Any:
        return sales.Car(
            color=getattr(sales.Color, color),
            wheels=[sales.Wheel(**wheel) for wheel in wheels],
            engine=sales.Engine(**engine),
            **more,
        )

    return {
        "Micro": load("micro.capnp").Micro,
        "ParkingLot": sales.ParkingLot,
        "read": lambda struct_type, data: struct_type.loads(data),
        "from_dict": lambda struct_type, value: struct_type(cars=[car(**each) for each in value["cars"]]),
        "to_bytes": lambda message: message.dumps(),
        "BytesIO": io.BytesIO,
    }


STATEMENTS = {
    **{row.name: None for row in SET},
    "ask which of a union it is": None,
    "sum a column of a million structs": None,
    "100 nested cars into objects": None,
    "to_dict of 100 nested cars": None,
    "to_json of 100 nested cars": None,
    "100 nested cars from JSON": None,
    "to_text of 100 nested cars": None,
    "100 nested cars from text": None,
    "to_bytes of 100 nested cars": "built.dumps()",
    "new_message with three fields": "Micro(int=5, text='hello', flag=True)",
    "open a small message, read one field": "Micro.loads(small).int",
    "pack 100 nested cars": None,
    "unpack 100 nested cars": None,
    "copy 100 nested cars to a builder": None,
    "compare 100 nested cars": None,
    "hash 100 nested cars": None,
    "canonical form of 100 nested cars": None,
    "read 1000 messages, an int of each": "for x in Micro.load_all(BytesIO(stream)): x.int",
    "read 1000 packed messages, an int of each": None,
}

CONTENDERS = (Contender("capnpy", prepare, STATEMENTS),)
