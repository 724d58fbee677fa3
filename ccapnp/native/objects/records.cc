// Whole trees as records: libcapnp follows and allocates, and Python's tuples are made and read right here.
//
// Records are immutable, and nothing that is made here leads back to one; so they are no matter for the collector of
// garbage, which would otherwise look at each of them again and again.

#include "records.hpp"

#include "../layouts.hpp"
#include "../source.hpp"

#include <float.h>
#include <math.h>

#include <capnp/message.h>

namespace ccp::objects {

PyTypeObject* records_type;

namespace {

using capnp::AnyList;
using capnp::AnyPointer;
using capnp::AnyStruct;
using capnp::ElementSize;

constexpr uint32_t MOST_VOIDS = 1 << 16;   // a list may have many elements without any memory
constexpr uint32_t MOST_GROUPS = 200;      // in each other: for the stack
constexpr int32_t MOST_DEPTH = 200;
constexpr size_t MOST_WORDS = (1 << 29) - 1;  // of a segment

// Thrown where an error of Python's is set.
struct PythonError {};

PyObject* made(PyObject* object) {
  if (!object) throw PythonError();
  return object;
}

// A record's class.
struct RecordClass {
  PyTypeObject* type;
  allocfunc allocate;
  Py_ssize_t size;  // of its tuples
};

struct Tables {
  const ccp_layouts* layouts;
  std::vector<RecordClass> classes;   // by struct
  std::vector<PyObject*> enums;       // tuples of members by number
  std::vector<PyObject*> numbers;     // dicts of an enum's numbers by name
  std::vector<PyObject*> absent;      // by field: what a null pointer reads as
  std::vector<PyObject*> names;       // by field
  size_t expected_words = 0;          // of the next message
};

struct Records {
  PyObject_HEAD
  PyObject* parts;  // keeps all objects, and the layouts
  Tables* tables;
};

Tables& tables_of(PyObject* self) { return *reinterpret_cast<Records*>(self)->tables; }

PyObject* new_tuple(Py_ssize_t size) {
  PyObject* tuple = made(PyTuple_New(size));
  if (size) PyObject_GC_UnTrack(tuple);
  return tuple;
}

void put(PyObject* tuple, Py_ssize_t position, PyObject* value) {
  if (PyTuple_SetItem(tuple, position, made(value))) throw PythonError();
}

// ---- decoding

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
        put(record.get(), last - 1, new_reference(tables.names[index]));
        place = last;
      }
      auto& value = layouts.values[field.value];
      if (value.form < CCP_TEXT) {
        put(record.get(), place, scalar(data, value, field));
      } else if (value.form == CCP_GROUP) {
        if (++groups > MOST_GROUPS) decline();
        put(record.get(), place, structure(reader, value.detail, depth));
        groups--;
      } else if (field.offset < pointers.size() && load<uint64_t>(words + field.offset)) {
        put(record.get(), place, pointer(pointers[field.offset], words + field.offset, value, depth));
      } else {
        if (tables.absent[index] == Py_Ellipsis) decline();
        put(record.get(), place, new_reference(tables.absent[index]));
      }
    }
    if (!is_known) {
      put(record.get(), last - 1, PyLong_FromLong(tag));
      put(record.get(), last, new_reference(Py_None));
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
      put(values.get(), index, is_set ? pointer(pointers[index], words + index, element, depth) : empty(element.form));
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
    for (auto each: elements) put(values.get(), index++, structure(each, type, depth));
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
        put(values.get(), index, new_reference(Py_None));
      } else if (size == 1) {
        put(values.get(), index, boolean(data[index / 8] >> index % 8 & 1));
      } else {
        put(values.get(), index, number(data.begin() + size_t(index) * (size / 8), element, 0));
      }
    }
    return values.release();
  }
};

