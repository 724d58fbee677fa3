"""``python -m tests.fuzz.guided TARGET FOLDER SECONDS``: fuzz one target, until something is found or time is up.

The engine is libFuzzer, as atheris brings it.  It follows which lines of ccapnp each input reaches, keeps the inputs
that reach new ones in FOLDER, and saves the one at which the process ends there too, as crash-..., timeout-... or
oom-... .
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

import atheris


def main(name: str, folder: Path, seconds: str) -> None:
    with atheris.instrument_imports(include=["ccapnp"], enable_loader_override=False):
        import ccapnp

        for module in pkgutil.walk_packages(ccapnp.__path__, "ccapnp."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        from tests.fuzz.target import MOST_MEGABYTES, MOST_SECONDS_PER_INPUT, get_target

        target = get_target(name)
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed{number:04}").write_bytes(seed)
    tokens = folder / "tokens"
    tokens.write_text("".join(f'"{escaped(token)}"\n' for token in target.TOKENS))
    options = {
        "max_total_time": seconds,
        "max_len": target.MOST_BYTES,
        "timeout": MOST_SECONDS_PER_INPUT,
        "rss_limit_mb": MOST_MEGABYTES,
        "dict": tokens,
        "artifact_prefix": f"{folder}/",
        "print_final_stats": 1,
    }
    atheris.Setup([sys.argv[0], str(corpus), *(f"-{key}={value}" for key, value in options.items())], target.run)
    atheris.Fuzz()


def escaped(token: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in token)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
