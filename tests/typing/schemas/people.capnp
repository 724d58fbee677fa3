@0xd3f0c52e9a7b1846;
# People, with a field of every type.

struct Person {
  # Somebody.

  id @0 :UInt32;
  # A number that nobody else has.

  name @1 :Text;
  height @2 :Float32;
  isHome @3 :Bool;
  picture @4 :Data;
  mood @5 :Mood;
  nothing @6 :Void;
  phones @7 :List(Phone);
  scores @8 :List(Int32);
  weights @9 :List(Float64);
  flags @10 :List(Bool);
  nicknames @11 :List(Text);
  moods @12 :List(Mood);
  files @13 :List(Data);
  friend @14 :Person;
  grid @15 :List(List(Int16));
  circles @16 :List(List(Person));
  extra @17 :AnyPointer;
  service @18 :Service;
  services @19 :List(Service);

  employment :union {
    # What they do all day.
    unemployed @20 :Void;
    employer @21 :Text;
    school @22 :Text;
  }

  address :group {
    street @23 :Text;
    number @24 :UInt16;
  }

  struct Phone {
    number @0 :Text;
    kind @1 :Kind;
    enum Kind {
      mobile @0;
      home @1;
    }
  }
}

enum Mood {
  # How somebody feels.
  good @0;
  bad @1;
}

struct Shape {
  union {
    circle @0 :Float64;
    square @1 :Float64;
    label :group { text @2 :Text; }
  }
}

interface Service {
  greet @0 (person :Person) -> (text :Text);
}

const limit :Int32 = 12;
const mood :Mood = bad;
const nobody :Person = (name = "nobody");
const primes :List(UInt8) = [2, 3, 5];
annotation note(field) :Text;
