// The tokens that packed words are made of: what a tag says, and how a word becomes the bytes of its token and back.
//
// The bytes of a token are put in their places, or taken from there, all at once: by a shuffle of bytes where the
// processor has one.  On any other host each has to move by 0 to 7 bytes, which is three steps, by four, two and one,
// of those that the tag's moves name.  With CCP_ANY_HOST defined that is all there is.

#pragma once

#include "little_endian.hpp"

#include <stddef.h>
#include <stdint.h>

#include <array>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(CCP_ANY_HOST)
#include <immintrin.h>
#define CCP_SHUFFLES __attribute__((target("ssse3,popcnt")))
#endif

namespace {

using Byte = uint8_t;

constexpr size_t BYTES_PER_WORD = 8;
constexpr size_t LONGEST_TOKEN = 10;  // without the words that follow its count

// ---- words: byte 0 is in the lowest bits, on every host

inline uint64_t load(const Byte* from) { return ccp::load<uint64_t>(from); }

inline void store(Byte* to, uint64_t word) { ccp::store(to, word); }

// ---- what a tag says

constexpr uint64_t byte_at(unsigned place, unsigned value) { return uint64_t(value) << 8 * place; }

template <typename T>
constexpr std::array<T, 256> for_each_tag(T (*make)(unsigned tag)) {
  std::array<T, 256> made{};
  for (unsigned tag = 0; tag < 256; tag++) made[tag] = make(tag);
  return made;
}

constexpr Byte token_size(unsigned tag) {
  unsigned size = 1 + (tag == 0x00 || tag == 0xff);
  for (; tag; tag >>= 1) size += tag & 1;
  return Byte(size);
}

constexpr std::array<Byte, 256> SIZES = for_each_tag(token_size);  // of tokens, without the words after a count

// ---- from words to the bytes of tokens and back, on any host

struct Moves {
  uint64_t by_four, by_two, by_one;  // the bytes that are moved, where they are after that
  uint64_t kept;                     // the bytes that are not zero
};

constexpr Moves moves_of(unsigned tag) {
  Moves moves{};
  unsigned count = 0;
  for (unsigned place = 0; place < BYTES_PER_WORD; place++) {
    if (!(tag >> place & 1)) continue;
    unsigned at = count++;
    unsigned distance = place - at;
    if (distance & 4) moves.by_four |= byte_at(at += 4, 0xff);
    if (distance & 2) moves.by_two |= byte_at(at += 2, 0xff);
    if (distance & 1) moves.by_one |= byte_at(at += 1, 0xff);
    moves.kept |= byte_at(place, 0xff);
  }
  return moves;
}

constexpr std::array<Moves, 256> MOVES = for_each_tag(moves_of);

struct AnyHost {
  static unsigned tag_of(uint64_t word) {
    constexpr uint64_t LOW_BITS = 0x7f7f7f7f7f7f7f7f;
    uint64_t high_bits = (((word & LOW_BITS) + LOW_BITS) | word) & ~LOW_BITS;
    return unsigned((high_bits >> 7) * 0x0102040810204080 >> 56);
  }

  static uint64_t spread(uint64_t bytes, unsigned tag) {
    const Moves& moves = MOVES[tag];
    bytes ^= (bytes ^ bytes << 32) & moves.by_four;
    bytes ^= (bytes ^ bytes << 16) & moves.by_two;
    bytes ^= (bytes ^ bytes << 8) & moves.by_one;
    return bytes & moves.kept;
  }

  static uint64_t gathered(uint64_t word, unsigned tag) {
    const Moves& moves = MOVES[tag];
    uint64_t moved = word & moves.by_one;
    word ^= moved ^ moved >> 8;
    moved = word & moves.by_two;
    word ^= moved ^ moved >> 16;
    moved = word & moves.by_four;
    return word ^ moved ^ moved >> 32;
  }

  static unsigned size_of(unsigned tag) { return SIZES[tag]; }
};

// ---- the same on a processor that can shuffle bytes

#ifdef CCP_SHUFFLES
constexpr uint64_t ZERO_BYTE = 0x80;  // as an index

constexpr uint64_t spread_indexes(unsigned tag) {
  uint64_t indexes = 0;
  unsigned count = 0;
  for (unsigned place = 0; place < BYTES_PER_WORD; place++) {
    indexes |= byte_at(place, tag >> place & 1 ? count++ : ZERO_BYTE);
  }
  return indexes;
}

constexpr uint64_t gather_indexes(unsigned tag) {
  uint64_t indexes = 0;
  unsigned count = 0;
  for (unsigned place = 0; place < BYTES_PER_WORD; place++) {
    if (tag >> place & 1) indexes |= byte_at(count++, place);
  }
  return indexes;
}

constexpr std::array<uint64_t, 256> SPREAD_INDEXES = for_each_tag(spread_indexes);
constexpr std::array<uint64_t, 256> GATHER_INDEXES = for_each_tag(gather_indexes);

struct Shuffling {
  CCP_SHUFFLES static unsigned tag_of(uint64_t word) {
    return ~_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_cvtsi64_si128(word), _mm_setzero_si128())) & 0xff;
  }
  CCP_SHUFFLES static uint64_t shuffled(uint64_t bytes, uint64_t indexes) {
    return _mm_cvtsi128_si64(_mm_shuffle_epi8(_mm_cvtsi64_si128(bytes), _mm_cvtsi64_si128(indexes)));
  }
  CCP_SHUFFLES static uint64_t spread(uint64_t bytes, unsigned tag) { return shuffled(bytes, SPREAD_INDEXES[tag]); }
  CCP_SHUFFLES static uint64_t gathered(uint64_t word, unsigned tag) { return shuffled(word, GATHER_INDEXES[tag]); }
  CCP_SHUFFLES static unsigned size_of(unsigned tag) { return 1 + __builtin_popcount(tag); }
};
#endif

}  // namespace
