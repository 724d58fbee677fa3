// What Python's module marshal wrote, item by item.

#pragma once

#include "guard.hpp"
#include "little_endian.hpp"

#include <string.h>

#include <vector>

namespace ccp {

// One object, or as much of it as there is before its items.
struct Item {
  char code;            // of marshal.c, without the flag
  uint32_t size;        // bytes of text or data, items of a list or tuple, digits of a long integer
  const uint8_t* data;  // those bytes, or where the items begin
  bool is_elsewhere;    // a reference to an object that was written before

  bool is_text() const {
    return code == 'z' || code == 'Z' || code == 'a' || code == 'A' || code == 'u' || code == 't';
  }
  bool is_ascii() const { return is_text() && code != 'u' && code != 't'; }
  bool is_tuple() const { return code == '(' || code == ')'; }
  bool is_list() const { return code == '[' || is_tuple(); }
  bool is(const char* text) const { return size == strlen(text) && !memcmp(data, text, size); }
};

class MarshalReader {
public:
  MarshalReader(const uint8_t* data, size_t size): end(data + size), unseen(data) {}

  // The item at ``at``, which is moved behind it: for a container, to its first item.
  Item next(const uint8_t*& at) {
    const uint8_t* start = at;
    uint8_t byte = *take(at, 1);
    if (byte == 'r') {
      uint32_t number = load<uint32_t>(take(at, 4));
      if (number >= kept.size()) decline();
      return kept[number];
    }
    Item item = parsed(byte & 0x7f, at);
    if (byte & 0x80 && start >= unseen) {
      unseen = start + 1;
      kept.push_back(item);
      kept.back().is_elsewhere = true;
    }
    return item;
  }

private:
  const uint8_t* end;
  const uint8_t* unseen;   // all before it was read once
  std::vector<Item> kept;  // objects that may be referred to

  Item parsed(char code, const uint8_t*& at) {
    switch (code) {
      case 'i': return {code, 0, take(at, 4), false};
      case 'N': case 'T': case 'F': case '0': case '{': return {code, 0, at, false};
      case 'g': return {code, 0, take(at, 8), false};
      case 'z': case 'Z': return sized(code, *take(at, 1), 1, at);
      case 'a': case 'A': case 'u': case 't': case 's': return sized(code, load<uint32_t>(take(at, 4)), 1, at);
      case 'l': {
        uint32_t digits = load<uint32_t>(take(at, 4));
        Item item = sized(code, int32_t(digits) < 0 ? 0 - digits : digits, 2, at);
        item.size = digits;
        return item;
      }
      case ')': return {code, *take(at, 1), at, false};
      case '[': case '(': return {code, load<uint32_t>(take(at, 4)), at, false};
      default: decline();
    }
  }

  const uint8_t* take(const uint8_t*& at, size_t size) {
    if (size > size_t(end - at)) decline();
    const uint8_t* taken = at;
    at += size;
    return taken;
  }

  Item sized(char code, uint32_t count, size_t each, const uint8_t*& at) {
    return {code, count, take(at, count * each), false};
  }
};

}  // namespace ccp
