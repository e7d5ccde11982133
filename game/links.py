"""The address fragment of a game: deal, moves and the position shown."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, quote

from ..rules import CHOICES
from ..rules.formats.json_deals import object_of
from .session import Session
from .tree import Node

_SAFE = "=,+()?"  # characters of moves that stay unchanged; a space becomes a plus
_KEYS = {"game", "seed", "pysol", "deal", "mode", "moves", "at", "level", "tier", *CHOICES}
LONGEST = 200_000  # greatest length in characters


def link_of(session: Session) -> str | None:
    """The fragment that reopens ``session`` with its line and position; None if it would reveal hidden
    cards."""
    deal = session.deal
    parts = [("game", session.variant.name)]
    if deal.seed is not None and not deal.made:
        parts.append(("seed", str(deal.seed)))
    elif deal.pysol is not None and not deal.made:
        parts.append(("pysol", deal.pysol))
    elif session.mode == "player":
        return None
    else:
        parts.append(("deal", json.dumps(object_of(deal), separators=(",", ":"))))
    choices = session.variant.choices_of(deal.state)
    parts += choices.items() if not any(key == "deal" for key, _ in parts) else ()
    if session.mode == "player":
        parts.append(("mode", "player"))
    line = session.tree.line(session.here)[1:]
    if line:
        parts.append(("moves", ",".join(move_text(node) for node in line).replace(" ", "+")))
        if session.here is not line[-1]:
            parts.append(("at", str(session.here.ply)))
    return "#" + "&".join(f"{key}={quote(value, safe=_SAFE)}" for key, value in parts)


def move_text(node: Node) -> str:
    """The move that led to ``node``, with the card it turned up where needed."""
    return node.text if node.turned is None else f"{node.text} ({node.turned})"


def read_link(link: str) -> dict[str, Any]:
    """Parse a fragment into a request to open its game. Raises ValueError."""
    if len(link) > LONGEST:
        raise ValueError(f"link: expected at most {LONGEST} characters, got {len(link)}")
    found: dict[str, str] = {}
    for key, value in parse_qsl(link.removeprefix("#"), keep_blank_values=True):
        if key not in _KEYS:
            raise ValueError(f"link: unknown key {key!r:.30}")
        if key in found:
            raise ValueError(f"link: {key} given twice")
        found[key] = value
    sources = [key for key in ("seed", "pysol", "deal") if key in found]
    if len(sources) > 1:
        raise ValueError(f"link: {' and '.join(sources)}: a game has one deal")
    request: dict[str, Any] = {"mode": found.get("mode", "analysis"), "game": found.get("game")}
    request["choices"] = {key: found[key] for key in CHOICES if key in found}
    request["from"] = _source(found, sources)
    if found.get("moves"):
        request["moves"] = found["moves"].split(",")
    if "at" in found:
        if not found["at"].isascii() or not found["at"].isdigit() or len(found["at"]) > 6:
            raise ValueError(f"link: at {found['at']!r:.30} is not a number of moves")
        request["at"] = int(found["at"])
    return request


def _source(found: dict[str, str], sources: Sequence[str]) -> dict[str, Any]:
    if sources:
        return {"text" if sources[0] == "deal" else sources[0]: found[sources[0]]}
    wanted: dict[str, Any] = {key: found[key] for key in ("level", "tier") if key in found}
    return wanted | {"winnable": True} if wanted else {"random": True}
