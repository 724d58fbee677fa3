@0xc9b4f0d3f1a25e77;
# One field of each kind, for timing a single operation.

struct Micro {
  int @0 :Int32;
  text @1 :Text;
  child @2 :Micro;
  children @3 :List(Micro);
  float @4 :Float32;
  flag @5 :Bool;
  color @6 :Color;
  numbers @7 :List(UInt16);
  blob @8 :Data;
}

enum Color {
  red @0;
  green @1;
  blue @2;
}
