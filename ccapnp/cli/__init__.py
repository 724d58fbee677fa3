"""The program `ccapnp`: one file per subcommand."""
