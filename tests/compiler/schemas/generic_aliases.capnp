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

struct Inherits(T) {
  using Self = Inherits;
  using Absolute = .Inherits.Inner;
  using Listed = List(Inherits);
  using Bound = Map(Inherits);
  using Other = Map;
  struct Inner { struct Deeper(Q) { using Same = Deeper; using Absolute = .Inherits.Inner.Deeper; a @0 :Same; b @1 :Absolute; } }
  self @0 :Self;
  absolute @1 :Absolute;
  listed @2 :Listed;
  bound @3 :Bound;
  other @4 :Other(Text).Entry;
  bare @5 : .Inherits.Inner;
}
struct Map(K) { struct Entry { key @0 :K; } }
struct UsesInherits {
  a @0 :Inherits(Text).Self;
  b @1 :Inherits(Text).Absolute;
  c @2 :Inherits(Text).Listed;
  d @3 :Inherits(Text).Bound;
  e @4 :Inherits(Text).Other(Text).Entry;
  f @5 :Inherits.Self;
  g @6 :Inherits(Text).Inner.Deeper(Data).Same;
  h @7 :Inherits(Text).Inner.Deeper(Data).Absolute;
  i @8 :Inherits(Text).Absolute.Deeper(Data);
}
