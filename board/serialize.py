"""JSON messages about a game, its positions and search results; specified in PROTOCOL.md."""

from typing import Any

from ..game import evaluation, places
from ..game.links import link_of
from ..game.session import Session
from ..game.tree import Node
from ..rules import Variant
from ..rules.choices import OPTIONS, Words
from ..rules.move_text import count_moves, move_keys
from ..solver import Result, Verdict
from ..solver.analysis import blocking
from ..solver.analysis.difficulty import LEVELS
from ..solver.analysis.fair import FairReview
from ..solver.analysis.review_answers import fair_figures, fair_loss
from .analysis import Marked
from .analyst import Work
from .page import fan


def variant_object(variant: Variant) -> dict[str, Any]:
    """The JSON of a game on offer: the engine's description and what a page needs besides."""
    return variant.to_dict() | {
        "legend": variant.legend,
        "columns": len(variant.sizes),
        "blurb": variant.blurb,
        "rate": variant.rate,
        "wing": variant.wing,
        "free_base": variant.free_base,
        "runs": variant.leaves_in_runs,
        "places": variant.deck().places,
        "tiers": variant.tiers(),
        "modes": ["analysis", "player"] if variant.hiding is not None else ["analysis"],
        "pysol": variant.pysol,
        "jokers": variant.jokers,
        "has_stock": variant.has_stock,
        "decks": variant.copies,
        "levels": list(LEVELS) if variant.levels else [],
        "stock": len(variant.deck().cards()) - sum(variant.sizes),
        "options": {name: _option_object(OPTIONS[name]) for name in variant.choices},
    }


def _option_object(option: Words) -> dict[str, Any]:
    """The JSON of a rule option in words."""
    return {"title": option.title, "values": dict(option.values)}


def game_object(game: Session) -> dict[str, Any]:
    """An open game with all its positions."""
    deal = game.deal
    choices = {} if game.mode == "table" else game.variant.choices_of(deal.state)
    return {
        "type": "game",
        "game": game.variant.name,
        "title": game.variant.title_with(choices),
        "name": game.name(),
        "mode": game.mode,
        "seed": None if deal.seed is None else str(deal.seed),
        "pysol": deal.pysol,
        "choices": choices,
        "revealed": game.revealed,
        "note": None,
        "places": game.goal,
        "fan": fan(game.tree.nodes[0].state),
        "nodes": nodes_objects(game, list(game.tree.below(game.tree.nodes[0]))),
        "position": position_object(game),
        "link": link_of(game),
    }


def nodes_objects(game: Session, nodes: list[Node]) -> list[dict[str, Any]]:
    """Positions of the tree with their results."""
    main = {node.number for node in game.tree.main_line()}
    return [_node_object(game, node, node.number in main) for node in nodes]


def _node_object(game: Session, node: Node, is_main: bool) -> dict[str, Any]:
    result, above = game.result_of(node), node.parent
    loss = game.loss(node)
    best = result.moves[0] if result is not None and result.moves else None
    return {
        "node": node.number,
        "parent": None if above is None else above.number,
        "main": is_main,
        "ply": node.ply,
        "move": node.text or None,
        "does": node.does or None,
        "as": None if above is None else places.joker_rank(above.state, node.move),
        "effects": node.effects,
        "lies": None if above is None else places.landing(above.state, node.move, node.state),
        "turned": node.turned,
        "helped": node.helped,
        "over": node.over,
        "judged": None if result is None else result.brief(),
        "keeps": game.keeps(node),
        "mark": None if loss is None else "mistake",
        "loss": loss,
        "best": None if best is None else game.variant.family.format_move(node.state, best),
        "best_as": None if best is None else places.joker_rank(node.state, best),
    }


def position_object(game: Session) -> dict[str, Any]:
    """The position shown."""
    node = game.here
    after = game.tree.following(node)
    return {
        "type": "position",
        "node": node.number,
        "picture": game.picture(node),
        "moves": game.legal(node),
        "over": node.over,
        "undo": node.parent is not None,
        "redo": None if after is None else after.number,
        "auto": 0 if game.safe_move(node) is None else 1,
        "unknown": game.unknown(node),
        "seconds": round(game.seconds, 1),
        "turned_back": game.turned_back,
        "link": link_of(game),
    }


def line_object(game: Session, node: Node, to_tier: bool = False) -> dict[str, Any]:
    """A line from ``node`` that keeps its result, with pictures. With ``to_tier`` it is one that reaches only
    the tier, if such a line is known. Raises ValueError while cards are hidden."""
    if game.is_hidden:
        raise ValueError("no line is known while cards are hidden")
    result, tier_line = game.result_of(node), game.tier_line(node)
    most_up = game.most_up.get(node.state)
    answer = {"type": "line", "node": node.number, "found": False}
    if most_up is not None and most_up.moves:
        text, steps = evaluation.most_up_text(game.most, most_up), _steps(game, node, most_up)
        told = {"found": True, "shortest": most_up.shortest, "text": text, "steps": steps, "other": None}
        return answer | told
    if result is None or not result.moves:
        why = "nothing is known yet" if result is None else evaluation.text(game.variant, game.most, result)
        return answer | {"why": why, "shortest": False, "text": why, "steps": [], "other": None}
    shown, other = result, None
    text = evaluation.text(game.variant, game.most, result)
    if tier_line is not None and to_tier:
        shown, text = tier_line, evaluation.tier_text(tier_line)
        other = {"goal": "score", "text": f"To the score of {result.score}"}
    elif tier_line is not None:
        count = len(tier_line.moves or ())
        other = {"goal": "tier", "text": f"Only to the {tier_line.tier}, {count_moves(count)}"}
    steps = _steps(game, node, shown)
    told = {"found": True, "shortest": shown.shortest, "text": text, "steps": steps, "other": other}
    return answer | told


