"""Comparisons with other solvers; small programs stand in for the solvers."""

import json
import re
import sys
from pathlib import Path

import pytest
from benchmarks import figures, peers
from benchmarks.published import solvers
from tests.compiled import needs_kernels

from winnable.rules import find_variant
from winnable.rules.cards import rank_of
from winnable.rules.formats import read_deal
from winnable.rules.formats.foreign.lines import format_line, read_line
from winnable.solver import Limits, Verdict, solve

pytestmark = needs_kernels

SOLVITAIRE = "print(', {0}, 12, 3456, 3400, 700, 20, 0, 3400, 4096, 60, 55, {0}')"
DRIVER = "for deal in sys.stdin: print({!r})"
VERDICTS = ["solved", "unsolvable", "undecided"]
LINE = (  # of Klondike-Solver for deal 5 of klondike, 96 moves
    "5H F5 52 F5 45 F4 DR1 W2 W1 41 F4 64 F6 64 F6 6H F6 57-2 F5 75-3 F7 W2 DR2 WS 75 F7 71 F7 17-4 DR2 "
    "W1 W7 W5 74-6 F7 71 F7 7C F7 3C F3 DR3 NEW DR1 WS 7S 2S 67 F6 63 F6 6D 3D 3C F3 WD WC DR1 W1 W4 WD "
    "DR2 WD DR2 NEW DR1 WD DR2 W6 W6 WC 5C 5D DR1 WD 56-4 F5 26-3 F2 2H 4H 4S 6H 4H 6S 4C 6H 6C 6D 4H 4C "
    "WC WS WD WH WS 5S 4H 6S 1H 3C 4S 6D 1S 4D 6C 7C 4S F4 4H 1D 6H "
).strip()


@pytest.fixture
def compare(tmp_path, capsys, monkeypatch):
    """A function that compares with a solver given as lines of Python. It returns exit status, comparisons
    and printed text."""
    monkeypatch.setattr(peers, "_our_megabytes", lambda variant, seeds: 40.0)
    monkeypatch.setattr(peers, "SAMPLE", 1)

    def call(name, lines, *arguments):
        program, figures = tmp_path / "stand-in", tmp_path / "figures.json"
        program.write_text(f"#!{sys.executable}\nimport sys\narguments = sys.argv[1:]\n{lines}\n")
        program.chmod(0o755)
        words = (*map(str, arguments), "--peer", f"{name}={program}", "--json", str(figures))
        status = peers.main(words)
        return status, json.loads(figures.read_text())["comparisons"], capsys.readouterr().out

    return call


def test_solvitaire_gets_rules_and_the_deal_itself(compare, tmp_path):
    log = tmp_path / "log"
    record = f"open({str(log)!r}, 'a').write(repr([arguments, open(arguments[2]).read()]) + chr(10))"
    lines = f"if len(arguments) > 1: {record}"
    compare("solvitaire", f"{lines}\n{SOLVITAIRE.format('timed-out')}", "3-3")
    asked = [eval(line) for line in log.read_text().splitlines()]
    assert [options[3:] for options, _ in asked] == [["--classify", "--timeout", "100000000"]] * 5
    variants = [find_variant(name) for name in ("klondike-one-pass", "klondike", "klondike-draw-one")]
    for variant, (_, text) in zip([*variants, None, find_variant("simple-simon")], asked, strict=True):
        if variant is not None:  # the deal that probes for a rule
            assert read_deal(variant, text.encode(), "deal").state == variant.deal(3)


@pytest.mark.full
@pytest.mark.parametrize("answer", ["solved", "unsolvable"])
def test_verdicts_must_agree(compare, answer):
    status, (found,), out = compare(
        "solvitaire", SOLVITAIRE.format(answer), "1-8", "--game", "klondike-one-pass"
    )
    other = {"solved": "unsolvable", "unsolvable": "solved"}[answer]
    assert (status, len(found["contradictions"])) == (1, found["ours"][other])
    assert f"{answer} there, {other} here" in out
    assert found["both"] == 8
    status, (found,), _ = compare("solvitaire", SOLVITAIRE.format("timed-out"), "1-8", "--game", "klondike")
    assert (status, found["theirs"]["undecided"], found["ratio"]) == (0, 8, None)


