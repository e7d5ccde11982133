"""Joker and Klondike in one pass: worked positions, invariants, notation, boards."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections import Counter
from dataclasses import replace

import pytest

from winnable.rules import find_variant, joker
from winnable.rules.board import Board, BoardError, Slot
from winnable.rules.cards import (
    JOKERS,
    RANKS,
    SUITS,
    XB,
    XR,
    Deck,
    colour_of,
    is_joker,
    make_card,
    parse_card,
    parse_rank,
    rank_of,
    suits_of_colour,
)
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, STOCK, TURN, WASTE, Choices, Joker, Move, State

# Worked positions. Each [...] is a column, deepest card first, [] an empty one; "-" marks a face-down card,
# XR=7 a declared joker. W waste (last is top), S stock (first is next), F foundations as ranks, with X where
# a joker lies and "open:" for an open ace, X jokers out of play, n the score (0 if absent). "A-5" is a range.
# Moves: D1 turn; a>b:k move k cards; a>F, W>F up; a>F:S a joker as the next spade, a>F as an open ace;
# W>b from the waste; dec2:7 declare in column 2; rm2, rmW remove. "legal" is the full set at the start,
# declarations as sets of ranks. After "->" stands what changes; an illegal step changes nothing.
WORKED = """
P1 [-9D XB] [5H 4C] [2S] [2C]   # tableau joker straight up as an open ace; a deuce settles the suit
  legal rm1 1>F dec1:A3-K
  1>F -> 1[9D] F[open:XB] n=1
  3>F -> 3[] F[S:X2] n=2
  4>F illegal
P2 [2S] [2C] [-AC 9D] [TS] F[open:XB] n=1   # both deuces fit; then the other suit needs its own ace
  legal 1>F 2>F 3>4:1
  1>F -> 1[] F[S:X2] n=2
  3>4:1 -> 3[AC] 4[TS 9D]
  2>F illegal
  3>F -> 3[] F[C:A S:X2] n=3
  2>F -> 2[] F[C:A2 S:X2] n=4
P3 [2S] [7H] S[AC 9H] F[open:XB] n=1   # turned AC displaces the open ace; joker on the waste
  legal D1 1>F
  D1 -> W[XB] S[9H] F[C:A]
  1>F illegal
  D1 -> W[XB 9H] S[]
P4 [AC] [2C] [2S] [XB]   # one natural ace visible: the open ace can only be the other suit
  legal rm4 1>F 4>F dec4:A3-K
  4>F -> 4[] F[open:XB] n=1
  2>F illegal
  3>F -> 3[] F[S:X2] n=2
P5 [-KH 8S XR=7 6C] [9H] [9C] S[7D 4S]   # exchange inside a run
  legal D1 1>2:3
  D1 -> 1[-KH 8S 7D 6C] W[XR] S[4S]
  D1 -> W[XR 4S] S[]
P6 [-3C 9D] [TS] F[C:A2X4] n=4   # exchange on a foundation by a flipped card
  legal 1>2:1
  1>2:1 -> 1[XB] 2[TS 9D] F[C:A-4]
P7 [-7D 5C] [XR=7 6C] [7H] [6D]   # twin visible, so the joker is 7D; 7D flips
  legal 1>4:1 2>3:1
  1>4:1 -> 1[XR] 2[7D 6C] 4[6D 5C]
P8 [5C] [2S] [9D] W[8D XR]   # waste joker never straight to a foundation; by way of a deuce it may
  legal rmW W>1 W>2
  W>F illegal
  W>2 -> 2[2S XR=A] W[8D]
  2>F -> 2[2S] F[open:XR] n=1
P9 [8S] [9S] W[4C 7D XR]   # waste joker uncovers its own natural: exchanged at once
  legal rmW W>1 W>2
  W>1 -> 1[8S 7D] W[4C XR]
  W>2 -> 2[9S XR=8] W[4C]
  W>2 illegal
P10 [8S XR=7] [6C] [KD] S[7D 5H]   # two exchanges of one joker
  legal D1 2>1:1
  D1 -> 1[8S 7D] W[XR] S[5H]
  W>2 -> 2[6C XR=5] W[]
  D1 -> 2[6C 5H] W[XR] S[]
P11 [6S] [6C] [7D] [XB]   # barred: both black sixes visible
  legal rm4 1>3:1 2>3:1 4>F dec4:A-57-K
  4>3:1 illegal
  dec4:6 illegal
P12 [6C] [7D] [XB] [-6S 2H] F[C:A-5 S:A-5] n=10   # one six visible: the joker is the other one
  legal rm3 1>F 1>2:1 3>F:S 3>2:1 dec3:6-K
  3>F:C illegal
  3>F:S -> 3[] F[C:A-5 S:A-5X] n=11
P13 [-9H XB] [XR=9] [TS]   # removal flips a natural that the other joker stands for
  legal rm1 1>F 1>2:1 2>3:1 dec1:A-K
  rm1 -> 1[XR] 2[9H] X[XB]
P14 [9S XR=8] [KD] W[8H XB]   # removal from the waste exposes such a natural
  legal rmW W>1 W>2
  rmW -> 1[9S 8H] W[XR] X[XB]
