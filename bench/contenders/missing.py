"""Why a contender does not take part."""

__all__ = ["Missing"]


class Missing(Exception):
    """Something that a contender needs is not there; the text says what."""
