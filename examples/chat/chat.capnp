@0xb4b3f1f4c5b6a6d1;
# A room in which people talk.

interface Room {
  join @0 (name :Text, listener :Listener) -> (member :Member, others :List(Text));
  # Come in.  Whoever disconnects leaves.
}

interface Member {
  # Somebody who is in a room, for that client alone.

  say @0 (text :Text) -> ();
  # Tell all others.

  leave @1 () -> ();
}

interface Listener {
  # Clients implement this: the server calls them.

  notice @0 (event :Event) -> stream;
  # One way: the server waits only for a client that is far behind.
}

struct Event {
  name @0 :Text;
  # Of whom it is about.

  union {
    joined @1 :Void;
    left @2 :Void;
    said @3 :Text;
  }
}
