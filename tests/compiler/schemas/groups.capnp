@0xd0a1f2b3c4d50003;

struct Groups {
  last @7 :Text;
  first :group {
    # The first group.
    x @1 :Int8;
    inner :group {
      y @0 :Int16 = -3;
      # A field in a group in a group.
      z @6 :Bool = true;
    }
  }
  second :group {
    x @2 :Data;
  }
  third @5 :Int64;
  fourth :group {
    x @4 :Void;
    list @3 :List(Groups);
  }
}
