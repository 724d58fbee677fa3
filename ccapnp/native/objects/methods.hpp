// Methods of views and lists.

#pragma once

#include "python.hpp"

namespace ccp::objects {

bool make_views_type();
PyObject* new_views(PyObject* module, PyObject* arguments);
PyObject* set_texts(PyObject* module, PyObject* arguments);
PyObject* add_method(PyObject* module, PyObject* arguments);

}  // namespace ccp::objects
