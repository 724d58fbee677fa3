// Whole trees into a message: Python's values come in marshal's format, and libcapnp allocates.
//
// What is built is new, so that all of it is zero.  Whatever is not plain or does not fit is declined: the same work in
// Python finds the words for it.

#include "layouts.hpp"
#include "marshal_reader.hpp"
#include "target.hpp"
#include "utf8.hpp"

#include <math.h>

namespace ccp {
namespace {

using capnp::AnyList;
using capnp::AnyPointer;
using capnp::AnyStruct;
using capnp::ElementSize;

constexpr int MOST_DEPTH = 200;  // for the stack
constexpr uint32_t MOST_FIELDS = 256;  // of a struct in JSON, where none may be named twice

class Encoder {
public:
  Encoder(const ccp_layouts& layouts, int json_depth, const uint8_t* marshalled, size_t size)
      : at(marshalled), layouts(layouts), is_json(json_depth > 0), most_depth(is_json ? json_depth : MOST_DEPTH),
        in(marshalled, size), keys(layouts.fields.size()) {
    if (most_depth > MOST_DEPTH) most_depth = MOST_DEPTH;
  }

  void structure(AnyPointer::Builder pointer, uint32_t type) { structure(pointer, type, in.next(at), at, 0); }

  void structures(AnyPointer::Builder pointer, uint32_t type) {
    structures(pointer, type, in.next(at), at, 0);
  }

private:
  const uint8_t* at;
  const ccp_layouts& layouts;
  bool is_json;
  int most_depth;
  MarshalReader in;
  std::vector<const uint8_t*> keys;  // the name that each field was last found by

  void structure(AnyPointer::Builder pointer, uint32_t type, const Item& item, const uint8_t*& at, int depth) {
    auto& layout = layouts.structs[type];
    auto made = pointer.initAsAnyStruct(layout.data_words, layout.pointers);
    fields(made, layout, item, at, depth);
  }

  // Set the fields that a dict names.
  void fields(AnyStruct::Builder made, const ccp_struct& type, const Item& dict, const uint8_t*& at, int depth) {
    if (is_json ? !dict.is_tuple() : dict.code != '{') decline();
    if (depth >= most_depth) decline();
    const uint8_t* inside = dict.data;
    const uint8_t*& place = dict.is_elsewhere ? inside : at;
    const ccp_field* chosen = nullptr;
    uint32_t next = 0;
    auto data = made.getDataSection();
    auto pointers = made.getPointerSection();
    uint64_t seen[MOST_FIELDS / 64] = {};
    for (uint32_t index = 0; !is_json || index < dict.size; index++) {
      if (is_json && !is_pair(in.next(place))) decline();
      Item key = in.next(place);
      if (!is_json && key.code == '0') break;
      auto& field = named(type, key, next);
      if (is_json) {
        uint32_t number = &field - &layouts.fields[type.fields.start];
        if (number >= MOST_FIELDS || seen[number / 64] >> number % 64 & 1) decline();
        seen[number / 64] |= uint64_t(1) << number % 64;
      }
      if (field.discriminant >= 0) {
        if (chosen) decline();
        chosen = &field;
        if (type.tag_index < 0 || size_t(type.tag_index + 1) * 2 > data.size()) decline();
        store<uint16_t>(data.begin() + type.tag_index * 2, field.discriminant);
      }
      auto& value = layouts.values[field.value];
      Item item = in.next(place);
      if (value.form < CCP_TEXT) {
        scalar(data, field, value, item);
      } else if (value.form == CCP_GROUP) {
        fields(made, layouts.structs[value.detail], item, place, depth + 1);
      } else if (item.code != 'N') {
        if (field.offset >= pointers.size()) decline();
        pointer(pointers[field.offset], value, item, place, depth);
      }
    }
  }

  static bool is_pair(const Item& item) { return item.is_tuple() && item.size == 2 && !item.is_elsewhere; }

  // The field of a name; most often it is the one after the last.
  const ccp_field& named(const ccp_struct& type, const Item& key, uint32_t& next) {
    if (!key.is_text()) decline();
    for (uint32_t tried = 0; tried < type.fields.count; tried++) {
      uint32_t index = next + tried < type.fields.count ? next + tried : next + tried - type.fields.count;
      auto& field = layouts.fields[type.fields.start + index];
      auto& known = keys[type.fields.start + index];
      bool is_known = known == key.data;
      if (is_known || (field.name.count == key.size && !memcmp(layouts.text(field.name), key.data, key.size))) {
        known = key.data;
        next = index + 1;
        return field;
      }
    }
    decline();
  }

