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

// One token, of a word or a run.  Writes up to ten bytes for a word, and touches up to seven more.
template <typename Host>
ALWAYS_INLINE Byte* pack_token(const Byte*& in, const Byte* end, Byte* out) {
  uint64_t word = load(in);
  unsigned tag = Host::tag_of(word);
  in += BYTES_PER_WORD;
  *out = Byte(tag);
  if (tag == 0x00) {
    const Byte* run = in;
    for (const Byte* most = end_of_run(in, end); in < most && !load(in);) in += BYTES_PER_WORD;
    out[1] = Byte((in - run) / BYTES_PER_WORD);
    return out + 2;
  }
  if (tag == 0xff) {
    const Byte* run = in;
    for (const Byte* most = end_of_run(in, end); in < most && !has_two_zeros(load(in));) in += BYTES_PER_WORD;
    store(out + 1, word);
    out[9] = Byte((in - run) / BYTES_PER_WORD);
    memcpy(out + LONGEST_TOKEN, run, in - run);
    return out + LONGEST_TOKEN + (in - run);
  }
  store(out + 1, Host::gathered(word, tag));
  return out + Host::size_of(tag);
}

inline Byte* pack_on_any_host(const Byte* in, const Byte* end, Byte* out) {
  while (in < end) out = pack_token<AnyHost>(in, end, out);
  return out;
}

inline bool is_run(Byte tag) { return Byte(tag + 1) <= 1; }

#ifdef CCP_SHUFFLES

CCP_SHUFFLES inline __m128i both_indexes(const uint64_t* indexes, unsigned tag, unsigned next_tag) {
  __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(indexes + tag));
  return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(first), reinterpret_cast<const __m64*>(indexes + next_tag)));
}

// Two words at a time, up to a run.
CCP_SHUFFLES inline Byte* pack_pairs(const Byte*& in, const Byte* end, Byte* out) {
  const __m128i in_second = _mm_set_epi64x(0x0808080808080808, 0);
  for (; end - in >= ptrdiff_t(2 * BYTES_PER_WORD); in += 2 * BYTES_PER_WORD) {
    __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
    unsigned tags = ~_mm_movemask_epi8(_mm_cmpeq_epi8(words, _mm_setzero_si128()));
    Byte tag = Byte(tags), next_tag = Byte(tags >> 8);
    if (is_run(tag) || is_run(next_tag)) break;
    __m128i bytes = _mm_shuffle_epi8(words, _mm_add_epi8(both_indexes(GATHER_INDEXES.data(), tag, next_tag), in_second));
    out[0] = tag;
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 1), bytes);
    out += Shuffling::size_of(tag);
    out[0] = next_tag;
    _mm_storeh_pi(reinterpret_cast<__m64*>(out + 1), _mm_castsi128_ps(bytes));
    out += Shuffling::size_of(next_tag);
  }
  return out;
}

CCP_SHUFFLES Byte* pack_shuffling(const Byte* in, const Byte* end, Byte* out) {
  while (in < end) {
    out = pack_pairs(in, end, out);
    if (in < end) out = pack_token<Shuffling>(in, end, out);
  }
  return out;
}

#endif

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
  static constexpr Byte RUN = 0x80;          // added to the distance if one of both tokens is a run

  const size_t count;

  CCP_SHUFFLES Jumps(const Byte* in, size_t count) : count(count) {
    const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i low_half = _mm_set1_epi8(0x0f);
    const __m128i size_of_bits = _mm_setr_epi8(char(1 | RUN), 2, 3, 4, 5, 6, 7, 8, char(9 | RUN), 0, 0, 0, 0, 0, 0, 0);
    for (size_t at = 0; at < count + BYTES_PER_WORD; at += 16) {
      __m128i tags = at_byte(in + at);
      __m128i low = _mm_shuffle_epi8(bits, _mm_and_si128(tags, low_half));
      __m128i high = _mm_shuffle_epi8(bits, _mm_and_si128(_mm_srli_epi16(tags, 4), low_half));
      __m128i sizes = _mm_shuffle_epi8(size_of_bits, _mm_add_epi8(low, high));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(by_one_ + at), sizes);
    }
    const __m128i places = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (size_t at = 0; at < count; at += 8) {
      __m128i sizes = at_byte(by_one_ + at);
      __m128i next_sizes = _mm_shuffle_epi8(sizes, _mm_add_epi8(places, sizes));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(by_two_ + at), _mm_add_epi8(sizes, next_sizes));
    }
  }

  // The size of the token at a byte, and of it and the next together.
  size_t first(size_t at) const { return by_one_[at]; }
  size_t both(size_t at) const { return by_two_[at]; }

 private:
  CCP_SHUFFLES static __m128i at_byte(const Byte* byte) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(byte));
  }

  Byte by_one_[MOST + 24], by_two_[MOST];
};

// The words of a token of that size and the next, neither of them a run.
CCP_SHUFFLES inline __m128i spread_both(const Byte* token, size_t size) {
  __m128i indexes = both_indexes(SPREAD_INDEXES.data(), token[0], token[size]);
  __m128i in_second = _mm_set_epi64x(int64_t(size * 0x0101010101010101), 0);
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(token + 1));
  return _mm_shuffle_epi8(bytes, _mm_add_epi8(indexes, in_second));  // where ZERO_BYTE still is one that gives zero
}

