"""Calls share a task until one of them waits, and must not be able to tell."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import pytest

from ccapnp.rpc.loop import running_turns
from ccapnp.rpc.workers import _MOST_AT_ONCE
from tests.conformance.calls import Servers, eventually, run, ways

COLOR: ContextVar[str] = ContextVar("COLOR", default="none")


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


def client_of(servers: Servers, way: str, next_: Callable[[int], Awaitable[Any]]) -> Any:
    """A client of an Order whose method is that coroutine function."""

    class Order(servers.schema.Order.Server):  # type: ignore[misc, name-defined]
        async def next(self, expected: int) -> Any:
            return await next_(expected)

    return getattr(servers, way)(Order())


async def call_all(client: Any, numbers: range) -> list[Any]:
    """What calls give that are made together: numbers, or errors."""

    async def one(number: int) -> int:
        return int((await client.next(number)).n)

    return await asyncio.gather(*map(one, numbers), return_exceptions=True)


@pytest.mark.parametrize("way", ways)
def test_what_a_call_sets_in_its_context_no_other_sees(servers: Servers, way: str) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            assert COLOR.get() == "none"
            COLOR.set(f"of {number}")
            if number % 2:
                await asyncio.sleep(0)
            assert COLOR.get() == f"of {number}"
            return number

        assert await call_all(client_of(servers, way, next_), range(9)) == list(range(9))

    run(main)


@pytest.mark.parametrize("way", ways)
def test_a_call_that_waits_has_its_task_alone(servers: Servers, way: str) -> None:
    tasks: dict[int, Any] = {}

    async def main() -> None:
        async def next_(number: int) -> int:
            task = tasks[number] = asyncio.current_task()
            await asyncio.sleep(0)
            assert asyncio.current_task() is task
            return number

        assert await call_all(client_of(servers, way, next_), range(9)) == list(range(9))
        assert len(set(map(id, tasks.values()))) == 9

    run(main)


@pytest.mark.parametrize("way", ways)
def test_one_that_is_canceled_takes_no_other_along(servers: Servers, way: str) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            task = asyncio.current_task()
            assert task is not None
            if number == 2:
                task.cancel()  # and does not wait, so that it does not notice
            if number == 3:
                task.cancel()
                await asyncio.sleep(0)
            if number == 4:
                raise asyncio.CancelledError
            if number > 5:
                await asyncio.sleep(0)
            return number

        found = await call_all(client_of(servers, way, next_), range(9))
        assert [each for each in found if isinstance(each, int)] == [0, 1, 2, 5, 6, 7, 8]
        assert [str(each) for each in found if not isinstance(each, int)] == [str(found[3])] * 2
        assert "the call was canceled" in str(found[3])

    run(main)


@pytest.mark.parametrize("way", ways)
def test_time_limits_inside_of_a_call_work(servers: Servers, way: str) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            if number % 2:
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.Event().wait(), 0.01)
            return number

        assert await call_all(client_of(servers, way, next_), range(9)) == list(range(9))

    run(main)


@pytest.mark.parametrize("way", ways)
def test_calls_begin_in_order_and_others_in_the_loop_have_their_turn(servers: Servers, way: str) -> None:
    began: list[int] = []
    count = 4 * _MOST_AT_ONCE

    async def main() -> None:
        async def next_(number: int) -> int:
            began.append(number)
            return number

        async def watch() -> None:
            while len(began) < count:
                seen.add(len(began))
                await asyncio.sleep(0)

        seen: set[int] = set()
        watching = asyncio.ensure_future(watch())
        assert await call_all(client_of(servers, way, next_), range(count)) == list(range(count))
        await watching
        assert began == list(range(count))
        assert len(seen - {0}) > 1

    run(main)


def test_a_worker_that_is_canceled_before_it_begins_does_not_stop_the_others(servers: Servers) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            return number

        client = client_of(servers, "local", next_)
        first = asyncio.ensure_future(call_all(client, range(1)))
        workers = running_turns().workers
        await eventually_in_turns(lambda: workers._next is not None)
        assert workers._next is not None
        workers._next.cancel()
        assert await call_all(client, range(1, 3)) == [1, 2]
        assert await first == [0]

    run(main)


def test_a_worker_keeps_nothing_of_what_is_done(servers: Servers) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            if number % 2:
                await asyncio.sleep(0)
            return number

        assert await call_all(client_of(servers, "local", next_), range(9)) == list(range(9))
        workers = running_turns().workers
        await eventually(lambda: not workers._tasks and not workers._waiting)

    run(main)


def test_a_method_that_makes_the_loop_stop_is_not_held_back(servers: Servers) -> None:
    async def main() -> None:
        async def next_(number: int) -> int:
            raise SystemExit(7)

        await call_all(client_of(servers, "local", next_), range(1))

    with pytest.raises(SystemExit, match="7"):
        run(main)


async def eventually_in_turns(condition: Callable[[], bool]) -> None:
    """Wait turn by turn until something holds."""
    for _ in range(20):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to be")
