// Where something is built: in memory of its own, as if it were the rest of a segment.
//
// Python's memory is not written here: without the interpreter's lock another thread could write there, too, and
// libcapnp trusts what it builds.

#pragma once

#include "guard.hpp"

#include <capnp/any.h>
#include <capnp/message.h>

#include <vector>

namespace ccp {

// A message whose first segment is a root pointer and ``room`` words.
class Target final: public capnp::MessageBuilder {
public:
  Target(size_t room, bool may_grow): first_words(room + 1), may_grow(may_grow) {}
  ~Target() noexcept(false);
  KJ_DISALLOW_COPY(Target);

  capnp::AnyPointer::Builder root() { return getRoot<capnp::AnyPointer>(); }

  // Hand over what was built.
  void finish(ccp_built* built);

  kj::ArrayPtr<capnp::word> allocateSegment(capnp::uint minimum_words) override;

private:
  size_t first_words;
  bool may_grow;
  std::vector<ccp_block> blocks;
};

// Have ``work(target)`` build something.  Most of a large segment's room is not needed, and so it is not taken at once.
template <typename Work>
void build(size_t room, bool may_grow, size_t expected, ccp_built* built, Work&& work) {
  for (; expected < room; expected *= 16) {
    try {
      Target target(expected, false);
      work(target);
      return target.finish(built);
    } catch (const Stop& stop) {
      if (stop.status != CCP_NO_ROOM) throw;
    }
  }
  Target target(room, may_grow);
  work(target);
  target.finish(built);
}

}  // namespace ccp
