// Whole trees out of a message: libcapnp follows the pointers, and a writer writes each value.

#pragma once

#include "layouts.hpp"
#include "source.hpp"
#include "utf8.hpp"

namespace ccp {

// A list may have many elements without any memory; this many are made at most.
constexpr uint32_t MOST_VOIDS = 1 << 16;

// Groups in groups, of all structs that are being decoded: a schema that is not sound may have any number of them.
constexpr uint32_t MOST_GROUPS = 200;

template <typename Writer>
class Decoder {
  using AnyList = capnp::AnyList;
  using AnyPointer = capnp::AnyPointer;
  using AnyStruct = capnp::AnyStruct;
  using ElementSize = capnp::ElementSize;

public:
  Decoder(const Source& source, const ccp_layouts& layouts, ccp_presence presence, uint64_t budget)
      : budget(budget), out(layouts.names.size() + layouts.fields.size()), source(source), layouts(layouts),
        presence(presence) {}

  void structure(AnyStruct::Reader reader, uint32_t type, int32_t depth) {
    out.begin_dict();
    fields(reader, layouts.structs[type], depth);
    out.end_dict();
  }

  Budget budget;
  Writer out;

private:
  const Source& source;
  const ccp_layouts& layouts;
  ccp_presence presence;
  uint32_t groups = 0;

  void fields(AnyStruct::Reader reader, const ccp_struct& type, int32_t depth) {
    auto data = reader.getDataSection();
    auto pointers = reader.getPointerSection();
    auto words = pointer_words(reader);
    int32_t tag = type.tag_index < 0 ? 0 : tag_of(reader, type);
    bool is_known = type.tag_index < 0;
    for (uint32_t index = type.fields.start; index < type.fields.start + type.fields.count; index++) {
      auto& field = layouts.fields[index];
      if (field.discriminant >= 0) {
        if (field.discriminant != tag) continue;
        is_known = true;
      }
      auto& value = layouts.values[field.value];
      if (presence == CCP_NOT_DEFAULT && field.discriminant <= 0 && is_default(reader, field, value)) continue;
      if (value.form < CCP_TEXT) {
        key(index, field);
        scalar(data, value, field);
      } else if (value.form == CCP_GROUP) {
        key(index, field);
        if (++groups > MOST_GROUPS) decline();
        structure(reader, value.detail, depth);
        groups--;
      } else if (field.offset < pointers.size() && load<uint64_t>(words + field.offset)) {
        key(index, field);
        pointer(pointers[field.offset], words + field.offset, value, depth);
      } else if (presence == CCP_ALL || (field.discriminant >= 0 && field.absent.count)) {
        if (!field.absent.count) decline();
        key(index, field);
        out.written(layouts.text(field.absent), field.absent.count);
      } else if (field.discriminant > 0 || (field.discriminant == 0 && presence == CCP_SET_OR_ACTIVE)) {
        key(index, field);
        out.none();
      }
    }
    if (!is_known && presence != CCP_SET_OR_ACTIVE) decline();
  }

  // Whether a field is as in a new struct: all of a group, or what it says in the message is zero.
  bool is_default(AnyStruct::Reader reader, const ccp_field& field, const ccp_value& value) {
    if (value.form == CCP_GROUP) return is_default(reader, layouts.structs[value.detail]);
    if (value.form >= CCP_TEXT) {
      return field.offset >= reader.getPointerSection().size() || !load<uint64_t>(pointer_words(reader) + field.offset);
    }
    auto data = reader.getDataSection();
    uint32_t size = bits(value.form);
    size_t start = size_t(field.offset) * size / 8;
    if (size == 1) return start >= data.size() || !(data[start] >> field.offset % 8 & 1);
    if (start + size / 8 > data.size()) return true;
    for (size_t at = start; at < start + size / 8; at++) {
      if (data[at]) return false;
    }
    return true;
  }

  bool is_default(AnyStruct::Reader reader, const ccp_struct& group) {
    if (group.tag_index >= 0 && tag_of(reader, group)) return false;
    if (++groups > MOST_GROUPS) decline();
    bool found = true;
    for (uint32_t index = group.fields.start; found && index < group.fields.start + group.fields.count; index++) {
      auto& field = layouts.fields[index];
      found = field.discriminant > 0 || is_default(reader, field, layouts.values[field.value]);
    }
    groups--;
    return found;
  }

  static uint16_t tag_of(AnyStruct::Reader reader, const ccp_struct& type) {
    auto data = reader.getDataSection();
    if (data.size() < size_t(type.tag_index + 1) * 2) return 0;
    return load<uint16_t>(data.begin() + type.tag_index * 2);
  }

  void key(size_t index, const ccp_field& field) {
    out.key(layouts.names.size() + index, layouts.text(field.name), field.name.count);
  }

  void scalar(kj::ArrayPtr<const capnp::byte> data, const ccp_value& value, const ccp_field& field) {
    if (value.form == CCP_VOID) return out.none();
    uint32_t size = bits(value.form);
    if (value.form == CCP_BOOL) {
      bool is_there = field.offset / 8 < data.size();
      bool is_set = is_there && data[field.offset / 8] >> field.offset % 8 & 1;
      return out.boolean(is_set != (field.mask != 0));
    }
    size_t at = size_t(field.offset) * (size / 8);
    bool is_there = at + size / 8 <= data.size();
    number(is_there ? data.begin() + at : nullptr, value, field.mask);
  }