// Unpacks tokens as far as the jumps go, two at a time where neither is a run.
CCP_SHUFFLES inline Step unpack_pairs(const Jumps& jumps, const Byte*& in, const Byte* end, Byte*& out,
                                      const Byte* out_end) {
  Step step = Step::DONE;
  for (size_t at = 0; at < jumps.count && out < out_end && step == Step::DONE;) {
    const Byte* token = in;
    Byte* to = out;  // not `out` itself, which would have to be read again after each byte that is written
    const size_t start = at;
    for (; at < jumps.count && out_end - to >= ptrdiff_t(2 * BYTES_PER_WORD); to += 2 * BYTES_PER_WORD) {
      size_t both = jumps.both(at);
      if (both & Jumps::RUN) break;
      const Byte* first = token + (at - start);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), spread_both(first, jumps.first(at)));
      at += both;
    }
    in += at - start;
    out = to;
    if (at >= jumps.count || out >= out_end) break;
    token = in;
    step = unpack_token<Shuffling>(in, end, out, out_end);
    at += in - token;
  }
  return step;
}

constexpr size_t FEW_WORDS = 16;  // which are unpacked sooner than the jumps are worked out

CCP_SHUFFLES Step unpack_shuffling(const Byte*& in, const Byte* end, Byte*& out, const Byte* out_end) {
  Step step = Step::DONE;
  while (out < out_end && step == Step::DONE) {
    size_t available = end - in;
    bool is_worth_it = out_end - out >= ptrdiff_t(FEW_WORDS * BYTES_PER_WORD) && !is_run(*in);
    if (is_worth_it && available > Jumps::READ_BEHIND) {
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
const bool CAN_SHUFFLE = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
#endif

Byte* pack(const Byte* in, const Byte* end, Byte* out) {
#ifdef CCP_SHUFFLES
  if (CAN_SHUFFLE) return pack_shuffling(in, end, out);
#endif
  return pack_on_any_host(in, end, out);
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

// The segment table of a message in a stream, with the sizes of the segments in words.
struct Table {
  uint32_t count = 0;
  uint32_t sizes[MOST_SEGMENTS + 1];  // and maybe a padding
  uint64_t words = 0;                 // of all segments

  // False where there is none, or one that such a message cannot have.
  bool read(Unpacker& unpacker) {
    Byte word[BYTES_PER_WORD];
    if (!unpacker.read(word, sizeof word) || half(load(word), 0) >= MOST_SEGMENTS) return false;
    count = half(load(word), 0) + 1;
    words = sizes[0] = half(load(word), 1);
    Byte rest[MOST_SEGMENTS / 2 * BYTES_PER_WORD];
    if (!unpacker.read(rest, count / 2 * BYTES_PER_WORD)) return false;
    for (uint32_t index = 1; index < count; index++) {
      sizes[index] = half(load(rest + (index - 1) / 2 * BYTES_PER_WORD), (index - 1) % 2);
      words += sizes[index];
    }
    sizes[count] = 0;
    return true;
  }

  size_t size_bytes() const { return (count / 2 + 1) * BYTES_PER_WORD; }

  Byte* write(Byte* out) const {
    ccp::store<uint32_t>(out, count - 1);
    for (uint32_t index = 0; index < count / 2 * 2 + 1; index++) ccp::store<uint32_t>(out + 4 * (index + 1), sizes[index]);
    return out + size_bytes();
  }
};

// Reads the table of a message that can be unpacked here: with a root, within the limit, and no larger than what there
// is could make.
bool read_table(Unpacker& unpacker, uint64_t limit_words, Table& table) {
  return table.read(unpacker) && table.sizes[0] && table.words <= limit_words &&
         table.words <= unpacker.available() * uint64_t(MOST_BYTES_PER_PACKED_BYTE / BYTES_PER_WORD);
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

ccp_words* ccp_unpack(const char* packed, size_t size, size_t start, uint64_t limit_words, size_t most_bytes) {
  if (start > size) return nullptr;
  Unpacker unpacker{as_bytes(packed) + start, as_bytes(packed) + size};
  Table table;
  if (!read_table(unpacker, limit_words, table)) return nullptr;
  uint64_t room = std::max<uint64_t>(table.size_bytes() + table.words * BYTES_PER_WORD, most_bytes);
  auto* made = allocate<ccp_words>(room);
  if (!made) return nullptr;
  made->size = 0;
  do {
    Byte* body = table.write(bytes_of(made) + made->size);
    size_t body_bytes = table.words * BYTES_PER_WORD;
    if (!unpacker.read(body, body_bytes)) break;
    made->size = body + body_bytes - bytes_of(made);
    made->end = size - unpacker.available();
    room -= table.size_bytes() + body_bytes;
  } while (made->size < most_bytes && read_table(unpacker, limit_words, table) &&
           table.size_bytes() + table.words * BYTES_PER_WORD <= room);
  if (made->size) return made;
  free(made);
  return nullptr;
}
