@0xe7f6b7a8d6c04a1d;
# What a schema leaves open.

struct Anything {
  any @0 :AnyPointer;
  struct @1 :AnyStruct;
  list @2 :AnyList;
  capability @3 :Capability;
  lists @4 :List(AnyList);
}
