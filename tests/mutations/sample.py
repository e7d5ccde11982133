"""A sample of generated mutants of the shipped sources, and the share of them that each tier kills."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from .operators import Edit, edits, statements
from .runner import Runner, Runners
from .table import ROOT, read_table

TESTS = {
    "rules": "rules solver checker second_checker seeds game cli board benchmarks python",
    "solver": "seeds solver checker second_checker benchmarks game cli board python",
    "checker": "checker second_checker cli python",
    "cli": "cli board benchmarks python",
    "game": "game board cli python",
    "board": "board cli python",
}
"""The folders of tests that reach each package, the nearest first."""

TIERS = {"quick": "not slow and not full", "full": "full and not slow"}
MOST_SECONDS = 900  # processor seconds for the tests of one tier


@dataclass(frozen=True)
class Generated:
    """An edit of a source."""

    path: Path
    source: str
    edit: Edit

    def __str__(self) -> str:
        line = self.source.count("\n", 0, self.edit.start) + 1
        edit, source = self.edit, self.source
        texts = source[slice(*edit.place)], source[edit.start : edit.end], edit.text
        place, before, after = (" ".join(text.split()) for text in texts)
        return f"{self.path}:{line}: {self.edit.operator}: {before!r} -> {after!r} in {place!r}"


def sources(root: Path) -> list[Path]:
    """The sources of the packages, from the root of a copy of the project."""
    found = (path for package in TESTS for path in (root / package).rglob("*.p*"))
    return sorted(path.relative_to(root) for path in found if path.suffix in (".py", ".pyx", ".pxd", ".pxi"))


def generate(source: str) -> list[Edit]:
    """All mutants of a source, without duplicates. If and while statements are not skipped, since another
    operator makes their conditions false."""
    found: dict[str, Edit] = {}
    for statement in statements(source):
        for edit in edits(source, statement):
            if edit.operator != "skip" or statement.tokens[0].text not in ("if", "while"):
                found.setdefault(f"{edit.start} {edit.end} {edit.text}", edit)
    return list(found.values())


def sample(seed: int, root: Path, named: Sequence[str] = ()) -> Iterator[Generated]:
    """Yield random mutants without end: a source with a probability by its number of lines, then one of its
    edits, each at most once. If sources are ``named``, only they are used. Equivalent mutants of the tables
    are left out."""
    rng = random.Random(seed)
    table = read_table()
    paths = sorted(map(Path, named)) or sources(root)
    texts = {path: (root / path).read_text(encoding="utf-8") for path in paths}
    lines = [text.count("\n") for text in texts.values()]
    equivalent = {m.apply(texts[m.module.path]) for m in table if m.module.path in texts}
    drawn = set()
    while True:
        path = rng.choices(list(texts), lines)[0]
        found = generate(texts[path])
        if not found:
            continue
        mutant = Generated(path, texts[path], rng.choice(found))
        if mutant not in drawn and mutant.edit.apply(mutant.source) not in equivalent:
            drawn.add(mutant)
            yield mutant


def reaching_tests(path: Path) -> tuple[list[str], list[str]]:
    """The tests that may reach a source: those of its table and its package, and the folders of all other
    tests."""
    listed = [test for mutant in read_table() if mutant.module.path == path for test in mutant.module.tests]
    nearest = [str(folder) for folder in [Path("tests") / path.parent] if (ROOT / folder).is_dir()]
    near = list(dict.fromkeys([*listed, *nearest]))
    return near, [other for name in TESTS[path.parts[0]].split() if (other := f"tests/{name}") not in near]


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share."""
    z = 1.96
    share, spread = part / whole, z * z / whole
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return middle - half, middle + half


