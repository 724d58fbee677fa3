"""Letting `memoryview` see the memory behind a Python object.

Python has said since 3.12 (PEP 688) how a class exports a buffer: ``__buffer__``.  Before that only types written in C
could.  Each CPython up to 3.11 is therefore given the one slot that it lacks, through ctypes: a function that hands the
request on to the object's own `memoryview`.  PyPy has a base class for it.  Where neither is to be had, ``x.view()``
still gives the view.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

__all__ = ["BufferExport"]

_WRITABLE, _STRIDES = 0x01, 0x10  # as in CPython's object.h

_base: Any = object
if sys.implementation.name == "pypy":
    try:
        from __pypy__ import bufferable as _pypy  # type: ignore[import-not-found]

        _base = _pypy.bufferable
    except ImportError:  # pragma: no cover - a PyPy that has dropped it
        pass


class BufferExport(_base):  # type: ignore[misc]
    """Exports what ``view()`` gives; subclasses inherit the ability when they are made."""

    __slots__ = ()

    def view(self) -> memoryview:
        """The exported memory."""
        raise NotImplementedError

    def __buffer__(self, flags: int) -> memoryview:
        """The memory, or a copy for whoever only reads, and cannot read items with gaps between them."""
        view = self.view()
        if view.contiguous or flags & (_STRIDES | _WRITABLE):
            return view
        return memoryview(view.tobytes()).cast(view.format)  # type: ignore[call-overload, no-any-return]


def _install() -> Any:
    """Fill ``tp_as_buffer->bf_getbuffer`` of `BufferExport`; what is returned must stay alive as long as the type."""
    import ctypes

    get_buffer = ctypes.pythonapi.PyObject_GetBuffer
    get_buffer.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    get_buffer.restype = ctypes.c_int

    def export(this: BufferExport, target: int, flags: int) -> int:
        try:
            return int(get_buffer(this.__buffer__(flags), target, flags))
        except BaseException:  # noqa: BLE001
            return -1  # the caller reports it; nothing may be raised from here

    prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
    function = prototype(export)
    # PyTypeObject.tp_as_buffer lies 17 words behind the head of a variable-sized object (CPython 3.9 to 3.11).
    word = ctypes.sizeof(ctypes.c_void_p)
    offset = object.__basicsize__ + word + 17 * word
    slots = ctypes.c_void_p.from_address(id(BufferExport) + offset).value
    if slots:
        ctypes.c_void_p.from_address(slots).value = ctypes.cast(function, ctypes.c_void_p).value
    return function


if sys.implementation.name == "cpython" and (3, 9) <= sys.version_info < (3, 12):
    with suppress(ImportError, AttributeError, OSError):  # a CPython without ctypes
        _keep_alive = _install()
