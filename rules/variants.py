"""The table of games. The module of a family is loaded when a game of it is met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .board import Board, BoardError, Position, Seen, Step, described, difference
from .cards import Deck, shown
from .choices import CHOICES, CHOICES_OF, SIZES, STATED
from .deals import lay_out, shuffled

if TYPE_CHECKING:
    from . import chessboard, joker, joker_view, klondike, simon
    from .family import Choosing, Family, Hiding, Scoring

    State = chessboard.State | simon.State | joker.State | klondike.State
    Move = chessboard.Move | simon.Move | joker.Move | klondike.Move
    View = joker_view.View | klondike.View
    Choices = joker.Choices | klondike.Choices

    # Type checkers see here whether the modules keep the contract.
    _CHESSBOARD: Family[chessboard.State, chessboard.Move] = chessboard
    _SIMON: Family[simon.State, simon.Move] = simon
    _JOKER: Family[joker.State, joker.Move] = joker
    _KLONDIKE: Family[klondike.State, klondike.Move] = klondike
    _SCORING: Scoring[joker.State] = joker
    _CHOOSING: Choosing[joker.State] = joker
    _KLONDIKE_CHOOSING: Choosing[klondike.State] = klondike
    _HIDING: Hiding[joker.State, joker.Move, joker_view.View] = joker
    _KLONDIKE_HIDING: Hiding[klondike.State, klondike.Move, klondike.View] = klondike
else:
    State, Move, View = Position, Step, Seen

_JOKERS = "; x out of play; XB 3=7: XB declared; (7S for XB): changed places, (=6): taken rank"
"""The rest of the legend of games with jokers."""


VEGAS = (5, 52)
"""What a card pays in Vegas games, and what a game costs."""


@dataclass(frozen=True)
class Variant:
    """A game under one name: its family's rules, its deck and its layout.

    ``title`` is the name that people read, with the usual rules after a comma. ``rules`` names the module of
    its family, ``sizes`` are the column sizes of the full deck. ``payout`` is what each card on the
    foundations pays, and what a game costs, where it is played for that.
    """

    name: str
    title: str
    summary: str
    rules: str
    sizes: tuple[int, ...]
    copies: int = 1
    jokers: bool = False
    payout: tuple[int, int] | None = None

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The rules that players may agree on, each with its values, the usual one first."""
        return CHOICES_OF.get(self.name, {})

    def stated_choices(self, choices: Mapping[str, str]) -> dict[str, str]:
        """``choices``, completed by the usual values of those that files always state."""
        return {name: self.choices[name][0] for name in self.stated} | dict(choices)

    @property
    def stated(self) -> tuple[str, ...]:
        """The choices that files always state, since their usual value was another in version 1."""
        return STATED if STATED[0] in self.choices else ()

    @cached_property
    def family(self) -> Family[State, Move]:
        """The module of its family: see `family`."""
        module: Any = import_module(f".{self.rules}", __package__)
        family: Family[State, Move] = module
        return family

    @property
    def description(self) -> str:
        """The rules in prose: those of its family, but for what other games have. In a section of these, a
        line with the names of games and a colon says which ones the lines after it are about."""
        sections = [f"{self.title}."]
        for section in (self.family.__doc__ or "").strip().split("\n\n")[1:]:
            heading, *lines = section.split("\n")
            kept, is_its = [heading], True
            for line in lines:
                names = line.strip().removesuffix(":").split(", ")
                if all(name in VARIANTS for name in names):
                    is_its = self.name in names
                elif is_its:
                    kept.append(line)
            sections += ["\n".join(kept)] if len(kept) > 1 else []
        return "\n\n".join(sections)

    @property
    def legend(self) -> str:
        """The explanation of the notation of its moves."""
        return self.family.LEGEND + (_JOKERS if self.jokers else "")

    def goal(self, deck: Deck | None = None) -> str:
        """The cards that a win takes, in words; of the full deck if none is given."""
        places = (deck or self.deck()).places
        if self.scoring is not None:
            from .tiers import WIN  # only games with tiers load them

            if places > WIN:
                return f"{WIN} cards"
        return f"all {places * self.copies} cards"

    @property
    def scoring(self) -> Scoring[State] | None:
        """The scoring of its family where a line of play has a score and a tier, else None. A deal is
        winnable then if it can reach any tier but ``none``."""
        offered: Scoring[State] | None = self._offering("score")
        return offered

    @property
    def choosing(self) -> Choosing[State] | None:
        """The choices of its family where players may agree on rules, else None."""
        offered: Choosing[State] | None = self._offering("choices_of")
        return offered

    @property
    def hiding(self) -> Hiding[State, Move, View] | None:
        """The views of its family where cards lie face down, else None."""
        offered: Hiding[State, Move, View] | None = self._offering("view_of")
        return offered

    def _offering(self, name: str) -> Any:
        return self.family if hasattr(self.family, name) else None

    def to_dict(self) -> dict[str, Any]:
        """The public JSON of the game."""
        return {
            "game": self.name,
            "title": self.title,
            "summary": self.summary,
            "cards": len(self.deck().cards()),
            "sizes": list(self.sizes),
            "scored": self.scoring is not None,
            "hidden": self.hiding is not None,
            "choices": {name: list(values) for name, values in self.choices.items()},
            "rules": self.description,
        }

    def title_with(self, choices: Mapping[str, str]) -> str:
        """The title under these choices: only what precedes its comma if any of them is not the usual one."""
        return self.title.partition(",")[0] if choices else self.title

    @property
    def has_stock(self) -> bool:
        """Return whether a deal leaves cards for a stock."""
        return sum(self.sizes) < len(self.deck().cards())

    def check(self, state: object, cards: bool = False) -> None:
        """Raise ValueError unless ``state`` is a state of this variant, told by its class, the name of its
        variant and its deck, that cannot be changed. With ``cards`` each card of the deck must have its
        place, too, and the board of the state must be read back as the same state, so that text and JSON
        can express it."""
        if not isinstance(state, self.family.State) or state.variant != self.name:
            of_another = " by other rules" if getattr(state, "variant", None) == self.name else ""
            raise ValueError(f"{described(state)}{of_another}: expected a state of {self.name}")
        try:
            hash(state)
        except TypeError:
            raise ValueError(f"a state of {self.name} with lists: expected tuples as its fields") from None
        deck = state.deck
        if not isinstance(deck, Deck) or (deck.copies, deck.jokers) != (self.copies, self.jokers):
            raise ValueError(f"a state with another deck than that of {self.name}")
        if cards:
            self._check_cards(state)

    def _check_cards(self, state: State) -> None:
        try:
            read = self.from_board(self.family.to_board(state), self.choices_of(state))
        except BoardError as error:
            raise ValueError(f"no state of {self.name}: {error}") from None
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):  # it holds something else
            raise ValueError(f"no state of {self.name}: its fields hold no cards") from None
        for name in self._compared:
            if problem := difference(getattr(state, name), getattr(read, name)):
                raise ValueError(f"no state of {self.name}: {name}{problem}, which no text or JSON expresses")

    @cached_property
    def _compared(self) -> list[str]:
        """The fields in which two states of the game may differ."""
        of_game = ("variant", "deck")
        return [each.name for each in fields(self.family.State) if each.compare and each.name not in of_game]

    def needs_mark(self, state: State) -> bool:
        """Return whether a written board of ``state`` must be marked as a position in play: its columns hold
        the whole full deck, in other sizes than those of a deal. Columns count in any order."""
        if self.has_stock or not state.deck.is_full:
            return False
        if sorted(map(len, state.columns)) == sorted(self.sizes):
            return False
        return not any(self.family.foundations_of(state))

    def score(self, state: State) -> int:
        """The score of ``state``; where the game has none, 1 if it is won and 0 otherwise."""
        self.check(state)
        return self.scoring.score(state) if self.scoring else int(self.family.is_won(state))

    def greatest_score(self, deck: Deck) -> int:
        """The score beyond which there is nothing."""
        return deck.places if self.scoring else 1

    def tiers(self) -> dict[str, int]:
        """The least score of each tier with the full deck, the best tier first; empty without scores."""
        least: dict[str, int] = {}
        if self.scoring:
            places = self.deck().places
            for score in range(places, -1, -1):
                least[self.scoring.tier_of(score, places)] = score
        return least

    def deck(self, ranks: int = 13, suits: str = "CDHS") -> Deck:
        """The deck of this variant, short if ``ranks`` or ``suits`` are given."""
        return Deck(ranks, suits, self.copies, self.jokers)

    def layout(self, deck: Deck) -> tuple[int, ...]:
        """The column sizes of ``deck``; for a short one the usual columns as far as the cards go, and where
        there is a stock only so many of them that its share stays about the same."""
        cards, full = len(deck.cards()), len(self.deck().cards())
        dealt = sum(self.sizes)
        if dealt == full:
            return self.sizes
        count = max(n for n in range(len(self.sizes) + 1) if sum(self.sizes[:n]) * full <= dealt * cards)
        return self.sizes[: max(1, count)]

    def deal(
        self,
        seed: int,
        ranks: int = 13,
        suits: str = "CDHS",
        sizes: Sequence[int] | None = None,
        choices: Choices | Mapping[str, str] | None = None,
    ) -> State:
        """The start position of ``seed``; see `deals` for the dealer. ``sizes`` are the column sizes of a
        short deck, by default those of `layout`; ``choices`` the rules agreed on, in games that leave a
        choice. Raises ValueError for a seed, a deck, sizes or choices that cannot be."""
        deck = self.deck(ranks, suits)
        cards = shuffled(deck, seed)
        if sizes is None:
            sizes = self.layout(deck)
        elif deck.is_full and tuple(sizes) != self.sizes:
            raise ValueError(f"sizes {shown(list(sizes))}: only a short deck has a choice")
        elif not 1 <= len(sizes) <= len(self.sizes) or min(sizes) < 0 or sum(sizes) > len(cards):
            raise ValueError(f"sizes {shown(list(sizes))}: they do not fit {len(cards)} cards of {self.name}")
        return self.start(deck, *lay_out(cards, sizes), choices)

    def start(
        self,
        deck: Deck,
        columns: tuple[tuple[int, ...], ...],
        stock: tuple[int, ...],
        choices: Choices | Mapping[str, str] | None = None,
    ) -> State:
        """The start position with these cards. Raises ValueError for choices that are none."""
        agreed = self.agreed(choices)
        if agreed is None:
            return self.family.start(self.name, deck, columns, stock)
        return self._choosing().start(self.name, deck, columns, stock, agreed)

    def from_board(self, board: Board, choices: Choices | Mapping[str, str] | None = None) -> State:
        """The state on ``board`` under the rules agreed on. Raises ValueError for choices that are none,
        BoardError for a board that is no position."""
        agreed = self.agreed(choices)
        if agreed is None:
            return self.family.from_board(self.name, board)
        return self._choosing().from_board(self.name, board, agreed)

    def choices_of(self, state: State) -> dict[str, str]:
        """The rules agreed on in the game of ``state`` that are not the usual ones, by name."""
        return self.choosing.choices_of(state) if self.choosing else {}

    def agreed(self, choices: Choices | Mapping[str, str] | None) -> Choices | None:
        """``choices`` as kernels take them; None for none. Raises ValueError for those of other games."""
        if choices is None or choices == {}:
            return None
        agreeing = self._choosing()
        agreed: Choices
        if isinstance(choices, agreeing.Choices):
            agreed = choices
            return agreed
        for name in choices if isinstance(choices, Mapping) else ():
            if name not in self.choices:
                among = " or ".join(self.choices)
                raise ValueError(f"{shown(name)}: {self.name} has no such choice; expected {among}")
        agreed = agreeing.Choices(**check_choices(choices))
        return agreed

    def _choosing(self) -> Choosing[State]:
        if self.choosing is None:
            raise ValueError(f"{self.name} leaves no choice of rules")
        return self.choosing


