"""The exception tree: every error that ccapnp raises on purpose, each also a builtin.

`CapnpError` is the root.  An error carries its context twice: in its text, for people, and as attributes, for
programs.  Which attributes an error has depends on where it was raised; one that is unknown is ``None``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Optional, TypeVar

__all__ = [
    "BackendError",
    "CapnpError",
    "DecodeError",
    "DisconnectedError",
    "EncodeError",
    "EncodeTypeError",
    "FailedError",
    "LimitError",
    "OverloadedError",
    "ParseError",
    "RpcError",
    "SchemaError",
    "TruncatedError",
    "UnimplementedError",
    "UnionError",
    "UnknownFieldError",
    "UnknownMemberWarning",
    "UnknownNameError",
]


_Self = TypeVar("_Self", bound="CapnpError")


class CapnpError(Exception):
    """The root of the tree: catch this to catch all of them.

    ``field``, ``type``, ``segment`` (an index), ``offset`` (in words, within the segment) and ``option`` (the
    name of the argument that raises a limit) say where the error arose, as far as that is known.
    """

    field: Optional[str] = None
    type: Optional[str] = None
    segment: Optional[int] = None
    offset: Optional[int] = None
    option: Optional[str] = None

    def __init__(self, message: str, **context: Any) -> None:
        super().__init__(message)
        self.__dict__.update(context)

    def inside(self: _Self, part: str, type_name: Optional[str] = None) -> _Self:
        """This error, with ``part`` (a field's name, or an index in brackets) put in front of the path to it."""
        path = self.field
        reason = str(self.args[0])
        if path and reason.startswith(f"{path}: "):
            reason = reason[len(path) + 2 :]
        self.field = part if not path else f"{part}{path}" if path.startswith("[") else f"{part}.{path}"
        self.type = type_name or self.type
        self.args = (f"{self.field}: {reason}",)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__.copy())


def _restore(cls: type[CapnpError], args: tuple[Any, ...], context: dict[str, Any]) -> CapnpError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(context)
    return error


class DecodeError(CapnpError, ValueError):
    """The bytes are not a valid message, or not one of the type that was asked for."""


class TruncatedError(DecodeError, EOFError):
    """The input ended inside a message; ``needed`` and ``available`` count bytes where they are known."""

    needed: Optional[int] = None
    available: Optional[int] = None


class LimitError(DecodeError):
    """A message would cost more than its reader allows; ``option`` names the argument that raises the limit."""

    @classmethod
    def of_stack(cls) -> LimitError:
        """The error for values nested deeper than Python's own stack reaches."""
        limit = sys.getrecursionlimit()
        return cls(f"this is nested deeper than Python's stack reaches (sys.getrecursionlimit() is {limit})")


class ParseError(DecodeError):
    """Text or JSON that is not well formed, or no value of the type; ``line`` and ``column`` count from 1."""

    line: Optional[int] = None
    column: Optional[int] = None


class EncodeError(CapnpError, ValueError):
    """A value does not fit where it was to be written; the message is as it was before."""


class EncodeTypeError(EncodeError, TypeError):
    """A value of the wrong type was to be written; also a `TypeError`."""


class UnionError(CapnpError, AttributeError):
    """A member of a union was read that is not the active one; `which` tells which one is."""


class SchemaError(CapnpError, ValueError):
    """A schema is wrong, or contradicts one already loaded; ``file``, ``line`` and ``column`` say where."""

    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None


class UnknownFieldError(CapnpError, AttributeError):
    """A struct has no field of that name; ``nearest`` lists the names that come closest."""

    nearest: tuple[str, ...] = ()

    @classmethod
    def of(cls, type_name: str, field: str, known: Iterable[str]) -> UnknownFieldError:
        """The error for a missing ``field`` of ``type_name``, with the nearest of the ``known`` names."""
        known = list(known)
        message = f"{type_name} has no field {field!r}{did_you_mean(field, known)}"
        return cls(message, type=type_name, field=str(field), nearest=nearest_names(field, known))


class UnknownNameError(CapnpError, KeyError):
    """A schema has no field, method, enumerant, declaration or annotation of that name; ``nearest`` as above."""

    nearest: tuple[str, ...] = ()

    __str__ = Exception.__str__  # a KeyError would show the repr of its text

    @classmethod
    def of(cls, owner: str, kind: str, name: object, known: Iterable[str]) -> UnknownNameError:
        """The error for a ``name`` that no ``kind`` of ``owner`` has."""
        known = list(known)
        message = f"{owner} has no {kind} {name!r}{did_you_mean(name, known)}"
        return cls(message, nearest=nearest_names(name, known))


def nearest_names(name: object, known: Iterable[str]) -> tuple[str, ...]:
    """The names that come closest to one that is not known."""
    from difflib import get_close_matches

    return tuple(get_close_matches(str(name), list(known), n=3, cutoff=0.5))


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The end of a sentence that offers the nearest names, or nothing."""
    nearest = nearest_names(name, known)
    return f"; did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""


def a(name: str) -> str:
    """A name with its article: "an Int8", "a UInt8"."""
    return f"{'an' if name[:1] in _VOWELS else 'a'} {name}"


_VOWELS = "AEIOaeio"  # a schema's U is mostly that of UInt8, which takes "a"


def shown(value: object) -> str:
    """A refused value as an error's text shows it: its repr, cut short; its type if it has none."""
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        return f"a huge {type(value).__name__}"
    except Exception:  # noqa: BLE001  # whatever is wrong with the value's repr is not what is wrong here
        return f"a {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


_MOST_SHOWN = 100


class UnknownMemberWarning(UserWarning):
    """A union had a member set that the schema does not know, as a newer one may, so that a dict was made without."""


def warn_of_unknown_member(type_name: str, number: int) -> None:
    """Warn whoever called this library."""
    import warnings

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("ccapnp."):
        level, frame = level + 1, frame.f_back
    warnings.warn(
        f"the union of {type_name} has member {number} set, which this schema does not know; it is left out",
        UnknownMemberWarning,
        stacklevel=level,
    )


class BackendError(CapnpError, ImportError):
    """The codec that was asked for cannot be used; the text and ``__cause__`` say why."""


class RpcError(CapnpError):
    """A call failed, here or at the peer; which of the four kinds of rpc.capnp it is says the class.

    ``reason`` is the text alone, ``is_remote`` whether a peer sent it, and ``trace`` what the peer says of where it
    arose: nothing, unless it was set up to.  A server raises one of the four to have its kind arrive at the caller.
    """

    kind = 0
    """The number of the kind in rpc.capnp."""
    is_remote = False
    trace: Optional[str] = None

    @property
    def reason(self) -> str:
        """The text, without the words that say it is a peer's."""
        text = str(self.args[0]) if self.args else ""
        return text[len(REMOTE) :] if self.is_remote and text.startswith(REMOTE) else text


REMOTE = "remote exception: "


class FailedError(RpcError):
    """The call cannot succeed: a wrong argument, or a fault of the server."""


class OverloadedError(RpcError):
    """The call would take more than there is just now; it may succeed later."""

    kind = 1


class DisconnectedError(RpcError, ConnectionError):
    """The connection to what was called is no more, or to something that it needs."""

    kind = 2


class UnimplementedError(RpcError, NotImplementedError):
    """What was called has no such method."""

    kind = 3
