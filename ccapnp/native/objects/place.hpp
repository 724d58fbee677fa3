// A place in a message: what a view holds, and what is there.  All of it is only borrowed.
//
// What is not as usual is declined, without an error and with nothing changed: Python knows all cases.

#pragma once

#include "../little_endian.hpp"
#include "opening.hpp"
#include "slots.hpp"

namespace ccp::objects {

// A pointer's word: its kind and offset, and its sizes.
struct Pointer {
  uint32_t low, high;

  bool is_null() const { return !(low | high); }
  bool is_struct() const { return !(low & 3) && high; }
  bool is_list(uint32_t element) const { return (low & 3) == 1 && (high & 7) == element; }
  uint32_t forward() const { return low >> 2; }  // of one backwards, it is out of all bounds
};

// What a pointer leads to: the pointer itself, or its landing pad, and where that is.
struct Target {
  PyObject* segment;   // of what was allocated: the shape of structs there, or NULL
  uint8_t* base;
  Py_ssize_t size;     // of the segment, in words
  size_t at;           // the pointer's word; of what was allocated: its first word
  Pointer pointer;
  uint32_t pad_words;  // traversed on the way

  size_t start() const { return at + 1 + pointer.forward(); }

  // Bytes of the segment; nullptr where they are out of bounds.
  uint8_t* bytes(size_t from, size_t count) const {
    return from + count <= size_t(size) * 8 ? base + from : nullptr;
  }
};

// Where new words can be had: in the pointer's own segment, or behind a landing pad in the newest one.
struct Room {
  PyObject* segment;
  uint8_t* base;
  size_t used, capacity;  // in words
  bool is_far;
};

// Whether nothing that a shape leads to can lead back to a view of it: the whole of a message that is read is in bytes,
// or its only segment in a bytearray.  Then the collector of garbage need not look at what is made of it again
// and again, which it does where there are millions of views.
inline bool is_alone(PyObject* shape) {
  PyObject* arena = slot(shape, slots.arena);
  PyObject* segments = arena && Py_TYPE(arena) == limiter ? slot(arena, slots.segments) : nullptr;
  if (!segments || PyTuple_CheckExact(segments)) return segments;
  PyObject* raw = Py_TYPE(segments) == segment_table ? slot(segments, slots.table_raw) : nullptr;
  return raw && PyBytes_CheckExact(raw);
}

class Place {
public:
  // The struct of a view.
  bool of(PyObject* view) { return of(slot(view, slots.view_shape), slot(view, slots.view_word)); }

  bool of(PyObject* its_shape, PyObject* its_word) {
    if (!its_word) return false;
    Py_ssize_t number = PyLong_AsSsize_t(its_word);
    return number < 0 ? PyErr_Clear(), false : of(its_shape, number);
  }

  bool of(PyObject* its_shape, Py_ssize_t its_word) {
    shape = its_shape;
    if (!shape || (Py_TYPE(shape) != read_shape && Py_TYPE(shape) != build_shape)) return false;
    if (!slot(shape, slots.arena)) return false;
    word = its_word;
    segment = slot(shape, slots.segment);
    size = integer(shape, slots.size);
    base = segment ? base_of(segment) : nullptr;
    return base;
  }

  bool is_builder() const { return Py_TYPE(shape) == build_shape; }

  // Whether bytes may be written here.
  bool is_writable() const { return is_builder() && is_bytearray(segment); }

  size_t data_bits() const { return integer(shape, slots.data_bits); }

  // So many bytes of the data section, from a byte of it on; nullptr where that is out of bounds.
  uint8_t* data(size_t start, size_t bytes) const {
    start += size_t(word) * 8;
    return start + bytes <= size_t(size) * 8 ? base + start : nullptr;
  }

  // The word of a pointer; -1 where the struct does not have it.
  Py_ssize_t pointer(uint32_t index) const {
    if (Py_ssize_t(index) >= integer(shape, slots.pointers)) return -1;
    Py_ssize_t at = word + integer(shape, slots.data_words) + index;
    return at < size ? at : -1;
  }

  Pointer load(Py_ssize_t at) const { return load_from(base, at); }
  void store(Py_ssize_t at, Pointer pointer) const { store_to(base, at, pointer); }

  static Pointer load_from(const uint8_t* memory, size_t at) {
    return {ccp::load<uint32_t>(memory + at * 8), ccp::load<uint32_t>(memory + at * 8 + 4)};
  }

  static void store_to(uint8_t* memory, size_t at, Pointer pointer) {
    ccp::store(memory + at * 8, pointer.low);
    ccp::store(memory + at * 8 + 4, pointer.high);
  }

