@0xb2f1a3c4d5e6f728;

struct Place {
  name @0 :Text;
  detail :group {
    x @1 :Int32;
  }

  struct Part {
    of @0 :Place;
  }
  struct Unused {}
  const origin :Place = (name = "origin");
}
