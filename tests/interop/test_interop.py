"""ccapnp, libcapnp and pycapnp as client and as server of each other: every scenario of hub.capnp, on both codecs."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import rpc
from tests.interop.peers import HERE, SCENARIOS, built_peer, listening, outcomes, peers

PAIRS = (
    *(("native", "cpp"), ("pure", "cpp"), ("cpp", "native"), ("cpp", "pure")),
    *(("native", "pycapnp"), ("pycapnp", "native"), ("pycapnp", "pure")),
    *(("native", "pure"), ("pure", "native")),
)
"""Client and server."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder with a short path, as that of a unix socket must be."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@pytest.fixture(scope="module")
def cpp(folder: Path) -> Path:
    return built_peer(folder)


@cache
def talk(client_name: str, server_name: str, program: Path, address: str) -> dict[str, str]:
    """What the client says of its scenarios with that server."""
    client, server = peers(client_name, program), peers(server_name, program)
    with listening(server, address):
        found = outcomes(client, address)
    return {name: outcome for name, outcome in found.items() if name.split()[0] not in server.lacks}


@pytest.mark.conformance("PRO-26")
@pytest.mark.parametrize(("client", "server"), PAIRS, ids=str)
def test_all_scenarios(client: str, server: str, cpp: Path, folder: Path) -> None:
    found = talk(client, server, cpp, f"unix:{folder}/{client}-{server}")
    assert {name: outcome for name, outcome in found.items() if outcome != "ok"} == {}
    assert len(found) >= len(SCENARIOS) - 2


def test_tcp(cpp: Path, unused_port: int) -> None:
    assert set(talk("native", "cpp", cpp, f"127.0.0.1:{unused_port}").values()) == {"ok"}


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.conformance("PRO-19")
@pytest.mark.parametrize("server_name", ["cpp", "native"])
def test_a_server_that_is_killed_is_disconnected(server_name: str, backend: str, cpp: Path, folder: Path) -> None:
    hub_capnp: Any = ccapnp.load(str(HERE / "hub.capnp"), backend=backend)
    path = f"{folder}/killed-{server_name}-{backend}"

    async def main() -> None:
        with listening(peers(server_name, cpp), f"unix:{path}") as process:
            async with await rpc.connect(path=path, backend=backend) as connection:
                hub = connection.bootstrap(hub_capnp.Hub)
                assert (await hub.add(1, 2)).sum == 3
                waiting = asyncio.ensure_future(hub.never())
                await asyncio.sleep(0.05)
                process.kill()
                with pytest.raises(ccapnp.DisconnectedError):
                    await asyncio.wait_for(waiting, 10)
                with pytest.raises(ccapnp.DisconnectedError):
                    await hub.add(1, 2)
                await asyncio.wait_for(connection.closed, 10)

    asyncio.run(main())
