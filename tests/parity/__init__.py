"""Both codecs do the same work on the same input, and must come to the same value or error."""
