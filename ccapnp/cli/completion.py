"""``ccapnp completion``: the script by which a shell completes the arguments of this program."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli.options import new_parser
from ccapnp.errors import CapnpError

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Prints a script that makes a shell complete the arguments of this program.

    eval "$(ccapnp completion bash)"                  in ~/.bashrc
    ccapnp completion zsh > ~/.zsh/_ccapnp            in a folder of $fpath
"""


def run(arguments: Sequence[str]) -> int:
    """Print the script; gives the exit status."""
    options = parser().parse_args(arguments)
    try:
        import shtab
    except ImportError:
        raise CapnpError("this needs the library shtab: pip install 'ccapnp[cli]'") from None
    from ccapnp.cli.main import whole_parser

    print(shtab.complete(whole_parser(), shell=options.shell))
    return 0


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = new_parser("completion", _DESCRIPTION)
    made.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell")
    return made
