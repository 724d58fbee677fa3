// Python objects in the format of Python's module marshal, which makes them faster than anything else can.

#pragma once

#include "guard.hpp"
#include "little_endian.hpp"

#include <stdlib.h>

namespace ccp {

class MarshalWriter {
public:
  explicit MarshalWriter(size_t room) { grow(room); }
  MarshalWriter(const MarshalWriter&) = delete;
  ~MarshalWriter() { free(begin); }

  // The bytes, which are the caller's to free.
  uint8_t* release(size_t& size) {
    size = end - begin;
    uint8_t* released = begin;
    begin = end = limit = nullptr;
    return released;
  }

  // None, True, False, and what begins or ends a dict.
  void code(char code) { *room(1) = code, end += 1; }

  void raw(const void* data, size_t size) {
    if (size) memcpy(room(size), data, size), end += size;
  }

  void integer(int32_t value) {
    uint8_t* at = room(5);
    *at = 'i';
    store<uint32_t>(at + 1, value);
    end += 5;
  }

  void integer64(int64_t value) {
    if (value == int32_t(value)) return integer(value);
    big(value < 0 ? 0 - uint64_t(value) : uint64_t(value), value < 0);
  }

  void unsigned64(uint64_t value) {
    if (value <= INT32_MAX) return integer(value);
    big(value, false);
  }

  void real(double value) {
    uint8_t* at = room(9);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *at = 'g';
    store(at + 1, bits);
    end += 9;
  }

  // A list of so many items, which follow; or 's' for bytes, 'u' and 'a' for text in UTF-8 and ASCII.
  void sized(char code, uint32_t count) {
    uint8_t* at = room(5);
    *at = code;
    store(at + 1, count);
    end += 5;
  }

  void text(const char* data, size_t size, bool is_ascii) {
    if (is_ascii && size < 256) {
      uint8_t* at = room(2);
      at[0] = 'z';
      at[1] = size;
      end += 2;
    } else {
      sized(is_ascii ? 'a' : 'u', size);
    }
    raw(data, size);
  }

  // A text that is kept for `reference`, as the next in order.
  void interned(const char* data, size_t size, bool is_ascii) {
    if (is_ascii && size < 256) {
      uint8_t* at = room(2);
      at[0] = 'Z' | 0x80;
      at[1] = size;
      end += 2;
    } else {
      sized(char((is_ascii ? 'A' : 't') | 0x80), size);
    }
    raw(data, size);
  }

  void reference(uint32_t number) { sized('r', number); }

private:
  uint8_t* begin = nullptr;
  uint8_t* end = nullptr;
  uint8_t* limit = nullptr;

  // Where the next bytes go, of which there are at least ``size``.
  uint8_t* room(size_t size) {
    if (size > size_t(limit - end)) grow(size);
    return end;
  }

  void grow(size_t size) {
    size_t used = end - begin, capacity = limit - begin;
    capacity = capacity + (size > capacity ? size : capacity);
    uint8_t* moved = static_cast<uint8_t*>(realloc(begin, capacity));
    if (!moved) throw std::bad_alloc();
    begin = moved;
    end = moved + used;
    limit = moved + capacity;
  }

  // In digits of 15 bits.
  void big(uint64_t value, bool negative) {
    uint16_t digits[5];
    int32_t count = 0;
    for (; value; value >>= 15) digits[count++] = value & 0x7fff;
    sized('l', negative ? -count : count);
    for (int32_t index = 0; index < count; index++) {
      uint16_t digit = swapped(digits[index]);
      raw(&digit, sizeof digit);
    }
  }
};

}  // namespace ccp