_WINGS = (6, 5, 5, 5, 5, 6, 5, 5, 5, 5)


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant(
            "chessboard",
            "Chessboard",
            "one deck, ten columns, build up or down in suit round the corner",
            "chessboard",
            _WINGS,
        ),
        Variant(
            "fortress",
            "Fortress",
            "one deck, ten columns, build up or down in suit, foundations from the ace",
            "chessboard",
            _WINGS,
        ),
        Variant(
            "simon-jester",
            "Simon Jester, even columns",
            "two decks, fourteen even columns, same-suit runs move, K to A runs leave",
            "simon",
            (8,) * 6 + (7,) * 8,
            copies=2,
        ),
        Variant(
            "simon-jester-triangular",
            "Simon Jester, triangular",
            "two decks, columns of 13, 13, 12, ... 1 as in PySolFC, same-suit runs move",
            "simon",
            (13, *range(13, 0, -1)),
            copies=2,
        ),
        Variant(
            "simple-simon",
            "Simple Simon",
            "one deck, ten columns of 8, 8, 8, 7, ... 1, same-suit runs move",
            "simon",
            (8, 8, *range(8, 0, -1)),
        ),
        Variant(
            "joker",
            "Joker Solitaire",
            "Klondike, one card at a time, one pass, two wild jokers; win, double, triple",
            "joker",
            SIZES,
            jokers=True,
        ),
        Variant(
            "klondike-one-pass",
            "Klondike, one pass",
            "Klondike, one card at a time, one pass, nothing back from the foundations",
            "joker",
            SIZES,
        ),
        Variant(
            "klondike",
            "Klondike, draw 3",
            "three cards at a time, any number of passes, cards may come back from the foundations",
            "klondike",
            SIZES,
        ),
        Variant(
            "klondike-draw-one",
            "Klondike, draw 1",
            "one card at a time, any number of passes, cards may come back from the foundations",
            "klondike",
            SIZES,
        ),
        Variant(
            "klondike-vegas",
            "Klondike, draw 3, three passes",
            "three cards at a time, three passes, cards may come back from the foundations",
            "klondike",
            SIZES,
            payout=VEGAS,
        ),
        Variant(
            "klondike-vegas-one",
            "Klondike, draw 1, one pass",
            "one card at a time, one pass, cards may come back from the foundations",
            "klondike",
            SIZES,
            payout=VEGAS,
        ),
    )
}


