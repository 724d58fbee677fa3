"""``python -m tests.crashes BACKEND CASE``: what a program should not do, and may do all the same.

Each case of `CASES` gets the module of schema.capnp, whose ``Node`` and ``CodeGeneratorRequest`` have fields of most
kinds.  It fails by an exception that is not what Python code may expect, or by taking the interpreter with it.
"""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
import mmap
import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import ccapnp
from tests.schema_request import schema_request

__all__ = ["CASES"]

EXPECTED = (
    AttributeError,
    TypeError,
    ValueError,
    LookupError,
    ArithmeticError,
    EOFError,
    BufferError,
    MemoryError,
    OSError,
)
EXPECTED += (RecursionError, NotImplementedError, ccapnp.CapnpError)

CASES: dict[str, Callable[[Any], None]] = {}


def _case(function: Callable[[Any], None]) -> Callable[[Any], None]:
    CASES[function.__name__] = function
    return function


def attempt(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The value, or ``None`` after an exception of a kind that callers expect."""
    try:
        return function(*arguments, **named)
    except (*EXPECTED, Odd) as error:
        with contextlib.suppress(ValueError):  # an integer in it has too many digits
            str(error), repr(error)
        return None


VALUES: dict[str, Any] = {
    "id": 2**63,
    "displayName": "name",
    "nestedNodes": [{"name": f"n{n}", "id": n} for n in range(5)],
    "struct": {"fields": [{"name": "f", "slot": {"type": {"list": {"elementType": {"text": None}}}}}]},
}


# ---- objects that do not keep their promises


class Odd(Exception):
    """Raised where nobody expects it."""


class OddLength(list[Any]):
    def __len__(self) -> int:
        return 2**62


class NegativeLength(list[Any]):
    def __len__(self) -> int:
        return -1  # noqa: PLE0303


class OddItems(dict[str, Any]):
    def __iter__(self) -> Iterator[str]:
        raise Odd

    def items(self) -> Any:
        return [("id", 1), ("nope",), 5]

    def __getitem__(self, key: str) -> Any:
        raise Odd


class OddIndex:
    def __index__(self) -> int:
        raise Odd


class HugeIndex:
    def __index__(self) -> int:
        return 2**200


class OddBuffer:
    def __buffer__(self, flags: int) -> memoryview:
        raise Odd


class OddText(str):
    __slots__ = ()

    def encode(self, *arguments: Any) -> Any:
        return None


class OddEquality:
    def __eq__(self, other: object) -> bool:
        raise Odd

    def __hash__(self) -> int:
        raise Odd

    def __repr__(self) -> str:
        raise Odd


class OddFile:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def read(self, size: int = -1) -> Any:
        return self.answer

    readinto = write = read


class EndlessList(list[Any]):
    """Grows while it is read."""

    def __iter__(self) -> Iterator[Any]:
        for number in range(50):
            self.append(number)
            yield {"name": str(number)}


def wild_values() -> list[Any]:
    values: list[Any] = [
        None,
        0,
        -1,
        2**31,
        2**63,
        2**64,
        -(2**70),
        10**5000,
        1.5,
        float("nan"),
        True,
        "",
        "\ud800",
        b"",
    ]
    values += [b"\xff" * 24, bytes(64), [], [None], [[]], {}, {"id": "x"}, (), set(), object(), int, len, ..., range(3)]
    values += [OddLength([1]), NegativeLength(), OddItems(id=1), OddIndex(), HugeIndex(), OddBuffer(), OddText("x")]
    values += [OddEquality(), memoryview(b"12345678")[::2], OddFile(None), OddFile(b"x"), OddFile(2**70), OddFile("x")]
    return values


# ---- wild arguments


@_case
def wild_arguments_to_functions(module: Any) -> None:
    node = module.Node.from_dict(VALUES)
    reader = module.Node.from_bytes(node.to_bytes())
    for name, value, target in itertools.product(ccapnp.__all__, wild_values(), (node, reader, None)):
        function = getattr(ccapnp, name)
        if callable(function):
            attempt(function, *(() if target is None else (target,)), value)
            attempt(function, *(() if target is None else (target,)), "nestedNodes", value)


@_case
def wild_arguments_to_methods(module: Any) -> None:
    generator = random.Random(1)
    node = module.Node.from_dict(VALUES)
    targets = [module.Node, node, node.as_reader()]
    targets += [node.nestedNodes, node.as_reader().nestedNodes, node.init_resizable_list("nestedNodes")]
    targets += [ccapnp.MessageBuilder(), ccapnp.MessageReader(node.to_bytes()), ccapnp.MessageBuilder().root]
    anys = (ccapnp.MessageBuilder().root.init_any_struct(1, 1), ccapnp.MessageBuilder().root.init_any_list((1, 1), 2))
    targets += [*anys, *(each.as_reader() for each in anys), ccapnp.as_any_struct(node)]
    targets += [module.Field.Slot, module.ElementSize, ccapnp.List(ccapnp.Kind.TEXT), ccapnp.Kind, ccapnp.Capability(1)]
    values = wild_values()
    for target in targets:
        for name in dir(target):
            method = attempt(getattr, target, name)
            if not callable(method) or name in ("__class__", "__init_subclass__", "__subclasshook__", "__setattr__"):
                continue
            for count in (0, 1, 1, 1, 2, 2, 3):
                attempt(method, *generator.choices(values, k=count))
    attempt(node.to_dict), attempt(node.to_bytes), attempt(repr, node)


@_case
def wild_values_for_every_field(module: Any) -> None:
    for struct_type, value in itertools.product((module.Node, module.Type, module.Value, module.Field), wild_values()):
        builder = struct_type.new_message()
        for name in struct_type._node.fields_by_name:
            attempt(ccapnp.set_field, builder, name, value)
            attempt(ccapnp.init, builder, name, value)
            attempt(struct_type.from_dict, {name: value})
            attempt(struct_type.new_message, **{name: value})
            attempt(struct_type.from_dict, {name: [value, {"name": value}]})
        builder.to_dict(), builder.to_bytes(), repr(builder)


@_case
def wild_files(module: Any) -> None:
    for value, packed in itertools.product([*wild_values(), *map(OddFile, wild_values())], (False, True)):
        attempt(ccapnp.read, value, packed=packed)
        attempt(lambda: list(itertools.islice(ccapnp.read_multiple(value, packed=packed), 3)))  # noqa: B023
        attempt(module.Node.from_dict(VALUES).write_packed, value)
        attempt(module.Node.from_dict(VALUES).write, value)


@_case
def wild_bytes(module: Any) -> None:
    generator = random.Random(2)
    good = module.Node.from_dict(VALUES).to_bytes()
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(generator.choice([1, 2, 5])):
            data[generator.randrange(len(data))] = generator.choice([0, 1, 0x7F, 0xFF, generator.randrange(256)])
        limit = generator.choice([50, 10_000, 100_000])
        reader = attempt(module.Node.from_bytes, data, limit)
        if reader is not None:
            for use in (ccapnp.to_dict, hash, ccapnp.as_builder, repr, ccapnp.total_size, lambda view: view == view):
                attempt(use, reader)
        attempt(module.Node.from_bytes_packed, data)


@_case
def a_message_of_another_type(module: Any) -> None:
    message = bytes.fromhex("0000000003000000 0000000000000100 0100000013000000 0700080000000000")
    for struct_type in (module.Node, module.Type, module.Field, module.CodeGeneratorRequest, module.Method):
        reader = struct_type.from_bytes(message)
        repr(reader), str(reader)
        for use in (ccapnp.to_dict, hash, ccapnp.copy, ccapnp.to_text, ccapnp.to_json):
            attempt(use, reader)


@_case
def a_schema_loaded_again(module: Any) -> None:
    backend = ccapnp.default_codec().name
    request = schema_request()
    again = ccapnp.load_request(bytearray(request), backend=backend)
    assert again.Node is module.Node
    changed = request.replace(b"displayName\0", b"displayNames"[:11] + b"\0").replace(
        b"nestedNodes\0", b"nestedModes\0"
    )
    attempt(ccapnp.load_request, changed, backend=backend)
    for cut in range(0, len(request), 501):
        attempt(ccapnp.load_request, request[:cut], backend=backend)


@_case
def a_list_finished_twice(module: Any) -> None:
    node = module.Node.new_message()
    values = node.init_resizable_list("nestedNodes")
    first = values.add()
    values.finish()
    first.name = "late"
    values.add().name = "second"
    values.finish()
    values.finish()
    del node
    gc.collect()
    values.finish()
    repr(first)


# ---- buffers that go


@_case
def buffers_closed_under_a_reader(module: Any) -> None:
    data = module.Node.from_dict(VALUES).to_bytes()
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        mapped = mmap.mmap(file.fileno(), 0)
        reader = module.Node.from_bytes(mapped)
        reader.to_dict()
        attempt(mapped.close)
        attempt(mapped.resize, 8)
        for use in (ccapnp.to_dict, hash, ccapnp.as_builder, repr):
            attempt(use, reader)
    buffer = bytearray(data)
    view = memoryview(buffer)
    reader = module.Node.from_bytes(view)
    attempt(view.release)
    attempt(buffer.clear)
    for use in (ccapnp.to_dict, hash, ccapnp.as_builder, repr):
        attempt(use, reader)
    views = ccapnp.to_segments(reader)
    for each in views:
        attempt(each.release)
    attempt(ccapnp.to_dict, reader)


@_case
def buffers_changed_under_a_reader(module: Any) -> None:
    generator = random.Random(3)
    buffer = bytearray(module.Node.from_dict(VALUES).to_bytes())
    reader = module.Node.from_bytes(buffer, None)
    for _ in range(2000):
        place = generator.randrange(len(buffer))
        before, buffer[place] = buffer[place], generator.randrange(256)
        attempt(ccapnp.to_dict, reader), attempt(hash, reader), attempt(ccapnp.as_builder, reader)
        buffer[place] = before


@_case
def parts_dropped_in_every_order(module: Any) -> None:
    data = module.Node.from_dict(VALUES).to_bytes()
    for order in itertools.permutations(range(5)):
        builder = module.Node.from_dict(VALUES)
        reader = module.Node.from_bytes(bytearray(data))
        sets = ([builder, builder.nestedNodes, builder.struct, builder.nestedNodes[1], builder.to_segments()],)
        sets += (
            [reader, reader.nestedNodes, reader.struct, reader.nestedNodes[1], memoryview(reader.to_segments()[0])],
        )
        del builder, reader
        for parts in sets:
            kept: dict[int, Any] = dict(enumerate(parts))
            del parts[:]
            for number in order:
                del kept[number]
                gc.collect(0)
                for part in kept.values():
                    repr(part)


# ---- depth, and what refers to itself


@_case
def values_in_themselves(module: Any) -> None:
    endless: dict[str, Any] = {}
    endless["list"] = {"elementType": endless}
    attempt(module.Type.from_dict, endless)
    attempt(module.Type.new_message, **endless)
    values: list[Any] = []
    values.append(values)
    attempt(module.Node.from_dict, {"nestedNodes": values})
    attempt(module.Node.from_dict, {"nestedNodes": EndlessList([1])})
    deep: Any = {"text": None}
    for _ in range(20_000):
        deep = {"list": {"elementType": deep}}
    attempt(module.Type.from_dict, deep)
    while deep.get("list"):  # taken apart from outside: to free it at once would need a deep stack too
        deep = deep["list"]["elementType"]


@_case
def messages_of_great_depth(module: Any) -> None:
    root = builder = module.Type.new_message()
    for _ in range(5_000):
        builder = builder.init("list").init("elementType")
    data = root.to_bytes()
    for reader in (module.Type.from_bytes(data, None, 2**31 - 1), module.Type.from_bytes(data), root):
        for use in (
            ccapnp.to_dict,
            hash,
            ccapnp.copy,
            repr,
            str,
            ccapnp.to_text,
            ccapnp.to_json,
            lambda view: ccapnp.to_json(view, pretty=True),
            ccapnp.total_size,
            ccapnp.canonicalize,
        ):
            attempt(use, reader)
        attempt(lambda reader=reader: reader == root)
        attempt(lambda reader=reader: ccapnp.MessageBuilder().root.set(reader))


@_case
def a_message_that_holds_itself(module: Any) -> None:
    segment = (
        (1 << 48 | 3 << 32).to_bytes(8, "little")
        + bytes(24)
        + ((-2 & 0x3FFFFFFF) << 2 | 1 << 48 | 3 << 32).to_bytes(8, "little")
    )
    for depth in (64, 10_000, 2**31 - 1):
        reader = attempt(module.Type.from_segments, [segment], 100_000, depth)
        for use in (ccapnp.to_dict, hash, ccapnp.copy, repr, ccapnp.to_json, ccapnp.total_size):
            attempt(use, reader)


@_case
def json_and_text_of_great_depth(module: Any) -> None:
    for depth in (60, 1_000, 100_000):
        for source in (
            '{"list":{"elementType":' * depth + "{}" + "}}" * depth,
            '{"nope":' + "[" * depth + "]" * depth + "}",
            "[" * depth,
            {"list": {"elementType": nested(depth)}},
        ):
            attempt(module.Type.from_json, source)
            attempt(lambda source=source: module.Type.from_json(source, max_nesting_depth=2**31))
        for text in ("(list = (elementType = " * depth + "()" + "))" * depth, "(" * depth, "(list = " + "[" * depth):
            attempt(module.Type.from_text, text)


def nested(depth: int) -> Any:
    """What `json.loads` could not give, for it is too deep."""
    made: Any = {}
    for _ in range(depth):
        made = {"list": {"elementType": made}}
    return made


# ---- threads, processes, and the end


@_case
def many_threads_on_one_reader(module: Any) -> None:
    builder = module.Node.from_dict(VALUES)
    reader = module.Node.from_bytes(builder.to_bytes(), None)
    expected = reader.to_dict()
    wrong: list[Any] = []

    def work() -> None:
        for _ in range(200):
            if reader.to_dict() != expected or hash(reader) != hash(reader) or reader.copy() != reader:
                wrong.append(reader)
            module.Node.from_dict(VALUES)

    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@_case
def a_builder_that_changes_in_another_thread(module: Any) -> None:
    """Which no one should do: what is read may be wrong, but only that."""
    builder = module.Node.from_dict(VALUES)
    done = threading.Event()

    def change() -> None:
        for _ in range(2000):  # each of which makes the message larger
            if done.is_set():
                return
            builder.nestedNodes = [{"name": "x" * 50}] * 9
            builder.displayName = "y" * 100
            builder.nestedNodes = None

    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(300):
        for use in (ccapnp.to_dict, ccapnp.copy, ccapnp.to_bytes, ccapnp.canonicalize, ccapnp.total_size):
            attempt(use, builder)
    done.set()
    thread.join()


@_case
def values_that_change_in_another_thread(module: Any) -> None:
    values: list[Any] = [{"name": "a"}] * 5
    node: dict[str, Any] = {"nestedNodes": values, "displayName": "x"}
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            values.append({"name": "b" * 20})
            del values[3:]
            node["id"] = 5
            node.pop("id", None)

    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=change)
    thread.start()
    for _ in range(2000):
        with contextlib.suppress(RuntimeError):  # a dict that changes while it is looked at
            attempt(module.Node.from_dict, node)
    done.set()
    thread.join()


@_case
def groups_far_within_groups(module: Any) -> None:
    """Which no compiler makes, but anybody can write."""
    first, depth = 2**63, 95
    nodes: list[dict[str, Any]] = [
        {"id": 1, "displayName": "f", "nestedNodes": [{"name": "S", "id": first}], "file": None}
    ]
    for level in range(depth):
        field = {"name": "g", "discriminantValue": 65535, "group": {"typeId": first + level + 1}}
        fields = [field] if level < depth - 1 else []
        struct = {"isGroup": level > 0, "dataWordCount": 1, "fields": fields}
        scope = first + level - 1 if level else 1
        nodes.append({"id": first + level, "displayName": "f:S", "scopeId": scope, "struct": struct})
    files = [{"id": 1, "filename": "f"}]
    request = module.CodeGeneratorRequest.new_message(nodes=nodes, requestedFiles=files)
    deep = ccapnp.load_request(request.to_bytes())
    endless: dict[str, Any] = {}
    endless["g"] = endless
    builder = deep.S.new_message()
    for view in (builder, deep.S.from_bytes(builder.to_bytes())):
        for verbose in (False, True):
            attempt(view.to_dict, verbose)
        attempt(str, view)
    attempt(deep.S.from_dict, endless)


@_case
def orphans_and_what_is_stale_after_them(module: Any) -> None:
    """Views of what was moved, resized or freed, and of the orphans that are no more, are used all the same."""

    def call(owner: Any, name: str, *arguments: Any) -> Any:
        return attempt(lambda: getattr(owner, name)(*arguments))

    rng = random.Random(3)
    types = [module.Node, ccapnp.Text, ccapnp.Data, ccapnp.List[ccapnp.Text], ccapnp.List[module.Node]]
    types += [ccapnp.List(ccapnp.Kind.UINT16), ccapnp.List(ccapnp.Kind.BOOL), ccapnp.AnyPointer, 3]
    for words in (1, 30, 1024):
        message = ccapnp.MessageBuilder(words)
        root = message.init_root(module.Node)
        root.displayName = "name"
        stale: list[Any] = [root, message.root]
        orphans: list[Any] = []
        for _ in range(600):
            act = rng.randrange(9)
            view = rng.choice(stale)
            if act == 0:
                orphans.append(attempt(message.orphanage.new, rng.choice(types), rng.choice([None, 0, 3, 40, -1])))
            elif act == 1:
                orphans.append(attempt(message.orphanage.copy, rng.choice([view, "text", bytes(9), None])))
            elif act == 2:
                name = rng.choice(["nestedNodes", "displayName", "struct", "annotations", "id"])
                orphans.append(call(view, "disown", name))
                orphans.append(call(view, "disown", rng.randrange(-2, 3)))
            elif act == 3:
                attempt(message.orphanage.concatenate, [view, rng.choice(stale)])
                attempt(message.orphanage.reference, rng.choice([bytes(16), bytearray(8), b"x", view]))
            elif act == 4:
                call(view, "init", rng.choice(["nestedNodes", "annotations"]), rng.randrange(5))
            orphans = [each for each in orphans if each is not None]
            if not orphans:
                continue
            orphan = rng.choice(orphans)
            if act == 5:
                call(orphan, "resize", rng.choice([0, 1, 17, 300, 10**9, 2**70]))
            elif act == 6:
                call(view, "adopt", rng.choice(["nestedNodes", "displayName", 0]), orphan)
                call(view, "adopt", orphan)
            elif act == 7:
                attempt(message.adopt_root, orphan)
            elif act == 8:
                orphans.remove(orphan)
            made = call(orphan, "get")
            if isinstance(made, (ccapnp.StructBuilder, ccapnp.ListBuilder, ccapnp.AnyPointerBuilder)):
                stale.append(made)
            for each in (made, view):
                attempt(str, each), attempt(len, each)
                call(each, "to_dict"), call(each, "to_bytes")
            attempt(message.to_bytes), attempt(message.to_bytes_packed)
    call(ccapnp.Orphan.__new__(ccapnp.Orphan), "get")
    cycle: list[Any] = [root.disown("displayName")]
    cycle.append(cycle)
    del cycle
    gc.collect()


@_case
def a_fork(module: Any) -> None:
    if not hasattr(os, "fork"):
        return
    reader = module.Node.from_bytes(module.Node.from_dict(VALUES).to_bytes())
    child = os.fork()
    if not child:
        reader.to_dict(), reader.copy(), hash(reader)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    reader.to_dict()


@_case
def the_end_of_the_interpreter(module: Any) -> None:
    """Messages that live until everything is taken apart, and are used while it is."""

    class Last:
        def __init__(self, *kept: Any) -> None:
            self.kept = kept

        def __del__(self) -> None:
            for each in self.kept:
                with contextlib.suppress(Exception):
                    each.to_dict()
                    each.copy()

    builder = module.Node.from_dict(VALUES)
    last = Last(builder, builder.as_reader(), module.Node.from_bytes(builder.to_bytes()))
    sys.modules["kept_to_the_end"] = last  # type: ignore[assignment]
    cycle: list[Any] = [last]
    cycle.append(cycle)
    iterator = module.Node.read_multiple_packed(io.BytesIO(builder.to_bytes_packed() * 2))
    next(iterator)
    module.iterator = iterator


def main(backend: str, case: str) -> None:
    os.environ["CCAPNP_BACKEND"] = backend
    ccapnp.default_codec.cache_clear()
    CASES[case](ccapnp.load_request(schema_request(), backend=backend))


if __name__ == "__main__":
    main(*sys.argv[1:])
