"""Columns: one field of all structs of a list, as an array of numpy, which is needed from here on alone."""
