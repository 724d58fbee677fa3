"""The codec in Python alone: segments, pointers, building, copying and packing."""
