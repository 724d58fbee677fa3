"""What msgspec has in place of carsales.capnp, catrank.capnp and eval.capnp.

Structs become arrays, without the names of fields, as messages of Cap'n Proto have none.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Union

from msgspec import Struct


class ParkingLot(Struct, array_like=True):
    cars: list[Car]


class TotalValue(Struct, array_like=True):
    amount: int


class Car(Struct, array_like=True):
    make: str
    model: str
    color: Color
    seats: int
    doors: int
    wheels: list[Wheel]
    length: int
    width: int
    height: int
    weight: int
    engine: Engine
    fuelCapacity: float
    fuelLevel: float
    hasPowerWindows: bool
    hasPowerSteering: bool
    hasCruiseControl: bool
    cupHolders: int
    hasNavSystem: bool


class Color(IntEnum):
    black = 0
    white = 1
    red = 2
    green = 3
    blue = 4
    cyan = 5
    magenta = 6
    yellow = 7
    silver = 8


class Wheel(Struct, array_like=True):
    diameter: int
    airPressure: float
    snowTires: bool


class Engine(Struct, array_like=True):
    horsepower: int
    cylinders: int
    cc: int
    usesGas: bool
    usesElectric: bool


class SearchResultList(Struct, array_like=True):
    results: list[SearchResult]


class SearchResult(Struct, array_like=True):
    url: str
    score: float
    snippet: str


class Expression(Struct, array_like=True):
    op: Operation
    left: Union[int, Expression]
    right: Union[int, Expression]


class Operation(IntEnum):
    add = 0
    subtract = 1
    multiply = 2
    divide = 3
    modulus = 4


class EvaluationResult(Struct, array_like=True):
    value: int
