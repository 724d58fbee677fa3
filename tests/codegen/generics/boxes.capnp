@0xc5e8a2b90d3f6174;

struct Box(T) {
  value @0 :T;
  label @1 :Label;
  struct Label { of @0 :T; text @1 :Text; }
  struct Unused { of @0 :T; }
  const size :Int32 = 5;
}
