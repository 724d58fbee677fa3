"""The program `ccapnp`."""
