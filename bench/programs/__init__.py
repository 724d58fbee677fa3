"""What whole programs cost: starting, compiling, and holding many messages."""