  // What the pointer at a word leads to, in this segment or, by a far pointer, in another one.
  bool follow(Py_ssize_t at, Target& target) const {
    target = {segment, base, size, size_t(at), load(at), 0};
    if ((target.pointer.low & 3) != 2) return true;
    if (target.pointer.low & 4) return false;
    PyObject* other = segment_numbered(target.pointer.high);
    if (!other) return false;
    uint8_t* memory = base_of(other);
    Py_ssize_t end = integer(other, slots.capacity);
    size_t pad = target.pointer.low >> 3;
    if (!memory || end < 0 || pad >= size_t(end)) return false;
    target = {other, memory, end, pad, load_from(memory, pad), 1};
    return (target.pointer.low & 3) != 2;
  }

  // Count words as traversed, as far as the limit allows.
  bool charge(size_t count) const {
    PyObject* arena = slot(shape, slots.arena);
    PyObject* budget = slot(arena, slots.budget);
    if (!budget) return false;
    if (!PyLong_CheckExact(budget)) return PyFloat_CheckExact(budget);  // infinity
    long long left = PyLong_AsLongLong(budget);
    if (left < 0 || (unsigned long long)left < count) return PyErr_Clear(), false;
    PyObject* now = PyLong_FromLongLong(left - (long long)count);
    if (!now) return PyErr_Clear(), false;
    put(arena, slots.budget, now);
    return true;
  }

  // The shape of structs of such sizes in a segment; borrowed.
  PyObject* child(PyObject* where, uint32_t sizes) const {
    Owned kept(new_reference(where));
    bool is_here = where == segment;
    if (is_here && is_builder() && sizes == own_sizes()) return shape;
    PyObject* children = slot(shape, slots.children);
    Owned key(children ? PyLong_FromUnsignedLong(sizes) : nullptr);
    if (!key) return PyErr_Clear(), nullptr;
    if (!is_here) {
      PyObject* number = is_builder() ? slot(where, slots.index) : where;
      key.reset(number ? PyTuple_Pack(2, number, key.get()) : nullptr);
      if (!key) return PyErr_Clear(), nullptr;
    }
    PyObject* found = PyDict_GetItemWithError(children, key.get());
    if (!found) return PyErr_Clear(), new_child(children, key.get(), where, sizes);
    return Py_TYPE(found) == Py_TYPE(shape) && slot(found, slots.segment) == where ? found : nullptr;
  }

  // Make the null pointer at a word lead to so many new words, all zero: in this segment or, by a far pointer, in the
  // newest one.  ``kind`` is the pointer's lowest two bits.  It is declined where a value is being replaced, unless
  // the pointer is in the new value, and where there is no room, or no shape for structs of ``sizes`` if they are not 0.
  bool allocate(
      Py_ssize_t at, size_t words, uint32_t kind, uint32_t high, uint32_t sizes, Target& made,
      bool is_in_new = false) const {
    Room room;
    if (!room_for(words, room, is_in_new)) return false;
    PyObject* child_shape = sizes ? child(room.segment, sizes) : nullptr;
    if ((sizes && !child_shape) || !take(at, room, words, kind, high)) return false;
    made = {child_shape, room.base, Py_ssize_t(room.capacity), room.used + room.is_far, {}, 0};
    return true;
  }

  // Where so many new words would be; `allocate` says when it is declined.
  bool room_for(size_t words, Room& room, bool is_in_new = false) const {
    PyObject* replacing = slot(slot(shape, slots.arena), slots.replacing);
    if (!replacing || (PyList_Size(replacing) && !is_in_new)) return PyErr_Clear(), false;
    room.is_far = !has_room(segment, words);
    room.segment = room.is_far ? newest_segment() : segment;
    if (!room.segment || (room.is_far && !has_room(room.segment, words + 1))) return false;
    room.base = room.is_far ? base_of(room.segment) : base;
    room.used = integer(room.segment, slots.used);
    room.capacity = integer(room.segment, slots.capacity);
    return room.base;
  }

  // Take the first so many words of a room, and make the pointer at a word lead there.
  bool take(Py_ssize_t at, const Room& room, size_t words, uint32_t kind, uint32_t high) const {
    PyObject* used = PyLong_FromSize_t(room.used + room.is_far + words);
    if (!used) return PyErr_Clear(), false;
    put(room.segment, slots.used, used);
    if (room.is_far) {
      store_to(room.base, room.used, {kind, high});
      store(at, {uint32_t(room.used) << 3 | 2, uint32_t(integer(room.segment, slots.index))});
    } else {
      store(at, {uint32_t(room.used - at - 1) << 2 | kind, high});
    }
    return true;
  }

  // Whether it is in the same message.
  bool shares_memory(const Place& other) const {
    return slot(slot(shape, slots.arena), slots.segments) == slot(slot(other.shape, slots.arena), slots.segments);
  }

  // Whether a segment is an ordinary one of a message that is built, and not one beside it.
  static bool is_own(PyObject* segment) { return Py_TYPE(segment) == build_segment || Py_TYPE(segment) == own_segment; }

  static bool is_bytearray(PyObject* segment) {
    PyObject* raw = slot(segment, slots.raw);
    return raw && PyByteArray_CheckExact(raw);
  }

