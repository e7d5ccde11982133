"""Reader of moves in free notation, for all games, in addition to the exact notation of each game.

    7S 10-f   7s 10-F   7♠ 10f   7S 10 to f   10-f     a card, from where, to where; the card may be left out
    7S f      7S                                       where from, or to, if only one legal move fits
    XB 3=7    xb=7      XB 3-fs                        the moves of jokers
    s-w       ?? s-w                                   the next card of the stock, whatever it is

``10`` is read as T, and the words foundation, waste, stock and out as their letters. Text after a ``#`` is a
comment.
"""

import re
from typing import Any, NamedTuple

from .cards import RANKS, format_card, parse_card, parse_rank, shown
from .variants import Move, State, Variant

_SIGNS = str.maketrans("\u2663\u2666\u2665\u2660\u2667\u2662\u2661\u2664", "cdhscdhs", "\ufe0e\ufe0f")
_WORDS = {"foundations": "f", "foundation": "f", "waste": "w", "talon": "w", "stock": "s", "out": "x"}
_IDLE = {"from", "column", "the", "its"}
_CARD = r"(\?\?|x[br]|(?:10|[a2-9tjqk])[cdhs])(?![a-z0-9])"
_BETWEEN = r"\s*(?:-+>?|[\u2010-\u2015\u2192]|\bto\b)\s*"
_PLACE = "f[cdhs]?|[swx]|[0-9]{1,2}"
_ACTIONS = (
    rf"(?P<source>{_PLACE})[ -](?P<target>{_PLACE})",
    r"(?P<source>[0-9]{1,2}|[sw])(?P<target>f[cdhs]?|[wx])",
    rf"(?P<source>{_PLACE})? ?=(?P<rank>10|[a2-9tjqk])",
    rf"-?(?P<target>{_PLACE})",
    "",
)
_SHOWN = 5  # greatest number of moves named in a message


class _Written(NamedTuple):
    """The parts of a move in the notation of its game. A part that is left out is None."""

    card: str | None
    source: str | None
    target: str | None
    rank: str | None

    def exact(self) -> str | None:
        """The move in the notation of the game, if no part is left out."""
        if self.card is None or self.source is None:
            return None
        if self.rank is not None:
            return f"{self.card} {self.source}={self.rank}"
        return None if self.target is None else f"{self.card} {self.source}-{self.target}"

    def fits(self, legal: "_Written") -> bool:
        """Return whether ``legal`` agrees with all parts given here. The target ``f`` agrees with any
        foundation."""
        pairs = ((self.card, legal.card), (self.source, legal.source), (self.rank, legal.rank))
        return all(part in (None, other) for part, other in pairs) and (
            self.target in (None, legal.target) or (self.target == "f" and (legal.target or "")[:1] == "f")
        )


def is_move(text: str) -> bool:
    """Return whether ``text`` has the form of a move."""
    return _split(text) is not None


def read_move(variant: Variant, state: State, text: str) -> Move:
    """Return the move that ``text`` names in ``state``, in the notation of the game or in free notation. It
    may be illegal if no part is left out. Raises ValueError if the text cannot be read, if it names cards
    that do not lie where it says, and if no legal move or several of them fit."""
    written = _split(text)
    if written is None:
        return variant.family.parse_move(state, text)
    exact = written.exact()
    if exact is not None:
        return variant.family.parse_move(state, exact)
    fitting = {}
    for move in variant.family.legal_moves(state):
        name = variant.family.format_move(state, move)
        legal = _split(name)
        if legal is not None and written.fits(legal):
            fitting[name] = move
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if fitting:
        raise ValueError(f"{shown(text)} may be {_listed(list(fitting))}: say which")
    raise ValueError(_why_none(variant, state, written, text))


def _split(text: str) -> _Written | None:
    """Return the parts of ``text``, None if it does not have the form of a move."""
    plain = " ".join(text.partition("#")[0].translate(_SIGNS).lower().split())
    match = re.match(_CARD, plain)
    card, rest = (match[1], plain[match.end() :]) if match else (None, plain)
    rest = re.sub("[a-z]{3,}", lambda word: "" if word[0] in _IDLE else _WORDS.get(word[0], word[0]), rest)
    rest = re.sub(r"^=\w+ (?=\S)", "", rest)  # XB=6 as it lies on the table
    rest = re.sub(" ?= ?", "=", re.sub(_BETWEEN, "-", " ".join(rest.split())))
    action = next((found for pattern in _ACTIONS if (found := re.fullmatch(pattern, rest))), None)
    if action is None or not (match or rest):
        return None
    parts = {"source": None, "target": None, "rank": None} | action.groupdict()
    named = None if card in (None, "??") else format_card(parse_card(str(card)))
    rank = None if parts["rank"] is None else RANKS[parse_rank(parts["rank"])]
    return _Written(named, _place(parts["source"]), _place(parts["target"]), rank)


def _place(text: str | None) -> str | None:
    """Return a place in the notation of the games: ``7`` for ``07``, ``fS`` for ``fs``."""
    if text is None or text.isdigit():
        return text and str(int(text))
    return text[0] + text[1:].upper()


def _listed(names: list[str]) -> str:
    head, last = names[:_SHOWN], names[-1]
    if len(names) > _SHOWN:
        return f"{', '.join(head)} or {len(names) - _SHOWN} others"
    return f"{', '.join(head[:-1])} or {last}"


def _why_none(variant: Variant, state: Any, written: _Written, text: str) -> str:
    """Return the reason why no legal move matches: that of the rules if the card lies in only one place."""
    goal = f"={written.rank}" if written.rank is not None else f"-{written.target}"
    reasons = []
    for source in ["w", "s", *map(str, range(1, len(state.columns) + 1))]:
        try:
            move = variant.family.parse_move(state, f"{written.card} {source}{goal}")
        except ValueError:
            continue
        try:
            variant.family.apply(state, move)
        except ValueError as error:
            reasons.append(str(error))
    return f"{shown(text)}: {reasons[0] if len(reasons) == 1 else 'not a legal move here'}"
