"""Games and values of rule options that a part of the program does not implement: every command and
function lets the reference engine decide them, or refuses them in one line; none answers by other rules."""

import gzip
import json
import re
import sys
import threading
import time
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from click.testing import CliRunner
from tests.children import HANG
from tests.compiled import SEARCHED, needs_kernels
from tests.native import load
from tests.second_checker.asking import answer, compiled
from tests.solver.kernels import SHORT
from winnable.solver.core.border import CertificateKernel, SearchKernel

from winnable import find_shortest, hint, solve
from winnable.board.analysis import Failed, Finished, Judged, Task
from winnable.board.analyst import Analyst
from winnable.checker import Refused, check
from winnable.cli import main
from winnable.protocol.server import Engine
from winnable.rules import VARIANTS, chessboard, choices, simon, variants
from winnable.rules.choices import not_implemented
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.tables import hidden
from winnable.solver import Limits, Result, Verdict, engine, reference
from winnable.solver.analysis.blocking import blocks
from winnable.solver.analysis.difficulty import difficulty
from winnable.solver.analysis.review import review
from winnable.solver.batch.threads import solve_many
from winnable.solver.certificates import NoCertificate, certify
from winnable.solver.engine import find_kernel, optimizes, what_is_missing
from winnable.solver.player.player import Player, advise, decisions, find_player_kernel

pytestmark = [needs_kernels, pytest.mark.filterwarnings("ignore:.*is decided by the reference engine")]

# A game of each family, by the game whose rules it has, or nearly: Chessboard's family has other rules for
# each name.
FAMILY = "a family of its own"
BASES = (FAMILY, "fortress", "simple-simon", "joker", "klondike-one-pass", "klondike")
# Values that no search implements, by the game that has them; some are not in the table of rule options.
VALUES = (
    ("joker", "exchange", "never"),
    ("joker", "removal", "always"),
    ("klondike", "draw", "8"),
    ("klondike-draw-one", "passes", "9"),
    ("klondike-vegas-one", "spaces", "any"),
)
FAMILIES = ("chessboard", "simon", "joker", "klondike")
CERTIFIED = {
    "chessboard": ("fortress", 1),
    "simon": ("simple-simon", 462),
    "joker": ("klondike-one-pass", 638),
    "klondike": ("klondike", 44),
}
"""A lost deal by each packed family."""
QUICK = ("fortress", "simple-simon", "klondike-one-pass", "klondike")
LOST = Result(Verdict.UNWINNABLE)
ENOUGH = Limits(nodes=20_000)


def add_game(monkeypatch, base):
    """Enter a game named own-game, with the row of the game ``base``, in the table of games; for `FAMILY` it
    is the only game of a family of its own, with the rules of Chessboard."""
    like = VARIANTS["chessboard" if base == FAMILY else base]
    row = replace(like, name="own-game", title="Own Game", levels=None)
    if base == FAMILY:
        spec = spec_from_file_location("winnable.rules.own_family", chessboard.__file__)
        module = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        row = replace(row, rules="own_family", packed="own_family")
    monkeypatch.setitem(VARIANTS, row.name, row)
    monkeypatch.setitem(variants._CALLED, "owngame", row)
    for table in (choices.CHOICES_OF, choices.FIXED, simon.COLUMNS):
        if base in table:
            monkeypatch.setitem(table, row.name, table[base])
    return row


def add_value(monkeypatch, game, name, value):
    """Enter ``value`` in the table of rule options, unless it is there."""
    usual = choices.CHOICES_OF[game][name]
    if value not in usual:
        monkeypatch.setitem(choices.CHOICES_OF, game, choices.CHOICES_OF[game] | {name: (*usual, value)})
        monkeypatch.setitem(choices.CHOICES, name, (*usual, value))
    return VARIANTS[game], {name: value}


@pytest.fixture(params=[*BASES, *VALUES], ids=str)
def own(request, monkeypatch):
    """A game and its rule options that only the readable rules implement."""
    if isinstance(request.param, str):
        return add_game(monkeypatch, request.param), None
    return add_value(monkeypatch, *request.param)


def small(own, seed=3, deck=0):
    """A short deck of a game, which the reference engine decides soon."""
    variant, agreed = own
    rules = "chessboard" if variant.rules == "own_family" else variant.rules
    kind = (rules, variant.copies, variant.scored)
    like = next(n for n in SHORT if (VARIANTS[n].rules, VARIANTS[n].copies, VARIANTS[n].scored) == kind)
    ranks, suits, sizes = SHORT[like][deck]
    return variant.deal(seed, ranks, suits, sizes, agreed)


