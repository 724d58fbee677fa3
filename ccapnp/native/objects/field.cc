// Fields' descriptors: what a property of Python does, in the common case without running any Python.
//
// Each holds the property's two functions, and calls them for whatever is not as usual: they know all cases, and find
// the words for what is wrong.

#include "field.hpp"

#include "trees.hpp"

#include <float.h>

namespace ccp::objects {

PyTypeObject* field_type;
static PyObject* type_name;  // "_type", of classes of views

namespace {

Field& field(PyObject* self) { return *reinterpret_cast<Field*>(self); }

// Whether the struct has the field: it is in no union, or the active member of its own.
bool is_active(const Field& f, const Place& place) {
  if (f.tag < 0) return true;
  size_t start = size_t(f.tag_index) * 2;
  if (place.data_bits() < (start + 2) * 8) return f.tag == 0;
  auto data = place.data(start, 2);
  return data && load<uint16_t>(data) == f.tag;
}

// ---- reading

template <typename T>
T number_at(const uint8_t* data, const Field& f) {
  return T(load<T>(data) ^ T(f.mask));
}

PyObject* read_number(const Field& f, const uint8_t* data) {
  switch (f.form) {
    case INT8: return PyLong_FromLong(int8_t(number_at<uint8_t>(data, f)));
    case INT16: return PyLong_FromLong(int16_t(number_at<uint16_t>(data, f)));
    case INT32: return PyLong_FromLong(int32_t(number_at<uint32_t>(data, f)));
    case INT64: return PyLong_FromLongLong(int64_t(number_at<uint64_t>(data, f)));
    case UINT8: return PyLong_FromLong(number_at<uint8_t>(data, f));
    case UINT16: return PyLong_FromLong(number_at<uint16_t>(data, f));
    case UINT32: return PyLong_FromUnsignedLong(number_at<uint32_t>(data, f));
    case UINT64: return PyLong_FromUnsignedLongLong(number_at<uint64_t>(data, f));
    case ENUM: {
      auto number = number_at<uint16_t>(data, f);
      PyObject* member = number < f.member_count ? PyTuple_GetItem(f.members, number) : nullptr;
      return member && member != Py_None ? new_reference(member) : nullptr;
    }
    case FLOAT32: {
      uint32_t bits = number_at<uint32_t>(data, f);
      float value;
      memcpy(&value, &bits, sizeof value);
      return PyFloat_FromDouble(value);
    }
    case FLOAT64: {
      uint64_t bits = number_at<uint64_t>(data, f);
      double value;
      memcpy(&value, &bits, sizeof value);
      return PyFloat_FromDouble(value);
    }
    default: return nullptr;
  }
}

PyObject* read_scalar(const Field& f, const Place& place) {
  if (f.form == VOID) return new_reference(Py_None);
  if (f.end_bits > place.data_bits()) return new_reference(f.absent);
  if (f.form == BOOL) {
    auto data = place.data(f.offset / 8, 1);
    if (!data) return nullptr;
    return new_reference((*data >> f.offset % 8 & 1) != (f.mask != 0) ? Py_True : Py_False);
  }
  auto data = place.data(f.offset, f.end_bits / 8 - f.offset);
  return data ? read_number(f, data) : nullptr;
}

PyObject* read_data(const Place& place, const Target& target) {
  if (!target.pointer.is_list(2)) return nullptr;
  size_t count = target.pointer.high >> 3;
  auto data = target.bytes(target.start() * 8, count);
  if (!data || !place.charge(target.pad_words + (count + 7) / 8)) return nullptr;
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(data), count);
}

// A list of numbers is a view of them.
PyObject* read_numbers(const Field& f, const Place& place, const Target& target) {
  uint32_t element = f.width == 1 ? 2 : f.width == 2 ? 3 : f.width == 4 ? 4 : 5;
  size_t count = target.pointer.high >> 3, words = (count * f.width + 7) / 8;
  if (!target.pointer.is_list(element) || !words || integer(place.shape, slots.depth) <= 0) return nullptr;
  if (!target.bytes(target.start() * 8, words * 8) || (f.is_builder && !Place::is_own(target.segment))) return nullptr;
  Owned segment(new_reference(target.segment));
  size_t first = target.start() * 8 / f.width;
  Owned start(PyLong_FromSize_t(first)), stop(PyLong_FromSize_t(first + count));
  Owned all(PyObject_GetAttr(segment.get(), f.view_name));
  Owned slice(start && stop ? PySlice_New(start.get(), stop.get(), nullptr) : nullptr);
  Owned view(all && slice ? PyObject_GetItem(all.get(), slice.get()) : nullptr);
  PyObject* list = view && place.charge(target.pad_words + words) ? f.allocate(f.make, 0) : nullptr;
  if (!list) return nullptr;
  slot(list, slots.numbers_type) = new_reference(f.list_type);
  slot(list, slots.numbers_view) = view.release();
  return list;
}

// Whether a builder may write to structs of such sizes as to those of the schema.
bool are_enough(const Field& f, uint32_t sizes) {
  return !f.is_builder || ((sizes & 0xFFFF) >= f.data_words && sizes >> 16 >= f.pointers);
}

PyObject* read_struct(const Field& f, const Place& place, const Target& target) {
  uint32_t sizes = target.pointer.high;
  if (!target.pointer.is_struct() || !are_enough(f, sizes)) return nullptr;
  size_t start = target.start(), words = (sizes & 0xFFFF) + (sizes >> 16);
  if (start + words > size_t(target.size)) return nullptr;
  PyObject* shape = place.child(target.segment, sizes);
  if (!shape || !place.charge(target.pad_words + words)) return nullptr;
  return new_view(f.make, f.allocate, shape, start);
}

PyObject* read_structs(const Field& f, const Place& place, const Target& target) {
  if (!target.pointer.is_list(7)) return nullptr;
  size_t tag_at = target.start(), words = target.pointer.high >> 3;
  if (tag_at + words >= size_t(target.size)) return nullptr;
  Pointer tag = Place::load_from(target.base, tag_at);
  size_t count = tag.low >> 2, each = (tag.high & 0xFFFF) + (tag.high >> 16);
  if (tag.low & 3 || !count || !each || count * each > words || !are_enough(f, tag.high)) return nullptr;
  PyObject* shape = place.child(target.segment, tag.high);
  if (!shape || !place.charge(target.pad_words + words + 1)) return nullptr;
  return new_list(f.make, f.allocate, f.list_type, shape, tag_at + 1, count);
}

PyObject* read_pointer(const Field& f, const Place& place) {
  Py_ssize_t at = place.pointer(f.offset);
  if (at < 0) return nullptr;
  if (place.load(at).is_null()) return f.absent ? new_reference(f.absent) : nullptr;
  Target target;
  if (!place.follow(at, target)) return nullptr;
  switch (f.form) {
    case TEXT: return read_text(place, target);
    case DATA: return read_data(place, target);
    case NUMBERS: return read_numbers(f, place, target);
    case STRUCT: return read_struct(f, place, target);
    default: return read_structs(f, place, target);
  }
}

// The field of a view; nullptr, without an error, where that is declined.
PyObject* read(const Field& f, PyObject* view) {
  Place place;
  if (!place.of(view) || !is_active(f, place)) return nullptr;
  if (f.form < TEXT) return read_scalar(f, place);
  if (f.form == GROUP) return new_view(f.make, f.allocate, place.shape, place.word);
  return read_pointer(f, place);
}

PyObject* get(PyObject* self, PyObject* view, PyObject*) {
  Field& f = field(self);
  if (!view || view == Py_None) return new_reference(self);
  if (PyObject_TypeCheck(view, a_view)) {
    PyObject* found = read(f, view);
    if (found) return found;
    if (PyErr_Occurred()) PyErr_Clear();
  }
  return PyObject_CallFunctionObjArgs(f.get, view, nullptr);
}

// ---- writing

bool signed_number(PyObject* value, long long low, long long high, long long& number) {
  if (!PyLong_CheckExact(value)) return false;
  number = PyLong_AsLongLong(value);
  if (number == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
  return low <= number && number <= high;
}

template <typename T>
bool write_integer(const Field& f, uint8_t* data, PyObject* value, long long low, long long high) {
  long long number;
  if (!signed_number(value, low, high, number)) return false;
  store<T>(data, T(number) ^ T(f.mask));
  return true;
}

bool write_float(const Field& f, uint8_t* data, PyObject* value) {
  if (!PyFloat_CheckExact(value) || f.mask) return false;
  double number = PyFloat_AsDouble(value);
  if (f.form == FLOAT64) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    store<uint64_t>(data, bits);
    return true;
  }
  if (!(-FLT_MAX < number && number < FLT_MAX)) return false;
  float single = float(number);
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  store<uint32_t>(data, bits);
  return true;
}

bool write_enum(const Field& f, uint8_t* data, PyObject* value) {
  long long number;
  if (PyUnicode_CheckExact(value)) {
    PyObject* known = PyDict_GetItemWithError(f.numbers, value);
    if (!known) return PyErr_Clear(), false;
    if (!signed_number(known, 0, UINT16_MAX, number)) return false;
  } else if (f.member_count && Py_TYPE(value) == Py_TYPE(PyTuple_GetItem(f.members, 0))) {
    number = PyLong_AsLongLong(value);
    if (number < 0 || number > UINT16_MAX) return PyErr_Clear(), false;
  } else if (!signed_number(value, 0, UINT16_MAX, number)) {
    return false;
  }
  store<uint16_t>(data, uint16_t(number) ^ uint16_t(f.mask));
  return true;
}

bool write_number(const Field& f, uint8_t* data, PyObject* value) {
  switch (f.form) {
    case INT8: return write_integer<uint8_t>(f, data, value, INT8_MIN, INT8_MAX);
    case INT16: return write_integer<uint16_t>(f, data, value, INT16_MIN, INT16_MAX);
    case INT32: return write_integer<uint32_t>(f, data, value, INT32_MIN, INT32_MAX);
    case INT64: return write_integer<uint64_t>(f, data, value, INT64_MIN, INT64_MAX);
    case UINT8: return write_integer<uint8_t>(f, data, value, 0, UINT8_MAX);
    case UINT16: return write_integer<uint16_t>(f, data, value, 0, UINT16_MAX);
    case UINT32: return write_integer<uint32_t>(f, data, value, 0, UINT32_MAX);
    case UINT64: return write_integer<uint64_t>(f, data, value, 0, INT64_MAX);  // larger ones are rare
    case ENUM: return write_enum(f, data, value);
    default: return write_float(f, data, value);
  }
}

bool write_scalar(const Field& f, const Place& place, PyObject* value) {
  if (f.form == VOID) return value == Py_None;
  if (f.end_bits > place.data_bits()) return false;
  if (f.form == BOOL) {
    auto data = place.data(f.offset / 8, 1);
    if (!data || (value != Py_True && value != Py_False)) return false;
    uint8_t bit = 1 << f.offset % 8;
    *data = (value == Py_True) != (f.mask != 0) ? *data | bit : *data & ~bit;
    return true;
  }
  auto data = place.data(f.offset, f.end_bits / 8 - f.offset);
  return data && write_number(f, data, value);
}

bool write_data(const Field& f, const Place& place, PyObject* value) {
  Py_ssize_t at = place.pointer(f.offset);
  if (at < 0 || !PyBytes_CheckExact(value)) return false;
  Pointer old = place.load(at);
  size_t size = PyBytes_Size(value);
  Target made;
  if (size >= 1 << 29 || !is_plain(place, at, old)) return false;
  if (!place.allocate(at, (size + 7) / 8, 1, uint32_t(size) << 3 | 2, 0, made)) return false;
  auto data = made.bytes(made.at * 8, size);
  if (data && size) memcpy(data, PyBytes_AsString(value), size);
  clear(place, at, old);
  return data;
}

bool are_of_same_type(PyTypeObject* one, PyTypeObject* other) {
  Owned its_type(PyObject_GetAttr(reinterpret_cast<PyObject*>(one), type_name));
  Owned other_type(PyObject_GetAttr(reinterpret_cast<PyObject*>(other), type_name));
  return its_type && its_type.get() == other_type.get();
}

bool write_struct(const Field& f, const Place& place, PyObject* value) {
  Py_ssize_t at = place.pointer(f.offset);
  Place source;
  if (at < 0 || !PyObject_TypeCheck(value, a_view) || !source.of(value)) return false;
  if (!are_of_same_type(Py_TYPE(value), f.make)) return PyErr_Clear(), false;
  Pointer old = place.load(at);
  if (!is_plain(place, at, old) || !copy_struct(place, at, source)) return false;
  clear(place, at, old);
  return true;
}

bool write(const Field& f, PyObject* view, PyObject* value) {
  Place place;
  if (!place.of(view) || !place.is_writable()) return false;
  if (f.form < TEXT) {
    if (!write_scalar(f, place, value)) return false;
  } else if (f.form == TEXT) {
    if (!write_text(place, place.pointer(f.offset), value, false)) return false;
  } else if (f.form == DATA) {
    if (!write_data(f, place, value)) return false;
  } else if (f.form != STRUCT || !write_struct(f, place, value)) {
    return false;
  }
  activate(f, place);
  return true;
}

int set(PyObject* self, PyObject* view, PyObject* value) {
  Field& f = field(self);
  if (!value) return PyErr_SetString(PyExc_AttributeError, "a field cannot be deleted"), -1;
  if (f.is_builder && PyObject_TypeCheck(view, a_view) && write(f, view, value)) return 0;
  PyObject* done = PyObject_CallFunctionObjArgs(f.set, view, value, nullptr);
  Py_XDECREF(done);
  return done ? 0 : -1;
}

// ---- the type

#define OBJECTS(each) each(get) each(set) each(absent) each(members) each(numbers) each(list_type) each(make) each(view_name)

int traverse(PyObject* self, visitproc visit, void* arg) {
  Field& f = field(self);
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
#define EACH(name) Py_VISIT(f.name);
  OBJECTS(EACH)
#undef EACH
  return 0;
}

int clear(PyObject* self) {
  Field& f = field(self);
#define EACH(name) Py_CLEAR(f.name);
  OBJECTS(EACH)
#undef EACH
  return 0;
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyObject* fget(PyObject* self, void*) { return new_reference(field(self).get); }
PyObject* fset(PyObject* self, void*) { return new_reference(field(self).set); }

PyGetSetDef attributes[] = {
    {"fget", fget, nullptr, "The function that reads the field in all cases.", nullptr},
    {"fset", fset, nullptr, "The function that sets the field in all cases.", nullptr},
    {},
};

PyType_Slot type_slots[] = {
    {Py_tp_doc, const_cast<char*>("A field of a struct, as a property.")},
    {Py_tp_descr_get, reinterpret_cast<void*>(get)},
    {Py_tp_descr_set, reinterpret_cast<void*>(set)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_getset, attributes},
    {},
};

PyType_Spec type_spec = {
    "ccapnp.native._objects.Field", sizeof(Field), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, type_slots,
};

}  // namespace

bool write_text(const Place& place, Py_ssize_t at, PyObject* value, bool is_in_new) {
  Py_ssize_t size;
  if (at < 0 || at >= place.size || !PyUnicode_CheckExact(value)) return false;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (!text) return PyErr_Clear(), false;
  if (size >= (1 << 29) - 1) return false;
  Pointer old = place.load(at);
  uint32_t high = uint32_t(size + 1) << 3 | 2;
  uint8_t* data;
  if (old.high == high && (old.low & 3) == 1 && old.low < 0x80000000) {  // of the same size: in its place
    Target same;
    data = place.follow(at, same) ? same.bytes(same.start() * 8, size + 1) : nullptr;
  } else {
    Target made;
    if (!is_plain(place, at, old)) return false;
    if (!place.allocate(at, size_t(size) / 8 + 1, 1, high, 0, made, is_in_new)) return false;
    data = made.bytes(made.at * 8, size + 1);
    clear(place, at, old);
  }
  if (!data) return false;
  memcpy(data, text, size);
  data[size] = 0;
  return true;
}

PyObject* read_text(const Place& place, const Target& target) {
  if (!target.pointer.is_list(2)) return nullptr;
  size_t count = target.pointer.high >> 3;
  auto data = count ? target.bytes(target.start() * 8, count) : nullptr;
  if (!data || data[count - 1]) return nullptr;
  PyObject* text = PyUnicode_DecodeUTF8(reinterpret_cast<const char*>(data), count - 1, nullptr);
  if (!text) return PyErr_Clear(), nullptr;
  if (place.charge(target.pad_words + (count + 7) / 8)) return text;
  Py_DECREF(text);
  return nullptr;
}

void activate(const Field& f, const Place& place) {
  if (f.tag < 0) return;
  auto data = place.data(size_t(f.tag_index) * 2, 2);
  if (data) store<uint16_t>(data, f.tag);
}

bool make_field_type() {
  type_name = PyUnicode_InternFromString("_type");
  field_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&type_spec));
  return type_name && field_type;
}

