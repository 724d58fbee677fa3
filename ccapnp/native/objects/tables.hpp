// What is known of the types whose records are decoded and encoded.

#pragma once

#include "python.hpp"

#include "../layouts.hpp"

namespace ccp::objects {

using capnp::AnyList;
using capnp::AnyPointer;
using capnp::AnyStruct;
using capnp::ElementSize;

constexpr int32_t MOST_DEPTH = 200;           // for the stack
constexpr size_t MOST_WORDS = (1 << 29) - 1;  // of a segment

// Thrown where an error of Python's is set.
struct PythonError {};

inline PyObject* made(PyObject* object) {
  if (!object) throw PythonError();
  return object;
}

// A record's class.
struct RecordClass {
  PyTypeObject* type;
  allocfunc allocate;
  Py_ssize_t size;  // of its tuples
};

struct Tables {
  const ccp_layouts* layouts;
  std::vector<RecordClass> classes;   // by struct
  std::vector<PyObject*> enums;       // tuples of members by number
  std::vector<PyObject*> numbers;     // dicts of an enum's numbers by name
  std::vector<PyObject*> absent;      // by field: what a null pointer reads as
  std::vector<PyObject*> names;       // by field
  size_t expected_words = 0;          // of the next message
};

inline PyObject* new_tuple(Py_ssize_t size) {
  PyObject* tuple = made(PyTuple_New(size));
  if (size) PyObject_GC_UnTrack(tuple);
  return tuple;
}

// Where the items of a tuple, and of an object of a class derived from it, begin: found out when the module is loaded.
extern Py_ssize_t tuple_items;

// Put a new reference into a new tuple.
inline void put_item(PyObject* tuple, Py_ssize_t position, PyObject* value) {
  reinterpret_cast<PyObject**>(reinterpret_cast<char*>(tuple) + tuple_items)[position] = made(value);
}

}  // namespace ccp::objects
