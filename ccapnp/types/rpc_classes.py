"""Where the classes of RPC come from that types have: a floor above, which is loaded when the first is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["provide_classes", "rpc_classes"]

_loaders: list[Callable[[], Any]] = []


def provide_classes(load: Callable[[], Any]) -> None:
    """``load()`` gives a module with ``client_class(interface)``, ``server_class`` and ``pipeline_class(struct)``."""
    _loaders.append(load)


def rpc_classes() -> Any:
    """That module."""
    return _loaders[0]()
