"""Certificates of moves by clauses: made, accepted, compared with lines of play and with brute force,
attacked, and given to another LRAT checker."""

import shutil
import subprocess
from collections import Counter

import pytest
from tests.checker.certificates import claim_in, made, refusal
from tests.checker.simon_clauses import LEMMAS, by_clauses, proof_of, winnable_decks
from tests.deals import SEED, laid_out, sizes

from winnable.checker import clauses, dimacs, reading
from winnable.checker.reading import Budget
from winnable.checker.simon_clauses import Wasted
from winnable.checker.simon_places import Places
from winnable.rules import find_variant

oracle = pytest.importorskip("winnable.solver.simon.replay", reason="no compiled engine")
kernel = pytest.importorskip("winnable.solver.simon.kernel", reason="no compiled engine")
LRAT_CHECK = shutil.which("lrat-check")


@pytest.mark.quick(1)
@pytest.mark.parametrize(("name", "seed"), [("simple-simon", 4), ("simple-simon", 2), ("simon-jester", 1)])
def test_lower_bounds_are_accepted(tmp_path, name, seed):
    text = by_clauses(find_variant(name).deal(seed), 100, seed=seed)
    assert refusal(tmp_path, text) is None
    assert text.header["lemmas"] == list(LEMMAS)
    assert text.header["claim"] == "at least"
    text.header["value"] += 1
    assert "expected a proof of" in refusal(tmp_path, text)


def test_fewest_moves_are_accepted_with_their_line(tmp_path):
    decks = winnable_decks(SEED, 200, copies=1)
    texts = ((moves, made(state, shortest=True, clauses=True)) for _, state, moves in decks)
    moves, text = next(pair for pair in texts if pair[1].header["claim"] == "fewest moves")
    assert refusal(tmp_path, text) is None
    assert text.header["value"] == moves == len(text.header["line"])


def test_header_and_line_are_tested(tmp_path):
    states = (state for _, state, _ in winnable_decks(0, 200, copies=1))
    texts = (made(state, shortest=True, clauses=True) for state in states)
    text = next(text for text in texts if text.header["claim"] == "fewest moves" and text.header["value"] > 5)
    assert refusal(tmp_path, text) is None
    line = text.header["line"]
    for change in ({"value": len(line) - 1}, {"line": line[:-1]}, {"line": [], "value": 0}):
        assert "line: it does not reach the claim" in refusal(tmp_path, text.changed(**change))
    for lemma in ("room", "order of moves"):
        other = by_clauses(find_variant("simple-simon").deal(4), 100)
        other.header["lemmas"].remove(lemma)
        assert f"expected the lemma {lemma!r} in the header" in refusal(tmp_path, other)
    text.header |= {"ranks": 2, "suits": "C", "columns": 2, "dealt": "2CAC -", "start": "2CAC"}
    text.header |= {"claim": "at least", "value": 0}
    del text.header["line"]
    text.lines = []
    text.header["clauses"] = 0
    assert "expected no complete run on top of a column" in refusal(tmp_path, text)


@pytest.mark.full
def test_every_clause_is_tested():
    tested = Counter()
    for _, state, _ in winnable_decks(0, 100):
        text = by_clauses(state)
        claim = claim_in(text)
        for number, condition in enumerate(proof_of(text).conditions):
            proof = proof_of(text)
            proof.conditions[number] = "single" if condition == "tally" else "tally"
            with pytest.raises(reading.Refused, match=f"clause {number + 1}: the condition"):
                clauses.check(claim, proof, Wasted(Places(state), claim.lemmas), Budget())
            tested[condition] += 1
        for number in range(len(proof_of(text).hints)):
            proof = proof_of(text)
            proof.hints[number].pop()
            why = f"clause {len(proof.conditions) + number + 1}: it does"
            with pytest.raises(reading.Refused, match=why):
                clauses.check(claim, proof, Wasted(Places(state), claim.lemmas), Budget())
            tested["steps"] += 1
    assert min(tested[kind] for kind in ("single", "room", "order", "steps")) > 2, tested


