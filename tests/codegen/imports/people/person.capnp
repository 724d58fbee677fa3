@0xb2f1a3c4d5e6f708;

using Company = import "company.capnp".Company;
using import "../shared/place.capnp".Place;
using Units = import "/shared/units.capnp";

struct Person {
  name @0 :Text;
  employer @1 :Company;
  home @2 :Place;
  height @3 :Units.Length;
  unit @4 :Units.Length.Unit;
  places @5 :List(Place.Part);
}
