"""Parse requests of the page into games to open. Every error is a one-line ValueError."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from ..game.hidden_deals import HiddenDeals
from ..game.links import read_link
from ..game.session import Opening
from ..rules import CHOICES, Variant, find_variant, has_unknown
from ..rules.board import RowsError
from ..rules.deals import random_seed
from ..rules.formats import read_solution, read_table
from ..rules.formats.foreign import pysol
from ..rules.formats.foreign.lines import WrongToken
from ..rules.formats.header import OtherGameError, seed_of
from ..rules.formats.text import Deal, FormatError, Way
from ..rules.tiers import TIERS
from ..solver import Limits
from ..solver.analysis.choice import choose
from ..solver.analysis.difficulty import LEVELS, of_level
from ..solver.progress import Watch

_TRIED = 2000  # deals tried to find one that matches
_SEARCHED = Limits(work=2_000_000, megabytes=400.0)  # limits for each deal tried
_OF_A_DAY = Limits(nodes=300_000, megabytes=400.0)  # limits for deals of the day, the same on every machine
_A_DAY = 1000  # seeds for each day, such as 20261124000 to 20261124999
_NAME = "deal"  # name of a text in messages


@dataclass(frozen=True)
class Wanted:
    """A request for a winnable deal with a ``level`` of difficulty or a reachable ``tier``; None stands for
    any. It is the first such deal from the seed ``first`` on, from a random seed if that is None."""

    variant: Variant
    choices: dict[str, str]
    mode: str
    level: str | None = None
    tier: str | None = None
    first: int | None = None


def read_opening(request: dict[str, Any], hidden_deals: HiddenDeals) -> Opening | Wanted:
    """Parse a request into a game to open; ``hidden_deals`` holds the deals that it may name. Raises
    ValueError."""
    source = request.get("from")
    if not isinstance(source, dict):
        raise ValueError("from: expected an object that names what to open")
    if "link" in source:
        return read_opening(read_link(_text(source, "link")), hidden_deals)
    if "saved" in source:
        return _saved(source["saved"], hidden_deals)
    if "text" in source and (game := _saved_text(_text(source, "text"))) is not None:
        return _saved(game, hidden_deals)
    variant = find_variant(_text(request, "game")) if request.get("game") is not None else None
    choices = _choices(variant, request.get("choices"))
    moves = request.get("moves") or []
    if not isinstance(moves, list) or not all(isinstance(move, str) and len(move) < 60 for move in moves):
        raise ValueError("moves: expected a list of moves")
    at = request.get("at")
    if at is not None and (type(at) is not int or at < 0):
        raise ValueError("at: expected a number of moves")
    mode = _text(request, "mode") if request.get("mode") is not None else "analysis"
    if "text" in source:
        text = _text(source, "text")
        try:
            return _of_text(variant, text, choices, mode, moves, at)
        except FormatError as error:
            if not isinstance(error.problem, OtherGameError):
                raise
        return _of_text(None, text, {}, "analysis", moves, at)
    if variant is None:
        raise ValueError("game: expected the name of a game")
    if "today" in source:
        day = _day(_text(source, "today"))
        return Wanted(variant, choices, mode, tier="triple" if variant.scoring else None, first=day * _A_DAY)
    if "winnable" in source:
        return _wanted(variant, choices, mode, source)
    return Opening(_deal(variant, source, choices), mode, tuple(moves), at)


def _day(text: str) -> int:
    """The number of a day, such as 20261124 for 2026-11-24. Raises ValueError."""
    try:
        return int(date.fromisoformat(text).strftime("%Y%m%d"))
    except ValueError:
        raise ValueError(f"today: expected a day such as 2026-11-24, got {text!r:.30}") from None


def _deal(variant: Variant, source: dict[str, Any], choices: dict[str, str]) -> Deal:
    if "pysol" in source:
        number = pysol.parse_number(_text(source, "pysol"))
        return Deal(pysol.deal(variant, number), pysol=number)
    if "seed" in source:
        seed = seed_of(source["seed"])
    elif "random" in source:
        seed = random_seed()
    else:
        raise ValueError("from: expected a seed, a PySolFC number, a text or another source")
    return Deal(variant.deal(seed, choices=choices), seed)


def _of_text(
    variant: Variant | None, text: str, choices: dict[str, str], mode: str, moves: list[str], at: int | None
) -> Opening:
    data = text.encode("utf-8", "replace")
    deal, note = read_typed(variant, data, _NAME, choices)
    if has_unknown(deal.state):
        mode = "table"
    if not moves:
        try:
            moves = read_solution(data, _NAME, deal)
        except FormatError as error:
            if isinstance(error.problem, WrongToken):
                raise  # an illegal move in the line of another solver
            moves = []  # the text has only a deal
        if moves and at is None and not re.search(r"^\s*moves\s*:", text, re.IGNORECASE | re.MULTILINE):
            at = 0  # a solution is shown from its beginning
    return Opening(deal, mode, tuple(moves), at, note=note)


def read_typed(
    variant: Variant | None, data: bytes, name: str, choices: dict[str, str] | None = None
) -> tuple[Deal, str | None]:
    """The position in a text, and a note if it was read by rows. That is done if its lines are clearly rows,
    in games where all cards are seen. Raises FormatError."""
    try:
        return read_table(variant, data, name, choices), None
    except FormatError as error:
        if not isinstance(error.problem, RowsError):
            raise
        deal = read_table(variant, data, name, choices, Way(by="rows"))
        if deal.variant.has_stock:
            raise
        return deal, "The lines were read as the rows of the table, since columns of a deal have other sizes."


def _wanted(variant: Variant, choices: dict[str, str], mode: str, source: dict[str, Any]) -> Wanted:
    level, tier = source.get("level"), source.get("tier")
    if level is not None and level not in LEVELS:
        raise ValueError(f"level: expected one of {', '.join(LEVELS)}, got {level!r:.30}")
    if tier is not None and (variant.scoring is None or tier not in TIERS):
        raise ValueError(f"tier {tier!r:.30}: {variant.name} has no such tier")
    if level is not None and choices:
        raise ValueError("level: expected the default rules")
    return Wanted(variant, choices, mode, level, tier)


def look_for(wanted: Wanted, watch: Watch, tell: Callable[[int], None]) -> Opening:
    """Find the first deal from a random seed, or from ``wanted.first``, on that matches ``wanted``; ``tell``
    is called with the number of deals tried. Raises ValueError if none of `_TRIED` deals matches,
    KeyboardInterrupt if ``watch`` is stopped."""
    others: Counter[str] = Counter()
    first = random_seed() if wanted.first is None else wanted.first
    limits = _SEARCHED if wanted.first is None else _OF_A_DAY

    def tried() -> Iterator[Deal]:
        for number in range(_TRIED):
            if watch.was_stopped:
                raise KeyboardInterrupt
            tell(number)
            seed = first + number
            yield Deal(wanted.variant.deal(seed, choices=wanted.choices), seed)

    deals = choose(wanted.variant, tried(), limits, wanted.tier, others, watch)
    if wanted.level is not None:
        deals = of_level(wanted.variant, deals, wanted.level, others, watch)
    for deal in islice(deals, 1):
        return Opening(deal, wanted.mode)
    raise ValueError(f"none of {_TRIED} deals matches")


def _saved_text(text: str) -> dict[str, Any] | None:
    """The game in a file that the board saved with its variations; None if ``text`` is anything else."""
    try:
        game = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None  # the reader of deals reports what is wrong
    return game if isinstance(game, dict) and game.get("winnable") == "game" else None


def _saved(saved: object, hidden_deals: HiddenDeals) -> Opening:
    """Parse a saved game as written by `export.game_object`. Raises ValueError."""
    if not isinstance(saved, dict) or saved.get("winnable") != "game":
        raise ValueError("saved: expected a saved game")
    variant, mode = find_variant(_text(saved, "game")), _text(saved, "mode")
    nodes, here = saved.get("nodes"), saved.get("here")
    if not isinstance(nodes, list) or type(here) is not int or not 0 <= here <= len(nodes):
        raise ValueError("saved: its moves cannot be read")
    for number, node in enumerate(nodes):
        if not isinstance(node, list) or not 2 <= len(node) <= 3 or type(node[0]) is not int:
            raise ValueError("saved: its moves cannot be read")
        if not 0 <= node[0] <= number or not all(isinstance(part, str) for part in node[1:]):
            raise ValueError("saved: its moves cannot be read")
    if "deal" in saved:
        deal = read_table(variant, json.dumps(saved["deal"]).encode(), _NAME)
    elif "held" in saved:
        deal = hidden_deals.get(saved["held"])
    else:
        deal = _deal(variant, saved, _choices(variant, saved.get("choices")))
    key = saved.get("key")
    if not isinstance(key, str) or not re.fullmatch("[A-Za-z0-9_-]{8,40}", key):
        key = None
    branches = tuple((node[0], node[1], node[2] if len(node) > 2 else None) for node in nodes)
    helped, seconds, turned_back = saved.get("helped"), saved.get("seconds"), saved.get("turned_back")
    moves = helped if isinstance(helped, list) else []
    return Opening(
        deal,
        mode,
        revealed=saved.get("revealed") is True,
        branches=branches,
        here=here,
        key=key,
        helped=frozenset(number for number in moves if type(number) is int),
        seconds=float(seconds) if isinstance(seconds, (int, float)) and 0 <= seconds < 1e9 else 0.0,
        turned_back=turned_back if isinstance(turned_back, int) and 0 <= turned_back < 1e9 else 0,
    )


def _choices(variant: Variant | None, value: object) -> dict[str, str]:
    """Parse the rule options that differ from the usual ones. Raises ValueError."""
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value.values()):
        raise ValueError('choices: expected an object such as {"exchange": "turned"}')
    for name, word in value.items():
        if name not in CHOICES or word not in CHOICES[name]:
            raise ValueError(f"choices: {name!r:.30} {word!r:.30} is not a choice of this game")
    usual = variant.choices if variant is not None else {}
    return {name: word for name, word in value.items() if word != usual.get(name, CHOICES[name])[0]}


def _text(request: dict[str, Any], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected a string")
    return value