  // The number at ``at``, or zero where there is none, under its default.
  void number(const capnp::byte* at, const ccp_value& value, uint64_t mask) {
    static const capnp::byte zero[8] = {};
    if (!at) at = zero;
    switch (value.form) {
      case CCP_INT8: return out.integer(int8_t(*at ^ mask));
      case CCP_INT16: return out.integer(int16_t(load<uint16_t>(at) ^ mask));
      case CCP_INT32: return out.integer(int32_t(load<uint32_t>(at) ^ mask));
      case CCP_INT64: return out.integer64(int64_t(load<uint64_t>(at) ^ mask));
      case CCP_UINT8: return out.integer(uint8_t(*at ^ mask));
      case CCP_UINT16: return out.integer(uint16_t(load<uint16_t>(at) ^ mask));
      case CCP_UINT32: return out.unsigned32(uint32_t(load<uint32_t>(at) ^ mask));
      case CCP_UINT64: return out.unsigned64(load<uint64_t>(at) ^ mask);
      case CCP_ENUM: return enumerant(uint16_t(load<uint16_t>(at) ^ mask), layouts.enums[value.detail]);
      case CCP_FLOAT32: {
        uint32_t bits = load<uint32_t>(at) ^ mask;
        float single;
        memcpy(&single, &bits, sizeof single);
        return out.real(single);
      }
      default: {
        uint64_t bits = load<uint64_t>(at) ^ mask;
        double real;
        memcpy(&real, &bits, sizeof real);
        return out.real(real);
      }
    }
  }

  void enumerant(uint16_t number, const ccp_span& names) {
    if (number >= names.count) return out.integer(number);
    auto& name = layouts.names[names.start + number];
    out.name(names.start + number, layouts.text(name), name.count);
  }

  // What a pointer that is not null leads to; ``at`` is where it is.
  void pointer(AnyPointer::Reader reader, const capnp::word* at, const ccp_value& value, int32_t depth) {
    auto tag = source.tag(at);
    budget.charge(tag.pad_words);
    if (value.form == CCP_STRUCT) {
      if (tag.kind() != STRUCT || depth <= 0) decline();
      budget.charge(tag.data_words() + tag.pointers());
      return structure(reader.getAs<AnyStruct>(), value.detail, depth - 1);
    }
    if (tag.kind() != LIST) decline();
    if (value.form == CCP_LIST) {
      if (depth <= 0) decline();
      return list(reader, tag, layouts.values[value.detail], depth - 1);
    }
    if (tag.element() != uint32_t(ElementSize::BYTE)) decline();
    budget.charge((tag.count() + 7) / 8);
    if (value.form == CCP_TEXT) return text(reader.getAs<capnp::Text>());
    if (value.form != CCP_DATA) decline();
    auto data = reader.getAs<capnp::Data>();
    out.data(data.begin(), data.size());
  }

  void text(capnp::Text::Reader text) {
    auto data = reinterpret_cast<const uint8_t*>(text.begin());
    size_t ascii = ascii_bytes(data, text.size());
    if (!is_utf8(data + ascii, text.size() - ascii)) decline();
    out.text(text.begin(), text.size(), ascii == text.size());
  }

  void list(AnyPointer::Reader reader, const Tag& tag, const ccp_value& element, int32_t depth) {
    if (element.form < CCP_TEXT) return numbers(reader, tag, element);
    if (element.form == CCP_STRUCT) return structures(reader, tag, element.detail, depth);
    if (element.form != CCP_TEXT && element.form != CCP_DATA && element.form != CCP_LIST) decline();
    if (tag.element() != uint32_t(ElementSize::POINTER)) decline();
    budget.charge(tag.count());
    auto pointers = reader.getAs<AnyList>().as<capnp::List<AnyPointer>>();
    auto words = tag.start();
    out.begin_list(pointers.size());
    for (uint32_t index = 0; index < pointers.size(); index++) {
      if (load<uint64_t>(words + index)) {
        pointer(pointers[index], words + index, element, depth);
      } else if (element.form == CCP_LIST) {
        out.null_list();
      } else if (element.form == CCP_TEXT) {
        out.text("", 0, true);
      } else {
        out.data(nullptr, 0);
      }
    }
    out.end_list();
  }

  void structures(AnyPointer::Reader reader, const Tag& tag, uint32_t type, int32_t depth) {
    if (tag.element() != uint32_t(ElementSize::INLINE_COMPOSITE)) decline();
    budget.charge(uint64_t(tag.count()) + 1);
    auto elements = reader.getAs<AnyList>().as<capnp::List<AnyStruct>>();
    if (tag.structs() != elements.size()) decline();
    if (elements.size() && !elements[0].getDataSection().size() && !elements[0].getPointerSection().size()) {
      budget.charge(elements.size());  // else a few bytes would make any number of elements
    }
    out.begin_list(elements.size());
    for (auto each: elements) structure(each, type, depth);
    out.end_list();
  }

  void numbers(AnyPointer::Reader reader, const Tag& tag, const ccp_value& element) {
    uint32_t size = bits(element.form);
    if (tag.element() != uint32_t(element_size(size))) decline();
    budget.charge((uint64_t(tag.count()) * size + 63) / 64);
    if (!size) {
      budget.charge(tag.count());
      if (tag.count() > MOST_VOIDS) decline();
    }
    auto data = reader.getAs<AnyList>().getRawBytes();
    out.begin_list(tag.count());
    for (uint32_t index = 0; index < tag.count(); index++) {
      if (!size) {
        out.none();
      } else if (size == 1) {
        out.boolean(data[index / 8] >> index % 8 & 1);
      } else {
        number(data.begin() + size_t(index) * (size / 8), element, 0);
      }
    }
    out.end_list();
  }
};

}  // namespace ccp
