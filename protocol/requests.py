"""Requests of the engine: validation of their parameters, and their results."""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .. import SCHEMA, __version__
from ..rules import VARIANTS, find_variant, has_unknown
from ..rules.cards import shown
from ..rules.deals import SEEDS
from ..rules.formats import read_table
from ..rules.formats.foreign import pysol
from ..rules.formats.foreign.lines import moves_from
from ..rules.formats.header import seed_of
from ..rules.formats.json_deals import deal_object
from ..rules.formats.text import TOPS, WAYS, Deal, Way, deal_keys, format_deal
from ..rules.move_text import move_keys
from ..rules.moves import read_move
from ..rules.tables import check_hides, missing_cards, seen
from ..solver import Limits, Result, find_shortest, solve
from ..solver.engine import SHORTEN, check_score
from ..solver.progress import Watch
from ..solver.result import check_work
from ..solver.unknown_cards import hint_table, solve_table
from ..solver.verify import replay
from .client import MOST_BYTES

if TYPE_CHECKING:
    from ..rules import answers
    from . import messages

MOST_TEXT = 200_000
"""Characters of the longest deal."""

MOST_MOVES = 2000
"""Length of the longest list of moves of a request."""

Params = dict[str, Any]
Answer = Mapping[str, Any]
Search = Callable[[Watch, Callable[[Answer], None]], Answer]
"""A requested search: called with a watch and a function that sends progress, it returns the result."""

_POSITION = {
    "game": str,
    "seed": (int, str),
    "pysol": str,
    "deal": (str, dict, list),
    "by": str,
    "top": str,
    "choices": dict,
    "moves": list,
}
_WORDS = {
    bool: "true or false",
    str: "a string",
    int: "a whole number",
    dict: "an object",
    list: "a list",
    float: "a number",
}
_MEGABYTES = 1000.0  # memory limit of requests that name none


# --- Parameters ---------------------------------------------------------------------------------------------


def check(params: Params, kinds: Mapping[str, Any]) -> Params:
    """Return ``params`` without those that are null. Raises ValueError for a name or type that ``kinds`` does
    not allow."""
    given = {name: value for name, value in params.items() if value is not None}
    for name, value in given.items():
        if name not in kinds:
            raise ValueError(f"{shown(name)}: no such parameter; expected {', '.join(kinds) or 'none'}")
        wanted = kinds[name] if isinstance(kinds[name], tuple) else (kinds[name],)
        if type(value) not in (*wanted, *((int,) if float in wanted else ())):
            words = " or ".join(_WORDS[kind] for kind in wanted)
            raise ValueError(f"{name} {shown(json.dumps(value))}: expected {words}")
    return given


def limits_of(given: Mapping[str, Any]) -> Limits:
    """Return the limits named by the keys of ``given``. Raises ValueError for other keys and values."""
    names = [each.name for each in fields(Limits)]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"limits: {shown(unknown[0])}: no such limit; expected {', '.join(names)}")
    return Limits(**({"megabytes": _MEGABYTES} | dict(given)))


def position_of(given: Params) -> Deal:
    """Return the position that the parameters name, after their moves; its state may be a table. Raises
    ValueError for an invalid position and for an illegal move."""
    sources = [name for name in ("seed", "pysol", "deal") if name in given]
    if len(sources) != 1:
        raise ValueError(f"expected one of seed, pysol and deal, got {' and '.join(sources) or 'none'}")
    choices, moves = _choices_of(given), given.get("moves", [])
    if not all(isinstance(move, str) and len(move) <= 100 for move in moves) or len(moves) > MOST_MOVES:
        raise ValueError(f"moves: expected a list of at most {MOST_MOVES} moves, such as '7S 10-f'")
    deal = _dealt(given, choices)
    if not moves:
        return deal
    moves = moves_from(deal.variant, known(deal).state, moves)
    state = replay(deal.variant, known(deal).state, moves)
    return deal._replace(state=state, made=deal.made + len(moves))


def _choices_of(given: Params) -> dict[str, str]:
    """Return the rule options that the parameters name, numbers as text. Raises ValueError for other
    types."""
    choices = given.get("choices", {})
    if not all(type(value) in (str, int) for value in choices.values()):
        raise ValueError("choices: expected an object of strings and whole numbers")
    return {name: str(value) for name, value in choices.items()}


