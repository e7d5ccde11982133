"""The forger against both checkers: what is accepted is true of the claim as printed, and both agree."""

import contextlib
import gzip
import io
import os
import subprocess
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest
from tests.checker import forger
from tests.compiled import needs_kernels
from tests.deals import SEED
from tests.second_checker.asking import compiled

from winnable import checker
from winnable.checker import Refused
from winnable.rules import BoardError

A_BATCH = 500
pytestmark = needs_kernels


def first_verdict(content):
    """The line of the readable checker."""
    try:
        return f"accepted: {checker.check(io.BytesIO(gzip.compress(content, 1)), max_seconds=60)}"
    except Refused as error:
        verdict = f"refused: {error}"
    assert "not understood" not in verdict
    return verdict


def second_verdicts(program, folder, contents):
    """The lines of the second checker, one for each content."""
    for number, content in enumerate(contents):
        (folder / str(number)).write_bytes(content)
    each = '"$1" 60 <"$2/$i" || test $? = 2 || echo crashed'
    script = f"for i in $(seq 0 {len(contents) - 1}); do {each}; done"
    answer = subprocess.run(
        ["sh", "-c", script, "sh", program, folder], capture_output=True, check=True, errors="replace"
    )
    lines = answer.stdout.splitlines()
    assert len(lines) == len(contents), answer.stderr
    return lines


def attack(program, folder, first, count):
    """Send so many forged files to both checkers; how many of each kind there were."""
    counts, pool = Counter(), []
    for start in range(first, first + count, A_BATCH):
        sent = [
            (seed, *forger.forged(seed, pool)) for seed in range(start, min(start + A_BATCH, first + count))
        ]
        others = second_verdicts(program, folder, [content for _, _, content in sent]) if program else None
        for number, (seed, names, content) in enumerate(sent):
            verdict = first_verdict(content)
            is_accepted = verdict.startswith("accepted: ")
            assert is_accepted or names, (seed, verdict)  # what is genuine is accepted
            if others is not None and (is_accepted or others[number].startswith("accepted: ")):
                assert others[number] == verdict, (seed, names)
            counts["files"] += 1
            counts["genuine" if not names else "false claims" if "false" in names else "damaged"] += 1
            if is_accepted:
                assert forger.is_true(verdict.removeprefix("accepted: ")), (seed, names, verdict)
                counts["accepted"] += 1
                for exchange in ("turned", "exposed"):
                    counts[f"accepted, {exchange}"] += f"exchange {exchange}" in verdict
                counts["accepted though damaged"] += bool(names)
    return counts


@pytest.mark.parametrize(("forgeries", "least"), [(25, 0), pytest.param(500, 1, marks=pytest.mark.full)])
def test_nothing_false_is_accepted(tmp_path, forgeries, least):
    counts = attack(compiled(), tmp_path, SEED, forgeries)  # of joker there may be none among so few
    assert min(count for kind, count in counts.items() if "," not in kind) >= least, counts


def _attack_apart(job):
    program, folder, first, count = job
    folder.mkdir()
    return attack(program, folder, first, count)


@pytest.mark.slow
def test_nothing_false_is_accepted_of_a_million(tmp_path):
    files = int(os.environ.get("WINNABLE_FILES", "1000000"))
    folders = ((tmp_path / str(first), first) for first in range(10**9, 10**9 + files, 10_000))
    jobs = [(compiled(), *each, 10_000) for each in folders]
    counts = Counter()
    with ProcessPoolExecutor() as pool:
        for found in pool.map(_attack_apart, jobs):
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
    """The claim of a sentence is decided by brute force; None for what is no position."""
    with pytest.raises(BoardError) if is_so is None else contextlib.nullcontext():
        assert forger.is_true(f"{sentence}; lemmas: order of columns") == is_so
