"""Usage that is refused: one line on stderr with the problem, exit status 2, and nothing on stdout."""

import os
import shlex

import pytest
from tests.cli.answers import fails
from tests.compiled import needs_kernels
from tests.positions import TABLE

from winnable.cli import main
from winnable.rules import formats

LARGE = 99999999999999999999

USAGE = f"""
slove => No such command 'slove'; did you mean solve?
Solve => No such command 'Solve'; did you mean solve?
dance => No such command 'dance'; see: winnable --help
solve => Missing argument 'VARIANT': expected a game, or a FILE that names it
solve --seed 8 => Missing argument 'VARIANT': expected the game of the deal
solve '' => FILE '': expected a name
solve fortress '' => FILE '': expected a name
solve chess --seed 1 => variant 'chess': no such game; did you mean chessboard?
solve chess => variant 'chess': no such game; did you mean chessboard?
solve xyzzy => variant 'xyzzy': no such game, and no such file; see
solve none.txt => none.txt: No such file
solve fortress => expected one of FILE, --seed and --pysol
solve fortress - --seed 8 => got FILE and --seed
solve fortress --seed 8 --pysol 8 => got --seed and --pysol
solve fortress --seed 8 --seed 9 => --seed: given twice
solve fortress --seed=8 --json --json => --json: given twice
solve fortress --seed '' => seed ''
solve fortress --pysol '' => PySolFC deal ''
solve joker --pysol 1 => joker has none
solve fortress --pysol x => PySolFC deal 'x'
solve fortress --pysol -3 => PySolFC deal '-3': expected 1 to 10^20 - 1
solve fortress --seed 1 --moves '' => --moves '': expected a name
solve fortress --seed 1 --plain => --plain requires --certificate
solve chessboard --seed -1 => seed '-1': expected a whole number from 0 to 2^64 - 1
solve chessboard --seed {2**64} => seed '{2**64}'
solve chessboard --seed x => seed 'x'
solve chessboard / => /: Is a directory
solve chessboard --seed 1 --max-seconds nan => 'nan' seconds
solve chessboard --seed 1 --max-nodes -1 => --max-nodes
solve chessboard --seed 1 --exchange turned => --exchange: chessboard leaves no choice of rules
solve klondike --seed 1 --exchange turned => --exchange: klondike has no such choice
solve chessboard - --moves - => only one of FILE and --moves
solve simon-jester --seed 1 --engine fast => --engine
solve simple-simon --seed 1 --shorten nan => --shorten 'nan': expected a whole number
solve simple-simon --seed 1 --shorten 3 --engine reference => --shorten has no effect with --engine reference
solve simple-simon --seed 3 --shorten -1 => --shorten
hint fortress '' => FILE '': expected a name
hint chessboard => expected one of FILE, --seed and --pysol
hint chessboard none => none: No such file
hint chess deal.txt => variant 'chess': no such game
hint simple-simon --seed 1 --max-seconds nan => 'nan' is not a number
hint simple-simon --seed 1 --shorten 0.5 => such as 2000000, 2e6 or 2M
difficulty chessboard => expected one of FILE, --seed and --pysol
deal joker => expected one of FILE, --seed and --pysol
deal joker --seed {2**64 - 1} --count 2 => count 2
deal joker --seed 1 --ranks 14 => ranks '14'
deal joker --seed 1 --suits SC => suits 'SC'
deal joker --seed 1 --exchange turned --exchange exposed => --exchange: given twice
deal joker --seed 1 --format solvitaire => a game without jokers
deal joker --seed 1 --tier gold => --tier
deal klondike-one-pass --seed 1 --removal exposed => leaves no choice
deal chessboard --seed 1 --sizes 5,5 => only a short deck has a choice
deal chessboard --seed 1 --ranks 5 --sizes 5,x => sizes '5,x'
deal chessboard --seed 1 --ranks 5 --sizes 5,5 => left over
deal fortress --seed 1 --count {LARGE} => '--count' / '-n': {LARGE} is not in
deal fortress --pysol 1 --count {LARGE} => '--count' / '-n': {LARGE} is not in
deal fortress --seed 1 --winnable --count {LARGE} => is not in the range
deal fortress --seed 1 --count 2 --moves played.txt => --moves: expected one deal
deal fortress --seed 1 --max-nodes 9 => --max-nodes requires --winnable, --tier or
deal fortress --seed 1 --json --format fc-solve => expected --json or --format fc-solve, got both
deal fortress --seed 1 --tier win => tier 'win': fortress has none
verify fortress '' x => FILE '': expected a name
verify chessboard a b c => expected DEAL and SOLUTION
verify chessboard - - => only one of DEAL and SOLUTION
verify --seed 8 played.txt => Missing argument 'VARIANT'
verify played.txt => expected DEAL and SOLUTION
review chessboard played.txt => DEAL and MOVES
review chessboard - - => only one of
replay chessboard => expected DEAL, or --seed or --pysol, and optionally SOLUTION
replay chessboard a b c => expected DEAL, or --seed or --pysol, and optionally SOLUTION
replay chessboard a b --seed 1 => expected DEAL, or --seed or --pysol, and optionally SOLUTION
replay chessboard - - => only one of DEAL and SOLUTION
replay deal.txt - --moves - => can be standard input
replay deal.txt played.txt --max-nodes 5 => --max-nodes has no effect with SOLUTION
replay chessboard no-such-file => no-such-file: No such file
replay chessboard --seed 8 --output no/such/folder => no/such/folder: No such file
replay fortress --seed 1 -o x.html --output y.html => --output: given twice
describe poker => variant 'poker': no such game
describe joker --dealer => expected no VARIANT
report => Missing argument
report '' => FILE '': expected a name
report no.sqlite => no.sqlite
report x.sqlite --csv --jsonl => expected --csv or --jsonl, got both
check => Missing argument
bench --check --file no-such-file => no-such-file: No such file or directory
bench --check --file '' => --file '': expected a name
bench --check --check => --check: given twice
bench --check --write --file x => got both
bench --file x => --file requires --check or --write
--color sometimes describe => --color
"""

