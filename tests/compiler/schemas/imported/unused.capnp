@0xd0a1f2b3c4d500a1;

struct Unused {}
