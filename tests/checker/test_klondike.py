"""Certificates of Klondike with redeals: made, accepted, attacked."""

import random
from collections import Counter
from functools import partial
from itertools import islice

import pytest
from tests.checker.certificates import made, made_of_seed, refusal
from tests.deals import SEED, random_klondike_position, reachable, sizes
from tests.native import load

from winnable.checker.klondike import ALWAYS
from winnable.rules import find_variant, klondike

brute = load("klondike_brute")
GAMES = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
SHAPES = [
    (3, "CDHS", (1, 2)), (4, "CDHS", (2, 2)), (4, "CDHS", (1, 2, 3, 4)), (4, "CDHS", (3, 3, 3)),
    (5, "CDH", (1, 2, 3)), (5, "DHS", (3, 4)), (5, "CDHS", (1, 2, 3, 4)), (5, "CDHS", (1, 2, 3, 4, 5)),
    (6, "CS", (1, 2, 3)), (6, "CDH", (1, 2, 3, 4, 5)), (4, "CD", (2, 3)), (7, "CD", (2, 3, 4)),
]  # fmt: skip


def some_position(rng, game, shapes=SHAPES):
    """A deal of a short deck, or a position some moves later, by the default rules or others."""
    return random_klondike_position(rng, game, shapes, (0, 0, 0, 3, 10, 30), agreed=0.6)


def is_won_by_rules(state, most=400):
    """Decide ``state`` by brute force over the readable rules; None for too many positions."""
    states = reachable(state)
    if any(map(klondike.is_won, islice(states, most))):
        return True
    return None if next(states, None) else False


def compare_with_brute_force(tmp_path, decks, first, truth, least=0):
    """Check that positions that cannot be won have certificates and that the others have none, and that a
    certificate is refused without one of its positions, unless the position is not needed."""
    counts = Counter()
    for number in range(decks):
        rng, game = random.Random(first + number), GAMES[number % 4]
        state = some_position(rng, game)
        is_won = truth(state)
        if is_won is None:
            continue
        if is_won:
            with pytest.raises(RuntimeError, match="can be won"):
                made(state)
        else:
            text = made(state)
            assert refusal(tmp_path, text) is None, (first + number, state)
            counts["relaxed"] += any(line.endswith("*") for line in text.lines)
            counts["exact"] += any(not line.endswith("*") for line in text.lines)
            if text.lines:
                text.lines.pop(rng.randrange(len(text.lines)))
                why = refusal(tmp_path, text.count())
                assert "not listed" in why, (first + number, state)
                counts["one left out"] += 1
        counts[game, "won" if is_won else "lost"] += 1
    assert all(counts[game, end] > least for game in GAMES for end in ("won", "lost")), counts
    assert min(counts["relaxed"], counts["exact"], counts["one left out"]) > least, counts
    return counts


