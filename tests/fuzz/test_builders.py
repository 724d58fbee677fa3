"""Two messages that are built at once, by any steps in any order: after each, both codecs have the same bytes.

Views are kept when what they are of is replaced: what is done through them then has no use, but the same effect.
"""

from __future__ import annotations

import random
from typing import Any, Callable, Union

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

import ccapnp
from tests.parity.differences import assert_same
from tests.parity.draws import SEEDS, parity
from tests.parity.outcomes import outcome
from tests.parity.schemas import make_schema
from tests.parity.values import Values, realised

pytestmark = parity

NUMBERS = st.integers(0, 2**32)
"""Which field or element, or the state of a random generator."""

SIZES = st.sampled_from([None, 0, 1, 2, 9, 70])
WORDS = st.sampled_from([0, 1, 5, 40, 1024])

Views = list[Any]
"""The views of one thing under both codecs."""


class TwoMessages(RuleBasedStateMachine):
    structs = Bundle("structs")
    lists = Bundle("lists")

    @initialize(target=structs, seed=SEEDS, first=WORDS, second=WORDS, which=NUMBERS)
    def begin(self, seed: int, first: int, second: int, which: int) -> Any:
        schema = make_schema(seed)
        self.modules = list(schema.modules.values())
        name = schema.names[which % len(schema.names)]
        self.roots = [
            [getattr(module, name).new_message(words) for module in self.modules] for words in (first, second)
        ]
        return multiple(*self.roots)

    # ---- what all rules are made of

    def both(self, action: Callable[..., Any], *views: Views) -> Views:
        """What an action gives under each codec: as good as the same."""
        results: list[Any] = [None, None]

        def act(side: int) -> Any:
            results[side] = action(side, *(each[side] for each in views))
            return results[side]

        assert_same([outcome(lambda side=side: act(side)) for side in range(2)])
        return results

    def plan(self, views: Views, number: int, state: int) -> Any:
        """A random value for a field, now and then a bad one; `realised` makes it one of either codec."""
        struct_type = type(views[0])._type
        rng = random.Random(state)
        values = Values(rng, self.modules[0], rng.choice([0, 0, 0, 0.1]))
        field = struct_type._node.fields_by_name.get(field_name(views[0], number))
        return None if field is None else values.field(struct_type, field, 3)

    # ---- down into a message

    @rule(target=structs, views=structs, number=NUMBERS)
    def field(self, views: Views, number: int) -> Any:
        return kept(self.both(lambda side, view: ccapnp.get_field(view, field_name(view, number)), views), STRUCTS)

    @rule(target=lists, views=structs, number=NUMBERS)
    def list_field(self, views: Views, number: int) -> Any:
        return kept(self.both(lambda side, view: ccapnp.get_field(view, field_name(view, number)), views), LISTS)

    @rule(target=structs, views=lists, number=NUMBERS)
    def element(self, views: Views, number: int) -> Any:
        return kept(self.both(lambda side, view: view[number % max(len(view), 1)], views), STRUCTS)

    # ---- changes

    @rule(views=structs, number=NUMBERS, state=NUMBERS)
    def assign(self, views: Views, number: int, state: int) -> None:
        plan = self.plan(views, number, state)

        def act(side: int, view: Any) -> None:
            ccapnp.set_field(view, field_name(view, number), realised(plan, self.modules[side]))

        self.both(act, views)

    @rule(views=structs, number=NUMBERS)
    def clear(self, views: Views, number: int) -> None:
        self.both(lambda side, view: ccapnp.set_field(view, field_name(view, number), None), views)

    @rule(target=structs, views=structs, number=NUMBERS, size=SIZES)
    def init(self, views: Views, number: int, size: Union[int, None]) -> Any:
        return kept(self.both(lambda side, view: ccapnp.init(view, field_name(view, number), size), views), STRUCTS)

    @rule(source=structs, target_views=structs, number=NUMBERS, target_number=NUMBERS)
    def assign_a_field_of_another(self, source: Views, target_views: Views, number: int, target_number: int) -> None:
        """Of the same message, of the other, of itself or what is in it."""

        def act(side: int, view: Any, target: Any) -> None:
            ccapnp.set_field(
                target, field_name(target, target_number), ccapnp.get_field(view, field_name(view, number))
            )

        self.both(act, source, target_views)

    @rule(source=structs, target_views=structs, number=NUMBERS)
    def assign_a_struct(self, source: Views, target_views: Views, number: int) -> None:
        self.both(
            lambda side, view, target: ccapnp.set_field(target, field_name(target, number), view), source, target_views
        )

    @rule(views=lists, source=lists, number=NUMBERS)
    def assign_elements(self, views: Views, source: Views, number: int) -> None:
        def act(side: int, view: Any, other: Any) -> None:
            for index in range(min(len(view), len(other))):
                view[index] = other[(index + number) % len(other)]

        self.both(act, views, source)

    @rule(views=structs, number=NUMBERS, state=NUMBERS)
    def fill_a_resizable_list(self, views: Views, number: int, state: int) -> None:
        plan = self.plan(views, number, state)

        def act(side: int, view: Any) -> None:
            with ccapnp.init_resizable_list(view, field_name(view, number)) as values:
                for each in realised(plan, self.modules[side]) or ():
                    values.append(each)

        self.both(act, views)

    # ---- and looks

    @rule(views=structs, other=structs)
    def look(self, views: Views, other: Views) -> None:
        def act(side: int, view: Any, other_view: Any) -> Any:
            return view, str(view), repr(view), outcome(lambda: view == other_view), outcome(view.copy)

        self.both(act, views, other)
        for look in (ccapnp.total_size, ccapnp.canonicalize, ccapnp.to_dict, ccapnp.to_bytes_packed):
            self.both(lambda side, view, look=look: look(view), views)

    @invariant()
    def messages_are_the_same(self) -> None:
        for views in getattr(self, "roots", ()):
            pure, native = ([bytes(segment) for segment in view.to_segments()] for view in views)
            assert pure == native


STRUCTS = ccapnp.StructBuilder
LISTS = ccapnp.ListBuilder


def kept(found: Views, kind: type) -> Any:
    """The views for a bundle, if they are builders of that kind."""
    return multiple(found) if all(isinstance(view, kind) for view in found) else multiple()


def field_name(view: Any, number: int) -> str:
    names = list(type(view)._type._node.fields_by_name)
    return names[number % len(names)] if names else "nope"


TestTwoMessages = TwoMessages.TestCase
TestTwoMessages.settings = settings(max_examples=max(20, settings.default.max_examples // 5), stateful_step_count=20)
