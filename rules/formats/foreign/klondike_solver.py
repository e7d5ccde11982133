"""Deals and lines of play of Klondike-Solver and pyksolve: ``Game: 5``, the number of a deal; 156 digits,
three a card; and moves such as ``DR4 W5 NEW 57-2 F5 7S``, in which DR counts draws."""

from collections.abc import Iterator

from ...cards import RANKS, SUITS, make_card, rank_of, shown, suit_of
from ...variants import State, Variant
from ..partial_board import Draft
from . import CARDS, check_game, lines
from .shuffles import LAST, WORD, by_suits, number_in

_SWAPS = 269  # number of swaps by which decks are shuffled


def read_line(text: str) -> list[int]:
    """The cards of a deal in digits, in the order of dealing. Raises ValueError."""
    if len(text) != 3 * CARDS:
        raise ValueError(f"{shown(text)}: {len(text)} digits, a deal has {3 * CARDS}, three a card")
    return [_card(text[at : at + 3], at // 3 + 1) for at in range(0, len(text), 3)]


def _card(digits: str, number: int) -> int:
    rank, suit = int(digits[:2]), int(digits[2])
    if not (1 <= rank <= len(RANKS) and 1 <= suit <= len(SUITS)):
        what = "expected 01 to 13 and 1 to 4 for C, D, H, S"
        raise ValueError(f"card {number}: {shown(digits)}: {what}")
    return make_card(rank - 1, suit - 1)


def write(variant: Variant, state: State) -> str:
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


def read_field(draft: Draft, line: int, field: str, text: str) -> None:
    """Add the deal of a number to ``draft``: `_SWAPS` swaps of two random places. Raises ValueError."""
    words = f"{LAST}; the name of a game stands after '# game:'"
    numbers, cards = _mixed(number_in(field, text, 0, LAST, words)), by_suits("CDSH")
    for _ in range(_SWAPS):
        i, j = next(numbers) % CARDS, next(numbers) % CARDS
        cards[i], cards[j] = cards[j], cards[i]
    draft.add_cards(line, field, cards)


def _mixed(seed: int) -> Iterator[int]:
    """The numbers of the program's generator, which has three words of 32 bits."""
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
    other = (twist - mix) % WORD ^ twist ^ value ^ mix
    mix ^= twist ^ value
    value ^= (twist - mix) % WORD
    twist ^= value ^ other
    spread = (mix >> 16) | (0xFFFF0000 if mix >> 31 else 0)  # the word has a sign
    value ^= (twist << 7) % WORD ^ spread ^ (other << 8) % WORD
    return value, twist, mix


class Line(lines.Line):
    """A game that is played along a line. ``turned`` is the number of the column that has just turned up a
    card, until the line's token ``F`` confirms it; else empty."""

    counts_cards = False
    turned = ""
    is_new = False  # the waste is turned over by the next draw

    def take(self, token: str) -> None:
        """Play one move. Raises ValueError with the rule that it breaks."""
        if token[0] == "F":
            if self.turned != token[1]:
                raise ValueError(f"column {token[1]} turns no card up here")
            self.turned = ""
            return
        if self.turned:
            raise ValueError(f"expected F{self.turned}, since column {self.turned} turns a card up")
        if token == "NEW":
            if self.state.stock or self.is_new:
                raise ValueError("the waste is turned over when the stock is empty")
            if not self.state.waste:
                raise ValueError("there is no waste to turn over")
            self.is_new = True
        elif token[:2] == "DR":
            self._draws(int(token[2:]))
        else:
            if self.is_new:
                raise ValueError("a draw follows NEW")
            places, _, count = token.partition("-")
            turns = self.move(places[0], places[1], int(count or 1))
            self.turned = places[0] if turns else ""

    def end(self) -> None:
        """Raise ValueError if the line lacks its last token."""
        if at := self.turned:
            raise ValueError(f"column {at} turns a card up: expected F{at} after this move")

    def _draws(self, count: int) -> None:
        if not count:
            raise ValueError("expected a draw of 1 or more")
        while count > 0:
            if not self.state.stock and not self.is_new:
                raise ValueError("the stock is empty: expected NEW, or a smaller number of draws")
            drawn = self.draw()
            if self.counts_cards and count < drawn:
                raise ValueError(f"a draw turns {drawn} cards")
            self.is_new = False
            count -= drawn if self.counts_cards else 1


def write_line(steps: list[lines.Step], counts_cards: bool = False) -> str:
    """The moves ``steps`` in this notation, with a final newline; DR counts draws or, on request, cards."""
    words: list[str] = []
    for step in steps:
        if step.source:
            words.append(f"{step.source}{step.target}" + (f"-{step.cards}" if step.cards > 1 else ""))
            words += [f"F{step.source}"] * step.turns
            continue
        words += ["NEW"] * step.is_new
        draws = int(words.pop()[2:]) if words and words[-1].startswith("DR") else 0
        words.append(f"DR{draws + (step.cards if counts_cards else 1)}")
    return " ".join(words) + "\n"
