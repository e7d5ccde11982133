"""Deals of Klondike in the notations of its solvers, described in docs/formats.md: 156 digits, numbers of
deals, and boards with a talon.

A line of a text with 156 digits and nothing else is a deal; `format_digits` writes one.
"""

import re
from collections.abc import Callable, Iterator
from math import factorial
from random import Random
from string import ascii_letters

from ..cards import RANKS, SUITS, make_card, parse_card, rank_of, shown, suit_of
from ..variants import State, Variant

CARDS = 52
NUMBERED = ("game", "greenfelt", "kpat", "lonelybot", "lonelybot_seed", "microsoft", "ran", "solvitaire")
"""The fields that name a deal by its number, one for each program and kind of number."""

_WORD = 1 << 32
_LEHMER = (1 << 31) - 1  # GreenFelt's generator multiplies modulo this
_SWAPS = 269  # number of swaps by which Klondike-Solver shuffles
_SWEEPS = 7  # number of passes through the deck by which GreenFelt shuffles


def is_packed(content: str) -> bool:
    """Test if a line of text is a deal in digits or letters: nothing else is that long."""
    return re.fullmatch("[0-9]{9,}|[a-zA-Z]{50,52}", content) is not None


def parse_packed(text: str) -> list[int]:
    """The cards of a deal in digits or letters, in the order of dealing. Raises ValueError if ``text`` is not
    such a deal."""
    if not text.isdigit():
        return _parse_letters(text)
    if len(text) != 3 * CARDS:
        raise ValueError(f"{shown(text)}: {len(text)} digits, a deal has {3 * CARDS}, three a card")
    return [_card(text[at : at + 3], at // 3 + 1) for at in range(0, len(text), 3)]


def _parse_letters(text: str) -> list[int]:
    """The cards of a deal of jurca/klondike in the order of dealing. Its notation is 51 different letters, a
    to z and A to Z; the missing letter is the last card. From the end of that list the columns are taken one
    by one, the deepest card first, then the stock."""
    missing = set(ascii_letters) - set(text)
    if len(text) != CARDS - 1 or len(missing) != 1:
        raise ValueError(f"{shown(text)}: expected {CARDS - 1} different letters, one for each card but one")
    cards = [make_card(rank, SUITS.index(suit)) for suit in "SHDC" for rank in range(len(RANKS))]
    return _by_rows([cards[ascii_letters.index(letter)] for letter in (text + missing.pop())[::-1]])


def parse_columns(text: str) -> list[int]:
    """The cards that MinimalKlondike takes, in the order of dealing: column by column, the deepest card of
    each first, then the stock, whose last card is turned first. Raises ValueError."""
    tokens = text.split()
    if len(tokens) != CARDS:
        raise ValueError(f"minimalklondike: expected {CARDS} cards, got {len(tokens)}")
    cards = [_named("minimalklondike", token) for token in tokens]
    return _by_rows(cards[:28] + cards[:27:-1])


def _card(digits: str, number: int) -> int:
    rank, suit = int(digits[:2]), int(digits[2])
    if not (1 <= rank <= len(RANKS) and 1 <= suit <= len(SUITS)):
        what = "expected 01 to 13 and 1 to 4 for C, D, H, S"
        raise ValueError(f"card {number}: {shown(digits)}: {what}")
    return make_card(rank - 1, suit - 1)


def format_digits(variant: Variant, state: State) -> str:
    """The deal ``state`` in digits, with a final newline. Raises ValueError for a game other than Klondike, a
    state of another game, a short deck and a position after moves, which the format cannot express."""
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
    """Raise ValueError unless ``variant`` deals as Klondike does; ``what`` begins the message, such as the
    format."""
    if variant.jokers or variant.sizes != (1, 2, 3, 4, 5, 6, 7):
        raise ValueError(f"{what}: expected a game that deals as Klondike, got {variant.name}")


def cards_of_number(field: str, text: str) -> list[int]:
    """The cards of a deal that has a number, in the order of dealing; ``field`` is one of `NUMBERED`. Raises
    ValueError."""
    return _DEALERS[field][0](_number(field, text))


def _number(field: str, text: str) -> int:
    _, least, most, words = _DEALERS[field]
    if not re.fullmatch("[0-9]{1,68}", text) or not least <= int(text) <= most:
        name = field.replace("_", " ")
        raise ValueError(f"{name} {shown(text)}: expected a number from {least} to {words}")
    return int(text)


def simon_of_number(field: str, text: str) -> list[list[int]]:
    """The columns of a deal of Simple Simon that has a number in KPat or Solvitaire. Raises ValueError."""
    if field not in ("kpat", "solvitaire"):
        raise ValueError(f"{field}: expected a game that deals as Klondike, got simple-simon")
    columns: list[list[int]] = [[] for _ in range(10)]
    if field == "kpat":
        order = [*(column for size in range(9, 2, -1) for column in range(size)), *range(10)]
        cards = iter(cards_of_number(field, text))
    else:
        order = [column for row in range(8) for column in range(9, row - 1, -1)]
        cards = iter(_solvitaire_deck(_number(field, text))[::-1])
    for column in order:
        columns[column].append(next(cards))
    return columns


def _klondike_solver(number: int) -> list[int]:
    """The deal ``number`` of Klondike-Solver, in the order of dealing: `_SWAPS` swaps of two random places of
    a deck with the suits in the order C, D, S, H."""
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
    """The deal ``number`` of greenfelt.net, in the order of dealing: `_SWEEPS` passes swap each place with a
    random one, and the deck is dealt from its end."""
    cards = [make_card(rank, suit) for suit in range(len(SUITS)) for rank in range(len(RANKS))]
    for _ in range(_SWEEPS):
        for i in range(CARDS):
            number = number * 16807 % _LEHMER
            j = number % CARDS
            cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


def _kpat(number: int) -> list[int]:
    """The deal ``number`` of KPat, in the order of dealing: each place from the last down is swapped with a
    random lower one or itself, by the generator of Microsoft's C library; rows and stock are dealt from the
    end of the deck."""
    cards = [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in "CDHS"]
    for i in range(CARDS, 1, -1):
        number = (number * 214013 + 2531011) % _WORD
        j = (number >> 16 & 0x7FFF) % i
        cards[i - 1], cards[j] = cards[j], cards[i - 1]
    return cards[::-1]


def _mersenne(number: int) -> Iterator[int]:
    """The words of the Mersenne twister MT19937 seeded with one word, as C++ seeds it and Python does not."""
    state = [number % _WORD]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) % _WORD)
    twister = Random()
    twister.setstate((3, (*state, 624), None))
    while True:
        yield twister.getrandbits(32)


