@0xd0a1f2b3c4d50014;

struct Number { number @0 :Int32 = 3; text @1 :Text; }
struct Choice { union { text @1 :Text; flag @0 :Bool = true; } }

const seven :Int32 = 7;
const number :Number = 5;
const numbers :List(Number) = [1, (), .seven];
const chosen :Choice = false;
