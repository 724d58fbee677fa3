@0x85150b117366d14b;
# The calculator that comes with the C++ library: the same types with the same ids, so that its programs can be called.

interface Calculator {
  evaluate @0 (expression :Expression) -> (value :Value);
  # Work out an expression.

  defFunction @1 (paramCount :Int32, body :Expression) -> (func :Function);
  # Make a function of an expression, in which `parameter` is what the function is called with.

  getOperator @2 (op :Operator) -> (func :Function);
  # An operator, as a function of two numbers.

  struct Expression {
    union {
      literal @0 :Float64;
      previousResult @1 :Value;
      parameter @2 :UInt32;
      # The index of a parameter, in the body of a function.

      call :group {
        function @3 :Function;
        params @4 :List(Expression);
      }
    }
  }

  interface Value {
    # A number that stays with whoever worked it out, until it is read.

    read @0 () -> (value :Float64);
  }

  interface Function {
    # Either side has functions: the calculator calls those of its clients, too.

    call @0 (params :List(Float64)) -> (value :Float64);
  }

  enum Operator {
    add @0;
    subtract @1;
    multiply @2;
    divide @3;
  }
}
