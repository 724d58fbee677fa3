"""The `capnp compile` plugin: from a compiled schema to a module of classes and its stub."""