def test_simple_simon_without_its_rule_is_another_game(compare):
    arguments = ("1-3", "--game", "simple-simon")
    status, (found,), out = compare("solvitaire", SOLVITAIRE.format("solved"), *arguments)
    assert (status, found["claims"]) == (0, [])
    assert "another game" in out
    status, (found,), _ = compare("solvitaire", SOLVITAIRE.format("unsolvable"), *arguments)
    assert (status, found["claims"], found["theirs"]["unsolvable"]) == (0, ["solved"], 3)


PAGE = Path(__file__).parents[2] / "docs" / "peers.md"


def test_the_deals_that_a_program_leaves_open_add_up():
    row = r"^\| ([a-z-]+) \| ([\d,]+) \| ([^|]+) \| ([\d,]+)(?: / [\d,]+)? \| (\d+) \+ (\d+) \|"
    rows = re.findall(row, PAGE.read_text(), re.MULTILINE)
    assert len(rows) > 10
    for game, deals, program, decided, won, lost in rows:
        total, by_them = (int(number.replace(",", "")) for number in (deals, decided))
        assert total - by_them == int(won) + int(lost), (program, game)


@pytest.mark.full
def test_the_deals_that_only_we_decide_are_winnable():
    page = PAGE.read_text()
    listed = re.findall(r"^\|[^|]+\| ([a-z-]+) \| `(--seed|\w+:)` ([\d, ]+) \|$", page, re.MULTILINE)
    (digits,) = re.findall("[0-9]{156}", page)
    deals = [(game, f"{field} {n}") for game, field, numbers in listed for n in numbers.split(", ")]
    assert {game for game, _ in deals} == {"simple-simon", "klondike-draw-one", "klondike"}
    for game, text in [*deals, ("klondike", digits), ("klondike-draw-one", digits)]:
        variant = find_variant(game)
        is_seed = text.startswith("--seed")
        state = variant.deal(int(text[7:])) if is_seed else read_deal(variant, text.encode(), "deal").state
        kernel = figures.kernel_of(variant, Limits())
        record = figures.decide_seed(kernel, variant, 1, peers.fresh_cards(variant, state))
        assert record.verdict == peers.WINNABLE, (game, text)


def test_the_probe_is_lost_at_once():
    variant = find_variant("simple-simon")
    state = read_deal(variant, peers.PROBE.encode(), "probe").state
    assert not variant.family.legal_moves(state)
    assert solve(variant, state).verdict is Verdict.UNWINNABLE
    for column in state.columns:  # the lowest cards lie on top, so that free foundation moves win
        ranks = [rank_of(card) for card in column]
        assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize("answer", VERDICTS)
def test_fc_solve_claims_only_what_it_solves(compare, answer):
    status, (found,), out = compare("fc-solve", DRIVER.format(f"{answer} 70"), "1-2")
    assert (status, found["theirs"][answer], found["contradictions"]) == (0, 2, {})
    assert found["called_lost"] == ([1, 2] if answer == "unsolvable" else [])
    assert ("| fc-solve | simple-simon | `--seed` 1, 2 |" in out) == (answer == "unsolvable")
    assert (found["open"], found["only_ours"]) == (([0, 0], []) if answer == "solved" else ([2, 0], [1, 2]))
    assert found["both"] == 2 - len(found["only_ours"])


def test_a_driver_gets_all_deals_at_once_and_measures_itself(compare, tmp_path):
    log = tmp_path / "log"
    lines = f"deals = sys.stdin.read().splitlines()\nopen({str(log)!r}, 'w').write(repr((arguments, deals)))"
    answers = "for number, deal in enumerate(deals): print('undecided', 100 * number, 'any')"
    status, (found,), _ = compare("lonelybot", f"{lines}\n{answers}", "2-4", "--game", "klondike")
    given, deals = eval(log.read_text())
    variant = find_variant("klondike")
    read = [read_deal(variant, f"MinimalKlondike: {deal}".encode(), "deal").state for deal in deals]
    assert read == [variant.deal(seed) for seed in (2, 3, 4)]
    assert (given, status, found["theirs"]["undecided"], found["start"]) == (["3", "2"], 0, 3, 0)
    assert found["theirs"]["sum"] == pytest.approx(300e-6)
    arguments = ("2-2", "--game", "klondike-draw-one", "--cpu-seconds", "0.5")
    compare("lonelybot", f"{lines}\n{answers}", *arguments)
    assert eval(log.read_text())[0] == ["1", "0.5"]
    compare("sigoden", f"{lines}\n{answers}", *arguments)
    assert eval(log.read_text())[0] == ["any", "1", "500000"]
    with pytest.raises(SystemExit):
        compare("lonelybot", "print('undecided 1 any')", "1-2")


