"""Types of the JSON of answers and deals, from which `protocol.schema` makes the JSON Schema.

A public type is a definition of the schema, described by its docstring; a private type is written out where
it is used. A text in ``Annotated`` describes a key, and a pair is a keyword of JSON Schema with its value; an
``enum`` may be the name of a table of `protocol.schema`. Other modules import these types for type checkers
alone, so that they cost no time at the start.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

# --- Values -------------------------------------------------------------------------------------------------

Game = Annotated[str, ("enum", "games")]
Choice = str
"""A rule that players agree on."""
_Natural = Annotated[int, ("minimum", 0)]
_Positive = Annotated[int, ("minimum", 1)]
Seed = _Natural | Annotated[str, ("pattern", "^[0-9]{16,20}$")]
"""A number from 0 to 2^64 - 1, from 2^53 on as a string of digits: numbers of JavaScript end there."""
Cards = str
"""Cards such as 3S TH <KD> XB=6, deepest first; a face-down card has brackets, an unknown one is <??>."""

_Verdict = Annotated[str, ("enum", "verdicts")]
_Reason = Annotated[str | None, "The limit that ended the search, or null.", ("enum", "reasons")]
_Tier = Annotated[str | None, ("enum", "tiers")]
_Length = Annotated[_Natural | None, "The number of moves."]
_IsShortest = Annotated[bool, "Proved: no line is shorter."]
_LowerBound = Annotated[int | None, "Proved: no line has fewer moves."]
_Score = Annotated[int | None, "In scored games: the greatest score found."]
_ScoreBound = Annotated[int | None, "No line has a greater score."]
_IsExact = Annotated[bool | None, "Score and bound are equal, which is proved."]
_Fraction = Annotated[list[int], ("minItems", 2), ("maxItems", 2)]
_Pair = Annotated[list[str], ("minItems", 2), ("maxItems", 2)]

# --- Deals --------------------------------------------------------------------------------------------------


class Answer(TypedDict):
    """The key that every answer has: the name of the schema, added when it is printed or sent."""


class _Options(TypedDict):
    """The rule options, whose keys are those of `rules.choices.CHOICES`."""


class Origin(_Options):
    """The deal that an answer is about."""

    game: Game
    seed: Seed | None
    pysol: NotRequired[str]
    moves_made: NotRequired[_Natural]
    deal: NotRequired[Annotated[int, "Its number in a file, from 1."]]
    read_as: NotRequired[Annotated[str, "How a table was understood that was read without seed or number."]]


class Deal(_Options):
    """A deal or position; stock is a number of cards where these are not known."""

    schema: NotRequired[Annotated[str, ("enum", "schemas")]]
    game: Game
    seed: NotRequired[Seed]
    pysol: NotRequired[str]
    moves_made: NotRequired[_Natural]
    position: NotRequired[
        Annotated[str, "Of a position that could be taken for a deal typed wrongly.", ("enum", "marks")]
    ]
    ranks: NotRequired[int]
    suits: NotRequired[str]
    columns: list[Cards]
    stock: NotRequired[Cards | _Natural]
    waste: NotRequired[Cards]
    removed: NotRequired[Cards]
    foundations: NotRequired[dict[str, str]]
    redeals: NotRequired[_Natural]


_Dealt = Annotated[Deal, ("required", ("schema",))]

Deals = _Dealt | list[_Dealt]
"""deal --json: one deal, or a list of several; deal --format jsonl has a line a deal."""

# --- Results ------------------------------------------------------------------------------------------------


class _Judged(TypedDict):
    verdict: _Verdict
    score: _Score
    tier: _Tier
    score_bound: _ScoreBound
    exact: _IsExact
    reason: _Reason


class _Measured(TypedDict):
    length: _Length
    shortest: _IsShortest
    lower_bound: _LowerBound


class Brief(_Judged, _Measured):
    """The verdict on a position after a move, without its line."""


class Result(_Judged, _Measured):
    """The verdict on a position."""

    moves: Annotated[
        list[str] | None, "A line of play that was replayed by the rules; null where there is none."
    ]
    expanded: _Natural
    generated: _Natural
    work: Annotated[_Natural, "Units of a microsecond or two, the same on every machine."]
    seconds: Annotated[float, "Time by the clock, which a limit of seconds counts."]
    cpu_seconds: Annotated[float, "The processor time of it."]
    engine: Annotated[str, ("enum", ("compiled", "reference"))]


class Limits(TypedDict, total=False):
    """Limits of a search; null: none. An absent one is none too, but megabytes of a request, 1,000."""

    nodes: Annotated[int | None, ("minimum", 0), ("maximum", 1000000000000000)]
    seconds: Annotated[float | None, ("minimum", 0)]
    megabytes: Annotated[float | None, ("minimum", 0)]
    work: Annotated[int | None, ("minimum", 0), ("maximum", 1000000000000000)]


# --- Tables with unknown cards ------------------------------------------------------------------------------


class Share(TypedDict):
    """The share of the arrangements that can be won if all cards are seen, exact or a 95 % interval of
    samples."""

    won: _Natural
    undecided: _Natural
    of: _Positive
    sampled: bool
    low: float
    high: float


class Bounds(TypedDict):
    """Proved bounds of the best chance of a player who does not see the unknown cards, as fractions."""

    low: _Fraction
    high: _Fraction


class Plan(TypedDict):
    """Moves, and how to go on after each outcome of the last of them."""

    turned: NotRequired[Annotated[list[str], "The cards that were turned up."]]
    moves: list[str]
    then: list["Plan"]


class _Table(TypedDict):
    reason: Annotated[str | None, ("enum", (None, "unknown cards", "seconds"))]
    certain: Annotated[
        str | None,
        "Won or lost whatever the unknown cards are; null where that is not proved.",
        ("enum", (None, "won", "lost")),
    ]
    unknown: _Natural
    arrangements: Annotated[_Positive, "The number of orders of the unknown cards."]
    share: Share
    best_chance: Bounds
    work: _Natural


class Tabled(_Table):
    """The answers for a table with unknown cards, of which each arrangement is equally likely."""

    verdict: _Verdict
    plan: Annotated[Plan | None, "A plan that wins for certain, or null."]


class _MoveChance(TypedDict):
    move: str
    best_chance: Bounds
    won: Annotated[_Natural, "Arrangements that can be won after the move if all cards are seen."]
    undecided: _Natural
    of: _Positive


class Tablehint(TypedDict):
    """A table with unknown cards and its moves, the best chance first."""

    table: Tabled
    options: list[_MoveChance]


# --- solve, difficulty --------------------------------------------------------------------------------------


class Spot(TypedDict):
    """A card in a column."""

    card: str
    column: _Positive


class Block(Spot):
    """A card and those that it waits for."""

    waits: list[Spot]
    text: str


class Why(TypedDict):
    """The grounds of a verdict."""

    text: str
    blocks: list[Block]


class Base(_Measured):
    """The verdict on a Chessboard position with a base rank."""

    base: str
    verdict: _Verdict
    score: Annotated[int | None, "The most cards up that were found, on request."]
    score_bound: Annotated[int | None, "No line puts more cards up."]
    exact: Annotated[bool | None, "Both are equal."]
    reason: _Reason


class Tried(_Measured):
    """The verdict on a position with a number of passes through the stock."""

    passes: int
    verdict: _Verdict
    reason: _Reason


class FewestPasses(TypedDict):
    """The fewest passes that win lie from ``least`` to ``most``."""

    least: Annotated[int | None, "null if no number of passes wins, or that is not known."]
    most: Annotated[int | None, "null without a limit."]
    tried: list[Tried]


class Solved(Answer, Origin, Result):
    """A deal, or a position, that was solved."""

    why: NotRequired[
        Annotated[
            Why,
            "On request: what the verdict rests on, and the cards that block each other, if they prove a"
            " loss.",
        ]
    ]
    bases: NotRequired[list[Base]]
    fewest_passes: NotRequired[Annotated[FewestPasses, "Of Klondike, on request."]]


class SolvedTable(Answer, Origin, Tabled):
    """A table with unknown cards that was solved."""


Solve = SolvedTable | Solved
"""solve --json, a line a deal, which may be a table with unknown cards."""


class Level(TypedDict):
    """The difficulty of a deal."""

    verdict: _Verdict
    difficulty: Annotated[str | None, ("enum", "levels")]
    ease: float | None
    hard_below: float
    easy_from: float
    reason: _Reason


class Difficulty(Answer, Origin, Level):
    """difficulty --json, a line a deal."""


# --- verify, check, review ----------------------------------------------------------------------------------


class VerifiedLine(Answer):
    """A line that was replayed."""

    game: Game
    correct: bool
    moves: list[str]
    length: _Natural
    score: int | None
    tier: _Tier
    failed_move: Annotated[int | None, "The number of the illegal move, from 1."]
    failed_text: str | None
    reason: Annotated[str | None, "The reason, in words."]


class VerifiedPlan(Answer):
    """A plan that was replayed for every arrangement of the unknown cards."""

    game: Game
    correct: bool
    arrangements: _Positive | None
    reason: str | None


Verify = VerifiedPlan | VerifiedLine
"""verify --json, of a line or of a plan for a table with unknown cards."""


class Claim(TypedDict):
    """The claim that a certificate proves."""

    game: Game
    choices: dict[str, str]
    ranks: int
    suits: str
    columns: int
    seed: int | None
    position: str
    claim: str
    value: int | None
    greatest_score: int | None
    is_unwinnable: bool
    positions: int
    lemmas: list[str]


class Accepted(Answer, Claim):
    """A certificate that was accepted."""

    file: str
    accepted: Literal[True]


class Refused(Answer):
    """A certificate that was not accepted."""

    file: str
    accepted: Annotated[
        Literal[False] | None, "false: refused; null: a limit of seconds or memory ended the check."
    ]
    reason: str


Check = Refused | Accepted
"""check --json, a line a file."""


class Reached(_Judged):
    """The verdict on a position of a line."""


class Reviewed(_Judged):
    """A move of a line, and the verdict on the position after it."""

    number: int
    move: str
    better: Annotated[str | None, "A move that kept what this one lost."]


class ReviewedLine(Reached):
    """A line of play, judged with all cards seen."""

    steps: list[Reviewed]
    mistakes: Annotated[list[int], "The numbers of the moves that lost something."]


# --- Moves and their chances --------------------------------------------------------------------------------

Told = TypedDict(
    "Told",
    {
        "move": str,
        "does": str,
        "effects": list[str],
        "card": Annotated[
            str, "The deepest of the cards that move, such as 7S; of a draw the one that is on top then."
        ],
        "from": Annotated[
            str,
            "The number of a column, s (stock), w (waste), f (foundation) or fS (that of spades), as in the"
            " move.",
        ],
        "to": Annotated[str, "As from; x is out of play; where a joker is declared, its place."],
        "count": Annotated[_Positive, "The number of cards that move."],
        "declares": Annotated[str | None, "The rank that a joker takes by the move."],
        "turns_up": Annotated[str | None, "The card that is turned up in a column."],
        "exchanges": Annotated[list[_Pair], "Each card and the joker that change places."],
    },
)
"""A legal move as text, in a sentence, what else it does in sentences, and all of it in parts."""


class Option(Brief, Told):
    """A legal move, and the verdict on the position after it."""

    keeps: Annotated[
        bool | None,
        "Whether the win, in scored games the best tier known before the move, can still be reached after it;"
        " null where undecided.",
    ]


class Hinted(Result):
    """The verdict on a position, and on each move."""

    options: Annotated[list[Option], "All moves, the best first."]


class Chance(TypedDict):
    """The estimated chance of a tier."""

    probability: float
    error: Annotated[float, "The standard error of the estimate."]
    low: Annotated[float, "The lower end of its 95 % interval; 0 where no sample reached the tier."]
    high: Annotated[float, "The upper end of its 95 % interval; 1 where all samples did."]


class _Chances(TypedDict, total=False):
    win: Chance
    double: Chance
    triple: Chance


class _Behind(TypedDict):
    tiers: float
    error: float


class _Trial(_Chances):
    samples: _Natural
    behind: _Behind | None


class FairMove(TypedDict):
    """A move of a game, judged by what its player saw before it."""

    number: _Positive
    move: str
    word: Annotated[str, ("enum", ("best", "good", "inaccuracy", "mistake", "blunder"))]
    forced: Annotated[bool, "No other move was legal: it has no chances and loses nothing."]
    certain: Annotated[bool, "The chances are proved."]
    best: Annotated[
        float | None,
        "The winning chance after the best move, from 0 to 1; in games with tiers the mean of their chances,"
        " by their worth.",
    ]
    made: Annotated[float | None, "The winning chance after the move that was made."]
    games: Annotated[_Natural, "The games played after each of the two moves to compare them."]
    loss: Annotated[
        float,
        "Their difference, if it is more than twice its standard error; else 0. From 0.05 on it is proved or"
        " found in games, a smaller one is an estimate.",
    ]
    error: Annotated[float, "The standard error of the difference."]
    better: Annotated[str | None, "The best move; null unless something was lost."]
    chances: Annotated[_Chances, "The chance of each tier after the move that was made."]
    best_chances: _Chances


class FairLine(TypedDict):
    """A line of play, judged by what its player saw."""

    sees: Annotated[Literal["table", "stock"], "What the player saw of the hidden cards."]
    start: Annotated[float | None, "The winning chance before the first move that was not forced."]
    lost: Annotated[float, "The winning chance that was lost by play: the sum of all losses."]
    luck: Annotated[float | None, "result - start + lost, of a game played to its end."]
    result: Annotated[float, "The worth of what was reached, from 0 to 1."]
    gone: Annotated[
        dict[str, int | None],
        "For each tier that was not reached, the number of the move after which it was out of reach for"
        " someone who sees all cards; 0: from the start; null: it is not known to be.",
    ]
    words: Annotated[dict[str, _Natural], "The number of moves by word, without forced ones."]
    forced: _Natural
    steps: list[FairMove]
    mistakes: Annotated[list[int], "The numbers of the inaccuracies, mistakes and blunders."]
    reason: _Reason


class _ReviewedLine(Answer, Origin, ReviewedLine):
    pass


class _FairLine(Answer, Origin, FairLine):
    pass


Review = _FairLine | _ReviewedLine
"""review --json: a game judged with all cards seen, or by what its player saw."""


class Advised(_Chances):
    """Moves that a player considered, and their chances."""

    moves: Annotated[list[str], "Moves that belong together."]
    visits: _Natural
    reason: NotRequired[str]
    trial: NotRequired[_Trial]


class LegalChance(_Chances):
    """A legal move, and the chances after it if play goes on as the player advises."""

    move: str
    certain: Annotated[bool, "All chances after it are proved."]


class Advice(TypedDict):
    """The advice of a player who does not see hidden cards."""

    player: str
    unseen: _Natural
    score: _Natural
    options: list[Advised]
    table: NotRequired[Tabled]
    legal: NotRequired[Annotated[list[LegalChance], "On request: each legal move, the best first."]]


class HintedMoves(Answer, Origin, Hinted):
    """The moves of a position, and what is proved of them."""


class HintedTable(Answer, Origin, Tablehint):
    """The moves of a table with unknown cards, and what is proved of them."""


class HintedPlay(Answer, Origin, Advice):
    """The advice of a player about a position."""


Hint = HintedMoves | HintedTable | HintedPlay
"""hint --json: what is proved of the moves, or the advice of a player who does not see hidden cards."""

# --- replay, simulate, describe, errors ---------------------------------------------------------------------


class _Pile(TypedDict):
    kind: str
    name: str
    cards: str
    note: str


class Picture(TypedDict):
    """The places of all cards."""

    columns: list[Cards]
    piles: list[_Pile]
    jokers: list[str]
    score: int | None


class _Shown(Picture):
    position: Deal


class _ShownMove(_Shown, Told):
    pass


class Replay(Answer, Origin):
    """replay --json; each step but the first has the move that led to it."""

    verdict: _Verdict | None
    outcome: str
    wing: Annotated[int | None, "The columns of the left wing."]
    steps: list[_Shown | _ShownMove]


class Decision(TypedDict):
    """A decision of a player: the moves made, the position before them and the moves considered."""

    moves: list[str]
    position: Deal
    advice: list[Advised]


class Simulated(Answer, Origin):
    """A game of a player."""

    player: str
    score: _Natural
    tier: _Tier
    decisions: list[Decision]
    moves: list[str]
    length: _Natural


Simulate = Simulated | _Dealt
"""simulate --json: a game of a player, or the position before a decision."""


class Rules(TypedDict):
    """The rules of a game."""

    game: Game
    title: str
    summary: str
    cards: int
    sizes: list[int]
    scored: bool
    hidden: Annotated[bool, "Cards lie face down."]
    choices: dict[str, list[str]]
    rules: str


class Games(TypedDict):
    """The rules of all games."""

    games: list[Rules]


class _DescribedGame(Answer, Rules):
    pass


class _DescribedGames(Answer, Games):
    pass


class _DescribedDealer(Answer):
    dealer: str


Describe = _DescribedGame | _DescribedGames | _DescribedDealer
"""describe --json: a game, all games, or the dealer."""


class _Failure(TypedDict):
    status: Literal[1, 2, 130]
    message: str


class Error(Answer):
    """A command that failed, or a deal of several that solve cannot read, which has the number ``deal``."""

    deal: NotRequired[int]
    error: Annotated[_Failure, "The exit status, and the line on standard error."]


# --- rate, report, bench ------------------------------------------------------------------------------------


class _Figures(TypedDict):
    mean: float
    median: float
    p90: float
    p99: float
    max: float


Spread = _Figures | None
"""The distribution of a number over the deals."""


class Estimate(TypedDict):
    """The number of deals that have a property, and its rate with the 95 % interval."""

    count: _Natural
    rate: float | None
    low: float
    high: float


class TierRate(Estimate):
    """The number of deals that reach a tier, and its rate."""

    tier: _Tier
    score: int


class PairedTier(Estimate):
    """The number of deals that reach a tier, of those in which it is possible."""

    tier: _Tier
    score: int
    possible: _Natural


class Paired(TypedDict):
    """The games of a player beside the best scores of the same deals."""

    deals: _Natural
    tiers: list[PairedTier]
    score: float | None
    greatest_score: float | None


class Mean(TypedDict):
    """A mean with its 95 % interval. Where a limit left open what a deal comes to, mean and low count the
    least and mean_bound and high the most."""

    mean: float
    low: float
    high: float
    mean_bound: float


class CardsUp(Mean):
    """The mean number of cards on the foundations, of the deals whose score is known."""

    deals: _Positive
    cards: int


class Payout(Mean):
    """The mean of what a Vegas game pays: a_card for each card up, less the stake."""

    a_card: int
    stake: int


class LostClass(Estimate):
    """The number of lost deals that are of a class, and its rate among them."""

    score: Annotated[float | None, "The mean of their scores, as far as these are known."]


class LostClasses(TypedDict):
    """Classes of lost deals. Each deal is of the first one that holds, in the order of the keys; a class that
    is not asked about in the game is left out. Undecided deals count for the upper ends of the intervals."""

    lost: Annotated[_Natural, "All lost deals."]
    deals: Annotated[_Natural, "Those of them whose class was asked for: all, or a sample spread evenly."]
    undecided: Annotated[_Natural, "Deals whose class a limit left open."]
    no_move: Annotated[LostClass, "There is no legal move."]
    no_card_up: NotRequired[Annotated[LostClass, "No line of play puts a card on a foundation."]]
    blocked: NotRequired[Annotated[LostClass, "Cards block each other, and no column is ever emptied."]]
    relaxation: NotRequired[
        Annotated[LostClass, "A game with fewer restrictions is lost, by a search or a bound."]
    ]
    search: Annotated[LostClass, "A complete search of the game itself proves the loss."]


class Summary(_Options):
    """The results of many deals."""

    game: Game
    player: NotRequired[str]
    deals: _Natural
    winnable: NotRequired[_Natural]
    unwinnable: NotRequired[_Natural]
    undecided: NotRequired[_Natural]
    won: NotRequired[_Natural]
    lost: NotRequired[_Natural]
    unfinished: NotRequired[_Natural]
    rate: Annotated[
        float | None,
        "With low and high, the 95 % Wilson interval; undecided deals count as lost for low and as won for"
        " high.",
    ]
    low: float
    high: float
    exact: NotRequired[_Natural]
    tiers: NotRequired[list[TierRate]]
    scores: NotRequired[
        Annotated[
            dict[str, _Natural],
            "The number of deals by score, or by the greatest one found where that is not proved; exact is"
            " the number of proved ones.",
        ]
    ]
    classes: NotRequired[LostClasses]
    cards_up: NotRequired[CardsUp]
    payout: NotRequired[Payout]
    proved_shortest: NotRequired[_Natural]
    shortest_length: NotRequired[Spread]
    length: Spread
    expanded: Spread
    deal_cpu_seconds: Spread
    seconds: float
    cpu_seconds: float
    deals_per_second: float | None
    peak_megabytes: NotRequired[
        Annotated[float | None, "The most that a process held that made the rows; null if that is not known."]
    ]
    limits: Limits
    engine: str
    version: Annotated[str, "The version that made the store."]
    versions: NotRequired[
        Annotated[dict[str, _Positive], "The number of deals that each version decided or played."]
    ]
    workers: NotRequired[int]
    certificates: NotRequired[dict[str, _Natural]]
    paired: NotRequired[Paired]


class Report(Answer, Summary):
    """report --json."""


class _Span(TypedDict):
    least: _Natural
    most: _Natural


class _MeanBounds(TypedDict):
    low: float | None
    high: float | None


class TableRow(_Table):
    """The answers for a table of a file."""

    deal: Annotated[_Positive, "Its number in the file, from 1."]


class Tablerate(_Options):
    """The results of a file in which some deals have unknown cards."""

    game: Game
    deals: _Natural
    unknown: Annotated[_Span, "The least and the most unknown cards of a deal."]
    won_for_certain: _Natural
    lost_for_certain: _Natural
    undecided: Annotated[_Natural, "Deals that are proved to be neither."]
    sampled: Annotated[_Natural, "Deals whose share is that of samples."]
    rate: Annotated[
        float | None,
        "The mean share of the arrangements that can be won if all cards are seen; low and high are the means"
        " of its bounds.",
    ]
    low: float
    high: float
    best_chance: Annotated[
        _MeanBounds, "The means of the proved bounds of the best chance without seeing the unknown cards."
    ]
    tables: list[TableRow]
    limits: Limits
    version: str


class _RatedTables(Answer, Tablerate):
    pass


Rate = Report | _RatedTables
"""rate --json; tablerate is that of a file in which some deals have unknown cards."""


_Classified = TypedDict(
    "_Classified",
    {
        "class": NotRequired[
            Annotated[str | None, "Why a lost deal is lost, if that was asked for: a key of lost_classes."]
        ]
    },
)


class Row(Answer, _Options, _Measured, _Classified):
    """report --jsonl, a line a deal."""

    seed: NotRequired[Seed]
    pysol: NotRequired[str]
    deal: NotRequired[int]
    verdict: str
    score: Annotated[
        int | None,
        "The greatest score found, in scored games and on request. In games of a player: the cards up.",
    ]
    tier: _Tier
    score_bound: _ScoreBound
    exact: _IsExact
    expanded: _Natural
    generated: _Natural
    cpu_seconds: float
    reason: _Reason
    game: Game
    version: str
    max_nodes: Annotated[float | None, "The limits that held for the deal; null is none."]
    max_seconds: float | None
    max_megabytes: float | None
    max_work: float | None


class _BenchRow(TypedDict):
    game: Annotated[
        str, "The name of a game, followed by -shortest, -bound and so on where that was searched for."
    ]
    deals: int
    winnable: int
    unwinnable: int
    undecided: int
    expanded: int
    generated: int
    work: Annotated[int, "Units of work."]
    moves: Annotated[int, "Moves of all lines together."]
    bounds: Annotated[int, "Lower bounds of all lines together."]
    rounds: int
    cpu_seconds: float
    nodes_per_second: float
    deals_per_second: float


class Bench(Answer):
    """bench --json."""

    rows: list[_BenchRow]
