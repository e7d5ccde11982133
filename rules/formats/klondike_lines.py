"""Lines of play of Klondike as its solvers write them, described in docs/formats.md: reader and writer.

    DR4 W5 NEW 57-2 F5 7S     Klondike-Solver and pyksolve, DR counts draws; KSolve, DR counts cards
    ID @@AB HJ                MinimalKlondike, and lonelybot with its foundations in another order

The notations name places but no cards, so a line is read beside its deal. If a notation has two meanings, the
line is taken in the one in which it is legal, or in which it wins; if both remain possible, it is refused.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..cards import RANKS, SUITS, format_card, rank_of, shown, suit_of
from ..variants import State, Variant
from .klondike_deals import check_game

_TOKEN = r"DR[0-9]{1,3}|NEW|F[1-7]|[W1-7CDHS][1-7CDHS](?:-[0-9]{1,2})?"
_CARDLIKE = "[1-7CDHS][CDHS]|[CDHS][1-7]|[AJK][CDH]"  # pattern of words that may be cards
_DRAW = "?? s-w"
_PAIR = "@|[A-L][B-L]"
_COLUMNS = "FGHIJKL"
_ORDERS = {"minimalklondike": "CDSH", "lonelybot": "HDCS"}
"""For each program the order of the foundations that the letters B to E stand for."""


class WrongToken(ValueError):  # noqa: N818 - it is the token that is wrong
    """An illegal move: the ``token`` with this ``number``, counted from 1, of a line of ``tokens``; ``why``
    is the rule that it breaks."""

    def __init__(self, number: int, tokens: Sequence[str], why: object) -> None:
        self.number, self.tokens = number, list(tokens)
        self.token, self.why = tokens[number - 1], str(why)
        super().__init__(f"move {number} ({self.token}): {why}")


def tokens_of(text: str) -> list[str] | None:
    """The moves of ``text`` if it is in one of these notations; None if it is not, or if it may be a row of
    cards."""
    words = text.split()
    if words and all(re.fullmatch(_TOKEN, word) for word in words):
        return None if all(re.fullmatch(_CARDLIKE, word) for word in words) else words
    plain = "".join(words)
    if not re.fullmatch(f"(?:{_PAIR})+", plain):
        return None
    pairs: list[str] = re.findall(_PAIR, plain)
    return None if all(re.fullmatch(_CARDLIKE, pair) for pair in pairs) else pairs


def is_line(text: str) -> bool:
    """Test if ``text`` is in one of these notations and cannot be a row of cards."""
    return tokens_of(text) is not None


def check_lines(variant: Variant, what: str) -> None:
    """Raise ValueError unless ``variant`` is a Klondike game with redeals; ``what`` begins the message."""
    check_game(variant, what)
    if "draw" not in variant.choices:
        raise ValueError(f"{what}: expected a game of Klondike with redeals, got {variant.name}")


def read_line(variant: Variant, state: State, tokens: Sequence[str]) -> list[str]:
    """The moves of a line from ``state``, given as ``tokens``, in our notation. Raises WrongToken at the
    first illegal move, and ValueError for another game and for a line with two meanings."""
    check_lines(variant, "a line of Klondike-Solver or MinimalKlondike")
    is_letters = all(re.fullmatch(_PAIR, token) for token in tokens)
    ways = [*_ORDERS] if is_letters else ["klondike-solver", "ksolve"]
    lines: list[tuple[State, list[str]]] = []
    wrong: list[WrongToken] = []
    for way in ways:
        game = _Game(variant, state)
        take = _taker(game, way)
        try:
            for number, token in enumerate(tokens, 1):
                try:
                    take(token)
                except ValueError as error:
                    raise WrongToken(number, tokens, error) from None
            if game.turned is not None:
                raise WrongToken(len(tokens), tokens, _unturned(game.turned))
        except WrongToken as error:
            wrong.append(error)
        else:
            lines.append((game.state, game.moves))
    if not lines:
        raise max(wrong, key=lambda error: error.number)
    won = [line for line in lines if variant.family.is_won(line[0])]
    if len({tuple(moves) for _, moves in won or lines}) > 1:
        raise ValueError(
            "DR may count draws, as in Klondike-Solver, or cards, as in KSolve, and both are legal here: "
            "write each draw as s-w"
        )
    return (won or lines)[0][1]


def _taker(game: "_Game", way: str) -> Callable[[str], None]:
    if way in _ORDERS:
        return lambda token: game.take_pair(token, _ORDERS[way])
    return lambda token: game.take(token, way == "ksolve")


def _unturned(column: int) -> str:
    return f"column {column + 1} turns a card up: expected F{column + 1} after this move"


class _Game:
    """A game that is played along a line. ``turned`` is the index of the column that has just turned up a
    card, until the line's token ``F`` confirms it; else None."""

    def __init__(self, variant: Variant, state: Any) -> None:
        self.variant, self.state = variant, state
        self.family: Any = variant.family
        self.moves: list[str] = []
        self.turned: int | None = None
        self.is_new = False  # the waste is turned over by the next draw

    def take(self, token: str, counts_cards: bool) -> None:
        """Play one move in the notation of Klondike-Solver. Raises ValueError with the rule that it
        breaks."""
        if token[0] == "F":
            if self.turned != int(token[1]) - 1:
                raise ValueError(f"column {token[1]} turns no card up here")
            self.turned = None
            return
        if self.turned is not None:
            raise ValueError(f"expected F{self.turned + 1}, since column {self.turned + 1} turns a card up")
        if token == "NEW":
            if self.state.stock or self.is_new:
                raise ValueError("the waste is turned over when the stock is empty")
            if not self.state.waste:
                raise ValueError("there is no waste to turn over")
            self.is_new = True
        elif token[:2] == "DR":
            self._draws(int(token[2:]), counts_cards)
        else:
            if self.is_new:
                raise ValueError("a draw follows NEW")
            places, _, count = token.partition("-")
            self._move(places[0], places[1], int(count or 1))

    def _draws(self, count: int, counts_cards: bool) -> None:
        if not count:
            raise ValueError("expected a draw of 1 or more")
        while count > 0:
            if not self.state.stock and not self.is_new:
                raise ValueError("the stock is empty: expected NEW, or a smaller number of draws")
            left = len(self.state.stock or self.state.waste)
            self._play(_DRAW)
            drawn = left - len(self.state.stock)
            if counts_cards and count < drawn:
                raise ValueError(f"a draw turns {drawn} cards")
            self.is_new = False
            count -= drawn if counts_cards else 1

    def take_pair(self, pair: str, order: str) -> None:
        """Play one move in the notation of MinimalKlondike, whose foundations are in the order ``order``.
        Raises ValueError with the rule that it breaks."""
        self.turned = None
        if pair == "@":
            self._play(_DRAW)
            return
        source, target = (_place(letter, order) for letter in pair)
        count = 1
        if source.isdigit() and target.isdigit():
            count = self._fitting(int(source) - 1, int(target) - 1)
        self._move(source, target, count)
        self.turned = None

    def _fitting(self, source: int, target: int) -> int:
        """The number of cards that move from column ``source`` to column ``target``, which the notation
        leaves out; 1 if no card of the source fits by rank."""
        columns = self.state.columns
        face_up = columns[source][self.state.hidden[source] :]
        wanted = rank_of(columns[target][-1]) - 1 if columns[target] else len(RANKS) - 1
        return next((len(face_up) - i for i, card in enumerate(face_up) if rank_of(card) == wanted), 1)

    def _move(self, source: str, target: str, count: int) -> None:
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
        hidden = state.hidden[int(source) - 1] if source.isdigit() else 0
        self._play(f"{format_card(pile[-count])} {start}-{goal}")
        if source.isdigit() and self.state.hidden[int(source) - 1] < hidden:
            self.turned = int(source) - 1

    def _play(self, text: str) -> None:
        from ..moves import read_move

        move = self.family.DRAW if text == _DRAW else read_move(self.variant, self.state, text)
        before, self.state = self.state, self.family.apply(self.state, move)
        named = self.family.format_move(before, move)
        self.moves.append(named.partition(" (")[0])