P15 [XB=8] [9D] [5D] [-2C 3H]   # a declared joker keeps its rank and is not removable
  legal 1>2:1
  1>3:1 illegal
  rm1 illegal
  1>2:1 -> 1[] 2[9D XB=8]
P16 [] [-4H XR] [KD 5C] [KH]   # empty column: king only, barred when both red kings are visible
  legal rm2 2>F 2>3:1 3>1:2 4>1:1 dec2:A-Q
  2>1:1 illegal
P17 [-4H XR] [6C] [KS] [AS]   # card onto an undeclared joker: declare, then move
  legal rm1 1>F 1>2:1 1>3:1 4>F dec1:A-K
  dec1:7 -> 1[-4H XR=7]
  2>1:1 -> 1[-4H XR=7 6C] 2[]
P18 [-4H XR] [8S] W[7D] S[2C]   # declaring while the natural is on top of the waste
  legal D1 W>2 rm1 1>F 1>2:1 dec1:A-K
  1>2:1 -> 1[4H] 2[8S 7D] W[XR]
P19 [-4H XR] [-5H XB]   # a joker on a joker
  legal rm1 rm2 1>F 2>F dec1:A-K dec2:A-K
  dec1:9 -> 1[-4H XR=9]
  2>1:1 -> 1[-4H XR=9 XB=8] 2[5H]
P20 [XB] S[KC] F[C:A-Q S:A-K] n=25   # natural turned later replaces the joker, score unchanged
  legal D1 rm1 1>F:C dec1:K
  1>F:C -> 1[] F[C:A-QX S:A-K] n=26
  D1 -> W[XB] S[] F[C:A-K S:A-K]
P21 [-7H XR=7 6S] [8C]   # run with a joker moves, its natural flips below it
  legal 1>2:2
  1>2:2 -> 1[XR] 2[8C 7H 6S]
P22 [8S XR=7] [KH] W[7D QC]   # natural exposed again on the waste
  legal W>2
  W>2 -> 1[8S 7D] 2[KH QC] W[XR]
P23 [XR] [3D] [9C] F[D:A2 H:A2] n=4   # one suit barred by a visible natural, the other free
  legal rm1 1>F:H 1>3:1 2>F dec1:3-K
  1>F:D illegal
  1>F:H -> 1[] F[D:A2 H:A2X] n=5
P24 [-7H XR] [8S] [9D] W[7D]   # two triggers: the flip comes first
  legal W>2 rm1 1>F 1>2:1 2>3:1 dec1:A-K
  1>2:1 -> 1[XR] 2[8S 7H]
