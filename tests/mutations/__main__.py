"""Mutants of the sources, and the tests that kill them: ``python -m tests.mutations --help``.

Exit status 1: a mutant of the tables survived that is not marked as equivalent, or a table does not fit the
sources.
"""

from __future__ import annotations

import argparse
import shlex
import sys

from . import sample
from .runner import Runner, Runners
from .table import Mutant, faults, read_table


def main() -> int:
    """Judge the mutants asked for, print a line for each and a summary."""
    options = read_options()
    if options.sample:
        tiers = ["quick"] if options.tier == "quick" else ["quick", "full"]
        runners = Runners(options.jobs, shlex.split(options.through))
        sample.judge(options.sample, options.seed, tiers, runners, options.source or ())
        return 0
    named = [mutant for mutant in read_table() if options.match in str(mutant)]
    mutants = [m for m in named if options.source is None or str(m.module.path) in options.source]
    wrong = faults(mutants)
    if wrong or not mutants:
        print("\n".join(wrong) or "no mutant of the tables is asked for", file=sys.stderr)
        return 1
    marked = [mutant for mutant in mutants if mutant.equivalent]
    asked = [mutant for mutant in mutants if options.equivalent or not mutant.equivalent]
    survivors = run(asked, options)
    print(f"{len(asked)} mutants: {len(asked) - len(survivors)} killed, {len(survivors)} survived")
    print(f"{len(marked)} are marked as equivalent" + (" and were asked" if options.equivalent else ""))
    return 1 if set(survivors) - set(marked) else 0


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.splitlines()[0])
    paths = sorted({str(mutant.module.path) for mutant in read_table()})
    source = "only of this source"
    parser.add_argument("--source", action="append", choices=paths, metavar="PATH", help=source)
    parser.add_argument("--match", default="", help="only those with this text in their name")
    parser.add_argument("--equivalent", action="store_true", help="ask those marked as equivalent too")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    through = "run builds and tests by it: 'nice -n 9'"
    parser.add_argument("--through", default="", metavar="COMMAND", help=through)
    group = parser.add_argument_group("a sample of generated mutants, in place of the tables")
    group.add_argument("--sample", type=int, metavar="N", help="how many")
    group.add_argument("--seed", type=int, default=1)
    group.add_argument("--tier", choices=["quick", "full"], default="full", help="the last tier that is run")
    return parser.parse_args()


def run(mutants: list[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """Judge ``mutants`` and print what kills each of them; those that survive."""
    survivors = []
    runners = Runners(options.jobs, shlex.split(options.through))
    with runners:
        for mutant, killer in zip(mutants, runners.map(Runner.judge, mutants), strict=True):
            print(f"{mutant}\n    {killer or 'SURVIVED'}", flush=True)
            if killer is None:
                survivors.append(mutant)
    return survivors


if __name__ == "__main__":
    sys.exit(main())