  void scalar(
      kj::ArrayPtr<capnp::byte> data, const ccp_field& field, const ccp_value& value, const Item& item) {
    uint64_t size = bits(value.form);
    if ((uint64_t(field.offset) + 1) * size > data.size() * uint64_t(8)) decline();
    if (value.form == CCP_BOOL) {
      bit(data.begin() + field.offset / 8, field.offset % 8, boolean(item) != (field.mask != 0));
    } else {
      number(data.begin() + size_t(field.offset) * (size / 8), value, item, field.mask);
    }
  }

  void pointer(AnyPointer::Builder pointer, const ccp_value& value, const Item& item, const uint8_t*& at, int depth) {
    if (value.form == CCP_STRUCT) return structure(pointer, value.detail, item, at, depth + 1);
    if (value.form == CCP_LIST) return list(pointer, layouts.values[value.detail], item, at, depth + 1);
    if (value.form == CCP_TEXT) {
      if (!item.is_ascii() && !(item.is_text() && is_utf8(item.data, item.size))) decline();
      if (item.size) {
        memcpy(pointer.initAs<capnp::Text>(item.size).begin(), item.data, item.size);
      } else {
        pointer.initAs<capnp::Text>(0);
      }
    } else if (value.form == CCP_DATA && is_json) {
      if (!item.is_list() || item.is_tuple() || depth + 1 >= most_depth) decline();
      const uint8_t* inside = item.data;
      const uint8_t*& place = item.is_elsewhere ? inside : at;
      auto data = pointer.initAs<capnp::Data>(item.size);
      for (uint32_t index = 0; index < item.size; index++) data[index] = between(in.next(place), 0, UINT8_MAX);
    } else if (value.form == CCP_DATA && item.code == 's') {
      auto data = pointer.initAs<capnp::Data>(item.size);
      if (item.size) memcpy(data.begin(), item.data, item.size);
    } else {
      decline();
    }
  }

  void list(
      AnyPointer::Builder pointer, const ccp_value& element, const Item& item, const uint8_t*& at, int depth) {
    if (element.form == CCP_STRUCT) return structures(pointer, element.detail, item, at, depth);
    if (!item.is_list() || (is_json && item.is_tuple()) || depth >= most_depth) decline();
    const uint8_t* inside = item.data;
    const uint8_t*& place = item.is_elsewhere ? inside : at;
    if (element.form < CCP_TEXT) return numbers(pointer, element, item.size, place);
    if (element.form != CCP_TEXT && element.form != CCP_DATA && element.form != CCP_LIST) decline();
    auto made = pointer.initAsAnyList(ElementSize::POINTER, item.size).as<capnp::List<AnyPointer>>();
    for (uint32_t index = 0; index < item.size; index++) {
      Item each = in.next(place);
      if (is_json && each.code == 'N') continue;
      this->pointer(made[index], element, each, place, depth);
    }
  }

  void structures(AnyPointer::Builder pointer, uint32_t type, const Item& item, const uint8_t*& at, int depth) {
    if (!item.is_list() || (is_json && item.is_tuple()) || depth >= most_depth) decline();
    const uint8_t* inside = item.data;
    const uint8_t*& place = item.is_elsewhere ? inside : at;
    auto& layout = layouts.structs[type];
    auto made = pointer.initAsListOfAnyStruct(layout.data_words, layout.pointers, item.size);
    for (uint32_t index = 0; index < item.size; index++) {
      Item each = in.next(place);
      fields(made[index], layout, each, place, depth + 1);
    }
  }

  void numbers(AnyPointer::Builder pointer, const ccp_value& element, uint32_t count, const uint8_t*& at) {
    uint32_t size = bits(element.form);
    auto list = pointer.initAsAnyList(element_size(size), count);
    auto data = const_cast<capnp::byte*>(list.asReader().getRawBytes().begin());
    for (uint32_t index = 0; index < count; index++) {
      Item item = in.next(at);
      if (size == 1) {
        bit(data + index / 8, index % 8, boolean(item));
      } else {
        number(data + size_t(index) * (size / 8), element, item, 0);
      }
    }
  }

  // ---- plain values

  static bool boolean(const Item& item) {
    if (item.code != 'T' && item.code != 'F') decline();
    return item.code == 'T';
  }

  static void bit(capnp::byte* data, uint32_t index, bool is_set) {
    if (is_set) *data |= 1 << index;
  }

