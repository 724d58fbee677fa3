"""The wire format: what messages are read from words, and what words are built, by the ids of the conformance list."""
