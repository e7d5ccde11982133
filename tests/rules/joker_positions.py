"""Positions, boards and random play for the tests of Joker; positions are written in a short notation."""

from __future__ import annotations

import functools
import random
import re

from winnable.rules import find_variant, joker
from winnable.rules.board import Board, Slot
from winnable.rules.cards import RANKS, SUITS, XB, Deck, colour_of, make_card, parse_card, parse_rank
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, TURN, WASTE, Choices, Joker, Move, State

EXPOSED, ANY_REMOVAL = Choices(exchange="exposed"), Choices(removal="exposed")

# Each [...] is a column, deepest card first, [] an empty one; "-" marks a face-down card,
# XR=7 a declared joker. W waste (last is top), S stock (first is next), F foundations as ranks, with X where
# a joker lies and "open:" for an open ace, X jokers out of play, n the score (0 if absent). "A-5" is a range.
# "exchange=exposed" or "exchange=turned" stands where the readings differ.
# Moves: D1 turn; a>b:k move k cards; a>F, W>F up; a>F:S a joker as the next spade, a>F as an open ace;
# W>b from the waste; dec2:7 declare in column 2; rm2, rmW remove. "legal" is the full set at the start,
# declarations as sets of ranks. After "->" stands what changes; an illegal step changes nothing.


def parse_ranks(text):
    """Parse ranks such as 'A3-K': the ace, then 3 to king; 'X' (a joker's place) continues the count."""
    ranks = []
    for low, high in re.findall(r"(\w)(?:-(\w))?", text):
        first = len(ranks) if low == "X" else parse_rank(low)
        ranks += range(first, parse_rank(high) + 1 if high else first + 1)
    return ranks


def read_parts(line):
    """The parts of a line: column numbers, W, S, F, X, n and exchange, each with its text."""
    parts = {}
    for number, (name, text) in enumerate(re.findall(r"(\w*)\[(.*?)\]", line), 1):
        parts[name or str(number)] = text
    parts.update(re.findall(r"\b(n|exchange)=(\w+)", line))
    return parts


def build(parts):
    """The state described by the parts of a line."""
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
        Choices(parts.get("exchange", "turned")),
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


def make_board(columns, waste="", removed="", foundations=None, deck=None, stock=None):
    """A board in the notation of the worked positions; cards that are named nowhere are the stock."""
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


# Random play: full decks, and short ones in which everything happens often.
SHAPES = {
    "joker": ("joker", 13, "CDHS", None, 6),
    "ranks 5": ("joker", 5, "CDHS", (1, 2, 3), 16), "ranks 4": ("joker", 4, "CDHS", (2, 3), 20),
    "two suits": ("joker", 5, "CH", (1, 2, 2), 20), "one suit": ("joker", 4, "S", (1, 0, 2), 20),
}  # fmt: skip
SHAPES |= {
    f"{name}, exposed": (*SHAPES[name], EXPOSED)
    for name in ("joker", "ranks 5", "ranks 4", "two suits", "one suit")
}
SHAPES |= {
    "removal": (*SHAPES["ranks 4"], ANY_REMOVAL),
    "both": (*SHAPES["ranks 4"], Choices(*["exposed"] * 2)),
}


def choose(rng, moves):
    """A random move; turns and removals are chosen less often, so that play lasts longer."""
    eager = [move for move in moves if move != TURN and move.target != OUT]
    return rng.choice(eager if eager and rng.random() < 0.7 else moves)


@functools.cache
def playouts(shape):
    """Random lines of play: lists of triples (state, legal moves, chosen move), where the last move is
    None."""
    variant, ranks, suits, sizes, deals, *choices = SHAPES[shape]
    lines = []
    for seed in range(deals):
        rng, line = random.Random(seed), []
        state = find_variant(variant).deal(seed, ranks, suits, sizes, *choices)
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
