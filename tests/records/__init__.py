"""Whole messages as records."""
