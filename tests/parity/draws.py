"""What hypothesis draws for these tests, and when they run."""

from __future__ import annotations

import random
from importlib.util import find_spec

import pytest
from hypothesis import strategies as st

__all__ = ["RANDOMS", "SEEDS", "needs_both", "parity"]

SEEDS = st.integers(0, 99)
"""The numbers of schemas; there are no more, for each stays in memory."""

RANDOMS = st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**32).map(random.Random))
"""The first kind is for failures that shrink, the second for messages that are large."""

needs_both = pytest.mark.skipif(
    find_spec("ccapnp.native._shim") is None, reason="the native extension is not built, and these tests need both"
)

parity = [pytest.mark.fuzz, needs_both]
"""The marks of a module of such tests."""
