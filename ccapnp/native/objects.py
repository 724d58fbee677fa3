"""What the extension does with Python's own objects: fields, lists and views without a call of Python.

It reads and writes the slots of views, shapes and segments where they are, by CPython's C API.  The library has two
modules, of which this is the second; on PyPy, and on a CPython without a global lock, it has but the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any, Optional

from ccapnp.errors import BackendError
from ccapnp.native._lib import ffi, lib, shim
from ccapnp.native.shapes import BuildShape, OwnArena, OwnSegment, ReadSegment, ReadShape
from ccapnp.pure import building, reading
from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.segment import Segment, SegmentTable
from ccapnp.wire.layout import FieldPlan
from ccapnp.wire.shape import StructAt, StructsAt

__all__ = ["HAS_OBJECTS", "field", "hasten", "near_root", "new_records", "new_struct"]

_FORMS = {
    name: number
    for number, name in enumerate(
        ["void", "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "enum"]
        + ["text", "data", "numbers", "struct", "structs", "group"]
    )
}


def _load() -> Any:
    name, file = "ccapnp.native._objects", shim.__file__
    try:
        spec = spec_from_loader(name, ExtensionFileLoader(name, file))
        module = module_from_spec(spec)  # type: ignore[arg-type]
        spec.loader.exec_module(module)  # type: ignore[union-attr]
    except ImportError as error:
        raise BackendError(f"the native extension does not load: {error}; reinstall ccapnp, or use 'pure'") from error
    module.set_up(
        {
            "view": StructAt,
            "list": StructsAt,
            "read_shape": ReadShape,
            "build_shape": BuildShape,
            "build_segment": BuildSegment,
            "segment_table": SegmentTable,
            "arena": Arena,
            "limiter": Limiter,
            "read_segment": ReadSegment,
            "own_segment": OwnSegment,
            "own_arena": OwnArena,
            "locate": _locate,
        }
    )
    return module


def _locate(segment: Segment) -> None:
    """Note where a segment is."""
    segment.address = int(ffi.cast("uintptr_t", ffi.from_buffer(segment.u8)))


HAS_OBJECTS = bool(lib.ccp_has_objects())
_objects = _load() if HAS_OBJECTS else None


def field(general: property, plan: Optional[FieldPlan]) -> Any:
    """See `ccapnp.codec.Codec`."""
    if _objects is None or plan is None:
        return general
    form = plan.form
    width = int(plan.view[1:]) >> 3 if plan.view else 0
    offset, end_bits = plan.offset, plan.offset + 1
    if form in ("number", "enum"):
        offset *= width
        end_bits = (offset + width) << 3
        form = plan.view if form == "number" else form
    members = plan.members
    return _objects.field(
        general.fget,
        general.fset,
        plan.is_builder,
        _FORMS[form],
        offset,
        end_bits,
        plan.mask,
        -1 if plan.discriminant is None else plan.discriminant,
        plan.tag_index,
        plan.absent,
        tuple(members.get(number) for number in range(max(members) + 1)) if members else (),
        plan.numbers,
        plan.make,
        plan.list_type,
        *plan.sizes,
        plan.view,
        width,
    )


def hasten(made: Any, *methods: str) -> None:
    """Put faster methods, which ask those that a class has for what is not usual, in the place of these."""
    if _objects is not None:
        for method in methods:
            _objects.add_method(made, method, getattr(made, method))


def _views(shape: reading.ReadShape, view_class: Any, word: int, count: int) -> Iterator[Any]:
    return _new_views(view_class, shape, word, shape.words, count)  # type: ignore[no-any-return]


def _texts(shape: reading.ReadShape, word: int, step: int, count: int, item: Callable[[int], Any]) -> Iterator[str]:
    return _new_views(None, shape, word, step, count, item)  # type: ignore[no-any-return]


def _set_texts(shape: building.BuildShape, word: int, step: int, values: list[Any]) -> int:
    done: int = _set_plain_texts(shape, word, step, values)
    return done


def _zero_object(shape: BuildShape, at: int, word: int) -> None:
    if not _zero_plain_object(shape, at, word):
        building.BuildShape.zero_object(shape, at, word)


def _is_root(shape: reading.ReadShape, word: int) -> bool:
    return _is_root_for_certain(shape, word) or reading.ReadShape.is_root(shape, word)


def _framed(arena: Arena) -> bytes:
    return _framed_in_one(arena) or Arena.framed(arena)


if _objects is not None:
    near_root, new_struct, new_records = _objects.near_root, _objects.new_struct, _objects.records
    _new_views, _is_root_for_certain, _framed_in_one = _objects.views, _objects.is_root, _objects.framed
    for each in (ReadShape, BuildShape):
        each.views, each.texts, each.is_root = _views, _texts, _is_root  # type: ignore[method-assign,assignment]
    _set_plain_texts, _zero_plain_object = _objects.set_texts, _objects.zero_object
    BuildShape.set_texts = _set_texts  # type: ignore[method-assign,assignment]
    BuildShape.zero_object = _zero_object  # type: ignore[method-assign,assignment]
    BuildShape.encodes_from = 40  # to set a field takes a fortieth of what a call of the shim does
    OwnArena.framed = _framed  # type: ignore[method-assign,assignment]