def _dealt(given: Params, choices: dict[str, str]) -> Deal:
    variant = find_variant(given["game"]) if "game" in given else None
    if "deal" in given:
        text = given["deal"] if isinstance(given["deal"], str) else json.dumps(given["deal"])
        if len(text) > MOST_TEXT:
            raise ValueError(f"deal: expected at most {MOST_TEXT} characters, got {len(text)}")
        way = Way.of(given.get("by", WAYS[0]), given.get("top", TOPS[0]))
        return read_table(variant, text.encode(errors="replace"), "deal", choices, way)
    if other := {"by", "top"} & given.keys():
        raise ValueError(f"{min(other)}: expected with deal")
    if variant is None:
        raise ValueError("game: expected the name of a game")
    if "pysol" in given:
        number = pysol.parse_number(given["pysol"])
        return Deal(pysol.deal(variant, number, choices), pysol=number)
    seed = seed_of(given["seed"])
    return Deal(variant.deal(seed, choices=choices), seed)


def known(deal: Deal) -> Deal:
    """Return ``deal``. Raises ValueError if some of its cards are unknown."""
    if has_unknown(deal.state):
        others = "go with goal win, moves or chances takes unknown ones"
        raise ValueError(f"deal: expected a position whose cards are all known; {others}")
    return deal


# --- Requests that are answered at once ---------------------------------------------------------------------


def hello(params: Params) -> "messages.Hello":
    """Return the version and abilities of the engine."""
    check(params, {})
    return {
        "engine": "winnable",
        "version": __version__,
        "schema": SCHEMA,
        "methods": [*ANSWERS, *SEARCHES, "stop", "quit"],
        "games": list(VARIANTS),
        "goals": list(GOALS),
        "limits": [each.name for each in fields(Limits)],
        "most_bytes": MOST_BYTES,
        "most_moves": MOST_MOVES,
    }


def games(params: Params) -> "answers.Games":
    """Return all games."""
    check(params, {})
    return {"games": [variant.to_dict() for variant in VARIANTS.values()]}


def position(params: Params) -> "messages.Placed":
    """Return a position as JSON and as text, with facts about it that need no search."""
    return _position(known(position_of(check(params, _POSITION))))


def _position(deal: Deal) -> "messages.Placed":
    variant, state = deal.variant, deal.state
    is_won = variant.family.is_won(state)
    answer: messages.Placed = {
        "position": deal_object(variant, state, deal.seed, deal.pysol, deal.made, is_marked=True),
        "text": format_deal(deal),
        "over": "won" if is_won else None if variant.family.legal_moves(state) else "stuck",
        "score": variant.scoring.score(state) if variant.scoring else None,
    }
    if deal.reading is not None:
        answer["read_as"] = deal.read_as
    return answer


def legal(params: Params) -> "messages.Legal":
    """Return the legal moves of a position."""
    deal = known(position_of(check(params, _POSITION)))
    variant, state = deal.variant, deal.state
    moves = variant.family.legal_moves(state)
    return {"options": [move_keys(variant, state, move) for move in moves]}


def apply(params: Params) -> "messages.Moved":
    """Return the position after a move."""
    given = check(params, _POSITION | {"move": (str, dict)})
    text = given.get("move")
    text = text.get("move") if isinstance(text, dict) else text
    if not isinstance(text, str):
        raise ValueError("move: expected a move, such as '7S 10-f', or one of the options of legal")
    deal = known(position_of(given))
    variant, state = deal.variant, deal.state
    move = read_move(variant, state, text)
    after = deal._replace(state=variant.family.apply(state, move), made=deal.made + 1)
    return {**move_keys(variant, state, move), **_position(after)}


ANSWERS: dict[str, Callable[[Params], Answer]] = {
    "hello": hello,
    "games": games,
    "deal": position,
    "position": position,
    "legal": legal,
    "apply": apply,
}
"""The requests that are answered at once, by method."""


# --- Searches -----------------------------------------------------------------------------------------------


def go(params: Params) -> Search:
    """Return the search of a position for a goal."""
    kinds = {"goal": str, "limits": dict, "shorten": int, "prove": dict, "visits": int, "sees": str}
    given = check(params, _POSITION | kinds)
    goal = given.get("goal", "win")
    if goal not in GOALS:
        raise ValueError(f"goal {shown(goal)}: expected {', '.join(GOALS)}")
    names = GOALS[goal][1]
    for name in ("shorten", "prove", "visits", "sees"):
        if name in given and name not in names:
            fitting = " or ".join(each for each, (_, taken) in GOALS.items() if name in taken)
            raise ValueError(f"{name}: expected with goal {fitting}, got {goal}")
    check_work("shorten", given.get("shorten", 0))
    deal = position_of(given)
    search = GOALS[goal][0](deal, limits_of(given.get("limits", {})), given)
    return lambda watch, report: {**deal_keys(deal), "goal": goal, **search(watch, report)}


