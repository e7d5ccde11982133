"""Deals of files as pieces of a batch: they are read as by the usual readers, and decided like the same
seeds."""

import random

import numpy as np
import pytest
from tests.compiled import SEARCHED, needs_kernels
from tests.deals import SEED, sizes, states_of_play
from tests.solver.batch.test_batch import gathered, same

from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deals, write_deals
from winnable.rules.formats.fresh import FreshDeals, fresh_cards, read_fresh
from winnable.rules.formats.text import Deal, FormatError
from winnable.solver import Limits, diagnostics
from winnable.solver.batch import Batch, Task, in_order
from winnable.solver.batch.chunk import CardDeals
from winnable.solver.batch.files import FileDeals
from winnable.solver.engine import find_kernel

STYLES = ("text", "jsonl")


def written(variant, deals, style):
    return "".join(write_deals(variant, deals, style, alone=False))


def dealt(name, seeds, choices=None):
    variant = find_variant(name)
    return [Deal(variant.deal(seed, choices=choices), seed) for seed in seeds]


def read_usually(variant, data):
    """Read ``data`` with the usual readers: return the states, or the message of the first error."""
    states = []
    try:
        for deal in read_deals(variant, data, "f"):
            states.append(deal.state)
            if deal.state.variant != states[0].variant:
                return "several games"
    except FormatError as error:
        return str(error)
    return states


def read_as_pieces(variant, data):
    """Read ``data`` as pieces of a batch: return the states, or the message of the first error."""
    try:
        found = FileDeals(variant, data, "f")
    except FormatError as error:
        return str(error)
    except ValueError:
        return "several games"
    numbered = [deal for piece in found.pieces for deal in piece]
    assert [number for number, _ in numbered] == list(range(1, len(numbered) + 1))
    return [state for _, state in numbered]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", VARIANTS)
def test_fresh_deals_are_read_as_cards_and_mean_the_same(name, style):
    deals = dealt(name, range(40, 70))
    data = written(find_variant(name), deals, style).encode()
    runs = list(read_fresh(None, data.decode(), "f", {}))
    assert [type(run) for run in runs] == [FreshDeals]
    assert runs[0].seeds == list(range(40, 70))
    assert read_as_pieces(None, data) == [deal.state for deal in deals] == read_usually(None, data)
    (piece,) = FileDeals(None, data, "f").pieces
    assert isinstance(piece, CardDeals)
    assert [state for _, state in piece[3:5]] == [deal.state for deal in deals[3:5]]
    assert piece[-1] == (30, deals[-1].state)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("choices", [{"draw": "1"}, {"passes": "2", "worrying_back": "no"}])
def test_the_rules_that_a_file_states_are_those_of_its_deals(style, choices):
    deals = dealt("klondike", range(1, 9), choices)
    data = written(find_variant("klondike"), deals, style).encode()
    assert read_as_pieces(None, data) == [deal.state for deal in deals]
    mixed = data + b"\n" + written(find_variant("klondike"), dealt("klondike", [3, 4]), style).encode()
    assert read_as_pieces(None, mixed) == read_usually(None, mixed)
    pieces = FileDeals(None, mixed, "f").pieces
    assert [piece.choices for piece in pieces] == [choices, {}]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["fortress", "joker", "klondike"])
def test_a_deal_that_is_not_the_one_of_its_seed_is_refused_with_its_line(name, style):
    data = written(find_variant(name), dealt(name, range(1, 9)), style)
    data = data.replace("seed: 5", "seed: 6").replace('seed": 5', 'seed": 6').encode()
    message = read_usually(None, data)
    assert "not the cards of seed 6" in message
    assert read_as_pieces(None, data) == message


def test_without_a_compiled_dealer_seeds_are_compared_all_the_same(monkeypatch):
    monkeypatch.setattr(diagnostics, "load", lambda module, name: None)
    data = written(find_variant("fortress"), dealt("fortress", range(1, 9)), "jsonl")
    assert len(read_as_pieces(None, data.encode())) == 8
    assert "not the cards of seed 6;" in read_as_pieces(None, data.replace('seed": 5', 'seed": 6').encode())


