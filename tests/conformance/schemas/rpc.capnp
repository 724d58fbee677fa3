@0xd3f0b7a2c6e5914d;

struct Item {
  name @0 :Text;
  size @1 :UInt32;
}

interface Base {
  foo @0 (i :UInt32, j :Bool) -> (x :Text);
  bar @1 ();
  baz @2 (item :Item);
}

interface Derived extends(Base) {
  qux @0 ();
  grault @1 () -> Item;
}

interface Left extends(Base) {
  left @0 () -> (side :Text);
}
interface Right extends(Base) {
  right @0 () -> (side :Text);
}
interface Diamond extends(Left, Right) {
  both @0 () -> (side :Text);
}

interface Pipeline {
  getCap @0 (n :UInt32, inCap :Base) -> (s :Text, outBox :Box);
  getAny @1 (cap :AnyPointer) -> (cap :AnyPointer);
  getPlain @2 (cap :Capability) -> (cap :Capability);
  getNull @3 () -> (cap :Base);

  struct Box {
    cap @0 :Base;
    inner :group {
      cap @1 :Base;
    }
  }
}

interface Order {
  next @0 (expected :UInt32) -> (n :UInt32);
}

struct TailResult {
  i @0 :UInt32;
  t @1 :Text;
  order @2 :Order;
}
interface Callee {
  foo @0 (i :Int32, t :Text) -> TailResult;
}
interface Caller {
  foo @0 (i :Int32, callee :Callee) -> TailResult;
}

interface More extends(Order) {
  callFoo @0 (cap :Base) -> (s :Text);
  never @1 (cap :Base) -> (cap :Base);
  hold @2 (cap :Base);
  callHeld @3 () -> (s :Text);
  getHeld @4 () -> (cap :Base);
  echo @5 (cap :Order) -> (cap :Order);
  fail @6 ();
  early @7 () -> (cap :Base);
}

interface Stream {
  addI @0 (i :UInt32) -> stream;
  addJ @1 (j :UInt32) -> stream;
  finish @2 () -> (i :UInt32, j :UInt32);
}

interface Keywords {
  import @0 (from :UInt8) -> (class :UInt8);
  pass @1 ();
  none @2 (None :UInt8) -> (None :UInt8);
}

interface Generic(T) {
  put @0 (value :T) -> (value :T);
  implicit @1 [U] (value :U) -> (value :U);
}

struct Holder {
  cap @0 :Base;
  caps @1 :List(Base);
  any @2 :AnyPointer;
  list @3 :List(Slot);
  plain @4 :Capability;

  struct Slot {
    number @0 :UInt32;
    cap @1 :Base;
  }
}
interface Keeper {
  keep @0 (holder :Holder) -> (holder :Holder);
}
