@0xd0a1f2b3c4d50004;

struct Unnamed {
  before @0 :Int8;
  union {
    # This comment has no place.
    nothing @1 :Void;
    number @3 :Int32 = 5;
    text @2 :Text;
    group :group {
      a @5 :Int64;
      b @4 :Bool;
    }
  }
  after @6 :Int16;
}

struct Named {
  shape :union {
    circle @2 :Float64;
    square @0 :Float32;
    point @1 :Void;
  }
  other :union {
    a :group {
      x @3 :Int8;
      deeper :union {
        y @4 :Int8;
        z @5 :List(Named);
      }
    }
    b @6 :Text;
  }
  group :group {
    union {
      c @7 :Int32;
      d @8 :Int32;
    }
    e @9 :Bool;
  }
}

struct OnlyUnion {
  union {
    a @0 :Int32;
    b @1 :Int32;
  }
}

const named :Named = (shape = (point = void), other = (a = (deeper = (z = [()]))), group = (d = 3));
const unnamed :Unnamed = (before = 1, group = (b = true));
