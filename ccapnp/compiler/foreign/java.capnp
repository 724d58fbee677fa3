@0xc5f1af96651f70ea;
# What the Java code generator understands.

annotation package @0x9ee4c8f803b3b596 (file) :Text;

annotation outerClassname @0x9b066bb4881f7cd3 (file) :Text;
