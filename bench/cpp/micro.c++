// Times what whole messages cost the C++ library: micro LOT TABLE, two files with one message each.
//
// It is told what to do by lines, as bench/worker.py is: "cars LOOPS" opens the car park and reads every field, "column
// LOOPS" sums a column of the table; each is answered with the seconds.

#include <chrono>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

#include <capnp/serialize.h>

#include "carsales.capnp.h"
#include "micro.capnp.h"

namespace {

class File {
public:
  explicit File(const char* path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    words.resize(bytes.size() / sizeof(capnp::word));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  }

  kj::ArrayPtr<const capnp::word> all() const { return kj::arrayPtr(words.data(), words.size()); }

private:
  std::vector<capnp::word> words;
};

capnp::ReaderOptions unlimited() {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = UINT64_MAX >> 8;
  return options;
}

double everyField(const File& file) {
  capnp::FlatArrayMessageReader message(file.all(), unlimited());
  double sum = 0;
  for (auto car: message.getRoot<ParkingLot>().getCars()) {
    sum += car.getMake().size() + car.getModel().size() + uint16_t(car.getColor()) + car.getSeats() + car.getDoors();
    for (auto wheel: car.getWheels()) {
      sum += wheel.getDiameter() + wheel.getAirPressure() + wheel.getSnowTires();
    }
    sum += car.getLength() + car.getWidth() + car.getHeight() + car.getWeight();
    auto engine = car.getEngine();
    sum += engine.getHorsepower() + engine.getCylinders() + engine.getCc() + engine.getUsesGas();
    sum += engine.getUsesElectric() + car.getFuelCapacity() + car.getFuelLevel() + car.getHasPowerWindows();
    sum += car.getHasPowerSteering() + car.getHasCruiseControl() + car.getCupHolders() + car.getHasNavSystem();
  }
  return sum;
}

double column(capnp::MessageReader& message) {
  double sum = 0;
  for (auto row: message.getRoot<Table>().getRows()) sum += row.getValue();
  return sum;
}

}  // namespace

int main(int count, char* arguments[]) {
  if (count != 3) {
    std::cerr << "micro LOT TABLE" << std::endl;
    return 2;
  }
  File lot(arguments[1]), table(arguments[2]);
  capnp::FlatArrayMessageReader tableMessage(table.all(), unlimited());
  std::string line;
  volatile double result = 0;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    unsigned loops;
    words >> command >> loops;
    auto start = std::chrono::steady_clock::now();
    for (unsigned loop = 0; loop < loops; loop++) {
      result = result + (command == "cars" ? everyField(lot) : column(tableMessage));
    }
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << std::setprecision(9) << seconds.count() << std::endl;
  }
}
