@0xb2f1a3c4d5e6f718;

using Person = import "person.capnp";

struct Company {
  name @0 :Text;
  staff @1 :List(Person.Person);
}
