"""Board text of fc-solve and PySolFC: its writer, and a reader of what PySolFC writes for its solver.

`text_reader` reads such boards wherever deals are read.

    Foundations: H-0 C-K D-0 S-0
    4C 2C 9C 8C QS 4S 2H 5H
    ...

One line a column, deepest card first. The foundations, in the order H C D S, hold in Simple Simon the runs
that left; they are left out while no card is up. A position that could be taken for a deal typed wrongly ends
with the line ``Position: in play``, after the columns, where fc-solve reads no more.
"""

from collections import Counter

from ...board import Board, BoardError, Slot, format_top
from ...cards import SUITS, format_card, make_card, parse_card, rank_of, suit_of
from ...variants import State, Variant
from ..text import FormatError, format_slot

_SUITS = "HCDS"


def write(variant: Variant, state: State) -> str:
    """``state`` as fc-solve writes it, with a final newline. Raises ValueError for a state of another game,
    and for what the format cannot express: jokers, a stock, short decks, two decks of which runs have left,
    and a Chessboard of which cards are up."""
    variant.check(state)
    family = variant.family
    if variant.has_stock:
        raise ValueError(f"format fc-solve: expected a game without a stock, got {variant.name}")
    if not state.deck.is_full:
        raise ValueError("format fc-solve: expected the full deck, got a short one")
    lines = [" ".join(map(format_slot, column)) for column in family.to_board(state).columns]
    up = [cards for cards in family.foundations_of(state) if cards]
    if up:
        if state.deck.copies > 1 or any(":" in (family.foundation_top(variant.name, c) or "") for c in up):
            raise ValueError(f"format fc-solve: it has no foundations such as those of {variant.name}")
        heights = {SUITS[suit_of(cards[0])]: len(cards) for cards in up}
        lines.insert(0, f"Foundations: {' '.join(f'{s}-{format_top(heights.get(s, 0))}' for s in _SUITS)}")
    mark = variant.mark(state)
    return "\n".join(line or ":" for line in [*lines, *([f"Position: {mark}"] if mark else [])]) + "\n"


Columns = list[list[int]]


def read(variant: Variant, text: str, name: str) -> tuple[State, Columns]:
    """The state that PySolFC shows its solver, and the columns as written, of which complete runs may have
    left in the state. Raises FormatError.

    A line is a column, an empty one is blank. What is on the foundations is known by the cards that are
    missing, since PySolFC names their ranks as counted from the base rank, or not at all.
    """
    columns: Columns = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.startswith(("Founds:", "Foundations:", "FC:", "Freecells:")):
            continue
        if not line.strip() and number == len(lines):
            continue
        try:
            columns.append([parse_card(token.strip("<>")) for token in line.removeprefix(":").split()])
        except ValueError as error:
            raise FormatError(name, number, f"column {len(columns) + 1}: {error}") from None
    try:
        slots = tuple(tuple(map(Slot, column)) for column in columns)
        tops = _tops(variant, columns)
        return variant.from_board(Board(variant.deck(), slots, foundations=tops)), columns
    except (BoardError, ValueError) as error:
        raise FormatError(name, 1, error) from None


def _tops(variant: Variant, columns: Columns) -> dict[str, str] | None:
    """The foundations with the cards that ``columns`` lack, or None. Raises ValueError if they cannot be."""
    deck = variant.deck()
    lacking = list(
        (Counter(deck.cards()) - Counter(card for column in columns for card in column)).elements()
    )
    if deck.copies > 1 or not lacking:
        return None
    ranks = [{rank_of(card) for card in lacking if suit_of(card) == suit} for suit in range(len(SUITS))]
    for base in range(deck.ranks):
        runs = [[(base + step) % deck.ranks for step in range(len(up))] for up in ranks]
        if [set(run) for run in runs] == ranks:
            break
    else:
        raise ValueError(f"foundations: the {len(lacking)} cards that are missing are not in sequence")
    up = [[make_card(rank, suit) for rank in run] for suit, run in enumerate(runs)]
    try:
        tops = [variant.family.foundation_top(variant.name, cards) if cards else "0" for cards in up]
    except ValueError:
        missing = " ".join(map(format_card, sorted(lacking)[:5]))
        raise ValueError(f"foundations: the missing cards {missing} do not begin with an ace") from None
    return {name: top for name, top in zip(SUITS, tops, strict=True) if top is not None} or None
