"""What has no type in the schema: what type checkers accept, and what types they see.  The code also runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from anything_capnp import Anything
from people_capnp import Person, Service
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp import Kind

if TYPE_CHECKING:
    from ccapnp import rpc

person = Person.new_message(name="Alice", scores=[1, 2])
built = Anything.new_message(any=person, struct=person, list=person.scores, capability=ccapnp.Capability(1))
built.any = built.struct
built.any = built.list
built.any = ccapnp.Capability(2)
built.struct = ccapnp.as_any_struct(person)
built.list = built.list.as_list(ccapnp.List(Kind.INT32))
built.lists = [person.scores, built.list, None]
built.any = person
read = Anything.from_bytes(built.to_bytes())

assert_type(read.any.get(Person), Person.Reader)
assert_type(read.any.as_any_struct(), ccapnp.AnyStructReader)
assert_type(read.any.as_any_struct().pointers[0], ccapnp.AnyPointerReader)
assert_type(read.struct, ccapnp.AnyStructReader)
assert_type(read.struct.data, memoryview)
assert_type(read.struct.as_struct(Person), Person.Reader)
assert_type(read.struct.total_size, ccapnp.MessageSize)
assert_type(read.list, ccapnp.AnyListReader)
assert_type(read.list.element_size, ccapnp.ElementSize)
assert_type(read.list[0], Any)
assert_type(read.lists[0], ccapnp.AnyListReader)
assert_type(read.capability, Optional["rpc.Client"])
assert_type(read.lists[0].copy(), ccapnp.AnyListReader)
assert_type(ccapnp.equal(read.struct, person), Optional[bool])

assert_type(built.any, ccapnp.AnyPointerBuilder)
assert_type(built.any.get(Person), Person.Builder)
assert_type(built.any.get(ccapnp.AnyStruct), ccapnp.AnyStructBuilder)
assert_type(built.struct, ccapnp.AnyStructBuilder)
assert_type(built.struct.as_struct(Person), Person.Builder)
assert_type(built.struct.pointers[0], ccapnp.AnyPointerBuilder)
assert_type(built.struct.as_reader(), ccapnp.AnyStructReader)
assert_type(built.list, ccapnp.AnyListBuilder)
assert_type(built.init("struct", (1, 2)), ccapnp.AnyStructBuilder)
assert_type(built.init("list", (ccapnp.ElementSize.BYTE, 2)), ccapnp.AnyListBuilder)
assert_type(built.init("list", ((1, 2), 2)), ccapnp.AnyListBuilder)
assert_type(built.any.init(Person), Person.Builder)
assert_type(built.any.init_any_struct(1, 1), ccapnp.AnyStructBuilder)
assert_type(built.any.init_any_list(ccapnp.ElementSize.POINTER, 1), ccapnp.AnyListBuilder)
assert_type(built.any.init_data(2), memoryview)
built.any.set(ccapnp.Capability(3))
assert_type(built.any.as_interface(Service), "Service.Client | None")
built.struct.pointers[0] = "text"
built.list[0].pointers[0] = "text"

assert_type(built.any.init_list(ccapnp.List[Person], 2), ccapnp.ListBuilder[Person.Builder])
assert_type(built.any.as_list(ccapnp.List[Person]), ccapnp.ListBuilder[Person.Builder])
assert_type(built.as_reader().any.as_list(ccapnp.List[Person]), ccapnp.ListReader[Person.Reader])
assert_type(built.as_reader().any.get(ccapnp.List[Person]), ccapnp.ListReader[Person.Reader])
assert_type(built.any.as_any_list().as_list(ccapnp.List[ccapnp.AnyStruct])[0], ccapnp.AnyStructBuilder)

message = ccapnp.MessageBuilder()
message.set_root("text")
assert_type(message.set_root(person), Person.Builder)
assert_type(message.get_root(ccapnp.AnyStruct), ccapnp.AnyStructBuilder)
reader = ccapnp.MessageReader(message.to_bytes())
assert_type(reader.get_root(ccapnp.AnyStruct), ccapnp.AnyStructReader)
assert_type(reader.get_root_as_any(), ccapnp.AnyPointerReader)
