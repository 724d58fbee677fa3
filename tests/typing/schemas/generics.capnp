@0x9d64a3b1c0f2e758;
# Types with parameters.

using People = import "people.capnp";

struct Map(Key, Value) {
  entries @0 :List(Entry);
  struct Entry {
    key @0 :Key;
    value @1 :Value;
  }
}

struct Box(T) {
  value @0 :T;
  other @1 :Box(People.Person);
  union {
    none @2 :Void;
    part :group {
      inner @3 :T;
      deep @4 :Map(Text, T);
    }
  }
  struct Pair(T, Second) {
    # A parameter that has the name of one further out.
    first @0 :T;
    second @1 :Second;
    box @2 :Box(Second);
    enum Color { red @0; }
    interface Service(Third) extends(Base(Third)) {
      call @0 [Own] (first :T, third :Third, own :Own) -> Map(Third, Second);
    }
  }
  interface Base(Of) {
    base @0 (of :Of) -> ();
  }
}

struct Uses {
  people @0 :Map(Text, People.Person);
  texts @1 :Box(Text);
  nested @2 :Box(Box(Data));
  lists @3 :Box(List(Text));
  numbers @4 :Box(List(Int32));
  colors @5 :Box(List(Box.Pair.Color));
  listsOfLists @6 :Box(List(List(Text)));
  service @7 :Box(Box.Base(Text));
  pair @8 :Box(Text).Pair(Data, Uses);
  unbound @9 :Box;
  many @10 :List(Map(Text, Box(Text)));
  any @11 :Box(AnyPointer);
}

const box :Box(Text) = (value = "constant");
