@0xd0a1f2b3c4d50012;

struct Outer {
  struct Text { a @0 :Int8; }
  struct Inner {
    text @0 :Text;
    builtin @1 :Data;
    outer @2 :Outer;
    inner @3 :Inner;
    struct Inner { outer @0 : .Outer.Inner; }
    sibling @4 :Sibling;
    absolute @5 : .Sibling;
  }
  struct Sibling { a @0 :Int8; }
}
struct Sibling { text @0 :Text; service @1 :Service.Nested; }
interface Service extends(Base) { interface Base {} struct Nested { interface Base {} base @0 :Base; } }
struct Parameter(Text) { text @0 :Text; struct Inner { text @0 :Text; } }
struct Shadowed(T) { struct T {} field @0 :T; }
struct A { b @0 :B; }
struct B { a @0 :List(A); }
