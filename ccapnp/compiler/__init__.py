"""The compiler of Cap'n Proto's schema language: from the text of ``.capnp`` files to a CodeGeneratorRequest."""
