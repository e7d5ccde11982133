"""The page of results: the figures as Markdown."""

from collections.abc import Iterable, Sequence
from math import erfc, sqrt
from typing import Any, NamedTuple

from winnable.rules import find_variant

from .runs import PLAYED, PLAYERS, READINGS, RUNS, TITLES

Figures = dict[str, Any]

INTRODUCTION = """# Results

How often can these games be won, in how few moves, and with how much work? This page is made by
`python -m benchmarks.results DIRECTORY` from the stores that `winnable rate` wrote; the figures are also in
[results.json](results.json). The verdicts of the first 1,000 seeds of each game stand one by one in
[seeds/](../seeds/README.md). [What is proved, and how](../docs/method.md) says what to trust.

Intervals are Wilson's, 95 %; a deal that a limit left undecided counts as lost for the lower end and as won
for the upper one. All cards are taken to be known, but where a player is named. Every line found was replayed
by a second, compiled set of rules, and that of every thousandth seed by the readable rules too, from the
readable dealer on. A percentage of a distribution is the least value that so many deals do not surpass. CPU
time is that of dealing, searching and replaying a deal. A limit on work ends a search at the same place on
every machine, so that the same command makes the same lengths and bounds again: a unit of work took about a
microsecond on the machine where it was weighed. With a limit of seconds another machine finds and proves
more, or less.

Joker Solitaire is read in two ways ([how we read the rules](../docs/rules.md))."""


class Published(NamedTuple):
    """A rate that others published: who, with a verb; deals won, and deals; a remark."""

    source: str
    won: int
    deals: int
    remark: str = ""


class Stated(NamedTuple):
    """A rate published as a percentage with half of its interval of 95 %, without the number of deals."""

    source: str
    rate: float
    half: float


_BLAKE_GENT = (
    "C. Blake and I. P. Gent ([The Winnability of Klondike Solitaire and Many Other Patience "
    "Games](https://arxiv.org/abs/1906.12314)) found winnable"
)
_DANG = "N. Dang, I. P. Gent and others (Constraint Models for Klondike, 2025)"
_LONELYBOT = "[lonelybot](https://github.com/vuonghy2442/lonelybot) found winnable"

RATES = {
    "fortress": [
        Published(
            "J. Wolter ([Experimental Analysis of Fortress Solitaire]"
            "(https://politaire.com/article/fortress.html), 2014) solved",
            202_396,
            1_000_000,
        )
    ],
    "klondike": [
        Published(_BLAKE_GENT, 819_382, 1_000_000, ", with 83 undecided"),
        Published(_LONELYBOT, 4_843_708, 5_910_579, ", by prunings that it says are not all proved"),
    ],
    "klondike-draw-one": [Stated(f"{_DANG} found", 90.454, 0.090)],
    "klondike-forward": [Published(f"{_DANG} found winnable", 1_630_728, 2_000_000)],
    "klondike-draw-one-forward": [Stated("C. Blake and I. P. Gent, as above, found", 90.204, 0.093)],
}
"""Rates known of the same game, with the counts that they rest on."""

PUBLISHED = {
    "chessboard": "We know of no published rate.",
    "simon-jester": (
        "Fourteen columns, as even as can be: six of 8 cards, then eight of 7. We know of no published rate. "
        "Never take these rates together with those of the triangular layout."
    ),
    "simon-jester-triangular": (
        "Columns of 13, 13, 12, 11, ..., 1 cards, as PySolFC deals the game. We know of no published rate."
    ),
    "simple-simon": (
        "Wikipedia ([Simple Simon](https://en.wikipedia.org/wiki/Simple_Simon_(solitaire))) tells of solvers "
        "that solved 85 % of random deals in 2001 and later well over 90 %. They try part of the moves and "
        "prove no loss, so these are lower bounds. We know of no rate with proofs."
    ),
    "joker": (
        "With 60 seconds a deal the greatest score is proved in all but 14 of the first 5,000. We know of no "
        "published rate."
    ),
    "joker-exposed": (
        "The usual reading of version 1, which made these runs: a card in the waste changes places with its "
        "joker whenever it is the top of the waste."
    ),
    "klondike-one-pass": (
        "Cards turned one at a time, one pass, nothing back from the foundations. We know of no published "
        "rate for this game; those known for Klondike with redeals are of another game."
    ),
    "klondike-forward": "Nothing comes back from the foundations, and any number of passes.",
    "klondike-draw-one-forward": "Nothing comes back from the foundations.",
    "klondike-vegas": "We know of no published rate.",
    "klondike-vegas-one": (
        "Cards come back from the foundations; in *Klondike, one pass* they do not. We know of no published "
        "rate."
    ),
}
"""Remarks on other rates, and the layout that is meant."""


