"""The benchmarks that come with the C++ library: a client makes a request, a server answers it.

What a request holds is drawn beforehand, since random numbers cost Python more than fields do, and it costs none of the
contenders anything. Each module has

* ``SCHEMA``, ``REQUEST`` and ``RESPONSE``, the names of the schema and of its two messages;
* ``ENUM``, the name of the enum whose members the requests hold, or None;
* ``COUNT``, how many requests take long enough to be timed;
* ``draw(random, members)``, which gives the next request's content and the answer to it;
* ``STYLES``: how the work is done with libraries of one kind. A style is made of the library's types and two functions
  that make a request and a response. It has ``request(content)`` and ``check(response)`` for the client and
  ``respond(request)`` for the server.
"""

from __future__ import annotations

from types import ModuleType

from bench.cases import carsales, catrank, evaluation

__all__ = ["CASES"]

CASES: dict[str, ModuleType] = {"carsales": carsales, "catrank": catrank, "eval": evaluation}
