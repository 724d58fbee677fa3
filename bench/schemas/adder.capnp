@0xc4f2a6d1b7e89035;

interface Adder {
  add @0 (a :Int64, b :Int64) -> (sum :Int64);
  next @1 () -> (adder :Adder);
  # The adder itself, to be called by way of what was returned.

  echo @2 (data :Data) -> (data :Data);
}