COMPILED = """
solve fortress --seed 1 --engine reference --certificate x => compiled
solve simon-jester --seed 1 --shortest => are rarely proved: expected a limit on
solve fortress --bases --seed 1 => base ranks: expected chessboard, got fortress
solve chessboard --quiet --shortest --seed 1 => --quiet excludes
solve chessboard --quiet --bases --seed 1 => --quiet excludes
solve joker --seed 1 --shorten 3 => --shorten: expected a Simon game, got joker
solve simple-simon --seed 1 --shorten 3 --quiet => --shorten has no effect with --quiet
hint chessboard --seed 1 --shorten 3 => --shorten: expected a Simon game, got chessboard; see --prove
hint chessboard --seed 8 --all --count 3 => expected --count or --all, got both
hint joker --seed 1 --prove 1 => --prove: not supported in joker
hint joker --seed 1 --shorten 1 => expected a Simon game, got joker
hint joker --seed 1 --prove 1 --player rule => --prove does not apply to a player
hint joker --seed 1 --samples 3 => --samples requires --think
hint joker counted.txt => counted.txt:3: 44 cards are not written, but 45 places are left for them
hint chessboard partial.txt => column 2: card '<??>': to decide a deal every card must be known
hint joker table.txt --max-seconds 3 => --max-seconds does not apply to a player; see --visits
hint joker table.txt --shorten 3 => --shorten does not apply to a player
hint joker table.txt --samples 3 => --samples requires --think
hint joker table.txt --player rule --visits 3 => not supported by the rule player
hint joker table.txt --visits 0 => --visits
hint joker table.txt --seed 1 => expected one of FILE, --seed and --pysol
hint joker table.txt --moves played.txt => --moves: expected a position without unknown cards
hint fortress --seed 1 --think => got fortress
hint fortress --seed 1 --player=rule => got fortress
hint fortress --seed 1 --visits=3 => got fortress
difficulty joker --seed 1 --exchange exposed => difficulty is defined for the default rules only
difficulty joker --seed 1 --removal exposed => difficulty is defined for the default rules only
play fortress --seed 1 --bot => got fortress
play joker => --seed
play fortress - => standard input has the moves
play fortress --seed 1 --hidden => no hidden cards
play joker --seed 1 --hidden --bot => --hidden
play joker --seed 1 --think-seconds 0 => is not in the range 0<x
hint joker --seed 1 --think-seconds -1 => --think-seconds
rate joker --deals 1-3 --think-seconds 1 => --think-seconds requires --player
rate joker --deals 1 --player rule --think-seconds 1 => not supported by the rule player
play joker table.txt --seed 1 => expected one of FILE, --seed and --pysol
play joker table.txt --bot => table.txt:4: column 2: card '<??>': to decide a deal every card must be known
play joker --seed 1 --before 0 => --before
play joker --seed 1 --player rule --before 900 => --before 900: expected a decision from 1 to
play joker --seed 1 --before 2 --html x => expected --before or --html
play joker --pysol 1 => joker has none
play joker --seed 1 --player rule --visits 3 => not supported by the rule player
rate --deals 1-4 => Missing argument 'VARIANT': expected the game of the deals
rate fortress => --deals
rate fortress --deals '' => --deals '': expected seeds such as 1-1000 or 1-9,20-29, or a file
rate fortress --deals 1- => --deals '1-': expected seeds such as
rate fortress --deals 1--3 => --deals '1--3': expected seeds such as
rate fortress --deals 1, => --deals '1,': expected seeds such as
rate fortress --deals 5-1 => --deals '5-1'
rate fortress --deals 1-5,3 => seed 3 occurs twice
rate fortress --deals 9223372036854775807 => below 2^63
rate fortress --deals no.jsonl => no.jsonl: No such file
rate fortress --deals 1-2 --deals 3-4 => --deals: given twice
rate fortress deal.txt --deals 1-2 => extra argument
rate fortress --deals 1-5 --until 0% => --until '0%'
rate fortress --deals 1-5 --until much => --until 'much'
rate fortress --deals 1-5 --shard 3/2 => --shard '3/2'
rate fortress --deals 1-5 --workers 0 => workers
rate fortress --deals 1-5 --out no/folder.sqlite => no such folder: no
rate fortress --deals 1-5 --retry-undecided => requires --out
rate fortress --deals 1-5 --scheduler tcp://x:1 --workers 2 => --workers
rate fortress --deals 1-5 --scheduler nonsense => scheduler nonsense
rate fortress --deals 1 --scheduler '' => --scheduler '': expected a name
rate fortress --deals 1-5 --exchange turned => leaves no choice
rate fortress --deals 1-2 --plain => --plain requires --certificates
rate klondike --deals 1-2 --shortest --certificates x => not supported in klondike with --shortest
rate joker --deals 1-2 --shortest --certificates x => not supported in joker with --shortest
rate joker --deals 1-2 --player rule --certificates x => does not apply
rate joker --deals 1-2 --player rule --out '' => --out '': expected a name
rate joker --deals 1-2 --player rule --paired '' => --paired '': expected a name
rate joker --deals 1-5 --player rule --paired no.sqlite => no such file
rate joker --deals 1-5 --player rule --visits 5 => not supported by the rule player
rate joker --deals 1-5 --player rule --max-nodes 5 => --max-nodes does not apply to a player
rate joker --deals 1-4 --player rule --shortest => --shortest does not apply to a player
rate joker --deals 1-5 --visits 5 => --visits requires --player
rate joker --deals 1-5 --paired x => --paired requires --player
rate fortress --deals 1-5 --player rule => got fortress
report some.sqlite --csv --json => expected only one of --json, --csv, --jsonl and --seeds
report some.sqlite --count 3 => --count
report some.sqlite --seeds odd => odd
"""


