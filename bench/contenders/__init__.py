"""One small adapter for each library that is measured.

An adapter has ``name``, and ``prepare(schemas)``, which gives the namespace in which the statements of `bench.micro`
run: ``Micro`` and ``ParkingLot`` are its struct types, ``read(T, data)`` and ``unpack(T, data)`` open a message without
a limit, and ``from_dict(T, value)`` builds one.  An adapter whose library cannot be imported is named on standard error
and left out.
"""
