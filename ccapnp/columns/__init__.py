"""Columns: one field of all structs of a list, as an array of numpy.  Nothing else needs numpy."""