def _steps(game: Session, node: Node, line: Result) -> list[dict[str, Any]]:
    """The positions of a line from ``node``."""
    state, family = node.state, game.variant.family
    steps: list[dict[str, Any]] = [{"picture": game.picture(node)}]
    for move in line.moves or ():
        told: dict[str, Any] = {**move_keys(game.variant, state, move)}
        state = family.apply(state, move)
        steps.append(told | {"picture": game.picture(Node(-1, state))})
    return steps


def why_object(game: Session, node: Node) -> dict[str, Any]:
    """The cards that block each other in ``node``, if that proves it lost. Raises ValueError if it is not."""
    result = None if game.is_hidden else game.result_of(node)
    if result is None or result.verdict is not Verdict.UNWINNABLE:
        raise ValueError("this position is not known to be lost")
    found = blocking.blocks(game.variant, node.state)
    cards = [
        {
            "spot": "c{}/{}".format(*block.spot),
            "waits": ["c{}/{}".format(*wait) for wait in block.waits],
            "text": blocking.sentence(node.state, block),
        }
        for block in found
    ]
    text = (
        "These cards block each other: each waits for cards that lie under others of them, and no column is "
        "ever emptied."
        if cards
        else "No cards block each other for good by themselves: all lines of play were searched; none wins."
    )
    return {"type": "why", "node": node.number, "text": text, "cards": cards}


def fair_object(game: Session, review: FairReview) -> dict[str, Any]:
    """A review, by what the player saw, of the moves that led to the position shown. ``steps`` are the moves
    that lost something, with the numbers of their nodes."""
    made = zip(game.tree.way(game.here)[1:], review.steps, strict=True)
    steps = [
        {"node": node.number, "word": step.word, "text": loss, "better": step.better}
        for node, step in made
        if (loss := fair_loss(step))
    ]
    lines = fair_figures(game.variant, review)
    return {"type": "fair", "node": game.here.number, "state": "done", "lines": lines, "steps": steps}


def analysis_object(game: Session, state: str, work: Work | None) -> dict[str, Any]:
    """The result for the position shown and the progress of ``work``, its search, in ``state``."""
    result = game.result_of(game.here)
    progress = None if work is None else work.progress()
    told: dict[str, Any] = {
        "type": "analysis",
        "node": game.here.number,
        "state": state,
        "verdict": None,
        "text": "searching",
        "states": max(0 if progress is None else progress.states, 0 if result is None else result.expanded),
        "seconds": round(work.seconds if work is not None else 0.0 if result is None else result.seconds, 3),
        "megabytes": 0.0 if progress is None else round(progress.megabytes, 1),
        "stage": None if progress is None else progress.stage,
        "part": None if work is None else work.watch.part or None,
    }
    told |= dict.fromkeys(("length", "shortest", "lower_bound", "score", "tier", "score_bound"))
    told |= dict.fromkeys(("bound_tier", "exact", "reason", "to_tier", "most_up"))
    if result is None:
        return told
    scoring = game.variant.scoring
    tier = None if scoring is None else scoring.tier_of(result.score_bound or 0, game.most)
    words = evaluation.verdict(game.variant, game.here.state.deck, result)
    line = game.tier_line(game.here)
    if line is not None:
        words += f"; {evaluation.tier_text(line)}"
        told["to_tier"] = _tier_object(line)
    most_up = game.most_up.get(game.here.state)
    if most_up is not None:
        text = evaluation.most_up_text(game.most, most_up)
        words += f"; {text}"
        told["most_up"] = {"score": most_up.score, "length": len(most_up.moves or ()), "text": text}
    return told | result.brief() | {"bound_tier": tier, "text": words}


def _tier_object(line: Result) -> dict[str, Any]:
    """A line that reaches only a tier."""
    length = len(line.moves or ())
    return {"length": length, "shortest": line.shortest, "lower_bound": line.lower_bound}


def marks_object(game: Session, marked: Marked) -> dict[str, Any]:
    """The results after each legal move of the position shown, by move text."""
    here = game.result_of(game.here)
    best = here.moves[0] if here is not None and here.moves else None
    name = None if best is None else game.variant.family.format_move(game.here.state, best)
    after = dict(marked.after)
    if best is not None and name is not None:  # the best move and the badge show the same length
        state = game.variant.family.apply(game.here.state, best)
        known = evaluation.after_move(game.variant, here, best, state)
        if known is not None and (name not in after or evaluation.is_better(after[name], known)):
            after[name] = known
    if here is not None and here.moves and here.score in (None, game.most):
        lengths = {
            text: len(found.moves)
            for text, found in after.items()
            if found.moves is not None and evaluation.keeps(here, found)
        }
        if min(lengths.values(), default=len(here.moves)) < lengths.get(name or "", len(here.moves) - 1):
            name = min(lengths, key=lambda text: lengths[text])  # shorter than the line known
    marks: dict[str, Any] = {}
    for move in game.legal(game.here):
        text = move["text"]
        found, line = after.get(text), marked.to_tier.get(text)
        marks[text] = {"keeps": evaluation.keeps(here, found), "best": text == name}
        if found is not None:
            marks[text] |= found.brief()
            marks[text]["to_tier"] = None if line is None else _tier_object(line)
    return {"type": "marks", "node": game.here.number, "done": marked.is_done, "marks": marks}
