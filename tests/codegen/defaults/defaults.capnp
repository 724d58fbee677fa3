@0xb2f1a3c4d5e6f704;

struct Defaults {
  yes @0 :Bool = true;
  int16 @1 :Int16 = -5;
  float64 @2 :Float64 = nan;
  text @3 :Text = "é";
  data @4 :Data = 0x"01 02";
  color @5 :Color = green;
  inner @6 :Inner = (name = "n", list = [(name = "m")]);
  numbers @7 :List(Int32) = [1, 2];
  texts @8 :List(Text) = ["a"];
  inners @9 :List(Inner) = [(name = "x"), (number = 3)];
  any @10 :AnyPointer;
  group :group {
    name @11 :Text = "group";
  }
  union {
    none @12 :Void;
    some @13 :UInt8 = 200;
  }

  struct Inner {
    name @0 :Text;
    number @1 :Int64;
    list @2 :List(Inner);
  }

  enum Color {
    red @0;
    green @1;
  }
}
