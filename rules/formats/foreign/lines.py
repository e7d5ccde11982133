"""Lines of play of Klondike as its solvers write them: read beside their deal, and written.

The notations name places but no cards. If a line has two meanings, it is taken in the notation in which it is
legal, or in which it wins; if both remain possible, it is refused. Places are ``W``, a number of a column or
a suit.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...cards import SUITS, format_card, shown, suit_of
from ...moves import read_move
from ...variants import State, Variant
from . import NOTATIONS, PROGRAMS, check_game, module, sniff, tokens_of


class WrongToken(ValueError):  # noqa: N818 - it is the token that is wrong
    """An illegal move: the ``token`` with this ``number``, counted from 1, of a line of ``tokens``; ``why``
    is the rule that it breaks."""

    def __init__(self, number: int, tokens: Sequence[str], why: object) -> None:
        self.number, self.tokens = number, list(tokens)
        self.token, self.why = tokens[number - 1], str(why)
        super().__init__(f"move {number} ({self.token}): {why}")


def check_lines(variant: Variant, what: str) -> None:
    """Raise ValueError unless ``variant`` is a Klondike game with redeals; ``what`` begins the message."""
    check_game(variant, what)
    if "draw" not in variant.choices:
        raise ValueError(f"{what}: expected a game of Klondike with redeals, got {variant.name}")


def read_line(variant: Variant, state: State, tokens: Sequence[str]) -> list[str]:
    """The moves of a line from ``state``, given as ``tokens``, in our notation. Raises WrongToken at the
    first illegal move, and ValueError for another game and for a line with two meanings."""
    check_lines(variant, "a line of Klondike-Solver or MinimalKlondike")
    lines: list[Line] = []
    wrong: list[WrongToken] = []
    for name, program in PROGRAMS.items():
        if not program.move or not all(re.fullmatch(program.move, token) for token in tokens):
            continue
        line: Line = module(name).Line(variant, state)
        try:
            line.play(tokens)
        except WrongToken as error:
            wrong.append(error)
        else:
            lines.append(line)
    if not lines:
        raise max(wrong, key=lambda error: error.number)
    won = [line for line in lines if variant.family.is_won(line.state)]
    if len({tuple(line.moves) for line in won or lines}) > 1:
        raise ValueError(
            "DR may count draws, as in Klondike-Solver, or cards, as in KSolve, and both are legal here: "
            "write each draw as s-w"
        )
    return (won or lines)[0].moves


class Line:
    """A game that is played along a line of a program; ``moves`` are those played, in our notation."""

    def __init__(self, variant: Variant, state: Any) -> None:
        self.variant, self.state = variant, state
        self.family: Any = variant.family
        self.moves: list[str] = []

    def play(self, tokens: Sequence[str]) -> None:
        """Play the whole line. Raises WrongToken at the first illegal move."""
        for number, token in enumerate(tokens, 1):
            try:
                self.take(token)
                if number == len(tokens):
                    self.end()
            except ValueError as error:
                raise WrongToken(number, tokens, error) from None

    def take(self, token: str) -> None:
        """Play one token. Raises ValueError with the rule that it breaks."""
        raise NotImplementedError

    def end(self) -> None:
        """Raise ValueError if the line may not end here."""

    def draw(self) -> int:
        """Draw, and return the number of cards turned. Raises ValueError."""
        left = len(self.state.stock or self.state.waste)
        self._make(self.family.DRAW)
        return left - len(self.state.stock)

    def move(self, source: str, target: str, count: int) -> bool:
        """Move ``count`` cards between two places, and return whether a card is turned up. Raises ValueError
        with the rule that the move breaks."""
        state = self.state
        goal = target
        if source == "W":
            pile, start = state.waste, "w"
        elif source.isdigit():
            pile, start = state.columns[int(source) - 1], source
        else:
            suit, start = SUITS.index(source), f"f{source}"
            pile = tuple(4 * rank + suit for rank in range(state.foundations[suit]))
        if not 1 <= count <= len(pile):
            raise ValueError(f"expected {count} cards, got {len(pile)}" if pile else "there is no card")
        if not target.isdigit():
            if count > 1 or not (source == "W" or source.isdigit()):
                raise ValueError("one card at a time goes from a column or the waste to the foundations")
            if SUITS[suit_of(pile[-1])] != target:
                raise ValueError(f"{format_card(pile[-1])} does not go on the foundation of {target}")
            goal = "f"
        self._make(read_move(self.variant, state, f"{format_card(pile[-count])} {start}-{goal}"))
        return bool(sum(self.state.hidden) < sum(state.hidden))

    def _make(self, move: Any) -> None:
        before, self.state = self.state, self.family.apply(self.state, move)
        self.moves.append(self.family.format_move(before, move).partition(" (")[0])


def moves_from(variant: Variant, state: State, moves: list[str]) -> list[str]:
    """``moves`` themselves, or their translation if they are in one of these notations. Raises ValueError for
    an illegal move."""
    tokens = tokens_of(" ".join(moves))
    return moves if tokens is None else read_line(variant, state, tokens)


class Step(NamedTuple):
    """A draw, which has no ``source``, or a move from the ``source`` to the ``target``, which ``turns`` a
    card of the source up. ``cards`` are their number; a draw that ``is_new`` turns the waste over first."""

    cards: int
    source: str = ""
    target: str = ""
    turns: bool = False
    is_new: bool = False


def format_line(variant: Variant, state: Any, moves: Sequence[str], style: str) -> str:
    """Translate ``moves``, a line from ``state`` in our notation, into the notation ``style``, one of
    NOTATIONS; the text ends with a newline. Raises ValueError for another game and for an illegal move."""
    check_lines(variant, f"format {style}")
    program = sniff("notation", style)
    if program is None:
        raise ValueError(f"format {shown(style)}: expected {', '.join(NOTATIONS)}")
    steps = []
    for text in moves:
        after: Any = variant.family.apply(state, move := read_move(variant, state, text))
        steps.append(_step(state, after, variant.family.format_move(state, move)))
        state = after
    written: str = program.write_line(steps)
    return written


def _step(state: Any, after: Any, name: str) -> Step:
    """The move called ``name``, which makes ``after`` of ``state``."""
    card, _, action = name.partition(" (")[0].rpartition(" ")
    source, _, target = action.partition("-")
    if source == "s":
        return Step(len(state.stock or state.waste) - len(after.stock), is_new=not state.stock)
    turns = sum(after.hidden) < sum(state.hidden)
    at = int(source) - 1 if source.isdigit() else None
    cards = 1 if at is None else len(state.columns[at]) - len(after.columns[at])
    return Step(cards, _name(source, card), _name(target, card), turns)


def _name(place: str, card: str) -> str:
    return "W" if place == "w" else place if place.isdigit() else card[-1]
