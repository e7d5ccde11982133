"""Tools for language models, by the Model Context Protocol: requests of the engine, with named positions."""

import json
import threading
from itertools import count
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import TextContent
from pydantic import Field, ValidationError

from .. import __version__
from ..protocol import requests
from ..rules import VARIANTS, find_variant, has_unknown
from ..rules.cards import shown
from ..rules.formats.text import format_table
from ..rules.moves import drawn_card
from ..rules.tables import draws_unknown, seen
from ..solver.progress import Watch
from ..solver.verify import WrongMove

Given = dict[str, Any]
Game = Annotated[str, Field(json_schema_extra={"enum": [*VARIANTS]})]
Place = Annotated[str, Field(description="A position: its name, such as p3, or text below '# game: NAME'.")]
Moves = Annotated[list[str], Field(description="Moves that are made from there, such as '7S 2-f'.")]
Sees = Annotated[Literal["table", "stock", "all"], Field(description="The cards that the player sees.")]
Seconds = Annotated[float, Field(ge=0, le=60, description="The limit of the search.")]

_INSTRUCTIONS = """Deal, play and solve games of solitaire. An answer with a position names it (p1, p2, ...):
give the name as deal in other tools, to go on from there or to take moves back. Verdicts are proved by a
solver that knows all cards. To play without seeing the hidden cards give sees: table; then hints are
chances."""
_DRAW = "?? s-w"


class Server(MCPServer[Any]):
    """A server whose answers are structured, and for the model text: a position, and the rest as JSON."""

    async def call_tool(self, name: str, arguments: Given, context: Context[Any, Any] | None = None) -> Any:
        """Call a tool. Raises ToolError with one line for the client."""
        for tool in await self.list_tools():
            known = tool.input_schema["properties"]
            if tool.name == name and (others := arguments.keys() - known.keys()):
                raise ToolError(f"{shown(min(others))}: no such parameter; expected {', '.join(known)}")
        try:
            result: Any = await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValueError):
                raise
            raise ToolError(_line(error.__cause__)) from error.__cause__
        answer = dict(result.structured_content)
        result.content = [TextContent(text=answer.pop("text", "") + json.dumps(answer))]
        return result


def _line(error: ValueError) -> str:
    """The text of ``error`` as one line."""
    text = str(error)
    if isinstance(error, ValidationError):
        text = "; ".join(f"{each['loc'][0]}: {each['msg']}" for each in error.errors())
    return " ".join(text.split()).replace("Input should be", "expected")[:500]


server = Server("winnable", version=__version__, instructions=_INSTRUCTIONS, log_level="ERROR")
named: dict[str, Given] = {}
"""The engine's parameters of the last 10,000 positions that an answer named."""

_numbers = count(1)


@server.tool()
def describe(game: Game | None = None) -> Given:
    """Return the rules of a game, its rule options and the notation of moves; without game all games."""
    if game is None:
        return {"games": [{"game": each.name, "summary": each.summary} for each in VARIANTS.values()]}
    return {**find_variant(game).to_dict(), "legend": find_variant(game).legend}


@server.tool()
def deal(
    game: Game,
    seed: int | str | None = None,
    pysol: Annotated[str | None, Field(description="A number of PySolFC, instead of seed.")] = None,
    choices: Annotated[dict[str, int | str] | None, Field(description="Rule options.")] = None,
    winnable: bool | None = None,
    difficulty: Literal["easy", "medium", "hard"] | None = None,
    tier: Literal["win", "double", "triple"] | None = None,
    sees: Sees = "all",
    seconds: Seconds = 5,
) -> Given:
    """Deal the game of a seed; with winnable, difficulty or tier the first such deal from that seed on.
    Returns what play returns."""
    origin = {"game": game, "seed": seed, "pysol": pysol, "choices": choices}
    place = {name: value for name, value in origin.items() if value is not None}
    if winnable or difficulty or tier:
        wishes = {"winnable": winnable, "difficulty": difficulty, "tier": tier}
        place["seed"] = _found("deal", place | wishes, seconds)["position"]["seed"]
    return _played(place, sees)


