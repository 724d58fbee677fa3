"""Constants, annotations, imported types, and names that mean something else."""

from __future__ import annotations

import hostile_capnp as hostile
import people_capnp
from people_capnp import Mood, Person
from typing_extensions import assert_type
from work.company_capnp import Company

import ccapnp.types.typed as ccapnp

assert_type(people_capnp.limit, int)
assert_type(people_capnp.mood, Mood)
assert_type(people_capnp.nobody, Person.Reader)
assert_type(people_capnp.primes, ccapnp.NumberList[int])
assert_type(people_capnp.note, ccapnp.Annotation)
assert people_capnp.limit == 12 and people_capnp.mood is Mood.bad and people_capnp.primes == [2, 3, 5]

company = Company(boss={"name": "Ann"}, staff=[Person(name="Bob")], mood="bad", kinds=["home"])
assert_type(company.boss, Person.Builder)
assert_type(company.staff[0], Person.Builder)
assert_type(company.as_reader().mood, Mood)
assert_type(company.kinds[0], Person.Phone.Kind)
company.moods = [Mood.good, "bad"]

methods = hostile.Methods(which=1, has="a", copy={"which": 2}, init=[{}], read={}, schema=["a"], write={"write": 1})
assert_type(methods.which, int)
assert_type(methods.has, str)
assert_type(methods.copy, hostile.Methods.Builder)
assert_type(methods.init[0], hostile.Methods.Builder)
assert_type(methods.schema[0], str)
assert_type(methods.write.write, int)
assert_type(ccapnp.copy(methods), hostile.Methods.Builder)
assert_type(hostile.Methods.from_bytes(ccapnp.to_bytes(methods)).read, hostile.Methods.Reader)
assert_type(hostile.MethodsInUnion(which="a").which, str)
assert_type(hostile.Constants.copy, hostile.Constants.Reader)
assert_type(hostile.Constants.which, int)
assert_type(hostile.int, int)
assert_type(hostile.from_, None)

builtins = hostile.Builtins(int=1, str="a", self=2, type="conjugate", list=["from", 3])
assert_type(builtins.int, int)
assert_type(builtins.type, hostile.Builtins.Type)
assert_type(builtins.property[:], list[int])
builtins.type = hostile.Builtins.Type.from_

outer = hostile.Outer(bar={"outer": {}}, group={"kinds": ["one"]})
assert_type(outer.bar.outer, hostile.Outer.Builder)
assert_type(outer.bar.inner, hostile.Outer.Bar.Outer.Builder)
assert_type(outer.bar.inner.kind, hostile.Outer.Bar.Outer.Bar)
assert_type(outer.group, hostile.Outer.Group_.Builder)
assert_type(outer.bar.inner.inner.outer, hostile.Outer.Builder)
assert_type(hostile.Keywords(from_=1).from_, int)
assert_type(hostile.Keywords(none={"import": b"a"}).none.import_, bytes)
member: hostile.None_.False_ = hostile.None_.False_.no
assert_type(hostile.Reader_(builder={}).builder, hostile.Reader_.Builder_.Builder)
assert_type(hostile.Box().value, ccapnp.AnyPointerBuilder)
assert_type(hostile.Everything(nested=[[1]]).nested[0].view(), memoryview)
