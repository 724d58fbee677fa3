@0xd0a1f2b3c4d50008;

const int :Int32 = 5;
const same :Int32 = .int;
const narrow :UInt8 = .int;
const float :Float64 = .int;
const text :Text = "text";
const sameText :Text = .text;
const data :Data = 0x"0102";
const nothing :Void = void;
const yes :Bool = true;
const list :List(Text) = [.text, "other"];
const lists :List(List(Text)) = [.list, []];
const point :Point = (x = .int, name = .text);
const points :List(Point) = [.point, (x = 3, more = [.point])];
const outer :Point = (more = .points, any = .point);
const any :AnyPointer = .point;
const anyStruct :AnyStruct = .point;
const anyList :AnyList = .points;
const changed :Point = (x = 7, flag = false, ratio = 2.5, size = large);

struct Point {
  x @0 :Int32 = 7;
  name @1 :Text = "nameless";
  more @2 :List(Point);
  any @3 :AnyPointer;
  flag @4 :Bool = true;
  ratio @5 :Float32 = 0.5;
  size @6 :Size = large;
  enum Size { small @0; large @1; }
  const origin :Point = (x = 0);
  const limit :Int32 = 1000;
  recursive @7 :Point = (x = .Point.limit, recursive = .Point.origin);
}
