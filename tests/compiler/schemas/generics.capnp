@0xd0a1f2b3c4d5000c;

struct Box(T) {
  value @0 :T;
  any @1 :Box;
  same @2 :Box(T);
  lists @3 :Box(List(Box(T)));
  inner @4 :Inner;
  map @5 :Map(T, Text);
  group :group { value @6 :T; union { a @7 :T; b @8 :Void; } }
  number @9 :Int32 = 3;
  kind @10 :Inner.Kind;
  service @11 :Inner.Service;

  struct Inner {
    outer @0 :T;
    self @1 :Inner;
    pair @2 :Pair(T, Data);
    unbound @3 :Pair;
    bound @4 :Box(Text).Inner;
    struct Pair(A, B) {
      a @0 :A;
      b @1 :B;
      t @2 :T;
      inner @3 :Inner;
      other @4 :Box(Text).Inner.Pair(A, B);
      group :group { a @5 :A; }
    }
    enum Kind { a @0; }
    interface Service {
      get @0 (value :T) -> (value :T);
      send @1 Inner -> Pair(Text, Data);
      generic @2 [M, N] (m :M, t :T, box :Box(M)) -> (n :N);
      direct @3 [M] Box(M) -> Box(List(Box(M)));
      push @4 (value :T) -> stream;
    }
    const constant :Box(Text) = (value = "bound", number = 4);
  }
}

struct Map(K, V) { entries @0 :List(Entry); struct Entry { key @0 :K; value @1 :V; } }

interface Factory(X) extends(Box(X).Inner.Service, Maker(X)) {
  make @0 (x :X) -> (made :Made);
  struct Made { x @0 :X; }
  remake @1 Made -> (made :Made);
  shadow @2 [X] (x :X) -> (made :Made);
}
interface Maker(Y) {}
interface Bound extends(Factory(Text), Maker) { use @0 (a :Factory(Text).Made, b :Factory.Made) -> Factory(Data).Made; }

struct Uses {
  a @0 :Box;
  b @1 :Box(Text);
  c @2 :Box(Text).Inner;
  d @3 :Box.Inner;
  e @4 :Box(Text).Inner.Pair(Data, AnyPointer);
  f @5 :Box.Inner.Pair;
  g @6 :Box.Inner.Pair(Data, List(UInt8));
  h @7 :Box(Text).Inner.Kind;
  i @8 :Box(Text).Inner.Service;
  j @9 :List(Box(Uses));
  k @10 :Map(Text, Map(Text, Bound));
  l @11 :Box(Maker(Text));
}

const list :Box(List(Int8)) = (value = [1, 2]);
const nested :Box(Box(Text)) = (value = (value = "x"), same = (value = (number = 3)));
const map :Map(Text, Uses) = (entries = [(key = "k", value = (b = (value = "v")))]);
