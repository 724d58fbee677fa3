// Runs one of the cases on the C++ library: cases CASE MODE REUSE COMPRESSION.
//
// It is told what to do by lines, as bench/worker.py is: "draw N" draws the next N requests, "time LOOPS" sends them all
// so many times, and answers with the seconds and the sum of the answers.

#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "carsales.h"
#include "catrank.h"
#include "evaluation.h"
#include "modes.h"

namespace {

template <typename Content>
using Answer = std::function<int64_t(const Content&)>;

template <typename Case>
void run(const Answer<typename Case::Content>& answer) {
  Generator random;
  std::vector<typename Case::Content> requests;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    unsigned count;
    words >> command >> count;
    if (command == "draw") {
      requests.clear();
      while (requests.size() < count) requests.push_back(Case::draw(random));
      std::cout << "drawn" << std::endl;
      continue;
    }
    int64_t total = 0;
    auto start = std::chrono::steady_clock::now();
    for (unsigned loop = 0; loop < count; loop++) {
      total = 0;
      for (auto& request : requests) total += answer(request);
    }
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << std::setprecision(9) << seconds.count() << '\t' << total << std::endl;
  }
}

template <typename Case>
void runIn(const std::string& mode, bool reuse, bool packed) {
  using Content = typename Case::Content;
  Workplace client(reuse), server(reuse);
  std::cout << "ready" << std::endl;
  if (mode == "object") {
    run<Case>([&](const Content& content) { return answerObject<Case>(content, client, server); });
  } else if (mode == "bytes") {
    Bytes there(packed, reuse), back(packed, reuse);
    run<Case>([&](const Content& content) { return answerBytes<Case>(content, client, server, there, back); });
  } else {
    int toServer[2], toClient[2];
    if (pipe(toServer) || pipe(toClient)) throw std::runtime_error("there are no pipes");
    if (fork() == 0) {
      close(toServer[1]);
      close(toClient[0]);
      serve<Case>(End(toServer[0], toClient[1], packed), server);
    }
    close(toServer[0]);
    close(toClient[1]);
    End end(toClient[0], toServer[1], packed);
    run<Case>([&](const Content& content) { return answerPiped<Case>(content, client, end); });
  }
}

}  // namespace

int main(int count, char* arguments[]) {
  if (count != 5) {
    std::cerr << "cases CASE MODE REUSE COMPRESSION" << std::endl;
    return 2;
  }
  std::string name = arguments[1], mode = arguments[2];
  bool reuse = arguments[3] == std::string("reuse"), packed = arguments[4] == std::string("packed");
  if (name == "carsales") {
    runIn<carsales::Case>(mode, reuse, packed);
  } else if (name == "catrank") {
    runIn<catrank::Case>(mode, reuse, packed);
  } else {
    runIn<evaluation::Case>(mode, reuse, packed);
  }
}
