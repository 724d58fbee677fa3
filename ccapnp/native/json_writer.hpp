// JSON as the official codec writes it, without white space.  Names are given as they are to be written.

#pragma once

#include "bytes.hpp"

#include <kj/string.h>

#include <math.h>

namespace ccp {

// Every value is followed by a comma, which the bracket behind the last one takes the place of.
class JsonWriter : public Bytes {
public:
  explicit JsonWriter(size_t) {}

  void none() { raw("null,", 5); }
  void boolean(bool value) { value ? raw("true,", 5) : raw("false,", 6); }

  void begin_dict() { byte('{'); }
  void end_dict() { close('}'); }
  void begin_list(uint32_t) { byte('['); }
  void end_list() { close(']'); }
  void null_list() { raw("[],", 3); }

  void key(size_t, const char* text, size_t size) { raw(text, size); }
  void name(size_t, const char* text, size_t size) {
    raw(text, size);
    byte(',');
  }

  void integer(int32_t value) {
    digits(value);
    byte(',');
  }
  void integer64(int64_t value) {
    byte('"');
    digits(value);
    raw("\",", 2);
  }
  void unsigned32(uint32_t value) { digits(int64_t(value)), byte(','); }
  void unsigned64(uint64_t value) {
    byte('"');
    unsigned_digits(value);
    raw("\",", 2);
  }

  void real(double value) {
    if (isnan(value)) return raw("\"NaN\",", 6);
    if (isinf(value)) return value < 0 ? raw("\"-Infinity\",", 12) : raw("\"Infinity\",", 11);
    if (!short_real(value)) {
      auto text = kj::toCharSequence(value);
      for (char each: text) {
        if (each != '+') byte(each);
      }
    }
    byte(',');
  }

  void text(const char* text, size_t size, bool) {
    static const char* const named = "btn\0fr";  // of 8 to 13
    byte('"');
    size_t start = 0;
    for (size_t at = 0; at < size; at++) {
      uint8_t each = text[at];
      if (each >= 0x20 && each != '"' && each != '\\') continue;
      raw(text + start, at - start);
      start = at + 1;
      byte('\\');
      if (each >= 0x20) {
        byte(each);
      } else if (each >= 8 && each <= 13 && named[each - 8]) {
        byte(named[each - 8]);
      } else {
        raw("u00", 3);
        byte(each < 16 ? '0' : '1');
        byte("0123456789abcdef"[each & 15]);
      }
    }
    raw(text + start, size - start);
    raw("\",", 2);
  }

  void data(const uint8_t* data, size_t size) {
    byte('[');
    for (size_t index = 0; index < size; index++) integer(data[index]);
    close(']');
  }

  void written(const char* text, size_t size) { raw(text, size); }

  // Take back the comma behind the last value.
  void finish() { end--; }

private:
  void close(char bracket) {
    if (end[-1] == ',') end--;
    byte(bracket);
    byte(',');
  }

  void digits(int64_t value) {
    if (value < 0) byte('-');
    unsigned_digits(value < 0 ? 0 - uint64_t(value) : uint64_t(value));
  }

  void unsigned_digits(uint64_t value) {
    char made[20];
    size_t at = sizeof made;
    do {
      made[--at] = char('0' + value % 10);
      value /= 10;
    } while (value);
    raw(made + at, sizeof made - at);
  }

  // A number of at most 15 digits, four of them behind the point: for others the general way takes much longer.
  bool short_real(double value) {
    double scale = 1;
    for (int places = 0; places <= 4; places++, scale *= 10) {
      double scaled = value * scale;
      if (!(fabs(scaled) < 1e15)) return false;
      if (scaled != floor(scaled) || scaled / scale != value) continue;
      if (signbit(value)) byte('-');
      uint64_t number = uint64_t(fabs(scaled)), unit = uint64_t(scale);
      unsigned_digits(number / unit);
      if (places) {
        byte('.');
        for (number %= unit; (unit /= 10) > 0; number %= unit) byte(char('0' + number / unit));
      }
      return true;
    }
    return false;
  }
};

}  // namespace ccp
