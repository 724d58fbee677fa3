// Fields' descriptors.

#pragma once

#include "place.hpp"

namespace ccp::objects {

enum Form : int {
  VOID, BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT32, FLOAT64, ENUM,
  TEXT, DATA, NUMBERS, STRUCT, STRUCTS,
  GROUP
};

struct Field {
  PyObject_HEAD
  PyObject *get, *set;     // Python's functions, for all cases
  PyObject* absent;        // what it reads as where it is null or not there; may be NULL, for Python to say
  PyObject* members;       // an enum's, by number; None where there is none
  PyObject* numbers;       // an enum's, by name
  PyTypeObject* make;      // the class of the view or list that it reads as
  allocfunc allocate;      // that class's own way to make an instance
  PyObject* list_type;     // a list's type
  Form form;
  bool is_builder;
  uint32_t offset;         // a number's byte, a Bool's bit, a pointer's index
  uint32_t end_bits;       // where it ends in the data section
  uint32_t member_count;
  uint32_t data_words, pointers;  // the sizes of the struct, or of each of the structs, that it leads to
  PyObject* view_name;            // of a list of numbers: the segment's view, whose numbers have so many bytes
  uint32_t width;
  uint64_t mask;           // the default's bits
  int32_t tag;             // of a union's member, -1 outside a union
  uint32_t tag_index;
};

extern PyTypeObject* field_type;

// Make a field the active member of its union, if it is in one.
void activate(const Field& field, const Place& place);

bool make_field_type();
PyObject* new_field(PyObject* module, PyObject* arguments);

// Make the pointer at a word lead to a text; false where that is declined.  ``is_in_new`` is as of `Place::allocate`.
bool write_text(const Place& place, Py_ssize_t at, PyObject* value, bool is_in_new);

// A text, from what its pointer leads to; nullptr where that is declined.
PyObject* read_text(const Place& place, const Target& target);

}  // namespace ccp::objects