// ---- encoding

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
      } else if (value != tables.absent[index] && value != Py_None && !are_both_empty(value, tables.absent[index])) {
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

// A message as it is sent: its segment table, and its segments.
PyObject* framed(kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
  size_t table = segments.size() / 2 + 1, size = table * 8;
  for (auto& each: segments) size += each.size() * 8;
  PyObject* bytes = made(PyBytes_FromStringAndSize(nullptr, size));
  char* out = PyBytes_AsString(bytes);
  store<uint64_t>(out + (table - 1) * 8, 0);  // where the table may have padding
  store<uint32_t>(out, segments.size() - 1);
  for (size_t index = 0; index < segments.size(); index++) store<uint32_t>(out + 4 + index * 4, segments[index].size());
  out += table * 8;
  for (auto& each: segments) {
    memcpy(out, each.begin(), each.size() * 8);
    out += each.size() * 8;
  }
  return bytes;
}

size_t words_of(kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
  size_t words = 0;
  for (auto& each: segments) words += each.size();
  return words;
}

PyObject* encode_message(Tables& tables, uint32_t type, PyObject* record) {
  constexpr size_t LEAST = 512;
  for (bool is_second = false;; is_second = true) {
    capnp::MallocMessageBuilder message(std::max(LEAST, std::min(tables.expected_words, MOST_WORDS)));
    RecordEncoder(tables).root(message.getRoot<AnyPointer>(), type, record);
    auto segments = message.getSegmentsForOutput();
    size_t words = words_of(segments);
    tables.expected_words = std::max(words + words / 8, tables.expected_words - tables.expected_words / 16);
    if (segments.size() == 1) return framed(segments);
    if (is_second) decline();
  }
}

// ---- what Python calls

// The result of a piece of work; None where it is declined, or libcapnp refuses.
template <typename Work>
PyObject* attempted(Work&& work) noexcept {
  PyObject* result = nullptr;
  bool is_error = false;
  auto status = guarded([&]() {
    try {
      result = work();
    } catch (const PythonError&) {
      is_error = true;
    }
  });
  if (is_error) return nullptr;
  if (status == CCP_NO_MEMORY) return PyErr_NoMemory();
  return status == CCP_OK ? result : new_reference(Py_None);
}

// decode(type, segments, segment_count, segment, word, sizes, depth, budget) -> (record, words traversed) or None
PyObject* decode(PyObject* self, PyObject* arguments) {
  unsigned int type, count, segment, word, sizes;
  unsigned long long segments, budget;
  int depth;
  if (!PyArg_ParseTuple(arguments, "IKIIIIiK:decode", &type, &segments, &count, &segment, &word, &sizes, &depth, &budget)) {
    return nullptr;
  }
  auto& tables = tables_of(self);
  return attempted([&]() {
    if (type >= tables.classes.size()) decline();
    auto first = reinterpret_cast<const ccp_segment*>(uintptr_t(segments));
    Source source({kj::arrayPtr(first, count), segment, word, sizes, depth, budget});
    RecordDecoder decoder(source, tables, budget);
    PyObject* record = decoder.structure(source.root, type, depth);
    return Py_BuildValue("NK", record, (unsigned long long)decoder.budget.used());
  });
}

// The segments of a framed message, and where it ends.
const uint8_t* parsed(const uint8_t* at, const uint8_t* end, std::vector<ccp_segment>& segments) {
  size_t count = size_t(load<uint32_t>(at)) + 1, table = (count / 2 + 1) * 8;
  if (count > 512 || table > size_t(end - at)) decline();
  const uint8_t* start = at + table;
  for (size_t index = 0; index < count; index++) {
    size_t words = load<uint32_t>(at + 4 + index * 4);
    if (words > MOST_WORDS || words * 8 > size_t(end - start)) decline();
    segments.push_back({reinterpret_cast<const uint64_t*>(start), words});
    start += words * 8;
  }
  return start;
}

// decode_flat(type, data, start, limit words, depth) -> (record, end) or None: a framed message in bytes
PyObject* decode_flat(PyObject* self, PyObject* arguments) {
  unsigned int type;
  PyObject* data;
  Py_ssize_t start;
  unsigned long long limit;
  int depth;
  if (!PyArg_ParseTuple(arguments, "ISnKi:decode_flat", &type, &data, &start, &limit, &depth)) return nullptr;
  auto& tables = tables_of(self);
  return attempted([&]() -> PyObject* {
    Py_ssize_t size = PyBytes_Size(data);
    auto bytes = reinterpret_cast<const uint8_t*>(PyBytes_AsString(data));
    if (type >= tables.classes.size() || start < 0 || start > size || size - start < 16) decline();
    std::vector<ccp_segment> segments;
    const uint8_t* end = parsed(bytes + start, bytes + size, segments);
    auto& first = segments[0];
    if (uintptr_t(first.words) & 7 || !first.size) decline();
    uint64_t root = load<uint64_t>(first.words);
    uint32_t low = uint32_t(root), sizes = root >> 32;
    uint64_t own = (sizes & 0xffff) + (sizes >> 16), word = 1 + (low >> 2);
    if (low & 3 || !sizes || word + own > first.size || limit < 2 + own || depth < 1) decline();
    uint64_t budget = limit - 2 - own;
    Source source({kj::arrayPtr(segments.data(), segments.size()), 0, uint32_t(word), sizes, depth - 1, budget});
    RecordDecoder decoder(source, tables, budget);
    PyObject* record = decoder.structure(source.root, type, depth - 1);
    return Py_BuildValue("Nn", record, Py_ssize_t(end - bytes));
  });
}

// encode(type, record or dict) -> the framed message or None
PyObject* encode(PyObject* self, PyObject* arguments) {
  unsigned int type;
  PyObject* record;
  if (!PyArg_ParseTuple(arguments, "IO:encode", &type, &record)) return nullptr;
  auto& tables = tables_of(self);
  return attempted([&]() {
    if (type >= tables.classes.size()) decline();
    return encode_message(tables, type, record);
  });
}

// set_absent(field, what its null pointer reads as)
PyObject* set_absent(PyObject* self, PyObject* arguments) {
  Py_ssize_t index;
  PyObject* value;
  if (!PyArg_ParseTuple(arguments, "nO:set_absent", &index, &value)) return nullptr;
  auto& tables = tables_of(self);
  auto& records = *reinterpret_cast<Records*>(self);
  if (index < 0 || size_t(index) >= tables.absent.size()) return PyErr_SetString(PyExc_IndexError, "field"), nullptr;
  PyObject* both = PyTuple_Pack(2, records.parts, value);
  if (!both) return nullptr;
  Py_DECREF(records.parts);
  records.parts = both;
  tables.absent[index] = value;
  return new_reference(Py_None);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<Records*>(self)->parts);
  return 0;
}