def test_lines_of_drivers_are_replayed(compare):
    variant = find_variant("klondike")
    moves = read_line(variant, variant.deal(5), LINE.split())
    line = format_line(variant, variant.deal(5), moves, "minimalklondike").strip().replace("@", " @ ")
    arguments = ("5-5", "--game", "klondike")
    status, (found,), _ = compare("lonelybot", DRIVER.format(f"solved 50 any {line}"), *arguments)
    assert (status, found["theirs"]["decided"], found["contradictions"]) == (0, 1, {})
    status, (found,), _ = compare("lonelybot", DRIVER.format("solved 50 any @ @"), *arguments)
    assert (status, found["contradictions"]) == (1, {"5": "its line is illegal here"})


def test_kpat_is_asked_for_its_own_deals(compare, tmp_path):
    asked = tmp_path / "asked"
    lines = (
        f"open({str(asked)!r}, 'a').write(' '.join(arguments[2:]) + ';')\nprint(arguments[5], 'lost (1 ms)')"
    )
    status, (found,), _ = compare("kpat", lines, "1-2", "--game", "simple-simon")
    assert asked.read_text().split(";")[1:] == [f"--solve 9 --start {n} --end {n}" for n in (1, 2)] + [""]
    assert (status, found["called_lost"], found["contradictions"]) == (0, [1, 2], {})
    variant = find_variant("simple-simon")
    assert peers.KPat.deal(None, variant, 1) == read_deal(variant, b"KPat: 1", "deal").state


def test_lines_are_replayed(compare):
    variant = find_variant("klondike")
    assert peers.replayed(variant, variant.deal(5), LINE) == 96
    assert peers.replayed(variant, variant.deal(5), LINE.removesuffix(" 6H")) is None
    assert peers.replayed(variant, variant.deal(6), LINE) is None
    arguments = ("5-5", "--game", "klondike", "--cpu-seconds", "100")
    status, (found,), _ = compare("klondike-solver", f"print('Solved in 117 moves.\\n{LINE}')", *arguments)
    assert (status, found["lengths"], found["contradictions"]) == (0, 0, {})
    status, (found,), _ = compare("klondike-solver", "print('Solved in 2 moves.\\n5H 5H')", *arguments)
    assert (status, found["contradictions"]) == (1, {"5": "its line is illegal here"})
    status, (found,), _ = compare("pyksolve", f"print('SolvedMayNotBeMinimal 117\\n{LINE}')", *arguments)
    assert (status, found["theirs"]["solved"], found["contradictions"]) == (0, 1, {})
    with pytest.raises(SystemExit):
        compare("pyksolve", "raise TypeError('no such method')", *arguments)


def test_ksolve_gets_the_deal_and_counts_cards_in_its_lines(compare, tmp_path):
    variant = find_variant("klondike")
    moves = read_line(variant, variant.deal(5), LINE.split())
    line = format_line(variant, variant.deal(5), moves, "ksolve").strip()
    deal = tmp_path / "deal"
    report = f"Solved in 96 moves + 21 flips in 3 passes.\\nTook 0.1 sec., 2 million moves.\\n{line}"
    copy = f"open({str(deal)!r}, 'w').write(open(arguments[-1]).read())"
    lines = f"if len(arguments) > 1: {copy}\nprint('{report}')"
    arguments = ("5-5", "--game", "klondike", "--cpu-seconds", "100")
    status, (found,), _ = compare("ksolve", lines, *arguments)
    assert (status, found["theirs"]["solved"], found["contradictions"]) == (0, 1, {})
    assert read_deal(variant, deal.read_bytes(), "deal").state == variant.deal(5)
    status, (found,), _ = compare("ksolve", lines.replace("in 96 moves", "in 95 moves"), *arguments)
    assert found["contradictions"] == {"5": "a line of 95 moves there, of 96 here"}
    status, (found,), _ = compare("ksolve", "print('Unsolvable.\\nTook 1 sec.')", *arguments)
    assert found["contradictions"] == {"5": "unsolvable there, solved here"}


