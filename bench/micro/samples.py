"""What the messages hold, as dicts."""

from __future__ import annotations

from typing import Any

__all__ = ["SMALL", "cars", "holds", "micro"]

SMALL = {"int": 5, "text": "hello world"}


def micro() -> dict[str, Any]:
    """One field of each kind."""
    return {
        "int": 5,
        "text": "hello world",
        "child": {"int": 3},
        "children": [{"int": number} for number in range(100)],
        "float": 1.5,
        "flag": True,
        "color": "green",
        "numbers": list(range(1000)),
        "blob": b"blob",
        "int8": -8,
        "int16": -1616,
        "int64": -(2**40),
        "uint8": 200,
        "uint16": 60000,
        "uint32": 2**31,
        "uint64": 2**63,
        "double": 2.5,
        "texts": [f"text number {number}" for number in range(100)],
        "position": {"x": 1.5, "y": -2.5},
        "shape": {"circle": 0.5},
    }


def cars(count: int = 100) -> dict[str, Any]:
    """A car park."""
    colors = ("black", "white", "red", "green", "blue", "cyan", "magenta", "yellow", "silver")
    return {
        "cars": [
            {
                "make": ("Toyota", "GM", "Ford", "Honda", "Tesla")[number % 5],
                "model": ("Camry", "Prius", "Volt", "Accord", "Leaf", "Model S")[number % 6],
                "color": colors[number % 9],
                "seats": 2 + number % 6,
                "doors": 2 + number % 3,
                "wheels": [
                    {"diameter": 25 + (number + wheel) % 15, "airPressure": 30.5 + wheel, "snowTires": number % 16 == 0}
                    for wheel in range(4)
                ],
                "length": 170 + number % 150,
                "width": 48 + number % 36,
                "height": 54 + number % 48,
                "weight": 1000 + number * 17,
                "engine": {
                    "horsepower": 100 * (number % 4 + 1),
                    "cylinders": 4 + 2 * (number % 3),
                    "cc": 800 + number * 91,
                    "usesGas": True,
                    "usesElectric": number % 2 == 0,
                },
                "fuelCapacity": 10.0 + number % 30,
                "fuelLevel": 5.0 + number % 7,
                "hasPowerWindows": number % 2 == 0,
                "hasPowerSteering": number % 3 == 0,
                "hasCruiseControl": number % 5 != 0,
                "cupHolders": number % 12,
                "hasNavSystem": number % 7 == 0,
            }
            for number in range(count)
        ]
    }


def holds(view: Any, value: Any) -> bool:
    """Whether each field, element or value that a contender reads is the one of the dict, list or value."""
    if isinstance(value, dict):
        return all(holds(getattr(view, name), each) for name, each in value.items())
    if isinstance(value, list):
        return len(view) == len(value) and all(map(holds, view, value))
    return bool((str(view) if isinstance(value, str) else view) == value)  # an enum is compared by its name
