"""What the official implementation's own tests show of Cap'n Proto, shown of ccapnp, by the ids of `rows`."""
