@0xd0a1f2b3c4d5000a;

using Unused = import "imported/unused.capnp";
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("imports");

struct Uses {
  inner @0 :import "imported/types.capnp".Thing.Inner;
  service @1 :import "imported/types.capnp".Second;
  again @2 :import "imported/../imported/types.capnp".Thing.Inner;
  list @3 :List(import "imported/types.capnp".UsedByParam);
}
