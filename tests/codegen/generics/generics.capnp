@0xb2f1a3c4d5e6f706;

using import "boxes.capnp".Box;

struct Pair(Left, Right) {
  left @0 :Left;
  right @1 :Right;
  count @2 :Int32;
  swapped @3 :Pair(Right, Left);
  group :group {
    any @4 :Left;
    number @5 :Int8;
  }

  struct Inner(Third) {
    third @0 :Third;
    left @1 :Left;
    number @2 :Int8;
  }
  interface Service {
    call @0 (left :Left) -> (right :Right);
  }
}

struct Uses {
  texts @0 :Pair(Text, Uses);
  inner @1 :Pair(Text, Data).Inner(List(Text));
  list @2 :List(Pair(Uses, Text));
  unbound @3 :Pair;
  anyStruct @4 :AnyStruct;
  anyList @5 :AnyList;
  capability @6 :Capability;
  box @7 :Box(Pair(Text, Data));
  label @8 :Box(Data).Label;
}

const pair :Pair(Text, Data) = (left = "l", right = "r", count = 3);
