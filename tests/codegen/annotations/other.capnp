@0xb2f1a3c4d5e6f713;

struct Range {
  min @0 :Int32;
  max @1 :Int32 = 100;
}

annotation range @0xf0c2bf1234567806 (file, field) :Range;