@pytest.mark.parametrize(
    ("lines", "value", "why"),
    [
        (["variable wasteful 2", "single 1 0", "core 1"], 3, None),
        (["variable wasteful 2", "variable wasteful 02", "single 1 0", "core 1"], 3, "at most 9 digits"),
        (["variable wasteful 2", "variable wasteful 2", "single 1 0", "core 1"], 3, "expected a new unknown"),
        (["variable wasteful 2", "single 1 0", "2 -1 0 2 0", "core 1"], 3, "expected an earlier clause"),
        (["variable wasteful 2", "order 1 0"], 3, "expected a proof of 3 moves, got one of 2"),
        (["variable sum 1 0 0 0", "variable wasteful 2", "tally 1 0", "single 2 0", "core 2"], 3,
         "expected a new unknown"),
        (["variable sum 9 0 1 1", "variable wasteful 2", "tally 1 -2 0", "single 2 0", "core 2"], 3,
         "'tally' does not hold"),  # there is no such core
        (["variable sum 1 0 1 1", "variable wasteful 2", "tally 1 -2 0", "single 2 0", "3 1 0 2 1 0",
          "core 2", "core 3"], 4, "expected unused costs"),  # a sum that says what its core says
    ],
)  # fmt: skip
def test_costs_count_once_by_whatever_name(tmp_path, lines, value, why):
    """The deal takes three moves, and has two heads; 2C is that at place 2."""
    text = by_clauses(laid_out("3C AC 2C|"))
    text.lines = lines
    text.header |= {"claim": "at least", "value": value, "clauses": len(lines)}
    refused = refusal(tmp_path, text)
    assert refused is None if why is None else why in refused, refused


def test_odd_lines_and_names_are_refused(tmp_path):
    variant = find_variant("simple-simon")
    text = by_clauses(variant.deal(4))
    for line in ("single " + "1 " * 10**6 + "0", "variable " + "0" * 10**6, "core " + "9" * 10**6):
        other = text.copy()
        other.lines.insert(0, line)
        assert "line 2: longer than" in refusal(tmp_path, other)
    other = text.copy()
    names = ["wasteful 104", "wasteful 007", "ends 7C", "visit 3 card 3", "sum 1 0 2 3", "what 1", ""]
    for name in [*names, "wasteful 1"]:
        other.lines = [f"variable {name}", "variable wasteful 1", *text.lines]
        assert "variable" in refusal(tmp_path, other) or "digits" in refusal(tmp_path, other)


def compare_with_brute_force(folder, decks, first, copies):
    """Bounds proved by clauses are accepted and at most what brute force needs; one more is refused."""
    counts = Counter()
    for number, state, moves in winnable_decks(first, decks, copies):
        text = by_clauses(state)
        assert text.header["value"] <= moves, number
        assert refusal(folder, text) is None, number
        counts["all"] += 1
        counts["exact"] += text.header["value"] == moves
        counts["above heads"] += text.header["value"] > len(Places(state).heads)
        text.header["value"] += 1
        assert refusal(folder, text) is not None, number
    return counts


@pytest.mark.quick(1)
@pytest.mark.parametrize("copies", [1, 2])
@sizes(60, full=120, slow=20_000)
def test_clauses_agree_with_brute_force(tmp_path, copies, deals):
    counts = compare_with_brute_force(tmp_path, deals, SEED, copies)
    assert min(counts.values()) > deals / 40, counts


def steps_follow(formula, steps):
    """True if the LRAT steps derive the empty clause, by `clauses.follows`."""
    known = [[int(word) for word in line.split()[:-1]] for line in formula[1:]]
    for line in steps:
        number, *rest = map(int, line.split())
        end = rest.index(0)
        assert number == len(known) + 1
        if not clauses.follows(rest[:end], [known[hint - 1] for hint in rest[end + 1 : -1]]):
            return False
        known.append(rest[:end])
    return known[-1] == []


def test_the_problem_for_others_is_whole():
    for _, state, _ in winnable_decks(SEED, 30):
        proof = proof_of(by_clauses(state))
        if proof.cores:
            assert steps_follow([*dimacs.formula(proof)], [*dimacs.steps(proof)])


@pytest.mark.skipif(LRAT_CHECK is None, reason="lrat-check of drat-trim is not installed")
@pytest.mark.parametrize(("name", "seed"), [("simple-simon", 4), ("simple-simon", 2), ("simon-jester", 1)])
def test_another_checker_accepts_the_steps(tmp_path, name, seed):
    proof = proof_of(by_clauses(find_variant(name).deal(seed), 100))
    formula, steps = tmp_path / "problem.cnf", tmp_path / "problem.lrat"
    formula.write_text("".join(dimacs.formula(proof)))
    lines = list(dimacs.steps(proof))
    for content, is_whole in ((lines, True), (lines[:-1], False)):
        steps.write_text("".join(content))
        told = subprocess.run([LRAT_CHECK, formula, steps], capture_output=True, text=True).stdout
        assert ("c VERIFIED" in told) == is_whole
