@0xd0a1f2b3c4d50013;

struct Any {
  pointer @0 :AnyPointer;
  struct1 @1 :AnyStruct;
  list @2 :AnyList;
  capability @3 :Capability;
  lists @4 :List(AnyList);
  stated @5 :AnyPointer = .value;
  statedStruct @6 :AnyStruct = .value;
  statedList @7 :AnyList = .values;
}
struct Value { x @0 :Int32; }
const value :Value = (x = 3);
const values :List(Value) = [(x = 4)];