  void number(capnp::byte* data, const ccp_value& value, const Item& item, uint64_t mask) {
    switch (value.form) {
      case CCP_VOID:
        if (item.code != 'N') decline();  // in JSON it may be anything, but seldom is
        return;
      case CCP_INT8: return store<uint8_t>(data, between(item, INT8_MIN, INT8_MAX) ^ mask);
      case CCP_INT16: return store<uint16_t>(data, between(item, INT16_MIN, INT16_MAX) ^ mask);
      case CCP_INT32: return store<uint32_t>(data, between(item, INT32_MIN, INT32_MAX) ^ mask);
      case CCP_INT64: return store<uint64_t>(data, between(item, INT64_MIN, INT64_MAX) ^ mask);
      case CCP_UINT8: return store<uint8_t>(data, between(item, 0, UINT8_MAX) ^ mask);
      case CCP_UINT16: return store<uint16_t>(data, between(item, 0, UINT16_MAX) ^ mask);
      case CCP_UINT32: return store<uint32_t>(data, between(item, 0, UINT32_MAX) ^ mask);
      case CCP_UINT64: return store<uint64_t>(data, between(item, 0, UINT64_MAX) ^ mask);
      case CCP_ENUM: return store<uint16_t>(data, enumerant(item, layouts.enums[value.detail]) ^ mask);
      case CCP_FLOAT32: {
        double real = this->real(item, mask);
        float single = static_cast<float>(real);
        if (isinf(single) && !isinf(real)) decline();
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        return store<uint32_t>(data, bits ^ mask);
      }
      default: {
        double real = this->real(item, mask);
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        return store<uint64_t>(data, bits ^ mask);
      }
    }
  }

  // An integer of at least ``low`` and at most ``high``, as the bits of its two's complement.
  uint64_t between(const Item& item, int64_t low, uint64_t high) const {
    uint64_t size = 0;
    bool negative = false;
    if (is_json && item.is_text()) {  // in decimal digits
      negative = item.size && *item.data == '-';
      if (item.size <= negative || item.size > 20) decline();
      for (uint32_t index = negative; index < item.size; index++) {
        unsigned digit = item.data[index] - unsigned('0');
        if (digit > 9 || size > (UINT64_MAX - digit) / 10) decline();
        size = size * 10 + digit;
      }
    } else if (item.code == 'i') {
      int64_t value = int32_t(load<uint32_t>(item.data));
      negative = value < 0;
      size = negative ? 0 - uint64_t(value) : uint64_t(value);
    } else if (item.code == 'l') {
      negative = int32_t(item.size) < 0;
      uint32_t digits = negative ? 0 - item.size : item.size;
      if (digits > 5) decline();
      for (uint32_t index = digits; index-- > 0;) {
        if (size >> 49) decline();
        size = size << 15 | load<uint16_t>(item.data + 2 * index);
      }
    } else {
      decline();
    }
    if (negative ? size > 0 - uint64_t(low) : size > high) decline();
    return negative ? 0 - size : size;
  }

  double real(const Item& item, uint64_t mask) const {
    if (item.is_text() && is_json) return real(item);
    if (item.code == 'i') return int32_t(load<uint32_t>(item.data));
    if (item.code != 'g') decline();
    uint64_t bits = load<uint64_t>(item.data);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (mask && isnan(value)) decline();  // which one it becomes is decided elsewhere
    return value;
  }

  // What JSON has no numbers for.
  static double real(const Item& text) {
    if (text.is("Infinity")) return HUGE_VAL;
    if (text.is("-Infinity")) return -HUGE_VAL;
    decline();
  }

  uint16_t enumerant(const Item& item, const ccp_span& names) {
    if (item.code == 'i') return between(item, 0, UINT16_MAX);
    if (!item.is_text()) decline();
    for (uint32_t number = 0; number < names.count; number++) {
      auto& name = layouts.names[names.start + number];
      if (name.count == item.size && !memcmp(layouts.text(name), item.data, item.size)) return number;
    }
    decline();
  }
};

}  // namespace
}  // namespace ccp

ccp_status ccp_encode(
    size_t room, int may_grow, const ccp_layouts* layouts, uint32_t type, int is_list, int json_depth,
    const uint8_t* marshalled, size_t size, ccp_built* built) {
  return ccp::guarded([&]() {
    if (type >= layouts->structs.size()) ccp::decline();
    ccp::build(room, may_grow != 0, 256 + size / 4, built, [&](ccp::Target& target) {
      ccp::Encoder encoder(*layouts, json_depth, marshalled, size);
      if (is_list) {
        encoder.structures(target.root(), type);
      } else {
        encoder.structure(target.root(), type);
      }
    });
  });
}
