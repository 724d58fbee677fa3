// The type whose objects decode and encode the records of some types.

#include "records.hpp"

#include "record_decoder.hpp"
#include "record_encoder.hpp"

#include <capnp/message.h>

namespace ccp::objects {

PyTypeObject* records_type;
Py_ssize_t tuple_items;

namespace {

struct Records {
  PyObject_HEAD
  PyObject* parts;  // keeps all objects, and the layouts
  Tables* tables;
};

Tables& tables_of(PyObject* self) { return *reinterpret_cast<Records*>(self)->tables; }

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
  constexpr size_t LEAST = 512, MOST = 1 << 20;  // words to begin with, when how many there will be is but a guess
  size_t expected = std::max(LEAST, std::min(tables.expected_words, MOST));
  for (bool is_second = false;; is_second = true) {
    capnp::MallocMessageBuilder message(expected);
    RecordEncoder(tables).root(message.getRoot<AnyPointer>(), type, record);
    auto segments = message.getSegmentsForOutput();
    size_t words = words_of(segments);
    tables.expected_words = std::max(words + words / 8, tables.expected_words - tables.expected_words / 16);
    if (segments.size() == 1) return framed(segments);
    if (is_second || words > MOST_WORDS) decline();
    expected = words;
  }
}

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
  Owned mark(PyList_New(0)), probe(mark ? PyTuple_Pack(1, mark.get()) : nullptr);
  if (!probe) return false;
  for (tuple_items = sizeof(PyVarObject); ; tuple_items += sizeof(PyObject*)) {
    if (*reinterpret_cast<PyObject**>(reinterpret_cast<char*>(probe.get()) + tuple_items) == mark.get()) break;
    if (tuple_items > Py_ssize_t(sizeof(PyVarObject) + 4 * sizeof(PyObject*))) {
      return PyErr_SetString(PyExc_SystemError, "the items of a tuple are not to be found"), false;
    }
  }
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
