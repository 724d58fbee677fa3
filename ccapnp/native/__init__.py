"""The codec on libcapnp: whole messages are its work, single pointers are followed in Python over the same memory."""