"""
POSITIONS = {block.split()[0]: block for block in re.split(r"\n(?=P)", WORKED.strip())}


def parse_ranks(text):
    """'A3-K' as a list: the ace, then 3 to king; 'X' (a joker's place) continues the count."""
    ranks = []
    for low, high in re.findall(r"(\w)(?:-(\w))?", text):
        first = len(ranks) if low == "X" else parse_rank(low)
        ranks += range(first, parse_rank(high) + 1 if high else first + 1)
    return ranks


def read_parts(line):
    """What a line says: column numbers, W, S, F, X and n, each with its text."""
    parts = {}
    for number, (name, text) in enumerate(re.findall(r"(\w*)\[(.*?)\]", line), 1):
        parts[name or str(number)] = text
    parts.update(re.findall(r"\b(n)=(\d+)", line))
    return parts


def build(parts):
    """The state that the merged parts describe."""
    jokers, columns, hidden, heights = [Joker(), Joker()], [], [], [0, 0, 0, 0]
    for name in sorted(name for name in parts if name.isdigit()):
        tokens = parts[name].split()
        hidden.append(sum(token.startswith("-") for token in tokens))
        columns.append(tuple(parse_card(token.strip("-")[:2]) for token in tokens))
        for token in tokens:
            if "=" in token:
                jokers[parse_card(token[:2]) - XB] = Joker(rank=parse_rank(token[3]))
    for token in parts.get("F", "").split():
        name, text = token.split(":")
        if name == "open":
            jokers[parse_card(text) - XB] = Joker(is_open_ace=True)
            continue
        suit, ranks = SUITS.index(name), parse_ranks(text)
        assert ranks == list(range(len(ranks)))
        heights[suit] = len(ranks)
        if "X" in text:
            rank = len(parse_ranks(text[: text.index("X")]))
            jokers[colour_of(make_card(0, suit))] = Joker(place=make_card(rank, suit))
    for token in parts.get("X", "").split():
        jokers[parse_card(token) - XB] = Joker(is_out=True)
    stock, waste = (tuple(map(parse_card, parts.get(pile, "").split())) for pile in "SW")
    return State(
        "joker",
        Deck(jokers=True),
        tuple(columns),
        tuple(hidden),
        stock,
        waste,
        tuple(heights),
        tuple(jokers),
    )


def read_moves(text):
    """The moves of one token: a move, or several declarations."""

    def place(name):
        return WASTE if name == "W" else int(name) - 1

    if text == "D1":
        return [TURN]
    if match := re.fullmatch(r"rm(\w)", text):
        return [Move(place(match[1]), OUT)]
    if match := re.fullmatch(r"dec(\d):(.+)", text):
        return [Move(place(match[1]), IN_PLACE, rank=rank) for rank in parse_ranks(match[2])]
    if match := re.fullmatch(r"(\w)>F(?::([CDHS]))?", text):
        return [Move(place(match[1]), FOUNDATION, suit=SUITS.index(match[2]) if match[2] else None)]
    match = re.fullmatch(r"(\w)>(\d)(?::(\d))?", text)
    return [Move(place(match[1]), int(match[2]) - 1, int(match[3] or 1))]


def test_the_interpreter_reads_the_notation():
    assert len(POSITIONS) == 24
    assert parse_ranks("A-57-K") == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert parse_ranks("A2X4") == [0, 1, 2, 3]
    assert parse_ranks("A-QX") == list(range(13))
    state = build(read_parts("P [-9D XB] [] [XR=7 6C] W[8D 2S] S[3H] F[C:A2X4 S:A-5]"))
    assert state.columns == ((parse_card("9D"), XB), (), (XR, parse_card("6C")))
    assert (state.hidden, state.foundations) == ((1, 0, 0), (4, 0, 0, 5))
    assert state.jokers == (Joker(place=parse_card("3C")), Joker(rank=6))
    assert read_moves("W>2") == [Move(WASTE, 1)]


@pytest.mark.parametrize("name", POSITIONS)
def test_worked_position(name):
    head, legal, *steps = (line.split("#")[0].strip() for line in POSITIONS[name].splitlines())
    parts = {"n": "0"} | read_parts(head)
    state = build(parts)
    assert joker.score(state) == int(parts["n"])
    moves = joker.legal_moves(state)
    assert set(moves) == {move for token in legal.split()[1:] for move in read_moves(token)}
    assert len(moves) == len(set(moves))
    for step in steps:
        token, _, result = step.partition(" ")
        (move,) = read_moves(token)
        if result == "illegal":
            assert move not in joker.legal_moves(state)
            with pytest.raises(ValueError, match=r"\w"):
                joker.apply(state, move)
        else:
            assert move in joker.legal_moves(state)
            parts |= read_parts(result.removeprefix("->"))
            state = joker.apply(state, move)
        assert state == build(parts)
        assert joker.score(state) == int(parts["n"])


# Random play: full decks, and short ones in which everything happens often.
SHAPES = {
    "joker": ("joker", 13, "CDHS", None, 12),
    "klondike": ("klondike-one-pass", 13, "CDHS", None, 8),
    "ranks 5": ("joker", 5, "CDHS", (1, 2, 3), 40),
    "ranks 4": ("joker", 4, "CDHS", (2, 3), 40),
    "two suits": ("joker", 5, "CH", (1, 2, 2), 40),
    "one suit": ("joker", 4, "S", (1, 0, 2), 20),
    "klondike ranks 6": ("klondike-one-pass", 6, "CDHS", (1, 2, 3, 2), 20),
}


def choose(rng, moves):
    """A random move; turning and removing are held back, so that play goes on for a while."""
    eager = [move for move in moves if move != TURN and move.target != OUT]
    return rng.choice(eager if eager and rng.random() < 0.7 else moves)


@functools.cache
def playouts(shape):
    """Random lines of play: lists of (state, moves there, move taken), the last move None."""
    variant, ranks, suits, sizes, deals = SHAPES[shape]
    lines = []
    for seed in range(deals):
        rng, line = random.Random(seed), []
        state = find_variant(variant).deal(seed, ranks, suits, sizes)
        for _ in range(120):
            moves = joker.legal_moves(state)
            line.append((state, moves, choose(rng, moves) if moves else None))
            if not moves:
                break
            state = joker.apply(state, line[-1][2])
        lines.append(line)
    return lines


def states(shape, step=1):
    """Every ``step``-th state of the play-outs with its legal moves."""
    return [(state, moves) for line in playouts(shape) for state, moves, _ in line][::step]


def naturals_up(state):
    """What is up, computed apart from the rules: face-up naturals, and all foundation places filled."""
    faces = [column[hidden:] for column, hidden in zip(state.columns, state.hidden, strict=True)]
    up = {card for face in faces for card in face if not is_joker(card)}
    return up | {make_card(rank, suit) for suit in range(4) for rank in range(state.foundations[suit])}


def stood_for(state, colour):
    condition = state.jokers[colour]
    if condition.place is not None:
        return {condition.place}
    rank = 0 if condition.is_open_ace else condition.rank
    suits = suits_of_colour(colour, state.deck.suits) if rank is not None else ()
    return {make_card(rank, suit) for suit in suits} - naturals_up(state)


def check_invariants(state):
    located = [*state.stock, *state.waste, *(card for column in state.columns for card in column)]
    face_up_ranks = []
    for column, hidden in zip(state.columns, state.hidden, strict=True):
        face = [
            (colour_of(card), state.jokers[card - XB].rank if is_joker(card) else rank_of(card))
            for card in column[hidden:]
        ]
        assert bool(column) == bool(face)
        assert len(face) <= 1 or None not in [rank for _, rank in face], "I1"
        for (colour, rank), (above, next_rank) in itertools.pairwise(face):
            assert (above, next_rank) == (1 - colour, rank - 1), "I2"
        face_up_ranks += [pair for pair in face if pair[1] is not None]
    assert all(count <= 2 for count in Counter(face_up_ranks).values()), "I6"
    elsewhere = []
    for colour, condition in enumerate(state.jokers):
        standing = stood_for(state, colour)
        filled = {condition.place} if condition.place is not None else set()
        assert not standing & (set(state.waste[-1:]) | naturals_up(state) - filled), "I3"
        if condition not in (Joker(), Joker(is_out=True)):
            assert standing, "I3: a joker with a rank or a place stands for some card"
        if filled or condition.is_open_ace or condition.is_out:
            elsewhere.append(JOKERS[colour])
    faces = {
        card for column, hidden in zip(state.columns, state.hidden, strict=True) for card in column[hidden:]
    }
    places = {condition.place for condition in state.jokers}
    assert not places & faces, "I3"
    for suit, height in enumerate(state.foundations):
        elsewhere += [card for rank in range(height) if (card := make_card(rank, suit)) not in places]
    assert sorted(located + elsewhere) == sorted(state.deck.cards()), "I4"


@pytest.mark.parametrize("shape", SHAPES)
def test_invariants_hold_along_random_play(shape):
    for line in playouts(shape):
        for state, _, _ in line:
            check_invariants(state)
        scores = [joker.score(state) for state, _, _ in line]
        assert scores == sorted(scores), "I5"


def test_random_play_reaches_every_condition_of_a_joker():
    reached = [state for shape in SHAPES for state, _ in states(shape)]
    conditions = {condition for state in reached for condition in state.jokers}
    assert {Joker(), Joker(is_open_ace=True), Joker(is_out=True)} <= conditions
    assert any(condition.rank is not None for condition in conditions)
    assert any(condition.place is not None and rank_of(condition.place) > 0 for condition in conditions)
    assert any(joker.is_won(state) for state in reached)


def test_random_play_meets_every_exchange():
    """From a column's rank, a foundation place and an open ace, by a column and by the waste."""
    met = set()
    for shape in SHAPES:
        for line in playouts(shape):
            for (state, _, move), (after, _, _) in itertools.pairwise(line):
                for condition, freed in zip(state.jokers, after.jokers, strict=True):
                    if condition not in (Joker(), freed) and freed == Joker():
                        field = (
                            "rank"
                            if condition.rank is not None
                            else "open"
                            if condition.is_open_ace
                            else "place"
                        )
                        met.add((field, "waste" if is_joker((after.waste or (0,))[-1]) else "column"))
                if move.target == IN_PLACE and state.jokers == after.jokers:
                    met.add("declared and exchanged at once")
    assert met >= set(itertools.product(("rank", "open", "place"), ("waste", "column")))
    assert "declared and exchanged at once" in met


@pytest.mark.parametrize("shape", SHAPES)
def test_boards_round_trip(shape):
    for state, _ in states(shape):
        assert joker.from_board(state.variant, joker.to_board(state)) == state


def test_boards_round_trip_where_every_card_is_visible():
    visible = [s for shape in SHAPES for s, _ in states(shape) if not any(s.hidden) and not s.stock]
    assert visible
    for state in visible:
        board = joker.to_board(state)
        assert board.foundations is not None
        assert not board.is_bracketed()


def test_an_unplayed_deal_has_a_plain_board():
    for variant in ("joker", "klondike-one-pass"):
        state = find_variant(variant).deal(3)
        board = joker.to_board(state)
        assert board.foundations is None
        assert not board.is_bracketed()
        assert joker.from_board(variant, board) == state


def test_a_position_like_a_deal_of_other_sizes_round_trips():
    state = find_variant("joker").deal(3)
    turned = replace(state, columns=state.columns[::-1], hidden=state.hidden[::-1])
    assert joker.from_board("joker", joker.to_board(turned)) == turned


@pytest.mark.parametrize("shape", SHAPES)
def test_notation_round_trips_and_is_unique(shape):
    for state, moves in states(shape):
        texts = [joker.format_move(state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert [joker.parse_move(state, text) for text in texts] == moves


def every_move(state):
    """All moves that can be written down, with one column and some cards too many."""
    columns = range(len(state.columns) + 1)
    return itertools.starmap(
        Move,
        itertools.product(
            (STOCK, WASTE, *columns),
            (STOCK, WASTE, FOUNDATION, OUT, IN_PLACE, *columns),
            range(5),
            (None, 0, 1, 2, 3),
            (None, -1, 0, 1, 4, 12),
        ),
    )


@pytest.mark.parametrize("shape", ["ranks 5", "ranks 4", "two suits", "one suit", "klondike ranks 6"])
def test_apply_raises_exactly_for_illegal_moves(shape):
    for state, moves in states(shape, step=97):
        written = set()
        for move in every_move(state):
            try:
                joker.apply(state, move)
            except ValueError:
                continue
            written.add(move)
        assert written == {m for m in moves if m.count < 5 and m.rank in (None, 0, 1, 4, 12)}


@pytest.mark.parametrize("shape", SHAPES)
def test_canonical_forgets_only_the_order_of_columns(shape):
    for state, moves in states(shape, step=29):
        turned = replace(state, columns=state.columns[::-1], hidden=state.hidden[::-1])
        assert joker.canonical(turned) == joker.canonical(state)
        after = {joker.canonical(joker.apply(state, move)) for move in moves}
        assert {joker.canonical(joker.apply(turned, move)) for move in joker.legal_moves(turned)} == after
        for move in moves:
            assert joker.canonical(joker.apply(state, move)) != joker.canonical(state) or (
                move.target >= 0 and not state.columns[move.target]  # a king from one empty place to another
            )


def test_canonical_tells_face_down_cards():
    state = find_variant("joker").deal(1)
    assert joker.canonical(replace(state, hidden=(0,) * 7)) != joker.canonical(state)


def test_a_declared_joker_goes_up_as_its_rank_only():
    state = build(read_parts("P [XB=6] F[C:A-4 S:A-5]"))
    assert joker.legal_moves(state) == [Move(0, FOUNDATION, suit=3)]
    for text in ("XB 1-fC", "XB 1-f"):
        with pytest.raises(ValueError, match="XB is declared as another rank"):
            joker.apply(state, joker.parse_move(state, text))
    up = joker.apply(state, joker.parse_move(state, "XB 1-fS"))
    assert up == build(read_parts("P [] F[C:A-4 S:A-5X]"))


def test_tiers():
    names = [joker.tier_of(score, 52) for score in (0, 14, 15, 24, 25, 51, 52)]
    assert names == ["none", "none", "win", "win", "double", "double", "triple"]
    assert joker.tier_of(16, 16) == "triple"
    assert joker.tier_of(15, 16) == "win"
    assert joker.tier_of(8, 16) == "none"


def test_a_won_state_of_a_short_deck_is_a_triple():
    won = [s for shape in SHAPES for s, _ in states(shape) if joker.score(s) == s.deck.places]
    assert won
    for state in won:
        assert joker.is_won(state)
        assert joker.tier(state) == "triple"


def test_start_turns_up_the_tops_alone():
    state = find_variant("joker").deal(1)
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert state.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert len(state.stock) == 26
    assert (state.waste, state.foundations, joker.score(state)) == ((), (0, 0, 0, 0), 0)


def test_the_last_rank_of_a_short_deck_is_its_king():
    deck = Deck(4, jokers=True)
    cards = tuple(map(parse_card, ("3D", "4C")))
    state = joker.start("joker", deck, ((), cards[:1], cards[1:]), ())
    assert Move(2, 0) in joker.legal_moves(state)
    assert Move(1, 0) not in joker.legal_moves(state)


NOTATION = build(read_parts("P [-9D XB] [-KH 8S XR=7 6C] [5H] [] W[8D 2S] S[3H 4H]"))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3H s-w", TURN),
        ("2S w-3", Move(WASTE, 2)),
        ("2S w-f", Move(WASTE, FOUNDATION)),
        ("6c 2-f", Move(1, FOUNDATION)),
        ("XR 2-4", Move(1, 3, 2)),
        ("8S 2-3", Move(1, 2, 3)),
        ("XB 1-4", Move(0, 3)),
        ("XB 1-f", Move(0, FOUNDATION)),
        ("XB 1-fS", Move(0, FOUNDATION, suit=3)),
        ("XB 1=10", Move(0, IN_PLACE, rank=9)),
        ("XB 1=A", Move(0, IN_PLACE, rank=0)),
        ("XB 1-x", Move(0, OUT)),
    ],
)
def test_parse_move(text, move):
    assert joker.parse_move(NOTATION, text) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no move"),
        ("2S", "is no move"),
        ("2S w-3 ", "is no move"),
        ("2S  w-3", "is no move"),
        ("2S w3", "is no move"),
        ("2S w-0", "is no move"),
        ("2S w-03", "is no move"),
        ("2S f-3", "is no move"),
        ("XB 1-fs", "is no move"),
        ("XB 1=", "is no move"),
        ("3H s-w\n", "is no move"),
        ("XB 1=1", "no such rank"),
        ("1S w-3", "no such rank"),
        ("4H s-w", "the stock shows 3H"),
        ("8D w-3", "the waste shows 2S"),
        ("9D 1-3", "9D does not lie face up in column 1"),
        ("7S 2-3", "7S does not lie face up in column 2"),
        ("7S 4-3", "7S does not lie face up in column 4"),
        ("7S 9-3", "no column 9"),
    ],
)
def test_parse_move_refuses(text, reason):
    with pytest.raises(ValueError, match=reason):
        joker.parse_move(NOTATION, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3H s-3", "goes to the waste"),
        ("XB 1-w", "goes to the waste"),
        ("2S w-3", "2S does not go on 5H"),
        ("2S w-4", "2S does not go to an empty column"),
        ("8S 2-2", "lies on column 2 already"),
        ("8S 2-5", "there is no column 5"),
        ("8S 2-f", "one card at a time"),
        ("6C 2-f", "6C is not next on its foundation"),
        ("6C 2-fC", "only for a joker"),
        ("6C 2-x", "no undeclared joker"),
        ("XR 2=7", "no undeclared joker"),
        ("XB 1-fC", "empty or complete"),
        ("XB 1-fH", "cannot be of that suit"),
        ("XB 1-2", "XB does not go on 6C"),
    ],
)
def test_apply_tells_why(text, reason):
    with pytest.raises(ValueError, match=reason):
        joker.apply(NOTATION, joker.parse_move(NOTATION, text))


