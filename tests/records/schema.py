"""The schema of these tests: that of the types' tests, with names that a record has, too."""

from __future__ import annotations

from tests.types.schema import SCHEMA as TYPES

__all__ = ["SCHEMA"]

SCHEMA = f"""{TYPES}
struct Names {{
  which @0 :Text; count @1 :Int32; index @2 :Int32; class @3 :Bool; type @4 :Text; fields @5 :Text; items @6 :Text;
  union {{ replace @7 :Text; from @8 :Int32; }}
}}
struct Owner {{ record @0 :Record; struct Record {{ id @0 :Int32; }} }}
struct Empty {{}}
struct Ring {{ next @0 :Ring; link @1 :Link; number @2 :Int32; struct Link {{ ring @0 :Ring; rings @1 :List(Ring); }} }}
struct Many {{
  union {{
    a @0 :Int8; b @1 :Int16; c @2 :Text; d @3 :Bool; e @4 :Float64; f @5 :List(Int8); g @6 :Void; h @7 :Data;
    i @8 :Color = green; j @9 :Float32 = 2.5; k @10 :Many; l :group {{ x @11 :Bool = true; y @12 :Text = "y"; }}
  }}
  flag @13 :Bool;
}}
struct Before {{ union {{ one @0 :Int32; two @1 :Text; }} }}
struct After {{ union {{ one @0 :Int32; two @1 :Text; three @2 :List(Text); four @3 :UInt16; }} }}
struct Anything {{
  pointer @0 :AnyPointer; struct @1 :AnyStruct; list @2 :AnyList; capability @3 :Capability; service @4 :Service;
  services @5 :List(Service); number @6 :Int32;
}}
struct Deep(T) {{ value @0 :T; deeper @1 :Deep(Box(T)); }}
struct Depth {{ text @0 :Deep(Text); }}
"""
