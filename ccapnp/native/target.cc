#include "target.hpp"

#include <stdlib.h>

#include <algorithm>

namespace ccp {
namespace {

constexpr size_t MOST_WORDS = (1 << 29) - 1;  // of a segment

}  // namespace

Target::~Target() noexcept(false) {
  for (auto& block: blocks) free(block.words);
}

kj::ArrayPtr<capnp::word> Target::allocateSegment(capnp::uint minimum_words) {
  size_t size = 0;
  for (auto& block: blocks) size += block.capacity;
  if (size && !may_grow) throw Stop{CCP_NO_ROOM};
  size = size ? std::max<size_t>(minimum_words, std::min(size, MOST_WORDS)) : first_words;
  blocks.reserve(blocks.size() + 1);
  auto words = static_cast<uint64_t*>(calloc(size, sizeof(uint64_t)));
  if (!words) throw std::bad_alloc();
  blocks.push_back({words, 0, size});
  return kj::arrayPtr(reinterpret_cast<capnp::word*>(words), size);
}

void Target::finish(ccp_built* built) {
  auto segments = getSegmentsForOutput();
  size_t more = blocks.size() - 1;
  auto handed = static_cast<ccp_block*>(more ? malloc(more * sizeof(ccp_block)) : nullptr);
  if (more && !handed) throw std::bad_alloc();
  for (size_t index = 0; index < more; index++) {
    auto& block = blocks[index + 1];
    handed[index] = {block.words, segments[index + 1].size(), block.capacity};
  }
  built->words = blocks[0].words;
  built->used = segments[0].size();
  built->blocks = handed;
  built->block_count = more;
  blocks.clear();
}

}  // namespace ccp

void ccp_built_free(ccp_built* built) {
  free(built->words);
  for (size_t index = 0; index < built->block_count; index++) free(built->blocks[index].words);
  free(built->blocks);
}
