"""Fuzzing: inputs without end for a few targets, found by mutation, and by what they reach where atheris is installed.

``python -m tests.fuzz`` says how it is run.  Each target is a module of this package (`tests.fuzz.target`).
"""
