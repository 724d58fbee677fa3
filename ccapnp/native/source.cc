#include "source.hpp"

#include <limits.h>

#include <algorithm>

namespace ccp {
namespace {

// More than any message that is not meant to do harm needs, and few enough for the stack.
constexpr int32_t MOST_DEPTH = 200;

capnp::ReaderOptions options(const Place& place) {
  capnp::ReaderOptions options;
  // libcapnp also counts the way to the struct, and a list of structs as two levels.
  options.traversalLimitInWords = std::min<uint64_t>(place.budget, UINT64_MAX >> 8) + (1 << 18);
  options.nestingLimit = 2 * std::min(place.depth, MOST_DEPTH) + 2;
  return options;
}

kj::ArrayPtr<const capnp::word> words(const ccp_segment& segment) {
  return kj::arrayPtr(reinterpret_cast<const capnp::word*>(segment.words), segment.size);
}

}  // namespace

std::vector<kj::ArrayPtr<const capnp::word>> Source::opened(const Place& place) {
  if (place.depth < 0 || place.segment >= place.segments.size()) decline();
  std::vector<kj::ArrayPtr<const capnp::word>> made;
  if (place.segments.size() == 1) {
    store<uint64_t>(&front[0], 1 << 3 | 4 | FAR);  // to the two words behind it
    store<uint64_t>(&front[1], uint64_t(1) << 32 | uint64_t(place.word) << 3 | FAR);
    store<uint64_t>(&front[2], uint64_t(place.sizes) << 32 | STRUCT);
    made.push_back(kj::arrayPtr(reinterpret_cast<const capnp::word*>(front), 3));
  }
  for (auto& segment: place.segments) made.push_back(words(segment));
  return made;
}

Source::Source(const Place& place)
    : segments(opened(place)),
      reader(kj::arrayPtr(segments.data(), segments.size()), options(place)),
      root(reader.getRoot<capnp::AnyStruct>()) {
  if (place.segments.size() == 1) return;
  auto data = root.getDataSection();
  if (reinterpret_cast<const uint64_t*>(data.begin()) != place.segments[place.segment].words + place.word) decline();
  if (!place.sizes || data.size() != (place.sizes & 0xffff) * 8) decline();
  if (root.getPointerSection().size() != place.sizes >> 16) decline();
}

Tag Source::tag(const capnp::word* at) const {
  uint64_t pointer = load<uint64_t>(at), pad_words = 0;
  if ((pointer & 3) == FAR) {
    if (segments[0].begin() == reinterpret_cast<const capnp::word*>(front)) decline();
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
  if (number >= segments.size()) decline();
  return segments[number];
}

}  // namespace ccp
