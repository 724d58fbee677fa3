"""The schemas of the messages, for every library."""
