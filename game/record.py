"""The history record of a game."""

from ..solver import Result, Verdict
from .export import game_object
from .history import Played
from .links import link_of
from .session import Session
from .tree import Node


def record_of(game: Session) -> Played | None:
    """The history record of ``game``; None before its first move."""
    if not game.was_played:
        return None
    best = _best(game)
    start = game.known.get(game.tree.nodes[0].state)
    outcome = _outcome(game, best)
    scored = game.variant.scoring
    score = None if scored is None else game.variant.score(best.state)
    return Played(
        game.key,
        game.variant.name,
        game.name(),
        game.mode,
        outcome,
        best.ply,
        game_object(game, None),
        game.began,
        _is_winnable(start, outcome),
        _fewest(game, start, best),
        start is not None and start.shortest,
        len(game.mistakes()),
        score,
        None if scored is None or score is None else scored.tier_of(score, game.most),
        None if start is None or not start.exact else start.tier,
        link_of(game),
        round(game.seconds, 1),
        sum(node.helped for node in game.tree.way(best)),
        game.turned_back,
    )


def _best(game: Session) -> Node:
    """The best position reached: of won ones that with the fewest moves; without a win, in scored games one
    with the greatest score, if possible the end of the main line, else the end of the main line."""
    end = game.tree.main_line()[-1]
    nodes = [node for node in game.tree.nodes.values() if node.over == "won"]
    if nodes:
        return min(nodes, key=lambda node: node.ply)
    if game.variant.scoring is None:
        return end
    return max(game.tree.nodes.values(), key=lambda node: (game.variant.score(node.state), node is end))


def _outcome(game: Session, best: Node) -> str:
    scored = game.variant.scoring
    is_won = best.over == "won"
    if scored is not None:
        is_won |= scored.tier_of(game.variant.score(best.state), game.most) != "none"
    if is_won:
        return "shown" if best.ply and all(node.helped for node in game.tree.way(best)[1:]) else "won"
    return "lost" if game.tree.main_line()[-1].over == "stuck" or game.revealed else "left"


def _is_winnable(start: Result | None, outcome: str) -> bool | None:
    if outcome in ("won", "shown"):
        return True
    if start is None:
        return None
    return {Verdict.WINNABLE: True, Verdict.UNWINNABLE: False}.get(start.verdict)


def _fewest(game: Session, start: Result | None, best: Node) -> int | None:
    """The number of moves of the shortest complete line known from the start."""
    known = [best.ply] if best.over == "won" else []
    is_whole = game.variant.scoring is None or (start is not None and start.score == game.most)
    if start is not None and start.moves and is_whole:
        known.append(len(start.moves))
    return min(known, default=None)
