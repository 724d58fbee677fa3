"""What type checkers refuse of servers: the comments above a line are what they say of it."""

from __future__ import annotations

from typing import Any

from calls_capnp import Shelf, Shop, VatShop, Watcher
from people_capnp import Person

from ccapnp import rpc


class OrderServer(Shop.Order.Server):
    # mypy says: Signature of "price" incompatible with supertype "calls_capnp.Shop.Order.Server"
    # pyright says: Method "price" overrides class "Server" in an incompatible manner
    async def price(self, **kwargs: Any) -> str:
        return "3"


class WatcherServer(Watcher.Server):
    # mypy says: Signature of "seen" incompatible with supertype "calls_capnp.Watcher.Server"
    # pyright says: Method "seen" overrides class "Server" in an incompatible manner
    def seen(self, shop: Shop.Client, what: Any) -> int:
        return 3


class ShopServer(Shop.Server):
    # mypy says: Signature of "order" incompatible with supertype "calls_capnp.Shop.Server"
    # pyright says: Method "order" overrides class "Server" in an incompatible manner
    async def order(self, item: str, count: int, **kwargs: Any) -> tuple[int, int]:
        return count, len(item)

    # mypy says: Signature of "search" incompatible with supertype "calls_capnp.Shop.Server"
    # pyright says: Method "search" overrides class "Server" in an incompatible manner
    def search(self, text: str) -> list[str]:
        return [text]

    # mypy says: Signature of "upload" incompatible with supertype "calls_capnp.Shop.Server"
    # pyright says: Method "upload" overrides class "Server" in an incompatible manner
    async def upload(self, chunk: bytes) -> int:
        return len(chunk)

    # mypy says: Signature of "import_" incompatible with supertype "calls_capnp.Shop.Server"
    # pyright says: Method "import_" overrides class "Server" in an incompatible manner
    def import_(self) -> OrderServer:
        return OrderServer()

    # mypy says: Argument 1 of "shelf_context" is incompatible with supertype
    # pyright says: Method "shelf_context" overrides class "Server" in an incompatible manner
    def shelf_context(self, context: rpc.CallContext[Shop.OrderParams.Reader, Any]) -> None: ...

    # mypy says: Signature of "label" incompatible with supertype "calls_capnp.Shop.Server"
    # pyright says: Method "label" overrides class "Server" in an incompatible manner
    def label(self) -> rpc.Promise[Shop.OrderResults.Reader]:
        raise NotImplementedError

    # mypy says: Signature of "greet" incompatible with supertype "people_capnp.Service.Server"
    # pyright says: Method "greet" overrides class "Server" in an incompatible manner
    async def greet(self, person: Person.Reader) -> int:
        return len(person.name)


def servers(shop: Shop.Client, shelf: Shelf.Builder) -> None:
    # mypy says: incompatible type "OrderServer"; expected "Client | Server | Awaitable[
    # pyright says: "OrderServer" cannot be assigned to parameter "target"
    Shop.Client(OrderServer())

    # mypy says: incompatible type "ShopServer"; expected "Client | Server | Awaitable[
    # pyright says: "ShopServer" cannot be assigned to parameter "target"
    VatShop.Client(ShopServer())

    # mypy says: incompatible type "ShopServer"; expected "Client | Server |
    # pyright says: "ShopServer" cannot be assigned to parameter "watcher"
    shop.watch(ShopServer())

    # mypy says: expression has type "ShopServer", variable has type "Client | Server |
    # pyright says: Cannot assign to attribute "order"
    shelf.place.order = ShopServer()
