"""The table of games. The module of a family is imported when one of its games is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from .board import Board, BoardError, Position, Step, described, difference, has_unknown, with_seed
from .cards import Deck, shown
from .choices import CHOICES, CHOICES_OF, SIZES, Implemented, not_implemented
from .deals import BY_COLUMNS, IN_PLAY, lay_out, may_be_rows, shuffled

if TYPE_CHECKING:
    from . import answers, chessboard, joker, klondike, simon
    from .family import Building, Choosing, Family, Hiding, Scoring

    State = chessboard.State | simon.State | joker.State | klondike.State
    Move = chessboard.Move | simon.Move | joker.Move | klondike.Move
    Choices = joker.Choices | klondike.Choices

    # Type checkers verify here that the modules implement the contract.
    _CHESSBOARD: Family[chessboard.State, chessboard.Move] = chessboard
    _SIMON: Family[simon.State, simon.Move] = simon
    _JOKER: Family[joker.State, joker.Move] = joker
    _KLONDIKE: Family[klondike.State, klondike.Move] = klondike
    _SCORING: Scoring[joker.State] = joker
    _KLONDIKE_SCORING: Scoring[klondike.State] = klondike
    _CHOOSING: Choosing[joker.State] = joker
    _KLONDIKE_CHOOSING: Choosing[klondike.State] = klondike
    _CHESSBOARD_BUILDING: Building[chessboard.State] = chessboard
    _SIMON_BUILDING: Building[simon.State] = simon
    _KLONDIKE_BUILDING: Building[klondike.State] = klondike
    _HIDING: Hiding[joker.State, joker.Move] = joker
    _KLONDIKE_HIDING: Hiding[klondike.State, klondike.Move] = klondike
else:
    State, Move = Position, Step

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)

_JOKERS = "; x out of play; XB 3=7: XB declared; (7S for XB): changed places, (=6): taken rank"
"""The rest of the legend of games with jokers."""


VEGAS = (5, 52)
"""What a card pays in Vegas games, and what a game costs."""


@dataclass(frozen=True)
class Variant:
    """A game under one name: its family's rules, its deck and its layout.

    ``title`` is the name for people, with the usual rules after a comma. ``rules`` names the module of its
    family, ``sizes`` are the column sizes of the full deck. ``scored`` tells whether lines of play have a
    score and a tier. ``payout`` has the money that each card on the foundations pays and the price of a game,
    in Vegas games. ``packed`` names the family whose packed states, and so whose searches, player and form of
    certificates, it shares; its own unless given.

    ``blurb`` is the game in a sentence, for the page of all games, which shows those with a ``rate`` first:
    the share of deals that can be won, in words. ``wing`` is the number of columns at the left of the
    foundations, None where these are elsewhere. With ``free_base`` the first card on a foundation chooses the
    rank at which all begin. ``pysol`` tells whether PySolFC deals the game, ``fc_solve`` is its name there
    for solvers. ``levels`` are the ease (see `solver.analysis.difficulty`) below which a deal is hard and
    that from which it is easy, the terciles of the first 1,000 winnable deals; None if its deals have no
    levels.
    """

    name: str
    title: str
    summary: str
    rules: str
    sizes: tuple[int, ...]
    copies: int = 1
    jokers: bool = False
    scored: bool = False
    payout: tuple[int, int] | None = None
    packed: str = ""
    blurb: str = ""
    rate: str = ""
    wing: int | None = None
    free_base: bool = False
    pysol: bool = False
    fc_solve: str = ""
    levels: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not self.packed:
            object.__setattr__(self, "packed", self.rules)

    def __reduce__(self) -> tuple[Callable[[str], Variant], tuple[str]]:
        return find_variant, (self.name,)  # so that pickles refer to the table of games

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The rule options of the game, each with its values, the usual one first."""
        return CHOICES_OF.get(self.name, {})

    @cached_property
    def family(self) -> Family[State, Move]:
        """The module of its family: see `family`."""
        module: Any = import_module(f".{self.rules}", __package__)
        family: Family[State, Move] = module
        return family

    @property
    def description(self) -> str:
        """The rules in prose: the docstring of its family without the parts on other games. In a section of
        that, a line with names of games and a colon limits the lines after it to those games."""
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
        """Return the cards that a win with ``deck`` needs, in words. The default is the full deck."""
        places = (deck or self.deck()).places
        if self.scoring is not None:
            from .tiers import WIN  # only games with tiers load them

            if places > WIN:
                return f"{WIN} cards"
        return f"all {places * self.copies} cards"

    @property
    def scoring(self) -> Scoring[State] | None:
        """The family's module if lines of play have a score and a tier, otherwise None. With scores, a deal
        is winnable if it can reach any tier except ``none``."""
        offered: Scoring[State] | None = self._offering("score") if self.scored else None
        return offered

    @property
    def choosing(self) -> Choosing[State] | None:
        """The family's module if players may agree on rule options, otherwise None."""
        offered: Choosing[State] | None = self._offering("choices_of")
        return offered

    @property
    def building(self) -> Building[State] | None:
        """The family's module if two cards alone decide whether one goes on the other, otherwise None."""
        offered: Building[State] | None = self._offering("goes_on")
        return offered

    @property
    def leaves_in_runs(self) -> bool:
        """Return whether cards leave the columns as complete runs, not one by one to foundations."""
        return self.building is not None and self.building.LEAVES_IN_RUNS

    @property
    def hiding(self) -> Hiding[State, Move] | None:
        """The family's module if cards lie face down, so that they may be unknown; otherwise None."""
        offered: Hiding[State, Move] | None = self._offering("impossibility")
        return offered

    def _offering(self, name: str) -> Any:
        return self.family if hasattr(self.family, name) else None

    def to_dict(self) -> answers.Rules:
        """Return the game as JSON values, under the public names."""
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
        """Return the title under these unusual ``choices``: the part before the comma if there are any."""
        return self.title.partition(",")[0] if choices else self.title

    @property
    def has_stock(self) -> bool:
        """Return whether a deal leaves cards for a stock."""
        return sum(self.sizes) < len(self.deck().cards())

    def check(self, state: object, cards: bool = False, tables: bool = False) -> None:
        """Raise ValueError unless ``state`` is an immutable state of this variant, judged by its class, the
        name of its variant and its deck, and not a table (see `tables`), unless ``tables`` is true. With
        ``cards``, each card of the deck must also be in one place, and reading the board of the state must
        give an equal state, so that text and JSON can express it."""
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
        if not tables and has_unknown(state):
            raise ValueError(f"expected a state of {self.name} with all cards known, got unknown ones")
        if cards:
            self._check_cards(state)

    def _check_cards(self, state: State) -> None:
        try:
            read = self.from_board(self.family.to_board(state), self.choices_of(state))
        except BoardError as error:
            raise ValueError(f"no state of {self.name}: {error}") from None
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):  # it holds something else
            raise ValueError(f"no state of {self.name}: expected cards in its fields") from None
        for name in self._compared:
            if problem := difference(getattr(state, name), getattr(read, name)):
                raise ValueError(f"no state of {self.name}: {name}{problem}, which no text or JSON expresses")

    @cached_property
    def _compared(self) -> list[str]:
        """The names of the fields in which two states of the game may differ."""
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

    def may_be_rows(self, state: State, in_play: bool = False) -> bool:
        """Return whether the columns of a written board of ``state`` could be taken for rows; ``in_play`` is
        set where it is marked so."""
        is_open = not self.has_stock and state.deck.is_full
        return is_open and may_be_rows(self.sizes, state.columns, in_play)

    def mark(self, state: State) -> str:
        """The mark of a written board of ``state`` as a position in play, empty if it needs none."""
        if self.may_be_rows(state):
            return BY_COLUMNS
        return IN_PLAY if self.needs_mark(state) else ""

    def score(self, state: State) -> int:
        """Return the score of ``state``. In games without scores it is 1 for a win and 0 otherwise."""
        self.check(state)
        return self.scoring.score(state) if self.scoring else int(self.family.is_won(state))

    def cards_up(self, state: State) -> int:
        """Return the number of cards on the foundations, or of those that left in runs."""
        return sum(map(len, self.family.foundations_of(state)))

    def greatest_score(self, deck: Deck) -> int:
        """Return the greatest score that any line with ``deck`` can reach."""
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
        """Return the column sizes for ``deck``. A short deck fills the usual columns as far as its cards go;
        in games with a stock it has fewer columns, so that the share of the stock stays about the same."""
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
        """Return the start position of ``seed``; see `deals` for the dealer. ``sizes`` are the column sizes
        of a short deck, by default those of `layout`; ``choices`` the values of rule options. Raises
        ValueError for an invalid seed, deck, sizes or choices."""
        deck = self.deck(ranks, suits)
        cards = shuffled(deck, seed)
        if sizes is None:
            sizes = self.layout(deck)
        elif not isinstance(sizes, Sequence) or any(type(size) is not int for size in sizes):
            raise ValueError(f"sizes {shown(sizes)}: expected a list of whole numbers")
        elif deck.is_full and tuple(sizes) != self.sizes:
            raise ValueError(f"sizes {shown(list(sizes))}: expected a short deck, with fewer ranks or suits")
        elif not 1 <= len(sizes) <= len(self.sizes) or min(sizes) < 0 or sum(sizes) > len(cards):
            raise ValueError(f"sizes {shown(list(sizes))}: they do not fit {len(cards)} cards of {self.name}")
        return with_seed(self.start(deck, *lay_out(cards, sizes), choices), seed)

    def is_deal(self, state: State, seed: int) -> bool:
        """Return whether ``state`` is the deal of ``seed``; a short deck may be dealt to columns of the sizes
        that it has now."""
        deck = state.deck
        choices = self.choices_of(state)
        layouts = [None] if deck.is_full else [None, tuple(map(len, state.columns))]
        return any(self.deal(seed, deck.ranks, deck.suits, each, choices) == state for each in layouts)

    def start(
        self,
        deck: Deck,
        columns: tuple[tuple[int, ...], ...],
        stock: tuple[int, ...],
        choices: Choices | Mapping[str, str] | None = None,
    ) -> State:
        """Return the start position with these cards. Raises ValueError for invalid ``choices``."""
        agreed = self.agreed(choices)
        if agreed is None:
            return self.family.start(self.name, deck, columns, stock)
        return self._choosing().start(self.name, deck, columns, stock, agreed)

    def from_board(self, board: Board, choices: Choices | Mapping[str, str] | None = None) -> State:
        """Return the state on ``board`` with the rule options ``choices``. Raises ValueError for invalid
        choices, BoardError for a board that is not a position."""
        agreed = self.agreed(choices)
        if agreed is None:
            return self.family.from_board(self.name, board)
        return self._choosing().from_board(self.name, board, agreed)

    def choices_of(self, state: State) -> dict[str, str]:
        """Return the rule options of ``state`` whose values are not the usual ones, by name."""
        return self.choosing.choices_of(state) if self.choosing else {}

    def agreed(self, choices: Choices | Mapping[str, str] | None) -> Choices | None:
        """Return ``choices`` in the form that kernels take, None if there are none. Raises ValueError for
        choices of other games."""
        if choices is None or choices == {}:
            return None
        for name in choices if isinstance(choices, Mapping) else ():
            if name not in self.choices:
                among = " or ".join(self.choices)
                lack = f"no such rule option; expected {among}" if among else "no rule options"
                raise ValueError(f"{shown(name)}: {self.name} has {lack}")
        agreeing = self._choosing()
        agreed: Choices
        if isinstance(choices, agreeing.Choices):
            agreed = choices
            return agreed
        agreed = agreeing.Choices(**check_choices(choices))
        return agreed

    def _choosing(self) -> Choosing[State]:
        if self.choosing is None:
            raise ValueError(f"{self.name} has no rule options")
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
            blurb="All cards open: build up or down in suit. The foundations begin at the rank you choose.",
            rate="76 % of deals can be won",
            wing=5,
            free_base=True,
            pysol=True,
            fc_solve="chessboard",
            levels=(0.875, 2.25),
        ),
        Variant(
            "fortress",
            "Fortress",
            "one deck, ten columns, build up or down in suit, foundations from the ace",
            "chessboard",
            _WINGS,
            blurb="Chessboard with foundations from the ace.",
            wing=5,
            pysol=True,
            fc_solve="fortress",
            levels=(2.0, 3.875),
        ),
        Variant(
            "simon-jester",
            "Simon Jester, even columns",
            "two decks, fourteen even columns, same-suit runs move, K to A runs leave",
            "simon",
            (8,) * 6 + (7,) * 8,
            copies=2,
            blurb="Two decks, all open: bring a suit together from king to ace, and the run leaves.",
            rate="98 % of deals can be won",
            levels=(21.625, 35.625),
        ),
        Variant(
            "simon-jester-triangular",
            "Simon Jester, triangular",
            "two decks, columns of 13, 13, 12, ... 1 as in PySolFC, same-suit runs move",
            "simon",
            (13, *range(13, 0, -1)),
            copies=2,
            blurb="Two decks in columns of 13 to 1.",
            pysol=True,
            fc_solve="simon_jester",
            levels=(28.5, 44.75),
        ),
        Variant(
            "simple-simon",
            "Simple Simon",
            "one deck, ten columns of 8, 8, 8, 7, ... 1, same-suit runs move",
            "simon",
            (8, 8, *range(8, 0, -1)),
            blurb="Simon Jester with one deck.",
            pysol=True,
            fc_solve="simple_simon",
            levels=(13.125, 26.5),
        ),
        Variant(
            "joker",
            "Joker Solitaire",
            "Klondike, one card at a time, one pass, two wild jokers; win, double, triple",
            "joker",
            SIZES,
            jokers=True,
            scored=True,
            blurb="Klondike in one pass with two wild jokers: 15 cards win, 25 a double, all 52 a triple.",
            rate="96 % of deals can be won",
            levels=(13.0, 37.375),
        ),
        Variant(
            "klondike-one-pass",
            "Klondike, one pass",
            "Klondike, one card at a time, one pass, nothing back from the foundations",
            "klondike",
            SIZES,
            scored=True,
            packed="joker",
            blurb="Joker Solitaire without the jokers.",
            levels=(8.0, 13.625),
        ),
        Variant(
            "klondike",
            "Klondike, draw 3",
            "three cards at a time, any number of passes, cards may come back from the foundations",
            "klondike",
            SIZES,
            blurb="Three cards at a time, as often as you like.",
            pysol=True,
            levels=(17.125, 41.375),
        ),
        Variant(
            "klondike-draw-one",
            "Klondike, draw 1",
            "one card at a time, any number of passes, cards may come back from the foundations",
            "klondike",
            SIZES,
            blurb="One card at a time, as often as you like.",
            pysol=True,
            levels=(35.0, 52.0),
        ),
        Variant(
            "klondike-vegas",
            "Klondike, draw 3, three passes",
            "three cards at a time, three passes, cards may come back from the foundations",
            "klondike",
            SIZES,
            payout=VEGAS,
            blurb="Three cards at a time, three times through.",
            pysol=True,
            levels=(5.0, 11.5),
        ),
        Variant(
            "klondike-vegas-one",
            "Klondike, draw 1, one pass",
            "one card at a time, one pass, cards may come back from the foundations",
            "klondike",
            SIZES,
            payout=VEGAS,
            blurb="Once through. Foundation cards may come back.",
            pysol=True,
            levels=(9.0, 16.0),
        ),
    )
}