def _win(deal: Deal, limits: Limits, given: Params) -> Search:
    if has_unknown(deal.state):
        within = limits if given.get("limits") else None
        return lambda watch, report: solve_table(deal.state, limits=within, watch=watch).to_dict()
    variant, state, shorten = known(deal).variant, deal.state, given.get("shorten", 0)
    variant.check(state, cards=True)
    return lambda watch, report: solve(variant, state, limits, shorten=shorten, watch=watch).to_dict()


def _score(deal: Deal, limits: Limits, given: Params) -> Search:
    variant, state = known(deal).variant, deal.state
    if variant.scoring is not None:
        return _win(deal, limits, given)
    variant.check(state, cards=True)
    check_score(variant)
    return lambda watch, report: solve(variant, state, limits, watch=watch, score=True).to_dict()


def _shortest(deal: Deal, limits: Limits, given: Params) -> Search:
    known(deal).variant.check(deal.state, cards=True)

    def run(watch: Watch, report: Callable[[Answer], None]) -> Answer:
        def improved(result: Result) -> None:
            keys = ("verdict", "moves", "length", "lower_bound", "score")
            report({key: value for key, value in result.to_dict().items() if key in keys})

        return find_shortest(deal.variant, deal.state, limits, "auto", improved, watch).to_dict()

    return run


def _moves(deal: Deal, limits: Limits, given: Params) -> Search:
    if has_unknown(deal.state):
        within = limits if given.get("limits") else None
        return lambda watch, report: hint_table(deal.state, within, watch).to_dict()
    variant, state, shorten = known(deal).variant, deal.state, given.get("shorten", SHORTEN)
    variant.check(state, cards=True)
    from ..solver.analysis.hint import hint

    proofs = limits_of(given["prove"]) if "prove" in given else None
    return lambda watch, report: hint(variant, state, None, shorten, limits, proofs, watch).to_dict(state)


def _chances(deal: Deal, limits: Limits, given: Params) -> Search:
    from ..solver.player.advice import advice_object, moves_texts
    from ..solver.player.player import Player, ThoughtInterrupted, advise, places_filled

    if others := set(given.get("limits", {})) - {"seconds"}:
        raise ValueError(f"limits: {min(others)}: goal chances takes seconds alone, and visits")
    sees = given.get("sees", "table")
    if (is_table := has_unknown(deal.state)) and sees != "table":
        raise ValueError(f"sees: expected table for a position with unknown cards, got {sees}")
    check_hides(deal.state)
    table = deal.state if is_table else seen(deal.state, sees)
    player = Player("search", given.get("visits"), limits.seconds)

    def run(watch: Watch, report: Callable[[Answer], None]) -> Answer:
        try:
            advice, reason = advise(table, player, watch), None
            visits = [each.visits for each in advice if each.reason is None]
            if visits and limits.seconds is not None and sum(visits) < (player.visits or math.inf):
                reason = "seconds"
        except ThoughtInterrupted as stopped:
            advice, reason = stopped.advice, "interrupted"
        options = [advice_object(moves_texts(deal.variant, table, each.moves), each) for each in advice]
        score, unseen = places_filled(deal.variant, table), len(missing_cards(table))
        answer = {"player": player.name, "unseen": unseen, "score": score, "options": options}
        return answer | {"reason": reason}

    return run


GOALS: dict[str, tuple[Callable[[Deal, Limits, Params], Search], tuple[str, ...]]] = {
    "win": (_win, ("shorten",)),
    "score": (_score, ()),
    "shortest": (_shortest, ()),
    "moves": (_moves, ("shorten", "prove")),
    "chances": (_chances, ("visits", "sees")),
}
"""The goals of a search: the function that prepares it, and the parameters that not all goals take."""


def review_of(params: Params) -> Search:
    """Return the review of a game: of the ``moves`` from a position."""
    given = check(params, _POSITION | {"sees": str, "visits": int, "limits": dict})
    if not given.get("moves"):
        raise ValueError("moves: expected the moves of a game")
    position_of(given)  # raises ValueError for an illegal move
    deal = known(position_of(given | {"moves": []}))
    moves = moves_from(deal.variant, deal.state, given["moves"])
    sees = given.get("sees", "all")
    seen(deal.state, sees)  # raises ValueError for another word
    if sees == "all":
        return _seeing_all(deal, moves, given)
    check_hides(deal.state)
    return _fair(deal, moves, sees, given)


