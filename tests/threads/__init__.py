"""What many threads may do at once."""
