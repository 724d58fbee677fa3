"""The shapes of messages on the native codec."""

from __future__ import annotations

from ccapnp.pure import building, reading

__all__ = ["BuildShape", "ReadShape"]


class ReadShape(reading.ReadShape):
    """Structs of one shape in a message that is read."""

    __slots__ = ()


class BuildShape(building.BuildShape):
    """Structs of one shape in a message being built."""

    __slots__ = ()
