"""The examples in the manual and in all pages of help: each is run, some with fewer deals, and must print the
output that follows it.

With WINNABLE_ENVIRONMENTS, a folder of virtual environments that `.ci/run` makes, each is run in one that
holds nothing but winnable and the extras that the example needs, which its page has to name.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from tests.children import Child, start
from tests.compiled import needs_kernels

from winnable.cli.main import COMMANDS, FIRST_STEPS, cli
from winnable.rules import VARIANTS

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "web/package/README.md", "web/small/README.md"]
PAGES += sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
ENVIRONMENTS = os.environ.get("WINNABLE_ENVIRONMENTS")

EXTRAS = {
    r"\bwinnable board\b": "board",
    r"\bwinnable mcp\b": "mcp",
    r"--pysol |\bpysol:": "pysol",
    r"--plot ": "plot",
    r"--parquet ": "dataframe",
    r"^dask |--scheduler ": "cluster",
}
"""The extras that a command needs."""

NAMED_EXTRAS = r"extra [`']([\w]+)[`']|winnable\[(\w+)\]|'\.\[(\w+)\]'"

is_linux = sys.platform.startswith("linux")
pytestmark = [pytest.mark.skipif(not is_linux, reason="the examples are for a shell"), needs_kernels]

NOT_RUN = {
    r"pip install (-e )?'?(\.|winnable)": "`.ci/run` makes its environments so",
    r"python -m web\.build|python -m http\.server": "`.ci/run` builds the site by it, and serves it",
    r"python -m web\.(library|npm)|^cc example\.c": "`tests/library` and `tests/web` run what was built",
    r"bash \.ci/run|^\.ci/checked|^TREE=\S* \.ci/checked|\.ci/wheel": "`.ci/run` or a release runs it",
    r"^dask |tcp://host": "`tests/solver/batch` runs such a cluster on one machine",
    r"python -m web\.lint": "a stage of `.ci/run`, which has npm",
    r"npm install winnable": "`tests/web` installs the package that was built",
    r"python -m benchmarks\.|^print\(compare|test_proofs import": "a measurement, some of which take hours",
    r"python -m tests\.mutations": "twenty minutes and more",
    r"pytest": "`.ci/run` runs these tests but the slow ones",
    r"gdb|-ex run": "a search in a debugger",
    r"bench --check": "`.ci/run` runs it in a checkout",
    r"(activate|setup\.py build_ext --inplace|-name '\*\.c' -delete)$": "the checkout of a contributor",
    r"build/(checks|cff)|npm publish|^gh ": "a release, with tools of others",
}
"""Patterns of commands that are not run here, with the reason."""

SHORTER = (
    (r"--deals (pysol:|)1-\d{4,}", r"--deals \g<1>1-50"),
    (r"--pysol 1-20", "--pysol 1-4"),
    (r"--count 20 \|", "--count 3 |"),
    (r"--deals 1-400 --player search", "--deals 1-2 --player search --visits 20"),
    (r"--prove 20M", "--prove 200k"),
    (r"--samples 400", "--samples 2"),
    (r"(simulate \w+(?: --seed 1)?(?: --json| --before 12| --html \S+)?)(?= \||$)", r"\1 --visits 20"),
    (r"(hint joker (?:table.txt|-)(?! --think| --samples)(?=$| ))", r"\1 --visits 200"),
    (r"(simple-simon .*--shortest)", r"\1 --work 2M"),
    (r"winnable bench$", "winnable bench --json"),
)
"""Fewer deals and less thought than the examples have, which people wait for."""

WRITTEN = ("--output", "--html", "--output", "--certificate", "--certificates", "--plot", ">", ">>")
"""The options before the name of a file that an example makes."""

SESSION = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
TIMES = re.compile(r"^(CPU time|Speed|Search:).*$", re.MULTILINE)

SEEDS = {"chessboard": 8, "fortress": 8, "joker": 1, "simple-simon": 1, "simon-jester": 1}


def examples_of_help(name):
    """The examples in a command's page of help; for an empty name, in that of the program."""
    command = cli.get_command(click.Context(cli), name) if name else cli
    examples = command.help.split("Examples:")[1].split("\n\n")[0]
    return [(line, "") for line in re.findall(r"^ +(winnable .*)$", examples, re.MULTILINE)]


def examples_of_page(path):
    """The command lines of a page, from shell blocks and after prompts, each with the output printed below
    it."""
    text = (ROOT / path).read_text()
    yield from ((line, "") for line in re.findall(r"^    (?=npm )(.*)$", text, re.MULTILINE))
    yield from ((line, "") for line in re.findall(r"`(python -m web[^`]*)`", text))
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "sh":
            lines = block.replace("\\\n", " ").splitlines()
            yield from ((line.split(" #")[0].rstrip(), "") for line in lines if line.strip())
        else:
            yield from SESSION.findall(block)


def sources():
    """The examples with their expected output, by place."""
    found = {name or "winnable": examples_of_help(name) for name in ("", *COMMANDS)}
    steps = FIRST_STEPS.replace("--output FILE", "--output page.html")
    found["first steps"] = [(line, "") for line in re.findall(r"^  (winnable .*?) {2,}", steps, re.MULTILINE)]
    return found | {path: list(examples_of_page(path)) for path in PAGES}


SOURCES = {name: examples for name, examples in sources().items() if examples}


def text_of(source):
    """The page, or page of help, of a source of examples."""
    if source in PAGES:
        return (ROOT / source).read_text()
    if source == "first steps":
        return FIRST_STEPS
    command = cli if source == "winnable" else cli.get_command(click.Context(cli), source)
    return command.get_help(click.Context(command))


