// Where something is built: behind what a segment holds already.

#pragma once

#include "guard.hpp"

#include <capnp/any.h>
#include <capnp/message.h>

#include <vector>

namespace ccp {

// libcapnp builds messages from their roots on.  So the last word in use is lent to it as the root pointer of a message
// whose first segment is the room behind that word.
class Target final: public capnp::MessageBuilder {
public:
  Target(uint64_t* words, size_t used, size_t capacity, bool may_grow);
  ~Target() noexcept(false);
  KJ_DISALLOW_COPY(Target);

  capnp::AnyPointer::Builder root() { return getRoot<capnp::AnyPointer>(); }

  // Keep what was built; without this it is gone in the end.
  void finish(ccp_built* built);

  kj::ArrayPtr<capnp::word> allocateSegment(capnp::uint minimum_words) override;

private:
  uint64_t* slot;
  uint64_t lent;  // what was in the slot
  size_t first_words;
  bool may_grow;
  bool is_begun = false;
  bool is_finished = false;
  std::vector<ccp_block> blocks;
};

}  // namespace ccp
