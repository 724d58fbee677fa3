"""The random numbers that requests are drawn from; bench/cpp/generator.h gives the same ones."""

from __future__ import annotations

__all__ = ["Generator"]

_MAXIMUM = 0xFFFFFFFF


class Generator:
    """Marsaglia's xorshift128, from the state that the benchmarks of the C++ library begin with."""

    def __init__(self) -> None:
        self._state = 0x1D2ACD47, 0x58CA3E14, 0xF563F232, 0x0BC76199

    def next(self) -> int:
        """32 random bits."""
        x, y, z, w = self._state
        mixed = (x ^ x << 11) & _MAXIMUM
        last = w ^ w >> 19 ^ mixed ^ mixed >> 8
        self._state = y, z, w, last
        return last

    def below(self, limit: int) -> int:
        """A whole number."""
        return self.next() % limit

    def up_to(self, limit: float) -> float:
        """A number with a fraction."""
        return self.next() * limit / _MAXIMUM
