@0xe5b7d04c1f6a3928;
# A schema in another folder, which uses types of the first.

using People = import "/people.capnp";
using Schema = import "/capnp/schema.capnp";

struct Company {
  boss @0 :People.Person;
  staff @1 :List(People.Person);
  mood @2 :People.Mood;
  moods @3 :List(People.Mood);
  kinds @4 :List(People.Person.Phone.Kind);
  service @5 :People.Service;
  node @6 :Schema.Node;
}
