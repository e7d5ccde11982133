"""Certificates of chessboard and fortress: made, accepted, attacked."""

from collections import Counter

import pytest
from tests.checker.certificates import claim_for, made, made_of_seed, refusal
from tests.deals import SEED, columns_of, sizes
from tests.native import load

from winnable.checker.chessboard import Game
from winnable.checker.reading import LONGEST_LINE
from winnable.rules import chessboard, find_variant
from winnable.solver import solve

brute = load("chessboard_brute")
GAMES = ("chessboard", "fortress")
SHAPES = [
    (2, "CDHS", (3, 3, 2)), (3, "CD", (3, 3)), (3, "CDH", (3, 3, 3)), (4, "CD", (4, 4)), (4, "CD", (3, 3, 2)),
    (4, "CDH", (4, 4, 4)), (5, "CD", (4, 3, 3)), (5, "CD", (5, 5, 0)), (5, "CDH", (5, 5, 5)),
]  # fmt: skip


def lost_deals(game, seeds):
    variant = find_variant(game)
    for seed in seeds:
        state = variant.deal(seed)
        if solve(variant, state, shorten=0).verdict == "unwinnable":
            yield seed, state


@pytest.mark.quick("fortress-False")
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_lost_is_accepted(tmp_path, game, plain):
    seeds = range(1, 30 if game == "chessboard" else 20)
    count = 0
    for seed, state in lost_deals(game, seeds):
        text = made(state, seed=seed, plain=plain)
        assert refusal(tmp_path, text) is None
        assert text.header["lemmas"] == ["order of columns", "must go up"][: 1 if plain else 2]
        assert not plain or all(line.startswith("moves: ") for line in text.lines)
        count += 1
    assert count >= 4


@pytest.mark.parametrize("game", GAMES)
def test_a_plain_certificate_lists_what_the_other_leaves_out(game):
    for _, state in lost_deals(game, range(1, 20)):
        short, plain = (made(state, plain=plain).lines for plain in (False, True))
        assert {line.partition(": ")[2] for line in short} <= {line.partition(": ")[2] for line in plain}


