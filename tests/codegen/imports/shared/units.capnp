@0xb2f1a3c4d5e6f738;

struct Length {
  value @0 :Float64;

  enum Unit {
    metre @0;
    foot @1;
  }
}
