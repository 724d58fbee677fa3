#include "trees.hpp"

namespace ccp::objects {
namespace {

constexpr int MOST_DEPTH = 64;         // as deep as a message may be by default; Python does without recursion
constexpr size_t MOST_OBJECTS = 4096;  // so that no walk takes long, not even one in a circle

constexpr uint32_t STRUCT_KIND = 0, LIST_KIND = 1, FAR_KIND = 2, CAPABILITY = 3;
constexpr uint32_t EMPTY_STRUCT = 0xFFFFFFFC;  // the lower half of such a pointer
constexpr uint32_t POINTERS = 6, COMPOSITE = 7;
constexpr uint8_t BITS[] = {0, 1, 8, 16, 32, 64, 64};

struct Sizes {
  uint32_t data_words, pointers;

  explicit Sizes(uint32_t both) : data_words(both & 0xFFFF), pointers(both >> 16) {}
  size_t words() const { return size_t(data_words) + pointers; }
};

// An object: where it is, and the structs or pointers that it consists of.
struct Object {
  size_t start, words;
  size_t first, count;  // the structs, or of a list of pointers as many structs of one pointer
  Sizes each{0};

  // What a near pointer leads to; false where that is not to be found in so many words, or something unusual.
  bool find(const uint8_t* base, size_t size, size_t at, Pointer pointer) {
    start = first = at + 1 + pointer.forward();
    count = 1;
    if ((pointer.low & 3) == STRUCT_KIND) {
      each = Sizes(pointer.high);
      words = each.words();
      return start <= size && words <= size - start;
    }
    uint32_t element = pointer.high & 7;
    size_t length = pointer.high >> 3;
    if ((pointer.low & 3) != LIST_KIND) return false;
    if (element != COMPOSITE) {
      words = (length * BITS[element] + 63) / 64;
      each = Sizes(element == POINTERS ? 1 << 16 : 0);
      count = element == POINTERS ? length : 0;
      return start <= size && words <= size - start;
    }
    words = length + 1;
    if (start > size || words > size - start) return false;
    Pointer tag = Place::load_from(base, start);
    first = start + 1;
    count = tag.low >> 2;
    each = Sizes(tag.high);
    return !(tag.low & 3) && each.words() && count * each.words() <= length;
  }

  // Whether it takes no room, and is not just an empty list.
  bool is_nowhere(Pointer pointer) const { return !words && ((pointer.low & 3) == STRUCT_KIND || pointer.high >> 3); }

  // ``each_pointer(word)`` for all its pointers until one gives false.
  template <typename F>
  bool pointers(F each_pointer) const {
    if (!each.pointers) return true;
    for (size_t index = 0, word = first; index < count; index++, word += each.words()) {
      for (size_t at = word + each.data_words; at < word + each.words(); at++) {
        if (!each_pointer(at)) return false;
      }
    }
    return true;
  }
};

// ---- making zero

// A segment of a builder's.
struct Memory {
  PyObject* segment;
  uint8_t* base;
  size_t size;
};

Memory memory_of(const Place& place) { return {place.segment, place.base, size_t(integer(place.segment, slots.used))}; }

class Clearing {
public:
  explicit Clearing(const Place& place) : place(place) {}

  // Go over all that a pointer leads to; if it ``is_final``, make it zero.
  bool walk(const Memory& memory, size_t at, Pointer pointer, int depth, bool is_final) {
    if (pointer.is_null() || pointer.low == EMPTY_STRUCT || (pointer.low & 3) == CAPABILITY) return true;
    if (!depth || !objects--) return false;
    if ((pointer.low & 3) == FAR_KIND) return walk_far(pointer, depth, is_final);
    Object object;
    if (!object.find(memory.base, memory.size, at, pointer)) return false;
    bool is_done = object.pointers([&](size_t word) {
      Pointer found = Place::load_from(memory.base, word);
      if (found.is_null()) return true;
      if (is_final) Place::store_to(memory.base, word, {0, 0});
      return walk(memory, word, found, depth - 1, is_final);
    });
    if (is_done && is_final) memset(memory.base + object.start * 8, 0, object.words * 8);
    return is_done;
  }

private:
  bool walk_far(Pointer pointer, int depth, bool is_final) {
    PyObject* segment = pointer.low & 4 ? nullptr : place.segment_numbered(pointer.high);
    Memory memory;
    if (!segment || !Place::is_own(segment) || !of(segment, memory)) return false;
    size_t pad = pointer.low >> 3;
    if (pad >= memory.size) return false;
    Pointer inner = Place::load_from(memory.base, pad);
    if ((inner.low & 3) == FAR_KIND) return false;
    if (is_final) Place::store_to(memory.base, pad, {0, 0});
    return walk(memory, pad, inner, depth, is_final);
  }

  static bool of(PyObject* segment, Memory& memory) {
    if (!Place::is_bytearray(segment)) return false;
    memory = {segment, Place::base_of(segment), size_t(integer(segment, slots.used))};
    return memory.base;
  }