def plain_name(name: str) -> str:
    """``name`` without case, spaces, hyphens and other marks, as `find_variant` compares names."""
    return "".join(filter(str.isalnum, name)).lower()


_CALLED = {plain_name(name): each for each in VARIANTS.values() for name in (each.name, each.title)}


def check_choices(choices: object) -> Mapping[str, str]:
    """Return ``choices``, a mapping of names to values, with whole numbers as text. Raises ValueError if it
    is not a mapping, and for names and values that no game has."""
    if not isinstance(choices, Mapping):
        raise ValueError(f"choices: expected words by name, got {shown(choices)}")
    choices = {name: str(value) if type(value) is int else value for name, value in choices.items()}
    for name, value in choices.items():
        if name not in CHOICES:
            raise ValueError(f"choice {shown(name)}: expected {' or '.join(CHOICES)}")
        if value not in CHOICES[name]:
            raise ValueError(f"{name} {shown(value)}: expected {' or '.join(CHOICES[name])}")
    return choices


class TakesState(Protocol[P, R_co]):
    """A function of a game and a state of it, which may also be called with the state alone."""

    @overload
    def __call__(self, variant: Variant | str, state: State, *args: P.args, **named: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, state: State, *args: P.args, **named: P.kwargs) -> R_co: ...


def of_state(function: Callable[Concatenate[Variant | str, State, P], R_co]) -> TakesState[P, R_co]:
    """``function``, of which the first argument may be left out: the state names its game. Raises ValueError
    for a single argument that is neither a game nor a state."""

    @wraps(function)
    def with_game(*args: Any, **named: Any) -> Any:
        state = args[0] if args else named.get("state")
        if "variant" not in named and isinstance(state, Position):
            args = (state.variant, *args)
        elif len(args) == 1 and "state" not in named and not isinstance(state, (str, Variant)):
            raise ValueError(f"expected a state, or a game and a state, got {described(state)}")
        return function(*args, **named)

    return with_game


