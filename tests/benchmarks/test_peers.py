"""Comparisons with other solvers, whose place small stand-in programs take."""

import json
import sys

import pytest
from benchmarks.peers import fc_solve, klondike_solver, solvitaire
from tests.compiled import needs_kernels

from winnable.rules import find_variant
from winnable.rules.cards import rank_of
from winnable.rules.formats import read_deal
from winnable.solver import Verdict, solve
from winnable.solver.engine import find_kernel

pytestmark = needs_kernels

SOLVED = "-=-=-=-\nMove 1 cards from stack 2 to stack 9\nThis game is solveable."
GAVE_UP = "I could not solve this game."


@pytest.fixture
def program(tmp_path):
    """A program in Python with these lines, of which the command line is ``arguments``."""

    def write(lines):
        path = tmp_path / "stand-in"
        path.write_text(f"#!{sys.executable} -IS\nimport sys\narguments = sys.argv[1:]\n{lines}\n")
        path.chmod(0o755)
        return str(path)

    return write


@pytest.fixture
def compare(tmp_path, capsys, monkeypatch):
    """Run a script: its exit status, what `--json` wrote, and what it printed."""
    monkeypatch.setattr(fc_solve, "SAMPLE", 1)

    def call(script, *arguments):
        path = tmp_path / "figures.json"
        status = script.main([*map(str, arguments), "--json", str(path)])
        return status, json.loads(path.read_text()), capsys.readouterr().out

    return call


def test_deals_that_fc_solve_gives_up_are_told_apart(program, compare):
    answers = f"print({GAVE_UP!r} if 'abcdefghi' in arguments else {SOLVED!r})"
    status, data, out = compare(fc_solve, "1-4", "--program", program(answers))
    assert status == 0
    assert data["verdicts"]["winnable"] == 4
    solver, missing = data["settings"]["-l the-last-mohican"], list(data["settings"].values())[2]
    assert solver["solved"] == 4
    assert missing["answers"]["gave up"] == {"winnable": 4, "unwinnable": 0, "undecided": 0}
    assert missing["winnable_not_solved"] == [1, 2, 3, 4]
    assert "winnable but not solved: 4 (seeds 1, 2, 3, 4)" in out
    assert fc_solve.markdown(data) in out


def test_a_solution_of_a_lost_deal_is_a_disagreement(program, compare):
    lost = find_unwinnable()
    status, data, out = compare(fc_solve, f"{lost}-{lost}", "--program", program(f"print({SOLVED!r})"))
    assert status == 1
    assert data["settings"]["no preset"]["wrong"] == [lost]
    assert f"DISAGREEMENT on seeds [{lost}]" in out


def find_unwinnable():
    variant = find_variant("simple-simon")
    records = find_kernel(variant)(fc_solve.LIMITS).solve_seeds(variant.name, 1, 100)
    return int(records["seed"][records["verdict"] == 0][0])


def test_limits_are_no_answers(program, compare):
    _, data, out = compare(fc_solve, "1-1", "--program", program("print('Iterations count exceeded.')"))
    assert data["settings"]["no preset"]["answers"]["limit"]["winnable"] == 1
    assert "1 ended at a limit" in out


@pytest.mark.parametrize("script", [fc_solve, klondike_solver, solvitaire])
@pytest.mark.parametrize(
    "arguments", [["1-2", "--program", "no-such-solver"], ["2-1"], ["x"], ["1-2", "--json", "no/such/folder"]]
)
def test_what_is_missing_is_told_in_one_line(script, arguments, capsys):
    with pytest.raises(SystemExit) as exit_of:
        script.main(arguments)
    assert exit_of.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def answering(verdict):
    """A line such as Solvitaire prints with --classify."""
    return f"print(', {verdict}, 12, 3456, 3400, 700, 20, 0, 3400, 4096, 60, 55, {verdict}')"


def test_the_probe_is_lost_at_once():
    variant = find_variant("simple-simon")
    state = read_deal(variant, solvitaire.PROBE.encode(), "probe").state
    assert not variant.family.legal_moves(state)
    assert solve(variant, state).verdict is Verdict.UNWINNABLE
    for column in state.columns:  # the least cards of all lie on top, so that free foundations win
        ranks = [rank_of(card) for card in column]
        assert ranks == sorted(ranks, reverse=True)