def compare_with_brute_force(tmp_path, decks, first):
    """Deals that cannot be won have certificates; the others have none, and the last deal's certificate is
    refused for them."""
    counts = Counter()
    before = {}
    for number in range(decks):
        game, shape = GAMES[number % 2], SHAPES[number // 2 % len(SHAPES)]
        variant, seed = find_variant(game), first + number
        state = variant.deal(seed, *shape)
        is_lost = brute.explore(state)[0] == -1
        plain = number % 3 == 0
        if is_lost:
            text = made(state, plain=plain)
            assert refusal(tmp_path, text) is None, (game, shape, seed)
            before[game, shape] = text
        else:
            with pytest.raises(RuntimeError, match="can be won"):
                made(state, plain=plain)
            if (game, shape) in before:
                other = before[game, shape].copy()
                other.header["start"] = Game(claim_for(state)).write(state)
                assert refusal(tmp_path, other) == "the position of the deal is not listed"
                counts["neighbour"] += 1
        counts[is_lost] += 1
    return counts


@sizes(250, slow=10_000)
def test_certificates_agree_with_brute_force(tmp_path, deals):
    counts = compare_with_brute_force(tmp_path, deals, SEED)
    assert min(counts.values()) > 0.08 * deals, counts


def test_bombs_are_refused_before_they_go_off(tmp_path):
    text = made_of_seed("fortress", 1)
    text.header["positions"] = 10**19
    assert ", as in the header, got " in refusal(tmp_path, text)
    header = text.content().split(b"\n")[0]
    assert "line 2: longer than 2,047" in refusal(tmp_path, header + b"\n" + b"x" * 10_000_000)
    assert "line 1: longer than 65,535" in refusal(tmp_path, b"[" * 1_000_000)
    assert "expected a header" in refusal(tmp_path, b"[" * 60_000 + b"\n")
    assert "not a certificate" in refusal(tmp_path, b"no gzip", raw=True)
    text.header["positions"] = len(text.lines)
    text.lines[0] = "moves: " + "A" * LONGEST_LINE
    assert "line 2: longer than" in refusal(tmp_path, text)


def backwards(line):
    """A listed position with its columns in reverse order."""
    reason, _, position = line.partition(": ")
    base, *columns = position.split(" ")
    return f"{reason}: {' '.join([base, *reversed(columns)])}"


@pytest.mark.parametrize(
    ("header", "more", "why"),
    [
        ({}, lambda line: line, "the position is listed twice"),
        ({}, backwards, "not in normal form"),
        ({}, lambda _: "moves: A", "it refutes the claim"),
        ({"positions": 8}, None, "line 10: expected 8 positions, as in the header, got more"),
        ({"positions": 10}, None, "expected 10 positions, as in the header, got 9"),
        ({"seed": 2}, None, "not the deal of seed 2"),
        ({"columns": -1}, None, "expected numbers"),
        *(({"certificate": n}, None, "line 1: certificate: expected") for n in (True, "1", 2, None)),
        ({"certificate": 1.0}, None, "line 1: "),
    ],
)
def test_what_is_added_or_said_else_is_refused(tmp_path, header, more, why):
    text = made_of_seed("fortress", 1)
    if more is not None:
        text.lines.append(more(text.lines[-1]))
    text.count().header.update(header)
    assert why in refusal(tmp_path, text)


def test_what_is_left_out_or_follows_the_end_is_refused(tmp_path):
    text = made_of_seed("fortress", 1)
    assert "line 12: expected nothing after" in refusal(tmp_path, text.content() + b"x")
    text.lines.pop()
    assert ", which is not listed" in refusal(tmp_path, text.count())


@pytest.mark.parametrize(
    ("position", "reason", "why"),
    [
        ("5 6H", "up 6H", "6H cannot go up"), ("- AC", "up AC", "may begin"), ("A AC", "up AC", "may begin"),
        ("A 2C", "up 3C", "cannot go up"), ("A 2C", "up 2X", "not in the deck"),
        ("A 2C", "stay", "unknown reason"),
    ],
)  # fmt: skip
def test_side_conditions_are_tested(position, reason, why):
    base = None if position[0] == "-" else "A23456".index(position[0])
    deck = find_variant("chessboard").deck(6, "CH")
    state = chessboard.State("chessboard", deck, columns_of(position[2:]), (0, 0, 0, 0), base)
    with pytest.raises(ValueError, match=why):
        list(Game(claim_for(state, lemmas=("must go up",))).named(state, reason))


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("A 2C 2C 3C", "a card occurs twice"),
        ("A 3C AC", "the cards that are up are not the first of their suit"),
        ("A AC2C 3CAD2D 3D", "expected no base rank while no card is up"),
        ("- 2C 3CAD2D 3D", "the cards that are up are not|expected a base rank, since"),
        ("- AC2C  3CAD2D3D", "expected non-empty columns"),
    ],
)
def test_what_is_no_position_is_refused(position, why):
    state = find_variant("chessboard").deal(1, 3, "CD", (2, 2, 2))
    with pytest.raises(ValueError, match=why):
        Game(claim_for(state)).read(position)


def test_a_lemma_that_the_header_does_not_name_may_not_be_used(tmp_path):
    text = made_of_seed("fortress", 2)
    for lemma, why in (
        ("order of columns", "expected the lemma 'must go up' in the header"),
        ("must go up", "expected the lemma 'order of columns' in the header"),
        ("must come down", "not one of fortress"),
    ):
        assert why in refusal(tmp_path, text.changed(lemmas=[lemma]))


@pytest.mark.parametrize("base", ["-", "5"])
def test_fortress_begins_with_its_aces(tmp_path, base):
    """Under the rules for a position that fortress does not have, another claim would be proved."""
    text = made(find_variant("fortress").deal(2))
    text.header["start"] = base + text.header["start"][1:]
    text.lines = [line.replace(": A ", f": {base} ") for line in text.lines]
    assert "the base rank of fortress is the ace" in refusal(tmp_path, text)
