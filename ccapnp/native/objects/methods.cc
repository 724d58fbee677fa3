// Methods of views and lists, in the common case: `init`, `which`, a list's elements.

#include "methods.hpp"

#include "field.hpp"
#include "trees.hpp"

namespace ccp::objects {

namespace {

// ---- init

// A new struct for a field; nullptr where that is declined.
PyObject* init_struct(const Field& f, const Place& place, Py_ssize_t at) {
  uint32_t sizes = f.data_words | f.pointers << 16;
  Pointer old = place.load(at);
  Target made;
  if (!sizes || !is_plain(place, at, old) || !place.allocate(at, f.data_words + f.pointers, 0, sizes, sizes, made)) return nullptr;
  clear(place, at, old);
  activate(f, place);
  return new_view(f.make, f.allocate, made.segment, made.at);
}

// A new list of structs.
PyObject* init_structs(const Field& f, const Place& place, Py_ssize_t at, PyObject* count) {
  uint32_t sizes = f.data_words | f.pointers << 16;
  if (!PyLong_CheckExact(count) || !sizes) return nullptr;
  long long number = PyLong_AsLongLong(count);
  if (number <= 0 || number >= 1 << 29) return PyErr_Clear(), nullptr;
  uint64_t words = uint64_t(number) * (f.data_words + f.pointers);
  Pointer old = place.load(at);
  Target made;
  if (words >= (1 << 29) - 1 || !is_plain(place, at, old)) return nullptr;
  if (!place.allocate(at, words + 1, 1, uint32_t(words) << 3 | 7, sizes, made)) return nullptr;
  Place::store_to(made.base, made.at, {uint32_t(number) << 2, sizes});
  clear(place, at, old);
  activate(f, place);
  return new_list(f.make, f.allocate, f.list_type, made.segment, made.at + 1, number);
}

PyObject* init_field(PyObject* view, PyObject* name, PyObject* size) {
  Owned found(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(view)), name));
  Place place;
  if (!found || Py_TYPE(found.get()) != field_type || !place.of(view) || !place.is_writable()) return nullptr;
  auto& f = *reinterpret_cast<Field*>(found.get());
  if (f.form != STRUCT && f.form != STRUCTS) return nullptr;
  Py_ssize_t at = place.pointer(f.offset);
  if (at < 0) return nullptr;
  if (f.form == STRUCTS) return size == Py_None ? nullptr : init_structs(f, place, at, size);
  return size == Py_None ? init_struct(f, place, at) : nullptr;
}

PyObject* init_in_python;

PyObject* init(PyObject* view, PyObject* arguments, PyObject* keywords) {
  if (!keywords && PyTuple_Size(arguments) <= 2 && PyTuple_Size(arguments) >= 1) {
    PyObject* name = PyTuple_GetItem(arguments, 0);
    PyObject* size = PyTuple_Size(arguments) == 2 ? PyTuple_GetItem(arguments, 1) : Py_None;
    PyObject* made = PyUnicode_CheckExact(name) ? init_field(view, name, size) : nullptr;
    if (made) return made;
    PyErr_Clear();
  }
  Py_ssize_t count = PyTuple_Size(arguments);
  Owned all(PyTuple_New(count + 1));
  if (!all) return nullptr;
  PyTuple_SetItem(all.get(), 0, new_reference(view));
  for (Py_ssize_t index = 0; index < count; index++) {
    PyTuple_SetItem(all.get(), index + 1, new_reference(PyTuple_GetItem(arguments, index)));
  }
  return PyObject_Call(init_in_python, all.get(), keywords);
}

PyMethodDef init_method = {
    "init", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(init)), METH_VARARGS | METH_KEYWORDS, nullptr,
};

// ---- which

PyObject *which_in_python, *union_name;

PyObject* which(PyObject* view, PyObject*) {
  Place place;
  Owned its_union(PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(view)), union_name));
  if (its_union && PyTuple_Check(its_union.get()) && place.of(view)) {
    size_t start = size_t(PyLong_AsSsize_t(PyTuple_GetItem(its_union.get(), 0))) * 2;
    PyObject* names = PyTuple_GetItem(its_union.get(), 1);
    auto data = place.data(start, 2);
    Py_ssize_t tag = data && (start + 2) * 8 <= place.data_bits() ? load<uint16_t>(data) : 0;
    if (tag < PyTuple_Size(names)) return new_reference(PyTuple_GetItem(names, tag));
  }
  PyErr_Clear();
  return PyObject_CallFunctionObjArgs(which_in_python, view, nullptr);
}

PyMethodDef which_method = {"which", which, METH_NOARGS, nullptr};

// ---- elements of lists of structs

PyObject *reader_name, *builder_name, *getitem_in_python;

// ``elements`` names the class of the views among what the list's type has.
PyObject* item(PyObject* list, PyObject* index, PyObject* elements) {
  PyObject* shape = slot(list, slots.list_shape);
  if (PyLong_CheckExact(index) && shape && (Py_TYPE(shape) == read_shape || Py_TYPE(shape) == build_shape)) {
    Py_ssize_t count = integer(list, slots.list_count), position = PyLong_AsSsize_t(index);
    if (position == -1 && PyErr_Occurred()) PyErr_Clear(), position = count;
    if (position < 0) position += count;
    PyObject* type = slot(list, slots.list_type);
    if (position >= 0 && position < count && type) {
      Owned view_type(PyObject_GetAttr(type, elements));
      if (view_type) {
        auto made = reinterpret_cast<PyTypeObject*>(view_type.get());
        auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(made, Py_tp_alloc));
        Py_ssize_t word = integer(list, slots.list_word) + position * integer(shape, slots.words);
        return new_view(made, allocate, shape, word);
      }
    }
    PyErr_Clear();
  }
  return PyObject_CallFunctionObjArgs(getitem_in_python, list, index, nullptr);
}

