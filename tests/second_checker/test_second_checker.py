"""The second checker, in C, accepts what the first accepts and refuses damaged certificates."""

import gzip
import random

import pytest
from tests.checker import simon_clauses
from tests.checker.certificates import made
from tests.checker.test_klondike import ATTACKS, attack
from tests.compiled import needs_kernels
from tests.second_checker.asking import accepts

from winnable.rules import find_variant
from winnable.solver import find_shortest, solve

pytestmark = needs_kernels
SEEDS = {
    "chessboard": (5, 7), "fortress": (1, 2, 3), "joker": (142, 144, 309),
    "klondike-one-pass": (638, 29, 167, 26), "simple-simon": (45, 96, 427), "simon-jester": (534, 667),
    "simon-jester-triangular": (138, 920), "klondike": (60, 44), "klondike-draw-one": (223,),
    "klondike-vegas": (56, 83), "klondike-vegas-one": (10,),
}  # fmt: skip


@pytest.mark.parametrize(("name", "exchange"), [*((name, None) for name in SEEDS), ("joker", "exposed")])
def test_it_accepts_what_is_made(program, name, exchange):
    variant = find_variant(name)
    for seed in SEEDS[name]:
        state = variant.deal(seed, choices={"exchange": exchange} if exchange else None)
        assert accepts(program, made(variant, state, solve(variant, state, shorten=0), seed=seed).content())


def test_it_accepts_plain_ones_and_games_with_choices(program):
    fortress, joker = find_variant("fortress"), find_variant("joker")
    assert accepts(program, made(fortress, fortress.deal(2), seed=2, plain=True).content())
    for choices in (
        {"exchange": "exposed"},
        {"removal": "exposed"},
        {"exchange": "exposed", "removal": "exposed"},
    ):
        for seed in range(40):
            state = joker.deal(seed, 3, "CDH", (3, 2), choices)
            result = solve(joker, state)
            if result.score < state.deck.places:
                assert accepts(program, made(joker, state, result).content()), (choices, seed)


FEWEST = [
    ("fortress", 8, False),
    ("chessboard", 3, False),
    ("chessboard", 3, True),
    ("simple-simon", 15, False),
]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("name", "seed", "plain"), FEWEST)
def test_it_accepts_fewest_moves(program, name, seed, plain):
    variant = find_variant(name)
    state = variant.deal(seed)
    result = find_shortest(variant, state)
    text = made(variant, state, result, seed=seed, plain=plain, shortest=True)
    assert accepts(program, text.content())
    text.header |= {"claim": "at least"}
    del text.header["line"]
    if variant.rules != "simon":
        del text.header["dealt"]
    assert accepts(program, text.content())
    text.header["value"] += 1
    assert not accepts(program, text.content())


BY_CLAUSES = [("simple-simon", 2, 100), ("simple-simon", 4, 100), ("simon-jester", 1, 100)]


@pytest.mark.quick("simon-jester-1-100", "simple-simon-4-100")
@pytest.mark.parametrize(("name", "seed", "enough"), BY_CLAUSES)
def test_it_accepts_lower_bounds_by_clauses(program, name, seed, enough):
    text = simon_clauses.by_clauses(find_variant(name).deal(seed), enough)
    assert accepts(program, text.content())
    text.header["value"] += 1
    assert not accepts(program, text.content())


@pytest.mark.parametrize(("make", "told", "why"), ATTACKS)
def test_it_refuses_attacks_on_klondike(program, make, told, why):
    assert not accepts(program, attack(make, told).content())


def test_it_refuses_damaged_content(program):
    variant = find_variant("fortress")
    content = made(variant, variant.deal(2), seed=2).content()
    for number in range(30):
        assert not accepts(program, content[: random.Random(number).randrange(len(content))])
    assert not accepts(program, content + b"end\n")
    assert not accepts(program, gzip.compress(content))
