// The random numbers that requests are drawn from, the same as bench/cases/generator.py gives.

#pragma once

#include <cstdint>

class Generator {
 public:
  uint32_t next() {
    uint32_t mixed = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    w = w ^ (w >> 19) ^ mixed ^ (mixed >> 8);
    return w;
  }

  uint32_t below(uint32_t limit) { return next() % limit; }

  double upTo(double limit) { return next() * limit / UINT32_MAX; }

 private:
  uint32_t x = 0x1d2acd47, y = 0x58ca3e14, z = 0xf563f232, w = 0x0bc76199;
};
