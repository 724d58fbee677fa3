// Python's C API, as far as it stays the same for all later versions.

#pragma once

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if PY_VERSION_HEX < 0x030A0000 || Py_LIMITED_API < 0x030A0000
// It has been there all along, and is declared for the stable API only since 3.10.
extern "C" const char* PyUnicode_AsUTF8AndSize(PyObject* text, Py_ssize_t* size);
#endif

namespace ccp::objects {

inline PyObject* new_reference(PyObject* object) {
  Py_INCREF(object);
  return object;
}

// A reference that is given back at the end of its scope.
class Owned {
public:
  explicit Owned(PyObject* object) : object(object) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Py_XDECREF(object); }

  explicit operator bool() const { return object; }
  PyObject* get() const { return object; }
  void reset(PyObject* other) {
    Py_XDECREF(object);
    object = other;
  }
  PyObject* release() {
    PyObject* released = object;
    object = nullptr;
    return released;
  }

private:
  PyObject* object;
};

}  // namespace ccp::objects
