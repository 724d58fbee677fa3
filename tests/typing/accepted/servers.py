"""Servers: what type checkers accept of the methods that answer calls, and what types they see."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Optional

from calls_capnp import Box, Directory, Shelf, Shop, Store, VatShop, Watcher
from people_capnp import Person, Service
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp import rpc


class OrderServer(Shop.Order.Server):
    async def price(self, **kwargs: Any) -> int:
        return 3


class WatcherServer(Watcher.Server):
    def seen(self, shop: Shop.Client, what: ccapnp.AnyPointerReader) -> None:
        assert_type(self.this_cap(), Watcher.Client)
        if what.kind == "capability":
            assert isinstance(what.as_interface(Shop), Shop.Client)


class ShopServer(Shop.Server):
    """Some of the methods, each with another signature."""

    async def order(self, item: str, count: int, **kwargs: Any) -> tuple[OrderServer, int]:
        return OrderServer(), count * len(item)

    async def search(self, text: str, _context: Shop._SearchContext) -> None:
        assert_type(_context.params, Shop.Query.Reader)
        assert_type(_context.results, Shop.Query.Builder)
        _context.results.text = text

    def upload(self, chunk: bytes) -> None:
        assert len(chunk) < 3

    async def watch(self, watcher: Optional[Watcher.Client], **kwargs: Any) -> Mapping[str, Any]:
        if watcher is not None:
            await watcher.seen(self, "text")
        return {}

    def import_(self, *, from_: str, is_: bool = False) -> Shop.Client:
        return self.this_cap()

    async def shelf_context(self, context: rpc.CallContext[Shop.ShelfParams.Reader, Shop.ShelfResults.Builder]) -> None:
        context.results.size = 3
        context.results.shelf.capability = OrderServer()

    def greet(self, person: Person.Reader) -> str:
        return person.name


class Forwarder(Shop.Server):
    """Methods that give back promises, messages and dicts."""

    def __init__(self, shop: Shop.Client) -> None:
        self.shop = shop

    def order(self, item: str, count: int) -> rpc.Promise[Shop.OrderResults.Reader]:
        return self.shop.order(item, count)

    async def search(self, text: str) -> Shop.Query.Reader:
        return await self.shop.search(text)

    def shelf(self) -> Shop.ShelfResults.Builder:
        return Shop.ShelfResults(size=1)

    async def label(self) -> dict[str, str]:
        return {"text": "label"}

    async def label_context(self, context: rpc.CallContext[Any, Any]) -> str:
        return "label"


class VatShopServer(VatShop.Server, ShopServer):
    """What a superclass's server has already."""

    def tax(self) -> float:
        return 0.2


class StoreServer(Store.Server):
    async def get(self, key: Any, **kwargs: Any) -> Any:
        assert_type(self.this_cap(), "Store.Client[Any, Any]")
        return key

    def put(self, key: str, value: int) -> None: ...

    def map(self, value: ccapnp.AnyPointerReader, **kwargs: Any) -> dict[str, Any]:
        return {"value": value}


class DirectoryServer(Directory.Server):
    async def get(self, key: str) -> tuple[Person.Builder, None]:
        return Person(name=key), None


def clients() -> Store.Client[ccapnp.Text, Person]:
    assert_type(Shop.Client(ShopServer()), Shop.Client)
    assert_type(VatShop.Client(VatShopServer()), VatShop.Client)
    Service.Client(ShopServer())
    Store.Client(StoreServer())
    return Directory.Client(DirectoryServer())


async def as_values(shop: Shop.Client, watcher: Watcher.Client, shelf: Shelf.Builder) -> None:
    await shop.watch(WatcherServer())
    await shop.search(watchers=[WatcherServer(), watcher])
    await watcher.seen(ShopServer(), what=ShopServer())
    shelf.place.order = OrderServer()
    shelf.orders = [OrderServer()]
    shelf.capability = ShopServer()
    shelf.stores = StoreServer()
    Box[Shop]().value = ShopServer()


async def main() -> None:
    shop = VatShop.Client(VatShopServer())
    await as_values(shop, Watcher.Client(WatcherServer()), Shelf())
    forwarded = Shop.Client(Forwarder(shop))
    results = await forwarded.order("pen", 2)
    assert results.price == 6 and results.order is not None
    assert (await results.order.price()).price == 3
    assert (await forwarded.order("pen").order.price()).price == 3
    assert (await forwarded.search("pen")).text == "pen"
    assert (await shop.shelf()).size == 3 and (await forwarded.shelf()).size == 1
    assert (await shop.tax()).rate == 0.2
    assert (await shop.import_(from_="abroad")).class_ is not None
    assert (await shop.greet({"name": "Alice"})).text == "Alice"
    assert (await forwarded.label()).text == "label"
    await shop.upload(b"ab")
    assert (await clients().get("Alice")).value.name == "Alice"


asyncio.run(main())
