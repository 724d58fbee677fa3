@0xa184c7885cdaf2a1;
# What the RPC protocol leaves open, for a network of two.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp::rpc::twoparty");

enum Side {
  # Which of the two one is.

  server @0;
  client @1;
}

struct VatId {
  # Names a vat.

  side @0 :Side;
}

struct ProvisionId {
  # There is no third vat, and so no need of this.

  joinId @0 :UInt32;
}

struct RecipientId {}

struct ThirdPartyCapId {}

struct JoinKeyPart {
  # What each of the capabilities to be joined is told.

  joinId @0 :UInt32;
  partCount @1 :UInt16;
  partNum @2 :UInt16;
}

struct JoinResult {
  # What each of them answers.

  joinId @0 :UInt32;
  succeeded @1 :Bool;
  cap @2 :Capability;
}
