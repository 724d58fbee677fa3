// A struct anywhere in a message, as libcapnp reads it; and what following a pointer costs.

#pragma once

#include "guard.hpp"
#include "little_endian.hpp"

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/serialize.h>

#include <vector>

namespace ccp {

// A place in a message: see shim.h.
struct Place {
  kj::ArrayPtr<const ccp_segment> segments;
  uint32_t segment;
  uint32_t word;
  uint32_t sizes;
  int32_t depth;
  uint64_t budget;
};

// What a pointer says of its object, wherever that is, and how many words of landing pads lead there.
struct Tag {
  uint32_t low;
  uint32_t high;
  uint32_t pad_words;
  const capnp::word* base;
  int64_t offset;

  // The object's first word: only to be asked once libcapnp has found the object to be in bounds.
  const capnp::word* start() const { return base + offset; }

  uint32_t kind() const { return low & 3; }
  uint32_t data_words() const { return high & 0xffff; }
  uint32_t pointers() const { return high >> 16; }
  uint32_t element() const { return high & 7; }
  uint32_t count() const { return high >> 3; }

  // How many structs a list has, of which libcapnp leaves out the highest bit; to be asked as the above.
  uint32_t structs() const { return load<uint32_t>(start()) >> 2; }
};

constexpr uint32_t STRUCT = 0, LIST = 1, FAR = 2, OTHER = 3;

// The words that may still be traversed, counted as the Python codec counts them.
class Budget {
public:
  explicit Budget(uint64_t words): words(words) {}

  void charge(uint64_t amount) {
    if (amount > words - used_) decline();
    used_ += amount;
  }

  uint64_t used() const { return used_; }

private:
  uint64_t words;
  uint64_t used_ = 0;
};

// libcapnp reads a message from its root only.  So a struct is read through a segment of our own, with a pointer to it,
// that takes the place of the message's first; this goes behind the last one.  Then far pointers do not find the first
// segment, and those that lead there are declined.
class Source {
  uint64_t front[3];
  std::vector<kj::ArrayPtr<const capnp::word>> segments;
  capnp::SegmentArrayMessageReader reader;

public:
  // What is at a place: one struct, or one pointer, or several structs, one after the other.
  explicit Source(const Place& place, ccp_subject subject = CCP_A_STRUCT, uint32_t count = 1);

  capnp::AnyStruct::Reader root;  // a struct that has nothing else for CCP_A_POINTER, nothing for CCP_STRUCTS
  capnp::AnyList::Reader structs;

  // What the pointer at ``at``, which is in bounds and not null, says of its object.
  Tag tag(const capnp::word* at) const;

private:
  std::vector<kj::ArrayPtr<const capnp::word>> opened(const Place& place, uint32_t word, uint64_t tag);
  kj::ArrayPtr<const capnp::word> segment(uint32_t number) const;
};

// The place of a struct's pointers.
inline const capnp::word* pointer_words(capnp::AnyStruct::Reader reader) {
  return reinterpret_cast<const capnp::word*>(reader.getDataSection().end());
}

}  // namespace ccp
