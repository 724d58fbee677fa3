// Whether bytes are text.

#pragma once

#include "little_endian.hpp"

#include <stddef.h>

namespace ccp {

// How many bytes, from the first on, are ASCII for certain; all of them if all are.
inline size_t ascii_bytes(const uint8_t* data, size_t size) {
  size_t at = 0;
  while (at + 8 <= size && !(load<uint64_t>(data + at) & 0x8080808080808080)) at += 8;
  while (at < size && data[at] < 0x80) at++;
  return at;
}

// Whether the bytes are UTF-8 as Python has it: nothing overlong, no surrogates, no more than U+10FFFF.
inline bool is_utf8(const uint8_t* data, size_t size) {
  for (size_t at = 0; at < size;) {
    uint8_t first = data[at];
    if (first < 0x80) {
      at++;
      continue;
    }
    size_t more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
    if (!more || more >= size - at) return false;
    uint8_t second = data[at + 1];
    uint8_t lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (size_t index = 2; index <= more; index++) {
      if ((data[at + index] & 0xc0) != 0x80) return false;
    }
    at += more + 1;
  }
  return true;
}

}  // namespace ccp
