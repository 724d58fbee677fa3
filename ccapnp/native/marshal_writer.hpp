// Python objects in the format of Python's module marshal, which makes them faster than anything else can.

#pragma once

#include "bytes.hpp"
#include "utf8.hpp"

#include <vector>

namespace ccp {

class MarshalWriter : public Bytes {
public:
  // For layouts with so many names in all.
  explicit MarshalWriter(size_t names) : references(names, 0) {}

  void none() { byte('N'); }
  void boolean(bool value) { byte(value ? 'T' : 'F'); }

  void begin_dict() { byte('{'); }
  void end_dict() { byte('0'); }

  // The items follow.
  void begin_list(uint32_t count) { sized('[', count); }
  void end_list() {}
  void null_list() { none(); }

  // A name, which is written once, and referred to from then on; ``number`` tells one from the others.
  void name(size_t number, const char* text, size_t size) {
    if (references[number]) return sized('r', references[number] - 1);
    references[number] = ++kept;
    bool is_ascii = ascii_bytes(reinterpret_cast<const uint8_t*>(text), size) == size;
    if (is_ascii && size < 256) {
      uint8_t* at = room(2);
      at[0] = 'Z' | 0x80;
      at[1] = size;
      end += 2;
    } else {
      sized(char((is_ascii ? 'A' : 't') | 0x80), size);
    }
    raw(text, size);
  }
  void key(size_t number, const char* text, size_t size) { name(number, text, size); }

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

  void unsigned32(uint32_t value) { unsigned64(value); }

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

  void data(const uint8_t* data, size_t size) {
    sized('s', size);
    raw(data, size);
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

  // What is in marshal's format already.
  void written(const char* data, size_t size) { raw(data, size); }

private:
  std::vector<uint32_t> references;  // 1 more than the number under which a name is kept
  uint32_t kept = 0;

  void sized(char code, uint32_t count) {
    uint8_t* at = room(5);
    *at = code;
    store(at + 1, count);
    end += 5;
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