class Sampler:
    """Judges generated mutants in copies of the project."""

    def __init__(self, tiers: Sequence[str]) -> None:
        self.tiers = tiers
        self.passing: set[str] = set()
        self.failing: set[str] = set()  # tests that fail without a mutant, or sometimes

    def start(self, runner: Runner, jobs: int) -> None:
        """Find the tests that fail without a mutant, to leave them out."""
        for tier in self.tiers:
            options = ("-n", str(jobs), "-m", TIERS[tier])
            self.failing.update(runner.ask(["tests"], *options, seconds=MOST_SECONDS).failed)

    def judge(self, runner: Runner, mutant: Generated) -> tuple[str, str | None]:
        """Return the last tier that was run, and the first test that fails, as `killer` does."""
        for tier in self.tiers:
            killer = self.killer(runner, mutant, tier)
            if killer is not None:
                break
        return tier, killer

    def killer(self, runner: Runner, mutant: Generated, tier: str) -> str | None:
        """Return the first test of a tier that fails for ``mutant``; None if none does, "" if the mutant does
        not compile.

        The test must fail again alone, and pass without the mutant.
        """
        source = runner.work / mutant.path
        while True:
            try:
                source.write_text(mutant.edit.apply(mutant.source), encoding="utf-8")
                near, others = reaching_tests(mutant.path)
                left_out, build = sorted(self.failing), source.suffix != ".py"
                for tests in filter(None, (near, others)):  # few tests are collected if a near one fails soon
                    options = ["-x", "-m", TIERS[tier], *(f"--deselect={test}" for test in left_out)]
                    answer = runner.ask(tests, *options, build=build, seconds=MOST_SECONDS)
                    if answer.failed:
                        break
                    left_out, build = left_out + near, False
                if not answer.failed or not answer.is_built:
                    return "" if answer.failed else None
                test = answer.failed[0].split(" (status")[0]
                if "::" not in test:
                    return test
                is_killed = self.fails(runner, test, unknown=True)
            finally:
                runner.restore()
            if is_killed and (test in self.passing or not self.fails(runner, test, unknown=False)):
                self.passing.add(test)
                return answer.failed[0]
            self.failing.add(test)

    def fails(self, runner: Runner, test: str, unknown: bool) -> bool:
        """Test if a test fails alone; ``unknown`` is returned if pytest does not find it by its printed
        name."""
        failed = runner.ask([test], "-m", "not slow", build=False).failed
        return unknown if failed == ("pytest (status 4)",) else bool(failed)


def judge(count: int, seed: int, tiers: Sequence[str], runners: Runners, named: Sequence[str] = ()) -> None:
    """Print the first test that kills each mutant of a sample, and the shares so far.

    Mutants that do not compile are replaced by others.
    """
    sampler = Sampler(tiers)
    killed = Counter[str]()
    judged = unbuilt = 0
    survivors = []
    with runners as first:
        sampler.start(first, runners.jobs)
        mutants = sample(seed, first.pristine, named)
        while judged < count:
            asked = list(islice(mutants, count - judged))
            for mutant, (tier, killer) in zip(asked, runners.map(sampler.judge, asked), strict=True):
                print(f"{mutant}", flush=True)
                if killer == "":
                    unbuilt += 1
                    print("    does not compile", flush=True)
                    continue
                judged += 1
                if killer is None:
                    survivors.append(mutant)
                else:
                    killed[tier] += 1
                print(f"    {tier}: {killer}" if killer else "    SURVIVED")
                print(f"    {'; '.join(shares(tiers, killed, judged))}", flush=True)
    print(f"\n{judged} mutants of seed {seed}, and {unbuilt} that do not compile")
    print("\n".join(shares(tiers, killed, judged)))
    print("\n".join(f"survived: {mutant}" for mutant in survivors))
    left_out = "left out, as it fails without a mutant or now and then: "
    print("\n".join(left_out + test for test in sorted(sampler.failing)))


def shares(tiers: Sequence[str], killed: Counter[str], judged: int) -> Iterator[str]:
    """Yield the share of mutants that each tier kills, together with the tiers before it."""
    part = 0
    for tier in tiers:
        part += killed[tier]
        low, high = interval(part, judged)
        yield f"{tier} {part}/{judged} = {part / judged:.0%} ({low:.0%} to {high:.0%})"
