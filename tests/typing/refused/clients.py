"""What type checkers refuse of calls: the comments above a line are what they say of it."""

from __future__ import annotations

from calls_capnp import Directory, Shelf, Shop, Store, VatShop
from people_capnp import Person

import ccapnp.types.typed as ccapnp


async def calls(shop: Shop.Client, order: Shop.Order.Client, store: Store.Client[ccapnp.Text, Shop]) -> None:
    # mypy says: "Client" has no attribute "ordr"
    # pyright says: Cannot access attribute "ordr" for class "Client"
    await shop.ordr()

    # mypy says: has incompatible type "int"; expected "str | None"
    # pyright says: "Literal[3]" cannot be assigned to parameter "item"
    await shop.order(3)

    # mypy says: Unexpected keyword argument "buyers" for "order"
    # pyright says: No parameter named "buyers"
    await shop.order("pen", buyers={})

    # mypy says: Too many arguments for "order"
    # pyright says: Expected 3 positional arguments
    await shop.order("pen", 1, None, 2)

    # mypy says: "watch" of "Client" has incompatible type "calls_capnp.Shop.Order.Client"
    # pyright says: "Client" cannot be assigned to parameter "watcher"
    await shop.watch(order)

    # mypy says: "Reader" has no attribute "prise"
    # pyright says: Cannot access attribute "prise" for class "Reader"
    (await shop.order("pen")).prise

    # mypy says: "_OrderPromise" has no attribute "price"
    # pyright says: Cannot access attribute "price" for class "_OrderPromise"
    shop.order("pen").price

    # mypy says: "None" of "Client | None" has no attribute "greet"
    # pyright says: "greet" is not a known attribute of "None"
    (await store.get()).value.greet

    # mypy says: "Promise[None]" has no attribute "chunk"
    # pyright says: Cannot access attribute "chunk" for class "Promise[None]"
    shop.upload(b"").chunk


def pipelines(shop: Shop.Client) -> None:
    # mypy says: "Pipeline" has no attribute "label"
    # pyright says: Cannot access attribute "label" for class "Pipeline"
    shop.shelf().shelf.label

    # mypy says: "Pipeline" has no attribute "orders"
    # pyright says: Cannot access attribute "orders" for class "Pipeline"
    shop.shelf().shelf.orders

    # mypy says: "_ShelfPromise" has no attribute "size"
    # pyright says: Cannot access attribute "size" for class "_ShelfPromise"
    shop.shelf().size

    # mypy says: "Client" has no attribute "ordr"
    # pyright says: Cannot access attribute "ordr" for class "Client"
    shop.import_().class_.ordr


def requests(shop: Shop.Client) -> None:
    request = shop.order_request()

    # mypy says: has type "str", variable has type "SupportsIndex"
    # pyright says: Cannot assign to attribute "count" for class "_OrderRequest"
    request.count = "many"

    # mypy says: "_OrderRequest" has no attribute "itm"
    # pyright says: Cannot assign to attribute "itm" for class "_OrderRequest"
    request.itm = "pen"

    # mypy says: Unexpected keyword argument "itm" for "order_request"
    # pyright says: No parameter named "itm"
    shop.order_request(itm="pen")

    # mypy says: "Client" has no attribute "ordr_request"
    # pyright says: Cannot access attribute "ordr_request" for class "Client"
    shop.ordr_request()


def capabilities(shop: Shop.Client, shelf: Shelf.Builder, directory: Directory.Client) -> VatShop.Client:
    # mypy says: expression has type "calls_capnp.Shop.Client"
    # pyright says: Cannot assign to attribute "order"
    shelf.place.order = shop

    # mypy says: List item 0 has incompatible type "calls_capnp.Shop.Client"
    # pyright says: Cannot assign to attribute "orders"
    shelf.orders = [shop]

    # mypy says: expression has type "str"
    # pyright says: Cannot assign to attribute "capability"
    shelf.capability = "pen"

    # mypy says: variable has type "calls_capnp.Store.Client[Text, Shop] |
    # pyright says: Cannot assign to attribute "stores"
    shelf.stores = directory

    # mypy says: incompatible type "type[Shelf]"; expected "type[HasClient[
    # pyright says: "type[Shelf]" cannot be assigned to parameter "interface"
    shop.cast_as(Shelf)

    # mypy says: incompatible type "type[Person]"; expected "type[HasClient[
    # pyright says: "type[Person]" cannot be assigned to parameter "interface"
    shelf.any.as_interface(Person)

    # mypy says: got "calls_capnp.Shop.Client", expected "calls_capnp.VatShop.Client"
    # pyright says: "calls_capnp.Shop.Client" is not assignable to "calls_capnp.VatShop.Client"
    return shop
