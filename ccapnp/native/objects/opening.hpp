// The objects that stand for a message, made as Python makes them.

#pragma once

#include "slots.hpp"

namespace ccp::objects {

// A new shape of a class of them, of structs in a segment; nullptr with an error where there is no memory.
PyObject* new_shape(
    PyTypeObject* type, PyObject* segment, PyObject* arena, Py_ssize_t data_bits, Py_ssize_t pointers, Py_ssize_t depth);

PyObject* near_root(PyObject* module, PyObject* arguments);
PyObject* new_struct(PyObject* module, PyObject* arguments);
PyObject* framed(PyObject* module, PyObject* arena);
PyObject* is_root(PyObject* module, PyObject* arguments);

}  // namespace ccp::objects
