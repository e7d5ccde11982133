"""Wrong pruning rules fail on the deals of seeds/counterexamples.jsonl: a plain search with such a rule,
named in ``note``, misses the answer."""

import re

import pytest
from tests.deals import known_deals, reachable

from winnable.rules import chessboard, joker, simon
from winnable.rules.cards import colour_of, rank_of, suit_of, suits_of_colour

DEALS = list(known_deals("counterexamples.jsonl"))
UP = chessboard.FOUNDATION


def base_rank_first(state):
    for source, column in enumerate(state.columns):
        move = chessboard.Move(source, UP)
        if column and rank_of(column[-1]) == state.base and chessboard.refusal(state, move) is None:
            return [chessboard.apply(state, move)]
    return None


def carried(state, source, target, count):
    """The state after ``count`` cards were moved between columns, one by one; None if that is illegal."""
    for _ in range(count):
        move = chessboard.Move(source, target)
        if chessboard.refusal(state, move) is not None:
            return None
        state = chessboard.apply(state, move)
    return state


def run_on_top(state, column):
    """The length of the run on top of a column: cards of one suit in one direction."""
    ranks, steps = state.deck.ranks, set()
    for count in range(1, len(column)):
        card, beneath = column[-count], column[-count - 1]
        steps.add((rank_of(beneath) - rank_of(card)) % ranks)
        if not chessboard.are_neighbours(state, card, beneath) or len(steps) > 1:
            return count
    return len(column)


def whole_runs_only(state):
    sources = [source for source, column in enumerate(state.columns) if column]
    following = [carried(state, source, UP, 1) for source in sources]
    for source in sources:
        count = run_on_top(state, state.columns[source])
        following += [carried(state, source, target, count) for target in range(len(state.columns))]
    return [after for after in following if after is not None]


def splits_off_what_goes_up(state):
    following = whole_runs_only(state)
    for source, column in enumerate(state.columns):
        for count in range(1, run_on_top(state, column) if column else 0):
            split = [carried(state, source, target, count) for target in range(len(state.columns))]
            following += [after for after in split if after is not None and carried(after, source, UP, 1)]
    return following


def pure_columns_join(state):
    columns = [(place, column) for place, column in enumerate(state.columns) if column]
    pure = [(place, len(column)) for place, column in columns if run_on_top(state, column) == len(column)]
    following = [carried(state, place, target, count) for place, count in pure for target, _ in columns]
    return [after for after in following if after is not None] or None


def joins_first(condition):
    """The rule that a whole run must go onto the next card of its suit if ``condition`` holds."""

    def rule(state):
        following = []
        for source, column in enumerate(state.columns):
            count = simon.run_length(column)
            for target, other in enumerate(state.columns):
                is_join = target != source and column and other and is_on(other[-1], column[-count])
                if is_join and condition(state, column, other, count):
                    following.append(simon.apply(state, simon.Move(source, target, count)))
        return following or None

    return rule


def is_on(beneath, card):
    """Test if a card may stay on another as part of a run."""
    return suit_of(beneath) == suit_of(card) and rank_of(beneath) == rank_of(card) + 1


def others_lie_so(state, column, other, count):
    """Test if all other cards of the rank of a run's head lie on the next card of their suit."""
    alike = [
        place == 0 or not is_on(pile[place - 1], card)
        for pile in state.columns
        for place, card in enumerate(pile)
        if rank_of(card) == rank_of(column[-count])
    ]
    return sum(alike) == 1


def lies_on_that_rank(state, column, other, count):
    return count < len(column) and rank_of(column[-count - 1]) == rank_of(other[-1])


def goes_up_first(condition):
    """The rule that a natural goes up as soon as it can if ``condition`` holds."""

    def rule(state):
        for move in state.legal_moves():
            text = joker.format_move(state, move)
            if re.fullmatch(r"[^X]\w \w-f\w?", text) and condition(state, joker.lifted(state, move)[0]):
                return [state.apply(move)]
        return None

    return rule


def nothing_needs(state, card):
    """Test if all cards that could lie on ``card``, of the other colour and the rank below, are up."""
    others = suits_of_colour(1 - colour_of(card), state.deck.suits)
    return all(state.foundations[suit] >= rank_of(card) for suit in others)


JOIN = "a whole run must go onto the next card of its suit"
# By name: the states that must come next, or None where all may.
RULES = {
    "cards of base rank are forced up": base_rank_first,
    "runs are never split": whole_runs_only,
    "runs are only split off cards that go up at once": splits_off_what_goes_up,
    "a column that is one run must go onto a card that takes it": pure_columns_join,
    JOIN: joins_first(lambda *_: True),
    f"{JOIN} when that completes all ranks": joins_first(
        lambda state, _, other, count: simon.run_length(other) + count == state.deck.ranks
    ),
    f"{JOIN} when all other cards of the rank of its head lie so": joins_first(others_lie_so),
    f"{JOIN} when it is a whole column": joins_first(lambda _, column, __, count: count == len(column)),
    f"{JOIN} when it lies on a card of that rank": joins_first(lies_on_that_rank),
    "cards that nothing can need go up at once whatever they turn up": goes_up_first(nothing_needs),
    "deuces go up as soon as they can": goes_up_first(lambda _, card: rank_of(card) == 1),
}


def rules_of(row):
    """The rules named in the note of a deal, and the score that they leave."""
    text, _, left = row["note"].partition(": ")
    parts = [part.removeprefix("lost if ").removeprefix("less if ") for part in text.split(", or if ")]
    return parts, int(left or 0)


@pytest.mark.parametrize(("row", "variant", "state"), DEALS, ids=[row["note"][:60] for row, *_ in DEALS])
def test_a_rule_that_tempts_fails(row, variant, state):
    parts, left = rules_of(row)
    answer = row.get("score", 1)
    for part in parts:
        if part in RULES:
            assert max(map(variant.score, reachable(state, RULES[part]))) == left < answer
    others = (
        "won only if complete runs may stay", "less if the bound", "less if the relaxed game",
        "more moves if conflicts",
    )  # fmt: skip
    assert set(parts) & set(RULES) or row["note"].startswith(others)


def test_every_rule_has_its_deal():
    named = {part for row, *_ in DEALS for part in rules_of(row)[0]}
    assert set(RULES) <= named
