"""Simple Simon side by side with fc-solve (Debian's package freecell-solver-bin), deal by deal.

    python -m benchmarks.peers.fc_solve [FIRST-LAST] [--json FILE]

Both get the same deals. What fc-solve solves must be winnable here; its lines, made of compound moves, are
not replayed. "I could not solve this game" is no claim that there is no line, as its moves do not cover the
game; such deals are told apart by our verdict: winnable, with a line that was replayed, or proved unwinnable.

Times are processor time. Of fc-solve that is its whole process, which reads the board and prints the moves.
Ours stands beside it twice: of a deal in a batch, that is dealing, search, making the line and replaying it;
and of whole processes, where Python's start weighs much. A ratio is of the two times of one deal.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from winnable.rules import find_variant
from winnable.rules.formats.fc_solve import format_fc_solve
from winnable.solver import Limits, Verdict, solve

from ..figures import (
    check_writable,
    circumstances,
    decide_seed,
    fail,
    kernel_of,
    milliseconds,
    positive,
    write_json,
)
from . import processes as peers

LIMITS = Limits(seconds=600, megabytes=1000)
SETTINGS = {
    "-l the-last-mohican": ("-l", "the-last-mohican"),
    "no preset": (),
    "-to abcdefghi, at most {states} states": ("-to", "abcdefghi", "-mi", "{states}"),
}
ANSWERS = ("solved", "gave up", "limit")
SAMPLE = 20  # processes of ours, and of fc-solve with nothing to do


def main(arguments: Sequence[str] | None = None) -> int:
    words = peers.peer_parser(__doc__, "1-400", "fc-solve")
    words.add_argument("--states", type=positive, default=300_000, help="limit of the setting that has one")
    words.add_argument("--seconds", type=positive, default=60, help="wall time of a process of fc-solve")
    options = words.parse_args(arguments)
    seeds = options.deals
    check_writable(options.json)
    program = peers.find_program(options.program, "Debian has it in freecell-solver-bin")
    data = compare(seeds, program, options.states, options.seconds)
    if not data["deals"]:
        fail("interrupted before the first deal was done")
    write_json(options.json, data)
    print(markdown(data))
    wrong = any(setting["wrong"] for setting in data["settings"].values())
    return peers.status_of(wrong, data["deals"] == len(seeds))


def compare(seeds: range, program: str, states: int, seconds: float) -> dict[str, Any]:
    """The answers of all settings of fc-solve and of ours. Ctrl-C ends it after what is done."""
    settings = {
        name.format(states=states): tuple(part.format(states=states) for part in parts)
        for name, parts in SETTINGS.items()
    }
    kernel = kernel_of(find_variant("simple-simon"), LIMITS)
    rows = peers.rows_of(seeds, lambda seed: _compare_deal(seed, kernel, program, settings, seconds))
    finished = len(rows) == len(seeds)
    starts = [peers.run((program, "--version")).seconds for _ in range(SAMPLE)]
    return {
        "benchmark": "peers-fc-solve",
        **circumstances(),
        "fc_solve": peers.run((program, "--version")).output.strip().rpartition(" ")[2],
        "variant": "simple-simon",
        "first": seeds[0],
        "deals": len(rows),
        "verdicts": {verdict.value: _count(rows, verdict) for verdict in Verdict},
        "ours_in_a_batch": milliseconds([row["ours"] for row in rows]),
        "ours_whole_process": _whole_processes(seeds) if finished else {},
        "fc_solve_start": milliseconds(starts),
        "settings": {name: _summary(name, rows, float(np.median(starts))) for name in settings},
    }


def _count(rows: list[dict[str, Any]], verdict: Verdict) -> int:
    return sum(row["verdict"] is verdict for row in rows)


def _compare_deal(
    seed: int, kernel: Any, program: str, settings: dict[str, tuple[str, ...]], seconds: float
) -> dict[str, Any]:
    variant = find_variant("simple-simon")
    state = variant.deal(seed)
    board = format_fc_solve(variant, state)
    result = solve(variant, state, LIMITS, shorten=0)
    if result.reason == "interrupted":
        raise KeyboardInterrupt
    record = decide_seed(kernel, variant, seed)
    row: dict[str, Any] = {"seed": seed, "verdict": result.verdict, "ours": int(record["microseconds"]) / 1e6}
    for name, parts in settings.items():
        done = peers.run((program, "-g", "simple_simon", *parts, "-m", "-"), board, seconds)
        row[name] = _answer(done.output), done.seconds
    return row


def _answer(output: str) -> str:
    if "This game is solveable." in output:
        return "solved"
    return "gave up" if "I could not solve this game." in output else "limit"


def _summary(name: str, rows: list[dict[str, Any]], start: float) -> dict[str, Any]:
    """The answers of one setting, by our verdict, and its times beside ours; ``start`` are the seconds that
    fc-solve takes with nothing to do."""
    answers = {answer: {verdict.value: 0 for verdict in Verdict} for answer in ANSWERS}
    for row in rows:
        answers[row[name][0]][row["verdict"].value] += 1
    solved = [row for row in rows if row[name][0] == "solved"]
    times, ours = [row[name][1] for row in rows], [row["ours"] for row in rows]
    return {
        "answers": answers,
        "solved": len(solved),
        "winnable_not_solved": [row["seed"] for row in rows if _is_missed(row, name)],
        "wrong": [row["seed"] for row in solved if row["verdict"] is Verdict.UNWINNABLE],
        "times": milliseconds(times),
        "ratios": peers.ratios(times, ours),
        "ratios_without_start": peers.ratios([max(0, time - start) for time in times], ours),
    }


def _is_missed(row: dict[str, Any], name: str) -> bool:
    return row["verdict"] is Verdict.WINNABLE and row[name][0] != "solved"


def _whole_processes(seeds: range) -> dict[str, Any]:
    """Processor time of our command for one deal, and for all of them in one go; milliseconds."""
    commands = [("solve", "simple-simon", "--seed", str(seed), "--shorten", "0") for seed in seeds[:SAMPLE]]
    single = [peers.ask_winnable(*command)[1] for command in commands]
    deals = f"{seeds[0]}-{seeds[-1]}"
    _, together = peers.ask_winnable("rate", "simple-simon", "--deals", deals, "--workers", "1")
    return {"one_deal": milliseconds(single), "rate": {"deals": len(seeds), "sum": 1000 * together}}


def markdown(data: dict[str, Any]) -> str:
    """The figures as a table with what they count; the argument is what `--json` writes."""
    first, last = data["first"], data["first"] + data["deals"] - 1
    verdicts, ours = data["verdicts"], data["ours_in_a_batch"]
    lines = [
        f"Simple Simon, seeds {first}-{last}: {verdicts['winnable']} winnable, {verdicts['unwinnable']} "
        f"proved unwinnable, {verdicts['undecided']} undecided here; fc-solve {data['fc_solve']}.",
        "",
        "| | solved | not solved, but winnable | not solved, proved unwinnable | not solved, undecided here "
        "| CPU ms: median | 90 % | most | mean | theirs / ours, median of the deals "
        "| the same without fc-solve's start |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, setting in data["settings"].items():
        missed = [
            sum(setting["answers"][answer][verdict.value] for answer in ANSWERS[1:]) for verdict in Verdict
        ]
        cells = " | ".join(map(str, (setting["solved"], *missed)))
        both = [setting[kind]["median"] for kind in ("ratios", "ratios_without_start")]
        cells += f" | {peers.shown_times(setting['times'])} | {both[0]:.1f} | {both[1]:.1f}"
        lines.append(f"| fc-solve {name} | {cells} |")
    lines.append(
        f"| winnable, a deal in a batch | {verdicts['winnable']} | 0 | {verdicts['unwinnable']} | "
        f"{verdicts['undecided']} | {peers.shown_times(ours)} | 1 | 1 |"
    )
    lines += [
        "",
        f"fc-solve's time is that of its whole process, of which starting alone takes "
        f"{data['fc_solve_start']['median']:.2f} ms. Ours is that of a deal in a batch, dealing and replay "
        f"included.{_told_processes(data['ours_whole_process'])}",
        "",
        *(_remark(name, setting) for name, setting in data["settings"].items()),
    ]
    return "\n".join(lines) + "\n"


def _told_processes(whole: dict[str, Any]) -> str:
    """The times of our commands as whole processes; nothing if they were not measured."""
    if not whole:
        return ""
    rate = whole["rate"]
    return (
        f" As whole processes of ours, `winnable solve` takes {whole['one_deal']['median']:.0f} ms for a "
        f"deal, most of it Python's start, and `winnable rate` over all {rate['deals']} deals takes "
        f"{rate['sum'] / rate['deals']:.2f} ms a deal."
    )


def _remark(name: str, setting: dict[str, Any]) -> str:
    """The checks of one setting, as one item of a list."""
    limit = sum(setting["answers"]["limit"].values())
    ended = f" {limit} ended at a limit." if limit else ""
    missed = setting["winnable_not_solved"]
    seeds = ", ".join(map(str, missed[:8])) + (", ..." if len(missed) > 8 else "")
    wrong = setting["wrong"]
    agreed = f"DISAGREEMENT on seeds {wrong}" if wrong else "no deal it solved was called unwinnable here"
    return (
        f"- fc-solve {name}: {agreed}; "
        f"winnable but not solved: {len(missed)}"
        f"{f' (seeds {seeds})' if missed else ''}.{ended}"
    )


if __name__ == "__main__":
    sys.exit(main())
