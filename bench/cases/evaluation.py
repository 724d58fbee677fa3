"""Eval: what is the value of an arithmetic expression? Unions, and structs inside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from bench.cases.generator import Generator

__all__ = ["COUNT", "ENUM", "REQUEST", "RESPONSE", "SCHEMA", "STYLES", "draw"]

SCHEMA, REQUEST, RESPONSE, ENUM = "eval", "Expression", "EvaluationResult", "Operation"
COUNT = 40

_MAXIMUM, _MINIMUM = 2**31 - 1, -(2**31)


class Expression(NamedTuple):
    op: Any
    left: Union[int, Expression]
    right: Union[int, Expression]


def draw(random: Generator, operations: Sequence[Any]) -> tuple[Expression, int]:
    """An expression, and its value."""
    return _draw(random, operations, 0)


def _draw(random: Generator, operations: Sequence[Any], depth: int) -> tuple[Expression, int]:
    number = random.below(len(operations))
    (left, left_value), (right, right_value) = (_draw_side(random, operations, depth) for _ in range(2))
    return Expression(operations[number], left, right), COMPUTE[number](left_value, right_value)


def _draw_side(random: Generator, operations: Sequence[Any], depth: int) -> tuple[Union[int, Expression], int]:
    if random.below(8) < depth:
        value = random.below(128) + 1
        return value, value
    return _draw(random, operations, depth + 1)


def _wrapped(value: int) -> int:
    """As arithmetic with 32 bits has it."""
    return value if _MINIMUM <= value <= _MAXIMUM else (value - _MINIMUM) % 2**32 + _MINIMUM


def _divide(left: int, right: int) -> int:
    if right == 0 or (right == -1 and left == _MINIMUM):
        return _MAXIMUM
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _modulus(left: int, right: int) -> int:
    if right == 0 or (right == -1 and left == _MINIMUM):
        return _MAXIMUM
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


# By the numbers of the operations.
COMPUTE: tuple[Callable[[int, int], int], ...] = (
    lambda left, right: _wrapped(left + right),
    lambda left, right: _wrapped(left - right),
    lambda left, right: _wrapped(left * right),
    _divide,
    _modulus,
)


class Style:
    """What is done alike with every library."""

    def __init__(self, types: Any, new_request: Callable[..., Any], new_response: Callable[..., Any]) -> None:
        self._types, self._new_request, self._new_response = types, new_request, new_response

    def check(self, response: Any) -> int:
        value: int = response.value
        return value


class Setting(Style):
    """A message is made, and its fields are set one by one."""

    def request(self, content: Expression) -> Any:
        expression = self._new_request()
        _set(expression, content)
        return expression

    def respond(self, expression: Any) -> Any:
        result = self._new_response()
        result.value = self.evaluate(expression)
        return result

    def evaluate(self, expression: Any) -> int:
        return _evaluate(expression)


class SettingRaw(Setting):
    """Likewise, where an enum's value has its number in an attribute."""

    def evaluate(self, expression: Any) -> int:
        return _evaluate_raw(expression)


class Adding(Setting):
    """Likewise, with fields that belong to a union in place of unions."""

    def request(self, content: Expression) -> Any:
        expression = self._new_request()
        _set_flat(expression, content)
        return expression

    def evaluate(self, expression: Any) -> int:
        return _evaluate_flat(expression)


class Constructing(Style):
    """Each struct is made of its fields, and so is each union."""

    def __init__(self, types: Any, new_request: Callable[..., Any], new_response: Callable[..., Any]) -> None:
        super().__init__(types, new_request, new_response)
        self._left, self._right = types.ExpressionLeft, types.ExpressionRight

    def request(self, content: Expression) -> Any:
        op, left, right = content
        return self._new_request(
            op=op,
            left=self._left(value=left) if left.__class__ is int else self._left(expression=self.request(left)),
            right=self._right(value=right) if right.__class__ is int else self._right(expression=self.request(right)),
        )

    def respond(self, expression: Any) -> Any:
        return self._new_response(value=self.evaluate(expression))

    def evaluate(self, expression: Any) -> int:
        return _evaluate(expression)


class ConstructingAsked(Constructing):
    """Likewise, where a union has a method for each member that tells whether it is the active one."""

    def evaluate(self, expression: Any) -> int:
        return _evaluate_asked(expression)


class ConstructingPlain(Style):
    """Likewise, where a value of a union is any of its members."""

    def request(self, content: Expression) -> Any:
        op, left, right = content
        return self._new_request(
            op=op,
            left=left if left.__class__ is int else self.request(left),
            right=right if right.__class__ is int else self.request(right),
        )

    def respond(self, expression: Any) -> Any:
        return self._new_response(value=_evaluate_plain(expression))


class Naming(Style):
    """A message is made of dicts, and read as it is decoded."""

    def request(self, content: Expression) -> Any:
        return _named(content)

    def respond(self, expression: Any) -> Any:
        return {"value": _evaluate(expression)}


def _named(drawn: Expression) -> dict[str, Any]:
    op, left, right = drawn
    return {
        "op": op,
        "left": {"value": left} if left.__class__ is int else {"expression": _named(left)},  # type: ignore[arg-type]
        "right": {"value": right} if right.__class__ is int else {"expression": _named(right)},  # type: ignore[arg-type]
    }


def _set(expression: Any, drawn: Expression) -> None:
    expression.op, left, right = drawn
    if left.__class__ is int:
        expression.left.value = left
    else:
        _set(expression.left.init("expression"), left)
    if right.__class__ is int:
        expression.right.value = right
    else:
        _set(expression.right.init("expression"), right)


def _set_flat(expression: Any, drawn: Expression) -> None:
    expression.op, left, right = drawn
    if left.__class__ is int:
        expression.leftValue = left
    else:
        _set_flat(expression.leftExpression, left)
    if right.__class__ is int:
        expression.rightValue = right
    else:
        _set_flat(expression.rightExpression, right)


def _evaluate(expression: Any) -> int:
    left, right = expression.left, expression.right
    return COMPUTE[expression.op](
        left.value if left.which() == "value" else _evaluate(left.expression),
        right.value if right.which() == "value" else _evaluate(right.expression),
    )


def _evaluate_raw(expression: Any) -> int:
    left, right = expression.left, expression.right
    return COMPUTE[expression.op.raw](
        left.value if left.which() == "value" else _evaluate_raw(left.expression),
        right.value if right.which() == "value" else _evaluate_raw(right.expression),
    )


def _evaluate_asked(expression: Any) -> int:
    left, right = expression.left, expression.right
    return COMPUTE[expression.op](
        left.value if left.is_value() else _evaluate_asked(left.expression),
        right.value if right.is_value() else _evaluate_asked(right.expression),
    )


def _evaluate_flat(expression: Any) -> int:
    has = expression.HasField
    return COMPUTE[expression.op](
        _evaluate_flat(expression.leftExpression) if has("leftExpression") else expression.leftValue,
        _evaluate_flat(expression.rightExpression) if has("rightExpression") else expression.rightValue,
    )


def _evaluate_plain(expression: Any) -> int:
    left, right = expression.left, expression.right
    return COMPUTE[expression.op](
        left if left.__class__ is int else _evaluate_plain(left),
        right if right.__class__ is int else _evaluate_plain(right),
    )


STYLES = {
    "setting": Setting,
    "setting raw": SettingRaw,
    "adding": Adding,
    "constructing": Constructing,
    "naming": Naming,
    "constructing asked": ConstructingAsked,
    "constructing plain": ConstructingPlain,
}
