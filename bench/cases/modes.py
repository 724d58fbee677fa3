"""The way of a message between client and server."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

from bench.cases import CASES
from bench.cases.generator import Generator
from bench.contenders.library import Library

__all__ = ["COMPRESSIONS", "MODES", "REUSES", "Configuration", "Run"]

MODES = ("object", "bytes", "pipe")
REUSES = ("no-reuse", "reuse")
COMPRESSIONS = ("none", "packed")


class Configuration(NamedTuple):
    """What the command line of the C++ benchmarks says, too."""

    case: str
    mode: str
    reuse: str
    compression: str


class Run:
    """A case, as a library runs it."""

    def __init__(self, library: Library, configuration: Configuration) -> None:
        case = CASES[configuration.case]
        packed, reuse = configuration.compression == "packed", configuration.reuse == "reuse"
        if packed and not library.packs:
            raise NotImplementedError
        self._library, self._case, self._configuration = library, case, configuration
        self._types = library.load(case.SCHEMA)
        self._members = library.members(getattr(self._types, case.ENUM)) if case.ENUM else ()
        self._random = Generator()
        request_type, response_type = getattr(self._types, case.REQUEST), getattr(self._types, case.RESPONSE)
        style = _style(case, library, configuration.mode)(
            self._types, library.maker(request_type, reuse), library.maker(response_type, reuse)
        )
        modes = {"object": _in_objects, "bytes": _in_bytes, "pipe": _through_pipes}
        self._ending = ExitStack()
        self._answer = modes[configuration.mode](
            library, style, request_type, response_type, packed, reuse, self._ending
        )

    def close(self) -> None:
        """End the server's process, if there is one."""
        self._ending.close()

    def draw(self, count: int) -> None:
        """Draw the next requests, in place of those there were."""
        self._requests = [self._case.draw(self._random, self._members) for _ in range(count)]

    def time(self, loops: int) -> tuple[float, int]:
        """How many seconds it takes to send each request, so many times, and the sum of the answers.

        Raises ValueError if an answer is wrong.
        """
        answer, requests, total = self._answer, self._requests, 0
        gc.collect()
        start = perf_counter()
        for _ in range(loops):
            total = 0
            for content, expected in requests:
                answered = answer(content)
                if answered != expected:
                    raise ValueError(f"the answer was {answered}, and {expected} would be right")
                total += answered
        return perf_counter() - start, total


def _style(case: ModuleType, library: Library, mode: str) -> Any:
    for style in library.styles:
        if style in case.STYLES and (style, mode) != ("naming", "object"):  # a dict is no object to be handed over
            return case.STYLES[style]
    raise NotImplementedError


def _in_objects(
    library: Library, style: Any, request_type: Any, response_type: Any, packed: bool, reuse: bool, ending: ExitStack
) -> Callable[[Any], int]:
    request, respond, check = style.request, style.respond, style.check
    hand_over = library.hand_over
    if hand_over is None:
        return lambda content: check(respond(request(content)))
    return lambda content: check(hand_over(respond(hand_over(request(content)))))


def _in_bytes(
    library: Library, style: Any, request_type: Any, response_type: Any, packed: bool, reuse: bool, ending: ExitStack
) -> Callable[[Any], int]:
    request, respond, check = style.request, style.respond, style.check
    encode_request = library.encoder(request_type, packed, reuse)
    encode_response = library.encoder(response_type, packed, reuse)
    decode_request = library.decoder(request_type, packed, reuse)
    decode_response = library.decoder(response_type, packed, reuse)

    def answer(content: Any) -> int:
        question = encode_request(request(content))
        reply = encode_response(respond(decode_request(question)))
        checked: int = check(decode_response(reply))
        return checked

    return answer


def _through_pipes(
    library: Library, style: Any, request_type: Any, response_type: Any, packed: bool, reuse: bool, ending: ExitStack
) -> Callable[[Any], int]:
    to_server, to_client = os.pipe(), os.pipe()
    server = os.fork()
    if server == 0:
        os.close(to_server[1])
        os.close(to_client[0])
        _serve(
            library,
            style,
            request_type,
            response_type,
            packed,
            os.fdopen(to_server[0], "rb"),
            os.fdopen(to_client[1], "wb"),
        )
    os.close(to_server[0])
    os.close(to_client[1])
    ending.callback(os.waitpid, server, 0)
    sink, source = os.fdopen(to_server[1], "wb"), os.fdopen(to_client[0], "rb")
    ending.enter_context(source)
    ending.enter_context(sink)
    send = library.sender(request_type, sink, packed)
    receive = library.receiver(response_type, source, packed)
    request, check = style.request, style.check

    def answer(content: Any) -> int:
        send(request(content))
        checked: int = check(receive())
        return checked

    return answer


def _serve(
    library: Library, style: Any, request_type: Any, response_type: Any, packed: bool, source: Any, sink: Any
) -> None:
    """Answer until the client is gone, and end the process."""
    respond, send = style.respond, library.sender(response_type, sink, packed)
    receive = library.receiver(request_type, source, packed)
    try:
        while True:
            send(respond(receive()))
    except Exception:  # noqa: BLE001  each library has its own for the end of the file
        if source.read(1):
            traceback.print_exc()
    finally:
        os._exit(0)
