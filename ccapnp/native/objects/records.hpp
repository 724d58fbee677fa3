// Whole trees as records.

#pragma once

#include "python.hpp"

namespace ccp::objects {

bool make_records_type();
PyObject* new_records(PyObject* module, PyObject* arguments);

}  // namespace ccp::objects
