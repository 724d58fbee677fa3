"""Two messages that are built at once, by any steps in any order: after each, both codecs have the same bytes.

Views are kept when what they are of is replaced: what is done through them then has no use, but the same effect.
"""

from __future__ import annotations

import random
from typing import Any, Callable, Optional

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
ELEMENTS = (None, 0, 1, True, 1.5, "text", b"data", {}, [], [1, 0], ["a"], [{}])

Views = list[Any]
"""The views of one struct or list under both codecs."""


class TwoMessages(RuleBasedStateMachine):
    views = Bundle("views")

    @initialize(target=views, seed=SEEDS, first=WORDS, second=WORDS, which=NUMBERS)
    def begin(self, seed: int, first: int, second: int, which: int) -> Any:
        schema = make_schema(seed)
        self.modules = list(schema.modules.values())
        types = [getattr(module, schema.names[which % len(schema.names)]) for module in self.modules]
        self.roots = [[each.new_message(words) for each in types] for words in (first, second)]
        return multiple(*self.roots)

    def both(self, action: Callable[..., Any], *views: Views) -> Any:
        """Do the same under each codec; gives the results, for the bundle, if they can be built on."""
        results: list[Any] = [None, None]

        def act(side: int) -> Any:
            results[side] = action(side, *(each[side] for each in views))
            return results[side]

        assert_same([outcome(lambda side=side: act(side)) for side in range(2)])
        is_kept = all(isinstance(each, (ccapnp.StructBuilder, ccapnp.ListBuilder)) for each in results)
        return multiple(results) if is_kept else multiple()

    # ---- one step down

    @rule(target=views, views=views, number=NUMBERS)
    def enter(self, views: Views, number: int) -> Any:
        return self.both(lambda side, view: get(view, number), views)

    @rule(target=views, views=views, number=NUMBERS, size=SIZES)
    def init(self, views: Views, number: int, size: Optional[int]) -> Any:
        def act(side: int, view: Any) -> Any:
            if isinstance(view, ccapnp.ListBuilder):
                return view.init(index(view, number), size)
            return ccapnp.init(view, field_name(view, number), size)

        return self.both(act, views)

    # ---- changes

    @rule(views=views, number=NUMBERS, state=NUMBERS)
    def assign(self, views: Views, number: int, state: int) -> None:
        plan = self.plan(views[0], number, random.Random(state))
        self.both(lambda side, view: put(view, number, realised(plan, self.modules[side])), views)

    @rule(views=views, number=NUMBERS, state=NUMBERS)
    def fill_a_resizable_list(self, views: Views, number: int, state: int) -> None:
        plan = self.plan(views[0], number, random.Random(state))

        def act(side: int, view: Any) -> None:
            with ccapnp.init_resizable_list(view, field_name(view, number)) as values:
                for each in realised(plan, self.modules[side]):
                    values.append(each)

        if isinstance(views[0], ccapnp.StructBuilder) and isinstance(plan, list):
            self.both(act, views)

    def plan(self, view: Any, number: int, rng: random.Random) -> Any:
        """A random value for a field or an element, at times a bad one; `realised` makes it one of either codec."""
        if isinstance(view, ccapnp.ListBuilder):
            return rng.choice(ELEMENTS)
        struct_type = type(view)._type
        field = struct_type._node.fields_by_name.get(field_name(view, number))
        values = Values(rng, self.modules[0], rng.choice([0, 0, 0, 0.1]))
        return None if field is None else values.field(struct_type, field, 3)

    @rule(views=views, number=NUMBERS)
    def clear(self, views: Views, number: int) -> None:
        self.both(lambda side, view: put(view, number, None), views)

    @rule(source=views, target_views=views, number=NUMBERS, target_number=NUMBERS)
    def assign_what_another_has(self, source: Views, target_views: Views, number: int, target_number: int) -> None:
        """Of the same message, of the other, of itself or what is in it."""
        self.both(lambda side, view, other: put(other, target_number, get(view, number)), source, target_views)

    @rule(source=views, target_views=views, number=NUMBERS)
    def assign_another(self, source: Views, target_views: Views, number: int) -> None:
        self.both(lambda side, view, other: put(other, number, view), source, target_views)

    # ---- and looks

    @rule(views=views, other=views)
    def look(self, views: Views, other: Views) -> None:
        self.both(lambda side, view, other_view: (view, str(view), repr(view), view == other_view), views, other)
        if isinstance(views[0], ccapnp.StructBuilder):
            looks = (ccapnp.copy, ccapnp.total_size, ccapnp.canonicalize, ccapnp.to_dict, ccapnp.to_bytes_packed)
            for look in looks:
                self.both(lambda side, view, look=look: look(view), views)

    @invariant()
    def messages_are_the_same(self) -> None:
        for views in getattr(self, "roots", ()):
            pure, native = ([bytes(segment) for segment in view.to_segments()] for view in views)
            assert pure == native


def field_name(view: Any, number: int) -> str:
    names = list(type(view)._type._node.fields_by_name)
    return names[number % len(names)] if names else "nope"


def index(view: Any, number: int) -> int:
    return number % max(len(view), 1)


def get(view: Any, number: int) -> Any:
    """The field or element of that number."""
    if isinstance(view, ccapnp.ListBuilder):
        return view[index(view, number)]
    return ccapnp.get_field(view, field_name(view, number))


def put(view: Any, number: int, value: Any) -> None:
    """Set the field or element of that number."""
    if isinstance(view, ccapnp.ListBuilder):
        view[index(view, number)] = value
    else:
        ccapnp.set_field(view, field_name(view, number), value)


TestTwoMessages = TwoMessages.TestCase
TestTwoMessages.settings = settings(max_examples=max(20, settings.default.max_examples // 2), stateful_step_count=40)
