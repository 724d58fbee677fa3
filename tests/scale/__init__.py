"""Very many messages and very large ones; ``python -m tests.scale`` goes to sizes that take minutes."""
