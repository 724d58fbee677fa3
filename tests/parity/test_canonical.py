"""Canonical form: the same verdict on messages in it, near it and far from it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

import ccapnp
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.messages import built, damaged
from tests.parity.schemas import make_schema

pytestmark = parity


@given(SEEDS, RANDOMS, st.booleans())
def test_canonical_messages_with_and_without_damage(seed: int, rng: Any, is_form: bool) -> None:
    schema = make_schema(seed)
    segments = built(rng, schema.modules["pure"], rng.choice(schema.names))
    if is_form:
        with suppress(ccapnp.EncodeError):  # it holds capabilities
            segments = [ccapnp.canonicalize(ccapnp.MessageReader.from_segments(segments, None, backend="pure"))]
    segments = damaged(rng, segments)
    note(repr([segment.hex(" ", 8) for segment in segments]))
    pure, native = (ccapnp.MessageReader.from_segments(segments, None, backend=name) for name in ("pure", "native"))
    verdict = ccapnp.is_canonical(pure)
    assert ccapnp.is_canonical(native) == verdict
    if verdict:
        assert [ccapnp.canonicalize(pure)] == segments == [ccapnp.canonicalize(native)]
