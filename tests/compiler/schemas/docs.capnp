# The comment of the file,
#   whose indentation is kept.
@0xd0a1f2b3c4d5000f;
# More of the file's comment?

# Belongs to nothing.

struct Documented {
  # The struct.
  #
  # Second paragraph.

  field @0 :Int32;  # Beside.
  # Below.

  none @1 :Text;

  group :group {
    # The group.
    inner @2 :Text; # Inner.
  }
  union1 :union {
    # The union.
    a @3 :Void;
    # A.
    b @4 :Void;
  }
}  # After the brace.

struct After {} # A struct in one line.
enum Color {
  # Colors.
  red @1; # Red.
  green @0; # Green.
}
interface Service {
  # A service.
  call @0 (a :Text, # A parameter.
           b :Text) -> ();
  # Calls.
}
const constant :Text = "x";
# A constant.
annotation note(*) :Text;
# An annotation.
using Alias = Text;
# An alias.
