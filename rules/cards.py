"""Cards as small integers, decks, and how both are written.

A card is ``4 * rank + suit``: rank 0 is the ace, 12 the king; suits 0 to 3 are C, D, H, S. The jokers are
``XB`` = 52 (black) and ``XR`` = 53 (red). ``UNKNOWN`` stands for an unknown card in boards and in tables
(`tables`); states whose cards are all known do not contain it.
"""

from dataclasses import dataclass
from functools import lru_cache
from operator import index

RANKS = "A23456789TJQK"
RANK_NAMES = (
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
)
SUITS = "CDHS"
BLACK, RED = 0, 1
XB, XR = 52, 53
JOKERS = (XB, XR)
UNKNOWN = 63  # UNSEEN in solver/core/player.pxd

_JOKERS = {"XB": XB, "BJ": XB, "JB": XB, "*B": XB, "XR": XR, "RJ": XR, "JR": XR, "*R": XR}
_RANKS = {"10": "T", "1": "A", "11": "J", "12": "Q", "13": "K"}  # ranks as numbers
_SUIT_COLOURS = (BLACK, RED, RED, BLACK)
_SHOWN = 24  # greatest number of characters of a bad token in an error message


def make_card(rank: int, suit: int) -> int:
    """The card of ``rank`` (0 to 12) and ``suit`` (0 to 3)."""
    return 4 * rank + suit


def rank_of(card: int) -> int:
    """The rank of a natural card, 0 (ace) to 12 (king)."""
    return card >> 2


def suit_of(card: int) -> int:
    """The suit of a natural card, 0 to 3 in the order C, D, H, S."""
    return card & 3


def is_joker(card: int) -> bool:
    """Return whether ``card`` is one of the two jokers."""
    return XB <= card <= XR


def colour_of(card: int) -> int:
    """``BLACK`` or ``RED``, of a natural card or a joker."""
    return card - XB if is_joker(card) else _SUIT_COLOURS[suit_of(card)]


def suits_of_colour(colour: int, suits: str = SUITS) -> tuple[int, ...]:
    """The suits of one colour among those named in ``suits``."""
    return tuple(s for s in range(4) if _SUIT_COLOURS[s] == colour and SUITS[s] in suits)


def shown(value: object) -> str:
    """``value`` quoted for an error message, cut to a readable length, always on one line."""
    text = str(value)
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def with_article(noun: str) -> str:
    """``noun`` with its article: ``an int``, ``a str``."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def check_whole(name: str, value: object, among: range, words: str) -> int:
    """Return ``value``, an int or another whole number such as NumPy's, as an int. Raises ValueError if it is
    something else or not in the range ``among``; the message calls it ``name`` and the range ``words``."""
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number not in among:
        raise ValueError(f"{name} {shown(value)}: expected a whole number {words}")
    return number


def format_card(card: int) -> str:
    """The two-character name of a card: ``7H``, ``TC``, ``XB``; ``??`` for `UNKNOWN`."""
    if is_joker(card):
        return "XB" if card == XB else "XR"
    if card == UNKNOWN:
        return "??"
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def parse_rank(text: str) -> int:
    """The rank named by one of ``A 2 .. 9 T J Q K``, in either case, or by a number from 1 to 13. Raises
    ValueError."""
    name = _RANKS.get(text, text.upper())
    if len(name) != 1 or name not in RANKS:
        raise ValueError(f"{shown(text)} is not a rank; write A, 2 to 9, T, J, Q or K")
    return RANKS.index(name)


def parse_suit(text: str) -> int:
    """The suit named by one of ``C D H S``, in either case. Raises ValueError for anything else."""
    if len(text) != 1 or text not in SUITS + SUITS.lower():
        raise ValueError(f"{shown(text)} is not a suit; write C, D, H or S")
    return SUITS.index(text.upper())


@lru_cache(maxsize=4096)  # files repeat few names
def parse_card(text: str) -> int:
    """The card named by a rank and a suit in either order (``7H``, ``10H``, ``th``, ``h7``, ``13H``) or
    ``XB``, ``XR``, also written as ``BJ``, ``JR`` or ``*B``. Raises ValueError naming the text, what is wrong
    with it, and what would be accepted."""
    joker = _JOKERS.get(text.upper())
    if joker is not None:
        return joker
    ordered = text
    if len(text) > 1 and text[0] in SUITS + SUITS.lower() and text[-1] not in SUITS + SUITS.lower():
        ordered = text[1:] + text[0]  # the suit comes first, as KSolve writes it
    try:
        return make_card(parse_rank(ordered[:-1]), parse_suit(ordered[-1:]))
    except ValueError:
        which = ": which one? XB is black, XR is red" if text.lower() in ("joker", "jk") else ""
        raise ValueError(f"{shown(text)} is not a card{which or '; write cards like 8D'}") from None


@dataclass(frozen=True)
class Deck:
    """The cards of a deal. With fewer than 13 ``ranks`` or 4 ``suits`` it is a *short deck*. ``ranks`` counts
    from the ace, 1 to 13; ``suits`` names some of ``CDHS`` in that order; ``copies`` is the number of decks
    shuffled together. Raises ValueError for any other value."""

    ranks: int = 13
    suits: str = SUITS
    copies: int = 1
    jokers: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", check_whole("ranks", self.ranks, range(1, 14), "from 1 to 13"))
        object.__setattr__(self, "copies", check_whole("copies", self.copies, range(1, 100), "from 1 to 99"))
        suits: object = self.suits
        if not isinstance(suits, str) or not suits or suits != "".join(s for s in SUITS if s in suits):
            raise ValueError(f"suits {shown(self.suits)}: expected some of C, D, H, S, in that order")

    @property
    def is_full(self) -> bool:
        """Return whether no rank and no suit is left out."""
        return self.ranks == 13 and self.suits == SUITS

    @property
    def places(self) -> int:
        """The number of natural cards of one copy, which is the number of foundation places."""
        return self.ranks * len(self.suits)

    def cards(self) -> list[int]:
        """All cards before the shuffle: suits C, D, H, S, each from the ace up, then the jokers."""
        return list(_cards_of(self))


@lru_cache(maxsize=64)
def _cards_of(deck: Deck) -> tuple[int, ...]:
    """The cards of ``deck`` before the shuffle."""
    suits = [SUITS.index(s) for s in deck.suits]
    one = [make_card(rank, suit) for suit in suits for rank in range(deck.ranks)]
    return (*one * deck.copies, *(JOKERS if deck.jokers else ()))
