"""What the official implementation's own tests show of Cap'n Proto, shown of ccapnp.

`rows` is the table of it. A case, anywhere in the tests, says which rows it is about:
``@pytest.mark.conformance("ENC-01")``; ``make conformance`` runs these cases and prints the table.
"""
