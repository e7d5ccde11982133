"""The second checker, in C, accepts what the first accepts and refuses what is spoilt."""

import gzip
import random

import pytest
from tests.checker import attacks, simon, simon_clauses
from tests.checker.certificates import made, refusal
from tests.second_checker.asking import accepts

from winnable.rules import find_variant
from winnable.solver import find_shortest, solve
from winnable.solver.engine import find_kernel

pytestmark = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
SEEDS = {
    "chessboard": (5, 7),
    "fortress": (1, 2, 3),
    "joker": (142, 144, 309),
    "klondike-one-pass": (638, 29, 167, 26),
    "simple-simon": (45, 96, 427),
    "simon-jester": (534, 667),
    "simon-jester-triangular": (138, 920),
}


@pytest.mark.parametrize("name", SEEDS)
def test_it_accepts_what_is_made(program, name):
    variant = find_variant(name)
    for seed in SEEDS[name]:
        state = variant.deal(seed)
        assert accepts(program, made(variant, state, solve(variant, state, shorten=0), seed=seed).content())


def test_it_accepts_plain_ones_and_games_with_choices(program):
    fortress, joker = find_variant("fortress"), find_variant("joker")
    assert accepts(program, made(fortress, fortress.deal(2), seed=2, plain=True).content())
    for choices in ({"exchange": "turned"}, {"removal": "exposed"}):
        for seed in range(40):
            state = joker.deal(seed, 3, "CDH", (3, 2), choices)
            result = solve(joker, state)
            if result.score < state.deck.places:
                assert accepts(program, made(joker, state, result).content()), (choices, seed)


def judged_alike(program, folder, texts, count, changes=attacks.CHANGES):
    """How many of so many spoilt certificates both checkers judged, alike; a header that one reads more
    strictly than the other is left out."""
    alike = 0
    for number in range(count):
        names, text = attacks.spoilt(number, texts[number % len(texts)], changes)
        if "header" in names or "character" in names:
            continue
        assert accepts(program, text.content()) == (refusal(folder, text) is None), (number, names)
        alike += 1
    return alike


CLASSES = [("simple-simon", 108), ("simon-jester", 741), ("simon-jester-triangular", 734)]


def test_both_judge_classes_alike(program, tmp_path):
    texts = [simon.by_classes(find_variant(name), find_variant(name).deal(seed)) for name, seed in CLASSES]
    assert all(accepts(program, text.content()) for text in texts)
    assert judged_alike(program, tmp_path, texts, 60) > 30


def test_both_judge_positions_alike(program, tmp_path):
    jester = find_variant("simon-jester")
    texts = [made(jester, jester.deal(seed, 3, "CD", (4, 4, 4))) for seed in (13641, 16437)]
    assert all(text.header["lemmas"] == ["order of columns"] for text in texts)
    for game in simon.SHAPES:
        texts += simon.lost(game, (), simon.by_positions)[:6]
    assert all(accepts(program, text.content()) for text in texts)
    assert judged_alike(program, tmp_path, texts, 120, [*attacks.CHANGES, simon.change_the_deal]) > 75


FEWEST = [
    ("fortress", 8, False),
    ("chessboard", 3, False),
    ("chessboard", 3, True),
    ("simple-simon", 15, False),
]


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


@pytest.mark.parametrize(("name", "seed", "enough"), BY_CLAUSES)
def test_it_accepts_lower_bounds_by_clauses(program, name, seed, enough):
    text = simon_clauses.by_clauses(find_variant(name).deal(seed), enough)
    assert accepts(program, text.content())
    text.header["value"] += 1
    assert not accepts(program, text.content())


def judged_clauses_alike(program, folder, decks, first, count):
    """How many of so many spoilt certificates by clauses both checkers judged, alike."""
    texts = [simon_clauses.by_clauses(state) for _, state, _ in simon_clauses.winnable_decks(first, decks)]
    assert all(accepts(program, text.content()) for text in texts)
    alike = 0
    for number in range(first, first + count):
        names, text = simon_clauses.spoilt(number, texts[number % len(texts)])
        if not {"header", "character", "claim"} & set(names.replace("+", "_").split("_")):
            assert accepts(program, text.content()) == (refusal(folder, text) is None), (number, names)
            alike += 1
    return alike


def test_both_judge_clauses_alike(program, tmp_path):
    assert judged_clauses_alike(program, tmp_path, 30, 0, 150) > 75


def short_decks(first):
    """Certificates of fewest moves of short decks."""
    for seed in range(first, first + 40):
        variant = find_variant(("fortress", "chessboard", "simple-simon")[seed % 3])
        sizes = (4, 4, 4) if seed % 3 < 2 else (4, 4, 4, 4)
        state = variant.deal(seed, 4, "CDHS"[: len(sizes)], sizes)
        result = find_shortest(variant, state)
        if result.shortest:
            yield made(variant, state, result, shortest=True)


def test_both_judge_spoilt_numbers_of_moves_alike(program, tmp_path):
    texts = list(short_decks(0))
    assert len(texts) > 20
    assert judged_alike(program, tmp_path, texts, 200, attacks.CHANGES_OF_NUMBERS) > 100


def test_both_judge_spoilt_ones_alike(program, tmp_path):
    texts = []
    for name, seeds in SEEDS.items():
        variant = find_variant(name)
        state = variant.deal(seeds[0])
        texts.append(made(variant, state, solve(variant, state, shorten=0), seed=seeds[0]))
    assert judged_alike(program, tmp_path, texts, 150) > 75


def test_it_refuses_damaged_content(program):
    variant = find_variant("fortress")
    content = made(variant, variant.deal(2), seed=2).content()
    for number in range(30):
        assert not accepts(program, attacks.truncated(random.Random(number), content))
    assert not accepts(program, content + b"end\n")
    assert not accepts(program, gzip.compress(content))
