@0xb5d3f0c2a7e94168;

# The structs that the official tests are about, laid out as theirs are, so that one value fits both:
# what is shown with the official messages can be shown without them, too.

enum TestEnum { foo @0; bar @1; baz @2; qux @3; quux @4; corge @5; grault @6; garply @7; }

# ---- one field of every type

struct TestAllTypes {
  voidField @0 :Void;
  boolField @1 :Bool;
  int8Field @2 :Int8;
  int16Field @3 :Int16;
  int32Field @4 :Int32;
  int64Field @5 :Int64;
  uInt8Field @6 :UInt8;
  uInt16Field @7 :UInt16;
  uInt32Field @8 :UInt32;
  uInt64Field @9 :UInt64;
  float32Field @10 :Float32;
  float64Field @11 :Float64;
  textField @12 :Text;
  dataField @13 :Data;
  structField @14 :TestAllTypes;
  enumField @15 :TestEnum;
  interfaceField @16 :Void;

  voidList @17 :List(Void);
  boolList @18 :List(Bool);
  int8List @19 :List(Int8);
  int16List @20 :List(Int16);
  int32List @21 :List(Int32);
  int64List @22 :List(Int64);
  uInt8List @23 :List(UInt8);
  uInt16List @24 :List(UInt16);
  uInt32List @25 :List(UInt32);
  uInt64List @26 :List(UInt64);
  float32List @27 :List(Float32);
  float64List @28 :List(Float64);
  textList @29 :List(Text);
  dataList @30 :List(Data);
  structList @31 :List(TestAllTypes);
  enumList @32 :List(TestEnum);
  interfaceList @33 :List(Void);
}

struct TestDefaults {
  voidField @0 :Void = void;
  boolField @1 :Bool = true;
  int8Field @2 :Int8 = -123;
  int16Field @3 :Int16 = -12345;
  int32Field @4 :Int32 = -12345678;
  int64Field @5 :Int64 = -123456789012345;
  uInt8Field @6 :UInt8 = 234;
  uInt16Field @7 :UInt16 = 45678;
  uInt32Field @8 :UInt32 = 3456789012;
  uInt64Field @9 :UInt64 = 12345678901234567890;
  float32Field @10 :Float32 = 1234.5;
  float64Field @11 :Float64 = -123e45;
  textField @12 :Text = "foo";
  dataField @13 :Data = "bar";
  structField @14 :TestAllTypes = (
    voidField = void, boolField = true,
    int8Field = -12, int16Field = 3456, int32Field = -78901234, int64Field = 56789012345678,
    uInt8Field = 90, uInt16Field = 1234, uInt32Field = 56789012, uInt64Field = 345678901234567890,
    float32Field = -1.25e-10, float64Field = 345,
    textField = "baz", dataField = "qux",
    structField = (textField = "nested", structField = (textField = "really nested")),
    enumField = baz,
    voidList = [void, void, void],
    boolList = [false, true, false, true, true],
    int8List = [12, -34, -0x80, 0x7f],
    int16List = [1234, -5678, -0x8000, 0x7fff],
    int32List = [12345678, -90123456, -0x80000000, 0x7fffffff],
    int64List = [123456789012345, -678901234567890, -0x8000000000000000, 0x7fffffffffffffff],
    uInt8List = [12, 34, 0, 0xff],
    uInt16List = [1234, 5678, 0, 0xffff],
    uInt32List = [12345678, 90123456, 0, 0xffffffff],
    uInt64List = [123456789012345, 678901234567890, 0, 0xffffffffffffffff],
    float32List = [0, 1234567, 1e37, -1e37, 1e-37, -1e-37],
    float64List = [0, 123456789012345, 1e306, -1e306, 1e-306, -1e-306],
    textList = ["quux", "corge", "grault"],
    dataList = ["garply", "waldo", "fred"],
    structList = [(textField = "x structlist 1"), (textField = "x structlist 2"), (textField = "x structlist 3")],
    enumList = [qux, bar, grault]
  );
  enumField @15 :TestEnum = corge;
  interfaceField @16 :Void = void;

