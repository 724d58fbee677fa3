@0xd0a1f2b3c4d50005;

struct Retroactive {
  flag @0 :Bool;
  union1 @2! :union {
    old @1 :Int32;
    new @4 :Int32;
    text @5 :Text;
    group :group {
      late @9 :Int8;
      early @7 :Int8;
    }
  }
  third @3 :Int8;
  union {
    k @6 :Int8;
    l @8 :Int8;
  }
  union2 @11! :union {
    v @10 :Void;
    w @12 :Void;
  }
  union3 @13! :union {
    q @14 :Int8;
    r @15 :Int8;
  }
}

struct AllNew {
  choice @0! :union {
    b @1 :Int8;
    c @2 :Int8;
  }
}
