"""The page of results: the figures as Markdown."""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import erfc, sqrt
from typing import Any, NamedTuple

from winnable.rules import find_variant
from winnable.solver.batch.statistics import distribution

from .runs import PLAYED, PLAYERS, READINGS, RUNS, TITLES

Figures = dict[str, Any]

INTRODUCTION = """# Results

How often can these games be won, in how few moves, and with how much work? This page is made by
`python -m benchmarks.results DIRECTORY` from the stores that `winnable rate` wrote; the figures are also in
[results.json](results.json). The verdicts of the first 1,000 seeds of each game are listed in
[seeds/](../seeds/README.md). [What is proved, and how](../docs/proofs.md) says what to trust.

Intervals are 95 % Wilson intervals; a deal left undecided by a limit counts as lost for the lower end and as
won for the upper one. All cards are known, except where a player is named. Every line found was replayed by a
second, compiled set of rules, and that of every thousandth seed also by the readable rules, starting from the
readable dealer. In a distribution, 99 % is the least value that 99 % of the deals do not exceed. CPU time
covers dealing, searching and replaying a deal. A limit on work ends a search at the same place on every
machine, so the same command gives the same lengths and bounds; a unit of work took one to three microseconds.

Joker Solitaire has two readings ([how we read the rules](../docs/rules.md))."""


class Published(NamedTuple):
    """A rate published by others: the authors with a verb, numbers of winnable deals and of deals, and a
    remark."""

    source: str
    won: int
    deals: int
    remark: str = ""


class Stated(NamedTuple):
    """A rate published as a percentage with half the width of its 95 % interval, without the number of
    deals."""

    source: str
    rate: float
    half: float


