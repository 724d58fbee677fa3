@0xabcdabcdabcd0003;
# Names that mean something to Python or to the library.

struct None {
  a @0 :Int32;
  from @1 :Text;
  import @2 :Bool;
}

struct True {
  x @0 :None;
  r @1 :Reader;
  b @2 :Builder;
  reader :group {
    q @3 :Int8;
  }

  struct Reader {
    y @0 :Int8;
  }
  struct Builder {
    z @0 :Int8;
  }
}

struct Struct {
  enum @0 :Enum;
  e @1 :Enum.Names;

  struct Enum {
    v @0 :Int32 = 4;

    enum Names {
      name @0;
      value @1;
      mro @2;
      none @3;
      class @4;
      real @5;
      imag @6;
      numerator @7;
      denominator @8;
      conjugate @9;
      names @10;
      values @11;
      self @12;
      cls @13;
      from @14;
    }
  }
}

struct Enum {
  u :union {
    foo @0 :Int8;
    bar @1 :Int8;
  }
}

struct Interface {}

struct Fields {
  schema @0 :Int32;
  which @1 :Int32;
  init @2 :Int32;
  write @3 :Int32;
  copy @4 :Int32;
  from @5 :Int32;
  class @6 :Int32;
  none @7 :Int32;
  has @8 :Int32;
  self @9 :Int32;
  mro @10 :Int32;
  union {
    read @11 :Int32;
    property @12 :Int32;
  }
}

struct Consts {
  const schema :Int32 = 5;
  const read :Text = "x";
  const mro :List(Int32) = [1];
  const name :Int8 = 1;
  const module :Text = "m";
  const float :Float64 = nan;
  const inf :Float32 = -inf;
  const class :UInt8 = 8;
}

struct Clashes {
  inner :group {
    x @0 :Int8;
  }
  which :group {
    x @1 :Int8;
  }
  record :union {
    x @2 :Int8;
    y @3 :Int8;
  }
  none :group {
    x @4 :Int8;
  }

  struct Inner {}
}

interface SchemaFile {
  import @0 (from :Int32) -> (class :Int32);
  foo @1 None -> None;
  bar @2 ();

  struct FooParams {}
  struct BarParams {}
  const schema :Int8 = 3;
}

enum Reader {
  a @0;
}

const float :Float64 = nan;
const inf :Float64 = inf;
const print :Float64 = -inf;
const globals :List(Int32) = [1, 2];
const from :Fields = (schema = 3);
const reader :Reader = a;

annotation class(*) :Text;
annotation import(*) :Void;