def test_nothing_goes_on_an_ace():
    state = build(read_parts("P [-9D XB] [-KC AH] [5H] []"))
    assert joker.refusal(state, Move(0, 1)) == "XB does not go on AH"


def test_an_empty_stock_and_waste_are_named():
    state = replace(NOTATION, stock=(), waste=())
    with pytest.raises(ValueError, match="the stock is empty"):
        joker.apply(state, TURN)
    for text in ("3H s-w", "2S w-3"):
        with pytest.raises(ValueError, match="is empty"):
            joker.parse_move(state, text)


def make_board(columns, waste="", removed="", foundations=None, deck=None, stock=None):
    """A board written as the worked positions are; cards named nowhere are the stock."""
    deck = deck or Deck(jokers=True)
    slots = tuple(
        tuple(
            Slot(parse_card(t.strip("-")[:2]), t.startswith("-"), parse_rank(t[-1]) if "=" in t else None)
            for t in column.split()
        )
        for column in re.findall(r"\[(.*?)\]", columns)
    )
    piles = [tuple(map(parse_card, pile.split())) for pile in (waste, removed)]
    used = {slot.card for column in slots for slot in column} | {card for pile in piles for card in pile}
    natural_places = {parse_card(top) for top in (foundations or {}).values() if len(top) == 2}
    for name, top in (foundations or {}).items():
        if name in ("XB", "XR"):
            used.add(parse_card(name))
        elif name in SUITS and top in RANKS:
            used |= {
                make_card(rank, SUITS.index(name)) for rank in range(RANKS.index(top) + 1)
            } - natural_places
    if stock is None:
        stock = tuple(card for card in deck.cards() if card not in used)
    return Board(deck, slots, stock, *piles, foundations)


