// The module `ccapnp.native._objects`: it lies in the same library as `_shim`, beside that module's own beginning.

#include "field.hpp"
#include "methods.hpp"

namespace ccp {
namespace {

PyObject* set_up(PyObject*, PyObject* classes) {
  if (!PyDict_Check(classes)) return PyErr_SetString(PyExc_TypeError, "classes are given in a dict"), nullptr;
  return find_slots(classes) ? new_reference(Py_None) : nullptr;
}

PyMethodDef functions[] = {
    {"set_up", set_up, METH_O, "Learn the classes whose slots are read and written."},
    {"field", new_field, METH_VARARGS, "The descriptor of a field."},
    {"views", new_views, METH_VARARGS, "An iterator over structs at regular distances."},
    {"add_method", add_method, METH_VARARGS, "Give a class the fast form of a method."},
    {},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_objects", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace ccp

extern "C" __attribute__((visibility("default"))) PyObject* PyInit__objects() {
  if (!ccp::make_field_type() || !ccp::make_views_type()) return nullptr;
  return PyModule_Create(&ccp::definition);
}
