// Whole trees out of a message: libcapnp follows the pointers, and each value is written in marshal's format.

#include "layouts.hpp"
#include "marshal_writer.hpp"
#include "source.hpp"
#include "utf8.hpp"

namespace ccp {
namespace {

using capnp::AnyList;
using capnp::AnyPointer;
using capnp::AnyStruct;
using capnp::ElementSize;

// A list may have many elements without any memory; this many are made at most.
constexpr uint32_t MOST_VOIDS = 1 << 16;

// Groups in groups, of all structs that are being decoded: a schema that is not sound may have any number of them.
constexpr uint32_t MOST_GROUPS = 200;

class Decoder {
public:
  Decoder(const Source& source, const ccp_layouts& layouts, bool verbose, uint64_t budget)
      : budget(budget), out(4096), source(source), layouts(layouts), verbose(verbose),
        references(layouts.names.size() + layouts.fields.size(), 0) {}

  void structure(AnyStruct::Reader reader, uint32_t type, int32_t depth) {
    out.code('{');
    fields(reader, layouts.structs[type], depth);
    out.code('0');
  }

  Budget budget;
  MarshalWriter out;

private:
  const Source& source;
  const ccp_layouts& layouts;
  bool verbose;
  std::vector<uint32_t> references;  // of names, then of fields: 1 more than the number under which one is kept
  uint32_t kept = 0;
  uint32_t groups = 0;

  void name(size_t index, const ccp_span& span) {
    if (references[index]) {
      out.reference(references[index] - 1);
    } else {
      references[index] = ++kept;
      auto text = layouts.text(span);
      bool is_ascii = ascii_bytes(reinterpret_cast<const uint8_t*>(text), span.count) == span.count;
      out.interned(text, span.count, is_ascii);
    }
  }

  void fields(AnyStruct::Reader reader, const ccp_struct& type, int32_t depth) {
    auto data = reader.getDataSection();
    auto pointers = reader.getPointerSection();
    auto words = pointer_words(reader);
    int32_t tag = 0;
    if (type.tag_index >= 0 && data.size() >= size_t(type.tag_index + 1) * 2) {
      tag = load<uint16_t>(data.begin() + type.tag_index * 2);
    }
    for (uint32_t index = type.fields.start; index < type.fields.start + type.fields.count; index++) {
      auto& field = layouts.fields[index];
      if (field.discriminant >= 0 && field.discriminant != tag) continue;
      auto& value = layouts.values[field.value];
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
      } else if (verbose) {
        if (!field.absent.count) decline();
        key(index, field);
        out.raw(layouts.text(field.absent), field.absent.count);
      } else if (field.discriminant > 0) {  // else a union's first member would seem to be the active one
        key(index, field);
        out.code('N');
      }
    }
  }

  void key(size_t index, const ccp_field& field) { name(layouts.names.size() + index, field.name); }

  void scalar(kj::ArrayPtr<const capnp::byte> data, const ccp_value& value, const ccp_field& field) {
    if (value.form == CCP_VOID) return out.code('N');
    uint32_t size = bits(value.form);
    if (value.form == CCP_BOOL) {
      bool is_there = field.offset / 8 < data.size();
      bool is_set = is_there && data[field.offset / 8] >> field.offset % 8 & 1;
      return out.code(is_set != (field.mask != 0) ? 'T' : 'F');
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
      case CCP_UINT32: return out.unsigned64(uint32_t(load<uint32_t>(at) ^ mask));
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
    name(names.start + number, layouts.names[names.start + number]);
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
    out.sized('s', data.size());
    out.raw(data.begin(), data.size());
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
    out.sized('[', pointers.size());
    for (uint32_t index = 0; index < pointers.size(); index++) {
      if (load<uint64_t>(words + index)) {
        pointer(pointers[index], words + index, element, depth);
      } else if (element.form == CCP_LIST) {
        out.code('N');
      } else if (element.form == CCP_TEXT) {
        out.text("", 0, true);
      } else {
        out.sized('s', 0);
      }
    }
  }

  void structures(AnyPointer::Reader reader, const Tag& tag, uint32_t type, int32_t depth) {
    if (tag.element() != uint32_t(ElementSize::INLINE_COMPOSITE)) decline();
    budget.charge(uint64_t(tag.count()) + 1);
    auto elements = reader.getAs<AnyList>().as<capnp::List<AnyStruct>>();
    if (tag.structs() != elements.size()) decline();
    if (elements.size() && !elements[0].getDataSection().size() && !elements[0].getPointerSection().size()) {
      budget.charge(elements.size());  // else a few bytes would make any number of elements
    }
    out.sized('[', elements.size());
    for (auto each: elements) structure(each, type, depth);
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
    out.sized('[', tag.count());
    for (uint32_t index = 0; index < tag.count(); index++) {
      if (!size) {
        out.code('N');
      } else if (size == 1) {
        out.code(data[index / 8] >> index % 8 & 1 ? 'T' : 'F');
      } else {
        number(data.begin() + size_t(index) * (size / 8), element, 0);
      }
    }
  }
};

}  // namespace
}  // namespace ccp

ccp_status ccp_decode(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, const ccp_layouts* layouts, uint32_t type, int verbose, ccp_decoded* decoded) {
  return ccp::guarded([&]() {
    if (type >= layouts->structs.size()) ccp::decline();
    ccp::Source source({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget});
    ccp::Decoder decoder(source, *layouts, verbose != 0, budget);
    decoder.structure(source.root, type, depth);
    decoded->words = decoder.budget.used();
    decoded->data = decoder.out.release(decoded->size);
  });
}
