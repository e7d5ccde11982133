"""Certificates of fewest moves of chessboard and fortress: made, accepted, attacked."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.checker.certificates import check_length, claim_for, made_of_seed, proved, refusal
from tests.checker.test_chessboard import GAMES
from tests.checker.test_chessboard import SHAPES as LOST_SHAPES
from tests.deals import SEED, columns_of, sizes
from tests.native import load

from winnable.checker.chessboard import Game
from winnable.checker.chessboard_bound import bound
from winnable.rules import chessboard, find_variant
from winnable.rules.cards import RANKS, format_card

brute = load("chessboard_brute")
SHAPES = [*LOST_SHAPES[:-1], (4, "CDHS", (6, 5, 5))]
LEMMAS = ("order of columns", "chosen base", "bound", "must go up")


def game_of(state):
    return Game(claim_for(state, "fewest moves", LEMMAS, 0))


@pytest.mark.quick("fortress-35-True")
@pytest.mark.parametrize(
    ("game", "seed", "plain"),
    [("chessboard", 3, False), ("fortress", 8, False), ("fortress", 35, True), ("chessboard", 3, True)],
)
def test_shortest_lines_are_accepted(tmp_path, game, seed, plain):
    text = made_of_seed(game, seed, shortest=True, plain=plain)
    assert refusal(tmp_path, text) is None
    assert text.header["claim"] == "fewest moves"
    assert text.header["value"] == len(text.header["line"])
    assert len(text.header["lemmas"]) == (3 if plain else 4)
    assert not plain or not any(" up " in line for line in text.lines)


def compare_with_brute_force(tmp_path, decks, first):
    counts = Counter()
    for number in range(decks):
        game, shape = GAMES[number % 2], SHAPES[number // 2 % len(SHAPES)]
        variant, seed = find_variant(game), first + number
        state, plain = variant.deal(seed, *shape), number % 3 == 0
        moves = brute.explore(state)[0]
        if moves < 1:
            continue
        check_length(tmp_path, state, moves, plain=plain)
        counts[game] += 1
        assert bound(state) <= moves
        counts["bound is exact"] += bound(state) == moves
    return counts


@sizes(120, full=250, slow=20_000)
def test_certificates_agree_with_brute_force(tmp_path, deals):
    counts = compare_with_brute_force(tmp_path, deals, SEED)
    assert min(counts.values()) > 0.04 * deals, counts


def distances(state):
    """The fewest moves to a win from each reachable position, by brute force in Python; None if it cannot be
    won."""
    after, waiting = {}, [state]
    while waiting:
        here = waiting.pop()
        if here not in after:
            after[here] = [chessboard.apply(here, move) for move in chessboard.legal_moves(here)]
            waiting += after[here]
    least, level, moves = dict.fromkeys(after), {here for here in after if chessboard.is_won(here)}, 0
    while level:
        least |= dict.fromkeys(level, moves)
        moves += 1
        level = {here for here, then in after.items() if least[here] is None and not level.isdisjoint(then)}
    return least


def compare_lemmas(name, first, decks):
    """Test the lemmas on each position of short decks: a card that must go up saves a move, and the best base
    rank needs as many moves as a position without one."""
    variant, counts = find_variant(name), Counter()
    for seed in range(first, first + decks):
        state = variant.deal(seed, *SHAPES[(0, 1, 3)[seed % 3]])
        least = distances(state)
        for base in range(state.deck.ranks) if name == "chessboard" else ():
            least |= distances(replace(state, base=base))
        game = game_of(state)
        for here, moves in least.items():
            counts["positions"] += 1
            assert moves is None or bound(here) <= moves, (seed, here)
            for card in {column[-1] for column in here.columns if column}:
                try:
                    ((_, follower),) = game.named(here, f"up {format_card(card)}")
                except ValueError:
                    continue
                counts["up"] += 1
                assert moves is None or least[follower] is not None, (seed, here, card)
                assert moves is None or least[follower] < moves, (seed, here, card)
            if here.base is None:
                known = {least[follower] for _, follower in game.with_bases(here)} - {None}
                counts["bases"] += 1
                assert moves == min(known, default=None), (seed, here)
    return counts


@pytest.mark.quick("12-fortress")
@pytest.mark.parametrize("name", GAMES)
@sizes(12, slow=400)
def test_lemmas_hold_for_each_position(name, deals):
    counts = compare_lemmas(name, SEED, deals)
    assert min(counts["positions"], counts["up"]) > 100, counts
    assert name == "fortress" or counts["bases"] > 5, counts


def laid_out(name, suits, columns, base=0):
    """The state of columns such as ``3D 2D AC | AD 2C 3C``, and its check."""
    cards = columns_of(columns)
    deck = find_variant(name).deck(sum(map(len, cards)) // len(suits), suits)
    state = chessboard.State(name, deck, cards, base=base)
    return state, game_of(state)


@pytest.mark.parametrize(
    ("suits", "columns", "moves"),
    [
        ("CD", "2C AC | 2D AD", 4),
        ("CD", "AC 2C | 2D AD", 5),  # a blocker
        ("CD", "AC 2D | AD 2C |", 5),  # a deadlock of two cards
        ("CDH", "AC 2D | AD 2H | AH 2C |", 7),  # a deadlock of three cards
        ("CD", "3D 3C AD | AC 2C 2D", 7),  # a blocker may not be part of a deadlock
        ("CDHS", "AH 2D 2C | AC AD 2H | 2S AS", 9),  # two deadlocks with a card in common count once
    ],
)
def test_examples_of_the_bound(suits, columns, moves):
    state, game = laid_out("fortress", suits, columns)
    assert brute.explore(state)[0] == game.bound(state) == moves


def test_the_bound_counts_from_the_base_rank():
    state, game = laid_out("chessboard", "CD", "AC 3C 2C | AD 2D 3D", base=2)
    assert game.bound(state) == 6 + 2 + 0
    assert game.bound(replace(state, base=None)) == 6


def test_a_base_rank_may_be_chosen_whose_cards_are_covered():
    """In the deal of the manual a base rank with covered cards is best: with those of the tops it takes a
    move more."""
    state, game = laid_out("chessboard", "CD", "3D 2D AC | AD 2C 3C", base=None)
    assert brute.explore(state)[0] == 7
    moves = {move: brute.explore(each)[0] for move, each in game.with_bases(state)}
    assert moves == {f"the base rank {rank}": n for rank, n in zip(RANKS, (11, 7, 8), strict=False)}
    with pytest.raises(ValueError, match="a base rank is chosen already"):
        list(game.with_bases(replace(state, base=1)))


def small(tmp_path):
    """The certificate of a small deal, in which no base rank is chosen."""
    text = proved(find_variant("chessboard").deal(30, 4, "CDH", (4, 4, 4)), 15)
    assert text.lines[0].startswith("15 base: - ")
    assert len(text.lines) == 10
    assert refusal(tmp_path, text) is None
    return text


def damaged(text, line, other):
    """``text`` with another line in place of ``line``."""
    return text.with_lines(*[other if each == line else each for each in text.lines])


def test_numbers_are_tested(tmp_path):
    text = small(tmp_path)
    first = text.lines[0]
    assert "not listed with 15 moves" in refusal(tmp_path, damaged(text, first, "14" + first[2:]))
    for number in ("", "-7", "7.0", "9" * 5):
        assert "expected a number" in refusal(tmp_path, damaged(text, first, number + first[2:]))
    for line in text.lines[1:]:
        low = "0" + line[line.index(" ") :]
        assert "which is not listed with" in refusal(tmp_path, damaged(text, line, low))
    missing = text.with_lines(*text.lines[1:])
    assert refusal(tmp_path, missing) == "the position of the deal is not listed"
    assert "which is not listed with" in refusal(tmp_path, text.with_lines(*text.lines[:-1]))


def test_reasons_are_tested(tmp_path):
    text = small(tmp_path)
    first, second = text.lines[:2]
    for line, old, new, why in (
        (second, "moves", "base", "a base rank is chosen"),
        (first, "base", "bound", "expected a bound of"),
        (first, "base", "bases", "unknown reason"),
    ):
        assert why in refusal(tmp_path, damaged(text, line, line.replace(old, new)))
    base, *columns = second.partition(": ")[2].split(" ")
    backwards = f"1 moves: {' '.join([base, *reversed(columns)])}"
    assert "not in normal form" in refusal(tmp_path, text.with_lines(*text.lines, backwards))
    assert "it refutes the claim" in refusal(tmp_path, text.with_lines(*text.lines, "1 moves: A"))
    assert refusal(tmp_path, text.with_lines(*text.lines, "0 bound: A")) is None


@pytest.mark.quick(1)
@pytest.mark.parametrize("lemma", ["chosen base", "bound", "must go up"])
def test_a_lemma_that_the_header_does_not_name_may_not_be_used(tmp_path, lemma):
    text = made_of_seed("chessboard", 3, shortest=True)
    text.header["lemmas"].remove(lemma)
    assert f"expected the lemma '{lemma}' in the header" in refusal(tmp_path, text)


def test_the_line_must_win_in_as_many_moves(tmp_path):
    text = made_of_seed("fortress", 8, shortest=True)
    for change in ({"value": 76}, {"line": text.header["line"][:-1]}, {"line": []}):
        assert "line: it does not reach the claim" in refusal(tmp_path, text.changed(**change))
    text.header["claim"] = "unwinnable"
    assert "dealt: not part of this claim" in refusal(tmp_path, text)
