"""ccapnp, libcapnp and pycapnp as client and as server of each other: every scenario of hub.capnp, on both codecs."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import rpc
from tests.interop.peers import HERE, SCENARIOS, Peer, listening, outcomes, peer

PAIRS = (
    *(("native", "cpp"), ("pure", "cpp"), ("cpp", "native"), ("cpp", "pure")),
    *(("native", "pycapnp"), ("pure", "pycapnp"), ("pycapnp", "native"), ("pycapnp", "pure")),
    *(("native", "pure"), ("pure", "native")),
    # The judges themselves, so that one that is wrong is not taken for a fault of ccapnp.
    *(("cpp", "cpp"), ("pycapnp", "cpp"), ("cpp", "pycapnp")),
)
"""Client and server."""


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A folder with a short path, as that of a unix socket must be."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture(scope="session")
def program(folder: Path) -> Callable[[str], Peer]:
    """A function from a name to its program."""
    return cache(lambda name: peer(name, folder))


def talk(client: Peer, server: Peer, address: str) -> dict[str, str]:
    """What the client says of the scenarios that the server can take part in."""
    with listening(server, address):
        found = outcomes(client, address)
    return {name: outcome for name, outcome in found.items() if name not in server.lacks}


@pytest.mark.conformance("PRO-26")
@pytest.mark.parametrize(("client_name", "server_name"), PAIRS, ids=str)
def test_all_scenarios(client_name: str, server_name: str, program: Callable[[str], Peer], folder: Path) -> None:
    client, server = program(client_name), program(server_name)
    found = talk(client, server, f"unix:{folder}/{client_name}-{server_name}")
    assert found == dict.fromkeys(SCENARIOS - server.lacks, "ok")


@pytest.mark.parametrize(("client_name", "server_name"), [("native", "cpp"), ("pycapnp", "pure")], ids=str)
def test_tcp(client_name: str, server_name: str, program: Callable[[str], Peer], unused_port: int) -> None:
    found = talk(program(client_name), program(server_name), f"127.0.0.1:{unused_port}")
    assert found == dict.fromkeys(SCENARIOS, "ok")


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.conformance("PRO-19")
@pytest.mark.parametrize("server_name", ["cpp", "pycapnp", "native"])
def test_a_server_that_is_killed_is_disconnected(
    server_name: str, backend: str, program: Callable[[str], Peer], folder: Path
) -> None:
    hub_capnp: Any = ccapnp.load(str(HERE / "hub.capnp"), backend=backend)
    path = f"{folder}/killed-{server_name}-{backend}"

    async def main() -> None:
        with listening(program(server_name), f"unix:{path}") as process:
            async with await rpc.connect(path=path, backend=backend) as connection:
                hub = connection.bootstrap(hub_capnp.Hub)
                waiting = hub.never()
                assert (await hub.add(1, 2)).sum == 3  # so that the other call has begun
                process.kill()
                with pytest.raises(ccapnp.DisconnectedError):
                    await asyncio.wait_for(waiting, 10)
                with pytest.raises(ccapnp.DisconnectedError):
                    await asyncio.wait_for(hub.add(1, 2), 10)
                await asyncio.wait_for(connection.closed, 10)

    asyncio.run(main())