  // The segment of a number, if it has been opened yet; borrowed.
  PyObject* segment_numbered(uint32_t number) const {
    PyObject* segments = slot(slot(shape, slots.arena), slots.segments);
    if (!segments) return nullptr;
    if (PyList_CheckExact(segments)) {
      return Py_ssize_t(number) < PyList_Size(segments) ? PyList_GetItem(segments, number) : nullptr;
    }
    if (Py_TYPE(segments) != segment_table) return nullptr;
    PyObject* opened = slot(segments, slots.opened);
    Owned key(opened ? PyLong_FromUnsignedLong(number) : nullptr);
    PyObject* found = key ? PyDict_GetItemWithError(opened, key.get()) : nullptr;
    if (!found) PyErr_Clear();
    return found;
  }

  static uint8_t* base_of(PyObject* segment) {
    PyObject* raw = slot(segment, slots.raw);
    if (raw && (PyBytes_CheckExact(raw) || PyByteArray_CheckExact(raw))) {
      char* start = PyBytes_CheckExact(raw) ? PyBytes_AsString(raw) : PyByteArray_AsString(raw);
      return reinterpret_cast<uint8_t*>(start) + integer(segment, slots.raw_second) - 8;
    }
    if (!slot(segment, slots.address)) {
      Owned done(PyObject_CallFunctionObjArgs(locate, segment, nullptr));
      if (!done) return PyErr_Clear(), nullptr;
    }
    PyObject* address = slot(segment, slots.address);
    return address ? static_cast<uint8_t*>(PyLong_AsVoidPtr(address)) : nullptr;
  }

  PyObject* shape;
  PyObject* segment;
  Py_ssize_t word;
  Py_ssize_t size;  // of the segment, in words
  uint8_t* base;

private:
  // A shape that is kept from now on; only a hostile message has very many.
  PyObject* new_child(PyObject* children, PyObject* key, PyObject* where, uint32_t sizes) const {
    Py_ssize_t depth = integer(shape, slots.depth);
    if (depth <= 0 || PyDict_Size(children) >= 256) return nullptr;
    PyObject* arena = slot(shape, slots.arena);
    Owned made(new_shape(
        Py_TYPE(shape), where, arena, Py_ssize_t(sizes & 0xFFFF) << 6, sizes >> 16, is_builder() ? depth : depth - 1));
    if (!made || PyDict_SetItem(children, key, made.get())) return PyErr_Clear(), nullptr;
    if (is_alone(made.get())) PyObject_GC_UnTrack(made.get());
    return made.get();  // which the dict keeps
  }

  uint32_t own_sizes() const { return integer(shape, slots.data_words) | integer(shape, slots.pointers) << 16; }

  static bool has_room(PyObject* segment, size_t words) {
    Py_ssize_t used = integer(segment, slots.used), capacity = integer(segment, slots.capacity);
    return used >= 0 && used <= capacity && words <= size_t(capacity - used);
  }

  // The last segment, if it is an ordinary one of the message's own; borrowed.
  PyObject* newest_segment() const {
    PyObject* segments = slot(slot(shape, slots.arena), slots.segments);
    if (!segments || !PyList_CheckExact(segments)) return nullptr;
    PyObject* newest = PyList_GetItem(segments, PyList_Size(segments) - 1);
    if (!newest) return PyErr_Clear(), nullptr;
    return is_own(newest) && is_own(segment) && is_bytearray(newest) ? newest : nullptr;
  }

};

// A new view; ``type`` is a class of views, and ``allocate`` its own way to make an instance.  The shape may only be
// borrowed: making an object can run any code, which may forget the shape.
inline PyObject* new_view(PyTypeObject* type, allocfunc allocate, PyObject* shape, Py_ssize_t word) {
  Owned its_shape(new_reference(shape)), number(PyLong_FromSsize_t(word));
  PyObject* view = number ? allocate(type, 0) : nullptr;
  if (!view) return nullptr;
  slot(view, slots.view_shape) = its_shape.release();
  slot(view, slots.view_word) = number.release();
  if (is_alone(shape)) PyObject_GC_UnTrack(view);
  return view;
}

// A new list of structs.
inline PyObject* new_list(
    PyTypeObject* type, allocfunc allocate, PyObject* list_type, PyObject* shape, Py_ssize_t word, Py_ssize_t count) {
  Owned its_shape(new_reference(shape)), number(PyLong_FromSsize_t(word)), length(PyLong_FromSsize_t(count));
  PyObject* list = number && length ? allocate(type, 0) : nullptr;
  if (!list) return nullptr;
  slot(list, slots.list_type) = new_reference(list_type);
  slot(list, slots.list_shape) = its_shape.release();
  slot(list, slots.list_word) = number.release();
  slot(list, slots.list_count) = length.release();
  return list;
}

}  // namespace ccp::objects