def extras_of(line):
    """The extras that a command line needs, in the order of the alphabet."""
    return sorted({extra for pattern, extra in EXTRAS.items() if re.search(pattern, line)})


def is_run(line):
    """Test if a command line is run by `test_the_examples_run`."""
    return not any(re.search(pattern, line) for pattern in NOT_RUN)


def environments():
    """The environments in which examples are run: their extras with hyphens between them, or ``plain``."""
    lines = [line for examples in SOURCES.values() for line, _ in examples if is_run(line)]
    return sorted({"-".join(extras_of(line)) or "plain" for line in lines})


def test_no_reason_is_given_for_a_command_that_is_not_printed():
    lines = [line for examples in SOURCES.values() for line, _ in examples]
    assert [pattern for pattern in NOT_RUN if not any(re.search(pattern, line) for line in lines)] == []


@pytest.mark.parametrize("source", SOURCES)
def test_a_page_names_the_extras_that_its_commands_need(source):
    text = " ".join(text_of(source).split())
    named = {extra for found in re.findall(NAMED_EXTRAS, text) for extra in found}
    for line, _ in SOURCES[source]:
        assert {*extras_of(line)} <= named, line


def test_examples_are_found():
    pages = {"README.md", "docs/tour.md", "docs/playing.md"}
    assert set(SOURCES) >= {*COMMANDS.keys() - {"engine"}, "winnable", "first steps", *pages}
    assert len(SOURCES["README.md"]) > 5
    assert ("winnable hint simon-jester - --json < position.txt", "") in SOURCES["hint"]
    assert sum(map(len, SOURCES.values())) > 110
    assert sum(bool(answer) for examples in SOURCES.values() for _, answer in examples) > 15


@cache
def output_of(*args):
    """The output of the program, which is the same for all examples."""
    out, err = start(*args).finish()
    assert err == "", (args, err)
    return out


def write_inputs(folder, line, made):
    """Write the input files of an example, for the game that it is about, except those ``made`` before."""
    words = shlex.split(line, comments=True)
    named = [word for word in words if word in VARIANTS]
    game = named[0] if named else "chessboard"
    seed = words[words.index("--seed") + 1] if "--seed" in words else SEEDS.get(game, 1)
    for before, word in zip(["", *words], words, strict=False):
        path = folder / word
        if before in WRITTEN or word in made or "/" in word.rstrip("/*") or word.startswith("-"):
            continue
        if word in ("deal.txt", "board.txt", "position.txt"):
            path.write_text(output_of("deal", game, "--seed", seed))
        elif word == "table.txt":
            path.write_text(output_of("simulate", "joker", "--seed", 4, "--player", "rule", "--before", 1))
        elif word in ("played.txt", "moves.txt", "solution.txt"):
            path.write_text(output_of("solve", game, "--seed", seed, "--shorten", 0))
        elif word == "proof.gz":
            output_of("solve", "fortress", "--seed", 1, "--certificate", path)
        elif match := re.fullmatch(r"(\w+?)(\d?)\.sqlite", word):
            games = match[1] if match[1] in VARIANTS else "chessboard"
            shard = ("--shard", f"{match[2]}/4") if match[2] else ()
            output_of("rate", games, "--deals", "1-40", *shard, "--output", path)


def programs(folder, line):
    """The folder of the program ``winnable`` for an example; by default one in ``folder``, of this Python."""
    if ENVIRONMENTS:
        return Path(ENVIRONMENTS, "-".join(extras_of(line)) or "plain", "bin")
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "winnable"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m winnable "$@"\n')
    program.chmod(0o755)
    return folder / "bin"


def run_example(folder, line):
    """Run a line in a shell; return exit status, stdout and stderr. A board is ended once it has started."""
    path = f"{programs(folder, line)}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "BROWSER": "true"}
    environment |= {"XDG_DATA_HOME": str(folder / "data")}
    is_board = line.startswith("winnable board")
    bash = ("bash", "-o", "pipefail", "-c", f"exec {line}" if is_board else line)
    child = Child(*bash, cwd=folder, env=environment, stdin=subprocess.DEVNULL)
    if is_board:
        assert "http://127.0.0.1" in child.first_line()
        out, err = child.interrupt(signal.SIGINT)
    else:
        out, err = child.finish()
    return child.returncode, out, err


@pytest.mark.quick("docs/difficulty.md")
@pytest.mark.parametrize(
    "source",
    [pytest.param(name, marks=pytest.mark.slow if name == "bench" else ()) for name in SOURCES],
)
def test_the_examples_run(source, tmp_path):
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "signature.txt").write_text((ROOT / "benchmarks/signature.txt").read_text())
    made = set()
    for example, answer in SOURCES[source]:
        if not is_run(example):
            continue
        line = example
        for long, short in SHORTER if not answer else ():
            line = re.sub(long, short, line)
        write_inputs(tmp_path, line, made)
        there = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        print(line)
        status, out, err = run_example(tmp_path, line)
        assert status in ((0, 3) if "--max-seconds" in line else (0,)), (example, status, err)
        assert "Traceback" not in err
        if answer and "..." not in answer:
            assert TIMES.sub("", out) == TIMES.sub("", answer)
            assert re.fullmatch(r"(Read as .*\n)?", err), err
        made |= {p.name for p in tmp_path.iterdir() if p not in there or p.stat().st_mtime_ns != there[p]}
