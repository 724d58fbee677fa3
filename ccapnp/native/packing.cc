// Packing of words, and unpacking (https://capnproto.org/encoding.html#packing).
//
// Each word becomes a token: a tag, whose bit i says that byte i of the word is not zero, and those bytes.  After tag
// 0x00 comes a count of further zero words, after tag 0xff and its bytes a count of words that follow as they are.
//
// Libcapnp does this byte by byte, which takes up to three or four times as long.

#include "shim.hpp"
#include "tokens.hpp"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#define ALWAYS_INLINE inline __attribute__((always_inline))

namespace {

constexpr size_t MOST_RUN_BYTES = 255 * BYTES_PER_WORD;
constexpr size_t MOST_BYTES_PER_PACKED_BYTE = 256 * BYTES_PER_WORD / 2;
constexpr uint32_t MOST_SEGMENTS = 511;

// ---- packing

inline const Byte* end_of_run(const Byte* in, const Byte* end) {
  return size_t(end - in) > MOST_RUN_BYTES ? in + MOST_RUN_BYTES : end;
}

inline bool has_two_zeros(uint64_t word) {
  unsigned zeros = AnyHost::tag_of(word) ^ 0xff;
  return zeros & (zeros - 1);
}

// Writes up to ten bytes for a word, and touches up to seven more.
template <typename Host>
ALWAYS_INLINE Byte* pack_on(const Byte* in, const Byte* end, Byte* out) {
  while (in < end) {
    uint64_t word = load(in);
    unsigned tag = Host::tag_of(word);
    in += BYTES_PER_WORD;
    *out = Byte(tag);
    if (tag == 0x00) {
      const Byte* run = in;
      for (const Byte* most = end_of_run(in, end); in < most && !load(in);) in += BYTES_PER_WORD;
      out[1] = Byte((in - run) / BYTES_PER_WORD);
      out += 2;
    } else if (tag == 0xff) {
      const Byte* run = in;
      for (const Byte* most = end_of_run(in, end); in < most && !has_two_zeros(load(in));) in += BYTES_PER_WORD;
      store(out + 1, word);
      out[9] = Byte((in - run) / BYTES_PER_WORD);
      memcpy(out + LONGEST_TOKEN, run, in - run);
      out += LONGEST_TOKEN + (in - run);
    } else {
      store(out + 1, Host::gathered(word, tag));
      out += Host::size_of(tag);
    }
  }
  return out;
}

// ---- unpacking

enum class Step { DONE, CUT_OFF, PAST_END };

// Unpacks one token, if the whole of it is there and what it makes does not go past `out_end`.
template <typename Host>
ALWAYS_INLINE Step unpack_token(const Byte*& in, const Byte* end, Byte*& out, const Byte* out_end) {
  size_t available = end - in;
  if (!available) return Step::CUT_OFF;
  unsigned tag = *in;  // read once, in case another thread writes there
  const Byte* token = in;
  Byte padded[LONGEST_TOKEN] = {};
  if (available < LONGEST_TOKEN) {
    if (available < SIZES[tag]) return Step::CUT_OFF;
    memcpy(padded, in, available);
    token = padded;
  }
  size_t room = out_end - out;
  if (tag == 0x00) {
    size_t made = BYTES_PER_WORD * (1 + size_t(token[1]));
    if (made > room) return Step::PAST_END;
    memset(out, 0, made);
    out += made;
    in += 2;
  } else if (tag == 0xff) {
    size_t copied = BYTES_PER_WORD * size_t(token[9]);
    if (copied > available - LONGEST_TOKEN) return Step::CUT_OFF;
    if (BYTES_PER_WORD + copied > room) return Step::PAST_END;
    memcpy(out, in + 1, BYTES_PER_WORD);
    memcpy(out + BYTES_PER_WORD, in + LONGEST_TOKEN, copied);
    out += BYTES_PER_WORD + copied;
    in += LONGEST_TOKEN + copied;
  } else {
    store(out, Host::spread(load(token + 1), tag));
    out += BYTES_PER_WORD;
    in += Host::size_of(tag);
  }
  return Step::DONE;
}

// Unpacks tokens up to `out_end`, or as far as there are whole ones.
inline Step unpack_on_any_host(const Byte*& in, const Byte* end, Byte*& out, const Byte* out_end) {
  Step step = Step::DONE;
  while (out < out_end && step == Step::DONE) step = unpack_token<AnyHost>(in, end, out, out_end);
  return step;
}

#ifdef CCP_SHUFFLES

// Where the next token is, only the tag says, and to wait for it takes longer than to unpack a word.  So it is worked
// out beforehand, for each byte as if it were a tag, how far it is to the next token and to the one after that.
class Jumps {
 public:
  static constexpr size_t MOST = 512;
  static constexpr size_t READ_BEHIND = 24;  // bytes that must follow those that may be tags

