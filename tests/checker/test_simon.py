"""Certificates of the Simon family: made, accepted, attacked."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from tests.checker.certificates import claim_for, made, refusal
from tests.checker.simon import SHAPES, by_classes, by_positions, columns_of, compare_with_brute_force
from tests.deals import SEED, sizes

from winnable.checker.simon_relaxed import Game, Relaxed, normal
from winnable.rules import find_variant, simon

LOST = {
    "simple-simon": (154, 45, 808, 1000, 96, 294, 427),
    "simon-jester": (534, 888, 259, 741, 667),
    "simon-jester-triangular": (138, 782, 734, 920),
}


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_accepted(tmp_path, name):
    variant = find_variant(name)
    for seed in LOST[name]:
        text = made(variant.deal(seed), seed=seed)
        assert refusal(tmp_path, text) is None
        del text.header["seed"]
        assert refusal(tmp_path, text) is None


def stems(*columns):
    return columns_of(" ".join(columns))


def test_the_relaxed_game_by_hand():
    three = stems("2C2D", "3D3C", "ADAC")
    assert Relaxed(3, three).open == [1, 1, 1]
    assert normal(3, stems("AD3C2CAC", "3D2D")) == stems("AD", "3D2D")
    assert normal(3, stems("3C2C", "2DAC", "AD3D")) == sorted(stems("3C", "2D", "AD3D"))
    relaxed = Relaxed(3, stems("3D", "2C", "AC3C"))
    assert relaxed.loose[1, 0] == relaxed.loose[1, 1] == 1
    assert relaxed.comes_off(1, 1)
    assert {name for name, _ in relaxed.moves(3)} == {"3D leaves", "2C onto a card"}
    game = game_of(find_variant("simple-simon").deal(1, 3, "CDH", (3, 3, 3)))
    for text in ("2C", "3C 3C", "2C 2C3C", "3C ", "3C 3D 3H 2H"):
        with pytest.raises(ValueError, match=r"card \w\w: \d in the columns|expected"):
            game.read(text)


KINDS = {"loose cards": made, "arrangements": by_classes, "positions": by_positions}
"""Makers of certificates by the lemmas that theirs have."""


@pytest.mark.quick(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", SHAPES)
@sizes(100, slow=10_000)
def test_certificates_agree_with_brute_force(tmp_path, game, kind, deals):
    counts = compare_with_brute_force(tmp_path, game, deals, SEED, KINDS[kind])
    assert min(counts[kind], counts["can be won"]) > 0.05 * deals, counts
    assert counts["accepted"] + counts["can be won"] > 0.999 * deals - 1, counts
    assert kind != "positions" or counts["positions"] == counts["accepted"], counts


def game_of(state):
    return Game(claim_for(state, lemmas=("loose cards",)))


def test_no_move_leads_out_of_what_the_relaxed_game_allows():
    """Every legal move stays within the stems or is a move of the relaxed game, perhaps with runs that
    leave."""
    rng, moved = random.Random(SEED), Counter()
    for number in range(150):
        name = ("simple-simon", "simon-jester")[number % 2]
        state = find_variant(name).deal(SEED + number, *rng.choice(SHAPES[name]))
        game = game_of(state)
        covering = normal(state.deck.ranks, game.of_state(state))
        for _ in range(12):
            moves = simon.legal_moves(state)
            if not moves or not covering:
                break
            after = simon.apply(state, rng.choice(moves))
            gone = (sum(map(len, state.columns)) - sum(map(len, after.columns))) // state.deck.ranks
            reached = {tuple(covering)}
            for ending in ("", *["leaves"] * gone):
                moves = [move for each in reached for move in game.named(list(each), "relaxed")]
                reached |= {tuple(normal(state.deck.ranks, s)) for name, s in moves if name.endswith(ending)}
            fitting = [each for each in reached if covers(state.deck.ranks, each, after)]
            assert fitting, (number, state, after)
            covering = list(rng.choice(fitting))
            state = after
            moved[gone] += 1
    assert moved[0] > 100
    assert moved[1] > 5


def covers(ranks, stems, state):
    """Test if each column is a stem with cards on it that descend by rank."""
    columns, used = [column for column in state.columns if column], list(stems)
    tops = Counter(column[-1] >> 2 for column in columns)
    is_open = not used or Relaxed(ranks, used).open == [tops[rank] for rank in range(ranks)]
    return len(columns) == len(used) and is_open and pair(columns, used)


def pair(columns, stems):
    if not columns:
        return True
    first, *others = columns
    for i, stem in enumerate(stems):
        above = first[len(stem) - 1 :]
        falls = all(a >> 2 == (b >> 2) + 1 for a, b in pairwise(above))
        if first[: len(stem)] == stem and falls and pair(others, stems[:i] + stems[i + 1 :]):
            return True
    return False