def _seeing_all(deal: Deal, moves: list[str], given: Params) -> Search:
    """Return the review of ``moves`` with all cards seen."""
    from ..solver.analysis.review import review
    from ..solver.analysis.review_answers import review_object

    if "visits" in given:
        raise ValueError("visits: expected with sees table or stock, got all")
    limits = limits_of(given.get("limits", {}))
    deal.variant.check(deal.state, cards=True)
    return lambda watch, report: {
        **deal_keys(deal),
        **review_object(review(deal.variant, deal.state, moves, limits, watch)),
    }


def _fair(deal: Deal, moves: list[str], sees: str, given: Params) -> Search:
    """Return the review of ``moves`` by what the player saw."""
    from ..solver.analysis.fair import VISITS, WORK, fair_review
    from ..solver.analysis.review_answers import fair_object
    from ..solver.player.player import Player

    limits = limits_of({"work": WORK} | given.get("limits", {}))
    player = Player(visits=given.get("visits", VISITS))

    def run(watch: Watch, report: Callable[[Answer], None]) -> Answer:
        found = fair_review(deal.variant, deal.state, moves, player, limits, watch, sees)
        return {**deal_keys(deal), **fair_object(found, sees)}

    return run


def level(params: Params) -> Search:
    """Return the search that rates the difficulty of a deal."""
    given = check(params, _POSITION | {"limits": dict})
    deal, limits = known(position_of(given)), limits_of(given.get("limits", {}))
    from ..solver.analysis.difficulty import check_is_deal, difficulty

    check_is_deal(deal.variant, deal.state)
    return lambda watch, report: {
        **deal_keys(deal),
        **difficulty(deal.variant, deal.state, limits, watch).to_dict(),
    }


def wished(params: Params) -> Search:
    """Return the search for the first deal from a seed on that can be won, with the difficulty and the tier
    asked for. Deals that the limits leave undecided are skipped. Its answer is that of `position`."""
    kinds = {name: _POSITION[name] for name in ("game", "seed", "choices")}
    given = check(params, kinds | {"winnable": bool, "difficulty": str, "tier": str, "limits": dict})
    if "game" not in given or "seed" not in given:
        raise ValueError("expected game and seed, from which on deals are tried")
    from ..solver.analysis.choice import check_tier, choose, while_hopeful
    from ..solver.analysis.difficulty import LEVELS, check_is_deal, judge_of, of_level

    variant, limits = find_variant(given["game"]), limits_of(given.get("limits", {}))
    choices, tier, wanted = _choices_of(given), given.get("tier"), given.get("difficulty")
    first = _dealt({"game": given["game"], "seed": given["seed"]}, choices)
    if not (given.get("winnable") or tier or wanted):
        return lambda watch, report: _position(first)
    check_tier(variant, tier)
    if wanted not in (None, *LEVELS):
        raise ValueError(f"difficulty {shown(wanted)}: expected {', '.join(LEVELS)}")
    if wanted is not None:
        check_is_deal(variant, first.state)
        judge_of(variant)  # raises ValueError where there are no levels

    def run(watch: Watch, report: Callable[[Answer], None]) -> Answer:
        others = Counter[str]()
        dealt = (Deal(variant.deal(seed, choices=choices), seed) for seed in range(first.seed or 0, SEEDS))
        deals = choose(variant, while_hopeful(dealt, others), limits, tier, others, watch)
        for deal in of_level(variant, deals, wanted, others, watch) if wanted else deals:
            return _position(deal)
        skipped = ", ".join(f"{count} {name}" for name, count in others.most_common())
        raise ValueError(f"none of {others.total()} deals matches: {skipped}")

    return run


SEARCHES: dict[str, Callable[[Params], Search]] = {"go": go, "review": review_of, "difficulty": level}
"""The requests that queue a search, by method."""

WISHES = ("winnable", "difficulty", "tier")
"""The parameters with which ``deal`` queues a search, too."""


def search_of(method: str, params: Params) -> Search | None:
    """Return the search that a request queues; None if it is answered at once."""
    if method == "deal" and any(params.get(name) is not None for name in WISHES):
        return wished(params)
    return SEARCHES[method](params) if method in SEARCHES else None