  const Byte* begin;
  const Byte* end;

  CCP_SHUFFLES Jumps(const Byte* in, size_t count) : begin(in), end(in + count) {
    const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i places = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m128i low_half = _mm_set1_epi8(0x0f);
    for (size_t at = 0; at < count; at += 8) {
      __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + at));
      __m128i low = _mm_shuffle_epi8(bits, _mm_and_si128(tags, low_half));
      __m128i high = _mm_shuffle_epi8(bits, _mm_and_si128(_mm_srli_epi16(tags, 4), low_half));
      __m128i sizes = _mm_add_epi8(_mm_add_epi8(low, high), _mm_set1_epi8(1));
      __m128i next_sizes = _mm_shuffle_epi8(sizes, _mm_add_epi8(places, sizes));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(by_one_ + at), sizes);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(by_two_ + at), _mm_add_epi8(sizes, next_sizes));
    }
  }

  const Byte* second(const Byte* token) const { return token + by_one_[token - begin]; }
  const Byte* third(const Byte* token) const { return token + by_two_[token - begin]; }

 private:
  Byte by_one_[MOST], by_two_[MOST];
};

inline bool is_run(Byte tag) { return Byte(tag + 1) <= 1; }

// Unpacks tokens as far as the jumps go, two at a time where neither is a run.
CCP_SHUFFLES inline Step unpack_pairs(const Jumps& jumps, const Byte*& in, const Byte* end, Byte*& out,
                                      const Byte* out_end) {
  Step step = Step::DONE;
  while (in < jumps.end && out < out_end && step == Step::DONE) {
    const Byte* second = jumps.second(in);
    if (is_run(*in) || is_run(*second) || out_end - out == BYTES_PER_WORD) {
      step = unpack_token<Shuffling>(in, end, out, out_end);
    } else {
      store(out, Shuffling::spread(load(in + 1), *in));
      store(out + BYTES_PER_WORD, Shuffling::spread(load(second + 1), *second));
      out += 2 * BYTES_PER_WORD;
      in = jumps.third(in);
    }
  }
  return step;
}

CCP_SHUFFLES Step unpack_shuffling(const Byte*& in, const Byte* end, Byte*& out, const Byte* out_end) {
  Step step = Step::DONE;
  while (out < out_end && step == Step::DONE) {
    size_t available = end - in;
    if (available > Jumps::READ_BEHIND && !is_run(*in)) {
      Jumps jumps(in, std::min(available - Jumps::READ_BEHIND, Jumps::MOST));
      step = unpack_pairs(jumps, in, end, out, out_end);
    } else {
      step = unpack_token<Shuffling>(in, end, out, out_end);
    }
  }
  return step;
}

#endif

// ---- the best for this processor

#ifdef CCP_SHUFFLES
CCP_SHUFFLES Byte* pack_shuffling(const Byte* in, const Byte* end, Byte* out) {
  return pack_on<Shuffling>(in, end, out);
}
const bool CAN_SHUFFLE = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
#endif

Byte* pack(const Byte* in, const Byte* end, Byte* out) {
#ifdef CCP_SHUFFLES
  if (CAN_SHUFFLE) return pack_shuffling(in, end, out);
#endif
  return pack_on<AnyHost>(in, end, out);
}

Step unpack(const Byte*& in, const Byte* end, Byte*& out, const Byte* out_end) {
#ifdef CCP_SHUFFLES
  if (CAN_SHUFFLE) return unpack_shuffling(in, end, out, out_end);
#endif
  return unpack_on_any_host(in, end, out, out_end);
}

struct Unpacker {
  const Byte* in;
  const Byte* const end;

  size_t available() const { return end - in; }

  // Up to so many bytes of whole tokens; returns the end of what was made, or null where a run goes past them.
  Byte* read_some(Byte* out, size_t most_bytes) {
    return unpack(in, end, out, out + most_bytes) == Step::PAST_END ? nullptr : out;
  }

