"""The forger against both checkers: the claims printed for accepted files are true, and both checkers
agree."""

import contextlib
import gzip
import io
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest
from tests.checker import forger
from tests.compiled import needs_kernels
from tests.deals import SEED
from tests.second_checker.asking import answer, compiled

from winnable import checker
from winnable.checker import Refused
from winnable.rules import BoardError

pytestmark = needs_kernels


def attack(program, first, count):
    """Give ``count`` forged files to both checkers; return how many there were of each kind."""
    counts, pool = Counter(), []
    for seed in range(first, first + count):
        names, content = forger.forged(seed, pool)
        try:
            verdict = str(checker.check(io.BytesIO(gzip.compress(content, 1)), max_seconds=60))
        except Refused as error:
            verdict = f"refused: {error}"
        is_accepted = not verdict.startswith("refused: ")
        assert is_accepted or (names and "not understood" not in verdict), (seed, verdict)
        if program:
            other = answer(program, content, "60")
            assert other == verdict if is_accepted else other.startswith("refused: "), (seed, names)
        counts["files"] += 1
        counts["genuine" if not names else "false claims" if "false" in names else "damaged"] += 1
        if is_accepted:
            assert forger.is_true(verdict), (seed, names, verdict)
            counts["accepted"] += 1
            for exchange in ("turned", "exposed"):
                counts[f"accepted, {exchange}"] += f"exchange {exchange}" in verdict
            counts["accepted though damaged"] += bool(names)
    return counts


@pytest.mark.parametrize(("forgeries", "least"), [(25, 0), pytest.param(500, 1, marks=pytest.mark.full)])
def test_nothing_false_is_accepted(forgeries, least):
    counts = attack(compiled(), SEED, forgeries)  # among so few files there may be none of joker
    assert min(count for kind, count in counts.items() if "," not in kind) >= least, counts


@pytest.mark.slow
def test_nothing_false_is_accepted_of_a_million():
    files = int(os.environ.get("WINNABLE_FILES", "1000000"))
    attack_from = partial(attack, compiled(), count=10_000)
    counts = Counter()
    with ProcessPoolExecutor() as pool:
        for found in pool.map(attack_from, range(10**9, 10**9 + files, 10_000)):
            counts += found
            print(dict(counts), flush=True)


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("fortress, seed 1, unwinnable, 9 positions", True),
        ("fortress, 2 ranks of C in 2 columns, the deal [A AC2C -], unwinnable, 1 position", False),
        ("fortress, 2 ranks of C in 2 columns, the deal [A AC2C -], at least 3 moves, 2 positions", True),
        ("fortress, 2 ranks of C in 2 columns, the deal [A AC2C -], at least 4 moves, 2 positions", False),
        ("fortress, 2 ranks of C in 1 columns, the deal [A AC2C], unwinnable, 2 positions", True),
        ("fortress, 2 ranks of C in 2 columns, the deal [A 2CAC], fewest moves 2, 2 positions", True),
        ("simple-simon, 2 ranks of C in 1 columns, the deal [AC2C], unwinnable, 1 position", True),
        ("klondike-one-pass, 2 ranks of CD in 1 columns, the deal [---- w s 2C/AC2DAD], "
         "exact score 0 of 4 places (unwinnable), 1 position", None),
        ("klondike-one-pass, 2 ranks of CD in 1 columns, the deal [---- w s2DAD 2C/AC], "
         "exact score 0 of 4 places (unwinnable), 1 position", False),
    ],
)  # fmt: skip
def test_the_sentence_is_read_back(sentence, is_so):
    """The claim of a sentence is decided by brute force; None for an invalid position."""
    with pytest.raises(BoardError) if is_so is None else contextlib.nullcontext():
        assert forger.is_true(f"{sentence}; lemmas: order of columns") == is_so
