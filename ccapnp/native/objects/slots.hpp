// The slots of Python's objects that stand for a message, which are read and written right where they are.

#pragma once

#include "python.hpp"

namespace ccp::objects {

// Where each slot is, in bytes from the start of an object of the class or of one derived from it.
struct Slots {
  Py_ssize_t view_shape, view_word;
  Py_ssize_t list_shape, list_word, list_count, list_type;
  Py_ssize_t segment, data_bits, data_words, pointers, words, size, depth, arena, children;
  Py_ssize_t index, raw, raw_second, raw_end, address, used, capacity;
  Py_ssize_t segments, limits, budget, replacing, beside;
  Py_ssize_t opened, table_raw;
  Py_ssize_t numbers_type, numbers_view;
};

extern Slots slots;
// The classes that are known here: those of all messages, and those of messages that were begun here.
extern PyTypeObject *a_view, *a_list, *read_shape, *build_shape, *build_segment, *segment_table;
extern PyTypeObject *limiter, *read_segment, *own_segment, *own_arena;
extern PyObject* locate;     // called with a segment: notes its address
extern PyObject* unlimited;  // the budget of a message without a limit

// Take the classes, of which each slot's place is found out; false with an error if that fails.
bool find_slots(PyObject* classes);

// The same for a class of lists of numbers, which all have the same slots.
bool find_number_list(PyObject* type);

inline PyObject*& slot(PyObject* object, Py_ssize_t offset) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// The integer in a slot; -1 where there is none.
inline Py_ssize_t integer(PyObject* object, Py_ssize_t offset) {
  PyObject* value = slot(object, offset);
  if (!value) return -1;
  Py_ssize_t number = PyLong_AsSsize_t(value);
  if (number == -1) PyErr_Clear();
  return number;
}

// Put a new reference into a slot.
inline void put(PyObject* object, Py_ssize_t offset, PyObject* value) {
  PyObject*& place = slot(object, offset);
  PyObject* old = place;
  place = value;
  Py_XDECREF(old);
}

}  // namespace ccp::objects
