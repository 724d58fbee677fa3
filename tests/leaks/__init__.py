"""Doing everything very often leaves no memory behind."""
