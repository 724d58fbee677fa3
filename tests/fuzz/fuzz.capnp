@0xd1f2b0c94e6a7783;
# What fuzzed messages are read as.  `StructAll` is laid out as TestAllTypes of the official tests, so that their golden
# messages are seeds.

enum Color {
  red @0;
  green @1;
  blue @2;
}

interface Service {}

struct StructAll {
  voidField      @0  :Void;
  boolField      @1  :Bool;
  int8Field      @2  :Int8;
  int16Field     @3  :Int16;
  int32Field     @4  :Int32;
  int64Field     @5  :Int64;
  uInt8Field     @6  :UInt8;
  uInt16Field    @7  :UInt16;
  uInt32Field    @8  :UInt32;
  uInt64Field    @9  :UInt64;
  float32Field   @10 :Float32;
  float64Field   @11 :Float64;
  textField      @12 :Text;
  dataField      @13 :Data;
  structField    @14 :StructAll;
  enumField      @15 :Color;
  interfaceField @16 :Void;

  voidList      @17 :List(Void);
  boolList      @18 :List(Bool);
  int8List      @19 :List(Int8);
  int16List     @20 :List(Int16);
  int32List     @21 :List(Int32);
  int64List     @22 :List(Int64);
  uInt8List     @23 :List(UInt8);
  uInt16List    @24 :List(UInt16);
  uInt32List    @25 :List(UInt32);
  uInt64List    @26 :List(UInt64);
  float32List   @27 :List(Float32);
  float64List   @28 :List(Float64);
  textList      @29 :List(Text);
  dataList      @30 :List(Data);
  structList    @31 :List(StructAll);
  enumList      @32 :List(Color);
  interfaceList @33 :List(Void);
}

struct StructDefaults {
  bool    @0 :Bool = true;
  int     @1 :Int32 = -7;
  float   @2 :Float64 = nan;
  color   @3 :Color = blue;
  text    @4 :Text = "preset";
  data    @5 :Data = "\x00\xff";
  numbers @6 :List(UInt16) = [1, 2, 65535];
  small   @7 :StructSmall = (number = 5, text = "small");
  smalls  @8 :List(StructSmall) = [(number = 1), (text = "two")];
  rows    @9 :List(List(Int8)) = [[1], [], [2, 3]];
}

struct StructSmall {
  number @0 :UInt8;
  text   @1 :Text;
}

struct StructUnions {
  before @0 :Int32;
  union {
    empty  @1 :Void;
    count  @2 :UInt16;
    label  @3 :Text;
    small  @4 :StructSmall;
    box :group {
      width   @5 :Float32 = 1.5;
      corners @6 :List(Int8);
      inner   @7 :StructUnions;
    }
    any    @8 :AnyPointer;
    smalls @9 :List(StructSmall);
  }
  named :union {
    first  @10 :Void;
    second @11 :Int64;
    third  @12 :Data;
  }
}

struct StructAny {
  any        @0 :AnyPointer;
  anyStruct  @1 :AnyStruct;
  anyList    @2 :AnyList;
  capability @3 :Capability;
  service    @4 :Service;
  services   @5 :List(Service);
  box        @6 :StructBox(Text);
  bits       @7 :List(List(Bool));
  rows       @8 :List(List(StructSmall));
  texts      @9 :List(List(Text));
  again     @10 :StructAny;
}

struct StructBox(T) {
  value @0 :T;
}

struct StructNothing {}
