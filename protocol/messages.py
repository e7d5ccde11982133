"""Types of the requests and the messages of the engine, as those of answers in `rules.answers`."""

from typing import Annotated, Literal, NotRequired, TypedDict

from ..rules.answers import (
    Advice,
    Answer,
    Deal,
    FairLine,
    Game,
    Games,
    Hinted,
    Level,
    Limits,
    Origin,
    Result,
    ReviewedLine,
    Tabled,
    Tablehint,
    Told,
)

# --- Requests -----------------------------------------------------------------------------------------------


class Position(TypedDict, total=False):
    """Parameters that name a position: exactly one of seed, pysol and deal."""

    game: Annotated[str, "May be left out where deal names it."]
    seed: Annotated[int, ("minimum", 0)] | Annotated[str, ("pattern", "^[0-9]{1,20}$")]
    pysol: Annotated[str, "A number of PySolFC."]
    deal: Annotated[
        Deal | str | list[list[str]],
        "A position: as JSON, or as text in any format that is read; a list has the cards of each column.",
    ]
    by: Annotated[Literal["columns", "rows"], "What the lines of cards of deal are, by default columns."]
    top: Annotated[Literal["last", "first"], "The place of the top card of each column, by default last."]
    choices: dict[str, str | int]
    moves: Annotated[list[str], "Moves that are made first.", ("maxItems", 2000)]


class Search(TypedDict, total=False):
    """Parameters of a search."""

    goal: Annotated[str, "Default: win.", ("enum", "goals")]
    limits: Limits
    shorten: Annotated[
        int,
        "Goals win, score, moves: work to shorten lines of the Simon games. Default 0, with goal moves"
        " 1000000.",
        ("minimum", 0),
    ]
    prove: Annotated[Limits, "Goal moves: what to spend on proofs of fewest moves."]
    visits: Annotated[int, "Goal chances: samples.", ("minimum", 1)]
    sees: Annotated[
        Literal["table", "stock", "all"],
        "Goal chances: what is seen of a known position, the table, the order of the stock too, or all cards."
        " Default: table.",
    ]


class _Request(TypedDict):
    jsonrpc: NotRequired[Literal["2.0"]]
    id: Annotated[int | str, ("maxLength", 40)]


class _NoParams(TypedDict):
    pass


class _Plain(_Request):
    method: Literal["hello", "games", "quit"]
    params: NotRequired[Annotated[_NoParams, ("unevaluatedProperties", False)]]


class _WishedParams(TypedDict):
    game: str
    seed: Annotated[int, ("minimum", 0)] | Annotated[str, ("pattern", "^[0-9]{1,20}$")]
    choices: NotRequired[dict[str, str | int]]
    winnable: NotRequired[Annotated[bool, "The first deal from seed on that can be won."]]
    difficulty: NotRequired[Annotated[Literal["easy", "medium", "hard"], "Only of this difficulty."]]
    tier: NotRequired[Annotated[Literal["win", "double", "triple"], "Only if this tier can be reached."]]
    limits: NotRequired[Annotated[Limits, "For each deal that is tried."]]


class _Wished(_Request):
    method: Literal["deal"]
    params: Annotated[_WishedParams, ("unevaluatedProperties", False)]


class _Place(_Request):
    method: Literal["deal", "position", "legal"]
    params: Annotated[Position, ("unevaluatedProperties", False)]


class _ApplyParams(Position):
    move: Annotated[str | Told, "Text, or one of the options of legal."]


class _Apply(_Request):
    method: Literal["apply"]
    params: Annotated[_ApplyParams, ("unevaluatedProperties", False)]


class _GoParams(Position, Search):
    pass


class _Go(_Request):
    method: Literal["go"]
    params: Annotated[_GoParams, ("unevaluatedProperties", False)]


class _ReviewParams(Position):
    sees: NotRequired[
        Annotated[
            Literal["table", "stock", "all"],
            "What the player saw; by default all. The moves of the parameters are those of the game.",
        ]
    ]
    visits: NotRequired[Annotated[int, "With table and stock: samples for each position.", ("minimum", 1)]]
    limits: NotRequired[Annotated[Limits, "For each position that is solved with all cards seen."]]


