@0x8ef99297a43a5e34;
# JSON as a message, and how a schema says what its JSON looks like.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp::json");

struct Value {
  # Any JSON value.

  union {
    null @0 :Void;
    boolean @1 :Bool;
    number @2 :Float64;
    string @3 :Text;
    array @4 :List(Value);
    object @5 :List(Field);
    call @6 :Call;
    raw @7 :Text;
  }

  struct Field {
    name @0 :Text;
    value @1 :Value;
  }

  struct Call {
    function @0 :Text;
    params @1 :List(Value);
  }
}

annotation name @0xfa5b1fd61c2e7c3d (enumerant, field, union, group, method) :Text;

annotation flatten @0x82d3e852af0336bf (field, union, group) :FlattenOptions;

struct FlattenOptions {
  # `prefix` is put before the name of each flattened member.

  prefix @0 :Text = "";
}

annotation discriminator @0xcfa794e8d19a0162 (struct, union) :DiscriminatorOptions;

struct DiscriminatorOptions {
  # `name` is the member that says which member of the union is set, `valueName` the one with its value.

  name @0 :Text;
  valueName @1 :Text;
}

annotation base64 @0xd7d879450a253e4b (field) :Void;

annotation hex @0xf061e22f0ae5c7b5 (field) :Void;

annotation notification @0xa0a054dea32fd98c (method) :Void;
