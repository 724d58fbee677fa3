@0xb8d3f1c06e5a2947;
# Interfaces, and what their methods take and give.

using People = import "people.capnp";

interface Shop extends(People.Service) {
  order @0 (item :Text, count :UInt32 = 1, buyer :People.Person) -> (order :Order, price :UInt32);
  # Buys something.
  #
  # The price is that of all of it.

  search @1 Query -> Query;
  upload @2 (chunk :Data) -> stream;
  watch @3 (watcher :Watcher) -> ();
  import @4 (from :Text, is :Bool) -> (class :Shop);
  close @5 ();
  shelf @6 () -> (shelf :Shelf, size :UInt32);
  make @7 [T] (like :T, many :List(Box(T))) -> (made :T);
  label @8 () -> (text :Text);

  struct Query {
    union {
      text @0 :Text;
      range :group {
        low @1 :Float64;
        high @2 :Float64;
      }
    }
    watchers @3 :List(Watcher);
  }

  interface Order {
    price @0 () -> (price :UInt32);
  }
}

interface Watcher {
  seen @0 (shop :Shop, what :AnyPointer) -> ();
}

interface VatShop extends(Shop, People.Service) {
  tax @0 () -> (rate :Float64);
}

struct Shelf {
  place :group {
    order @0 :Shop.Order;
    number @1 :UInt8;
  }
  next @2 :Shelf;
  any @3 :AnyPointer;
  capability @4 :Capability;
  label @5 :Text;
  orders @6 :List(Shop.Order);
  stores @7 :Store(Text, Shop);
  lists @8 :AnyList;
}

struct Plain {
  label @0 :Text;
  inner @1 :Plain;
}

interface Store(Key, Value) {
  get @0 (key :Key) -> (value :Value, plain :Plain);
  put @1 (key :Key, value :Value) -> stream;
  all @2 (like :Pair) -> (pairs :List(Pair), first :Pair);
  map @3 Box(Text) -> Box(Value);

  struct Pair {
    key @0 :Key;
    value @1 :Value;
    store @2 :Store(Value, Key);
  }
}

struct Box(T) {
  value @0 :T;
  values @1 :List(Box(T));
  boxed @2 :Box(T);
}

interface Directory extends(Store(Text, People.Person)) {}