def each(table):
    """Run a test with each command line and problem of a table."""
    rows = [line.split(" => ") for line in table.strip().splitlines()]
    return pytest.mark.parametrize(("line", "problem"), rows, ids=[line for line, _ in rows])


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    """A folder with files that the command lines name."""
    folder = tmp_path_factory.mktemp("refusals")
    (folder / "deal.txt").write_text(run("deal", "chessboard", "--seed", 8)[1])
    (folder / "table.txt").write_text(TABLE)
    (folder / "counted.txt").write_text(TABLE.replace("Stock: 23", "Stock: 24"))
    (folder / "partial.txt").write_text(TABLE.replace("Exchange: exposed\n", ""))
    (folder / "played.txt").write_text("7H 6-f\n")
    return folder


def check_refused(run, folder, monkeypatch, line, problem):
    monkeypatch.chdir(folder)
    before = sorted(os.listdir())
    assert problem in fails(run, *shlex.split(line))
    assert sorted(os.listdir()) == before


@each(USAGE)
def test_usage_is_refused_in_one_line(run, folder, monkeypatch, line, problem):
    check_refused(run, folder, monkeypatch, line, problem)


@needs_kernels
@each(COMPILED)
def test_usage_with_a_compiled_engine_is_refused_in_one_line(run, folder, monkeypatch, line, problem):
    store = folder / "some.sqlite"
    if "some.sqlite" in line and not store.exists():
        run("rate", "fortress", "--deals", "1-3", "--out", store)
    check_refused(run, folder, monkeypatch, line, problem)


def test_every_command_says_what_is_given_twice(run):
    for name in set(main.COMMANDS) - {"board", "engine", "fc-solve"}:
        assert "given twice" in fails(run, name, "x", "--json", "--json")
    assert "given twice" in fails(run, "board", "x", "--port", 1, "--port", 2)


def test_odd_names_are_refused_in_one_line(run, tmp_path):
    assert "No such command 'slo ve\\n'" in fails(run, "slo ve\n")
    where = ("--certificates", tmp_path / "a" / "\0")
    assert "expected a name" in fails(run, "rate", "fortress", "--deals", "1-2", *where)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")
@pytest.mark.parametrize("command", ["solve", "hint", "deal", "rate --deals", "solve --seed 1 --moves"])
def test_a_device_without_an_end_is_refused(run, command, monkeypatch):
    monkeypatch.setattr(formats, "MEGABYTES", 1)
    first, *options = command.split()
    error = fails(run, first, "fortress", *options, "/dev/zero")
    assert error.startswith("winnable: /dev/zero:1: more than 1 megabytes")
