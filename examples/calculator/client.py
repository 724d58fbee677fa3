"""Has a calculator work some things out.

python client.py 127.0.0.1:6000
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ccapnp
import ccapnp.rpc

Calculator = ccapnp.load(Path(__file__).with_name("calculator.capnp")).Calculator


class Power(Calculator.Function.Server):
    """A function of the client's own, which the calculator calls back."""

    def call(self, params: Sequence[float]) -> float:
        base, exponent = params
        return base**exponent


def call(function: Any, *params: Any) -> dict[str, Any]:
    """An expression that calls a function; a parameter is a number, or an expression itself."""
    expressions = [each if isinstance(each, dict) else {"literal": each} for each in params]
    return {"call": {"function": function, "params": expressions}}


async def show(calculator: Any) -> None:
    """Print what a calculator can do."""
    add = calculator.getOperator("add").func
    subtract = calculator.getOperator("subtract").func
    multiply = calculator.getOperator("multiply").func

    # Nothing of this waits for an answer before the last: all four calls are on their way at once.
    value = calculator.evaluate(call(subtract, call(add, 123, 45), 67)).value
    print("123 + 45 - 67 =", (await value.read()).value)

    # A value that has not been read yet, and perhaps not even been worked out, can be used in other expressions.
    product = calculator.evaluate(call(multiply, 4, 6)).value
    plus_3, plus_5 = await asyncio.gather(
        *(calculator.evaluate(call(add, {"previousResult": product}, each)).value.read() for each in (3, 5))
    )
    print("4 * 6 + 3 =", plus_3.value)
    print("4 * 6 + 5 =", plus_5.value)

    x, y = {"parameter": 0}, {"parameter": 1}
    f = calculator.defFunction(2, call(add, call(multiply, x, 100), y)).func
    print("f(x, y) = x * 100 + y; f(12, 34) =", (await f.call([12, 34])).value)

    power = calculator.evaluate(call(Power(), 2, call(add, 4, 5))).value
    print("2 ** (4 + 5) =", (await power.read()).value)

    try:
        await f.call([1])
    except ccapnp.FailedError as error:
        print("f(1):", error.reason)


async def main(address: str) -> None:
    host, _, port = address.rpartition(":")
    async with await ccapnp.rpc.connect(host, int(port)) as connection:
        await show(connection.bootstrap(Calculator))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: client.py HOST:PORT")
    asyncio.run(main(sys.argv[1]))
