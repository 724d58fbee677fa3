# Types for others to import.
@0xd0a1f2b3c4d500a0;

$mark(1);
annotation mark(*) :Int32 $deeperMark;
annotation deeperMark(annotation) :Void;
annotation unusedMark(*) :Int32;

const limit :Int32 = .half;
const half :Int32 = 50;

struct Thing {
  # A thing.
  used @0 :UsedByThing;
  struct Inner { # Used without what it stands in.
    field @0 :UsedByInner;
    struct TooDeep { field @0 :Unused; }
  }
  struct Unused {}
  group :group { field @1 :UsedByGroup; }
}

struct Second {
  service @0 :Service;
  color @1 :Color = red;
}
struct UsedByThing { field @0 :Int32 $mark(5); }
struct UsedByInner {}
struct UsedByGroup {}
interface Service extends(Base) { call @0 (a :UsedByParam) -> (b :UsedByResult); }
interface Base { call @0 Second -> Second; }
struct UsedByParam {}
struct UsedByResult {}
enum Color { green @0; red @1; }
struct Unused { field @0 :import "unused.capnp".Unused; }
