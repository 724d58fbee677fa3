@0xa93fc509624c72d9;
# A compiled schema, and what the compiler hands to a plugin.

using Cxx = import "/capnp/c++.capnp";

$Cxx.namespace("capnp::schema");

struct Node {
  # One declaration: a file, struct, group, enum, interface, constant or annotation.

  id @0 :UInt64;
  displayName @1 :Text;
  displayNamePrefixLength @2 :UInt32;
  scopeId @3 :UInt64;
  parameters @32 :List(Parameter);
  isGeneric @33 :Bool;
  nestedNodes @4 :List(NestedNode);
  annotations @5 :List(Annotation);
  union {
    file @6 :Void;
    struct :group {
      dataWordCount @7 :UInt16;
      pointerCount @8 :UInt16;
      preferredListEncoding @9 :ElementSize;
      isGroup @10 :Bool;
      discriminantCount @11 :UInt16;
      discriminantOffset @12 :UInt32;
      fields @13 :List(Field);
    }
    enum :group {
      enumerants @14 :List(Enumerant);
    }
    interface :group {
      methods @15 :List(Method);
      superclasses @31 :List(Superclass);
    }
    const :group {
      type @16 :Type;
      value @17 :Value;
    }
    annotation :group {
      type @18 :Type;
      targetsFile @19 :Bool;
      targetsConst @20 :Bool;
      targetsEnum @21 :Bool;
      targetsEnumerant @22 :Bool;
      targetsStruct @23 :Bool;
      targetsField @24 :Bool;
      targetsUnion @25 :Bool;
      targetsGroup @26 :Bool;
      targetsInterface @27 :Bool;
      targetsMethod @28 :Bool;
      targetsParam @29 :Bool;
      targetsAnnotation @30 :Bool;
    }
  }
  startByte @34 :UInt32;
  endByte @35 :UInt32;

  struct Parameter {
    name @0 :Text;
  }

  struct NestedNode {
    name @0 :Text;
    id @1 :UInt64;
  }

  struct SourceInfo {
    id @0 :UInt64;
    docComment @1 :Text;
    members @2 :List(Member);
    startByte @3 :UInt32;
    endByte @4 :UInt32;

    struct Member {
      docComment @0 :Text;
    }
  }
}

struct Field {
  # A member of a struct.

  name @0 :Text;
  codeOrder @1 :UInt16;
  annotations @2 :List(Annotation);
  discriminantValue @3 :UInt16 = 65535;
  union {
    slot :group {
      offset @4 :UInt32;
      type @5 :Type;
      defaultValue @6 :Value;
      hadExplicitDefault @10 :Bool;
    }
    group :group {
      typeId @7 :UInt64;
    }
  }
  ordinal :group {
    union {
      implicit @8 :Void;
      explicit @9 :UInt16;
    }
  }
  const noDiscriminant :UInt16 = 65535;
}

struct Enumerant {
  # A name of an enum.

  name @0 :Text;
  codeOrder @1 :UInt16;
  annotations @2 :List(Annotation);
}

struct Superclass {
  # An interface that another one extends.

  id @0 :UInt64;
  brand @1 :Brand;
}

struct Method {
  # A method of an interface.

  name @0 :Text;
  codeOrder @1 :UInt16;
  implicitParameters @7 :List(Node.Parameter);
  paramStructType @2 :UInt64;
  paramBrand @5 :Brand;
  resultStructType @3 :UInt64;
  resultBrand @6 :Brand;
  annotations @4 :List(Annotation);
}

struct Type {
  # The type of a field, constant, element or annotation.

  union {
    void @0 :Void;
    bool @1 :Void;
    int8 @2 :Void;
    int16 @3 :Void;
    int32 @4 :Void;
    int64 @5 :Void;
    uint8 @6 :Void;
    uint16 @7 :Void;
    uint32 @8 :Void;
    uint64 @9 :Void;
    float32 @10 :Void;
    float64 @11 :Void;
    text @12 :Void;
    data @13 :Void;
    list :group {
      elementType @14 :Type;
    }
    enum :group {
      typeId @15 :UInt64;
      brand @21 :Brand;
    }
    struct :group {
      typeId @16 :UInt64;
      brand @22 :Brand;
    }
    interface :group {
      typeId @17 :UInt64;
      brand @23 :Brand;
    }
    anyPointer :group {
      union {
        unconstrained :group {
          union {
            anyKind @18 :Void;
            struct @25 :Void;
            list @26 :Void;
            capability @27 :Void;
          }
        }
        parameter :group {
          scopeId @19 :UInt64;
          parameterIndex @20 :UInt16;
        }
        implicitMethodParameter :group {
          parameterIndex @24 :UInt16;
        }
      }
    }
  }
}

struct Brand {
  # What the parameters of generic types are bound to.

  scopes @0 :List(Scope);

  struct Scope {
    scopeId @0 :UInt64;
    union {
      bind @1 :List(Binding);
      inherit @2 :Void;
    }
  }

  struct Binding {
    union {
      unbound @0 :Void;
      type @1 :Type;
    }
  }
}

struct Value {
  # A default, or the value of a constant or annotation.

  union {
    void @0 :Void;
    bool @1 :Bool;
    int8 @2 :Int8;
    int16 @3 :Int16;
    int32 @4 :Int32;
    int64 @5 :Int64;
    uint8 @6 :UInt8;
    uint16 @7 :UInt16;
    uint32 @8 :UInt32;
    uint64 @9 :UInt64;
    float32 @10 :Float32;
    float64 @11 :Float64;
    text @12 :Text;
    data @13 :Data;
    list @14 :AnyPointer;
    enum @15 :UInt16;
    struct @16 :AnyPointer;
    interface @17 :Void;
    anyPointer @18 :AnyPointer;
  }
}

struct Annotation {
  # An annotation, applied to something.

  id @0 :UInt64;
  brand @2 :Brand;
  value @1 :Value;
}

enum ElementSize {
  # How wide the elements of a list are.

  empty @0;
  bit @1;
  byte @2;
  twoBytes @3;
  fourBytes @4;
  eightBytes @5;
  pointer @6;
  inlineComposite @7;
}

struct CapnpVersion {
  # The version of the compiler.

  major @0 :UInt16;
  minor @1 :UInt8;
  micro @2 :UInt8;
}

struct CodeGeneratorRequest {
  # What a plugin reads from its standard input.

  capnpVersion @2 :CapnpVersion;
  nodes @0 :List(Node);
  sourceInfo @3 :List(Node.SourceInfo);
  requestedFiles @1 :List(RequestedFile);

  struct RequestedFile {
    id @0 :UInt64;
    filename @1 :Text;
    imports @2 :List(Import);
    fileSourceInfo @3 :FileSourceInfo;

    struct Import {
      id @0 :UInt64;
      name @1 :Text;
    }

    struct FileSourceInfo {
      identifiers @0 :List(Identifier);

      struct Identifier {
        startByte @0 :UInt32;
        endByte @1 :UInt32;
        union {
          typeId @2 :UInt64;
          member :group {
            parentTypeId @3 :UInt64;
            ordinal @4 :UInt16;
          }
        }
      }
    }
  }
}