def variant_of(state: object) -> Variant:
    """Return the variant of ``state``. Raises ValueError if it is not a state of any variant."""
    if not isinstance(state, Position):
        raise ValueError(f"{described(state)}: expected a state")
    variant = find_variant(state.variant)
    variant.check(state)
    return variant


def check_implemented(state: object, by: Implemented) -> None:
    """Raise ValueError unless ``state`` is a state of a game that the list ``by`` has, under values of rule
    options that it has."""
    variant = variant_of(state)
    lacking = not_implemented(by, variant.name, cast("Position", state).choices)
    if lacking == variant.name:
        raise ValueError(f"{described(state)}: expected a state of {' or '.join(by)}")
    if lacking:
        values = (f"{name.replace('_', ' ')} {' or '.join(each)}" for name, each in by[variant.name].items())
        raise ValueError(f"{lacking} is not implemented here: expected {', '.join(values)}")


def find_variant(name: str | Variant) -> Variant:
    """Return the variant called ``name``, or ``name`` itself if it is a variant; see `variant_called`. Raises
    ValueError for an unknown name; the message has a similar name, or all names."""
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str):
        raise ValueError(f"game {shown(name)}: expected a name")
    found = variant_called(name)
    if found is None:
        raise ValueError(f"game {shown(name)}: no such game; {near_names(name)}")
    return found


def variant_called(name: str) -> Variant | None:
    """Return the variant whose name or title in the table is ``name``, but for case, spaces, hyphens and
    other marks; None if there is none."""
    return VARIANTS.get(name) or _CALLED.get(plain_name(name))


def near_names(name: str) -> str:
    """Return the end of a message that ``name`` is unknown: the names like it or with it in them, else all
    names."""
    from difflib import get_close_matches

    plain = plain_name(name)
    near = get_close_matches(plain, VARIANTS, n=2, cutoff=0.7)
    near = near or [each for each in VARIANTS if plain and plain in plain_name(each)]
    return f"did you mean {' or '.join(near)}?" if near else f"expected {', '.join(VARIANTS)}"
