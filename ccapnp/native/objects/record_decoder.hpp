// Records out of a message: libcapnp follows the pointers, and Python's tuples are made right here.
//
// Records are immutable, and nothing that is made here leads back to one; so they are no matter for the collector of
// garbage, which would otherwise look at each of them again and again.

#pragma once

#include "tables.hpp"

#include "../source.hpp"

namespace ccp::objects {

constexpr uint32_t MOST_VOIDS = 1 << 16;  // a list may have many elements without any memory
constexpr uint32_t MOST_GROUPS = 200;     // in each other: for the stack

class RecordDecoder {
public:
  RecordDecoder(const Source& source, const Tables& tables, uint64_t budget)
      : budget(budget), source(source), tables(tables), layouts(*tables.layouts) {}

  PyObject* structure(AnyStruct::Reader reader, uint32_t number, int32_t depth) {
    auto& type = layouts.structs[number];
    auto& record_class = tables.classes[number];
    Owned record(made(record_class.allocate(record_class.type, record_class.size)));
    PyObject_GC_UnTrack(record.get());
    auto data = reader.getDataSection();
    auto pointers = reader.getPointerSection();
    auto words = pointer_words(reader);
    int32_t tag = type.tag_index < 0 ? -1 : tag_of(data, type);
    Py_ssize_t position = 0, last = record_class.size - 1;
    bool is_known = tag < 0;
    for (uint32_t index = type.fields.start; index < type.fields.start + type.fields.count; index++) {
      auto& field = layouts.fields[index];
      Py_ssize_t place = position;
      if (field.discriminant < 0) {
        position++;
      } else {
        if (field.discriminant != tag) continue;
        is_known = true;
        put_item(record.get(), last - 1, new_reference(tables.names[index]));
        place = last;
      }
      auto& value = layouts.values[field.value];
      if (value.form < CCP_TEXT) {
        put_item(record.get(), place, scalar(data, value, field));
      } else if (value.form == CCP_GROUP) {
        if (++groups > MOST_GROUPS) decline();
        put_item(record.get(), place, structure(reader, value.detail, depth));
        groups--;
      } else if (field.offset < pointers.size() && load<uint64_t>(words + field.offset)) {
        put_item(record.get(), place, pointer(pointers[field.offset], words + field.offset, value, depth));
      } else {
        if (tables.absent[index] == Py_Ellipsis) decline();
        put_item(record.get(), place, new_reference(tables.absent[index]));
      }
    }
    if (!is_known) {
      put_item(record.get(), last - 1, PyLong_FromLong(tag));
      put_item(record.get(), last, new_reference(Py_None));
    }
    return record.release();
  }

  Budget budget;

private:
  const Source& source;
  const Tables& tables;
  const ccp_layouts& layouts;
  uint32_t groups = 0;

  static uint16_t tag_of(kj::ArrayPtr<const capnp::byte> data, const ccp_struct& type) {
    if (data.size() < size_t(type.tag_index + 1) * 2) return 0;
    return load<uint16_t>(data.begin() + type.tag_index * 2);
  }

  PyObject* scalar(kj::ArrayPtr<const capnp::byte> data, const ccp_value& value, const ccp_field& field) {
    if (value.form == CCP_VOID) return new_reference(Py_None);
    if (value.form == CCP_BOOL) {
      bool is_there = field.offset / 8 < data.size();
      bool is_set = is_there && data[field.offset / 8] >> field.offset % 8 & 1;
      return boolean(is_set != (field.mask != 0));
    }
    size_t size = bits(value.form) / 8, at = field.offset * size;
    static const capnp::byte zero[8] = {};
    return number(at + size <= data.size() ? data.begin() + at : zero, value, field.mask);
  }

  static PyObject* boolean(bool value) { return new_reference(value ? Py_True : Py_False); }

  PyObject* number(const capnp::byte* at, const ccp_value& value, uint64_t mask) {
    switch (value.form) {
      case CCP_INT8: return PyLong_FromLong(int8_t(*at ^ mask));
      case CCP_INT16: return PyLong_FromLong(int16_t(load<uint16_t>(at) ^ mask));
      case CCP_INT32: return PyLong_FromLong(int32_t(load<uint32_t>(at) ^ mask));
      case CCP_INT64: return PyLong_FromLongLong(int64_t(load<uint64_t>(at) ^ mask));
      case CCP_UINT8: return PyLong_FromLong(uint8_t(*at ^ mask));
      case CCP_UINT16: return PyLong_FromLong(uint16_t(load<uint16_t>(at) ^ mask));
      case CCP_UINT32: return PyLong_FromUnsignedLong(uint32_t(load<uint32_t>(at) ^ mask));
      case CCP_UINT64: return PyLong_FromUnsignedLongLong(load<uint64_t>(at) ^ mask);
      case CCP_ENUM: return enumerant(uint16_t(load<uint16_t>(at) ^ mask), tables.enums[value.detail]);
      case CCP_FLOAT32: {
        uint32_t bits = load<uint32_t>(at) ^ mask;
        float single;
        memcpy(&single, &bits, sizeof single);
        return PyFloat_FromDouble(single);
      }
      default: {
        uint64_t bits = load<uint64_t>(at) ^ mask;
        double real;
        memcpy(&real, &bits, sizeof real);
        return PyFloat_FromDouble(real);
      }
    }
  }

