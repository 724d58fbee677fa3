"""JSON, with the official tool as the judge."""
