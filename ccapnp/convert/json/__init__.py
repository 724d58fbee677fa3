"""JSON as the official codec writes and reads it (capnp/compat/json.h), by the annotations of json.capnp."""
