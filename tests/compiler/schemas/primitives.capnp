@0xd0a1f2b3c4d50001;

struct Numbers {
  nothing @0 :Void;
  bool @1 :Bool = true;
  int8 @2 :Int8 = -128;
  int16 @3 :Int16 = -32768;
  int32 @4 :Int32 = -2147483648;
  int64 @5 :Int64 = -9223372036854775808;
  uInt8 @6 :UInt8 = 255;
  uInt16 @7 :UInt16 = 0xffff;
  uInt32 @8 :UInt32 = 4294967295;
  uInt64 @9 :UInt64 = 18446744073709551615;
  float32 @10 :Float32 = 1.5;
  float64 @11 :Float64 = -1.25e-10;
  nan @12 :Float32 = nan;
  infinite @13 :Float64 = -inf;
  explicitNothing @14 :Void = void;
  zero @15 :Int32 = 0;
  negativeZero @16 :Float64 = -0.0;
  octal @17 :Int32 = 010;
  tooLarge @18 :Float32 = 1e40;
  fromInteger @19 :Float64 = 18446744073709551615;
  tenth @20 :Float32 = 0.1;
}

struct Pointers {
  text @0 :Text;
  data @1 :Data;
  stated @2 :Text = "stated";
  empty @3 :Text = "";
  bytes @4 :Data = 0x"00 0a ff";
  letters @5 :Data = "abc";
  joined @6 :Text = "one " "two";
  escapes @7 :Text = "\a\b\n\t\"\\\x41\101";
  unicode @8 :Text = "naïve – ✓";
}
