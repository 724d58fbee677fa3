@0xd0a1f2b3c4d50006;

struct Holes {
  a @0 :Bool;
  b @1 :Int64;
  c @2 :Int8;
  d @3 :Int32;
  e @4 :Bool;
  f @5 :Int16;
  g @6 :Int8;
  h @7 :Bool;
}

struct Shared {
  a @0 :Int16;
  union {
    b :group { c @1 :Int64; d @2 :Int8; e @5 :Text; }
    f :group { g @3 :Int32; h @4 :Int32; i @6 :Int16; j @7 :Text; k @8 :Text; }
    l @9 :Bool;
    m @10 :Void;
    n @11 :Float64;
  }
  o @12 :Int8;
  p @13 :Bool;
}

struct Growing {
  union {
    a @0 :Int8;
    b @1 :Int16;
    c @2 :Int32;
    d @3 :Int64;
  }
  e :union {
    f @4 :Bool;
    g @5 :Bool;
    h :group { i @6 :Bool; j @7 :Int8; k @8 :Int16; }
  }
}

struct Source { z @3 :Int8; y @2 :Int16; x @1 :Int32; w @0 :Int64; }