def decided(own, verdict):
    """A short deck with this verdict by the readable rules."""
    states = (small(own, seed, deck) for deck in range(4) for seed in range(100))
    return next(state for state in states if reference.solve(own[0], state, ENOUGH).verdict is verdict)


def packed_as(own):
    """The family of searches for a game, or for one without any those that its rules are nearest to."""
    return own[0].packed if own[0].packed in FAMILIES else "chessboard"


def words_of(own):
    """The game and value that are not implemented, as messages name them."""
    variant, agreed = own
    return variant.name + "".join(f" with {name} {value}" for name, value in (agreed or {}).items())


def is_said(words, problem):
    """Test if a message, of one line, names what is not implemented and no compiler."""
    return words in str(problem) and "\n" not in str(problem) and "compiler" not in str(problem)


# --- Python -------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.quick(*QUICK)
def test_the_reference_engine_decides(own):
    variant, _ = own
    state = small(own)
    truth = reference.solve(variant, state, ENOUGH)
    for result in (solve(state, ENOUGH), find_shortest(state, ENOUGH), hint(state, limits=ENOUGH).answer):
        assert result.engine == "reference"
        assert (result.verdict, result.score) == (truth.verdict, truth.score)
    assert truth.verdict is not Verdict.UNDECIDED
    assert find_kernel(variant, state.choices) is None
    assert not optimizes(variant, state.choices)
    with pytest.raises(ValueError, match="reference engine") as raised:
        solve(state, engine="compiled")
    assert is_said(words_of(own), raised.value)


def test_a_win_by_a_value_of_its_own_is_not_called_lost():
    """Deals that are lost if only kings go to empty columns, and won if any card does."""
    variant, agreed = VARIANTS["klondike-vegas-one"], {"spaces": "any"}
    found = 0
    for seed in range(20):
        usual, state = (variant.deal(seed, 5, "CD", (1, 2, 3), rules) for rules in (None, agreed))
        lost, won = (reference.solve(variant, each, ENOUGH).verdict for each in (usual, state))
        if (lost, won) == (Verdict.UNWINNABLE, Verdict.WINNABLE):
            found += 1
            assert solve(state, ENOUGH).verdict is Verdict.WINNABLE
            assert hint(state, limits=ENOUGH).options[0].after.verdict is Verdict.WINNABLE
            (row,) = solve_many(variant, [state], ENOUGH)
            assert row["verdict"] == "winnable"
            assert blocks(variant, state) == []
    assert found >= 2


def test_batches_are_decided_by_the_reference_engine(own):
    variant, agreed = own
    state = small(own)
    (row,) = solve_many(variant, [state], ENOUGH)
    assert row["verdict"] == reference.solve(variant, state, ENOUGH).verdict.value
    rows = [*solve_many(variant, range(1, 3), Limits(nodes=20), choices=agreed)]
    assert [row["expanded"] for row in rows] == [
        reference.solve(variant, variant.deal(seed, choices=agreed), Limits(nodes=20)).expanded
        for seed in (1, 2)
    ]
    with pytest.raises(ValueError, match="search for shortest lines needs") as raised:
        [*solve_many(variant, range(1, 3), choices=agreed, shortest=True)]
    assert is_said(words_of(own), raised.value)


def test_each_kernel_and_oracle_refuses_what_it_does_not_list(own):
    """Also where nothing asks beforehand whether it is listed."""
    variant, agreed = own
    state = small(own)
    like = {"chessboard": "fortress", "simon": "simple-simon"}.get(packed_as(own), packed_as(own))
    searcher = engine._kernel_of(SearchKernel, variant.name if agreed else like)(Limits())
    oracle = load(f"{packed_as(own)}_brute")
    replay = getattr(oracle, "replays", None) or oracle.replay
    asked = (
        lambda: searcher.solve(state),
        lambda: searcher.prove_optimal(state, [], print),
        lambda: searcher.solve_seeds(variant.name, 1, 1, variant.agreed(agreed)),
        lambda: replay(state, []),
    )
    for ask in asked:
        with pytest.raises(ValueError, match=words_of(own)):
            ask()


@pytest.mark.parametrize("game", ["klondike", "joker"])
def test_a_kernel_refuses_what_its_oracle_does_not_list(monkeypatch, game):
    """It replays its lines by the oracle, whose list is another than its own."""
    variant = VARIANTS[game]
    searcher = find_kernel(variant)(Limits(nodes=100))
    monkeypatch.setattr(type(searcher), "IMPLEMENTED", (*searcher.IMPLEMENTED, {}))
    for ask in (
        lambda: searcher.solve(variant.deal(1)),
        lambda: searcher.prove_optimal(variant.deal(1), [], print),
    ):
        with pytest.raises(ValueError, match="expected a state"):
            ask()