def page(figures: Figures, sections: Sequence[str] = ()) -> str:
    """The whole page; ``sections`` come before what was run."""
    runs = figures["runs"]
    parts = [INTRODUCTION, "## Rates", rates_table(runs), widest(runs)]
    parts.append(picture("rates", "The rate of each game"))
    for variant, title in TITLES.items():
        if variant in runs or f"{variant}-shortest" in runs:
            parts += [f"## {title}", *game(figures, variant)]
    parts += [*sections, "## What was run", what_was_run(figures)]
    return "\n\n".join(parts) + "\n"


def picture(name: str, text: str) -> str:
    """A figure of plots/."""
    return f"![{text}](plots/{name}.png)"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# --- Rates ----------------------------------------------------------------------------------------------


def rates_table(runs: Figures) -> str:
    """All games with the rates of the plain runs; with tiers, of the first one and of all cards."""
    head = ("game", "goal", "deals", "winnable", "unwinnable", "undecided", "rate", "95 % interval")
    rows = [row for name, title in TITLES.items() if name in runs for row in rate_rows(title, runs[name])]
    return table(head, rows)


def widest(runs: Figures) -> str:
    """A sentence on the widest interval."""
    halves = {name: (runs[name]["high"] - runs[name]["low"]) / 2 for name in TITLES if name in runs}
    if not halves:
        return ""
    name = max(halves, key=lambda name: halves[name])
    return f"Half of each interval is at most {100 * halves[name]:.3f} percentage points ({TITLES[name]})."


def rate_rows(title: str, run: Figures) -> list[list[str]]:
    """A row for each goal of a game."""
    counts = tuple(run[name] for name in ("deals", "winnable", "unwinnable", "undecided"))
    goals = [(find_variant(run["game"]).goal(), counts, run)]
    if tiers := run.get("tiers"):
        deals, won, exact = run["deals"], tiers[-1]["count"], run["exact"]
        goals.append((f"all {tiers[-1]['score']} cards", (deals, won, exact - won, deals - exact), tiers[-1]))
    return [
        [title, goal, *(f"{count:,}" for count in counts), f"{estimate['rate']:.3%}", interval(estimate)]
        for goal, counts, estimate in goals
    ]


def interval(estimate: Figures) -> str:
    """The ends of an interval."""
    return f"{estimate['low']:.3%} to {estimate['high']:.3%}"


# --- A game ---------------------------------------------------------------------------------------------


def game(figures: Figures, variant: str) -> list[str]:
    """The paragraphs of one game."""
    runs = figures["runs"]
    plain, short = runs.get(variant), runs.get(f"{variant}-shortest")
    parts = []
    if plain:
        parts.append(f"{of_how_many(plain)}: {verdicts_text(plain)}.{open_text(plain)}")
        if "tiers" in plain:
            parts.append(tiers_table(plain))
        parts.append(distributions(plain))
    if variant == "joker":
        parts += ["The tiers under both readings of the rules:", readings_table(runs)]
    remarks = [PUBLISHED[variant]] if variant in PUBLISHED else []
    remarks += [beside(plain, other) for other in RATES.get(variant, ()) if plain]
    parts += [" ".join(remarks)] if remarks else []
    if short:
        parts += shortest(short, plain)
    if variant in PLAYED:
        parts += players(figures, variant)
    if plain or short:
        parts.append(picture(variant, f"{TITLES[variant]}: rate, work and lengths"))
    return parts