  static PyObject* enumerant(uint16_t number, PyObject* members) {
    if (number >= PyTuple_Size(members)) decline();
    return new_reference(PyTuple_GetItem(members, number));
  }

  // What a pointer that is not null leads to; ``at`` is where it is.
  PyObject* pointer(AnyPointer::Reader reader, const capnp::word* at, const ccp_value& value, int32_t depth) {
    auto tag = source.tag(at);
    budget.charge(tag.pad_words);
    if (value.form == CCP_STRUCT) {
      if (tag.kind() != STRUCT || depth <= 0) decline();
      budget.charge(tag.data_words() + tag.pointers());
      return structure(reader.getAs<AnyStruct>(), value.detail, depth - 1);
    }
    if (tag.kind() != LIST) decline();
    if (value.form == CCP_LIST) {
      if (depth <= 0) decline();
      return list(reader, tag, layouts.values[value.detail], depth - 1);
    }
    if (tag.element() != uint32_t(ElementSize::BYTE)) decline();
    budget.charge((tag.count() + 7) / 8);
    if (value.form == CCP_TEXT) return text(reader.getAs<capnp::Text>());
    if (value.form != CCP_DATA) decline();
    auto data = reader.getAs<capnp::Data>();
    return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(data.begin()), data.size());
  }

  static PyObject* text(capnp::Text::Reader text) {
    PyObject* found = PyUnicode_DecodeUTF8(text.begin(), text.size(), nullptr);
    if (!found && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
      PyErr_Clear();
      decline();
    }
    return found;
  }

  PyObject* list(AnyPointer::Reader reader, const Tag& tag, const ccp_value& element, int32_t depth) {
    if (element.form < CCP_TEXT) return numbers(reader, tag, element);
    if (element.form == CCP_STRUCT) return structures(reader, tag, element.detail, depth);
    if (element.form != CCP_TEXT && element.form != CCP_DATA && element.form != CCP_LIST) decline();
    if (tag.element() != uint32_t(ElementSize::POINTER)) decline();
    budget.charge(tag.count());
    auto pointers = reader.getAs<AnyList>().as<capnp::List<AnyPointer>>();
    auto words = tag.start();
    Owned values(new_tuple(pointers.size()));
    for (uint32_t index = 0; index < pointers.size(); index++) {
      bool is_set = load<uint64_t>(words + index);
      put_item(values.get(), index, is_set ? pointer(pointers[index], words + index, element, depth) : empty(element.form));
    }
    return values.release();
  }

  static PyObject* empty(uint32_t form) {
    if (form == CCP_TEXT) return PyUnicode_FromStringAndSize(nullptr, 0);
    return form == CCP_DATA ? PyBytes_FromStringAndSize(nullptr, 0) : PyTuple_New(0);
  }

  PyObject* structures(AnyPointer::Reader reader, const Tag& tag, uint32_t type, int32_t depth) {
    if (tag.element() != uint32_t(ElementSize::INLINE_COMPOSITE)) decline();
    budget.charge(uint64_t(tag.count()) + 1);
    auto elements = reader.getAs<AnyList>().as<capnp::List<AnyStruct>>();
    if (tag.structs() != elements.size()) decline();
    if (elements.size() && !elements[0].getDataSection().size() && !elements[0].getPointerSection().size()) {
      budget.charge(elements.size());  // else a few bytes would make any number of elements
    }
    Owned values(new_tuple(elements.size()));
    uint32_t index = 0;
    for (auto each: elements) put_item(values.get(), index++, structure(each, type, depth));
    return values.release();
  }

  PyObject* numbers(AnyPointer::Reader reader, const Tag& tag, const ccp_value& element) {
    uint32_t size = bits(element.form);
    if (tag.element() != uint32_t(element_size(size))) decline();
    budget.charge((uint64_t(tag.count()) * size + 63) / 64);
    if (!size) {
      budget.charge(tag.count());
      if (tag.count() > MOST_VOIDS) decline();
    }
    auto data = reader.getAs<AnyList>().getRawBytes();
    Owned values(new_tuple(tag.count()));
    for (uint32_t index = 0; index < tag.count(); index++) {
      if (!size) {
        put_item(values.get(), index, new_reference(Py_None));
      } else if (size == 1) {
        put_item(values.get(), index, boolean(data[index / 8] >> index % 8 & 1));
      } else {
        put_item(values.get(), index, number(data.begin() + size_t(index) * (size / 8), element, 0));
      }
    }
    return values.release();
  }
};

}  // namespace ccp::objects
