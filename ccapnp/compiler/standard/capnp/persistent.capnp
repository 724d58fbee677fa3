@0xb8630836983feed7;
# Capabilities that can be saved, and restored over another connection.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp");

interface Persistent @0xc8cb212fcd9f5691(SturdyRef, Owner) {
  # A capability that can be saved.

  save @0 SaveParams -> SaveResults;

  struct SaveParams {
    sealFor @0 :Owner;
  }

  struct SaveResults {
    sturdyRef @0 :SturdyRef;
  }
}

annotation persistent (field, interface) :Void;
# Marks what is meant to be saved.
