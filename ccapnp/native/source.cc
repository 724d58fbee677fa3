#include "source.hpp"

#include <limits.h>

#include <algorithm>

namespace ccp {
namespace {

// More than any message that is not meant to do harm needs, and few enough for the stack.
constexpr int32_t MOST_DEPTH = 200;

// As far as a far pointer leads, and as large as a list can be.
constexpr uint32_t MOST_WORDS = (1 << 29) - 1;

capnp::ReaderOptions options(const Place& place) {
  capnp::ReaderOptions options;
  // Whoever reads counts what is traversed, and libcapnp a list of structs as two levels.
  options.traversalLimitInWords = UINT64_MAX >> 8;
  options.nestingLimit = 2 * std::min(place.depth, MOST_DEPTH) + 2;
  return options;
}

kj::ArrayPtr<const capnp::word> words(const ccp_segment& segment) {
  return kj::arrayPtr(reinterpret_cast<const capnp::word*>(segment.words), segment.size);
}

// The tag of a pointer to what is at a place.
uint64_t opened_tag(const Place& place, ccp_subject subject, uint32_t count) {
  if (subject == CCP_A_STRUCT) return uint64_t(place.sizes) << 32 | STRUCT;
  if (subject == CCP_A_POINTER) return uint64_t(1) << 48 | STRUCT;  // as if it was a struct with nothing else
  uint64_t words = uint64_t(count) * ((place.sizes & 0xffff) + (place.sizes >> 16));
  if (words > MOST_WORDS) decline();
  return words << 35 | uint64_t(capnp::ElementSize::INLINE_COMPOSITE) << 32 | LIST;
}

bool is_of(capnp::AnyStruct::Reader reader, uint32_t sizes) {
  return reader.getDataSection().size() == (sizes & 0xffff) * 8 && reader.getPointerSection().size() == sizes >> 16;
}

}  // namespace

std::vector<kj::ArrayPtr<const capnp::word>> Source::opened(const Place& place, uint32_t word, uint64_t tag) {
  if (place.depth < 0 || place.segment >= place.segments.size() || word > MOST_WORDS) decline();
  uint64_t number = place.segment ? place.segment : place.segments.size();
  store<uint64_t>(&front[0], 1 << 3 | 4 | FAR);  // to the two words behind it
  store<uint64_t>(&front[1], number << 32 | uint64_t(word) << 3 | FAR);
  store<uint64_t>(&front[2], tag);
  std::vector<kj::ArrayPtr<const capnp::word>> made;
  made.reserve(place.segments.size() + 1);
  made.push_back(kj::arrayPtr(reinterpret_cast<const capnp::word*>(front), 3));
  for (auto& segment: place.segments.slice(1, place.segments.size())) made.push_back(words(segment));
  made.push_back(words(place.segments[0]));
  return made;
}

Source::Source(const Place& place, ccp_subject subject, uint32_t count)
    : segments(opened(place, subject == CCP_STRUCTS ? place.word - 1 : place.word, opened_tag(place, subject, count))),
      reader(kj::arrayPtr(segments.data(), segments.size()), options(place)) {
  if (subject != CCP_STRUCTS) {
    root = reader.getRoot<capnp::AnyStruct>();
    return;
  }
  if (!place.sizes || !count) decline();
  structs = reader.getRoot<capnp::AnyPointer>().getAs<capnp::AnyList>();
  if (structs.size() != count || !is_of(structs.as<capnp::List<capnp::AnyStruct>>()[0], place.sizes)) decline();
}

Tag Source::tag(const capnp::word* at) const {
  uint64_t pointer = load<uint64_t>(at), pad_words = 0;
  if ((pointer & 3) == FAR) {
    auto pads = segment(pointer >> 32);
    uint32_t first = uint32_t(pointer) >> 3;
    pad_words = pointer & 4 ? 2 : 1;
    if (pads.size() < pad_words || first > pads.size() - pad_words) decline();
    at = pads.begin() + first;
    pointer = load<uint64_t>(at);
    if (pad_words == 2) {
      if ((pointer & 3) != FAR) decline();
      uint64_t tag = load<uint64_t>(at + 1);
      auto target = segment(pointer >> 32).begin();
      return {uint32_t(tag), uint32_t(tag >> 32), 2, target, uint32_t(pointer) >> 3};
    }
  }
  return {uint32_t(pointer), uint32_t(pointer >> 32), uint32_t(pad_words), at + 1, int32_t(pointer) >> 2};
}

kj::ArrayPtr<const capnp::word> Source::segment(uint32_t number) const {
  if (!number || number >= segments.size() - 1) decline();
  return segments[number];
}

}  // namespace ccp
