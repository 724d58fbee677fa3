@0xbdf87d7bb8304e81;
# What the C++ code generator understands.

$namespace("capnp::annotations");

annotation namespace (file) :Text;

annotation name (enum, enumerant, struct, field, union, group, interface, method, param) :Text;

annotation allowCancellation (file, interface, method) :Void;