PyObject* new_field(PyObject*, PyObject* arguments) {
  PyObject *get, *set, *absent, *members, *numbers, *make, *list_type, *view_name;
  int form, is_builder, tag;
  unsigned int offset, end_bits, tag_index, data_words, pointers, width;
  unsigned long long mask;
  if (!PyArg_ParseTuple(
          arguments, "OOpiIIKiIOO!O!OOIIUI:field", &get, &set, &is_builder, &form, &offset, &end_bits, &mask, &tag,
          &tag_index, &absent, &PyTuple_Type, &members, &PyDict_Type, &numbers, &make, &list_type, &data_words,
          &pointers, &view_name, &width)) return nullptr;
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(field_type, Py_tp_alloc));
  PyObject* self = allocate(field_type, 0);
  if (!self) return nullptr;
  Field& f = field(self);
  f.get = new_reference(get);
  f.set = new_reference(set);
  f.members = new_reference(members);
  f.numbers = new_reference(numbers);
  f.member_count = PyTuple_Size(members);
  if (f.member_count && PyTuple_GetItem(members, 0) == Py_None) f.member_count = 0;
  f.absent = absent == Py_Ellipsis ? nullptr : new_reference(absent);
  if (make != Py_None) {
    f.make = reinterpret_cast<PyTypeObject*>(new_reference(make));
    f.allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(f.make, Py_tp_alloc));
  }
  f.list_type = new_reference(list_type);
  f.is_builder = is_builder;
  f.form = Form(form);
  f.offset = offset;
  f.end_bits = end_bits;
  f.mask = mask;
  f.tag = tag;
  f.tag_index = tag_index;
  f.data_words = data_words;
  f.pointers = pointers;
  f.view_name = new_reference(view_name);
  f.width = width;
  if (form == NUMBERS && !find_number_list(make)) return Py_DECREF(self), nullptr;
  return self;
}

}  // namespace ccp::objects