@server.tool()
def play(deal: Place, moves: Moves, sees: Sees = "all") -> Given:
    """Make moves. Returns the position after them as text, its name, the legal moves and the legend of their
    notation, and over: won, or stuck without a legal move. An illegal move is refused with the reason, and no
    position ever changes: so try a move to learn why it is illegal."""
    return _played(_place(deal, moves, sees), sees)


@server.tool()
def hint(deal: Place, sees: Sees = "all", seconds: Seconds = 5) -> Given:
    """Rank the legal moves of a position, the best first: whether each keeps the win, what is proved after
    it, and the length of a solution. Where cards are hidden, the best moves with their chances instead."""
    place = _place(deal)
    state = requests.position_of(place).state
    if has_unknown(state) or has_unknown(seen(state, sees)):
        place |= {"goal": "chances", "sees": "table" if sees == "all" else sees}
    return _found("go", {"goal": "moves", **place}, seconds)


@server.tool()
def solve(deal: Place, goal: Literal["win", "score", "shortest"] = "win", seconds: Seconds = 5) -> Given:
    """Decide whether a position can be won: the verdict, and the moves of a solution or of the best line. The
    goal may be score (the most cards up) or shortest (the fewest moves), too."""
    return _found("go", {**_place(deal), "goal": goal}, seconds)


@server.tool()
def verify(deal: Place, moves: Moves) -> Given:
    """Replay moves by the rules. Returns whether all are legal, and what play returns then; else the reason,
    with the number of the illegal move since the deal."""
    try:
        return {"legal": True} | play(deal, moves)
    except WrongMove as error:
        return {"legal": False, "reason": str(error)}


@server.tool()
def review(deal: Place, moves: Moves | None = None, sees: Sees = "all", seconds: Seconds = 5) -> Given:
    """Find the mistakes of a game: its moves since the deal, those given last. With sees all these are the
    moves that provably lose the win or a tier; with table or stock those that lower the chances of a player
    who sees no more. Returns each with a better move, and what holds after the last move."""
    found = _found("review", {**_place(deal, moves, sees), "sees": sees}, seconds)
    mistakes = [each for each in found["steps"] if each["number"] in found["mistakes"]]
    return found | {"steps": mistakes, "after": found["steps"][-1:]}


def _place(deal: str, moves: list[str] | None = None, sees: str = "all") -> Given:
    """The parameters of a position by its name or its text, after ``moves``. Where cards are hidden, a draw
    names no card, so that the refusal of a wrong one does not tell which comes next."""
    if deal not in named and len(deal.split()) == 1:
        raise ValueError(f"deal {shown(deal)}: expected the name in an earlier answer, or a position as text")
    place = named.get(deal, {"deal": deal})
    made = [_DRAW if sees != "all" and drawn_card(move) else move for move in moves or []]
    return place | {"moves": place.get("moves", []) + made}


def _played(place: Given, sees: str) -> Given:
    """The position of the engine's parameters ``place``, which gets a name, as it is seen."""
    found, deal = requests.position(place), requests.position_of(place)
    table, number = seen(deal.state, sees), next(_numbers)
    named[f"p{number}"] = place
    named.pop(f"p{number - 10_000}", None)
    moves = deal.variant.family.legal_moves(deal.state)
    return {
        "text": format_table(table) if has_unknown(table) else found["text"],
        "name": f"p{number}",
        "over": found["over"],
        "cards_up": deal.variant.cards_up(deal.state),
        "score": found["score"],
        "legal": [_DRAW if draws_unknown(table, move) else str(move) for move in moves],
        "legend": deal.variant.legend,
    }


def _found(method: str, params: Given, seconds: float) -> Given:
    """The engine's answer to a search. Each part keeps the limit on seconds, and soon after, all is ended."""
    search = requests.search_of(method, {**params, "limits": {"seconds": seconds}})
    watch = Watch()
    timer = threading.Timer(seconds + 0.5, watch.stop)
    timer.start()
    try:
        return dict(search(watch, lambda news: None)) if search else {}
    except KeyboardInterrupt:
        raise ValueError("expected an answer in time, got none; allow more seconds") from None
    finally:
        timer.cancel()
