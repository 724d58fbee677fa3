"""The compiler of the schema language, with the official tool as the judge."""