def test_a_board_with_everything_is_read():
    state = joker.from_board(
        "joker",
        make_board("[-9D XR=7 6C] [-2D 8S]", "KC KD", "", {"C": "4", "XB": "3C"}),
    )
    assert state.hidden == (1, 1, 0, 0, 0, 0, 0)
    assert state.jokers == (Joker(place=parse_card("3C")), Joker(rank=6))
    assert parse_card("3C") in state.stock
    assert state.foundations == (4, 0, 0, 0)


def test_without_marks_a_waste_makes_a_position():
    state = joker.from_board("joker", make_board("[9D 8S]", "KC"))
    assert state.hidden == (0,) * 7


BAD_BOARDS = {
    "size of a deal": (make_board("[9D] [8S]"), "column 2: 1 cards, a deal has 2"),
    "columns of a deal": (make_board("[9D] [8S 7S]"), "column 3: 0 cards, a deal has 3"),
    "too many columns": (make_board("[9D] " * 8, foundations={}), "column 8: this game has 7 columns"),
    "missing card (I4)": (make_board("[9D]", foundations={}, stock=()), "card AC is missing"),
    "doubled card (I4)": (make_board("[9D] [-9D 8S]", foundations={}), "column 2: card 9D once too often"),
    "doubled on a foundation": (
        make_board("[2C]", foundations={"C": "3"}),
        "column 1: card 2C once too often",
    ),
    "natural under a joker missing": (
        make_board(
            "[3H]", foundations={"C": "3", "XB": "3C"}, deck=Deck(3, "CH", jokers=True), stock=(53, 2, 6)
        ),
        "^card 3C is missing$",
    ),
    "joker twice": (make_board("[XB]", foundations={"XB": "A"}), "column 1: card XB once too often"),
    "removed natural": (make_board("[9D]", removed="8S"), "removed: card 8S is no joker"),
    "hidden above face up": (make_board("[9D -8S]"), "column 1: card 8S is face down above"),
    "hidden top": (make_board("[-9D -8S] [2C]"), "column 1: card 8S is the top"),
    "rank of a natural": (make_board("[9D=7]"), "column 1: card 9D: only a face-up joker"),
    "rank of a hidden joker": (make_board("[-XB=7 2C]"), "column 1: card XB: only a face-up joker"),
    "rank beyond the deck": (
        make_board("[XB=7]", deck=Deck(5, jokers=True)),
        "column 1: card XB: this deck ends at 5",
    ),
    "undeclared joker in a run (I1)": (make_board("[-9D XB 6H]"), "column 1: card XB is undeclared"),
    "undeclared joker on a card (I1)": (make_board("[2C] [9D XB]", "3C"), "column 2: card XB is undeclared"),
    "same colour (I2)": (make_board("[-2C 9D 8H]"), "column 1: card 8H cannot lie on 9D"),
    "wrong rank (I2)": (make_board("[-2C 9D 7S]"), "column 1: card 7S cannot lie on 9D"),
    "wrong rank of a joker (I2)": (make_board("[-2C 9D XB=7]"), "column 1: card XB cannot lie on 9D"),
    "on an ace (I2)": (make_board("[-2C AD KC]"), "column 1: card KC cannot lie on AD"),
    "joker for no card (I3)": (make_board("[XR=7] [7D] [7H]"), "column 1: card XR stands for no card"),
    "open ace for no card (I3)": (
        make_board("[AC] [AS]", foundations={"XB": "A"}),
        "foundations: card XB stands for no card",
    ),
    "natural on the waste (I3)": (make_board("[XR=7]", "2C 7D"), "waste: card 7D would have changed places"),
    "ace on the waste (I3)": (make_board("[2C]", "AS", "", {"XB": "A"}), "waste: card AS would have"),
    "place on the waste (I3)": (make_board("[9D]", "3C", "", {"C": "4", "XB": "3C"}), "waste: card 3C would"),
    "place face up (I3)": (
        make_board("[3C]", foundations={"C": "4", "XB": "3C"}),
        "column 1: card 3C lies face",
    ),
    "place above the top": (make_board("[9D]", foundations={"C": "2", "XB": "3C"}), "3C lies above the top"),
    "place of the other colour": (make_board("[9D]", foundations={"D": "4", "XB": "3D"}), "XB cannot be 3D"),
    "place of a joker": (make_board("[9D]", foundations={"XB": "XR"}), "XB cannot be XR"),
    "settled ace without deuce": (
        make_board("[9D]", foundations={"C": "A", "XB": "AC"}),
        "it is an open ace",
    ),
    "place that is no card": (
        make_board("[9D]", foundations={"XB": "123"}),
        "foundations: card XB as card '123'",
    ),
    "unknown foundation": (make_board("[9D]", foundations={"XX": "A"}), "foundations: 'XX': no such suit"),
    "suit beyond the deck": (
        make_board("[2C]", foundations={"H": "A"}, deck=Deck(4, "CD", jokers=True)),
        "foundations: 'H': no such suit",
    ),
    "no jokers": (make_board("[2C]", deck=Deck(4)), "joker is played with jokers"),
}


