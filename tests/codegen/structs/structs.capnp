@0xb2f1a3c4d5e6f701;

struct Outer {
  number @0 :Int32 = 7;
  text @1 :Text;
  inner @2 :Inner;
  inners @3 :List(Inner);
  color @4 :Inner.Color = blue;
  colors @5 :List(Inner.Color);
  nested @6 :List(List(Int16));

  union {
    nothing @7 :Void;
    some @8 :UInt64;
  }

  place :group {
    x @9 :Int32;
    deep :group {
      y @10 :Int32;
      z @11 :Text;
    }
  }

  shape :union {
    circle @12 :Float64;
    square @13 :Float64;
    box :group {
      width @14 :UInt8;
      height @15 :UInt8;
    }
  }

  struct Inner {
    flag @0 :Bool;
    outer @1 :Outer;

    enum Color {
      red @1;
      green @0;
      blue @2;
    }
  }
}

struct Empty {}
