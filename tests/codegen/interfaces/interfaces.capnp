@0xb2f1a3c4d5e6f705;

interface Base {
  ping @0 () -> ();
}

interface Store extends(Base) {
  get @0 (key :Text) -> (value :Data, found :Bool);
  put @1 Entry -> stream;
  swap @2 Entry -> Entry;
  list @3 [T] (of :T) -> (entries :List(Entry), store :Store);

  struct Entry {
    key @0 :Text;
    owner @1 :Base;
    stores @2 :List(Store);
  }
}
