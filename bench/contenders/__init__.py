"""One small adapter for each library that is measured.

Each module has ``CONTENDERS``, made of `bench.contenders.contender.Contender`. A contender whose library cannot be
imported is named on standard error and left out.
"""
