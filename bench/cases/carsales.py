"""CarSales: what are the cars of a parking lot worth? Numbers, small structs and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bench.cases.generator import Generator

__all__ = ["COUNT", "ENUM", "REQUEST", "RESPONSE", "SCHEMA", "STYLES", "draw"]

SCHEMA, REQUEST, RESPONSE, ENUM = "carsales", "ParkingLot", "TotalValue", "Color"
COUNT = 10

MAKES = ("Toyota", "GM", "Ford", "Honda", "Tesla")
MODELS = ("Camry", "Prius", "Volt", "Accord", "Leaf", "Model S")
WHEELS = 4


class Wheel(NamedTuple):
    diameter: int
    airPressure: float
    snowTires: bool


class Engine(NamedTuple):
    horsepower: int
    cylinders: int
    cc: int
    usesGas: bool
    usesElectric: bool


class Car(NamedTuple):
    make: str
    model: str
    color: Any
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


class ParkingLot(NamedTuple):
    cars: list[Car]


def draw(random: Generator, colors: Sequence[Any]) -> tuple[ParkingLot, int]:
    """A parking lot, and its value."""
    lot = ParkingLot([_draw_car(random, colors) for _ in range(random.below(200))])
    return lot, value(lot)


def _draw_car(random: Generator, colors: Sequence[Any]) -> Car:
    below, up_to = random.below, random.up_to
    return Car(
        make=MAKES[below(len(MAKES))],
        model=MODELS[below(len(MODELS))],
        color=colors[below(len(colors))],
        seats=2 + below(6),
        doors=2 + below(3),
        wheels=[Wheel(25 + below(15), 30 + up_to(20), below(16) == 0) for _ in range(WHEELS)],
        length=(length := 170 + below(150)),
        width=(width := 48 + below(36)),
        height=(height := 54 + below(48)),
        weight=length * width * height // 200,
        engine=Engine(100 * below(400), 4 + 2 * below(3), 800 + below(10000), True, bool(below(2))),
        fuelCapacity=(capacity := 10 + up_to(30)),
        fuelLevel=up_to(capacity),
        hasPowerWindows=bool(below(2)),
        hasPowerSteering=bool(below(2)),
        hasCruiseControl=bool(below(2)),
        cupHolders=below(12),
        hasNavSystem=bool(below(2)),
    )


def value(lot: Any) -> int:
    """What the cars are worth."""
    return sum(map(_car_value, lot.cars))


def _car_value(car: Any) -> int:
    worth: int = car.seats * 200 + car.doors * 350
    for wheel in car.wheels:
        diameter = wheel.diameter
        worth += diameter * diameter
        if wheel.snowTires:
            worth += 100
    worth += car.length * car.width * car.height // 50
    engine = car.engine
    worth += engine.horsepower * 40
    if engine.usesElectric:
        worth += 5000 if engine.usesGas else 3000
    if car.hasPowerWindows:
        worth += 100
    if car.hasPowerSteering:
        worth += 200
    if car.hasCruiseControl:
        worth += 400
    worth += car.cupHolders * 25
    if car.hasNavSystem:
        worth += 2000
    return worth


class Style:
    """What is done alike with every library."""

    def __init__(self, types: Any, new_request: Callable[..., Any], new_response: Callable[..., Any]) -> None:
        self._types, self._new_request, self._new_response = types, new_request, new_response

    def check(self, response: Any) -> int:
        amount: int = response.amount
        return amount


class Setting(Style):
    """A message is made, and its fields are set one by one."""

    def request(self, content: ParkingLot) -> Any:
        lot = self._new_request()
        for car, drawn in zip(lot.init("cars", len(content.cars)), content.cars):
            _set_car(car, car.init("wheels", WHEELS), car.init("engine"), drawn)
        return lot

    def respond(self, lot: Any) -> Any:
        total = self._new_response()
        total.amount = value(lot)
        return total


class Adding(Setting):
    """Likewise, and each element is added to its list."""

    def request(self, content: ParkingLot) -> Any:
        lot = self._new_request()
        cars = lot.cars
        for drawn in content.cars:
            car = cars.add()
            add_wheel = car.wheels.add
            _set_car(car, [add_wheel() for _ in range(WHEELS)], car.engine, drawn)
        return lot


def _set_car(car: Any, wheels: Any, engine: Any, drawn: Car) -> None:
    (
        car.make,
        car.model,
        car.color,
        car.seats,
        car.doors,
        drawn_wheels,
        car.length,
        car.width,
        car.height,
        car.weight,
        drawn_engine,
        car.fuelCapacity,
        car.fuelLevel,
        car.hasPowerWindows,
        car.hasPowerSteering,
        car.hasCruiseControl,
        car.cupHolders,
        car.hasNavSystem,
    ) = drawn
    for wheel, drawn_wheel in zip(wheels, drawn_wheels):
        wheel.diameter, wheel.airPressure, wheel.snowTires = drawn_wheel
    engine.horsepower, engine.cylinders, engine.cc, engine.usesGas, engine.usesElectric = drawn_engine


class Constructing(Style):
    """Each struct is made of its fields."""

    def request(self, content: ParkingLot) -> Any:
        return self._new_request(cars=[self._car(*drawn) for drawn in content.cars])

    def _car(
        self,
        make: str,
        model: str,
        color: Any,
        seats: int,
        doors: int,
        wheels: list[Wheel],
        length: int,
        width: int,
        height: int,
        weight: int,
        engine: Engine,
        fuelCapacity: float,
        fuelLevel: float,
        hasPowerWindows: bool,
        hasPowerSteering: bool,
        hasCruiseControl: bool,
        cupHolders: int,
        hasNavSystem: bool,
    ) -> Any:
        new_wheel = self._types.Wheel
        horsepower, cylinders, cc, usesGas, usesElectric = engine
        return self._types.Car(
            make=make,
            model=model,
            color=color,
            seats=seats,
            doors=doors,
            wheels=[
                new_wheel(diameter=diameter, airPressure=airPressure, snowTires=snowTires)
                for diameter, airPressure, snowTires in wheels
            ],
            length=length,
            width=width,
            height=height,
            weight=weight,
            engine=self._types.Engine(
                horsepower=horsepower, cylinders=cylinders, cc=cc, usesGas=usesGas, usesElectric=usesElectric
            ),
            fuelCapacity=fuelCapacity,
            fuelLevel=fuelLevel,
            hasPowerWindows=hasPowerWindows,
            hasPowerSteering=hasPowerSteering,
            hasCruiseControl=hasCruiseControl,
            cupHolders=cupHolders,
            hasNavSystem=hasNavSystem,
        )

    def respond(self, lot: Any) -> Any:
        return self._new_response(amount=value(lot))


class Naming(Constructing):
    """A message is made of dicts, and read as it is decoded."""

    def request(self, content: ParkingLot) -> Any:
        return {"cars": [_named_car(*drawn) for drawn in content.cars]}

    def respond(self, lot: Any) -> Any:
        return {"amount": value(lot)}


def _named_car(
    make: str,
    model: str,
    color: Any,
    seats: int,
    doors: int,
    wheels: list[Wheel],
    length: int,
    width: int,
    height: int,
    weight: int,
    engine: Engine,
    fuelCapacity: float,
    fuelLevel: float,
    hasPowerWindows: bool,
    hasPowerSteering: bool,
    hasCruiseControl: bool,
    cupHolders: int,
    hasNavSystem: bool,
) -> dict[str, Any]:
    horsepower, cylinders, cc, usesGas, usesElectric = engine
    return {
        "make": make,
        "model": model,
        "color": color,
        "seats": seats,
        "doors": doors,
        "wheels": [
            {"diameter": diameter, "airPressure": airPressure, "snowTires": snowTires}
            for diameter, airPressure, snowTires in wheels
        ],
        "length": length,
        "width": width,
        "height": height,
        "weight": weight,
        "engine": {
            "horsepower": horsepower,
            "cylinders": cylinders,
            "cc": cc,
            "usesGas": usesGas,
            "usesElectric": usesElectric,
        },
        "fuelCapacity": fuelCapacity,
        "fuelLevel": fuelLevel,
        "hasPowerWindows": hasPowerWindows,
        "hasPowerSteering": hasPowerSteering,
        "hasCruiseControl": hasCruiseControl,
        "cupHolders": cupHolders,
        "hasNavSystem": hasNavSystem,
    }


STYLES = {"setting": Setting, "adding": Adding, "constructing": Constructing, "naming": Naming}
