#include "target.hpp"

#include "little_endian.hpp"

#include <stdlib.h>

#include <algorithm>

namespace ccp {
namespace {

constexpr size_t MOST_WORDS = (1 << 29) - 1;  // of a segment

}  // namespace

Target::Target(uint64_t* words, size_t used, size_t capacity, bool may_grow)
    : slot(words + used - 1), lent(*slot), first_words(capacity - used + 1), may_grow(may_grow) {
  *slot = 0;
}

Target::~Target() noexcept(false) {
  for (auto& block: blocks) free(block.words);
  if (is_finished) return;
  size_t used = is_begun ? getSegmentsForOutput()[0].size() : 0;
  std::fill(slot, slot + used, 0);
  *slot = lent;
}

kj::ArrayPtr<capnp::word> Target::allocateSegment(capnp::uint minimum_words) {
  if (!is_begun) {
    is_begun = true;
    return kj::arrayPtr(reinterpret_cast<capnp::word*>(slot), first_words);
  }
  if (!may_grow) throw Stop{CCP_NO_ROOM};
  size_t size = first_words;
  for (auto& block: blocks) size += block.capacity;
  size = std::max<size_t>(minimum_words, std::min(size, MOST_WORDS));
  blocks.reserve(blocks.size() + 1);
  auto words = static_cast<uint64_t*>(calloc(size, sizeof(uint64_t)));
  if (!words) throw std::bad_alloc();
  blocks.push_back({words, 0, size});
  return kj::arrayPtr(reinterpret_cast<capnp::word*>(words), size);
}

void Target::finish(ccp_built* built) {
  auto segments = getSegmentsForOutput();
  ccp_block* kept = nullptr;
  if (!blocks.empty()) {
    kept = static_cast<ccp_block*>(malloc(blocks.size() * sizeof(ccp_block)));
    if (!kept) throw std::bad_alloc();
    for (size_t index = 0; index < blocks.size(); index++) {
      kept[index] = {blocks[index].words, segments[index + 1].size(), blocks[index].capacity};
    }
  }
  built->pointer = swapped(*slot);
  built->used = segments[0].size() - 1;
  built->blocks = kept;
  built->block_count = blocks.size();
  if (!may_grow) *slot = lent;
  blocks.clear();
  is_finished = true;
}

}  // namespace ccp

void ccp_built_free(ccp_built* built) {
  for (size_t index = 0; index < built->block_count; index++) free(built->blocks[index].words);
  free(built->blocks);
}
