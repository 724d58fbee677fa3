@0x86c366a91393f3f8;
# What a method with `-> stream` returns.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp");

struct StreamResult @0x995f9a3377c0b16e {}
