// A walk over all that is below a struct or a pointer: whether it is sound, and how much it is.

#pragma once

#include "source.hpp"

namespace ccp {

// Counts as the Python codec does, and declines what that would refuse.
class Measure {
public:
  Measure(const Source& source, uint64_t budget): budget(budget), traversed(budget), source(source) {}

  // Walk over what the source is of, below which so many pointers may be followed, one after the other.
  void subject(ccp_subject subject, int32_t depth);

  // What it costs to follow all pointers ``times`` times; and ``once`` to make something of each element.
  uint64_t cost(uint64_t times, bool once) const;

  uint64_t words = 0;
  uint64_t first = 0;  // of them, those of the outermost object
  uint64_t capabilities = 0;

private:
  uint64_t budget;
  Budget traversed;
  uint64_t unsized = 0;  // elements that take no memory
  const Source& source;

  void structure(capnp::AnyStruct::Reader reader, int32_t depth);
  void pointer(capnp::AnyPointer::Reader reader, const capnp::word* at, int32_t depth);
  void list(capnp::AnyPointer::Reader reader, const Tag& tag, int32_t depth);
  void structs(capnp::AnyList::Reader reader, uint64_t tag_words, int32_t depth);
  void count(uint64_t object_words);
  void count_unsized(uint64_t elements);
};

}  // namespace ccp
