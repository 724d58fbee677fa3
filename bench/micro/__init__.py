"""Single operations, and whole small messages."""
