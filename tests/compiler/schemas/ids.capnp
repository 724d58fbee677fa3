@0xd0a1f2b3c4d50010;

struct Given @0xf00dbabecafe0100 {
  group :group { a @0 :Text; }
  struct Inner { group :group { a @0 :Text; } }
  enum Color @0xf00dbabecafe0101 { a @0; }
  interface Service @0xf00dbabecafe0102 { call @0 (a :Text) -> (b :Text); }
  const constant @0xf00dbabecafe0103 :Int8 = 1;
  annotation mark @0xf00dbabecafe0104 (*) :Void;
}
struct Order {
  late :group { a @6 :Int8; b @7 :Int8; }
  x @1 :Text;
  struct Inner {}
  early :group { a @2 :Int8; }
  y @0 :Int8;
  union { middle :group { a @3 :Int8; } n @4 :Int8; }
  z @5 :Text;
}