def _ran(number: int) -> list[int]:
    """The deal ``number`` of KSolve's ``Ran``, in the order of dealing: each place is swapped with a random
    later one or itself, in a deck with the suits in the order C, D, S, H."""
    cards = [make_card(rank, SUITS.index(suit)) for suit in "CDSH" for rank in range(len(RANKS))]
    words = _mersenne(number)
    for i in range(CARDS - 2):
        left = CARDS - i
        product = next(words) * left
        while product % _WORD < _WORD % left:
            product = next(words) * left
        j = i + (product >> 32)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _solvitaire_deck(number: int) -> list[int]:
    cards = [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in "CHSD"]
    words = _mersenne(number)
    for i in range(CARDS - 1, 0, -1):
        quotient, rest = divmod(_WORD - 1, i + 1)
        size = quotient + (rest == i)
        while (j := next(words) // size) > i:
            pass
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _solvitaire(number: int) -> list[int]:
    """The deal ``number`` of Solvitaire, in the order of dealing. Solvitaire deals from the end of its deck:
    first the stock, its last card turned first, then the rows from right to left."""
    dealt = _solvitaire_deck(number)[::-1]
    stock, rows = dealt[23::-1], iter(dealt[24:])
    return [card for size in range(7, 0, -1) for card in [next(rows) for _ in range(size)][::-1]] + stock


def _lonelybot_seed(number: int) -> list[int]:
    """The deal of a seed of lonelybot's kind ``default`` (since 2025), in the order of dealing: each place is
    swapped with a random earlier one or itself. Several random numbers are taken from one word of
    xoshiro256++."""
    cards = [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in "HDCS"]
    words = _xoshiro(number)
    chunk, left = 0, 0
    for i in range(1, CARDS):
        size = i + 1
        if not left:
            bound, left = size, 1
            while bound * (size + left) < _WORD:
                bound *= size + left
                left += 1
            product = next(words) * bound
            chunk = product >> 32
            if product % _WORD > _WORD - bound:
                chunk += product % _WORD + (next(words) * bound >> 32) >= _WORD
        left -= 1
        chunk, j = divmod(chunk, size) if left else (0, chunk)
        cards[i], cards[j] = cards[j], cards[i]
    return _by_rows(cards)


def _xoshiro(seed: int) -> Iterator[int]:
    """The upper 32 bits of successive words of xoshiro256++, whose state SplitMix64 fills from ``seed``."""
    most = (1 << 64) - 1
    words = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & most
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & most
        word = (word ^ word >> 27) * 0x94D049BB133111EB & most
        words.append(word ^ word >> 31)
    a, b, c, d = words
    while True:
        total = (a + d) & most
        yield ((((total << 23 | total >> 41) & most) + a) & most) >> 32
        shifted = b << 17 & most
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << 45 | d >> 19) & most


