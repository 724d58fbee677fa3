@0xd0a1f2b3c4d5000b;

interface Empty {}

interface Base {
  ping @0 ();
}

interface Service extends(Base, Empty) {
  # A service.

  second @1 (a :Int32 = 5, b :Text = "hi", c :Data = null, d :Base) -> (result :Service);
  # Has defaults.
  first @0 Params -> Results;
  none @2 () -> ();
  quiet @3 (a :List(Int8) = null, b :Params = null, c :AnyPointer = null);
  struct Params { x @0 :Int32; }
  struct Results { service @0 :Service; }
  mixed @4 Params -> (x :Bool, y :Bool);
  sends @5 (data :Data) -> stream;
  const limit :Int32 = 3;
  limited @6 (x :Int32 = .Service.limit);
}