@pytest.mark.parametrize("name", BAD_BOARDS)
def test_bad_board_is_refused(name):
    board, problem = BAD_BOARDS[name]
    with pytest.raises(BoardError, match=problem):
        joker.from_board("joker", board)


def test_klondike_refuses_jokers():
    with pytest.raises(BoardError, match="without jokers"):
        joker.from_board("klondike-one-pass", make_board("[2C]"))
    for piles in ({"foundations": {"XB": "A"}}, {"foundations": {}, "removed": "XB"}, {"waste": "XB"}):
        with pytest.raises(BoardError, match=r"XB.*this deck"):
            joker.from_board("klondike-one-pass", make_board("[2C]", deck=Deck(), **piles))


def test_klondike_layout():  # KL1
    state = find_variant("klondike-one-pass").deal(5)
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert state.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert len(state.stock) == 24
    assert not set(JOKERS) & {*state.stock, *itertools.chain(*state.columns)}


def test_klondike_moves():  # KL2
    board = make_board("[-9D KS] [] [QH JS] [AH] [-5C TS 9H]", "2C TH", deck=Deck())
    state = joker.from_board("klondike-one-pass", board)
    moves = {joker.format_move(state, move) for move in joker.legal_moves(state)}
    empty = {f"KS 1-{column}" for column in (2, 6, 7)}
    assert moves == {"AC s-w", "AH 4-f", "QH 3-1", "TH w-3"} | empty
    after = joker.apply(state, joker.parse_move(state, "KS 1-2"))
    assert (after.columns[0], after.hidden[0]) == ((parse_card("9D"),), 0)


