@0xb2f1a3c4d5e6f703;

using Other = import "other.capnp";

$note("file");
$Other.range(min = 1);

annotation note @0xf0c2bf1234567801 (*) :Text;
annotation mark @0xf0c2bf1234567802 (*) :Void;
annotation level @0xf0c2bf1234567803 (*) :Level;

enum Level $note("enum") {
  low @0 $note("enumerant");
  high @1;
}

struct Thing $note("struct") $level(high) {
  plain @0 :Int32;
  noted @1 :Int32 $note("field") $mark;
  ranged @2 :Int32 $Other.range(min = -1, max = 5);
  group :group $note("group") {
    a @3 :Int32;
  }
  either :union $note("union") {
    b @4 :Void;
    c @5 :Void;
  }

  annotation inner @0xf0c2bf1234567804 (field) :List(Int32);
}

const number :Int32 = 3 $note("const");
annotation noted @0xf0c2bf1234567805 (field) :Int32 $note("annotation");

interface Service $note("interface") {
  call @0 (a :Int32 $note("param")) -> (b :Int32 $note("result")) $note("method");
}

struct Inside {
  numbers @0 :Int32 $Thing.inner([1, 2]);
}