int clear(PyObject* self) {
  // The tables borrow from the parts, and whoever calls from now on finds none of them.
  auto& tables = tables_of(self);
  tables.classes.clear();
  Py_CLEAR(reinterpret_cast<Records*>(self)->parts);
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delete reinterpret_cast<Records*>(self)->tables;
  Py_CLEAR(reinterpret_cast<Records*>(self)->parts);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyMethodDef methods[] = {
    {"decode", decode, METH_VARARGS, "A struct anywhere in a message as a record, and the words traversed; or None."},
    {"decode_flat", decode_flat, METH_VARARGS, "A framed message as a record, and where it ends; or None."},
    {"set_absent", set_absent, METH_VARARGS, "Say what a field's null pointer reads as."},
    {"encode", encode, METH_VARARGS, "A framed message with a record as its root; or None."},
    {},
};

PyType_Slot slots_of_type[] = {
    {Py_tp_doc, const_cast<char*>("Decodes and encodes the records of some types.")},
    {Py_tp_methods, methods},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {},
};

PyType_Spec spec = {
    "ccapnp.native._objects.Records", sizeof(Records), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots_of_type,
};

std::vector<PyObject*> items(PyObject* tuple) {
  std::vector<PyObject*> found(PyTuple_Size(tuple));
  for (size_t index = 0; index < found.size(); index++) found[index] = PyTuple_GetItem(tuple, index);
  return found;
}

}  // namespace

bool make_records_type() {
  records_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return records_type;
}

// records(layouts' address, layouts, classes, sizes of their tuples, enums' members, and numbers by name; by field: absent,
// names)
PyObject* new_records(PyObject*, PyObject* arguments) {
  unsigned long long address;
  PyObject *owner, *classes, *sizes, *enums, *numbers, *absent, *names;
  if (!PyArg_ParseTuple(
          arguments, "KOO!O!O!O!O!O!:records", &address, &owner, &PyTuple_Type, &classes, &PyTuple_Type, &sizes,
          &PyTuple_Type, &enums, &PyTuple_Type, &numbers, &PyTuple_Type, &absent, &PyTuple_Type, &names)) return nullptr;
  auto layouts = reinterpret_cast<const ccp_layouts*>(uintptr_t(address));
  if (size_t(PyTuple_Size(classes)) != layouts->structs.size() || PyTuple_Size(sizes) != PyTuple_Size(classes) ||
      size_t(PyTuple_Size(enums)) != layouts->enums.size() || PyTuple_Size(numbers) != PyTuple_Size(enums) ||
      size_t(PyTuple_Size(absent)) != layouts->fields.size() || PyTuple_Size(names) != PyTuple_Size(absent)) {
    return PyErr_SetString(PyExc_ValueError, "the tables are not those of the layouts"), nullptr;
  }
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(records_type, Py_tp_alloc));
  Owned self(allocate(records_type, 0));
  if (!self) return nullptr;
  return attempted([&]() {
    auto& records = *reinterpret_cast<Records*>(self.get());
    records.tables = new Tables{layouts, {}, items(enums), items(numbers), items(absent), items(names)};
    for (PyObject* each: items(classes)) {
      auto type = reinterpret_cast<PyTypeObject*>(each);
      Py_ssize_t size = PyLong_AsSsize_t(PyTuple_GetItem(sizes, records.tables->classes.size()));
      records.tables->classes.push_back({type, reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc)), size});
    }
    records.parts = new_reference(arguments);
    return self.release();
  });
}

}  // namespace ccp::objects
