@0xc7d1a5e0f3b24a61;
# Names that Python, the library and a stub itself use for other things.

struct Builtins {
  # Fields that are called as what a stub writes.
  int @0 :Int32;
  str @1 :Text;
  bool @2 :Bool;
  float @3 :Float64;
  bytes @4 :Data;
  property @5 :List(Int32);
  type @6 :Type;
  list @7 :List(Type);
  object @8 :Builtins;
  builtins @9 :Void;
  typing @10 :AnyPointer;
  ccapnp @11 :Text;
  self @12 :Int32;
  cls @13 :Int32;
  value @14 :Int32;
  name @15 :Text;
  classmethod @16 :Text;
  overload @17 :Text;
  super @18 :Text;
  memoryview @19 :Data;

  enum Type {
    # Members that every `enum.IntEnum` has already.
    name @0;
    value @1;
    real @2;
    imag @3;
    numerator @4;
    denominator @5;
    conjugate @6;
    mro @7;
    from @8;
  }
}

struct Methods {
  # Fields that are called as what can be asked of a struct or its class.
  which @0 :Int32;
  has @1 :Text;
  copy @2 :Methods;
  init @3 :List(Methods);
  read @4 :Methods;
  schema @5 :List(Text);
  mro @6 :Int32;
  write :group {
    write @7 :Int32;
    init @8 :Data;
  }
  other @9 :Methods;
}

struct MethodsInUnion {
  union {
    which @0 :Text;
    has @1 :Void;
    init @2 :MethodsInUnion;
    copy :group {
      read @3 :Int32;
    }
  }
}

struct Constants {
  const which :Int32 = 1;
  const has :Text = "has";
  const copy :Constants = ();
  const init :List(Int32) = [1, 2];
  const read :Float32 = 1.5;
  const schema :Data = 0x"00 01";
  const write :Builtins.Type = real;
  const mro :Int32 = 1;
  annotation initial(field) :Text;
  used @0 :Int32;
}

const int :Int32 = 1;
const str :Text = "text";
const property :Methods = (which = 1);
const from :Void = void;
annotation type(struct) :Void;

struct Keywords {
  from @0 :Int32;
  class @1 :Text;
  lambda @2 :Keywords;
  union {
    def @3 :Void;
    pass @4 :List(Keywords);
    none :group {
      import @5 :Data;
    }
  }
}

struct None {
  struct True {}
  enum False { no @0; }
}

struct Outer {
  # A name that means something else further in.
  struct Bar {
    struct Outer {
      inner @0 :Outer;
      outer @1 : .Outer;
      bar @2 : .Outer.Bar;
      enum Bar { one @0; }
      kind @3 :Bar;
      union {
        a @4 :Void;
        b :group { outer @5 :List(.Outer); }
      }
    }
    outer @0 : .Outer;
    inner @1 :Outer;
    kind @2 :Outer.Bar;
  }
  bar @0 :Bar;
  inner @1 :Bar.Outer;
  group :group {
    bar @2 :Bar;
    kinds @3 :List(Bar.Outer.Bar);
  }
  struct Group { used @0 :Bool; }
}

struct Reader {
  struct Builder { reader @0 :Reader; }
  builder @0 :Builder;
  struct Reader { own @0 :Bool; }
  own @1 :Reader;
}

struct Empty {}
enum EmptyEnum {}
interface EmptyInterface {}

interface Calls extends (EmptyInterface) {
  # A service.
  const limit :Int32 = 3;
  struct Nested { calls @0 :Calls; many @1 :List(Calls); }
  call @0 (read :Int32, calls :Calls) -> (copy :List(Calls));
  stop @1 () -> ();
  named @2 Nested -> Empty;
}

struct Box(T) {
  value @0 :T;
  struct Inner(U) { key @0 :T; value @1 :U; }
  inner @1 :Inner(Text);
}

struct Everything {
  boxOfText @0 :Box(Text);
  any @1 :AnyPointer;
  anyStruct @2 :AnyStruct;
  anyList @3 :AnyList;
  capability @4 :Capability;
  nested @5 :List(List(UInt8));
  nestedTexts @6 :List(List(Text));
  datas @7 :List(Data);
  bools @8 :List(Bool);
  voids @9 :List(Void);
  emptyEnums @10 :List(EmptyEnum);
  outers @11 :List(List(Outer));

  longText @12 :Text = "with a \"default\"";
  # A comment with a \ backslash, """ three quotes and a quote at the end: "
}

# Names of what stands for calls.

struct Client { server @0 :Server; client @1 :Client; any @2 :AnyPointer; }
struct Pipeline { client @0 :Client; pipeline @1 :Pipeline; }
struct Promise { promise @0 :Pipeline; }
enum Record { client @0; server @1; }
interface Server extends(Calls) { client @0 Client -> Pipeline; record @1 (record :Record) -> (server :Server); }

interface Hidden {
  # Its own types have the names of its classes.
  struct Client { hidden @0 :Hidden; }
  struct Server { pipeline @0 :Pipeline; struct Pipeline { server @0 :Server; } }
  call @0 Client -> Server;
  send @1 (send :Bool, self :Hidden) -> (close :Hidden);
}
interface HiddenToo extends(Hidden, EmptyInterface) {
  request @0 (hidden :Hidden) -> (pipeline :Hidden.Server);
}

interface One { same @0 (one :Int32) -> (one :Int32); from @1 () -> stream; close @2 () -> (); }
interface Other extends(One) { other @0 () -> (); }
interface Another { same @0 (another :Text) -> (another :Text); from @1 () -> stream; close @2 () -> (); }
interface Both extends(One, Other, Another) {
  # Methods of one name, and a superclass in front of its own subclass.
  other @0 (both :Both) -> stream;
}
interface Last extends(Both) { last @0 () -> (last :Both); }

struct Methodical {
  # Fields that are called as what can be asked of a promise or a request.
  send @0 :Calls;
  await @1 :Calls;
  init @2 :AnyPointer;
  client :group { client @3 :Calls; cancel @5 :Text; }
  cancel @4 :Calls;
}
struct Canceled { cancel @0 :Text; pipeline :group { cancel @1 :Calls; } }
interface Sends {
  send @0 Methodical -> Methodical;
  sendRequest @1 Canceled -> Canceled;
  resolved @2 () -> stream;
}
