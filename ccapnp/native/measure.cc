#include "measure.hpp"

namespace ccp {
namespace {

using capnp::AnyList;
using capnp::AnyPointer;
using capnp::AnyStruct;
using capnp::ElementSize;

// libcapnp visits each element, and a list may have many without any memory.
constexpr uint64_t MOST_UNSIZED = 1 << 16;

// From one element to the next, but in a list of structs.
constexpr uint8_t ELEMENT_BITS[] = {0, 1, 8, 16, 32, 64, 64};

uint32_t words_of(AnyStruct::Reader reader) {
  return reader.getDataSection().size() / sizeof(capnp::word) + reader.getPointerSection().size();
}

}  // namespace

void Measure::subject(ccp_subject subject, int32_t depth) {
  switch (subject) {
    case CCP_A_STRUCT: count(words_of(source.root)); return structure(source.root, depth);
    case CCP_A_POINTER: return structure(source.root, depth);
    case CCP_STRUCTS: return structs(source.structs, 1, depth);
  }
}

// The pointers of a struct that is counted itself.
void Measure::structure(AnyStruct::Reader reader, int32_t depth) {
  auto pointers = reader.getPointerSection();
  auto at = pointer_words(reader);
  for (uint32_t index = 0; index < pointers.size(); index++) {
    if (load<uint64_t>(at + index)) pointer(pointers[index], at + index, depth);
  }
}

void Measure::pointer(AnyPointer::Reader reader, const capnp::word* at, int32_t depth) {
  auto tag = source.tag(at);
  traversed.charge(tag.pad_words);
  if (tag.kind() == OTHER && tag.low == OTHER) {
    capabilities++;
  } else if (tag.kind() > LIST || depth <= 0) {
    decline();
  } else if (tag.kind() == LIST) {
    list(reader, tag, depth - 1);
  } else {
    uint32_t size = tag.data_words() + tag.pointers();
    traversed.charge(size);
    count(size);
    structure(reader.getAs<AnyStruct>(), depth - 1);
  }
}

void Measure::list(AnyPointer::Reader reader, const Tag& tag, int32_t depth) {
  auto element = ElementSize(tag.element());
  auto elements = reader.getAs<AnyList>();
  if (element == ElementSize::INLINE_COMPOSITE) {
    traversed.charge(uint64_t(tag.count()) + 1);
    if (tag.structs() != elements.size()) decline();
    structs(elements, 1, depth);
  } else {
    uint64_t size = (uint64_t(tag.count()) * ELEMENT_BITS[tag.element()] + 63) / 64;
    traversed.charge(size);
    if (element == ElementSize::POINTER) return structs(elements, 0, depth);  // each has nothing but a pointer
    count(size);
    if (element == ElementSize::VOID) count_unsized(tag.count());
  }
}

void Measure::structs(AnyList::Reader reader, uint64_t tag_words, int32_t depth) {
  auto elements = reader.as<capnp::List<AnyStruct>>();
  uint64_t each_words = elements.size() ? words_of(elements[0]) : 0;
  count(tag_words + elements.size() * each_words);
  if (!each_words) return count_unsized(elements.size());
  if (!elements[0].getPointerSection().size()) return;
  for (auto each: elements) structure(each, depth);
}

void Measure::count(uint64_t object_words) {
  if (!words) first = object_words;
  words += object_words;
}

void Measure::count_unsized(uint64_t elements) {
  unsized += elements;
  if (unsized > MOST_UNSIZED) decline();
}

uint64_t Measure::cost(uint64_t times, bool once) const {
  Budget all(budget);
  for (uint64_t time = 0; time < times; time++) all.charge(traversed.used());
  if (once) all.charge(unsized);
  return all.used();
}

}  // namespace ccp

ccp_status ccp_total_size(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, ccp_size* size) {
  return ccp::guarded([&]() {
    ccp::Source source({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget});
    ccp::Measure measure(source, budget);
    measure.subject(CCP_A_STRUCT, depth);
    size->words = measure.words;
    size->capabilities = measure.capabilities;
    size->traversed = measure.cost(1, false);
  });
}