PyObject* reader_item(PyObject* list, PyObject* index) { return item(list, index, reader_name); }
PyObject* builder_item(PyObject* list, PyObject* index) { return item(list, index, builder_name); }

PyMethodDef reader_item_method = {"__getitem__", reader_item, METH_O, nullptr};
PyMethodDef builder_item_method = {"__getitem__", builder_item, METH_O, nullptr};

// An iterator over structs, or over texts: then ``type`` is NULL, and ``item(index)`` gives what is not as usual.
struct Views {
  PyObject_HEAD
  PyTypeObject* type;
  allocfunc allocate;
  PyObject* shape;
  PyObject* item;
  Py_ssize_t word, step, index, count;
};

Views& views_of(PyObject* self) { return *reinterpret_cast<Views*>(self); }

// The text that the pointer at a word leads to; nullptr where that is declined.
PyObject* text_at(PyObject* shape, Py_ssize_t word) {
  Place place;
  Target target;
  if (!place.of(shape, word) || word >= place.size || !place.follow(word, target)) return nullptr;
  return read_text(place, target);
}

PyObject* next_view(PyObject* self) {
  Views& views = views_of(self);
  if (views.index >= views.count) return nullptr;
  Py_ssize_t index = views.index++, word = views.word;
  views.word += views.step;
  if (views.type) return new_view(views.type, views.allocate, views.shape, word);
  PyObject* text = text_at(views.shape, word);
  return text ? text : PyObject_CallFunction(views.item, "n", index);
}

PyObject* length_hint(PyObject* self, PyObject*) { return PyLong_FromSsize_t(views_of(self).count - views_of(self).index); }

int traverse_views(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(views_of(self).type);
  Py_VISIT(views_of(self).shape);
  Py_VISIT(views_of(self).item);
  return 0;
}

void deallocate_views(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_CLEAR(views_of(self).type);
  Py_CLEAR(views_of(self).shape);
  Py_CLEAR(views_of(self).item);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyMethodDef views_methods[] = {{"__length_hint__", length_hint, METH_NOARGS, nullptr}, {}};

PyType_Slot views_slots[] = {
    {Py_tp_doc, const_cast<char*>("The structs of a list, one after the other.")},
    {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
    {Py_tp_iternext, reinterpret_cast<void*>(next_view)},
    {Py_tp_methods, views_methods},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_views)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate_views)},
    {},
};

PyType_Spec views_spec = {
    "ccapnp.native._objects.Views", sizeof(Views), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, views_slots,
};

PyTypeObject* views_type;

}  // namespace

bool make_views_type() {
  views_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&views_spec));
  union_name = PyUnicode_InternFromString("_union");
  reader_name = PyUnicode_InternFromString("reader");
  builder_name = PyUnicode_InternFromString("builder");
  return views_type && union_name && reader_name && builder_name;
}

// views(class, shape, word, step, count), or views(None, shape, word, step, count, item) for texts
PyObject* new_views(PyObject*, PyObject* arguments) {
  PyObject *type, *shape, *item = nullptr;
  Py_ssize_t word, step, count;
  if (!PyArg_ParseTuple(arguments, "OOnnn|O:views", &type, &shape, &word, &step, &count, &item)) return nullptr;
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(views_type, Py_tp_alloc));
  PyObject* self = allocate(views_type, 0);
  if (!self) return nullptr;
  Views& views = views_of(self);
  views.shape = new_reference(shape);
  views.word = word;
  views.step = step;
  views.count = count;
  if (item) {
    views.item = new_reference(item);
  } else {
    views.type = reinterpret_cast<PyTypeObject*>(new_reference(type));
    views.allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(views.type, Py_tp_alloc));
  }
  return self;
}

// set_texts(shape, word, step, values) -> how many texts were set, of a new list whose first pointer is at the word
PyObject* set_texts(PyObject*, PyObject* arguments) {
  PyObject *shape, *values;
  Py_ssize_t word, step, done = 0;
  if (!PyArg_ParseTuple(arguments, "OnnO!:set_texts", &shape, &word, &step, &PyList_Type, &values)) return nullptr;
  Place place;
  if (place.of(shape, word) && place.is_writable()) {
    for (; done < PyList_Size(values); done++) {
      if (!write_text(place, word + done * step, PyList_GetItem(values, done), true)) break;
    }
  }
  return PyLong_FromSsize_t(done);
}

// Give a class one of the methods, in front of a function of Python's that knows all cases.
PyObject* add_method(PyObject*, PyObject* arguments) {
  PyObject *type, *general;
  const char* name;
  if (!PyArg_ParseTuple(arguments, "OsO:add_method", &type, &name, &general)) return nullptr;
  PyObject** kept = nullptr;
  PyMethodDef* method = nullptr;
  if (!strcmp(name, "init")) kept = &init_in_python, method = &init_method;
  if (!strcmp(name, "which")) kept = &which_in_python, method = &which_method;
  if (!strcmp(name, "__getitem__")) {
    kept = &getitem_in_python;
    method = PyObject_HasAttrString(type, "_set") ? &builder_item_method : &reader_item_method;
  }
  if (!method) return PyErr_SetString(PyExc_ValueError, name), nullptr;
  Owned made(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type), method));
  if (!made || PyObject_SetAttrString(type, name, made.get())) return nullptr;
  if (!*kept) *kept = new_reference(general);
  return new_reference(Py_None);
}

}  // namespace ccp::objects
