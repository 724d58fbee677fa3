@0xb2f1a3c4d5e6f702;

const nothing :Void = void;
const yes :Bool = true;
const int8 :Int8 = -128;
const int64 :Int64 = -9223372036854775808;
const uint64 :UInt64 = 18446744073709551615;
const float32 :Float32 = 0.1;
const float64 :Float64 = -123e45;
const notANumber :Float64 = nan;
const infinite :Float32 = -inf;
const text :Text = "quotes \" ' and \\ and\nlines, \x01, é, ♫ and \"\"\"";
const noText :Text = "";
const data :Data = 0x"00 ff 22 27 5c";
const color :Color = green;
const colors :List(Color) = [red, green];
const numbers :List(Int32) = [1, -2];
const bools :List(Bool) = [true, false, true];
const floats :List(Float32) = [1.5, inf, nan];
const texts :List(Text) = ["a", "é"];
const deep :List(List(Int8)) = [[1], [], [2, 3]];
const shape :Shape = (name = "s", size = .Shape.usual, color = green, next = (name = "n"));
const shapes :List(Shape) = [(name = "a"), (name = "b")];
const copied :Text = .text;
const any :AnyPointer = .shape;

struct Shape {
  name @0 :Text;
  size @1 :Int32;
  color @2 :Color;
  next @3 :Shape;

  const usual :Int32 = 12;
  const favourite :Color = green;
  const first :Shape = (name = "first");
  const few :List(UInt16) = [1, 2];
}

interface Service {
  const port :UInt16 = 80;
  const host :Shape = (name = "host");
}

enum Color {
  red @0;
  green @1;
}