  const Place& place;
  size_t objects = MOST_OBJECTS;
};

// ---- copying

class Copy {
public:
  Copy(const Place& source, uint8_t* to, size_t used, size_t capacity)
      : from(source.base), from_size(source.size), to(to), used(used), capacity(capacity) {}

  // A struct to the next words.
  bool structure(size_t word, Sizes sizes, int depth) {
    size_t start;
    return take(sizes.words(), start) && elements(start, word, 1, sizes, depth);
  }

  size_t used_words() const { return used; }
  size_t traversed_words() const { return traversed; }

private:
  bool take(size_t words, size_t& start) {
    start = used;
    if (words > capacity - used) return false;
    used += words;
    return true;
  }

  bool elements(size_t start, size_t word, size_t count, Sizes each, int depth) {
    size_t words = each.words();
    if (!each.pointers) {
      memcpy(to + start * 8, from + word * 8, count * words * 8);
      return true;
    }
    for (size_t index = 0; index < count; index++, start += words, word += words) {
      memcpy(to + start * 8, from + word * 8, each.data_words * 8);
      for (size_t offset = each.data_words; offset < words; offset++) {
        Pointer pointer = Place::load_from(from, word + offset);
        if (!pointer.is_null() && !object(start + offset, word + offset, pointer, depth)) return false;
      }
    }
    return true;
  }

  bool object(size_t at, size_t source_at, Pointer pointer, int depth) {
    Object found;
    if (depth <= 0 || !objects-- || !found.find(from, from_size, source_at, pointer)) return false;
    if (found.is_nowhere(pointer)) return false;
    traversed += found.words;
    size_t start;
    if (!take(found.words, start)) return false;
    Place::store_to(to, at, {uint32_t(start - at - 1) << 2 | (pointer.low & 3), pointer.high});
    uint32_t element = pointer.high & 7;
    if ((pointer.low & 3) == STRUCT_KIND || element == POINTERS) {
      return elements(start, found.first, found.count, found.each, depth - 1);
    }
    if (element == COMPOSITE) {
      if (found.count * found.each.words() != found.words - 1) return false;
      Place::store_to(to, start, Place::load_from(from, found.start));
      return elements(start + 1, found.first, found.count, found.each, depth - 1);
    }
    size_t bits = size_t(pointer.high >> 3) * BITS[element], bytes = (bits + 7) / 8;
    memcpy(to + start * 8, from + found.start * 8, bytes);
    if (bits & 7) to[start * 8 + bytes - 1] &= (1 << (bits & 7)) - 1;
    return true;
  }

  const uint8_t* from;
  size_t from_size;
  uint8_t* to;
  size_t used, capacity;
  size_t traversed = 0, objects = MOST_OBJECTS;
};

}  // namespace

bool is_plain(const Place& place, Py_ssize_t at, Pointer pointer) {
  if (pointer.is_null()) return true;
  if (!Place::is_own(place.segment)) return false;
  return Clearing(place).walk(memory_of(place), at, pointer, MOST_DEPTH, false);
}

void clear(const Place& place, Py_ssize_t at, Pointer pointer) {
  Clearing(place).walk(memory_of(place), at, pointer, MOST_DEPTH, true);
}

PyObject* zero_object(PyObject*, PyObject* arguments) {
  PyObject* shape;
  Py_ssize_t at;
  unsigned long long word;
  if (!PyArg_ParseTuple(arguments, "OnK:zero_object", &shape, &at, &word)) return nullptr;
  Place place;
  Pointer pointer{uint32_t(word), uint32_t(word >> 32)};
  if (!place.of(shape, at) || !place.is_writable() || !is_plain(place, at, pointer)) return new_reference(Py_False);
  clear(place, at, pointer);
  return new_reference(Py_True);
}

bool copy_struct(const Place& target, Py_ssize_t at, const Place& source) {
  Py_ssize_t depth = integer(source.shape, slots.depth);
  Sizes sizes(uint32_t(integer(source.shape, slots.data_words) | integer(source.shape, slots.pointers) << 16));
  if (depth < 0 || !sizes.words() || source.data_bits() % 64 || source.shares_memory(target)) return false;
  if (source.word + sizes.words() > size_t(source.size)) return false;
  Room room;
  if (!target.room_for(sizes.words(), room)) return false;
  size_t start = room.used + room.is_far;
  Copy copy(source, room.base, start, room.capacity);
  bool is_done = copy.structure(source.word, sizes, depth < MOST_DEPTH ? int(depth) : MOST_DEPTH);
  if (is_done && source.charge(copy.traversed_words()) &&
      target.take(at, room, copy.used_words() - start, STRUCT_KIND, sizes.data_words | sizes.pointers << 16)) return true;
  memset(room.base + start * 8, 0, (copy.used_words() - start) * 8);
  return false;
}

}  // namespace ccp::objects
