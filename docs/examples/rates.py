"""Plot the lengths of the lines that win: python rates.py GAME DEALS PICTURE.

Needs the extra 'plot': pip install 'winnable[plot]'.
"""

import sys
from collections import Counter

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

from winnable import Limits, find_variant, solve_many

name, deals, picture = sys.argv[1:]
variant = find_variant(name)
rows = list(solve_many(variant, range(1, int(deals) + 1), Limits(nodes=1_000_000, megabytes=500)))
verdicts = Counter(row["verdict"] for row in rows)
lengths = [row["length"] for row in rows if row["verdict"] == "winnable"]
hardest = max(rows, key=lambda row: row["expanded"])

print(variant.title, dict(sorted(verdicts.items())))
print("hardest: seed", hardest["seed"], "with", hardest["expanded"], "states")

pyplot.hist(lengths, bins=30)
pyplot.title(f"{variant.title}: {verdicts['winnable'] / len(rows):.1%} of {len(rows)} deals can be won")
pyplot.xlabel("moves of the line found")
pyplot.ylabel("deals")
pyplot.savefig(picture)
