"""Make the tables of seeds/ from the stores of the published runs.

    python -m benchmarks.seed_tables DIRECTORY

DIRECTORY holds the stores, named as in published/runs.py. Writes seeds/first/VARIANT.csv for each game whose
first 1,000 seeds are there, and seeds/hardest.jsonl.
"""

from __future__ import annotations

import sys
from pathlib import Path

from winnable.solver.batch.store import StoreError

from .published.seeds import write_all


def main(arguments):
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.exit("python -m benchmarks.seed_tables DIRECTORY: the folder of the stores is needed")
    try:
        written = write_all(Path(arguments[0]), Path(__file__).parents[1] / "seeds")
    except StoreError as error:
        sys.exit(str(error))
    if not written:
        sys.exit(f"{arguments[0]}: there are no stores of published runs")
    print("\n".join(written))


if __name__ == "__main__":
    main(sys.argv[1:])