def _plain(name: str) -> str:
    """``name`` without case, spaces, hyphens and other marks, as `find_variant` compares names."""
    return "".join(filter(str.isalnum, name)).lower()


_CALLED = {_plain(name): each for each in VARIANTS.values() for name in (each.name, each.title)}


def check_choices(choices: object) -> Mapping[str, str]:
    """``choices``, words by name. Raises ValueError for anything else, and for those that no game has."""
    if not isinstance(choices, Mapping):
        raise ValueError(f"choices: expected words by name, got {shown(choices)}")
    for name, value in choices.items():
        if name not in CHOICES:
            raise ValueError(f"choice {shown(name)}: expected {' or '.join(CHOICES)}")
        if value not in CHOICES[name]:
            raise ValueError(f"{name} {shown(value)}: expected {' or '.join(CHOICES[name])}")
    return choices


def variant_of(state: object) -> Variant:
    """The variant of ``state``. Raises ValueError for what is no state of any."""
    if not isinstance(state, Position):
        raise ValueError(f"{described(state)}: expected a state")
    variant = find_variant(state.variant)
    variant.check(state)
    return variant


def check_family(state: object, family: object) -> None:
    """Raise ValueError unless ``state`` is a state of a variant with the rules of the module ``family``."""
    variant = variant_of(state)
    if variant.family is not family:
        names = " or ".join(other.name for other in VARIANTS.values() if other.family is family)
        raise ValueError(f"{described(state)}: expected a state of {names}")


def find_variant(name: str | Variant) -> Variant:
    """The variant called ``name``, or the variant given itself. A name is that of the table or a title, in
    either case, with spaces, hyphens or other marks between its words or none. Raises ValueError, naming the
    nearest ones, if there is none."""
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str):
        raise ValueError(f"game {shown(name)}: expected a name")
    found = VARIANTS.get(name) or _CALLED.get(_plain(name))
    if found is not None:
        return found
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), VARIANTS, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "see: winnable describe"
    raise ValueError(f"game {shown(name)}: no such game; {hint}")
