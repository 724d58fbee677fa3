// The usual ways for a message to begin and to end: one segment that is opened, or filled, or framed.

#include "opening.hpp"

#include "place.hpp"

#include <initializer_list>

namespace ccp::objects {
namespace {

constexpr Py_ssize_t MOST_WORDS = (1 << 29) - 1;  // as far as a near pointer leads

PyObject* new_object(PyTypeObject* type) {
  return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

// Fill a slot of a new object; false with an error where there is no value for it.
bool fill(PyObject* object, Py_ssize_t offset, PyObject* value) {
  slot(object, offset) = value;
  return value;
}

bool count(PyObject* object, Py_ssize_t offset, Py_ssize_t value) {
  return fill(object, offset, PyLong_FromSsize_t(value));
}

// A segment of so many words, from a byte of ``raw`` on.
PyObject* new_segment(PyTypeObject* type, PyObject* raw, Py_ssize_t start, Py_ssize_t words, Py_ssize_t used) {
  auto& s = slots;
  Owned made(new_object(type));
  PyObject* segment = made.get();
  if (!segment || !count(segment, s.index, 0) || !fill(segment, s.raw, new_reference(raw)) ||
      !count(segment, s.raw_second, start + 8) || !count(segment, s.raw_end, start + words * 8) ||
      !count(segment, s.capacity, words) || !count(segment, s.used, used)) return nullptr;
  return made.release();
}

uint32_t sizes_of(Py_ssize_t data_words, Py_ssize_t pointers) { return uint32_t(data_words) | uint32_t(pointers) << 16; }

}  // namespace

PyObject* new_shape(
    PyTypeObject* type, PyObject* segment, PyObject* arena, Py_ssize_t data_bits, Py_ssize_t pointers,
    Py_ssize_t depth) {
  auto& s = slots;
  Owned made(new_object(type));
  PyObject* shape = made.get();
  PyObject* capacity = slot(segment, s.capacity);
  if (!shape || !capacity || !fill(shape, s.segment, new_reference(segment)) ||
      !fill(shape, s.size, new_reference(capacity)) || !fill(shape, s.arena, new_reference(arena)) ||
      !count(shape, s.data_bits, data_bits) || !count(shape, s.data_words, data_bits >> 6) ||
      !count(shape, s.pointers, pointers) || !count(shape, s.words, ((data_bits + 63) >> 6) + pointers) ||
      !count(shape, s.depth, depth) || !fill(shape, s.children, PyDict_New())) return nullptr;
  return made.release();
}

// near_root(data, start, limits, view class) -> (view, end), or None unless the message has one segment, and a root
// pointer that is near, sound and within the limits
PyObject* near_root(PyObject*, PyObject* arguments) {
  PyObject *data, *limits, *type;
  Py_ssize_t start;
  if (!PyArg_ParseTuple(arguments, "OnO!O:near_root", &data, &start, &PyTuple_Type, &limits, &type)) return nullptr;
  if (!PyBytes_CheckExact(data)) return new_reference(Py_None);
  Py_ssize_t size = PyBytes_Size(data);
  if (start < 0 || start > size || size - start < 16) return new_reference(Py_None);
  auto bytes = reinterpret_cast<const uint8_t*>(PyBytes_AsString(data)) + start;
  Py_ssize_t words = load<uint32_t>(bytes + 4);
  if (load<uint32_t>(bytes) || !words || words > MOST_WORDS || words > (size - start - 8) / 8) {
    return new_reference(Py_None);
  }
  uint32_t low = load<uint32_t>(bytes + 8), high = load<uint32_t>(bytes + 12);
  Py_ssize_t data_words = high & 0xFFFF, pointers = high >> 16, first = 1 + (low >> 2);
  if (low & 3 || !high || first + data_words + pointers > words) return new_reference(Py_None);
  PyObject* limit = PyTuple_GetItem(limits, 0);
  PyObject* depth = PyTuple_GetItem(limits, 1);
  if (!limit || !depth) return nullptr;
  Owned budget(nullptr);
  if (limit == Py_None) {
    budget.reset(new_reference(unlimited));
  } else {
    long long left = PyLong_AsLongLong(limit);
    if (left == -1 && PyErr_Occurred()) PyErr_Clear();
    if (left < 2 + data_words + pointers) return new_reference(Py_None);
    budget.reset(PyLong_FromLongLong(left - 2 - data_words - pointers));
  }
  Py_ssize_t levels = PyLong_AsSsize_t(depth);
  if (levels < 1) return PyErr_Clear(), new_reference(Py_None);
  auto& s = slots;
  Owned segment(new_segment(read_segment, data, start + 8, words, words));
  Owned arena(new_object(limiter));
  if (!segment || !arena || !budget || !fill(arena.get(), s.limits, new_reference(limits)) ||
      !fill(arena.get(), s.budget, budget.release()) ||
      !fill(arena.get(), s.segments, PyTuple_Pack(1, segment.get()))) return nullptr;
  Owned shape(new_shape(read_shape, segment.get(), arena.get(), data_words << 6, pointers, levels - 1));
  if (!shape) return nullptr;
  for (PyObject* each: {segment.get(), arena.get(), shape.get()}) PyObject_GC_UnTrack(each);  // see is_alone
  auto made = reinterpret_cast<PyTypeObject*>(type);
  if (!PyType_IsSubtype(made, a_view)) return PyErr_SetString(PyExc_TypeError, "a class of views is needed"), nullptr;
  PyObject* view = new_view(made, reinterpret_cast<allocfunc>(PyType_GetSlot(made, Py_tp_alloc)), shape.get(), first);
  return view ? Py_BuildValue("Nn", view, start + 8 + words * 8) : nullptr;
}

// new_struct(words of the first segment, data words, pointers, depth, limits, view class) -> the builder of the root of
// a new message; with neither data words nor pointers, the shape of its null root pointer
PyObject* new_struct(PyObject*, PyObject* arguments) {
  Py_ssize_t words, data_words, pointers, depth;
  PyObject *limits, *type;
  if (!PyArg_ParseTuple(arguments, "nnnnOO:new_struct", &words, &data_words, &pointers, &depth, &limits, &type)) {
    return nullptr;
  }
  auto& s = slots;
  Owned raw(PyByteArray_FromStringAndSize(nullptr, words * 8));
  if (!raw) return nullptr;
  char* memory = PyByteArray_AsString(raw.get());
  memset(memory, 0, words * 8);
  Py_ssize_t own = data_words + pointers;
  bool has_root = own && own < words;
  Owned segment(new_segment(own_segment, raw.get(), 0, words, has_root ? 1 + own : 1));
  Owned segments(segment ? PyList_New(1) : nullptr), arena(new_object(own_arena));
  if (!segments || !arena) return nullptr;
  PyList_SetItem(segments.get(), 0, new_reference(segment.get()));
  if (!fill(arena.get(), s.limits, new_reference(limits)) || !fill(arena.get(), s.budget, new_reference(unlimited)) ||
      !fill(arena.get(), s.segments, segments.release()) || !fill(arena.get(), s.replacing, PyList_New(0)) ||
      !fill(arena.get(), s.beside, new_reference(Py_None))) return nullptr;
  if (!own) return new_shape(build_shape, segment.get(), arena.get(), 0, 1, depth);
  if (!has_root) return new_reference(Py_None);
  ccp::store<uint32_t>(memory + 4, sizes_of(data_words, pointers));
  Owned shape(new_shape(build_shape, segment.get(), arena.get(), data_words << 6, pointers, depth));
  auto made = reinterpret_cast<PyTypeObject*>(type);
  return shape ? new_view(made, reinterpret_cast<allocfunc>(PyType_GetSlot(made, Py_tp_alloc)), shape.get(), 1) : nullptr;
}

namespace {

// A segment that is built in memory of the message's own; its bytes, or nullptr.
const char* bytes_of(PyObject* segment, Py_ssize_t& words) {
  if (Py_TYPE(segment) != own_segment && Py_TYPE(segment) != build_segment) return nullptr;
  PyObject* raw = slot(segment, slots.raw);
  words = integer(segment, slots.used);
  if (!raw || !PyByteArray_CheckExact(raw) || integer(segment, slots.raw_second) != 8) return nullptr;
  return words >= 0 && words <= PyByteArray_Size(raw) / 8 ? PyByteArray_AsString(raw) : nullptr;
}

}  // namespace

// framed(arena) -> the framed message that is built there, or None where some of it is in other memory
PyObject* framed(PyObject*, PyObject* arena) {
  constexpr Py_ssize_t MOST_SEGMENTS = 32;  // as each new one is as large as all before it, there are not many
  PyObject* segments = slot(arena, slots.segments);
  Py_ssize_t count = segments && PyList_CheckExact(segments) ? PyList_Size(segments) : 0;
  if (!count || count > MOST_SEGMENTS) return new_reference(Py_None);
  const char* memory[MOST_SEGMENTS];
  Py_ssize_t words[MOST_SEGMENTS], table = (count / 2 + 1) * 8, size = table;
  for (Py_ssize_t index = 0; index < count; index++) {
    memory[index] = bytes_of(PyList_GetItem(segments, index), words[index]);
    if (!memory[index]) return new_reference(Py_None);
    size += words[index] * 8;
  }
  PyObject* made = PyBytes_FromStringAndSize(nullptr, size);
  if (!made) return nullptr;
  char* out = PyBytes_AsString(made);
  ccp::store<uint64_t>(out + table - 8, 0);  // where the table may have padding
  ccp::store<uint32_t>(out, uint32_t(count - 1));
  char* at = out + table;
  for (Py_ssize_t index = 0; index < count; index++) {
    ccp::store<uint32_t>(out + 4 + index * 4, uint32_t(words[index]));
    memcpy(at, memory[index], words[index] * 8);
    at += words[index] * 8;
  }
  return made;
}

// is_root(shape, word) -> whether it is the root for certain: the first segment's first word is a near pointer there
PyObject* is_root(PyObject*, PyObject* arguments) {
  PyObject *shape, *word;
  if (!PyArg_ParseTuple(arguments, "OO:is_root", &shape, &word)) return nullptr;
  Place place;
  if (!PyLong_CheckExact(word) || !place.of(shape, word) || place.word < 1) return new_reference(Py_False);
  PyObject* segments = slot(slot(shape, slots.arena), slots.segments);
  PyObject* first = nullptr;
  if (segments && PyList_CheckExact(segments)) first = PyList_GetItem(segments, 0);
  if (segments && PyTuple_CheckExact(segments)) first = PyTuple_GetItem(segments, 0);
  if (first != place.segment) return PyErr_Clear(), new_reference(Py_False);
  Pointer root = place.load(0);
  return new_reference(root.is_struct() && Py_ssize_t(root.forward()) == place.word - 1 ? Py_True : Py_False);
}

}  // namespace ccp::objects
