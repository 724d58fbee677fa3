@0xd0a1f2b3c4d50009;

using Id = UInt64;
using Other = import "imported/types.capnp";
using Other.Thing;
using import "imported/types.capnp".Second;
using Deep = Other.Thing.Inner;
using Twice = Deep;

struct Uses {
  using Local = Outer.Local;
  struct Outer { using Local = Text; struct Unused {} }
  id @0 :Id;
  thing @1 :Thing;
  second @2 :Second;
  deep @3 :Deep;
  twice @4 :List(Twice);
  local @5 :Local;
  absolute @6 : .Uses.Outer;
  direct @7 :import "imported/types.capnp".Thing;
  limited @8 :Int32 = Other.limit;
}

using Text = Text;
struct Same { using Thing = Thing; using Id = Id; thing @0 :Thing; id @1 :Id; text @2 :Text; }
