#include "slots.hpp"

#include <initializer_list>
#include <utility>

namespace ccp::objects {

Slots slots;
PyTypeObject *a_view, *a_list, *read_shape, *build_shape, *build_segment, *segment_table;
PyTypeObject *limiter, *read_segment, *own_segment, *own_arena;
PyObject *locate, *unlimited;

namespace {

// Where a slot is: what is put there by its name is looked for in the object's memory.
Py_ssize_t offset_of(PyObject* object, const char* name) {
  Owned mark(PyList_New(0));
  Owned size(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__basicsize__"));
  if (!mark || !size || PyObject_SetAttrString(object, name, mark.get())) return -1;
  Py_ssize_t found = -1, end = PyLong_AsSsize_t(size.get());
  for (Py_ssize_t at = sizeof(PyObject); at < end && found < 0; at += sizeof(PyObject*)) {
    if (slot(object, at) == mark.get()) found = at;
  }
  if (found < 0) PyErr_Format(PyExc_SystemError, "the slot %s is not to be found", name);
  return PyObject_DelAttrString(object, name) ? -1 : found;
}

// A class's slots, whose names and places follow in pairs.
bool find(PyObject* classes, const char* class_name, std::initializer_list<std::pair<const char*, Py_ssize_t*>> names) {
  PyObject* type = PyDict_GetItemString(classes, class_name);
  if (!type) return PyErr_Format(PyExc_KeyError, "%s", class_name), false;
  Owned object(PyObject_CallMethod(type, "__new__", "O", type));
  if (!object) return false;
  for (auto& each: names) {
    if ((*each.second = offset_of(object.get(), each.first)) < 0) return false;
  }
  return true;
}

PyTypeObject* type_named(PyObject* classes, const char* name) {
  PyObject* found = PyDict_GetItemString(classes, name);
  if (!found) PyErr_Format(PyExc_KeyError, "%s", name);
  Py_XINCREF(found);
  return reinterpret_cast<PyTypeObject*>(found);
}

}  // namespace

bool find_number_list(PyObject* type) {
  if (slots.numbers_view) return true;
  Owned object(PyObject_CallMethod(type, "__new__", "O", type));
  if (!object || (slots.numbers_type = offset_of(object.get(), "_type")) < 0) return false;
  slots.numbers_view = offset_of(object.get(), "_view");
  return slots.numbers_view > 0;
}

bool find_slots(PyObject* classes) {
  auto& s = slots;
  if (!find(classes, "view", {{"_c", &s.view_shape}, {"_w", &s.view_word}})) return false;
  if (!find(classes, "list", {{"_c", &s.list_shape}, {"_w", &s.list_word}, {"_count", &s.list_count},
                              {"_type", &s.list_type}})) return false;
  if (!find(classes, "read_shape", {{"segment", &s.segment}, {"data_bits", &s.data_bits},
                                    {"data_words", &s.data_words}, {"pointers", &s.pointers}, {"words", &s.words},
                                    {"size", &s.size}, {"depth", &s.depth}, {"arena", &s.arena}, {"children", &s.children}})) return false;
  if (!find(classes, "build_segment", {{"index", &s.index}, {"raw", &s.raw}, {"raw_second", &s.raw_second},
                                       {"raw_end", &s.raw_end}, {"address", &s.address},
                                 {"size", &s.used}, {"capacity", &s.capacity}})) return false;
  if (!find(classes, "arena", {{"segments", &s.segments}, {"limits", &s.limits}, {"budget", &s.budget},
                               {"replacing", &s.replacing}, {"beside", &s.beside}})) {
    return false;
  }
  if (!find(classes, "segment_table", {{"_opened", &s.opened}, {"_raw", &s.table_raw}})) return false;
  std::pair<const char*, PyTypeObject**> types[] = {
      {"view", &a_view}, {"list", &a_list}, {"read_shape", &read_shape}, {"build_shape", &build_shape},
      {"build_segment", &build_segment}, {"segment_table", &segment_table}, {"limiter", &limiter},
      {"read_segment", &read_segment}, {"own_segment", &own_segment}, {"own_arena", &own_arena},
  };
  for (auto& each: types) {
    if (!(*each.second = type_named(classes, each.first))) return false;
  }
  locate = PyDict_GetItemString(classes, "locate");
  Py_XINCREF(locate);
  unlimited = PyFloat_FromDouble(Py_HUGE_VAL);
  return locate && unlimited;
}

}  // namespace ccp::objects