def _by_rows(cards: list[int]) -> list[int]:
    """The cards of a deal in the order of dealing, given ``cards`` column by column and then the stock."""
    rows = [column * (column + 1) // 2 + row for row in range(7) for column in range(row, 7)]
    return [cards[at] for at in rows] + cards[len(rows) :]


def _lonelybot(number: int) -> list[int]:
    """The deal that lonelybot calls exact, in the order of dealing: the permutation with this ``number``,
    whose cards are given column by column, then the stock."""
    cards = [make_card(rank, SUITS.index(suit)) for rank in range(len(RANKS)) for suit in "HDCS"]
    for i in range(1, CARDS):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return _by_rows(cards)


def _microsoft(number: int) -> list[int]:
    """The deal with this ``number`` in the log of Microsoft's Solitaire Collection, in the order of dealing:
    the permutation with this number, dealt from its end."""
    cards = [make_card(rank, SUITS.index(suit)) for suit in "SHCD" for rank in range(len(RANKS))]
    for i in range(CARDS - 1, 0, -1):
        number, j = divmod(number, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[::-1]


_LAST = _WORD // 2 - 1
_SHORT = 10**10  # smaller numbers are those of Microsoft's older games, dealt in another way
_DEALERS: dict[str, tuple[Callable[[int], list[int]], int, int, str]] = {
    "game": (_klondike_solver, 0, _LAST, f"{_LAST}; the name of a game stands after '# game:'"),
    "greenfelt": (_greenfelt, 1, _LAST, str(_LAST)),
    "lonelybot": (_lonelybot, 0, factorial(CARDS) - 1, "52! - 1"),
    "kpat": (_kpat, 1, _LAST, str(_LAST)),
    "ran": (_ran, 0, _WORD - 1, str(_WORD - 1)),
    "solvitaire": (_solvitaire, 0, _LAST, str(_LAST)),
    "lonelybot_seed": (_lonelybot_seed, 0, (1 << 64) - 1, "2^64 - 1"),
    "microsoft": (_microsoft, _SHORT, factorial(CARDS) - 1, "52! - 1; shorter ones: PySolFC's ms11982"),
}
"""For each field of `NUMBERED` its dealer, its least and greatest number, and the latter in words."""


def parse_talon(text: str) -> tuple[list[int] | None, list[int]]:
    """The waste, its top last, and the stock of a talon such as ``waste ==> stock <==``. For a talon without
    these arrows the waste is None and the stock has all cards. Raises ValueError."""
    match = re.fullmatch("(.*)==>(.*)<==", text)
    if match is None:
        return None, _talon(text)
    return _talon(match[1])[::-1], _talon(match[2])


def _talon(text: str) -> list[int]:
    return [_named("talon", token) for token in text.split()]


def _named(place: str, token: str) -> int:
    try:
        return parse_card(token)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