def test_a_shorter_line_refutes_fewest_moves(compare):
    arguments = ("5-5", "--game", "klondike", "--cpu-seconds", "100")  # also on a busy machine
    lines = f"print('Minimal solution in 117 moves.\\n{LINE}')"
    status, (found,), out = compare("klondike-solver", lines, *arguments)
    assert (status, found["lengths"], found["theirs"]["decided"], found["ours"]["decided"]) == (1, 1, 1, 1)
    why = "96 moves, claimed to be the fewest there; a line of 94 is replayed here"
    assert found["contradictions"] == {"5": why}
    assert "| 1 / 1 | 1: 1 |" in out
    status, (found,), _ = compare("klondike-solver", lines.replace("Minimal solution", "Solved"), *arguments)
    assert (status, found["lengths"], found["theirs"]["decided"], found["open"]) == (0, 0, 0, [1, 0])


def test_published_rows_are_kept_and_the_page_is_rewritten(compare, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(solvers, "FIGURES", tmp_path / "peers.json")
    monkeypatch.setattr(peers, "DEALS", {"fc-solve": {"simple-simon": 2}})
    written = []
    monkeypatch.setattr(peers.quotes, "quote_all", lambda root, figures: written.append(solvers.published()))
    program = tmp_path / "stand-in"
    compare("fc-solve", DRIVER.format("solved 70"), "1-2")  # writes the program
    arguments = ["--page", "--peer", f"fc-solve={program}"]
    assert peers.main(arguments) == 0
    (row,) = solvers.published()
    program.write_text(program.read_text().replace("70", "90"))
    assert peers.main(arguments) == 0
    assert written == [[row], [row]]
    assert peers.main([*arguments, "--again"]) == 0
    assert [row["theirs"]["median"] for row in solvers.published()] == [pytest.approx(90e-6)]
    capsys.readouterr()


def test_times_of_undecided_deals_are_lower_bounds():
    side = {"decided": 1, "undecided": 1, "median": 1e-3, "mean": 1.0, "p99": 2.0, "sum": 2.0}
    row = {"game": "klondike", "peer": "lonelybot", "deals": 2, "fewest": False, "claims": ["solved"]}
    row |= {"theirs": side, "ours": side | {"undecided": 0, "mean": 0.5}, "open": [1, 0], "ratio": 1.0}
    *_, line = solvers.verdicts([row]).splitlines()
    assert "| 1 / 1 | ≥ 1,000 / 500 | ≥ 2,000 / 2,000 | ≥ 2 / 2 | 1; ≥ 2 |" in line


@pytest.mark.parametrize(
    "arguments",
    [["1-2", "--peer", "solvitaire=no-such-solver"], ["2-1"], ["x"], ["1-2", "--peer", "chess=sh"]],
)
def test_what_is_missing_is_told_in_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as exit_of:
        peers.main([*arguments, *(["--peer", "fc-solve=sh"] if "--peer" not in arguments else [])])
    assert exit_of.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_done_at_an_interrupt_is_told(compare, monkeypatch):
    ask, calls = peers.KPat.ask, []

    def interrupt(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return ask(*arguments)

    monkeypatch.setattr(peers.KPat, "ask", interrupt)
    status, (found,), out = compare(
        "kpat", "print(arguments[5], 'lost (1 ms)')", "1-9", "--game", "simple-simon"
    )
    assert (status, found["deals"]) == (3, 2)
    assert "| simple-simon | 2 | KPat |" in out


@pytest.mark.full
def test_a_process_is_ended_by_its_processor_time():
    done = peers.run((sys.executable, "-c", "print('begun', flush=True)\nwhile True: pass"), cpu_seconds=1)
    assert done.output == "begun\n"