def _place(letter: str, order: str) -> str:
    if letter == "A":
        return "W"
    return order["BCDE".index(letter)] if letter in "BCDE" else str(_COLUMNS.index(letter) + 1)


def moves_from(variant: Variant, state: State, moves: list[str]) -> list[str]:
    """``moves`` themselves, or their translation if they are in one of these notations. Raises ValueError for
    an illegal move."""
    tokens = tokens_of(" ".join(moves))
    return moves if tokens is None else read_line(variant, state, tokens)


def format_line(variant: Variant, state: Any, moves: Sequence[str], style: str) -> str:
    """Translate ``moves``, a line from ``state`` in our notation, into the notation ``style``, one of
    NOTATIONS; the text ends with a newline. Raises ValueError for another game and for an illegal move."""
    from ..moves import read_move
    from .text import NOTATIONS

    check_lines(variant, f"format {style}")
    if style not in NOTATIONS:
        raise ValueError(f"format {shown(style)}: expected {', '.join(NOTATIONS)}")
    words: list[str] = []
    draws, family, is_letters = 0, variant.family, style == "minimalklondike"
    for text in moves:
        move = read_move(variant, state, text)
        name = family.format_move(state, move).partition(" (")[0]
        after: Any = family.apply(state, move)
        card, _, action = name.rpartition(" ")
        source, _, target = action.partition("-")
        if source == "s":
            if not state.stock and not is_letters:
                words += [f"DR{draws}"] * bool(draws) + ["NEW"]
                draws = 0
            left = len(state.stock or state.waste)
            draws += left - len(after.stock) if style == "ksolve" else 1
            state = after
            continue
        words += (["@" * draws] if is_letters else [f"DR{draws}"]) * bool(draws)
        draws = 0
        at, to = _name(source, card), _name(target, card)
        count = 1
        if source.isdigit():
            count = len(state.columns[int(source) - 1]) - len(after.columns[int(source) - 1])
        if is_letters:
            words.append(_letter(at) + _letter(to))
        else:
            words.append(f"{at}{to}" + (f"-{count}" if count > 1 else ""))
            if source.isdigit() and after.hidden[int(source) - 1] < state.hidden[int(source) - 1]:
                words.append(f"F{source}")
        state = after
    words += (["@" * draws] if is_letters else [f"DR{draws}"]) * bool(draws)
    return " ".join(words) + "\n"


def _name(place: str, card: str) -> str:
    return "W" if place == "w" else place if place.isdigit() else card[-1]


def _letter(place: str) -> str:
    if place.isdigit():
        return _COLUMNS[int(place) - 1]
    return "A" if place == "W" else "BCDE"[_ORDERS["minimalklondike"].index(place)]