  voidList @17 :List(Void) = [void, void, void, void, void, void];
  boolList @18 :List(Bool) = [true, false, false, true];
  int8List @19 :List(Int8) = [111, -111];
  int16List @20 :List(Int16) = [11111, -11111];
  int32List @21 :List(Int32) = [111111111, -111111111];
  int64List @22 :List(Int64) = [1111111111111111111, -1111111111111111111];
  uInt8List @23 :List(UInt8) = [111, 222];
  uInt16List @24 :List(UInt16) = [33333, 44444];
  uInt32List @25 :List(UInt32) = [3333333333];
  uInt64List @26 :List(UInt64) = [11111111111111111111];
  float32List @27 :List(Float32) = [5555.5, inf, -inf, nan];
  float64List @28 :List(Float64) = [7777.75, inf, -inf, nan];
  textList @29 :List(Text) = ["plugh", "xyzzy", "thud"];
  dataList @30 :List(Data) = ["oops", "exhausted", "rfc3092"];
  structList @31 :List(TestAllTypes) = [
    (textField = "structlist 1"), (textField = "structlist 2"), (textField = "structlist 3")
  ];
  enumList @32 :List(TestEnum) = [foo, garply];
  interfaceList @33 :List(Void);
}

struct TestEmptyStruct {}
struct TestAnyPointer { anyPointerField @0 :AnyPointer; }

# ---- lists, of structs as wide as each kind of element

struct TestLists {
  struct Struct0 { f @0 :Void; }
  struct Struct1 { f @0 :Bool; }
  struct Struct8 { f @0 :UInt8; }
  struct Struct16 { f @0 :UInt16; }
  struct Struct32 { f @0 :UInt32; }
  struct Struct64 { f @0 :UInt64; }
  struct StructP { f @0 :Text; }

  list0 @0 :List(Struct0);
  list1 @1 :List(Struct1);
  list8 @2 :List(Struct8);
  list16 @3 :List(Struct16);
  list32 @4 :List(Struct32);
  list64 @5 :List(Struct64);
  listP @6 :List(StructP);
  int32ListList @7 :List(List(Int32));
  textListList @8 :List(List(Text));
  structListList @9 :List(List(TestAllTypes));
}

struct TestListDefaults {
  lists @0 :TestLists = (
    list0 = [(f = void), (f = void)],
    list1 = [(f = true), (f = false), (f = true), (f = true)],
    list8 = [(f = 123), (f = 45)],
    list16 = [(f = 12345), (f = 6789)],
    list32 = [(f = 123456789), (f = 234567890)],
    list64 = [(f = 1234567890123456), (f = 2345678901234567)],
    listP = [(f = "foo"), (f = "bar")],
    int32ListList = [[1, 2, 3], [4, 5], [12341234]],
    textListList = [["foo", "bar"], ["baz"], ["qux", "corge"]],
    structListList = [[(int32Field = 123), (int32Field = 456)], [(int32Field = 789)]]
  );
}

# ---- unions and groups

# Four unions whose members share what the ones before have left free. The members are named for the union, for the
# bank of members in it, and for their size.
struct TestUnion {
  union0 @0! :union {
    u0f0s0 @4 :Void; u0f0s1 @5 :Bool; u0f0s8 @6 :Int8; u0f0s16 @7 :Int16; u0f0s32 @8 :Int32; u0f0s64 @9 :Int64;
    u0f0sp @10 :Text;
    u0f1s0 @11 :Void; u0f1s1 @12 :Bool; u0f1s8 @13 :Int8; u0f1s16 @14 :Int16; u0f1s32 @15 :Int32; u0f1s64 @16 :Int64;
    u0f1sp @17 :Text;
  }

