@0x83b3c14c3c8dd083;
# What the Rust code generator understands.

annotation name @0xc2fe4c6d100166d0 (field, struct, enum, enumerant, union, group) :Text;

annotation parentModule @0xabee386cd1450364 (file) :Text;

annotation imports @0xc3b9fe42a83105cd (file) :List(Import);

struct Import {
  path @0 :Text;
  crate @1 :Text;
}

annotation crate @0xc1763f46d790815c (file) :Text;

annotation option @0xabfef22c4ee1964e (field) :Void;
