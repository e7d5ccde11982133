"""Results as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..rules import State, Variant, find_variant
from ..rules.cards import RANKS, format_card
from ..rules.formats.solutions import format_solution
from ..rules.formats.text import Deal, format_deal
from ..solver import Result, Verdict
from ..solver.result import reason_text
from ..solver.verify import format_line
from .terminal import columns, fit, fit_comment

if TYPE_CHECKING:
    from ..rules import answers

Parts = Sequence[tuple[int, Result]]
"""Base ranks or numbers of passes, each with its result."""


def result_head(variant: Variant, deal: Deal, result: Result) -> str:
    """The first line of an answer: the verdict and, in scored games, the best score."""
    return fit(f"Verdict: {verdict_text(result, variant, deal.state.deck.places)}")


def result_body(variant: Variant, deal: Deal, result: Result, is_typed: bool) -> str:
    """The solution and the counters of the search, for the lines below the verdict; followed by the deal
    unless ``is_typed``."""
    text = _solution_text(variant, deal, result)
    return text if is_typed else f"{text}\n\n{format_deal(deal)}".rstrip()


def _solution_text(variant: Variant, deal: Deal, result: Result) -> str:
    counters = (
        f"Search: {_count(result.expanded, 'state')} expanded, {result.generated:,} generated, "
        f"{_count(result.work, 'unit')} of work, {result.engine} engine"
    )
    counters = fit_comment(counters)
    if result.reason == "seconds":
        counters += f"\n{fit_comment(late_text(result))}"
    if result.moves is None:
        return counters
    moves = format_line(variant, deal.state, result.moves, annotated=True)
    title = "Solution" if result.verdict is Verdict.WINNABLE else "Best line"
    solution = format_solution(moves, variant.legend, columns(), title, result.length_note)
    return f"{solution}\n{counters}"


def late_text(result: Result) -> str:
    """The processor time of a search that a limit of seconds ended, in a sentence."""
    return (
        f"Time: {result.cpu_note}; --max-seconds counts time by the clock, --work does not depend on the load"
        " of the machine"
    )


def length_text(result: Result) -> str:
    """The number of moves of the line of ``result``, with its proved bounds unless it is a shortest one."""
    length = len(result.moves or ())
    if result.shortest:
        return str(length)
    return f"at most {length}" if result.lower_bound is None else f"{result.lower_bound} to {length}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + "s" * (number != 1)


def result_line(number: int, variant: Variant, deal: Deal, result: Result, tell_game: bool = False) -> str:
    """The line for one of several results: number of the deal, its game if ``tell_game``, its seed if known,
    and verdict."""
    names = [f"deal {number}", variant.name if tell_game else "", deal.name]
    verdict = verdict_text(result, variant, deal.state.deck.places, is_timed=True)
    text = f"{', '.join(filter(None, names))}: {verdict}"
    return text if result.moves is None else f"{text}, {moves_text(result)}"


def bases_object(bases: Parts) -> "list[answers.Base]":
    """The public JSON of the results of each base rank."""
    return [
        {
            "base": RANKS[rank],
            "verdict": result.verdict.value,
            "length": None if result.moves is None else len(result.moves),
            "shortest": result.shortest,
            "lower_bound": result.lower_bound,
            "score": result.score,
            "score_bound": result.score_bound,
            "exact": result.exact,
            "reason": result.reason,
        }
        for rank, result in bases
    ]


def bases_table(variant: Variant, places: int, bases: Parts) -> str:
    """The verdict of each base rank of ``variant``, a line each; ``places`` are those of its foundations."""
    lines = [f"  {RANKS[rank]}  {_base_text(variant, places, result)}" for rank, result in bases]
    return "\n".join(["Base ranks:", *lines])


def bases_line(bases: Parts) -> str:
    """The base ranks that win, in one line."""
    won = [f"{RANKS[rank]} {len(r.moves or ())}" for rank, r in bases if r.verdict is Verdict.WINNABLE]
    return f"base ranks {', '.join(won)}" if won else "no base rank"


def _base_text(variant: Variant, places: int, result: Result) -> str:
    is_lost = result.verdict is Verdict.UNWINNABLE
    text = verdict_text(result, variant, places) if is_lost else verdict_text(result)
    return f"{text}, {moves_text(result)}" if result.moves else text


def passes_object(state: State, result: Result, passes: Parts) -> "answers.FewestPasses":
    """The public JSON of the results of numbers of ``passes`` through the stock, and of the fewest that win,
    if ``result`` is that of ``state``."""
    from ..solver.analysis.passes import fewest_passes

    least, most = fewest_passes(state, result, passes) or (None, None)
    tried: list[answers.Tried] = [
        {
            "passes": number,
            "verdict": each.verdict.value,
            "length": None if each.moves is None else len(each.moves),
            "shortest": each.shortest,
            "lower_bound": each.lower_bound,
            "reason": each.reason,
        }
        for number, each in passes
    ]
    return {"least": least, "most": most, "tried": tried}


def passes_table(state: State, result: Result, passes: Parts) -> str:
    """The verdict with each number of passes through the stock, a line each, and the fewest that win."""
    lines = [f"  {number}  {_part_text(each)}" for number, each in passes]
    fewest = passes_line(state, result, passes)
    return "\n".join([*(["Passes through the stock:"] if lines else []), *lines, fewest.capitalize()])


def passes_line(state: State, result: Result, passes: Parts) -> str:
    """The fewest passes through the stock that win, in words."""
    from ..solver.analysis.passes import fewest_passes

    found = fewest_passes(state, result, passes)
    if found is None:
        is_lost = result.verdict is Verdict.UNWINNABLE
        return "no number of passes wins" if is_lost else "the fewest passes are not known"
    least, most = found
    return f"fewest passes: {least}" + (
        "" if least == most else " or more" if most is None else f" to {most}"
    )


def _part_text(result: Result) -> str:
    text = verdict_text(result)
    return f"{text}, {moves_text(result)}" if result.moves else text


_NEARLY = 0.999  # above this upper bound, all that is known is that one arrangement is lost
_CERTIFIED = {"there": "already present", "refused": "not certified"}
_MORE = {
    "work": "a higher --work",
    "seconds": "a higher --max-seconds",
    "memory": "a higher --max-memory",
}


def why_object(variant: Variant, deal: Deal, result: Result) -> "answers.Why":
    """The public JSON of the grounds of ``result``: a ``text`` and, where they alone prove a loss, the cards
    that block each other."""
    from ..solver.analysis import blocking

    state = deal.state
    found = blocking.blocks(variant, state) if result.verdict is Verdict.UNWINNABLE else []

    def card_at(spot: tuple[int, int]) -> "answers.Spot":
        return {"card": format_card(state.columns[spot[0]][spot[1]]), "column": spot[0] + 1}

    blocks: list[answers.Block] = [
        {
            **card_at(block.spot),
            "waits": [card_at(spot) for spot in block.waits],
            "text": blocking.sentence(state, block),
        }
        for block in found
    ]
    return {"text": " ".join(_why(variant, state.deck.places, result, bool(blocks))), "blocks": blocks}


def why_text(why: "answers.Why") -> str:
    """`why_object` as text, a line for each card."""
    return fit("\n".join([f"Why: {why['text']}", *(f"  {block['text']}" for block in why["blocks"])]))


def _why(variant: Variant, places: int, result: Result, is_blocked: bool) -> Iterator[str]:
    """The sentences of `why_object`."""
    states = _count(result.expanded, "state")
    if is_blocked:
        yield "These cards block each other: each waits for cards that lie under others of them,"
        yield "and no column is ever emptied."
        return
    if result.verdict is Verdict.UNDECIDED:
        yield f"The search ended ({reason_text(result.reason or 'interrupted')}) after {states},"
        yield "with neither a solution nor a proof that there is none."
        if result.reason in _MORE:
            yield f"{_MORE[result.reason].capitalize()} may decide the deal."
        return
    if result.verdict is Verdict.WINNABLE:
        yield "The solution was replayed by the rules of the game, move by move."
        if result.shortest:
            yield "No solution is shorter: that is proved."
        elif result.lower_bound:
            yield f"Every solution has at least {result.lower_bound} moves: that is proved."
    if result.exact and result.score is not None and result.score < places:
        yield f"A completed search ({states}) proves that no line of play scores more than {result.score}."
    elif result.verdict is Verdict.UNWINNABLE:
        yield f"A completed search ({states}) proves that no line of play wins."
    else:
        return
    if result.engine != "reference":
        proof = "the proof" if variant.scoring or result.score is None else "the proof that it cannot be won"
        yield f"With --certificate FILE {proof} is written, memory permitting; winnable check verifies it."


def verdict_text(
    result: Result, variant: Variant | None = None, places: int = 0, is_timed: bool = False
) -> str:
    """The verdict, with the reason if it is undecided and, for a ``variant`` with ``places`` on its
    foundations, the best score of a result that has one. If ``is_timed``, a limit of seconds comes with the
    processor time."""
    text = str(result.verdict.value)
    if result.verdict is Verdict.WINNABLE and result.moves == ():
        text = "already won"
    if result.verdict is Verdict.UNDECIDED and result.reason:
        note = f"; {result.cpu_note}" if is_timed and result.reason == "seconds" else ""
        text += f" ({reason_text(result.reason)}{note})"
    if variant is None or result.score is None:
        return text
    return f"{text}; best score {score_text(result, variant, places)}"


def score_text(result: Result, variant: Variant, places: int) -> str:
    """The best score and its tier, or the proved bounds of the score if they differ."""
    tier = None if result.tier in (None, "none") else result.tier
    if not result.exact:
        return f"{result.score} to {result.score_bound}" + (f" (at least {tier})" if tier else "")
    if not variant.scoring:
        return f"{result.score} of {places}"
    from ..rules import tiers  # only where they are needed

    return tiers.score_text(result.score or 0, places)


def moves_text(result: Result) -> str:
    """The length of the solution and its proved bounds."""
    count, note = _count(len(result.moves or ()), "move"), result.length_note
    return f"{count} ({note})" if note else count


def rate_text(answer: Mapping[str, Any], columns: int | None = None) -> str:
    """The summary of many deals as text, with bars no wider than ``columns``."""
    deals = answer["deals"]
    rows = [("Deals", f"{deals:,}" if "player" in answer else f"{deals:,}, all cards known")]
    goal = find_variant(answer["game"]).goal()
    if "player" in answer:
        rows.insert(0, ("Player", answer["player"].replace(" visits", " simulations per decision")))
    for verdict in ("winnable", "unwinnable", "undecided", "won", "lost", "unfinished"):
        if verdict not in answer or (verdict == "unfinished" and not answer[verdict]):
            continue
        count = answer[verdict]
        estimate = answer if verdict in ("winnable", "won") else None
        title = verdict.capitalize() if estimate is None else f"{verdict.capitalize()}, {goal}"
        rows.append((title, _estimate_text(f"{count:,}", estimate)))
    for tier in answer.get("tiers", ())[1:]:  # the first one is the win
        title = f"{tier['tier'].capitalize()}, {tier['score']} cards"
        rows.append((title, _estimate_text(f"{tier['count']:,}", tier)))
    if "cards_up" in answer:
        rows += _cards_rows(answer["cards_up"], answer.get("payout"), deals)
    if "exact" in answer:
        rows.append(("Proved scores", f"{answer['exact']:,}"))
    rows += _paired_rows(answer["paired"], "tiers" in answer) if "paired" in answer else []
    rows += [
        (title, _distribution_text(answer[name], scale, unit))
        for title, name, scale, unit in (
            ("Moves" if "player" in answer else "Solution length", "length", 1, ""),
            ("Shortest", "shortest_length", 1, ""),
            ("Samples" if "player" in answer else "States", "expanded", 1, ""),
            ("CPU time", "deal_cpu_seconds", 0.001, " ms"),
        )
        if answer.get(name) and answer[name]["max"]
    ]
    if "proved_shortest" in answer:
        rows.append(("Proved shortest", f"{answer['proved_shortest']:,} of {answer['winnable']:,}"))
    if "certificates" in answer:
        rows.append(
            (
                "Certificates",
                ", ".join(
                    f"{n:,} {_CERTIFIED.get(what, what)}" for what, n in answer["certificates"].items()
                ),
            )
        )
    versions = answer.get("versions", {})
    if set(versions) - {__version__}:
        rows.append(("Versions", ", ".join(f"{count:,} deals by {name}" for name, count in versions.items())))
    if answer["seconds"]:
        workers = f", {_count(answer['workers'], 'worker')}" if "workers" in answer else ""
        engine = "" if "player" in answer else f", {answer['engine']} engine"
        memory = "" if answer.get("peak_megabytes") is None else f", {answer['peak_megabytes']:,.0f} MB"
        rows.append(
            (
                "Speed",
                f"{answer['deals_per_second']:,.0f} deals/s{workers}{engine}; "
                f"{answer['seconds']:,.1f} s, {answer['cpu_seconds']:,.1f} s of CPU time{memory}",
            )
        )
    width = max(len(title) for title, _ in rows) + 2
    lines = [f"{title:<{width}}{text}" for title, text in rows]
    if "classes" in answer:
        lines += ["", *_class_lines(answer["classes"])]
    if answer.get("scores"):
        lines += ["", *_histogram_lines(answer["scores"], answer["cards_up"]["cards"], columns or 80)]
    return "\n".join([f"# {answer['game']}", *lines])


def _cards_rows(cards: dict[str, Any], payout: dict[str, Any] | None, deals: int) -> list[tuple[str, str]]:
    """The mean number of cards on the foundations, and what a game pays."""
    about = "" if cards["deals"] == deals else f"; {cards['deals']:,} deals, the scores of others are unknown"
    rows = [("Cards up", f"{_mean_text(cards)}, of {cards['cards']}{about}")]
    if payout is not None:
        rule = f"{payout['a_card']} a card, {payout['stake']} to play"
        rows.append(("Payout", f"{_mean_text(payout)}; {rule}"))
    return rows


def _mean_text(found: dict[str, Any]) -> str:
    least = "at least " if found["mean_bound"] > found["mean"] else ""
    return f"mean {least}{found['mean']:.2f} (95% CI {found['low']:.2f} to {found['high']:.2f})"


def _paired_rows(paired: dict[str, Any], is_scored: bool) -> list[tuple[str, str]]:
    """Rows with the share of the reachable results that a player reached."""
    rows = [(f"Of {'deals with proved scores' if is_scored else 'decided deals'}", f"{paired['deals']:,}")]
    for tier in paired["tiers"]:
        if tier["possible"]:
            text = _estimate_text(f"{tier['count']:,} of {tier['possible']:,} possible", tier)
            rows.append((f"  {tier['tier']}", text))
    if paired["deals"] and is_scored:
        rows.append(("  mean score", f"{paired['score']:.2f} of {paired['greatest_score']:.2f} possible"))
    return rows


def tables_text(answer: Mapping[str, Any]) -> str:
    """The summary of deals of which some have unknown cards."""
    least, most = answer["unknown"]["least"], answer["unknown"]["most"]
    span = f"{most}" if least == most else f"{least} to {most}"
    rows = [
        ("Deals", f"{answer['deals']:,}, with {span} unknown cards"),
        ("Won for certain", f"{answer['won_for_certain']:,}"),
        ("Lost for certain", f"{answer['lost_for_certain']:,}"),
        ("Neither proved", f"{answer['undecided']:,}"),
    ]
    if answer["deals"]:
        rate, low, high = (answer[name] for name in ("rate", "low", "high"))
        span = f" ({'95% CI ' if answer['sampled'] else ''}{low:.1%} to {high:.1%})" if low < high else ""
        rows.append(("Winnable", f"{rate:.1%} of the arrangements if all cards are seen{span}"))
        low, high = answer["best_chance"]["low"], answer["best_chance"]["high"]
        chance = f"{low:.1%}" if low == high else f"between {low:.1%} and {high:.1%}"
        is_known = low > 0 or high <= _NEARLY
        rows.append(("Best chance", f"{chance} without seeing them" if is_known else "not computed"))
    width = max(len(title) for title, _ in rows) + 2
    return "\n".join([f"# {answer['game']}", *(f"{title:<{width}}{text}" for title, text in rows)])


def _estimate_text(count: str, estimate: Mapping[str, Any] | None) -> str:
    """``count`` with its rate and 95 % interval, if ``estimate`` is not None."""
    if estimate is None or estimate["rate"] is None:
        return count
    return f"{count}, {estimate['rate']:.3%} (95% CI {estimate['low']:.3%} to {estimate['high']:.3%})"


def _distribution_text(distribution: dict[str, Any], scale: float, unit: str) -> str:
    digits = 0 if scale == 1 else 3
    return ", ".join(
        f"{name} {distribution[key] / scale:,.{digits}f}{unit}"
        for name, key in (("median", "median"), ("p90", "p90"), ("p99", "p99"), ("max", "max"))
    )


CLASS_NAMES = {
    "no_move": "no legal move",
    "no_card_up": "no card can go up",
    "blocked": "blocked cards",
    "relaxation": "relaxed game lost",
    "search": "complete search",
}
"""The classes of lost deals in words."""


def _class_lines(classes: Mapping[str, Any]) -> list[str]:
    """The classes of lost deals as a table."""
    deals, lost = classes["deals"], classes["lost"]
    if not deals:
        return ["No lost deals"]
    has_scores = any(classes[name]["score"] is not None for name in CLASS_NAMES if name in classes)
    about = f"{lost:,}" if deals == lost else f"{deals:,} of {lost:,}"
    scores = "  mean score" if has_scores else ""
    lines = [f"Why {about} lost deals are lost:", f"{'':<19}{'deals':>9}   share  95 % interval{scores}"]
    for name, title in CLASS_NAMES.items():
        if found := classes.get(name):
            share = f"{found['rate']:>7.2%}  {found['low']:.2%} to {found['high']:.2%}"
            score = "" if found["score"] is None else f"{found['score']:.2f}"
            lines.append(f"  {title:<17}{found['count']:>9,} {share:<27}{score:>9}".rstrip())
    if classes["undecided"]:
        lines.append(f"  {'limit reached':<17}{classes['undecided']:>9,}")
    return lines


def _histogram_lines(scores: Mapping[str, int], cards: int, columns: int) -> list[str]:
    """A histogram of the numbers of deals by score, of which ``cards`` is the greatest: a line for five
    scores, with a bar. A bar for all cards that would be longer than the others is cut, and ends in ``>``."""
    counts = [(least, most, _between(scores, least, most)) for least, most in _score_groups(cards)]
    shown = [at for at, (*_, count) in enumerate(counts) if count]
    longest = min(40, columns - 20)
    scale = max(*(count for *_, count in counts[:-1]), 0) or counts[-1][2]
    lines = [f"{'cards up':>8} {'deals':>10}"]
    for least, most, count in counts[shown[0] : shown[-1] + 1]:
        name = f"{least}" if least == most else f"{least}-{most}"
        bar = "#" * round(longest * count / scale) if count <= scale else "#" * (longest - 1) + ">"
        lines.append(f"{name:>8} {count:>10,} {bar}".rstrip())
    return lines


def _score_groups(cards: int) -> list[tuple[int, int]]:
    """The first and last scores of groups for a histogram: 0, the next ones up to each fifth score, and all
    ``cards``."""
    return [(0, 0), *((max(1, at), min(at + 4, cards - 1)) for at in range(0, cards, 5)), (cards, cards)]


def _between(scores: Mapping[str, int], least: int, most: int) -> int:
    """The number of deals with scores from ``least`` to ``most``."""
    return sum(count for score, count in scores.items() if least <= int(score) <= most)
