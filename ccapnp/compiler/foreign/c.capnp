@0xc0183dd65ffef0f3;
# What the C code generator understands.

annotation nameinfix @0x85a8d86d736ba637 (file) :Text;

annotation fieldgetset @0xf72bc690355d66de (file) :Void;
