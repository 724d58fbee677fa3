"""The schema language as text: tokens, expressions, declarations, and what is wrong with them."""
