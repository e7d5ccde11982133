"""Readers of piles in the notation of certificates: columns with face-down cards, and foundations."""

from collections.abc import Mapping

from ..rules.cards import RANKS, SUITS, Deck, format_card


def cards_of(text: str, cards: Mapping[str, int]) -> tuple[int, ...]:
    """Return the cards written in a text, two characters each; ``cards`` has the card of each name. Raises
    ValueError for two characters that are no name in ``cards``."""
    try:
        return tuple([cards[text[at : at + 2]] for at in range(0, len(text), 2)])
    except KeyError as error:
        raise ValueError(f"card {error}: not in the deck") from None


def column_of(text: str, cards: Mapping[str, int]) -> tuple[int, ...]:
    """Return the cards of a column by their names in ``cards``. Raises ValueError for an empty one, and as
    `cards_of`."""
    if not text:
        raise ValueError("expected non-empty columns, separated by one space")
    return cards_of(text, cards)


class PileReader:
    """Reads piles of ``deck``. All methods raise ValueError for malformed text."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.cards = {format_card(card): card for card in deck.cards()}

    def table(
        self, words: list[str], count: int
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return ``count`` columns, the last of them empty if ``words`` has fewer; the number of face-down
        cards of each; the stock; and the waste. ``words`` has waste, stock and columns."""
        if len(words) < 2 or words[0][:1] != "w" or words[1][:1] != "s":
            raise ValueError("expected the waste and the stock")
        if len(words) - 2 > count:
            raise ValueError(f"expected at most {count} columns, got {len(words) - 2}")
        piles = [self._pile(text) if text != "-" else ((), 0) for text in words[2:]]
        piles += [((), 0)] * (count - len(piles))
        columns, hidden = zip(*piles, strict=True)
        return columns, hidden, self.cards_in(words[1][1:]), self.cards_in(words[0][1:])

    def _pile(self, text: str) -> tuple[tuple[int, ...], int]:
        """Return the cards of a column and the number of face-down ones, which come before the slash."""
        below, slash, above = text.rpartition("/")
        if bool(below) != bool(slash) or not above:
            raise ValueError(f"column {text!r}: expected a face-up card")
        hidden = self.cards_in(below)
        return hidden + self.cards_in(above), len(hidden)

    def cards_in(self, text: str) -> tuple[int, ...]:
        """Return the cards of a text, two characters each."""
        return cards_of(text, self.cards)

    def heights(self, tops: str) -> tuple[int, ...]:
        """Return the heights of the four foundations, whose tops are given, ``-`` for an empty one."""
        if len(tops) != len(SUITS):
            raise ValueError("expected four foundations")
        heights = tuple(0 if top == "-" else self.rank(top) + 1 for top in tops)
        for suit, height in zip(SUITS, heights, strict=True):
            if height and suit not in self.deck.suits:
                raise ValueError(f"foundations: {suit}: expected at most 0 cards, got {height}")
        return heights

    def rank(self, text: str) -> int:
        """Return the rank of the deck that ``text`` names."""
        if len(text) != 1 or text not in RANKS[: self.deck.ranks]:
            raise ValueError(f"rank {text!r}: not in the deck")
        return RANKS.index(text)