def test_solvitaire_gets_what_it_reads(program, tmp_path, compare):
    log = tmp_path / "log"
    record = f"open({str(log)!r}, 'a').write(repr([arguments, open(arguments[2]).read()]) + chr(10))\n"
    compare(solvitaire, "1-2", "--timeout", 700, "--program", program(record + answering("timed-out")))
    asked = [eval(line) for line in log.read_text().splitlines()]
    assert len(asked) == 7  # two deals of each, and the probe
    for options, _ in asked:
        assert options[0] == "--custom-rules"
        assert options[3:] == ["--classify", "--timeout", "700"]
    games = [("klondike-one-pass", 2, asked[1]), ("klondike", 1, asked[2]), ("simple-simon", 1, asked[5])]
    for name, seed, (_, text) in games:
        variant = find_variant(name)
        assert read_deal(variant, text.encode(), "deal").state == variant.deal(seed)


def test_klondike_verdicts_must_agree(program, compare):
    arguments = ("1-8", "--game", "klondike-one-pass", "--program")
    status, data, out = compare(solvitaire, *arguments, program(answering("solved")))
    game = data["games"]["klondike-one-pass"]
    lost = game["table"]["solved"]["unsolvable"]
    assert status == 1
    assert 0 < lost == len(game["wrong"]) < 8
    assert "DISAGREEMENT" in out
    status, data, _ = compare(solvitaire, *arguments, program(answering("unsolvable")))
    assert len(data["games"]["klondike-one-pass"]["wrong"]) == 8 - lost
    assert compare(solvitaire, *arguments, program(answering("timed-out")))[0] == 0


def test_simple_simon_without_its_flag_is_another_game(program, compare):
    arguments = ("1-3", "--game", "simple-simon", "--program")
    status, data, out = compare(solvitaire, *arguments, program(answering("solved")))
    assert (status, data["games"]["simple-simon"]["claims"]) == (0, [])
    assert "another game" in out
    status, data, out = compare(solvitaire, *arguments, program(answering("unsolvable")))
    game = data["games"]["simple-simon"]
    assert (status, game["claims"], game["wrong"]) == (0, ["solved"], [])
    assert game["table"]["unsolvable"]["solved"] == 3
    assert "no claim about the game" in out


@pytest.mark.parametrize("script", [fc_solve, solvitaire])
def test_what_is_done_at_an_interrupt_is_told(script, program, compare, monkeypatch):
    decide, calls = script.decide_seed, []

    def interrupt(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return decide(*arguments)

    monkeypatch.setattr(script, "decide_seed", interrupt)
    answers = answering("timed-out") if script is solvitaire else f"print({GAVE_UP!r})"
    status, data, out = compare(script, "1-9", "--program", program(answers))
    assert status == 3
    assert (data["deals"] if script is fc_solve else data["games"]["klondike-one-pass"]["deals"]) == 2
    assert "seeds 1-2" in out
    assert len(calls) == 3


@pytest.mark.parametrize("lines", ["print('?')", "sys.exit('[error] bad rules')", ""])
def test_an_answer_without_a_verdict_is_told_in_one_line(lines, program, capsys):
    with pytest.raises(SystemExit) as exit_of:
        solvitaire.main(["1-1", "--program", program(lines)])
    assert exit_of.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no verdict in its answer" in error


@pytest.mark.parametrize(
    ("moves", "answer"),
    [("71 F7 DR1 WC", "one pass"), ("DR24 NEW DR1", "more than that"), ("D3 71", "more than that")],
)
def test_lines_of_klondike_solver_are_told_apart(program, compare, moves, answer):
    output = f"Solved in 90 moves. Took 7 ms.\n{moves}"
    status, data, out = compare(klondike_solver, "2-3", "--program", program(f"print({output!r})"))
    assert data["table"][answer] == {"goes out": 1, "cannot go out": 1}  # 2 goes out, 3 does not
    assert data["wrong"] == ([3] if answer == "one pass" else [])
    assert status == len(data["wrong"])
    assert klondike_solver.markdown(data) in out


def test_klondike_solver_gets_the_cards_row_by_row():
    state = find_variant("klondike-one-pass").deal(1)  # 9S; 7S JH; QH 6C 7H; ...
    deck = klondike_solver.format_digits(klondike_solver.GAME, state).strip()
    assert len(deck) == 3 * 52
    assert deck.startswith("094" + "074" + "123")
    assert deck[3 * 7 : 3 * 8] == "113"
    assert deck[3 * 28 : 3 * 29] == "041"