def test_the_lists_name_games_and_values_of_the_tables():
    """So that a name that is misspelt or missing is found: the lists of a family are equal, with all its
    games that a search knows, all their rule options and the usual value of each. The reference engine alone
    decides values that none of the lists has."""
    for packed in FAMILIES:
        games = {name for name in SEARCHED if VARIANTS[name].packed == packed}
        package = import_module(f"winnable.solver.{packed}")
        listed = [import_module(f"winnable.checker.{packed}").IMPLEMENTS]
        listed += [package.IMPLEMENTS, package.REPLAYS, package.CERTIFIES]
        for each in listed:
            assert set(each) == games
            for name in games:
                usual, values = choices.usual_rules(name), VARIANTS[name].choices
                assert set(each[name]) == set(usual)
                for option, some in each[name].items():
                    assert {usual[option]} <= set(some) <= set(values.get(option, (usual[option],)))
                    assert set(some) == set(package.IMPLEMENTS[name][option])
        assert all(not not_implemented(VARIANTS[name].family.PROVED_FOR, name) for name in games)
        assert all(find_kernel(VARIANTS[name]) for name in games)


def test_there_are_no_certificates(own, tmp_path):
    variant, _ = own
    state = small(own)
    with pytest.raises(NoCertificate, match=f"^there are no certificates of {words_of(own)}$"):
        certify(variant, state, LOST)
    listed = import_module(f"winnable.solver.{packed_as(own)}").CERTIFIES
    like = variant.name if variant.name in listed else next(iter(listed))
    for kind in range(3 if packed_as(own) == "simon" else 1):
        with pytest.raises(ValueError, match=words_of(own)):
            CertificateKernel(like, kind, listed, Limits()).explore(state)
    path = forged(own, tmp_path)
    with pytest.raises(Refused, match=refused_certificate(own)):
        check(str(path))
    if compiled():
        assert answer(compiled(), gzip.decompress(path.read_bytes())).startswith("refused: ")


def refused_certificate(own):
    """A pattern of the refusal of a forged certificate. No header has an option with one certified value."""
    return f"there are no certificates of {words_of(own)}|choices: expected .*'spaces'"


def forged(own, folder):
    """The file of a true certificate, under the name and rules of a game that has none."""
    variant, agreed = own
    game, seed = CERTIFIED[packed_as(own)]
    true = VARIANTS[game]
    state = true.deal(seed)
    data = b"".join(certify(true, state, solve(state, shorten=0)).chunks())
    head, _, rest = gzip.decompress(data).partition(b"\n")
    header = json.loads(head) | {"game": variant.name}
    if variant.choices:
        listed = import_module(f"winnable.solver.{packed_as(own)}").CERTIFIES.get(variant.name, {})
        usual = {name: each[0] for name, each in variant.choices.items() if len(listed.get(name, ())) > 1}
        header["choices"] = usual | (agreed or {})
    path = folder / "proof.gz"
    path.write_bytes(gzip.compress(json.dumps(header).encode() + b"\n" + rest))
    return path


def test_players_and_ratings_refuse(own):
    variant, agreed = own
    state = variant.deal(1, choices=agreed)
    if variant.hiding is not None:
        for ask in (lambda: advise(state), lambda: next(decisions(state, Player("rule")))):
            with pytest.raises(ValueError, match=f"there is no player for {words_of(own)}"):
                ask()
        for player in ("joker", "klondike"):
            kernel = find_player_kernel(player)(Limits(), Player("rule"))
            with pytest.raises((TypeError, ValueError)):
                kernel.choose(hidden(state))
    with pytest.raises(
        ValueError, match=r"there are no levels|is defined for the default rules only|no player"
    ):
        difficulty(state, Limits(nodes=10))


def test_nothing_is_proved_beside_the_search(own):
    """Safe moves and blocked cards rest on proofs that know the rules of today."""
    variant, agreed = own
    for seed in range(40):
        state = variant.deal(seed, ranks=4, choices=agreed)
        assert blocks(variant, state) == []
        for _ in range(8):
            assert variant.family.safe_move(state) is None
            moves = variant.family.legal_moves(state)
            if moves:
                state = variant.family.apply(state, moves[0])