  # Bits that lie between the unions' members
  bit0 @18 :Bool; bit2 @39 :Bool; bit3 @40 :Bool; bit4 @41 :Bool; bit5 @42 :Bool; bit6 @43 :Bool; bit7 @44 :Bool;
  byte0 @49 :UInt8;

  union1 @1! :union {
    u1f0s0 @19 :Void;
    u1f0s1 @20 :Bool; u1f1s1 @21 :Bool;
    u1f0s8 @22 :Int8; u1f1s8 @23 :Int8;
    u1f0s16 @24 :Int16; u1f1s16 @25 :Int16;
    u1f0s32 @26 :Int32; u1f1s32 @27 :Int32;
    u1f0s64 @28 :Int64; u1f1s64 @29 :Int64;
    u1f0sp @30 :Text; u1f1sp @31 :Text;
    u1f2s0 @32 :Void; u1f2s1 @33 :Bool; u1f2s8 @34 :Int8; u1f2s16 @35 :Int16; u1f2s32 @36 :Int32; u1f2s64 @37 :Int64;
    u1f2sp @38 :Text;
  }

  # Two unions whose members take turns, the largest written first
  union2 @2! :union {
    u2f0s64 @54 :Int64; u2f0s32 @52 :Int32; u2f0s16 @50 :Int16; u2f0s8 @47 :Int8; u2f0s1 @45 :Bool;
  }
  union3 @3! :union {
    u3f0s64 @55 :Int64; u3f0s32 @53 :Int32; u3f0s16 @51 :Int16; u3f0s8 @48 :Int8; u3f0s1 @46 :Bool;
  }
}

struct TestUnnamedUnion {
  before @0 :Text;
  union { foo @1 :UInt16; bar @3 :UInt32; }
  middle @2 :UInt16;
  after @4 :Text;
}

struct TestUnionDefaults {
  s16s8s64s8Set @0 :TestUnion = (
    union0 = (u0f0s16 = 321), union1 = (u1f0s8 = 123), union2 = (u2f0s64 = 12345678901234567), union3 = (u3f0s8 = 55)
  );
  s0sps1s32Set @1 :TestUnion = (
    union0 = (u0f1s0 = void), union1 = (u1f0sp = "foo"), union2 = (u2f0s1 = true), union3 = (u3f0s32 = 12345678)
  );
  unnamed1 @2 :TestUnnamedUnion = (foo = 123);
  unnamed2 @3 :TestUnnamedUnion = (before = "foo", bar = 321, after = "bar");
}

struct TestGroups {
  groups :union {
    foo :group { corge @0 :Int32; grault @2 :Int64; garply @8 :Text; }
    bar :group { corge @3 :Int32; grault @4 :Text; garply @5 :Int64; }
    baz :group { corge @1 :Int32; grault @6 :Text; garply @7 :Text; }
  }
}

struct TestInterleavedGroups {
  group1 :group {
    foo @0 :UInt32;
    bar @2 :UInt64;
    union {
      qux @4 :UInt16;
      corge :group { grault @6 :UInt64; garply @8 :UInt16; plugh @14 :Text; xyzzy @16 :Text; }
      fred @12 :Text;
    }
    waldo @10 :Text;
  }
  group2 :group {
    foo @1 :UInt32;
    bar @3 :UInt64;
    union {
      qux @5 :UInt16;
      corge :group { grault @7 :UInt64; garply @9 :UInt16; plugh @15 :Text; xyzzy @17 :Text; }
      fred @13 :Text;
    }
    waldo @11 :Text;
  }
}

# ---- two versions of one struct

struct TestOldVersion {
  old1 @0 :Int64;
  old2 @1 :Text;
  old3 @2 :TestOldVersion;
}

struct TestNewVersion {
  old1 @0 :Int64;
  old2 @1 :Text;
  old3 @2 :TestNewVersion;
  new1 @3 :Int64 = 987;
  new2 @4 :Text = "baz";
}
