// Records and dicts into a message: libcapnp allocates, and Python's tuples and dicts are read right here.

#pragma once

#include "tables.hpp"

#include "../guard.hpp"
#include "../little_endian.hpp"

#include <math.h>

namespace ccp::objects {

class RecordEncoder {
public:
  explicit RecordEncoder(const Tables& tables) : tables(tables), layouts(*tables.layouts) {}

  void root(AnyPointer::Builder pointer, uint32_t type, PyObject* record) { structure(pointer, type, record, 0); }

private:
  const Tables& tables;
  const ccp_layouts& layouts;

  void structure(AnyPointer::Builder pointer, uint32_t type, PyObject* record, int32_t depth) {
    auto& layout = layouts.structs[type];
    fields(pointer.initAsAnyStruct(layout.data_words, layout.pointers), type, record, depth);
  }

  void fields(AnyStruct::Builder made, uint32_t number, PyObject* record, int32_t depth) {
    auto& type = layouts.structs[number];
    auto& record_class = tables.classes[number];
    if (depth >= MOST_DEPTH) decline();
    if (PyDict_CheckExact(record)) return named_fields(made, type, record, depth);
    if (Py_TYPE(record) != record_class.type) decline();
    auto data = made.getDataSection();
    auto pointers = made.getPointerSection();
    PyObject* active = nullptr;
    Py_ssize_t position = 0, last = record_class.size - 1;
    if (type.tag_index >= 0) {
      active = PyTuple_GetItem(record, last - 1);
      if (size_t(type.tag_index + 1) * 2 > data.size()) decline();
    }
    bool is_known = !active;
    for (uint32_t index = type.fields.start; index < type.fields.start + type.fields.count; index++) {
      auto& field = layouts.fields[index];
      Py_ssize_t place = position;
      if (field.discriminant < 0) {
        position++;
      } else {
        if (is_known || tables.names[index] != active) continue;  // names that are decoded are these very objects
        is_known = true;
        place = last;
        store<uint16_t>(data.begin() + type.tag_index * 2, field.discriminant);
      }
      PyObject* value = PyTuple_GetItem(record, place);
      if (!value) throw PythonError();
      auto& its = layouts.values[field.value];
      if (its.form < CCP_TEXT) {
        scalar(data, field, its, value);
      } else if (its.form == CCP_GROUP) {
        fields(made, its.detail, value, depth + 1);
      } else if (value != Py_None && !are_both_empty(value, tables.absent[index])) {
        if (field.offset >= pointers.size()) decline();
        pointer(pointers[field.offset], its, value, depth);
      }
    }
    if (!is_known) {
      long tag = PyLong_CheckExact(active) ? PyLong_AsLong(active) : -1;
      if (tag < 0 || tag > UINT16_MAX) PyErr_Clear(), decline();
      store<uint16_t>(data.begin() + type.tag_index * 2, tag);
    }
  }

  // Set the fields that a dict names; it is declined if it names anything else.
  void named_fields(AnyStruct::Builder made, const ccp_struct& type, PyObject* dict, int32_t depth) {
    auto data = made.getDataSection();
    auto pointers = made.getPointerSection();
    Py_ssize_t left = PyDict_Size(dict);
    bool has_member = false;
    for (uint32_t index = type.fields.start; left && index < type.fields.start + type.fields.count; index++) {
      PyObject* value = PyDict_GetItemWithError(dict, tables.names[index]);
      if (!value) {
        if (PyErr_Occurred()) throw PythonError();
        continue;
      }
      left--;
      auto& field = layouts.fields[index];
      if (field.discriminant >= 0) {
        if (has_member || size_t(type.tag_index + 1) * 2 > data.size()) decline();
        has_member = true;
        store<uint16_t>(data.begin() + type.tag_index * 2, field.discriminant);
      }
      auto& its = layouts.values[field.value];
      if (its.form < CCP_TEXT) {
        scalar(data, field, its, value);
      } else if (its.form == CCP_GROUP) {
        fields(made, its.detail, value, depth + 1);
      } else if (value != Py_None) {
        if (field.offset >= pointers.size()) decline();
        pointer(pointers[field.offset], its, value, depth);
      }
    }
    if (left) decline();
  }

