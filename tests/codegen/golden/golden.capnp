@0x92e4ef21a13ad1b5;
# One of each kind of declaration.
#
# The generated module is checked in, to be read.

annotation tag @0xc0b3ff1f8dd1ac0b (struct, field) :Text;
# Marks a thing.

const answer :Int32 = 42;
# To everything.

const origin :Shape = (name = "origin", point = (x = 0, y = 0));

struct Shape $tag("shape") {
  # Something to draw.
  #
  # Its `name` may hold "quotes" and \backslashes.

  name @0 :Text = "unnamed";
  # What it is called.

  color @1 :Color = green;

  union {
    point :group {
      # A place.

      x @2 :Float64;
      y @3 :Float64;
    }
    parts @4 :List(Shape);
    from @5 :Data $tag("raw");
  }

  enum Color {
    red @0;
    # Like a rose.

    green @1;
    none @2;
  }

  const unit :Float32 = 0.5;
  const highest :Float64 = inf;
  const favourite :Color = red;
}

interface Canvas extends(Closable) {
  # Where shapes are drawn.

  draw @0 (shape :Shape, times :UInt8 = 1) -> (handle :UInt32);
  clear @1 Shape -> Shape;

  import @2 (from :Data) -> stream;
  # Draws what was drawn elsewhere.

  layers @3 () -> (layers :Layers(Canvas));
}

interface Closable {
  close @0 ();
}

interface Layers(Item) {
  next @0 () -> (item :Item, rest :Layers(Item));
}

struct Pair(Left, Right) {
  left @0 :Left;
  right @1 :Right;
  boxed @2 :Pair(Text, Right);
}
