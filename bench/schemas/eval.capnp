@0xc95a1d2b5f3e6d47;
# Unions, and structs inside each other.

struct Expression {
  op @0 :Operation;
  left :union {
    value @1 :Int32;
    expression @2 :Expression;
  }
  right :union {
    value @3 :Int32;
    expression @4 :Expression;
  }
}

enum Operation {
  add @0;
  subtract @1;
  multiply @2;
  divide @3;
  modulus @4;
}

struct EvaluationResult {
  value @0 :Int32;
}
