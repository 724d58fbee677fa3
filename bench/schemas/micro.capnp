@0xc9b4f0d3f1a25e77;
# One field of each kind, for timing a single operation, and a table with many rows.

struct Micro {
  int @0 :Int32;
  text @1 :Text;
  child @2 :Micro;
  children @3 :List(Micro);
  float @4 :Float32;
  flag @5 :Bool;
  color @6 :Shade;
  numbers @7 :List(UInt16);
  blob @8 :Data;
  int8 @9 :Int8;
  int16 @10 :Int16;
  int64 @11 :Int64;
  uint8 @12 :UInt8;
  uint16 @13 :UInt16;
  uint32 @14 :UInt32;
  uint64 @15 :UInt64;
  double @16 :Float64;
  texts @17 :List(Text);
  position :group {
    x @18 :Float32;
    y @19 :Float32;
  }
  shape :union {
    circle @20 :Float64;
    square @21 :Float64;
  }
}

enum Shade {
  red @0;
  green @1;
  blue @2;
}

struct Table {
  rows @0 :List(Row);
}

struct Row {
  id @0 :UInt64;
  value @1 :Float64;
  count @2 :UInt32;
  valid @3 :Bool;
}