class _Review(_Request):
    method: Literal["review"]
    params: Annotated[_ReviewParams, ("unevaluatedProperties", False)]


class _DifficultyParams(Position):
    limits: NotRequired[Limits]


class _Difficulty(_Request):
    method: Literal["difficulty"]
    params: Annotated[_DifficultyParams, ("unevaluatedProperties", False)]


class _StopParams(TypedDict):
    id: NotRequired[int | str | None]


class _Stop(_Request):
    method: Literal["stop"]
    params: NotRequired[Annotated[_StopParams, ("unevaluatedProperties", False)]]


Request = _Plain | _Wished | _Place | _Apply | _Go | _Review | _Difficulty | _Stop
"""A line that the engine reads."""

# --- Results of requests ------------------------------------------------------------------------------------

Id = int | str


class Hello(TypedDict):
    """The version and the abilities of the engine."""

    engine: Literal["winnable"]
    version: str
    schema: str
    methods: list[str]
    games: list[Game]
    goals: list[str]
    limits: list[str]
    most_bytes: int
    most_moves: int


class Placed(TypedDict):
    """A position, with facts that need no search."""

    position: Deal
    text: str
    over: Annotated[str | None, ("enum", (None, "won", "stuck"))]
    score: int | None
    read_as: NotRequired[Annotated[str, "How a table was understood that was read without seed or number."]]


class Moved(Placed, Told):
    """A move that was made, and the position after it."""


class Legal(TypedDict):
    """The legal moves of a position."""

    options: list[Told]


class _FoundTable(Origin, Tabled):
    goal: Literal["win"]


class _FoundTableMoves(Origin, Tablehint):
    goal: Literal["moves"]


class _FoundResult(Origin, Result):
    goal: Literal["win", "score", "shortest"]


class _FoundMoves(Origin, Hinted):
    goal: Literal["moves"]


class _FoundChances(Origin, Advice):
    goal: Literal["chances"]
    reason: Annotated[str | None, "The limit that ended the search, or null.", ("enum", "reasons")]


Found = _FoundTable | _FoundTableMoves | _FoundResult | _FoundMoves | _FoundChances
"""go: what was found for the goal."""


class _SeenGame(Origin, ReviewedLine):
    pass


class _HiddenGame(Origin, FairLine):
    pass


ReviewedGame = _HiddenGame | _SeenGame
"""review: a game judged with all cards seen, or by what its player saw."""


class Measured(Origin, Level):
    """difficulty."""


class Stopped(TypedDict):
    """The searches that were stopped."""

    stopped: list[Id]


class Done(TypedDict):
    """The answer to quit, which has no keys."""


# --- Messages -----------------------------------------------------------------------------------------------


class _News(TypedDict):
    id: Id
    seconds: float
    stage: NotRequired[str]
    part: NotRequired[str]
    states: NotRequired[Annotated[int, ("minimum", 0)]]
    megabytes: NotRequired[float]
    score: NotRequired[int | None]
    length: NotRequired[Annotated[int, ("minimum", 0)] | None]
    lower_bound: NotRequired[int | None]
    verdict: NotRequired[Annotated[str, ("enum", "verdicts")]]
    moves: NotRequired[list[str] | None]


class Info(Answer):
    """News of a running search: its progress (with stage), or a better line or bound (with verdict)."""

    jsonrpc: Literal["2.0"]
    method: Literal["info"]
    params: _News


class Reply(Answer):
    """The answer to a request."""

    jsonrpc: Literal["2.0"]
    id: Id
    result: Hello | Games | Placed | Moved | Legal | Found | ReviewedGame | Measured | Stopped | Done


class _Problem(TypedDict):
    code: Literal[-32700, -32600, -32601, -32602, -32603, -1, -2]
    message: str


class Refusal(Answer):
    """The answer to a request that failed: no JSON, no request, no such method, wrong parameters, a failure
    of the engine, stopped before there was an answer, too many searches wait."""

    jsonrpc: Literal["2.0"]
    id: Id | None
    error: _Problem


Message = Info | Reply | Refusal
"""A line that the engine writes."""
