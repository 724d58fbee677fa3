@0xb2f1a3c4d5e6f707;
# A file with """quotes""" and \backslashes\.
#
# Another paragraph, é ♫:
#
#     indented = "code"

struct Plain {
  # One line.
}

struct Quoted {
  # Ends with "quotes"
}

struct Backslash {
  # Ends with a backslash \
}

struct Triple {
  # """
}

struct Percent {
  # 100% {braces} $dollars \N{BULLET} \x41 \u0041 #hash
}

struct Nothing {}

enum Color {
  # Of things.

  red @0;
  # Like a rose.
  green @1;
}

interface Service {
  # Serves.

  call @0 () -> ();
  # Once.
}

struct Outer {
  # Outside.

  group :group {
    # Grouped.
    #
    # In lines.

    x @0 :Int8;
    # A field.
  }
  struct Inner {
    # Inside.
  }
}

const number :Int8 = 1;
# A number.
struct Control {
  # bell , and form feed , line separator  , end
}
