"""Deals of seeds/, and positions reached by random moves."""

import json
import os
import random
from pathlib import Path

import pytest

from winnable.rules import Deck, find_variant, simon
from winnable.rules.cards import parse_card, rank_of
from winnable.rules.formats import read_deal
from winnable.rules.formats.json_deals import deal_object

SEEDS = Path(__file__).parents[1] / "seeds"
SEED = int(os.environ.get("WINNABLE_TEST_SEED", "0")) or random.randrange(10**6)
"""The seed of random tests."""


def sizes(quick=None, full=None, slow=None):
    """Parametrize a test by the number of ``deals``: more in the full tier, and WINNABLE_DEALS in the slow
    one."""
    slow = slow and int(os.environ.get("WINNABLE_DEALS", slow))
    cases = [(quick, ()), (full, pytest.mark.full), (slow, pytest.mark.slow)]
    return pytest.mark.parametrize("deals", [pytest.param(n, marks=marks) for n, marks in cases if n])


def rows_of(columns, gap=""):
    """The rows of a table with ``columns``, texts of cards; ``gap`` stands for each empty place."""
    columns = [column.split() for column in columns]
    rows = [
        [column[row] if row < len(column) else gap for column in columns]
        for row in range(max(map(len, columns)))
    ]
    return [" ".join(filter(None, row)) for row in rows]


def by_rows(state, gap=""):
    """The text of ``state``, without its seed, with its table written by rows."""
    lines = [line for line in str(state).splitlines() if not line.startswith("# seed")]
    columns = [line.removeprefix(":") for line in lines if ": " not in line]
    others = [
        [line for line in lines if ": " in line and (line[0] == "#") is first] for first in (True, False)
    ]
    return "\n".join([*others[0], *rows_of(columns, gap), *others[1]]) + "\n"


def known_deals(name, **wanted):
    """The variant and the state of each entry of a file in seeds/ that has the ``wanted`` values."""
    for line in (SEEDS / name).read_text().splitlines():
        row = json.loads(line)
        if all(row.get(key) == value for key, value in wanted.items()):
            variant = find_variant(row["game"])
            yield row, variant, read_deal(variant, line.encode(), name).state


def deals_file(folder, name, seeds, **choices):
    """A file in ``folder`` with the deals of these seeds."""
    variant, path = find_variant(name), folder / "deals.jsonl"
    deals = [deal_object(variant, variant.deal(seed, choices=choices), seed) for seed in seeds]
    path.write_text("".join(json.dumps(deal) + "\n" for deal in deals))
    return path


def state_of(game, **row):
    """The position that the fields of an entry in seeds/ describe."""
    return read_deal(find_variant(game), json.dumps({"game": game} | row).encode(), "row").state


def columns_of(text):
    """The columns of text such as ``2C AC | AD 3C``."""
    return tuple(tuple(map(parse_card, column.split())) for column in text.split("|"))


def laid_out(text, game="simple-simon"):
    """The state of the Simon family with the columns of ``text`` and a deck of their suits and ranks."""
    columns = columns_of(text)
    ranks = max(rank_of(card) for column in columns for card in column) + 1
    suits = "".join(suit for suit in "CDHS" if suit in text)
    return simon.start(game, Deck(ranks, suits, find_variant(game).copies), columns)


def states_of_play(state, length, seed, prefer=lambda moves: moves):
    """The states of a line of up to ``length`` random moves, chosen among those that ``prefer`` returns if
    any."""
    family, choice = find_variant(state.variant).family, random.Random(seed)
    yield state
    for _ in range(length):
        moves = family.legal_moves(state)
        if not moves:
            return
        state = family.apply(state, choice.choice(prefer(moves) or moves))
        yield state


def reachable(state, following=lambda state: None):
    """Every reachable state, one of each canonical form, the deepest first. If ``following`` returns a list
    for a state instead of None, only these states follow it."""
    family = find_variant(state.variant).family
    seen, waiting = {family.canonical(state)}, [state]
    while waiting:
        here = waiting.pop()
        yield here
        after = following(here)
        if after is None:
            after = [family.apply(here, move) for move in family.legal_moves(here)]
        for state in after:
            if (key := family.canonical(state)) not in seen:
                seen.add(key)
                waiting.append(state)


def wander(state, steps, seed):
    """A position up to ``steps`` random moves after ``state``."""
    *_, last = states_of_play(state, steps, seed)
    return last


def random_simon_position(choice, deck, counts, empty, steps):
    """A deck in even, random or uneven columns, with numbers of columns in ``counts`` and of empty ones in
    ``empty``, after a number of random moves in ``steps``."""
    cards = deck.cards()
    choice.shuffle(cards)
    count = choice.randint(*counts)
    columns = [[] for _ in range(count)]
    kind = choice.randrange(3)
    for i, card in enumerate(cards):
        even, one, other = i % count, choice.randrange(count), choice.randrange(count)
        columns[(even, one, min(one, other))[kind]].append(card)
    columns += [[] for _ in range(choice.choice(empty))]
    variant = "simon-jester" if deck.copies == 2 else "simple-simon"
    state = simon.start(variant, deck, tuple(map(tuple, columns)))
    for _ in range(choice.choice(steps)):
        moves = simon.legal_moves(state)
        if not moves:
            break
        state = simon.apply(state, choice.choice(moves))
    return state


KLONDIKE_CHOICES = {
    "draw": ["1", "2", "3", "3", "5"], "passes": ["unlimited", "unlimited", "1", "2", "3"],
    "worrying_back": ["yes", "no"],
}  # fmt: skip


def random_klondike_position(choice, game, shapes, steps, agreed=1.0):
    """A short deck of Klondike with redeals, or a position of its play; a share ``agreed`` of them has random
    rule options."""
    choices = {name: choice.choice(values) for name, values in KLONDIKE_CHOICES.items()}
    choices = choices if choice.random() < agreed else None
    state = find_variant(game).deal(choice.randrange(10**9), *choice.choice(shapes), choices=choices)
    return wander(state, choice.choice(steps), choice.random())
