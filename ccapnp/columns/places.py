"""Where the structs of a column are: those of one shape together, so that numpy reads their memory in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, Union

from ccapnp.columns.np import U2, np
from ccapnp.errors import CapnpError, UnionError
from ccapnp.types.fields import PointerAccess

if TYPE_CHECKING:
    from ccapnp.codec import ReadShape
    from ccapnp.types.fields import FieldAccess

__all__ = ["Places", "active", "by_shape", "walk"]

_E = TypeVar("_E", bound=CapnpError)


class Places:
    """Structs of one shape, each below an element of a list.

    ``words`` are the indexes of their first words: a `range` where they lie at regular distances, else an array.
    ``positions`` given as ``None`` say that all elements of the list are here.  ``path`` leads from an element to its
    struct: it is empty, or begins with a dot.
    """

    __slots__ = ("_positions", "path", "shape", "words")

    def __init__(self, shape: ReadShape, words: Union[range, Any], positions: Any = None, path: str = "") -> None:
        self.shape = shape
        self.words = words
        self._positions = positions
        self.path = path

    @classmethod
    def of(cls, structs: Any) -> Places:
        """The elements of a list of structs."""
        shape, first, count = structs._c, structs._w, structs._count
        step = shape.words
        return cls(shape, range(first, first + count * step, step) if step else np.full(count, first))

    def __len__(self) -> int:
        return len(self.words)

    @property
    def are_all(self) -> bool:
        """Whether each element of the list has its struct here, in order."""
        return self._positions is None

    @property
    def positions(self) -> Any:
        """The indexes of their elements, as an array."""
        return np.arange(len(self)) if self._positions is None else self._positions

    @property
    def indexes(self) -> Any:
        """``words`` as an array."""
        words = self.words
        return np.arange(words.start, words.stop, words.step) if isinstance(words, range) else words

    def __getitem__(self, chosen: Any) -> Places:
        """Those that a mask or an array of indexes says."""
        return Places(self.shape, self.indexes[chosen], self.positions[chosen], self.path)

    def group(self, name: str) -> Places:
        """The groups of that name in them."""
        return Places(self.shape, self.words, self._positions, f"{self.path}.{name}")

    def numbers(self, dtype: Any, index: int, *, writable: bool = False) -> Any:
        """The number at ``index``, in units of its own size, of each: a view where words are a range, else a copy.

        There must be at least one struct, and the numbers within them.  With ``writable``, for a message being built,
        the view can be written to.
        """
        memory, words = self.shape.segment.u8, self.words
        # As an array, which holds on to the buffer; of a memoryview, `ndarray` would take the object behind it.
        memory = np.asarray(memory if writable else memory.toreadonly())
        if isinstance(words, range):
            start = (words.start << 3) + index * dtype.itemsize
            return np.ndarray(len(words), dtype, memory, start, (words.step << 3,))
        return memory.view(dtype)[self._spread(dtype, index)]

    def put(self, dtype: Any, index: int, values: Any) -> None:
        """Write what `numbers` reads."""
        if isinstance(self.words, range):
            self.numbers(dtype, index, writable=True)[...] = values
        else:
            np.asarray(self.shape.segment.u8).view(dtype)[self._spread(dtype, index)] = values

    def _spread(self, dtype: Any, index: int) -> Any:
        return self.words * (8 // dtype.itemsize) + index

    def has_data(self, bits: int) -> bool:
        """Whether the structs' data sections reach as far as that."""
        return self.shape.data_bits >= bits

    def views(self, view_class: Any) -> Iterator[tuple[int, Any]]:
        """(index of the element, view of the struct) of each."""
        positions = range(len(self)) if self._positions is None else self._positions.tolist()
        words = self.words if isinstance(self.words, range) else self.words.tolist()
        shape, make = self.shape, view_class._at
        return ((position, make(shape, word)) for position, word in zip(positions, words))

    def located(self, error: _E, position: int) -> _E:
        """An error about a field of one struct, with the path to it from the list."""
        return error.inside(f"[{position}]{self.path}")


def walk(
    structs: Any, outer: list[FieldAccess], follow: Callable[[Places, Any], list[Places]], *, drops_others: bool
) -> list[Places]:
    """The groups and structs at the end of a path from the elements of a list; ``follow`` follows pointers."""
    found = [Places.of(structs)] if len(structs) else []
    for access in outer:
        found = active(found, access, drops_others=drops_others)
        if isinstance(access, PointerAccess):
            found = [inner for places in found for inner in follow(places, access)]
        else:
            found = [places.group(access.name) for places in found]
    return found


def active(found: list[Places], access: FieldAccess, *, drops_others: bool) -> list[Places]:
    """Those structs in which the field is not in a union, or its active member.

    UnionError if there are others, unless they may be dropped.
    """
    if access.discriminant is None:
        return found
    kept = (_active(places, access, drops_others=drops_others) for places in found)
    return [places for places in kept if len(places)]


def _active(places: Places, access: FieldAccess, *, drops_others: bool) -> Places:
    if places.has_data(access.tag_index + 1 << 4):
        is_active = places.numbers(U2, access.tag_index) == access.discriminant
    else:
        is_active = np.full(len(places), access.discriminant == 0)
    if is_active.all():
        return places
    if not drops_others:
        position, view = next(places[~is_active].views(access.owner.Reader))
        try:
            access.refuse(view)
        except UnionError as error:
            raise places.located(error, position) from None
    return places[is_active]


def by_shape(found: Iterable[tuple[int, Any]], path: str) -> list[Places]:
    """Structs that were found one by one, as (index of the element, (shape, word))."""
    groups: dict[Any, tuple[list[int], list[int]]] = {}
    for position, (shape, word) in found:
        positions, words = groups.get(shape) or groups.setdefault(shape, ([], []))
        positions.append(position)
        words.append(word)
    return [
        Places(shape, np.array(words, np.int64), np.array(positions, np.int64), path)
        for shape, (positions, words) in groups.items()
    ]
