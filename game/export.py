"""Export of a game: the text formats of the commands, and the whole tree."""

import json
from typing import Any

from ..rules import has_unknown
from ..rules.formats.header import format_header
from ..rules.formats.json_deals import object_of, table_object
from ..rules.formats.text import format_deal, format_table
from .hidden_deals import HiddenDeals
from .session import Session
from .tree import Node

FORMS = ("text", "json")
MEDIA = {"text": ("txt", "text/plain"), "json": ("json", "application/json"), "page": ("html", "text/html")}
"""The end of the name and the type of a file of each form."""


def save(game: Session, what: str, form: str, hidden_deals: HiddenDeals) -> dict[str, Any]:
    """The file that ``what`` names: its ``name``, ``media`` type and ``content``. Raises ValueError for an
    unknown form.

    The commands read ``position``, ``moves`` and ``deal``; ``game`` has the whole tree. While cards are
    hidden, no file contains a hidden card.
    """
    nodes = {"position": game.here, "deal": game.tree.nodes[0]}
    if what not in (*nodes, "moves", "game"):
        raise ValueError(f"expected {', '.join(nodes)}, moves or game, got {what!r:.20}")
    if form not in FORMS:
        raise ValueError(f"form: expected text or json, got {form!r:.20}")
    if what == "game":
        form, content = "json", json.dumps(game_object(game, hidden_deals))
    elif what == "moves":
        content = _moves(game, form == "json")
    else:
        content = _table(game, nodes[what], form == "json")
    return file_of(game, what, form, content)


def file_of(game: Session, what: str, form: str, content: str) -> dict[str, Any]:
    """The file of that ``content``: its ``name``, which says that ``what`` of ``game`` is in it, and its
    ``media`` type, that of ``form``, one of `MEDIA`."""
    end, media = MEDIA[form]
    deal = game.deal.name.split(" after ")[0].replace(" ", "-")
    name = "-".join(filter(None, [game.variant.name, deal, what]))
    return {"name": f"{name}.{end}", "media": media, "content": content}


def _table(game: Session, node: Node, is_json: bool) -> str:
    """The position of ``node``, without the cards that are hidden."""
    if game.is_hidden:
        table = game.table(node)
        return json.dumps(table_object(table)) + "\n" if is_json else format_table(table)
    deal = game.deal_at(node)
    return json.dumps(object_of(deal)) + "\n" if is_json else format_deal(deal)


def _moves(game: Session, is_json: bool) -> str:
    """The moves that led to the position shown."""
    moves = [node.text for node in game.tree.way(game.here)[1:]]
    deal = game.deal
    if is_json:
        head = {"game": game.variant.name, "seed": deal.seed, "pysol": deal.pysol}
        told = {key: value for key, value in head.items() if value is not None}
        return json.dumps(told | {"moves": moves}) + "\n"
    return (
        "\n".join([*format_header(game.variant.name, deal.seed, deal.pysol, deal.made), "Moves:", *moves])
        + "\n"
    )


def game_object(game: Session, hidden_deals: HiddenDeals | None) -> dict[str, Any]:
    """``game`` without its search results: deal, tree and the position shown.

    If ``hidden_deals`` is given, hidden cards are left out and the deal is stored there; if it is None, they
    are included. ``nodes`` has for each position the index of its parent in that list (the start is 0), the
    move, and on a table also the card turned up.
    """
    numbers: dict[int, int] = {}
    nodes: list[list[Any]] = []
    helped: list[int] = []
    for node in game.tree.below(game.tree.nodes[0]):
        numbers[node.number] = len(numbers)
        helped += [numbers[node.number]] if node.helped else []
        if node.parent is not None:
            turned = [] if node.turned is None else [node.turned]
            nodes.append([numbers[node.parent.number], node.text, *turned])
    played = {"helped": helped, "seconds": round(game.seconds, 1), "turned_back": game.turned_back}
    return header_object(game, hidden_deals) | {"nodes": nodes, "here": numbers[game.here.number]} | played


def header_object(game: Session, hidden_deals: HiddenDeals | None) -> dict[str, Any]:
    """`game_object` without the tree and the position shown."""
    told = {"winnable": "game", "game": game.variant.name, "key": game.key, "mode": game.mode}
    return told | {"revealed": game.revealed} | _source(game, hidden_deals)


def _source(game: Session, hidden_deals: HiddenDeals | None) -> dict[str, Any]:
    deal = game.deal
    if has_unknown(deal.state):
        return {"deal": table_object(deal.state)}
    choices = game.variant.choices_of(deal.state)
    if deal.seed is not None and not deal.made:
        return {"seed": str(deal.seed), "choices": choices}
    if deal.pysol is not None and not deal.made:
        return {"pysol": deal.pysol}
    if game.mode == "player" and hidden_deals is not None:
        return {"held": hidden_deals.put(deal)}
    return {"deal": object_of(deal)}
