// The module `ccapnp.native._objects`: it lies in the same library as `_shim`, beside that module's own beginning.

#include "field.hpp"
#include "methods.hpp"
#include "opening.hpp"
#include "records.hpp"
#include "trees.hpp"

namespace ccp::objects {
namespace {

PyObject* set_up(PyObject*, PyObject* classes) {
  if (!PyDict_Check(classes)) return PyErr_SetString(PyExc_TypeError, "classes are given in a dict"), nullptr;
  return find_slots(classes) ? new_reference(Py_None) : nullptr;
}

PyMethodDef functions[] = {
    {"set_up", set_up, METH_O, "Learn the classes whose slots are read and written."},
    {"field", new_field, METH_VARARGS, "The descriptor of a field."},
    {"views", new_views, METH_VARARGS, "An iterator over structs at regular distances."},
    {"near_root", near_root, METH_VARARGS, "A view of the root of a message of one segment, and where that ends; or None."},
    {"new_struct", new_struct, METH_VARARGS, "The builder of the root of a new message."},
    {"framed", framed, METH_O, "The framed message of an arena; or None."},
    {"is_root", is_root, METH_VARARGS, "Whether a struct is the root for certain."},
    {"records", new_records, METH_VARARGS, "What decodes and encodes the records of some types."},
    {"set_texts", set_texts, METH_VARARGS, "Set the texts of a new list, as many as are plain."},
    {"zero_object", zero_object, METH_VARARGS, "Make zero what a pointer led to; whether that was done."},
    {"add_method", add_method, METH_VARARGS, "Give a class the fast form of a method."},
    {},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_objects", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace ccp::objects

extern "C" __attribute__((visibility("default"))) PyObject* PyInit__objects() {
  if (!ccp::objects::make_field_type() || !ccp::objects::make_views_type() || !ccp::objects::make_records_type()) return nullptr;
  return PyModule_Create(&ccp::objects::definition);
}
