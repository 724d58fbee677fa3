// Bytes that grow as they are written, in memory for ccp_free.

#pragma once

#include "little_endian.hpp"

#include <stdint.h>
#include <stdlib.h>

#include <new>

namespace ccp {

class Bytes {
public:
  Bytes() { grow(4096); }
  Bytes(const Bytes&) = delete;
  ~Bytes() { free(begin); }

  // The bytes, which are the caller's to free.
  uint8_t* release(size_t& size) {
    size = end - begin;
    uint8_t* released = begin;
    begin = end = limit = nullptr;
    return released;
  }

protected:
  uint8_t* begin = nullptr;
  uint8_t* end = nullptr;
  uint8_t* limit = nullptr;

  void raw(const void* data, size_t size) {
    if (size) memcpy(room(size), data, size), end += size;
  }

  void byte(char value) { *room(1) = value, end += 1; }

  // Where the next bytes go, of which there are at least ``size``.
  uint8_t* room(size_t size) {
    if (size > size_t(limit - end)) grow(size);
    return end;
  }

private:
  void grow(size_t size) {
    size_t used = end - begin, capacity = limit - begin;
    capacity = capacity + (size > capacity ? size : capacity);
    uint8_t* moved = static_cast<uint8_t*>(realloc(begin, capacity));
    if (!moved) throw std::bad_alloc();
    begin = moved;
    end = moved + used;
    limit = moved + capacity;
  }
};

}  // namespace ccp
