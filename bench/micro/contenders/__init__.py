"""What each library runs for the rows, in a namespace of its own.

Each module has ``CONTENDERS``, made of `bench.micro.contenders.contender.Contender`.
"""
