@0xd0a1f2b3c4d5000d;

struct Box(T) {
  struct Pair(A, B) { a @0 :A; b @1 :B; t @2 :T; }
  using OfThis = Box(T);
  using Parameter = T;
  using Half = Pair(T, Data);
  using Plain = Pair;
  ofThis @0 :OfThis;
  parameter @1 :Parameter;
  half @2 :Half;
  plain @3 :Plain;
}

struct Uses {
  using Alias = Box;
  using Bound = Box(Text);
  a @0 :Box(Text).Half;
  b @1 :Box.Half;
  c @2 :Box(Text).OfThis;
  d @3 :Box(Text).Parameter;
  e @4 :Box.Parameter;
  f @5 :Alias(Data).Half;
  g @6 :Bound.Parameter;
  h @7 :Box(List(Int8)).Plain(Text, Text);
  i @8 :Box.OfThis.Half;
  j @9 :Alias;
  k @10 :Bound.OfThis.Plain;
}
