"""Certificates of the first deals of each game: their sizes, and the times to make and check them.

    python -m benchmarks.certificates FOLDER --json certificates.json [--game GAME] [--deals 1-1000]
                                      [--readable N] [--largest K] [--second]
                                      [--shortest] [--max-nodes S]

A certificate is made for each deal that is lost, or whose score is exact; times are compared with that of the
search. Certificates are kept in FOLDER, where a later run finds them. The readable checker checks those of up
to N positions and the K largest; with --second the checker in C, compiled by cc, checks all. With --game the
figures of other games in the file of --json stay; deals that follow the deals of a game there are added to
them. With --shortest certificates are of fewest moves, and their figures are stored beside the others; each
search may then expand up to S states. Exit status 1 if a certificate is refused.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from winnable import checker
from winnable.rules import VARIANTS
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.certificates import NoCertificate, certify

from .published.page import table

SECOND = Path(__file__).parents[1] / "checker" / "second_checker.c"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--game", choices=VARIANTS, action="append")
    parser.add_argument("--deals", default="1-1000")
    parser.add_argument("--readable", type=int, default=2000)
    parser.add_argument("--largest", type=int, default=0)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--shortest", action="store_true")
    parser.add_argument("--max-nodes", type=int)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    program = compiled(options.folder) if options.second else None
    figures = json.loads(options.json.read_text()) if options.json.exists() else {"games": {}}
    first, last = map(int, options.deals.split("-"))
    rows = figures.setdefault("shortest" if options.shortest else "games", {})
    for game in options.game or VARIANTS:
        row = measured(game, range(first, last + 1), options, program)
        rows[game] = joined(rows.get(game), row)
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    print(markdown(figures))
    return int(any(row["refused"] for row in rows.values()))


def compiled(folder):
    """Compile the second checker; return the path of the program."""
    program = folder / "second"
    subprocess.run(["cc", "-O2", "-o", program, SECOND], check=True)
    return program


def measured(game, seeds, options, program):
    """Make and check the certificates of a game. Returns the figures, with times in seconds of processor
    time."""
    sums = dict.fromkeys(("certificates", "positions", "bytes", "search", "fewest", "making"), 0)
    row = {"deals": options.deals, **sums, "without": []}
    made = []
    for seed in seeds:
        found = make(game, seed, options, row)
        made += [found] if found else []
    made.sort()
    row["largest"] = made[-1][0] if made else 0
    readable = [m for m in made if m[0] <= options.readable]
    if options.largest:
        readable += [m for m in made[-options.largest :] if m[0] > options.readable]
    row["refused"] = []
    row["readable"] = checked(readable, checker.check, checker.Refused, row["refused"])
    if program:
        row["second"] = checked(made, lambda path: run_second(program, path), ValueError, row["refused"])
    return row


def joined(row, other):
    """The combined figures of two consecutive ranges of deals; those of ``other`` alone if they are not
    consecutive."""
    if row is None or int(row["deals"].split("-")[1]) + 1 != int(other["deals"].split("-")[0]):
        return other
    sums = {name: added(row[name], other[name]) for name in row if name not in ("deals", "largest")}
    deals = f"{row['deals'].split('-')[0]}-{other['deals'].split('-')[1]}"
    return {"deals": deals, "largest": max(row["largest"], other["largest"])} | sums


def added(value, other):
    """The sum of two numbers, lists or figures of a checker."""
    if not isinstance(value, dict):
        return value + other
    sums = {name: value[name] + other[name] for name in value}
    return sums | {"most": max(value["most"], other["most"])}


def make(game, seed, options, row):
    """Make the certificate of a deal. Returns its number of positions and its path; None if there is nothing
    to claim."""
    variant, path = VARIANTS[game], options.folder / f"{game}-{seed}.certificate.gz"
    state = variant.deal(seed)
    began = time.process_time()
    if options.shortest:
        result = find_shortest(variant, state, Limits(nodes=options.max_nodes))
    else:
        result = solve(variant, state, shorten=0)
    if options.shortest and result.verdict != "winnable":
        return None
    searched = time.process_time()
    try:
        limits = Limits(megabytes=1000)
        certificate = certify(variant, state, result, limits, seed, shortest=options.shortest)
    except NoCertificate:
        if options.shortest or result.verdict == "unwinnable":
            row["without"].append(seed)
        return None
    with open(path, "wb") as file:
        file.writelines(certificate.chunks())
    row["making"] += time.process_time() - searched
    row["search"] += searched - began
    row["certificates"] += 1
    row["fewest"] += certificate.header["claim"] == "fewest moves"
    row["positions"] += certificate.positions
    row["bytes"] += path.stat().st_size
    return certificate.positions, str(path)


def run_second(program, path):
    """Check a file by the second checker. Raises ValueError if it refuses it, NotFinished at its limits."""
    with gzip.open(path) as file:
        content = file.read()
    answer = subprocess.run([program], input=content, capture_output=True)
    if answer.returncode:
        error = checker.NotFinished if answer.returncode == 3 else ValueError
        raise error(answer.stdout.decode()[:200])


def checked(certificates, check, refusal, refused):
    """Check ``certificates``, and add the messages for refused ones to ``refused``. Returns their number, the
    sum and maximum of their positions, and the seconds of processor time."""
    began = sum(os.times()[:4])  # includes child processes that have ended
    for _, path in certificates:
        try:
            check(path)
        except refusal as error:
            refused.append(f"{path}: {error}")
            print(refused[-1], file=sys.stderr)
    positions = [count for count, _ in certificates]
    return {
        "certificates": len(positions),
        "positions": sum(positions),
        "most": max(positions, default=0),
        "seconds": sum(os.times()[:4]) - began,
    }


def markdown(figures):
    """The section of the page of results."""
    tables = [figures["games"], figures.get("shortest", {})]
    refused = sum(len(row["refused"]) for rows in tables for row in rows.values())
    text = (
        "A [certificate](../docs/certificates.md) for each deal that is unwinnable, or whose greatest score"
        " is proved and below 52, by `python -m benchmarks.certificates FOLDER --json certificates.json"
        " --second --readable 100000`, game by game. Seconds are CPU time; *times the search* is the time of"
        " making the certificates over that of the search. Where a checker was given only the smaller ones,"
        " their number follows its time."
    )
    parts = [f"{text} Refused: {refused}.", *of_rows(figures["games"], "Unwinnable")]
    if "shortest" in figures:
        parts += [
            "The same with `--shortest`: each certificate proves a lower bound on the moves of a winnable"
            " deal. *Fewest moves* counts those whose line has no more moves than that bound. The search of"
            " Simple Simon was limited to 20,000 states (`--max-nodes 20000`).",
            *of_rows(figures["shortest"], "Winnable"),
        ]
    return "\n\n".join(parts) + "\n"


def of_rows(games, verdict):
    """Yield the table of ``games``, and a sentence with the deals without a certificate."""
    head = ["game", "seeds", "certificates", "positions", "of the largest", "size", "search", "making"]
    head += ["times the search", "readable checker", "second checker"]
    counts = any(row.get("fewest") for row in games.values())
    head[3:3] = ["fewest moves"] if counts else []
    rows = []
    for game, row in games.items():
        second = row.get("second")
        rows.append(
            [
                game,
                row["deals"],
                f"{row['certificates']:,}",
                *([f"{row['fewest']:,}"] if counts else []),
                f"{row['positions']:,}",
                f"{row['largest']:,}",
                f"{row['bytes'] / 1e6:,.2f} MB",
                f"{row['search']:,.2f} s",
                f"{row['making']:,.2f} s",
                f"{row['making'] / row['search']:.1f}",
                checker_text(row["readable"], row["certificates"]),
                checker_text(second, row["certificates"]) if second else "",
            ]
        )
    yield table(head, rows)
    without = [
        f"{game} {', '.join(map(str, row['without']))}" for game, row in games.items() if row["without"]
    ]
    if without:
        yield f"{verdict}, but without a certificate: {'; '.join(without)}."


def checker_text(part, count):
    """The time of a checker, with the number of certificates if it did not check all of them."""
    text = f"{part['seconds']:,.1f} s"
    if part["certificates"] == count:
        return text
    return f"{text} for {part['certificates']:,}, {part['positions']:,} positions"


if __name__ == "__main__":
    sys.exit(main())
