"""A line of play as a self-contained HTML page.

The positions come from `rules`; the page's script only draws them.
"""

import html
import json
from collections.abc import Sequence
from typing import Any

from ..game.session import Session
from ..rules import Variant
from ..rules.formats.json_deals import object_of
from ..rules.formats.solutions import format_solution
from ..rules.formats.text import Deal, deal_keys, format_deal
from ..rules.layout import picture
from ..rules.move_text import count_moves, move_keys
from ..rules.tables import seen
from ..rules.tiers import score_text
from ..solver.player.advice import advice_object, moves_texts
from ..solver.player.player import Decision, Player
from ..solver.verify import follow, format_line
from .single_file import single_file


def fan(state: Any) -> int:
    """The number of cards of the waste shown side by side: the number of cards of one draw."""
    return int(getattr(state.choices, "cards_drawn", 1))


def play_object(
    variant: Variant, deal: Deal, moves: list[Any], verdict: str | None = None, as_seen: bool = False
) -> dict[str, Any]:
    """The public JSON of a line of play from ``deal``: all its positions.

    Every step has the keys ``columns``, ``piles``, ``jokers`` and ``score`` of `picture`; each but the first
    also has the ``move`` that led to it, a sentence describing it (``does``), and its ``effects``.
    ``position`` is the position as `json_deals` reads it. ``moves`` must be legal. With ``as_seen`` there is
    no ``position``, and face-down cards are not named.
    """
    state = deal.state
    steps = [picture(variant, state, as_seen) | ({} if as_seen else {"position": object_of(deal)})]
    for made, move in enumerate(moves, deal.made + 1):
        told: dict[str, Any] = {**move_keys(variant, state, move)}
        state = variant.family.apply(state, move)
        after = deal._replace(state=state, made=made)
        steps.append(
            told | picture(variant, state, as_seen) | ({} if as_seen else {"position": object_of(after)})
        )
    return {
        **deal_keys(deal),
        "verdict": verdict,
        "outcome": _outcome(variant, state, len(moves)),
        "wing": variant.wing,
        "steps": steps,
    }


def _outcome(variant: Variant, last: Any, count: int) -> str:
    moves = count_moves(count)
    if variant.scoring:
        score, places = variant.score(last), last.deck.places
        return f"score {score_text(score, places)} after {moves}"
    if variant.family.is_won(last) and not count:
        return "already won"
    if variant.family.is_won(last):
        return f"won after {moves}"
    return f"not won after {moves}" if count else "no line of play"


def play_page(variant: Variant, deal: Deal, moves: list[Any], verdict: str | None = None) -> str:
    """The HTML page of a line of play, with the data of `play_object`."""
    return _page(variant, deal, moves, play_object(variant, deal, moves, verdict))


def session_page(game: Session) -> str:
    """The HTML page of the line of ``game`` through the position shown, to its end. Raises ValueError while
    cards are hidden."""
    if game.is_hidden:
        raise ValueError("the page would show hidden cards: finish the game first")
    line = game.tree.line(game.here)
    result = game.known.get(game.tree.nodes[0].state)
    verdict = None if result is None else result.verdict.value
    return play_page(game.variant, game.deal, [node.move for node in line[1:]], verdict)


def game_page(
    variant: Variant, deal: Deal, player: Player, decisions: Sequence[Decision], sees: str = "table"
) -> str:
    """The HTML page of a game that ``player`` played from ``deal``, with the cards as the player saw them.
    The step of a decision has ``advice``, the evaluated moves, the chosen ones first."""
    moves = [move for decision in decisions for move in decision.moves]
    play = play_object(variant, deal, moves, as_seen=True) | {"player": player.name}
    at = 0
    for decision in decisions:
        table = seen(decision.state, sees)
        play["steps"][at]["advice"] = [
            advice_object(moves_texts(variant, table, entry.moves), entry) for entry in decision.advice
        ]
        at += len(decision.moves)
    return _page(variant, deal, moves, play)


def review_page(deal: Deal, made: Sequence[str], losses: Sequence[tuple[str, str | None]]) -> str:
    """The HTML page of a reviewed game: the moves ``made`` from ``deal``. For each move ``losses`` has its
    loss in words, which go on after "It", and a better move; empty words if it lost nothing."""
    variant = deal.variant
    moves = [move for move, _ in follow(variant, deal.state, made)]
    play = play_object(variant, deal, moves)
    for shown, (loss, better) in zip(play["steps"][1:], losses, strict=True):
        if loss:
            shown |= {"loss": loss, "better": better}
    return _page(variant, deal, moves, play)


def _page(variant: Variant, deal: Deal, moves: list[Any], play: dict[str, Any]) -> str:
    name = variant.title_with(variant.choices_of(deal.state))
    title = f"{name}, {deal.name}" if deal.name else name
    legend = variant.legend
    line = format_solution(format_line(variant, deal.state, moves, annotated=True), legend) if moves else ""
    fields = {
        "@title@": html.escape(title),
        "@legend@": html.escape(legend),
        "@text@": html.escape(f"{format_deal(deal)}\n{line}"),
        "@fan@": str(fan(deal.state)),
        "@data@": json.dumps(play, separators=(",", ":")).replace("<", "\\u003c"),
    }
    page = single_file("replay.html")
    for field, value in fields.items():
        page = page.replace(field, value)
    return page
