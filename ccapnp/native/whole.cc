// Copies, equality and canonical form: libcapnp does each in one go once a walk has found it to be sound.

#include "measure.hpp"
#include "target.hpp"

#include <stdlib.h>

namespace ccp {
namespace {

// Build a copy of what a place holds.
void copy(const Source& source, ccp_subject subject, capnp::AnyPointer::Builder target) {
  switch (subject) {
    case CCP_A_STRUCT: return target.setAs<capnp::AnyStruct>(source.root);
    case CCP_A_POINTER: return target.setAs<capnp::AnyPointer>(source.root.getPointerSection()[0]);
    case CCP_STRUCTS: return target.setAs<capnp::AnyList>(source.structs);
  }
}

// A struct of which all is sound and within its limits.
struct Sound {
  Source source;
  Measure measure;

  explicit Sound(const Place& place): source(place), measure(source, place.budget) {
    measure.subject(CCP_A_STRUCT, place.depth);
  }
};

}  // namespace
}  // namespace ccp

ccp_status ccp_copy(
    size_t room, int may_grow, const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word,
    uint32_t sizes, int32_t depth, uint64_t budget, ccp_subject subject, uint32_t count, uint64_t* traversed,
    ccp_built* built) {
  return ccp::guarded([&]() {
    ccp::Source source({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget}, subject, count);
    ccp::Measure measure(source, budget);
    measure.subject(subject, depth);
    if (measure.capabilities) ccp::decline();
    built->first = measure.first;
    if (!may_grow && measure.words > room) throw ccp::Stop{CCP_NO_ROOM};
    *traversed = measure.cost(1, true);
    ccp::build(room, may_grow != 0, measure.words, built, [&](ccp::Target& target) {
      ccp::copy(source, subject, target.root());
    });
  });
}

ccp_status ccp_equal(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget,
    const ccp_segment* other_segments, uint32_t other_segment_count, uint32_t other_segment, uint32_t other_word,
    uint32_t other_sizes, int32_t other_depth, uint64_t other_budget, ccp_equality* equality) {
  return ccp::guarded([&]() {
    ccp::Sound one({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget});
    ccp::Sound other(
        {kj::arrayPtr(other_segments, other_segment_count), other_segment, other_word, other_sizes, other_depth,
         other_budget});
    one.measure.cost(1, true);
    other.measure.cost(1, true);
    switch (one.source.root.equals(other.source.root)) {
      case capnp::Equality::NOT_EQUAL: *equality = CCP_NOT_EQUAL; break;
      case capnp::Equality::EQUAL: *equality = CCP_EQUAL; break;
      case capnp::Equality::UNKNOWN_CONTAINS_CAPS: *equality = CCP_EQUAL_BUT_CAPABILITIES; break;
    }
  });
}

ccp_status ccp_canonicalize(
    const ccp_segment* segments, uint32_t segment_count, uint32_t segment, uint32_t word, uint32_t sizes,
    int32_t depth, uint64_t budget, ccp_canonical* canonical) {
  return ccp::guarded([&]() {
    ccp::Sound sound({kj::arrayPtr(segments, segment_count), segment, word, sizes, depth, budget});
    if (sound.measure.capabilities) ccp::decline();
    canonical->traversed = sound.measure.cost(2, true);
    auto made = sound.source.root.canonicalize();
    canonical->words = static_cast<uint64_t*>(malloc(made.asBytes().size()));
    if (!canonical->words) throw std::bad_alloc();
    memcpy(canonical->words, made.begin(), made.asBytes().size());
    canonical->size = made.size();
  });
}
