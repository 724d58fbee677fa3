"""What is only for the eye: colors, and how far a long input has been read.  The library rich draws both."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Callable

from ccapnp.errors import CapnpError

__all__ = ["colored", "progress"]


def colored(text: str) -> str:
    """Text or JSON with the codes that color it on a terminal; as it is where rich is not installed."""
    console = _console()
    if console is None:
        return text
    from rich.highlighter import JSONHighlighter
    from rich.text import Text

    highlighted = Text(text, end="")
    JSONHighlighter().highlight(highlighted)
    with console.capture() as captured:
        console.print(highlighted, end="", soft_wrap=True)
    return captured.get()  # type: ignore[no-any-return]


@cache
def _console() -> Any:
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(force_terminal=True, color_system="standard", legacy_windows=False, no_color=False)


@contextmanager
def progress(size_bytes: int) -> Iterator[Callable[[int], Any]]:
    """A bar on standard error, if that is a terminal, and the function that is told how many bytes more were read.

    ``size_bytes`` is 0 where nobody knows how many there will be.
    """
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn
    except ImportError:
        raise CapnpError("--progress needs the library rich: pip install 'ccapnp[cli]'") from None
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=size_bytes or None)
        yield lambda count: bar.advance(task, count)
