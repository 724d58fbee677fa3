@0xe1a9c2b7d4f60835;
# Files of any size, to a server and from it.

interface Files {
  upload @0 (name :Text) -> (sink :Sink);
  # The file is there once the sink is done.

  download @1 (name :Text, sink :Sink) -> (size :UInt64);
  # Write a file to the client's sink, and finish that.
}

interface Sink {
  # Whoever receives a file has one.

  write @0 (chunk :Data) -> stream;
  # The library lets the sender go on while a certain number of bytes is on its way, and makes it wait then.

  done @1 () -> (size :UInt64);
  # Nothing follows; the result is the number of bytes that arrived.  An error if a write failed.
}