  // Exactly so many bytes: a run that goes past them is an error.
  bool read(Byte* out, size_t size) { return read_some(out, size) == out + size; }
};

inline uint32_t half(uint64_t word, unsigned index) { return uint32_t(word >> 32 * index); }

// The sizes of a message's segments in words, and their number; 0 where that is no table of a message in a stream.
uint32_t read_table(Unpacker& unpacker, uint32_t* sizes) {
  Byte word[BYTES_PER_WORD];
  if (!unpacker.read(word, sizeof word)) return 0;
  uint32_t last = half(load(word), 0);
  if (last >= MOST_SEGMENTS) return 0;
  sizes[0] = half(load(word), 1);
  Byte rest[MOST_SEGMENTS / 2 * BYTES_PER_WORD];
  size_t rest_words = (last + 1) / 2;
  if (!unpacker.read(rest, BYTES_PER_WORD * rest_words)) return 0;
  for (uint32_t index = 0; index < last; index++) {
    sizes[1 + index] = half(load(rest + BYTES_PER_WORD * (index / 2)), index % 2);
  }
  return last + 1;
}

// A block with room for so many bytes, or null.
template <typename T>
T* allocate(uint64_t bytes) {
  return static_cast<T*>(bytes > PTRDIFF_MAX - sizeof(T) ? nullptr : malloc(sizeof(T) + size_t(bytes)));
}

template <typename T>
Byte* bytes_of(T* block) {
  return reinterpret_cast<Byte*>(block->bytes);
}

inline const Byte* as_bytes(const char* data) { return reinterpret_cast<const Byte*>(data); }

}  // namespace

ccp_packed* ccp_pack(const char** pieces, const size_t* sizes, size_t count) {
  uint64_t words = 1;  // and one that is not there, for what is touched behind the last
  for (size_t index = 0; index < count; index++) {
    if (sizes[index] % BYTES_PER_WORD) return nullptr;
    words += sizes[index] / BYTES_PER_WORD;
  }
  auto* packed = allocate<ccp_packed>(words * LONGEST_TOKEN);
  if (!packed) return nullptr;
  Byte* end = bytes_of(packed);
  for (size_t index = 0; index < count; index++) {
    end = pack(as_bytes(pieces[index]), as_bytes(pieces[index]) + sizes[index], end);
  }
  packed->size = end - bytes_of(packed);
  return packed;
}

ccp_words* ccp_expand(const char* packed, size_t size, size_t start, uint64_t most_bytes) {
  if (start > size) return nullptr;
  Unpacker unpacker{as_bytes(packed) + start, as_bytes(packed) + size};
  uint64_t most = std::min(most_bytes, unpacker.available() * uint64_t(MOST_BYTES_PER_PACKED_BYTE));
  most -= most % BYTES_PER_WORD;  // words are written whole
  auto* made = allocate<ccp_words>(most);
  if (!made) return nullptr;
  const Byte* end = unpacker.read_some(bytes_of(made), most);
  if (!end) {
    free(made);
    return nullptr;
  }
  made->end = size - unpacker.available();
  made->size = end - bytes_of(made);
  return made;
}

ccp_message* ccp_unpack(const char* packed, size_t size, size_t start, uint64_t limit_words) {
  if (start > size) return nullptr;
  Unpacker unpacker{as_bytes(packed) + start, as_bytes(packed) + size};
  uint32_t sizes[MOST_SEGMENTS];
  uint32_t count = read_table(unpacker, sizes);
  if (!count || !sizes[0]) return nullptr;
  uint64_t words = 0;
  for (uint32_t index = 0; index < count; index++) words += sizes[index];
  // What cannot follow takes no memory.
  if (words > limit_words || words > unpacker.available() * uint64_t(MOST_BYTES_PER_PACKED_BYTE / BYTES_PER_WORD)) {
    return nullptr;
  }
  uint64_t bytes = words * BYTES_PER_WORD;
  auto* message = allocate<ccp_message>(bytes);
  if (!message) return nullptr;
  if (!unpacker.read(bytes_of(message), bytes)) {
    free(message);
    return nullptr;
  }
  message->end = size - unpacker.available();
  message->count = count;
  memcpy(message->sizes, sizes, count * sizeof *sizes);
  return message;
}