def of_how_many(run: Figures) -> str:
    """The command, with a remark if it is not finished."""
    text = f"`{run['command']}`"
    if run["deals"] < run["wanted"]:
        text += f" (under way: the first {run['deals']:,} deals)"
    return text


def verdicts_text(run: Figures) -> str:
    """Winnable, unwinnable and undecided deals, with their shares."""
    shares = (f"{run[name]:,} {name}, {run[name] / run['deals']:.3%}" for name in ("unwinnable", "undecided"))
    return "; ".join((f"{run['winnable']:,} winnable, {run['rate']:.3%} ({interval(run)})", *shares))


def open_text(run: Figures) -> str:
    """A sentence on the deals that are not decided, if there are such."""
    if not run["open"]:
        return ""
    seeds = ", ".join(map(str, run["open"]))
    more = ", ..." if len(run["open"]) < run["undecided"] else ""
    return f" Open, within {limits_text(run['limits'])} a deal: seeds {seeds}{more}."


def tiers_table(run: Figures) -> str:
    """The tiers, each with those above it."""
    rows = [
        [
            tier["tier"],
            f"{tier['score']} or more",
            f"{tier['count']:,}",
            f"{tier['rate']:.3%}",
            interval(tier),
        ]
        for tier in run["tiers"]
    ]
    text = table(("tier", "cards on foundations", "deals", "rate", "95 % interval"), rows)
    if "exact" in run:
        text += f"\n\nThe greatest score is proved in {run['exact']:,} of {run['deals']:,} deals."
        if run.get("unproved"):
            seeds = ", ".join(map(str, run["unproved"]))
            text += f" Not proved within {limits_text(run['limits'])} a deal: seeds {seeds}."
    return text


def readings_table(runs: Figures) -> str:
    """The tiers of Joker Solitaire, side by side for each reading of its rules."""
    found = {title: runs[name] for name, title in READINGS.items() if name in runs}
    head = ["tier", *(f"{title}, {run['deals']:,} deals" for title, run in found.items())]
    rows = [
        [tiers[0]["tier"], *(f"{tier['rate']:.3%} ({interval(tier)})" for tier in tiers)]
        for tiers in zip(*(run["tiers"] for run in found.values()), strict=True)
    ]
    return table(head, rows)


SPREAD = ("mean", "median", "p90", "p99", "max")
SPREAD_HEAD = ("mean", "median", "90 %", "99 %", "most")


def spread_row(title: str, spread: Figures | None, scale: float = 1, digits: int = 0) -> list[list[str]]:
    """A row with a distribution, if there is one."""
    if spread is None:
        return []
    values = [f"{spread[name] / scale:,.{max(digits, 1) if name == 'mean' else digits}f}" for name in SPREAD]
    return [[title, *values]]


def distributions(run: Figures) -> str:
    """Lengths of the lines found, and work."""
    rows = [
        *spread_row("moves of the first line found", run["length"]),
        *spread_row("states expanded", run["expanded"]),
        *spread_row("CPU time, ms", run["deal_cpu_seconds"], 0.001, 3),
    ]
    return table(("", *SPREAD_HEAD), rows)


def beside(run: Figures, other: Published | Stated) -> str:
    """The comparison with a rate published."""
    if isinstance(other, Stated):
        rate, half = 100 * run["winnable"] / run["deals"], 50 * (run["high"] - run["low"])
        score = 1.96 * (rate - other.rate) / sqrt(half**2 + other.half**2)
        return (
            f"{other.source} {other.rate} % ± {other.half:.3f} winnable. The difference from ours is "
            f"z = {score:.2f} standard errors, by both intervals; {as_often(score)}."
        )
    score = two_proportions(run["winnable"], run["deals"], other.won, other.deals)
    return (
        f"{other.source} {other.won:,} of {other.deals:,} deals, {other.won / other.deals:.3%}"
        f"{other.remark}. The difference from ours is z = {score:.2f} standard errors (two proportions, "
        f"pooled); {as_often(score)}."
    )


def as_often(score: float) -> str:
    """The chance of as great a z."""
    return f"chance alone gives as much in {erfc(abs(score) / sqrt(2)):.0%} of such comparisons"


