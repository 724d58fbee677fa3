@0xd0a1f2b3c4d50011;

struct Message { number @0 :Int32; text @1 :Text; }

const text :Text = embed "embedded/text.txt";
const data :Data = embed "embedded/text.txt";
const message :Message = embed "embedded/message.bin";
const messages :List(Message) = [embed "embedded/message.bin", (number = 1)];
struct Uses { text @0 :Text = embed "embedded/text.txt"; message @1 :Message = embed "embedded/message.bin"; }

struct Smaller { number @0 :Int16; }
struct Larger { number @0 :Int64; more @1 :Int64; text @2 :Text; other @3 :Text; }
const smaller :Smaller = embed "embedded/message.bin";
const smallers :List(Smaller) = [embed "embedded/message.bin", .smaller];
const larger :Larger = embed "embedded/message.bin";
const any :AnyPointer = .smaller;
