@0xd0a1f2b3c4d5000e;

$onFile;
$number(.limit);

const limit :Int32 = 7;
annotation onFile @0xd0a1f2b3c4d500e1 (file) :Void;
annotation number(*) :Int32;
annotation text(*) :Text $number(1);
annotation list(*) :List(Int8);
annotation struct1(*) :Range;
annotation size(struct, field, enum, enumerant, group, union, interface, method, param, annotation, const) :Size;
annotation any(*) :AnyPointer;

struct Range $number(2) { min @0 :Int32; max @1 :Int32 = 100; note :group { text @2 :Text; } }
enum Size $number(3) { small @0 $number(4); large @1; }

struct Annotated $struct1(min = 3, note = (text = "x")) $size(large) {
  plain @0 :Int32 $size(small) $text("field");
  group :group $text("group") { inner @1 :Text $list([1, 2]); }
  union1 :union $size(large) { a @2 :Void $number(5); b @3 :Void; }
  union { c @4 :Int8 $number(6); d @5 :Int8; }
  annotation own(*) :Int16;
  e @6 :Text $own(7);
  f @7 :Text $any(.range);
}
const range :Range = (max = 3) $size(small);

interface Service $number(8) {
  call @0 (a :Text $struct1(max = 5)) -> (b :Text $size(small)) $text("method") $number(9);
}

struct Generic(T) $own(1) {
  annotation own(*) :Int8;
  struct Inner $own(2) { annotation deeper(*) :Text; }
  field @0 :T $own(3) $Inner.deeper("x");
}
struct Uses { a @0 :Text $Generic(Text).own(4); b @1 :Text $Generic.own(5); }