BETWEEN = (
    "\n",
    "\n\n",
    "",
    "# a comment\n",
    "\n# game: fortress\n",
    "\nVerdict: winnable\nSolution:\n  1-f\n",
    "\r\n",
)


def careless_file(chance, style):
    """A file of deals with other things that a file may have, sometimes with a damaged character."""
    name = chance.choice([*VARIANTS])
    variant, parts = find_variant(name), []
    for _ in range(chance.randrange(1, 9)):
        seed = chance.randrange(100)
        deal = Deal(variant.deal(seed), chance.choice([seed, seed, None]))
        kind = chance.randrange(12)
        if kind == 0:
            deal = Deal(variant.deal(seed, 5), seed)
        elif kind == 1:
            steps = list(states_of_play(variant.deal(seed), 9, seed))
            deal = Deal(steps[-1], seed, made=len(steps) - 1)
        text = written(variant, [deal], style)
        if kind == 2 and style == "text":
            text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
        parts += [text, chance.choice(BETWEEN) if kind in (3, 4) else "\n"]
    text = "".join(parts)
    if chance.random() < 0.4:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice('7HXR \n#:{},"') + text[at + chance.randrange(2) :]
    if chance.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return (variant if chance.random() < 0.5 else None), text.encode()


@sizes(quick=150, full=2000, slow=50_000)
def test_any_file_is_read_as_the_usual_readers_read_it(deals):
    chance = random.Random(SEED)
    refused = 0
    for _ in range(deals):
        variant, data = careless_file(chance, chance.choice(STYLES))
        usual, pieces = read_usually(variant, data), read_as_pieces(variant, data)
        # A damaged file may state a number of unknown cards, as in "Stock: 5". Batches take such tables.
        is_table = "expected all cards known" in usual
        assert pieces == usual or is_table, data.decode()
        refused += isinstance(usual, str)
    assert deals / 10 < refused < deals * 0.9


@needs_kernels
@pytest.mark.quick(3)
@pytest.mark.parametrize("name", SEARCHED)
def test_a_file_gives_the_records_of_its_seeds(name):
    limits = Limits(nodes=300)
    whole = find_kernel(find_variant(name))(limits).solve_seeds(name, 1, 24).array
    data = written(find_variant(name), dealt(name, range(1, 25)), "text").encode()
    for workers, most in ((1, 24), (2, 5)):
        run = Batch(Task(name, limits, check_every=5), FileDeals(None, data, "f").pieces, workers, most)
        assert same(gathered(in_order(run.run())), whole)


@needs_kernels
def test_a_kernel_refuses_cards_that_are_no_decks():
    kernel = find_kernel(find_variant("fortress"))(Limits())
    deck = fresh_cards(find_variant("fortress"), find_variant("fortress").deal(1))
    for cards in (deck[:-1], deck + deck, deck[:-1] + deck[:1], deck[:-1] + b"\x34", deck[:-1] + b"\xff"):
        with pytest.raises(ValueError, match=r"expected 1 decks|not in the deck, or doubled"):
            kernel.solve_seeds("fortress", 1, 1, cards=cards)
    assert np.array_equal(kernel.solve_seeds("fortress", 1, 1, cards=deck).array["verdict"], [0])


def test_the_deals_of_a_store_that_are_missing_are_pieces_in_a_row():
    data = written(find_variant("fortress"), dealt("fortress", range(1, 11)), "text").encode()
    (piece,) = FileDeals(None, data, "f").pieces
    left = piece.kept(lambda number: number not in (3, 4, 10))
    assert [(part.first, len(part)) for part in left] == [(1, 2), (5, 5)]
    assert [deal for part in left for deal in part] == [deal for deal in piece if deal[0] not in (3, 4, 10)]
