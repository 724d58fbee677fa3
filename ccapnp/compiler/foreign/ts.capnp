@0xe37ded525a68a7c9;
# What the TypeScript code generator understands.

annotation importPath (file) :Text;

$importPath("../index");
