"""Reader of moves in free notation, for all games, in addition to the exact notation of each game.

    7S 10-f   7s 10-F   7♠ 10f   7S 10 to f   10-f     a card, from where, to where; the card may be left out
    7S f      7S        7S up    AH to hearts          where from, or to, if only one legal move fits
    7H 8C     7H on 8C  7H->8C   7 of hearts to 8C     onto the top card of a column
    XB 3=7    xb=7      XB 3-fs                        the moves of jokers
    s-w       ?? s-w    draw     d n s t next          the next card of the stock, whatever it is

``10`` is read as T, and the words foundation, waste, stock and out as their letters. Text after a ``#`` is a
comment.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .cards import RANK_NAMES, RANKS, SUITS, format_card, parse_card, parse_rank, shown
from .variants import Move, State, Variant

_SIGNS = str.maketrans("\u2663\u2666\u2665\u2660\u2667\u2662\u2661\u2664", "cdhscdhs", "\ufe0e\ufe0f")
_WORDS = {
    "foundations": "f",
    "foundation": "f",
    "up": "f",
    "waste": "w",
    "talon": "w",
    "stock": "s",
    "out": "x",
}
_IDLE = {"column", "the", "its"}
_DRAW = "[dnst]|(draw|deal|turn|next|stock)( (a|the|next|card|cards|stock))*"
_RANK_WORDS = dict(zip(RANK_NAMES, RANKS.lower(), strict=True))
_SPELLED = rf"\b({'|'.join(RANK_NAMES)}|10|[a2-9tjqk]) of ([cdhs])(?:lub|iamond|eart|pade)s?\b"
_SUIT = r"(?:\bfoundations? of )?\b([cdhs])(?:lub|iamond|eart|pade)s?\b"
_CARD = r"(\?\?|x[br]|(?:10|[a2-9tjqk])[cdhs])(?![a-z0-9])"
_BETWEEN = r"\s*(?:-+>?|[\u2010-\u2015\u2192]|\b(?:to|on|onto)\b)\s*"
_PLACE = "f[cdhs]?|[swx]|[0-9]{1,2}"
_ACTIONS = (
    rf"(?:from )?(?P<source>{_PLACE})[ -](?P<target>{_PLACE})",
    r"(?P<source>[0-9]{1,2}|[sw])(?P<target>f[cdhs]?|[wx])",
    rf"(?P<source>{_PLACE})? ?=(?P<rank>10|[a2-9tjqk])",
    rf"-?(?P<target>{_PLACE})",
    rf"from (?P<source>{_PLACE})",
    rf"(?:(?:from )?(?P<source>{_PLACE})[ -]|-)?(?P<onto>{_CARD})",
    "",
)
_EMPTY = {"f": "no card is up there", "w": "the waste is empty", "x": "nothing comes back from there"}
_SHOWN = 5  # greatest number of moves named in a message
_GIVEN = 3  # greatest number of reasons named in a message


class _Written(NamedTuple):
    """The parts of a move in the notation of its game, or ``onto``, the card that it goes on, in place of the
    target. A part that is left out is None."""

    card: str | None = None
    source: str | None = None
    target: str | None = None
    rank: str | None = None
    onto: str | None = None

    def exact(self) -> str | None:
        """The move in the notation of the game, if no part is left out."""
        if self.card is None or self.source is None:
            return None
        if self.rank is not None:
            return f"{self.card} {self.source}={self.rank}"
        return None if self.target is None else f"{self.card} {self.source}-{self.target}"

    def fits(self, legal: "_Written") -> bool:
        """Return whether ``legal`` agrees with all parts given here. The target ``f`` agrees with any
        foundation, and ``fH`` with that of a heart."""
        pairs = ((self.card, legal.card), (self.source, legal.source), (self.rank, legal.rank))
        suit = str(legal.card)[1:]
        return all(part in (None, other) for part, other in pairs) and (
            self.target in (None, legal.target)
            or (self.target == "f" and (legal.target or "")[:1] == "f")
            or (legal.target == "f" and self.target == f"f{suit}")
        )


_NEXT = _Written(source="s", target="w")


def is_move(text: str) -> bool:
    """Return whether ``text`` has the form of a move."""
    return _split(text) is not None


def drawn_card(text: str) -> str | None:
    """Return the card that a draw turns, as ``text`` names it, ``??`` for a draw that names none, and None if
    ``text`` is not a draw."""
    written = _split(text)
    is_draw = written is not None and written._replace(card=None) == _NEXT
    return (written.card or "??") if written and is_draw else None


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
    try:
        asked = [written] if written.onto is None else _onto(variant, state, written)
    except ValueError as error:
        raise ValueError(f"{shown(text)}: {error}") from None
    fitting = {}
    for move in variant.family.legal_moves(state):
        name = variant.family.format_move(state, move)
        legal = _split(name)
        if legal is not None and any(each.fits(legal) for each in asked):
            fitting[name] = move
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if fitting:
        raise ValueError(f"{shown(text)} may be {_listed(list(fitting))}: say which")
    reasons = list(dict.fromkeys(reason for each in asked for reason in _refusals(variant, state, each)))
    told = [reason for reason, is_near in reasons if is_near] or [reason for reason, _ in reasons]
    raise ValueError(f"{shown(text)}: {'; '.join(told[:_GIVEN]) or 'no legal move fits'}")


def _split(text: str) -> _Written | None:
    """Return the parts of ``text``, None if it does not have the form of a move."""
    plain = " ".join(text.partition("#")[0].translate(_SIGNS).lower().split())
    if re.fullmatch(_DRAW, plain):
        return _NEXT
    plain = re.sub(_SPELLED, lambda card: _RANK_WORDS.get(card[1], card[1]) + card[2], plain)
    match = re.match(_CARD, plain)
    card, rest = (match[1], plain[match.end() :]) if match else (None, plain)
    rest = re.sub(_SUIT, r"f\1", rest)
    rest = re.sub("[a-z]{2,}", lambda word: "" if word[0] in _IDLE else _WORDS.get(word[0], word[0]), rest)
    rest = re.sub(r"^=\w+ (?=\S)", "", rest)  # XB=6 as it lies on the table
    rest = re.sub(" ?= ?", "=", re.sub(_BETWEEN, "-", " ".join(rest.split())))
    action = next((found for pattern in _ACTIONS if (found := re.fullmatch(pattern, rest))), None)
    if action is None or not (match or rest):
        return None
    parts = action.groupdict()
    named, onto = (
        None if name in (None, "??") else format_card(parse_card(name)) for name in (card, parts.get("onto"))
    )
    if parts.get("onto") and not (named and onto):
        return None
    rank, target = parts.get("rank"), _place(parts.get("target"))
    if named and target == f"f{named[1]}":  # the foundation of a natural is named by its suit
        target = "f"
    return _Written(named, _place(parts.get("source")), target, rank and RANKS[parse_rank(rank)], onto)


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


# --- Refusals -----------------------------------------------------------------------------------------------


def _piles(variant: Variant, state: Any) -> dict[str, list[str]]:
    """The names of the face-up cards of the columns, of the top of the waste, and of the cards on the
    foundations, by place: ``3``, ``w``, ``fD``."""
    hidden = getattr(state, "hidden", (0,) * len(state.columns))
    face_up = [column[count:] for column, count in zip(state.columns, hidden, strict=True)]
    piles = {str(number): cards for number, cards in enumerate(face_up, 1)}
    piles["w"] = getattr(state, "waste", ())[-1:]
    piles |= {f"f{SUITS[cards[-1] % 4]}": cards for cards in variant.family.foundations_of(state) if cards}
    return {place: list(map(format_card, cards)) for place, cards in piles.items()}


def _onto(variant: Variant, state: State, written: _Written) -> list[_Written]:
    """Return ``written`` once for each column that has its card ``onto`` on top, with that column as target.
    Raises ValueError with the reason if there is none."""
    piles, card = _piles(variant, state), str(written.onto)
    tops = [place for place, cards in piles.items() if place.isdigit() and cards[-1:] == [card]]
    if tops:
        return [written._replace(onto=None, target=place) for place in tops]
    place = next((place for place, cards in piles.items() if card in cards), "")
    if place.isdigit():
        raise ValueError(f"{card} lies under {piles[place][piles[place].index(card) + 1]} in column {place}")
    if place == "w":
        raise ValueError(f"{card} lies on the waste, where only cards of the stock go")
    raise ValueError(f"{card} is up already" if place else f"{card} is not on top of a column")


def _refusals(variant: Variant, state: Any, written: _Written) -> Iterator[tuple[str, bool]]:
    """Yield the reasons of the rules why no legal move fits ``written``, for each card and place that it may
    mean, each with whether the card can be taken up there. Face-down cards are not looked for."""
    card, source, target, rank, _ = written
    piles = _piles(variant, state)
    column = next((each for each in (source, target) if each and each.isdigit() and each not in piles), None)
    if variant.hiding is None and {"s", "w"} & {source, target}:
        yield f"{variant.name} has no stock and no waste", True
    elif not variant.jokers and (rank or "x" in (source, target) or (card or "")[:1] == "X"):
        yield f"{variant.name} has no jokers", True
    elif column is not None:
        yield f"there is no column {column}", True
    elif source == "s" or (target == "w" and card is source is None):
        try:
            variant.family.apply(state, variant.family.move_between(state, "s", target or "w", 1))
        except ValueError as error:
            yield str(error), True
    elif source or card:
        places = [source] if source else [place for place, cards in piles.items() if card in cards]
        if source and source[0] == "f":
            places = [place for place in piles if place.startswith(source)]
        is_run = target is not None and target.isdigit()
        for place in places:
            cards = piles.get(place, [])
            for each in [card] if card else cards if is_run and place.isdigit() else cards[-1:]:
                yield _reason(variant, state, each, place, written)
        if not places and not source:
            yield f"{card} does not lie where it can be taken up", True
        elif source and not card and not any(piles.get(place) for place in places):
            yield _EMPTY.get(source[0], f"column {source} is empty"), True


def _reason(variant: Variant, state: State, card: str, place: str, written: _Written) -> tuple[str, bool]:
    """Return the reason of the rules why ``card`` does not go from ``place`` to the target or rank of
    ``written``, and whether it can be taken up there."""
    family, target, rank, is_near = variant.family, written.target, written.rank, False
    if target and target[0] == "f" and card[1] in SUITS:
        if place[0] == "f":
            return f"{card} is up already", True
        if target not in ("f", f"f{card[1]}"):
            return f"{card} does not go on the foundation of another suit", True
        target = "f"
    try:
        if target and card[1] in SUITS:  # refuses moves that the notation of the game does not have
            family.move_between(state, place, f"f{card[1]}" if target == "f" else target, 1)
        move = family.parse_move(state, f"{card} {place}={rank}" if rank else f"{card} {place}-{target or 1}")
        is_near = True
        if target or rank:
            family.apply(state, move)
    except ValueError as error:
        return str(error), is_near
    return f"{card} has no legal move", True
