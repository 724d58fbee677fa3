@0xa5b7c2e6d1f04b93;
# What programs of several libraries say to each other to show that they understand each other.

using Cxx = import "/capnp/c++.capnp";

interface Hub {
  echo @0 (text :Text, data :Data) -> (text :Text, data :Data);
  add @1 (a :Int64, b :Int64) -> Sum;

  makeCounter @2 (start :Int64) -> (counter :Counter);
  notify @3 (listener :Listener, times :UInt32) -> (sum :Int64);
  # Calls the listener with 0, 1, ..., and gives the sum of its answers.

  fail @4 (kind :Kind, reason :Text);
  never @5 (held :Counter) $Cxx.allowCancellation;
  # Does not return, and is counted if it is canceled.

  cancelled @6 () -> (count :UInt32);
  upload @7 () -> (sink :Sink);
  tail @8 (target :Hub, a :Int64, b :Int64) -> Sum;
  # A tail call of `add` of the target.

  hold @9 (listener :Listener);
  held @10 () -> (listener :Listener);
  reflect @11 (counter :Counter) -> (counter :Counter);
  nothing @12 () -> (counter :Counter);
  missing @13 ();
  # No server has it.

  struct Sum {
    sum @0 :Int64;
  }

  enum Kind {
    failed @0;
    overloaded @1;
    disconnected @2;
    unimplemented @3;
  }
}

interface Counter {
  next @0 () -> (value :Int64);
  # The start, and with each call one more.
}

interface Listener {
  heard @0 (value :Int64) -> (answer :Int64);
  # Ten times the value.
}

interface Sink {
  write @0 (chunk :Data) -> stream;
  done @1 () -> (size :UInt64, chunks :UInt32);
}
