@0xeb0d831668c6edab;
# What the C# code generator understands.

$namespace("Capnp.Annotations");

enum TypeVisibility @0xeb0d831668c6eda5 {
  public @0;
  internal @1;
}

annotation namespace @0xeb0d831668c6eda0 (file) :Text;

annotation nullableEnable @0xeb0d831668c6eda1 (file) :Bool;

annotation emitNullableDirective @0xeb0d831668c6eda3 (file) :Bool;

annotation emitDomainClassesAndInterfaces @0xeb0d831668c6eda4 (file) :Bool;

annotation typeVisibility @0xeb0d831668c6eda6 (file) :TypeVisibility;

annotation name @0xeb0d831668c6eda2 (field, enumerant, struct, enum, interface, method, param, group, union) :Text;
