"""CatRank: search results are scored anew, those about cats above all, and sorted. Mostly text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Any, NamedTuple

from bench.cases.generator import Generator

__all__ = ["COUNT", "ENUM", "REQUEST", "RESPONSE", "SCHEMA", "STYLES", "draw"]

SCHEMA, REQUEST, RESPONSE, ENUM = "catrank", "SearchResultList", "SearchResultList", None
COUNT = 4

WORDS = (
    ("foo ", "bar ", "baz ", "qux ", "quux ", "corge ", "grault ")
    + ("garply ", "waldo ", "fred ", "plugh ", "xyzzy ", "thud ")
)  # fmt: skip


class SearchResult(NamedTuple):
    url: str
    score: float
    snippet: str


def draw(random: Generator, members: Sequence[Any]) -> tuple[list[SearchResult], int]:
    """Search results, and how many of them are about cats and not about dogs."""
    below = random.below
    results, cats = [], 0
    for number in range(below(1000)):
        url = "http://example.com/" + "".join(chr(ord("a") + below(26)) for _ in range(below(100)))
        is_cat, is_dog = below(8) == 0, below(8) == 0
        cats += is_cat and not is_dog
        before = "".join(WORDS[below(len(WORDS))] for _ in range(below(20)))
        after = "".join(WORDS[below(len(WORDS))] for _ in range(below(20)))
        snippet = f" {before}{'cat ' if is_cat else ''}{'dog ' if is_dog else ''}{after}"
        results.append(SearchResult(url, 1000.0 - number, snippet))
    return results, cats


def rank(request: Any) -> list[tuple[float, str, str]]:
    """Score, URL and snippet of each, the best first."""
    ranked = []
    for result in request.results:
        score, snippet = result.score, result.snippet
        if " cat " in snippet:
            score *= 10000
        if " dog " in snippet:
            score /= 10000
        ranked.append((score, result))
    ranked.sort(key=itemgetter(0), reverse=True)
    return [(score, result.url, result.snippet) for score, result in ranked]


class Style:
    """What is done alike with every library."""

    def __init__(self, types: Any, new_request: Callable[..., Any], new_response: Callable[..., Any]) -> None:
        self._types, self._new_request, self._new_response = types, new_request, new_response

    def check(self, response: Any) -> int:
        return sum(1 for _ in takewhile(lambda result: result.score > 1001, response.results))


class Setting(Style):
    """A message is made, and its fields are set one by one."""

    def request(self, content: list[SearchResult]) -> Any:
        message = self._new_request()
        for result, drawn in zip(message.init("results", len(content)), content):
            result.url, result.score, result.snippet = drawn
        return message

    def respond(self, request: Any) -> Any:
        message = self._new_response()
        ranked = rank(request)
        for result, best in zip(message.init("results", len(ranked)), ranked):
            result.score, result.url, result.snippet = best
        return message


class Adding(Style):
    """Likewise, and each element is added to its list."""

    def request(self, content: list[SearchResult]) -> Any:
        message = self._new_request()
        add = message.results.add
        for drawn in content:
            result = add()
            result.url, result.score, result.snippet = drawn
        return message

    def respond(self, request: Any) -> Any:
        message = self._new_response()
        add = message.results.add
        for best in rank(request):
            result = add()
            result.score, result.url, result.snippet = best
        return message


class Constructing(Style):
    """Each struct is made of its fields."""

    def request(self, content: list[SearchResult]) -> Any:
        new = self._types.SearchResult
        return self._new_request(
            results=[new(url=url, score=score, snippet=snippet) for url, score, snippet in content]
        )

    def respond(self, request: Any) -> Any:
        new = self._types.SearchResult
        return self._new_response(
            results=[new(url=url, score=score, snippet=snippet) for score, url, snippet in rank(request)]
        )


class Naming(Style):
    """A message is made of dicts, and read as it is decoded."""

    def request(self, content: list[SearchResult]) -> Any:
        return {"results": [{"url": url, "score": score, "snippet": snippet} for url, score, snippet in content]}

    def respond(self, request: Any) -> Any:
        ranked = rank(request)
        return {"results": [{"url": url, "score": score, "snippet": snippet} for score, url, snippet in ranked]}


STYLES = {"setting": Setting, "adding": Adding, "constructing": Constructing, "naming": Naming}