def two_proportions(won: int, deals: int, other_won: int, other_deals: int) -> float:
    """The z of two rates under the hypothesis that they are one."""
    pooled = (won + other_won) / (deals + other_deals)
    error = sqrt(pooled * (1 - pooled) * (1 / deals + 1 / other_deals))
    return (won / deals - other_won / other_deals) / error


# --- Shortest lines -------------------------------------------------------------------------------------


def shortest(run: Figures, plain: Figures | None) -> list[str]:
    """The figures of a run for shortest lines."""
    won, proved = run["winnable"], run["proved_shortest"]
    limits = {name: value for name, value in run["limits"].items() if name != "megabytes"}
    limit = f", with at most {limits_text(limits)} a deal" if limits_text(limits) else ""
    share = f" ({proved / won:.1%})" if won else ""
    text = f"{of_how_many(run)}: of {won:,} lines {proved:,}{share} are proved to be shortest{limit}."
    if "tiers" in run:
        text += (
            " A line counts to the place where it reaches the best tier that was found; it is shortest if "
            "none reaches that tier in fewer moves. Turning a card of the stock is a move."
        )
    if run["undecided"]:
        text += f" Left undecided by the limit, and so without a line: {run['undecided']:,}."
    rows = [
        *spread_row("moves, proved to be the fewest", run["shortest_length"]),
        *(spread_row("moves of the shortest line known", run["length"]) if proved < won else []),
        *(spread_row("proved lower bound", run["lower_bound"]) if proved < won else []),
        *spread_row("gap between them where not proved", run["gap"]),
        *spread_row("moves of the first line of these deals", run["first_lines"]),
    ]
    for tier, spreads in run.get("of_tiers", {}).items():
        rows += spread_row(f"moves to *{tier}*", spreads["moves"])
        rows += spread_row(f"lower bound to *{tier}*", spreads["lower_bound"])
    rows += spread_row("CPU time, ms", run["deal_cpu_seconds"], 0.001, 3)
    return ["### Few moves", text, table(("", *SPREAD_HEAD), rows)]


# --- Players --------------------------------------------------------------------------------------------


OTHER_PLAYERS = {
    "klondike": [
        "Others who do not see the hidden cards: lonelybot 47.58 % ± 0.80; R. Bjarnason, A. Fern and P. "
        "Tadepalli (Lower Bounding Klondike Solitaire with Monte-Carlo Planning, 2009) 36.97 % ± 1.92."
    ]
}
"""Rates of other players in the same game."""


def players(figures: Figures, variant: str) -> list[str]:
    """The figures of the players, who do not see the hidden cards."""
    runs = figures["runs"]
    names = player_names(figures, variant)
    if not names:
        return []
    is_scored = "tiers" in runs[names[0]]
    text = (
        "A player who does not see the hidden cards, by [rule or search](../docs/player.md). *Of possible*: "
        f"the deals {'of proved greatest score' if is_scored else 'of those decided'} in which the tier can "
        "be reached by one who sees all cards, and the part of them in which the player reached it."
    )
    means = [mean_text(runs[name], figures["players"].get(name)) for name in names]
    return [
        "### Without seeing the hidden cards",
        text,
        players_table(figures, variant),
        " ".join([*means, *OTHER_PLAYERS.get(variant, ())]),
    ]


def player_names(figures: Figures, variant: str) -> list[str]:
    """The runs in which a player plays ``variant``."""
    return [name for kind in PLAYERS if (name := f"{variant}-{kind}") in figures["runs"]]


def players_table(figures: Figures, *variants: str) -> str:
    """The tiers that the players of ``variants`` reached; with the game, if there are several."""
    rows = []
    for variant in variants:
        title = [TITLES[variant]] if len(variants) > 1 else []
        rows += [[*title, *row] for row in player_rows(figures, variant)]
    rate = ("rate", "95 % interval")
    head = ["player", "deals", "tier", "reached", *rate, "of possible", *rate]
    return table(["game", *head] if len(variants) > 1 else head, rows) if rows else ""


