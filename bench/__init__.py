"""Benchmarks: ccapnp beside what people have today, all in one run."""
