"""Writing dicts as JSON objects: one function for each struct type, compiled from its plan."""

from __future__ import annotations

from collections.abc import Iterator
from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.convert.json.forms import NULL_FORM, TEXT_FORM, Form, real_text

if TYPE_CHECKING:
    from ccapnp.convert.json.line_breaks import Compact
    from ccapnp.convert.json.plan import JsonField, JsonStruct

__all__ = ["Writer"]

_Write = Callable[[Any, int, bool], str]


class Writer:
    """Writes values with one kind of line breaks; fields that have their defaults are left out if that is asked for."""

    def __init__(self, breaks: Compact, *, omit_defaults: bool = False) -> None:
        self.breaks = breaks
        self.omit_defaults = omit_defaults
        self._functions: dict[JsonStruct, _Write] = {}

    def struct(self, plan: JsonStruct) -> _Write:
        """The function that writes a struct, given as a dict."""
        found = self._functions.get(plan)
        if found is None:
            found = self._functions[plan] = _Source(self, plan).function()
        return found


class _Source:
    """The source of one function.

    Without line breaks, an item's text is made in place.  With them, that has to wait: how far it is indented depends
    on whether it has company.
    """

    def __init__(self, writer: Writer, plan: JsonStruct) -> None:
        self._plan = plan
        self._omit_defaults = writer.omit_defaults
        self._breaks = writer.breaks
        self._names: dict[str, Any] = {"writer": writer, "join": writer.breaks.join, "quote": quote}
        self._names.update(real_text=real_text, len=len)
        self._is_flat = not writer.breaks.indents

    def function(self) -> _Write:
        lines = ["def write(value, level, is_value):", "    items = []"]
        lines += self._struct(self._plan, "value", "", "    ")
        if not self._is_flat:
            lines.append("    inner = level + (len(items) > 1)")
            lines.append('    items = [f"{name}{form.text(writer, item, inner, True)}" for name, form, item in items]')
        lines.append('    return join(items, level, "{}", is_value)')
        exec(compile("\n".join(lines), f"<JSON of {self._plan.name}>", "exec"), self._names)
        return self._names["write"]  # type: ignore[no-any-return]

    def _name(self, value: Any) -> str:
        """The name of a constant in the source."""
        name = f"_{len(self._names)}"
        self._names[name] = value
        return name

    def _struct(self, plan: JsonStruct, value: str, prefix: str, indent: str) -> Iterator[str]:
        for field in plan.fields:
            found = f"{value}[{self._name(field.key)}]"
            if field.is_pointer:
                item = f"item{len(self._names)}"
                yield f"{indent}{item} = {value}.get({self._name(field.key)})"
                yield f"{indent}if {item} is not None:"
                yield from self._field(field, item, prefix + field.name, prefix, indent + _DEEPER)
            elif self._omit_defaults and not field.is_group:
                yield f"{indent}if {self._is_set(field, found)}:"
                yield from self._field(field, found, prefix + field.name, prefix, indent + _DEEPER)
            else:
                yield from self._field(field, found, prefix + field.name, prefix, indent)
        condition = "if"
        for field in plan.variants:
            yield f"{indent}{condition} {self._name(field.key)} in {value}:"
            yield from self._variant(plan, field, f"{value}[{self._name(field.key)}]", prefix, indent + _DEEPER)
            condition = "elif"

    def _variant(self, plan: JsonStruct, field: JsonField, found: str, prefix: str, indent: str) -> Iterator[str]:
        """The union member that is active."""
        if plan.tag_name is not None:
            yield self._item(prefix + plan.tag_name, TEXT_FORM, self._name(field.name), indent)
            if field.is_void:
                return
        elif self._omit_defaults and field.access.discriminant == 0 and not field.is_group:
            yield f"{indent}if {self._is_set(field, found)}:"
            indent += _DEEPER
        name = plan.member_name(field)
        if field.is_pointer:
            item = f"item{len(self._names)}"
            yield f"{indent}{item} = {found}"
            yield f"{indent}if {item} is None: {item} = {self._name(field.plain_default)}"
            found = item
            if field.plain_default is None:
                yield f"{indent}if {item} is None:"
                null = self._item(prefix + name, NULL_FORM, "None", indent + _DEEPER)
                yield null if field.prefix is None else f"{indent}{_DEEPER}pass"
                yield f"{indent}else:"
                indent += _DEEPER
        yield from self._field(field, found, prefix + name, prefix, indent)

    def _is_set(self, field: JsonField, found: str) -> str:
        """The test that a value is not the default; of pointers, that is null."""
        default = None if field.is_pointer else field.plain_default
        if isinstance(default, float):  # -0 is not 0, and one NaN is like another
            return f"repr({found}) != {self._name(repr(default))}"
        return f"{found} != {self._name(default)}"

    def _field(self, field: JsonField, found: str, name: str, prefix: str, indent: str) -> Iterator[str]:
        if field.prefix is None:
            yield self._item(name, field.form, found, indent)
        else:
            inner = f"value{len(self._names)}"
            yield f"{indent}{inner} = {found}"
            yield from self._struct(field.plan, inner, prefix + field.prefix, indent)

    def _item(self, name: str, form: Form, found: str, indent: str) -> str:
        start = self._name(f"{quote(name)}{self._breaks.colon}")
        if not self._is_flat:
            return f"{indent}items.append(({start}, {self._name(form)}, {found}))"
        if form.inline:
            text = form.inline.replace('"', '\\"').replace("%s", found)
        else:
            text = f"{{{self._name(form.text)}(writer, {found}, 0, True)}}"
        return f'{indent}items.append(f"{{{start}}}{text}")'


_DEEPER = "    "
