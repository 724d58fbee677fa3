@0xd0a1f2b3c4d50002;

enum Color { red @0; green @1; blue @2; }
struct Point { x @0 :Int32 = 7; y @1 :Text; }
interface Service {}

struct Lists {
  voids @0 :List(Void) = [void, void];
  bools @1 :List(Bool) = [true, false, true, true, false, false, true, false, true];
  int8s @2 :List(Int8) = [1, -2, 127, -128];
  uInt16s @3 :List(UInt16) = [65535];
  int64s @4 :List(Int64) = [-9223372036854775808];
  float32s @5 :List(Float32) = [1, 2.5, inf, -inf, nan];
  float64s @6 :List(Float64) = [];
  texts @7 :List(Text) = ["", "a", "b"];
  datas @8 :List(Data) = [0x"00", "x"];
  colors @9 :List(Color) = [blue, red];
  points @10 :List(Point) = [(x = 1), (), (y = "only", x = 7)];
  nested @11 :List(List(Int8)) = [[1], [], [2, 3]];
  nestedPoints @12 :List(List(Point)) = [[(x = 2)], []];
  noPoints @13 :List(Point) = [];
  services @14 :List(Service);
  capabilities @15 :List(Capability);
  anyLists @16 :List(AnyList);
  deep @17 :List(List(List(Void)));
}
