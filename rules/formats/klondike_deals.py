"""Deals of Klondike in the notations of its solvers, described in docs/formats.md: 156 digits, a number, and
boards with a talon.

A line of a text that has so many digits and nothing else is a deal; `format_digits` writes one.
"""

import re
from collections.abc import Callable, Iterator
from math import factorial

from .. import State, Variant
from ..cards import RANKS, SUITS, make_card, parse_card, rank_of, shown, suit_of

CARDS = 52
NUMBERED = ("game", "greenfelt", "lonelybot", "microsoft")
"""The fields by which a deal is named."""

_WORD = 1 << 32
_LEHMER = (1 << 31) - 1  # GreenFelt's generator multiplies modulo this
_SWAPS = 269  # of pairs, by Klondike-Solver
_SWEEPS = 7  # through the deck, by GreenFelt


def is_digits(content: str) -> bool:
    """Return whether a line of a text is meant as a deal in digits: there is nothing else that is so long."""
    return re.fullmatch("[0-9]{9,}", content) is not None


def parse_digits(text: str) -> list[int]:
    """The cards of a deal in digits, in the order of dealing. Raises ValueError for what is none."""
    if len(text) != 3 * CARDS:
        raise ValueError(f"{shown(text)}: {len(text)} digits, a deal has {3 * CARDS}, three a card")
    return [_card(text[at : at + 3], at // 3 + 1) for at in range(0, len(text), 3)]


def _card(digits: str, number: int) -> int:
    rank, suit = int(digits[:2]), int(digits[2])
    if not (1 <= rank <= len(RANKS) and 1 <= suit <= len(SUITS)):
        what = "expected 01 to 13 and 1 to 4 for C, D, H, S"
        raise ValueError(f"card {number}: {shown(digits)}: {what}")
    return make_card(rank - 1, suit - 1)


def format_digits(variant: Variant, state: State) -> str:
    """The deal ``state`` in digits, with a final newline. Raises ValueError for another game than Klondike, a
    state of another game, and short decks and positions after moves, which the format does not know."""
    variant.check(state)
    check_game(variant, "format klondike-solver")
    if not state.deck.is_full:
        raise ValueError("format klondike-solver: expected the full deck, got a short one")
    board = variant.family.to_board(state)
    if board.foundations is not None or board.is_bracketed() or board.waste or board.redeals:
        raise ValueError("format klondike-solver: expected a deal, got a position after moves")
    columns = [[slot.card for slot in column] for column in board.columns]
    rows = [column[row] for row in range(len(columns)) for column in columns[row:]]
    return "".join(f"{rank_of(c) + 1:02}{suit_of(c) + 1}" for c in (*rows, *board.stock)) + "\n"


def check_game(variant: Variant, what: str) -> None:
    """Raise ValueError unless ``variant`` deals as Klondike does; ``what`` says what was wanted."""
    if variant.jokers or variant.sizes != (1, 2, 3, 4, 5, 6, 7):
        raise ValueError(f"{what}: expected a game that deals as Klondike, got {variant.name}")


def cards_of_number(field: str, text: str) -> list[int]:
    """The cards of a deal that has a number, in the order of dealing; ``field`` is one of `NUMBERED`. Raises
    ValueError."""
    make, least, most, words = _DEALERS[field]
    if not re.fullmatch("[0-9]{1,68}", text) or not least <= int(text) <= most:
        raise ValueError(f"{field} {shown(text)}: expected a number from {least} to {words}")
    return make(int(text))


def _klondike_solver(number: int) -> list[int]:
    """So many swaps of two random places. Its suits are in the order C, D, S, H."""
    cards = [make_card(rank, SUITS.index(suit)) for suit in "CDSH" for rank in range(len(RANKS))]
    numbers = _mixed(number)
    for _ in range(_SWAPS):
        i, j = next(numbers) % CARDS, next(numbers) % CARDS
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _mixed(seed: int) -> Iterator[int]:
    """The numbers of Klondike-Solver's generator, which has three words of 32 bits."""
    words = (seed, 895213268, 51651237)
    for _ in range(50):
        words = _turned(*words)
    words = (0x9417B3AF ^ seed ^ (seed >> 15), *words[1:])
    for _ in range(950):
        words = _turned(*words)
    while True:
        words = _turned(*words)
        yield words[0] & 0x7FFFFFFF


def _turned(value: int, twist: int, mix: int) -> tuple[int, int, int]:
    other = (twist - mix) % _WORD ^ twist ^ value ^ mix
    mix ^= twist ^ value
    value ^= (twist - mix) % _WORD
    twist ^= value ^ other
    spread = (mix >> 16) | (0xFFFF0000 if mix >> 31 else 0)  # the word has a sign
    value ^= (twist << 7) % _WORD ^ spread ^ (other << 8) % _WORD
    return value, twist, mix


def _greenfelt(number: int) -> list[int]:
    """So many sweeps of swaps with a random place; dealt from the end."""
    cards = [make_card(rank, suit) for suit in range(len(SUITS)) for rank in range(len(RANKS))]
    for _ in range(_SWEEPS):
        for i in range(CARDS):
            number = number * 16807 % _LEHMER
            j = number % CARDS
            cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


def _lonelybot(number: int) -> list[int]:
    """The permutation of a number; its cards lie column by column, then the stock."""
    cards = [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in "HDCS"]
    for i in range(1, CARDS):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    rows = [column * (column + 1) // 2 + row for row in range(7) for column in range(row, 7)]
    return [cards[at] for at in rows] + cards[len(rows) :]


def _microsoft(number: int) -> list[int]:
    """The permutation of a number, from the last card down; dealt from the end."""
    cards = [make_card(rank, SUITS.index(suit)) for suit in "SHCD" for rank in range(len(RANKS))]
    for i in range(CARDS - 1, 0, -1):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


_LAST = _WORD // 2 - 1
_SHORT = 10**10  # numbers of fewer digits are those of Microsoft's older games, dealt otherwise
_DEALERS: dict[str, tuple[Callable[[int], list[int]], int, int, str]] = {
    "game": (_klondike_solver, 0, _LAST, f"{_LAST}; the name of a game stands after '# game:'"),
    "greenfelt": (_greenfelt, 1, _LAST, str(_LAST)),
    "lonelybot": (_lonelybot, 0, factorial(CARDS) - 1, "52! - 1"),
    "microsoft": (_microsoft, _SHORT, factorial(CARDS) - 1, "52! - 1; shorter ones: --pysol ms11982"),
}
"""For each of `NUMBERED` its dealer, and its least and greatest number."""


def parse_talon(text: str) -> tuple[list[int] | None, list[int]]:
    """The waste, its top last, and the stock of a talon ``waste ==> stock <==``; None and the cards of one
    that does not tell them apart. Raises ValueError."""
    match = re.fullmatch("(.*)==>(.*)<==", text)
    if match is None:
        return None, _talon(text)
    return _talon(match[1])[::-1], _talon(match[2])


def _talon(text: str) -> list[int]:
    try:
        return [parse_card(token) for token in text.split()]
    except ValueError as error:
        raise ValueError(f"talon: {error}") from None
