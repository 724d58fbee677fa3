"""Calls: what type checkers accept of clients, and what types they see.  The code also runs."""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from calls_capnp import Box, Directory, Plain, Shelf, Shop, Store, VatShop, Watcher
from people_capnp import Person, Service
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp import rpc


async def calls(shop: Shop.Client, watcher: Watcher.Client) -> None:
    results = await shop.order("pen", 2, buyer={"name": "Alice"})
    assert_type(results, Shop.OrderResults.Reader)
    assert_type(results.price, int)
    assert_type(results.order, Optional[Shop.Order.Client])
    assert_type((await shop.order(item="pen", buyer=Person(name="Bob"))).price, int)
    assert_type(await shop.search("pen", range={"low": 1}, watchers=[watcher, None]), Shop.Query.Reader)
    assert_type(await shop.upload(b"chunk"), None)
    assert_type(shop.upload(chunk=bytearray()), "rpc.Promise[None]")
    assert_type(await shop.watch(watcher), Shop.WatchResults.Reader)
    assert_type((await shop.import_(from_="abroad", is_=True)).class_, Optional[Shop.Client])
    assert_type(await shop.close(), Shop.CloseResults.Reader)
    assert_type((await shop.make(b"like", many=[{}])).made, ccapnp.AnyPointerReader)
    assert_type((await shop.label()).text, str)
    await watcher.seen(shop, "text")


async def pipelines(shop: Shop.Client) -> None:
    order = shop.order("pen")
    assert_type(order.order, Shop.Order.Client)
    assert_type((await order.order.price()).price, int)
    assert_type(shop.import_().class_.import_().class_, Shop.Client)
    shelf = shop.shelf().shelf
    assert_type(shelf, "Shelf.Pipeline")
    assert_type(shelf.place.order, Shop.Order.Client)
    assert_type(shelf.next.next, "Shelf.Pipeline")
    assert_type(shelf.any, rpc.AnyPipeline)
    assert_type(shelf.any.as_interface(Watcher), Watcher.Client)
    assert_type(shelf.capability, rpc.Client)
    assert_type(shelf.stores.get("key").value, Any)


async def requests(shop: Shop.Client) -> None:
    request = shop.order_request("pen")
    request.count = 3
    request.init("buyer").name = "Alice"
    assert_type(request.buyer, Person.Builder)
    assert_type((await request.send()).price, int)
    assert_type(shop.order_request("pen").send().order, Shop.Order.Client)
    search = shop.search_request()
    search.range = {"high": 2}
    assert_type(await search.send(), Shop.Query.Reader)
    upload = shop.upload_request()
    upload.chunk = b"chunk"
    assert_type(await upload.send(), None)
    assert_type((await shop.import_request(from_="abroad").send()).class_, Optional[Shop.Client])


async def inherited(shop: VatShop.Client, directory: Directory.Client) -> None:
    assert_type((await shop.tax()).rate, float)
    assert_type((await shop.order("pen")).price, int)
    assert_type((await shop.greet({"name": "Alice"})).text, str)
    base: Service.Client = shop
    await base.greet()
    assert_type((await directory.get("Alice")).value, Person.Reader)


def casts(client: rpc.Client, anything: ccapnp.AnyPointerReader) -> None:
    assert_type(client.cast_as(Shop), Shop.Client)
    assert_type(client.cast_as(Store[ccapnp.Text, Person]), "Store.Client[ccapnp.Text, Person]")
    assert_type(client.close(), None)
    assert_type(anything.as_interface(Shop), Optional[Shop.Client])
    assert_type(anything.as_capability(), Optional[rpc.Client])
    assert_type(anything.get(Shop), Optional[Shop.Client])


async def generic(store: Store.Client[ccapnp.Text, Person]) -> None:
    assert_type((await store.get("key")).value, Person.Reader)
    assert_type((await store.get("key")).plain, Plain.Reader)
    assert_type(await store.put("key", {"name": "Alice"}), None)
    request = store.put_request()
    request.key = "key"
    request.value = {"name": "Alice"}
    pairs = await store.all({"key": "key"})
    assert_type(pairs.first.key, str)
    assert_type(pairs.pairs[0].value, Person.Reader)
    assert_type(pairs.first.store, Optional["Store.Client[Person, ccapnp.Text]"])
    assert_type(store.all().first.store, "Store.Client[Person, ccapnp.Text]")
    assert_type((await store.map("text", values=[])).value, Person.Reader)
    bound: Store.Client[ccapnp.Text, ccapnp.Struct] = store
    await bound.get()


def fields(shelf: Shelf.Builder, shop: Shop.Client, order: Shop.Order.Client) -> None:
    shelf.place.order = order
    shelf.place.order = None
    shelf.place = {"order": order}
    shelf.capability = shop
    shelf.any = order
    shelf.orders = [order, None]
    Box[Shop]().value = shop
    read = shelf.as_reader()
    assert_type(read.place.order, Optional[Shop.Order.Client])
    assert_type(read.capability, Optional[rpc.Client])
    assert_type(read.orders[0], Optional[Shop.Order.Client])
    assert_type(read.stores, Optional["Store.Client[ccapnp.Text, Shop]"])
    assert_type(Box[Shop]().value, Optional[Shop.Client])


async def connections(connection: rpc.Connection, server: Shop.Server) -> None:
    assert_type(connection.bootstrap(Shop), Shop.Client)
    assert_type(connection.bootstrap(), rpc.Client)
    client, fulfiller = rpc.promise(Shop)
    assert_type(client, Shop.Client)
    fulfiller.fulfill(server)
    with client as entered:
        assert_type(await entered.resolved(), Shop.Client)
        assert_type(await rpc.resolved(entered), Shop.Client)


class AnyOrder(Shop.Order.Server):
    def price(self) -> int:
        return 3


class AnyShop(Shop.Server):
    """What answers the calls above."""

    def order(self, count: int) -> Any:
        return AnyOrder(), count

    def search_context(self, context: rpc.CallContext[Shop.Query.Reader, Shop.Query.Builder]) -> Shop.Query.Reader:
        return context.params

    def upload(self) -> None: ...

    def watch(self) -> None: ...

    def import_(self) -> Shop.Client:
        return self.this_cap()

    def close(self) -> None: ...

    def make(self, **kwargs: Any) -> None: ...

    def label(self) -> None: ...

    def shelf(self) -> Any:
        return {"shelf": {"place": {"order": AnyOrder()}, "next": {"next": {}}, "any": AnyWatcher()}}


class AnyWatcher(Watcher.Server):
    def seen(self, **kwargs: Any) -> None: ...


async def main() -> None:
    shop = Shop.Client(AnyShop())
    await calls(shop, Watcher.Client(AnyWatcher()))
    await pipelines(shop)
    await requests(shop)
    connection, other = rpc.pair(AnyShop())
    await connections(connection, AnyShop())
    other.close()


asyncio.run(main())
