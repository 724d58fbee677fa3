// CarSales: see bench/cases/carsales.py.

#pragma once

#include <string>
#include <vector>

#include "carsales.capnp.h"
#include "generator.h"

namespace carsales {

struct DrawnWheel {
  uint16_t diameter;
  float airPressure;
  bool snowTires;
};

struct DrawnCar {
  const char *make, *model;
  Color color;
  uint8_t seats, doors;
  DrawnWheel wheels[4];
  uint16_t length, width, height;
  uint32_t weight;
  uint16_t horsepower;
  uint8_t cylinders;
  uint32_t cc;
  bool usesGas, usesElectric;
  float fuelCapacity, fuelLevel;
  bool hasPowerWindows, hasPowerSteering, hasCruiseControl;
  uint8_t cupHolders;
  bool hasNavSystem;
};

inline uint64_t valueOf(Car::Reader car) {
  uint64_t worth = car.getSeats() * 200 + car.getDoors() * 350;
  for (auto wheel : car.getWheels()) {
    worth += wheel.getDiameter() * wheel.getDiameter() + (wheel.getSnowTires() ? 100 : 0);
  }
  worth += car.getLength() * car.getWidth() * car.getHeight() / 50;
  auto engine = car.getEngine();
  worth += engine.getHorsepower() * 40;
  if (engine.getUsesElectric()) worth += engine.getUsesGas() ? 5000 : 3000;
  worth += car.getHasPowerWindows() ? 100 : 0;
  worth += car.getHasPowerSteering() ? 200 : 0;
  worth += car.getHasCruiseControl() ? 400 : 0;
  worth += car.getCupHolders() * 25;
  worth += car.getHasNavSystem() ? 2000 : 0;
  return worth;
}

inline void setCar(Car::Builder car, const DrawnCar& drawn) {
  car.setMake(drawn.make);
  car.setModel(drawn.model);
  car.setColor(drawn.color);
  car.setSeats(drawn.seats);
  car.setDoors(drawn.doors);
  auto wheels = car.initWheels(4);
  for (unsigned i = 0; i < 4; i++) {
    auto wheel = wheels[i];
    wheel.setDiameter(drawn.wheels[i].diameter);
    wheel.setAirPressure(drawn.wheels[i].airPressure);
    wheel.setSnowTires(drawn.wheels[i].snowTires);
  }
  car.setLength(drawn.length);
  car.setWidth(drawn.width);
  car.setHeight(drawn.height);
  car.setWeight(drawn.weight);
  auto engine = car.initEngine();
  engine.setHorsepower(drawn.horsepower);
  engine.setCylinders(drawn.cylinders);
  engine.setCc(drawn.cc);
  engine.setUsesGas(drawn.usesGas);
  engine.setUsesElectric(drawn.usesElectric);
  car.setFuelCapacity(drawn.fuelCapacity);
  car.setFuelLevel(drawn.fuelLevel);
  car.setHasPowerWindows(drawn.hasPowerWindows);
  car.setHasPowerSteering(drawn.hasPowerSteering);
  car.setHasCruiseControl(drawn.hasCruiseControl);
  car.setCupHolders(drawn.cupHolders);
  car.setHasNavSystem(drawn.hasNavSystem);
}

struct Case {
  using Request = ParkingLot;
  using Response = TotalValue;
  using Content = std::vector<DrawnCar>;

  static Content draw(Generator& random) {
    static const char* const makes[] = {"Toyota", "GM", "Ford", "Honda", "Tesla"};
    static const char* const models[] = {"Camry", "Prius", "Volt", "Accord", "Leaf", "Model S"};
    Content cars(random.below(200));
    for (auto& car : cars) {
      car.make = makes[random.below(5)];
      car.model = models[random.below(6)];
      car.color = Color(random.below(9));
      car.seats = 2 + random.below(6);
      car.doors = 2 + random.below(3);
      for (auto& wheel : car.wheels) {
        wheel.diameter = 25 + random.below(15);
        wheel.airPressure = 30 + random.upTo(20);
        wheel.snowTires = random.below(16) == 0;
      }
      car.length = 170 + random.below(150);
      car.width = 48 + random.below(36);
      car.height = 54 + random.below(48);
      car.weight = uint32_t(car.length) * car.width * car.height / 200;
      car.horsepower = 100 * random.below(400);
      car.cylinders = 4 + 2 * random.below(3);
      car.cc = 800 + random.below(10000);
      car.usesGas = true;
      car.usesElectric = random.below(2);
      double capacity = 10 + random.upTo(30);
      car.fuelCapacity = capacity;
      car.fuelLevel = random.upTo(capacity);
      car.hasPowerWindows = random.below(2);
      car.hasPowerSteering = random.below(2);
      car.hasCruiseControl = random.below(2);
      car.cupHolders = random.below(12);
      car.hasNavSystem = random.below(2);
    }
    return cars;
  }

  static void request(const Content& content, ParkingLot::Builder lot) {
    auto cars = lot.initCars(content.size());
    for (unsigned i = 0; i < content.size(); i++) setCar(cars[i], content[i]);
  }

  static void respond(ParkingLot::Reader lot, TotalValue::Builder total) {
    uint64_t worth = 0;
    for (auto car : lot.getCars()) worth += valueOf(car);
    total.setAmount(worth);
  }

  static int64_t check(TotalValue::Reader total) { return total.getAmount(); }
};

}  // namespace carsales