@pytest.mark.parametrize("shape", ["klondike", "klondike ranks 6"])
def test_klondike_play(shape):  # KL2: one pass, one card at a time, nothing leaves a foundation
    for line in playouts(shape):
        for (state, moves, move), (after, _, _) in itertools.pairwise(line):
            assert all(m.rank is None and m.suit is None and m.target not in (OUT, IN_PLACE) for m in moves)
            assert all(low <= high for low, high in zip(state.foundations, after.foundations, strict=True))
            assert len(state.stock) - len(after.stock) == (move == TURN)
            assert state.jokers == (Joker(), Joker())


def test_klondike_score():  # KL3
    held = make_board("[KC]", foundations={"C": "Q", "D": "K", "H": "K", "S": "K"}, deck=Deck())
    state = joker.from_board("klondike-one-pass", held)
    assert (joker.score(state), joker.tier(state), joker.is_won(state)) == (51, "double", False)
    won = joker.apply(state, joker.parse_move(state, "KC 1-f"))
    assert (joker.score(won), joker.tier(won), joker.is_won(won)) == (52, "triple", True)


def test_the_rules_have_their_headings():
    headings = ("Deck", "Layout", "Foundations", "Columns", "Jokers", "Moves", "End")
    assert [line for line in joker.__doc__.splitlines() if line in headings] == list(headings)


# --- Choices ------------------------------------------------------------------------------------------------

TURNED, ANY_REMOVAL = Choices(exchange="turned"), Choices(removal="exposed")


