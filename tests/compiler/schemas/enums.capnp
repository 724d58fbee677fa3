@0xd0a1f2b3c4d50007;

enum Empty {}

enum Color {
  # Colors.
  green @1;  # As grass.
  red @0;
  # As a rose.
  blue @2;
}

struct Uses {
  color @0 :Color;
  stated @1 :Color = blue;
  colors @2 :List(Color) = [green, blue];
  enum Inner { a @0; b @1; }
  inner @3 :Inner = b;
}

const color :Color = green;
