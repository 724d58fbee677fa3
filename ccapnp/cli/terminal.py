"""What is only for the eye: colors, and how far a long input has been read.  The library rich draws both."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ccapnp.errors import CapnpError

__all__ = ["colored", "showing_progress"]


def colored(text: str) -> str:
    """Text or JSON with the codes that color it on a terminal; as it is where rich is not installed."""
    try:
        from rich.console import Console
        from rich.highlighter import JSONHighlighter
        from rich.text import Text
    except ImportError:
        return text
    console = Console(force_terminal=True, soft_wrap=True, legacy_windows=False)
    highlighted = Text(text, end="")
    JSONHighlighter().highlight(highlighted)
    with console.capture() as captured:
        console.print(highlighted, end="")
    return captured.get()


@contextmanager
def showing_progress(file: Any) -> Iterator[Any]:
    """The file, while a bar on standard error shows how much of it has been read, if that is a terminal."""
    if not sys.stderr.isatty():
        yield file
        return
    try:
        from rich.console import Console
        from rich.progress import wrap_file
    except ImportError:
        raise CapnpError("--progress needs the library rich: pip install 'ccapnp[cli]'") from None
    size = os.fstat(file.fileno()).st_size
    with wrap_file(file, size, description="reading", console=Console(stderr=True), transient=True) as shown:
        yield shown