def play(text, choices, *moves):
    """The state of a worked position under ``choices`` after ``moves``, written as there."""
    state = replace(build(read_parts(text)), choices=choices)
    for token in moves:
        (move,) = read_moves(token)
        state = joker.apply(state, move)
    return state


def test_choices_are_named_and_checked():
    assert (Choices().exchange, Choices().removal) == ("exposed", "undeclared")
    assert Choices().changed() == {}
    assert Choices("turned", "exposed").changed() == {"exchange": "turned", "removal": "exposed"}
    with pytest.raises(ValueError, match=r"exchange 'never': exposed or turned is needed"):
        Choices(exchange="never")
    with pytest.raises(ValueError, match=r"removal 'turned': undeclared or exposed is needed"):
        Choices(removal="turned")


def test_choices_belong_to_the_game():
    variant = find_variant("joker")
    usual, state = variant.deal(1), variant.deal(1, choices=TURNED)
    assert (usual.choices, state.choices) == (Choices(), TURNED)
    assert replace(state, choices=Choices()) == usual
    assert joker.canonical(state) != joker.canonical(usual)
    assert joker.apply(state, TURN).choices == TURNED
    assert joker.from_board("joker", joker.to_board(state), TURNED) == state
    for name in ("klondike-one-pass", "chessboard"):
        with pytest.raises(ValueError, match=f"{name}"):
            find_variant(name).deal(1, choices=TURNED)
    assert find_variant("klondike-one-pass").deal(1, choices=Choices()).choices == Choices()


def test_exchange_when_turned_only():
    """P3, P5: by a turn as usual; P9, P14, P18, P22: not by what is uncovered or declared."""
    assert play(POSITIONS["P5"].splitlines()[0], TURNED, "D1") == play(
        "[-KH 8S 7D 6C] [9H] [9C] S[4S] W[XR]", TURNED
    )
    assert play("[2S] [7H] S[AC 9H] F[open:XB]", TURNED, "D1") == play("[2S] [7H] W[XB] S[9H] F[C:A]", TURNED)
    for text, move in [
        ("[8S] [9S] W[4C 7D XR]", "W>1"),
        ("[9S XR=8] [KD] W[8H XB]", "rmW"),
        ("[-4H XR] [8S] W[7D] S[2C]", "1>2:1"),
        ("[8S XR=7] [KH] W[7D QC]", "W>2"),
    ]:
        state = play(text, TURNED, move)
        assert state.waste[-1] in (parse_card("7D"), parse_card("8H"))
        assert state.waste[-1] in joker.stands_for(state, 1)
        assert state != replace(play(text, Choices(), move), choices=TURNED)


def test_flips_exchange_whatever_the_choice():
    assert play("[-7D 5C] [XR=7 6C] [7H] [6D]", TURNED, "1>4:1") == play("[XR] [7D 6C] [7H] [6D 5C]", TURNED)


def test_a_natural_passed_by_its_joker_is_played():
    state = play("[8S XR=7] [8C] [KD] W[7H 7D]", TURNED, "W>2")
    assert joker.stands_for(state, 1) == (parse_card("7H"),)
    assert joker.effective_rank(state, XR) == 6
    state = play("[8S XR=7] [8C] [6C] W[7D] F[H:A-7]", TURNED, "W>2")
    assert joker.stands_for(state, 1) == ()
    assert Move(2, 0) in joker.legal_moves(state)


def test_an_open_ace_whose_aces_both_went_up_fills_no_place():
    text = "[KD] W[AS AC] F[open:XB]"
    assert [joker.score(play(text, TURNED, *["W>F"] * n)) for n in (0, 1, 2)] == [1, 2, 2]
    assert not joker.stands_for(play(text, TURNED, "W>F", "W>F"), 0)


def test_removal_of_declared_jokers():
    """P15 with a face-down card under the joker: it is put out of play from the top of its column only."""
    state = play("[-9C XB=8] [5D] [9S XR=8 7C]", ANY_REMOVAL)
    assert Move(0, OUT) in joker.legal_moves(state)
    assert Move(2, OUT) not in joker.legal_moves(state)
    assert joker.refusal(state, Move(2, OUT, 2)) == "XR is no joker on top"
    assert joker.apply(state, Move(0, OUT)) == play("[9C] [5D] [9S XR=8 7C] X[XB]", ANY_REMOVAL)
    assert Move(0, OUT) not in joker.legal_moves(replace(state, choices=Choices()))
    assert Move(0, IN_PLACE, rank=3) not in joker.legal_moves(state)


@pytest.mark.parametrize("choices", [TURNED, ANY_REMOVAL, Choices("turned", "exposed")])
def test_boards_round_trip_under_choices(choices):
    for seed in range(25):
        rng, state = random.Random(seed), find_variant("joker").deal(seed, 4, "CDHS", (2, 3), choices=choices)
        for _ in range(60):
            assert joker.from_board("joker", joker.to_board(state), choices) == state
            moves = joker.legal_moves(state)
            if not moves:
                break
            after = joker.apply(state, choose(rng, moves))
            assert joker.score(state) <= joker.score(after) <= state.deck.places
            state = after
