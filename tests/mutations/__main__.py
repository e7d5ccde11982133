"""A sample of generated mutants of the sources, and the tests that kill them: see CONTRIBUTING."""

from __future__ import annotations

import argparse
import shlex
import sys

from . import sample
from .runner import Runners
from .table import faults, read_table


def main() -> int:
    """Judge a sample of mutants; print a line for each and a summary. Returns the exit status: 1 if a table
    of equivalent mutants does not fit its source."""
    options = read_options()
    wrong = faults(read_table())
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    tiers = ["quick"] if options.tier == "quick" else ["quick", "full"]
    runners = Runners(options.jobs, shlex.split(options.through))
    sample.judge(options.sample, options.seed, tiers, runners, options.source or ())
    return 0


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--source", action="append", metavar="PATH", help="only of this source")
    parser.add_argument("--tier", choices=["quick", "full"], default="full", help="the last tier that is run")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    through = "run builds and tests by it: 'nice -n 9'"
    parser.add_argument("--through", default="", metavar="COMMAND", help=through)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