  static bool is_empty(PyObject* value) {
    if (PyUnicode_CheckExact(value)) return !PyUnicode_GetLength(value);
    if (PyTuple_CheckExact(value)) return !PyTuple_Size(value);
    return PyBytes_CheckExact(value) && !PyBytes_Size(value);
  }

  static bool are_both_empty(PyObject* value, PyObject* absent) {
    return Py_TYPE(value) == Py_TYPE(absent) && is_empty(value) && is_empty(absent);
  }

  void scalar(kj::ArrayPtr<capnp::byte> data, const ccp_field& field, const ccp_value& value, PyObject* item) {
    uint64_t size = bits(value.form);
    if ((uint64_t(field.offset) + 1) * size > data.size() * uint64_t(8)) decline();
    if (value.form == CCP_VOID) {
      if (item != Py_None) decline();
    } else if (value.form == CCP_BOOL) {
      if (boolean(item) != (field.mask != 0)) data[field.offset / 8] |= 1 << field.offset % 8;
    } else {
      number(data.begin() + size_t(field.offset) * (size / 8), value, item, field.mask);
    }
  }

  static bool boolean(PyObject* item) {
    if (item != Py_True && item != Py_False) decline();
    return item == Py_True;
  }

  void number(capnp::byte* data, const ccp_value& value, PyObject* item, uint64_t mask) {
    switch (value.form) {
      case CCP_INT8: return store<uint8_t>(data, integer(item, INT8_MIN, INT8_MAX) ^ mask);
      case CCP_INT16: return store<uint16_t>(data, integer(item, INT16_MIN, INT16_MAX) ^ mask);
      case CCP_INT32: return store<uint32_t>(data, integer(item, INT32_MIN, INT32_MAX) ^ mask);
      case CCP_INT64: return store<uint64_t>(data, integer(item, INT64_MIN, INT64_MAX) ^ mask);
      case CCP_UINT8: return store<uint8_t>(data, integer(item, 0, UINT8_MAX) ^ mask);
      case CCP_UINT16: return store<uint16_t>(data, integer(item, 0, UINT16_MAX) ^ mask);
      case CCP_UINT32: return store<uint32_t>(data, integer(item, 0, UINT32_MAX) ^ mask);
      case CCP_UINT64: return store<uint64_t>(data, large(item) ^ mask);
      case CCP_ENUM: return store<uint16_t>(data, enumerant(item, value.detail) ^ mask);
      case CCP_FLOAT32: {
        double real = this->real(item, mask);
        float single = static_cast<float>(real);
        if (isinf(single) && !isinf(real)) decline();
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        return store<uint32_t>(data, bits ^ mask);
      }
      default: {
        double real = this->real(item, mask);
        uint64_t bits;
        memcpy(&bits, &real, sizeof bits);
        return store<uint64_t>(data, bits ^ mask);
      }
    }
  }

  static uint64_t integer(PyObject* item, int64_t low, int64_t high) {
    if (!PyLong_CheckExact(item)) decline();
    int64_t value = PyLong_AsLongLong(item);
    if (value == -1 && PyErr_Occurred()) PyErr_Clear(), decline();
    if (value < low || value > high) decline();
    return value;
  }

  static uint64_t large(PyObject* item) {
    if (!PyLong_CheckExact(item)) decline();
    uint64_t value = PyLong_AsUnsignedLongLong(item);
    if (value == UINT64_MAX && PyErr_Occurred()) PyErr_Clear(), decline();
    return value;
  }

  uint64_t enumerant(PyObject* item, uint32_t its_enum) const {
    PyObject* members = tables.enums[its_enum];
    if (PyUnicode_CheckExact(item)) {
      PyObject* known = PyDict_GetItemWithError(tables.numbers[its_enum], item);
      if (!known) PyErr_Clear(), decline();
      return PyLong_AsLong(known);
    }
    if (PyLong_CheckExact(item)) return integer(item, 0, UINT16_MAX);
    if (!PyTuple_Size(members) || Py_TYPE(item) != Py_TYPE(PyTuple_GetItem(members, 0))) decline();
    long number = PyLong_AsLong(item);
    if (number < 0 || number > UINT16_MAX) PyErr_Clear(), decline();
    return number;
  }