def player_rows(figures: Figures, variant: str) -> list[list[str]]:
    """A row for each tier and player of a game."""
    rows = []
    for name in player_names(figures, variant):
        run = figures["runs"][name]
        for tier in tiers_in(run):
            reached = [f"{tier['count']:,}", f"{tier['rate']:.2%}"]
            ends = f"{tier['low']:.2%} to {tier['high']:.2%}"
            paired = paired_cells(figures["players"].get(name), tier["tier"])
            rows.append([run["player"], f"{run['deals']:,}", tier["tier"], *reached, ends, *paired])
    return rows


def tiers_in(run: Figures) -> list[Figures]:
    """The tiers of a run; where the game has no scores a win with all cards up is the only one."""
    if "tiers" in run:
        return list(run["tiers"])
    estimate = {name: run[name] for name in ("rate", "low", "high")}
    return [{"tier": "win", "score": 52, "count": run.get("won", run.get("winnable")), **estimate}]


def paired_cells(pairs: Figures | None, name: str) -> list[str]:
    """A tier of a player beside what is possible."""
    for tier in pairs["tiers"] if pairs else ():
        if tier["tier"] == name and tier["possible"]:
            counts = f"{tier['count']:,} of {tier['possible']:,}"
            return [counts, f"{tier['rate']:.2%}", f"{tier['low']:.2%} to {tier['high']:.2%}"]
    return ["", "", ""]


def mean_text(run: Figures, pairs: Figures | None) -> str:
    """Mean score and time of a player's games."""
    time = f"{run['cpu_seconds'] / run['deals'] * 1000:,.2f} ms of CPU time a game"
    if not pairs or not pairs["deals"] or "tiers" not in run:
        return f"Player *{run['player']}*: {time}."
    return (
        f"Player *{run['player']}*: mean score {pairs['score']:.2f} of {pairs['greatest_score']:.2f} "
        f"possible in {pairs['deals']:,} deals; {time}."
    )


# --- What was run ---------------------------------------------------------------------------------------


def what_was_run(figures: Figures) -> str:
    """Commands, versions, limits, dates, hours."""
    made = figures["made"]
    rows = [
        [
            f"`{run['command']}`",
            f"{run['deals']:,}",
            run["date"],
            f"{run['cpu_seconds'] / 3600:,.3f}",
            f"{run['seconds'] / 3600:,.3f}",
            limits_text(run["limits"]),
            "" if run.get("signature") is None else f"{run['signature']}",
        ]
        for name in (run.name for run in RUNS)
        if (run := figures["runs"].get(name))
    ]
    total = sum(run["cpu_seconds"] for run in figures["runs"].values()) / 3600
    versions = sorted({run["version"] for run in figures["runs"].values()})
    text = (
        f"winnable {', '.join(versions) or made['winnable']}, compiled engine"
        f"{'' if made['compiler'] is None else ' (' + made['compiler'] + ')'}, Python {made['python']}, "
        f'dealer "{made["dealer"]}", on a shared machine ({made["machine"]}); {total:,.1f} hours of '
        "CPU time in all. What is found depends neither on the number of workers nor on the speed of the "
        "machine, but where there is a limit on seconds. "
        "The signature tells the version of a search: the states that it expands on seeds 1 to 300, at most "
        "10,000 a deal, which are those of `winnable bench` as long as the search is the same."
    )
    head = ("command", "deals", "date", "CPU hours", "hours by the clock", "limits a deal", "signature")
    again = (
        "To make it again: `python -m benchmarks.results DIRECTORY --run` runs what is missing or "
        "unfinished in DIRECTORY, then writes this page and its pictures; `python -m benchmarks.seed_tables "
        "DIRECTORY` writes the tables of seeds/."
    )
    return "\n\n".join([text, table(head, rows), again])


def limits_text(limits: Figures) -> str:
    """The limits of a run."""
    texts = {"nodes": "{:,} states", "seconds": "{:g} s", "megabytes": "{:g} MB", "work": "{:,} units"}
    return ", ".join(texts[name].format(value) for name, value in limits.items() if value is not None)
