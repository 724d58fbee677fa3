// Whole trees: a struct copied with all below it, and what is no longer led to made zero.

#pragma once

#include "place.hpp"

namespace ccp::objects {

// Whether what a pointer of a builder's leads to, with all below it, is in ordinary segments and can be made zero here.
// A null pointer leads to nothing.
bool is_plain(const Place& place, Py_ssize_t at, Pointer pointer);

// Make that zero, after the pointer itself, which was at that word, has been overwritten.
void clear(const Place& place, Py_ssize_t at, Pointer pointer);

// zero_object(shape, at, word) -> whether what a pointer, which was at word ``at``, leads to was made zero
PyObject* zero_object(PyObject* module, PyObject* arguments);

// Make the pointer at a word lead to a copy of a struct of another message; false, and no change, where that is
// declined.  What it led to is left as it is.
bool copy_struct(const Place& target, Py_ssize_t at, const Place& source);

}  // namespace ccp::objects