_BLAKE_GENT = (
    "C. Blake and I. P. Gent ([The Winnability of Klondike Solitaire and Many Other Patience "
    "Games](https://arxiv.org/abs/1906.12314)), with deals decided since by N. Dang, I. P. Gent and others "
    "(Constraint Models for Klondike, 2025), found winnable"
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
        "These rates must not be pooled with those of the triangular layout."
    ),
    "simon-jester-triangular": (
        "Columns of 13, 13, 12, 11, ..., 1 cards, as PySolFC deals the game. We know of no published rate."
    ),
    "simple-simon": (
        "Wikipedia ([Simple Simon](https://en.wikipedia.org/wiki/Simple_Simon_(solitaire))) reports "
        "solvers that solved 85 % of random deals in 2001 and later well over 90 %. They try only some of "
        "the moves and prove no loss, so these are lower bounds. We know of no rate with proofs."
    ),
    "joker": "We know of no published rate.",
    "joker-exposed": (
        "The usual reading of version 1: a card in the waste changes places with its "
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
    """The whole page; ``sections`` come before the section on what was run."""
    runs = figures["runs"]
    parts = [INTRODUCTION, "## Rates", rates_table(runs), widest(runs)]
    parts += [picture("rates", "The rate of each game"), tiers_table(runs)]
    parts += ["## Lines and work", work_table(runs), *shortest(runs), *most_cards_up(runs)]
    parts += [*players(figures), "## Game by game"]
    for variant, title in TITLES.items():
        if variant in runs:
            parts += [f"### {title}", remarks(variant, runs[variant])]
            parts.append(picture(variant, title))
    parts += [*sections, "## What was run", what_was_run(figures)]
    return "\n\n".join(filter(None, parts)) + "\n"


def picture(name: str, text: str) -> str:
    """An image of plots/ in Markdown."""
    return f"![{text}](plots/{name}.png)"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# --- Rates ----------------------------------------------------------------------------------------------


def rates_table(runs: Figures) -> str:
    """The table of all games with the rates of the plain runs; with tiers, those of the first tier and of all
    cards."""
    head = ("game", "goal", "deals", "winnable", "unwinnable", "undecided", "rate", "95 % interval")
    rows = [row for name, title in TITLES.items() if name in runs for row in rate_rows(title, runs[name])]
    return table(head, rows)


def widest(runs: Figures) -> str:
    """A sentence on the widest interval in the table of rates."""
    halves = [
        ((estimate["high"] - estimate["low"]) / 2, f"{title}, {goal}")
        for name, title in TITLES.items()
        if name in runs
        for goal, _, estimate in goals_of(runs[name])
    ]
    if not halves:
        return ""
    half, where = max(halves)
    return f"The half-width of each interval is at most {100 * half:.3f} percentage points ({where})."


def goals_of(run: Figures) -> list[tuple[str, tuple[int, ...], Figures]]:
    """The goals of a game, each with its counts (deals, winnable, unwinnable, undecided) and its rate."""
    counts = tuple(run[name] for name in ("deals", "winnable", "unwinnable", "undecided"))
    goals = [(find_variant(run["game"]).goal(), counts, run)]
    if tiers := run.get("tiers"):
        deals, won, exact = run["deals"], tiers[-1]["count"], run["exact"]
        goals.append((f"all {tiers[-1]['score']} cards", (deals, won, exact - won, deals - exact), tiers[-1]))
    return goals


def rate_rows(title: str, run: Figures) -> list[list[str]]:
    """A row for each goal of a game."""
    return [
        [title, goal, *(f"{count:,}" for count in counts), f"{estimate['rate']:.3%}", interval(estimate)]
        for goal, counts, estimate in goals_of(run)
    ]


def interval(estimate: Figures) -> str:
    """The ends of an interval."""
    return f"{estimate['low']:.3%} to {estimate['high']:.3%}"


def tiers_table(runs: Figures) -> str:
    """The table of tiers of games with scores; each includes the better ones."""
    rows = []
    for name, title in TITLES.items():
        tiers = runs.get(name, {}).get("tiers", ())
        for tier in tiers:
            cards = f"all {tier['score']}" if tier is tiers[-1] else f"{tier['score']} or more"
            counts = (cards, f"{tier['count']:,}", f"{tier['rate']:.3%}")
            rows.append([title, tier["tier"], *counts, interval(tier)])
    head = ("game", "tier", "cards on foundations", "deals", "rate", "95 % interval")
    return table(head, rows) if rows else ""


def readings_table(runs: Figures) -> str:
    """The tiers of Joker Solitaire, side by side for each reading of its rules."""
    found = {title: runs[name] for name, title in READINGS.items() if name in runs}
    head = ["tier", *(f"{title}, {run['deals']:,} deals" for title, run in found.items())]
    rows = [
        [tiers[0]["tier"], *(f"{tier['rate']:.3%} ({interval(tier)})" for tier in tiers)]
        for tiers in zip(*(run["tiers"] for run in found.values()), strict=True)
    ]
    return table(head, rows) if rows else ""


# --- Lines and work -------------------------------------------------------------------------------------


def spread_text(spread: Figures | None) -> str:
    """A distribution of counts as text: mean, median, 99th percentile and maximum; empty without one."""
    values = (("mean", 1), ("median", 0), ("p99", 0), ("max", 0))
    return "; ".join(f"{spread[name]:,.{places}f}" for name, places in values) if spread else ""


def milliseconds(run: Figures) -> str:
    """The distribution of CPU time per deal as text, with at least three digits."""
    return "; ".join(
        three_digits(1000 * run["deal_cpu_seconds"][name]) for name in ("mean", "median", "p99", "max")
    )


def three_digits(value: float) -> str:
    """``value`` with at least three significant digits: 0.0322, 5.23, 134,594."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def work_table(runs: Figures) -> str:
    """Lengths of the lines found, and work."""
    found = [(title, runs[name]) for name, title in TITLES.items() if name in runs]
    rows = [
        [title, spread_text(run["length"]), spread_text(run["expanded"]), milliseconds(run)]
        for title, run in found
    ]
    head = ("mean; median; 99 %; most", "moves of the first line found", "states expanded", "CPU time, ms")
    return table(head, rows)


# --- A game ---------------------------------------------------------------------------------------------


def remarks(variant: str, run: Figures) -> str:
    """Remarks on a game: undecided deals, deals without a proved score, and published rates."""
    texts, limits = [], f"within {limits_text(run['limits'])} a deal:"
    if run["open"]:
        texts.append(f"Open, {limits} {seeds_text(run['open'], run['undecided'])}.")
    if "exact" in run:
        texts.append(f"The greatest score is proved in {run['exact']:,} of {run['deals']:,} deals.")
        if run.get("unproved"):
            seeds = seeds_text(run["unproved"], run["deals"] - run["exact"])
            texts.append(f"Not proved {limits} {seeds}.")
    texts += [PUBLISHED.get(variant, ""), *(beside(run, other) for other in RATES.get(variant, ()))]
    return " ".join(filter(None, texts))


def of_how_many(run: Figures) -> str:
    """The command of a run, with a remark if it is not finished."""
    text = f"`{run['command']}`"
    if run["deals"] < run["wanted"]:
        text += f" (under way: the first {run['deals']:,} deals)"
    return text


def seeds_text(seeds: Sequence[int], count: int) -> str:
    """The first ``seeds`` of ``count`` deals as text."""
    more = f" and {count - len(seeds):,} more" if len(seeds) < count else ""
    return ("seed " if count == 1 else "seeds ") + ", ".join(map(str, seeds)) + more


def beside(run: Figures, other: Published | Stated) -> str:
    """A sentence that compares the rate of ``run`` with a published one."""
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
    """The probability of a z at least that great, in words."""
    return f"chance alone gives as much in {erfc(abs(score) / sqrt(2)):.0%} of such comparisons"


def two_proportions(won: int, deals: int, other_won: int, other_deals: int) -> float:
    """The z of two rates under the hypothesis that they are equal."""
    pooled = (won + other_won) / (deals + other_deals)
    error = sqrt(pooled * (1 - pooled) * (1 / deals + 1 / other_deals))
    return (won / deals - other_won / other_deals) / error


# --- Shortest lines -------------------------------------------------------------------------------------


def shortest(runs: Figures) -> list[str]:
    """The figures of the runs for shortest lines."""
    found = {title: runs[f"{name}-shortest"] for name, title in TITLES.items() if f"{name}-shortest" in runs}
    if not found:
        return []
    text = (
        "*Shortest*: the lines proved to be shortest, within the limit on work a deal; *gap*: the distance "
        "between line and bound where there is no proof. In a game with scores a line counts up to the move "
        "that reaches the best tier found; it is shortest if no line reaches that tier in fewer moves. "
        "Turning a card of the stock is a move."
    )
    if any(title.startswith("Simon Jester") for title in found):
        text += (
            " The lower bound of Simon Jester is the number of cards that have to move, and the least number "
            "of extra moves that resolves all [conflicts](../docs/theory/simon.md#theorem-s23-conflicts) "
            "between them."
        )
    head = ["mean; median; 99 %; most", "lines", "shortest", "limit", "fewest moves", "shortest line known"]
    head += ["proved lower bound", "gap", "first line", "CPU time, ms"]
    return [
        "### Few moves",
        text,
        table(head, ([title, *shortest_cells(run)] for title, run in found.items())),
        of_tiers(found),
    ]


def shortest_cells(run: Figures) -> list[str]:
    """The row of a game in the table of fewest moves."""
    won, proved = run["winnable"], run["proved_shortest"]
    limits = {name: value for name, value in run["limits"].items() if name != "megabytes"}
    spreads = [run[name] for name in ("shortest_length", "length", "lower_bound", "gap", "first_lines")]
    return [
        f"{won:,}" + (f", {run['undecided']:,} undecided" if run["undecided"] else ""),
        f"{proved:,}" + (f" ({proved / won:.1%})" if won else ""),
        limits_text(limits),
        *map(spread_text, spreads),
        milliseconds(run),
    ]


def of_tiers(found: Figures) -> str:
    """The moves to each tier that is the best one of some deals."""
    rows = [
        [title, tier, spread_text(spreads["moves"]), spread_text(spreads["lower_bound"])]
        for title, run in found.items()
        for tier, spreads in run.get("of_tiers", {}).items()
        if spreads["moves"]
    ]
    head = ("mean; median; 99 %; most", "tier", "moves to it", "lower bound")
    return table(head, rows) if rows else ""


# --- Most cards up --------------------------------------------------------------------------------------


def most_cards_up(runs: Figures) -> list[str]:
    """The figures of the runs that find how many cards can go up in lost deals."""
    found = {title: runs[f"{name}-score"] for name, title in TITLES.items() if f"{name}-score" in runs}
    if not found:
        return []
    text = (
        "The most cards that can go up in a deal that cannot be won, each proved by a search of all its "
        "positions. CPU time is that of a deal, winnable or not."
    )
    rows = []
    for title, run in found.items():
        scores = sorted((int(score), count) for score, count in run["scores"].items() if int(score) < 52)
        lost = sum(count for _, count in scores)
        shares = [f"{dict(scores).get(cards, 0) / lost:.1%}" for cards in (0, 1)]
        proved = f"{run['exact']:,} of {run['deals']:,}"
        spread = spread_text(distribution(scores))
        rows.append([title, proved, f"{lost:,}", *shares, spread, milliseconds(run)])
    head = ("mean; median; 99 %; most", "proved scores", "lost deals", "none", "one", "cards", "CPU time, ms")
    return ["### Most cards up in lost deals", text, table(head, rows)]


# --- Players --------------------------------------------------------------------------------------------


OTHER_PLAYERS = (
    "Others who play Klondike, draw 3, without seeing the hidden cards: lonelybot 47.58 % ± 0.80; R. "
    "Bjarnason, A. Fern and P. Tadepalli (Lower Bounding Klondike Solitaire with Monte-Carlo Planning, 2009) "
    "36.97 % ± 1.92."
)
"""Rates of other players in the same game."""


def players(figures: Figures) -> list[str]:
    """The figures of the players, who do not see the hidden cards."""
    played = [variant for variant in PLAYED if player_names(figures, variant)]
    if not played:
        return []
    text = (
        "Games of a player that does not see the hidden cards, by [rule or search](../docs/player.md). *Of "
        "possible*: of the decided deals in which the tier can be reached with all cards known, those in "
        "which the player reached it. *Score*: its mean, out of the mean of the greatest possible scores."
    )
    rate = ("rate", "95 % interval")
    head = ["game", "player", "deals", "tier", "reached", *rate, "of possible", *rate, "score", "CPU ms"]
    rows = [[TITLES[variant], *row] for variant in played for row in player_rows(figures, variant)]
    return ["## Without seeing the hidden cards", text, table(head, rows), OTHER_PLAYERS]


def player_names(figures: Figures, variant: str) -> list[str]:
    """The names of the runs in which a player plays ``variant``."""
    return [name for kind in PLAYERS if (name := f"{variant}-{kind}") in figures["runs"]]


def player_rows(figures: Figures, variant: str) -> list[list[str]]:
    """A row for each tier and player of a game."""
    rows = []
    for name in player_names(figures, variant):
        run, pairs = figures["runs"][name], figures["players"].get(name)
        time = f"{run['cpu_seconds'] / run['deals'] * 1000:,.2f}"
        for tier in tiers_in(run):
            reached = [f"{tier['count']:,}", f"{tier['rate']:.2%}"]
            ends = f"{tier['low']:.2%} to {tier['high']:.2%}"
            paired = [*paired_cells(pairs, tier["tier"]), mean_text(run, pairs), time]
            rows.append([run["player"], f"{run['deals']:,}", tier["tier"], *reached, ends, *paired])
    return rows


def tiers_in(run: Figures) -> list[Figures]:
    """The tiers of a run; a game without scores has only the win with all cards up."""
    if "tiers" in run:
        return list(run["tiers"])
    estimate = {name: run[name] for name in ("rate", "low", "high")}
    return [{"tier": "win", "score": 52, "count": run.get("won", run.get("winnable")), **estimate}]


def paired_cells(pairs: Figures | None, name: str) -> list[str]:
    """Cells that compare a player's result in a tier with what is possible."""
    for tier in pairs["tiers"] if pairs else ():
        if tier["tier"] == name and tier["possible"]:
            counts = f"{tier['count']:,} of {tier['possible']:,}"
            return [counts, f"{tier['rate']:.2%}", f"{tier['low']:.2%} to {tier['high']:.2%}"]
    return ["", "", ""]


def mean_text(run: Figures, pairs: Figures | None) -> str:
    """The mean score of a player's games, beside the mean of the best possible scores."""
    if not pairs or not pairs["deals"] or "tiers" not in run:
        return ""
    return f"{pairs['score']:.2f} of {pairs['greatest_score']:.2f}"


# --- What was run ---------------------------------------------------------------------------------------


def what_was_run(figures: Figures) -> str:
    """Commands, versions, limits, dates, hours."""
    made = figures["made"]
    rows = [
        [
            of_how_many(run),
            f"{run['deals']:,}",
            run["date"],
            f"{run['cpu_seconds'] / 3600:,.3f}",
            f"{run['seconds'] / 3600:,.3f}",
            "" if run.get("peak_megabytes") is None else f"{run['peak_megabytes']:,.0f}",
            limits_text(run["limits"]),
            "" if run.get("signature") is None else f"{run['signature']}",
        ]
        for name in (run.name for run in RUNS)
        if (run := figures["runs"].get(name))
    ]
    total = sum(run["cpu_seconds"] for run in figures["runs"].values()) / 3600
    made_by = (run.get("versions", [run["version"]]) for run in figures["runs"].values())
    versions = sorted(set(chain.from_iterable(made_by)))
    text = (
        f"winnable {', '.join(versions) or made['winnable']}, compiled engine"
        f"{'' if made['compiler'] is None else ' (' + made['compiler'] + ')'}, Python {made['python']}, "
        f'dealer "{made["dealer"]}", on shared machines ({made["machine"]}; AMD EPYC and Intel Xeon) whose '
        f"speed differed by a factor of up to 1.7; {total:,.1f} hours of CPU time in all. Results depend "
        "neither on the number of workers nor on the speed of the machine. MB is the peak memory of the "
        "process; where a command was run again to measure it, the times are those of the first run. The "
        "signature identifies the version of a search: the number of states that it expands on seeds 1 to "
        "300, at most 10,000 a deal. `winnable bench` prints the same number while the search is unchanged."
    )
    head = ("command", "deals", "date", "CPU hours", "hours by the clock", "MB", "limits a deal", "signature")
    again = (
        "To reproduce this page: `python -m benchmarks.results DIRECTORY --run` runs what is missing or "
        "unfinished in DIRECTORY, then writes this page and its pictures; `python -m benchmarks.seed_tables "
        "DIRECTORY` writes the tables of seeds/."
    )
    return "\n\n".join([text, table(head, rows), again])


def limits_text(limits: Figures) -> str:
    """The limits of a run."""
    texts = {"megabytes": "{:g} MB", "work": "{:,} units"}
    given = {name: value for name, value in limits.items() if name in texts and value is not None}
    return ", ".join(texts[name].format(value) for name, value in given.items())