  static double real(PyObject* item, uint64_t mask) {
    double value;
    if (PyFloat_CheckExact(item)) {
      value = PyFloat_AsDouble(item);
    } else {
      value = double(int64_t(integer(item, -(1LL << 53), 1LL << 53)));
    }
    if (mask && isnan(value)) decline();  // which one it becomes is decided elsewhere
    return value;
  }

  void pointer(AnyPointer::Builder pointer, const ccp_value& value, PyObject* item, int32_t depth) {
    if (value.form == CCP_STRUCT) return structure(pointer, value.detail, item, depth + 1);
    if (value.form == CCP_LIST) return list(pointer, layouts.values[value.detail], item, depth + 1);
    if (value.form == CCP_TEXT) {
      Py_ssize_t size;
      if (!PyUnicode_CheckExact(item)) decline();
      const char* text = PyUnicode_AsUTF8AndSize(item, &size);
      if (!text) PyErr_Clear(), decline();
      if (size_t(size) >= MOST_WORDS) decline();
      auto made = pointer.initAs<capnp::Text>(size);
      if (size) memcpy(made.begin(), text, size);
    } else if (value.form == CCP_DATA && PyBytes_CheckExact(item)) {
      size_t size = PyBytes_Size(item);
      if (size > MOST_WORDS) decline();
      auto made = pointer.initAs<capnp::Data>(size);
      if (size) memcpy(made.begin(), PyBytes_AsString(item), size);
    } else {
      decline();
    }
  }

  void list(AnyPointer::Builder pointer, const ccp_value& element, PyObject* items, int32_t depth) {
    if (depth >= MOST_DEPTH) decline();
    Owned same(PyList_CheckExact(items) ? PyList_AsTuple(items) : PyTuple_CheckExact(items) ? new_reference(items) : nullptr);
    if (PyErr_Occurred()) throw PythonError();
    if (!same) decline();
    items = same.get();
    size_t count = PyTuple_Size(items);
    if (count > MOST_WORDS) decline();
    if (element.form == CCP_STRUCT) return structures(pointer, element.detail, items, count, depth);
    if (element.form < CCP_TEXT) return numbers(pointer, element, items, count);
    if (element.form != CCP_TEXT && element.form != CCP_DATA && element.form != CCP_LIST) decline();
    auto made = pointer.initAsAnyList(ElementSize::POINTER, count).as<capnp::List<AnyPointer>>();
    for (size_t index = 0; index < count; index++) {
      PyObject* item = PyTuple_GetItem(items, index);
      if (!is_empty(item)) this->pointer(made[index], element, item, depth);
    }
  }

  void structures(AnyPointer::Builder pointer, uint32_t type, PyObject* items, size_t count, int32_t depth) {
    auto& layout = layouts.structs[type];
    if (count * uint64_t(layout.data_words + layout.pointers) >= MOST_WORDS) decline();
    auto made = pointer.initAsListOfAnyStruct(layout.data_words, layout.pointers, count);
    for (size_t index = 0; index < count; index++) fields(made[index], type, PyTuple_GetItem(items, index), depth + 1);
  }

  void numbers(AnyPointer::Builder pointer, const ccp_value& element, PyObject* items, size_t count) {
    uint32_t size = bits(element.form);
    auto list = pointer.initAsAnyList(element_size(size), count);
    auto data = const_cast<capnp::byte*>(list.asReader().getRawBytes().begin());
    for (size_t index = 0; index < count; index++) {
      PyObject* item = PyTuple_GetItem(items, index);
      if (!size) {
        if (item != Py_None) decline();
      } else if (size == 1) {
        if (boolean(item)) data[index / 8] |= 1 << index % 8;
      } else {
        number(data + index * (size / 8), element, item, 0);
      }
    }
  }
};

}  // namespace ccp::objects