def test_a_review_is_by_the_reference_engine(own):
    variant, _ = own
    state = decided(own, Verdict.WINNABLE)
    moves = reference.solve(variant, state, ENOUGH).moves
    for each in review(variant, state, moves[:2], ENOUGH):
        assert {each.before.engine, each.after.engine} == {"reference"}


def test_no_compiler_is_asked_for(own):
    assert what_is_missing() == ""


# --- The board ----------------------------------------------------------------------------------------------


def analysed(task):
    """The updates of the board's analysis of ``task``."""
    updates, ended = [], threading.Event()

    def tell(_, update):
        updates.append(update)
        if isinstance(update, Finished | Failed):
            ended.set()

    analyst = Analyst(tell)
    try:
        analyst.ask(task)
        assert ended.wait(HANG)
    finally:
        analyst.close()
    return updates


def test_the_board_judges_by_the_reference_engine(own):
    variant, _ = own
    state = decided(own, Verdict.WINNABLE)
    updates = analysed(Task(0, variant, state, ENOUGH, hints=True))
    results = [update.result for update in updates if isinstance(update, Judged)]
    assert results
    assert {result.engine for result in results} == {"reference"}
    assert isinstance(updates[-1], Finished)


def test_the_board_says_that_there_is_no_player(own):
    variant, agreed = own
    if variant.hiding is None:
        return
    state = variant.deal(1, choices=agreed)
    table = hidden(state)
    (failed,) = analysed(Task(0, variant, state, ENOUGH, is_hidden=True, table=table))
    assert failed == Failed(f"there is no player for {words_of(own)}")


# --- Programs -----------------------------------------------------------------------------------------------


def run(*words, stdin=None):
    """Run a command line; return its exit status, stdout and stderr. The published schema does not know the
    games of these tests."""
    with CliRunner().isolation(input=stdin) as streams:
        status = main.run([str(word) for word in words])
        return status, *(stream.getvalue().decode() for stream in streams[:2])


# Formats and options of commands are made of the values that the tables have when they are imported.
written = pytest.mark.parametrize("own", [*BASES, *VALUES], indirect=True, ids=str)


@pytest.fixture
def file(own, tmp_path):
    """The file of a short deck of the game, with its rules."""
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(deal_object(own[0], small(own), None)))
    return path


@written
def test_commands_answer_by_the_reference_engine(own, file):
    status, out, _ = run("solve", file)
    assert status == 0
    assert "reference engine" in out
    assert run("hint", file)[0] == 0
    assert run("describe", own[0].name)[0] == 0
    status, out, _ = run("solve", file, "--json")
    assert json.loads(out)["engine"] == "reference"
    status, out, err = run("rate", own[0].name, "--deals", file)
    assert status == 0, err


REFUSED = (
    ("solve", "FILE", "--engine", "compiled"),
    ("simulate", "FILE"),
    ("difficulty", "FILE"),
    ("rate", "--deals", "FILE", "--player", "rule"),
    ("hint", "FILE", "--player", "search"),
)


@written
def test_commands_refuse_in_one_line(own, file, tmp_path):
    for words in REFUSED:
        line = [{"FILE": file, "OUT": tmp_path / "out.gz"}.get(word, word) for word in words]
        status, out, err = run(*line)
        assert status == 2, (words, out, err)
        assert err.startswith("winnable: "), words
        assert err.count("\n") == 1, words
        assert "compiler" not in err, words
    status, out, err = run("check", forged(own, tmp_path))
    assert status == 2
    assert re.search(refused_certificate(own), err)


@pytest.mark.full
@pytest.mark.quick(*QUICK)
@written
def test_the_command_line_writes_no_certificate(own, tmp_path):
    path, proof = tmp_path / "lost.json", tmp_path / "proof.gz"
    path.write_text(json.dumps(deal_object(own[0], decided(own, Verdict.UNWINNABLE), None)))
    status, _, err = run("solve", path, "--certificate", proof)
    assert (status, proof.exists()) == (2, False)
    assert f"there are no certificates of {words_of(own)}" in err
    assert "Traceback" not in err


@written
def test_the_engine_for_programs_answers_by_the_reference_engine(own):
    variant, _ = own
    sent = []
    with Engine(sent.append) as engine:
        position = deal_object(variant, small(own), None)
        engine.handle({"id": 1, "method": "go", "params": {"game": variant.name, "deal": position}})
        while not [each for each in sent if each.get("id") == 1]:
            time.sleep(0.01)
    (answer,) = [each for each in sent if each.get("id") == 1]
    assert answer["result"]["engine"] == "reference"