@pytest.mark.timeout(0)
@sizes(full=100, slow=40_000)
def test_certificates_agree_with_brute_force_by_the_rules(tmp_path, deals):
    compare_with_brute_force(tmp_path, deals, SEED, is_won_by_rules, deals // 40 - 6)


@pytest.mark.timeout(0)
@sizes(100, full=800, slow=400_000)
def test_certificates_agree_with_brute_force(tmp_path, deals):
    most_states = 1500 if deals < 1000 else 6000
    truth = partial(brute.explore, max_states=most_states)  # by compiled rules that no search uses
    compare_with_brute_force(tmp_path, deals, SEED, truth, deals // 400 - 1)


SHORT = (26, 4, "CDH", (1, 2, 3))
AGREED = {"draw": "3", "passes": "2", "worrying_back": "yes"}


def short_certificate():
    """The certificate of a short deck with limited passes: its classes are of the relaxed stock."""
    variant = find_variant("klondike")
    return made(variant.deal(*SHORT, choices=AGREED))


def attacked(told):
    """The short certificate with one more line, or with other fields of the header."""
    text = short_certificate()
    if isinstance(told, str):
        text.lines.append(told)
        return text.count()
    text.header = {name: value for name, value in (text.header | told).items() if value is not None}
    return text


DEALT = "---- r0 w sAC4D4H3CAD2H 3H AH/2C 4C2D/3D"
ATTACKS = [
    *((line, why) for why, lines in {
        "unknown reason": ["up AC: -A2- 103 f 0.0", "bound: -A2- 103 f 0.0"],
        "expected foundations, columns, stock and waste": [
            "moves: -A2- 103 f", "moves: -A2- 10 f *", "moves: -A2- 1030 f *"],
        "expected four foundations": ["moves: -A2 103 f *"],
        "rank '5': not in the deck": ["moves: 5--- 123 3f *"],
        "foundations: S: expected at most 0 cards, got 1": ["moves: ---A 123 3f *"],
        "column 3: expected what was dealt": ["moves: ---- 124 3f *"],
        "substring not found": ["moves: ---- 12/ 3f *"],
        "column 3: expected what was dealt, and no king alone": ["moves: -A2- 101 f *"],
        "expected 6 places of the stock": ["moves: ---- 123 7f *", "moves: ---- 123 -f *"],
        "not in normal form": ["moves: ---- 123 3F 0.0", "moves: ---- 123 03f 0.0", "moves: -A2- 103 b 0.00"],
        "expected the redeals where passes are limited": [
            "moves: -A2- 103 b 4", "moves: -A2- 103 b 0.-1", "moves: -A2- 103 b -1.0"],
        "expected up to 3 cards in the waste": ["moves: -A2- 103 b 0.4"],
        "and redeals that there can be": ["moves: -A2- 103 b 2.0"],
        "expected up to 0 cards in the waste": ["moves: -A2- 103 0 0.1"],
        "not in normal form|expected each card": ["moves: -A2- 103 0 1.0"],
        "expected each card in one place": [
            "moves: --A- 123 3f *", "moves: A--- 123 3f *", "moves: -3-- 123 f *"],
        "and on one that it may lie on": ["moves: ---- 000 3f *", "moves: ---- 123 0 *"],
        "it refutes the claim": ["moves: 444- 000 0 *", "moves: 444- 000 0 0.0"],
    }.items() for line in lines),
    ({"choices": AGREED | {"draw": "0"}}, "choices: draw: expected 3 or 1"),
    ({"choices": AGREED | {"passes": "0"}}, "choices: passes: expected"),
    ({"choices": AGREED | {"worrying_back": "maybe"}}, "choices: worrying_back: expected yes or no"),
    ({"choices": AGREED | {"exchange": "turned"}}, "choices: expected draw and passes"),
    ({"choices": {"draw": "3", "passes": "2"}}, "expected draw and passes and worrying_back"),
    ({"choices": None}, "choices: expected an object, got nothing"),
    ({"claim": "exact score", "value": 3, "line": []}, "claim 'exact score': expected unwinnable"),
    ({"claim": "at least", "value": 3}, "claim 'at least': expected unwinnable"),
    ({"dealt": None}, "dealt: missing"),
    ({"dealt": DEALT.replace(" r0", "")}, "expected the redeals, such as r0, got 'w'"),
    ({"dealt": DEALT.replace("r0", "r2")}, "redeals: expected 0 to 1 with 2 passes, got 2"),
    ({"dealt": DEALT.replace("r0", "r1")}, "the start is not its normal form"),
    ({"dealt": DEALT.replace("r0", "rx")}, "expected the redeals, such as r0, got 'rx'"),
    ({"dealt": DEALT.replace("r0", "r00")}, "expected the redeals, such as r0, got 'r00'"),
    ({"dealt": DEALT.replace("w sAC", "wAC s")}, "the start is not its normal form"),
    ({"dealt": DEALT.replace("AC4D", "4D")}, "missing card: AC"),
    ({"dealt": DEALT.replace("AC4D", "ACAC4D")}, "duplicate card AC"),
    ({"dealt": DEALT.replace("4C2D/3D", "4C2D3D/")}, "expected a face-up card"),
    ({"dealt": DEALT.replace("4C2D/3D", "4C/2D3D")}, "3D cannot lie on 2D"),
    ({"dealt": DEALT.replace(" 3H", "")}, "missing card: 3H"),
    ({"dealt": DEALT.replace(" 3H", "").replace(" s", " s3H")}, "expected 3 columns, empty ones"),
    ({"dealt": DEALT.replace("----", "---A")}, "foundations: S: expected at most 0 cards, got 1"),
    ({"start": "---- 123 3f *"}, "the start is not its normal form"),
    ({"start": "---- 123 3f 0.3"}, "the start is not its normal form"),
    *(({"lemmas": [*ALWAYS[:at], *ALWAYS[at + 1 :]]}, "expected the lemma") for at in range(6)),
    ({"lemmas": [*ALWAYS, "order of columns"]}, "lemma 'order of columns': not one of klondike"),
    ({"game": "klondike-one-pass"}, "lemma 'classes': not one of klondike-one-pass"),
]  # fmt: skip


@pytest.mark.parametrize(("told", "why"), ATTACKS)
def test_each_check_refuses_what_it_is_for(tmp_path, told, why):
    """Each certificate is refused by exactly one check."""
    assert any(part in str(refusal(tmp_path, attacked(told))) for part in why.split("|"))


def test_the_start_is_listed_or_settled(tmp_path):
    text = short_certificate()
    assert refusal(tmp_path, text) is None
    text.lines = []
    assert refusal(tmp_path, text.count()) == "the position of the deal is not listed"


def test_the_stock_of_a_seed_is_in_its_order(tmp_path):
    """The class of the start does not determine the order of the stock."""
    text = made_of_seed("klondike", 44)
    assert refusal(tmp_path, text) is None
    front, _, rest = text.header["dealt"].partition(" s")
    text.header["dealt"] = f"{front} s{rest[2:4]}{rest[:2]}{rest[4:]}"
    assert "not the deal of seed 44" in refusal(tmp_path, text)
