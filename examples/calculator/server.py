"""A calculator for whoever connects.

python server.py 127.0.0.1:6000
"""

from __future__ import annotations

import asyncio
import operator
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable

import ccapnp
import ccapnp.rpc

Calculator = ccapnp.load(Path(__file__).with_name("calculator.capnp")).Calculator

OPERATORS: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
}


async def evaluate(expression: Any, params: Sequence[float] = ()) -> float:
    """The value of an expression; ``params`` are those of the function that it is the body of."""
    which = expression.which()
    if which == "literal":
        return float(expression.literal)
    if which == "previousResult":
        return float((await expression.previousResult.read()).value)
    if which == "parameter":
        return params[expression.parameter]
    call = expression.call
    values = await asyncio.gather(*(evaluate(each, params) for each in call.params))
    return float((await call.function.call(values)).value)


class Value(Calculator.Value.Server):
    def __init__(self, value: float) -> None:
        self.value = value

    def read(self) -> float:
        return self.value


class Operator(Calculator.Function.Server):
    def __init__(self, function: Callable[[float, float], float]) -> None:
        self.function = function

    def call(self, params: Sequence[float]) -> float:
        return self.function(*params)


class Function(Calculator.Function.Server):
    def __init__(self, param_count: int, body: Any) -> None:
        self.param_count = param_count
        self.body = body

    async def call(self, params: Sequence[float]) -> float:
        if len(params) != self.param_count:
            raise ccapnp.FailedError(f"the function takes {self.param_count} parameters, not {len(params)}")
        return await evaluate(self.body, params)


class CalculatorServer(Calculator.Server):
    async def evaluate(self, expression: Any) -> Value:
        return Value(await evaluate(expression))

    def defFunction(self, paramCount: int, body: Any) -> Function:
        return Function(paramCount, body.as_builder())  # a copy, to be read as often as the function is called

    def getOperator(self, op: Any) -> Operator:
        return Operator(OPERATORS[str(op)])


async def main(address: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.serve(CalculatorServer(), host, int(port)) as server:
        print(f"listening on {host}:{server.port}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: server.py HOST:PORT")
    with suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1]))
