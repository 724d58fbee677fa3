"""Structs and lists as other things: dicts, text; written once, over the schema."""
