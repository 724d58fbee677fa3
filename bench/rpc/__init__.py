"""Calls: both ends in Python, and a client in Python with a server in C++, by a unix socket."""
