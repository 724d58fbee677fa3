"""One small adapter for each library that is measured.

An adapter has ``name``, and ``prepare(schemas)``, which gives the namespace in which the statements of `bench.micro`
run: ``Micro`` and ``ParkingLot`` are its struct types, ``read(T, data)`` opens a message without a limit, and
``to_dict``, ``from_dict``, ``pack`` and ``unpack`` are what the library has for these.  One that cannot be imported is
named in the report and left out.
"""
