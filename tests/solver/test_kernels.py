"""The contract of every kernel: lines, proofs, refusals."""

import inspect

import pytest
from tests.compiled import needs_kernels, searched_options
from tests.solver.kernels import SHORT, answer, every_variant, make, moderate, winnable

from winnable.rules import find_variant
from winnable.solver import Limits, Verdict, reference, verify
from winnable.solver.core.contract import GameKernel, SearchResult
from winnable.solver.engine import decide, find_kernel, optimizes

pytestmark = needs_kernels


# --- The contract -------------------------------------------------------------------------------------------


def parameters_of(method):
    """The names of a method's parameters, and those without a default."""
    parameters = [one for one in inspect.signature(method).parameters.values() if one.name != "self"]
    return [one.name for one in parameters], [one.name for one in parameters if one.default is one.empty]


@every_variant
def test_a_kernel_has_what_the_contract_names(name):
    kind = find_kernel(find_variant(name))
    assert isinstance(make(name), GameKernel)
    assert type(kind.OPTIMIZES) is bool
    methods = [name for name, value in vars(GameKernel).items() if callable(value) and name[0] != "_"]
    assert set(methods) >= {"solve", "prove_optimal", "optimize", "solve_seeds", "stop"}
    for method in methods:
        promised, needed = parameters_of(getattr(GameKernel, method))
        theirs, they_need = parameters_of(getattr(kind, method))
        assert theirs[: len(promised)] == promised, method
        assert they_need == needed, method
        assert getattr(kind, method).__doc__, method


@every_variant
def test_an_answer_says_all_that_is_known_and_no_more(name):
    variant, kinds = find_variant(name), set()
    for ranks, suits, sizes in SHORT[name]:
        for seed in range(20):
            state = variant.deal(seed, ranks, suits, sizes)
            for limits in (Limits(), Limits(nodes=1)):
                found = make(name, limits).solve(state)
                assert type(found) is SearchResult
                check_answer(variant, state, found)
                kinds.add((found.won, found.reason))
    assert kinds >= {(True, None), (False, None), (None, "nodes")}


def check_answer(variant, state, found):
    """Check that ``found`` has the fields of a result with the right types, and replay its line."""
    assert found.won in (True, False, None)
    assert (found.moves is not None) == (found.won is True or variant.scoring is not None)
    last = None if found.moves is None else verify.replay(variant, state, found.moves)
    if variant.scoring is None:
        assert (found.score, found.score_bound, found.exact) == (None, None, None)
        assert (found.won is None) == (found.reason is not None)
        assert last is None or variant.family.is_won(last)
        return
    assert found.score == variant.score(last) <= found.score_bound <= state.deck.places
    assert found.exact is (found.reason is None)
    assert not found.exact or found.score == found.score_bound
    reached, within = (
        variant.scoring.tier_of(n, state.deck.places) for n in (found.score, found.score_bound)
    )
    assert found.won is (True if reached != "none" else False if within == "none" else None)


@every_variant
def test_what_a_kernel_is_not_able_to_do_it_refuses(name):
    variant, kernel = find_variant(name), make(name)
    state, whole = moderate(name)
    assert optimizes(variant) == kernel.OPTIMIZES
    if not kernel.OPTIMIZES:
        with pytest.raises(NotImplementedError):
            kernel.optimize(state, whole.moves)


# --- Lines and proofs ---------------------------------------------------------------------------------------


@pytest.mark.quick(2)
@every_variant
def test_lines_are_replayed_by_the_rules(name):
    variant, lines = find_variant(name), 0
    for seed in range(1, 17):
        state = variant.deal(seed)
        result = answer(name, state, Limits(nodes=20_000))
        if result.moves is None:
            continue
        end = verify.replay(variant, state, result.moves)
        assert variant.score(end) == (result.score if variant.scoring else 1)
        lines += 1
    assert lines >= (2 if name == "fortress" or "vegas" in name else 10)


def some_choices(variant, number):
    """Random rule options, different for every number."""
    chosen = {}
    for name, values in searched_options(variant.name).items():
        number, which = divmod(number, min(len(values), 3))
        chosen[name] = values[which]
    return chosen


@pytest.mark.quick("fortress", "simon-jester", "simple-simon")
@every_variant
def test_short_decks_get_the_answer_of_the_reference_search(name):
    """The reference search visits all states that the rules allow, so every proof is checked."""
    variant, kernel = find_variant(name), make(name)
    verdicts, compared = [], 0
    for seed in range(200):
        ranks, suits, sizes = SHORT[name][seed % len(SHORT[name])]
        state = variant.deal(seed, ranks, suits, sizes, some_choices(variant, seed))
        slow = reference.solve(variant, state, Limits(nodes=400))
        if slow.reason is not None:
            continue
        fast = decide(variant, state, kernel)
        assert (fast.verdict, fast.score, fast.score_bound, fast.tier, fast.exact, fast.reason) == (
            slow.verdict, slow.score, slow.score_bound, slow.tier, slow.exact, None,
        ), state  # fmt: skip
        compared += 1
        verdicts.append(fast.verdict)
    assert compared > 60
    for verdict in (Verdict.WINNABLE, Verdict.UNWINNABLE):
        assert verdicts.count(verdict) > 10, verdict


@pytest.mark.quick(2)
@every_variant
def test_positions_along_a_line_keep_what_it_reaches(name):
    variant, state, result = winnable(name)
    assert result.verdict is Verdict.WINNABLE
    for number, move in enumerate(result.moves):
        if number % 10 == 0 or name in ("chessboard", "fortress"):
            here = answer(name, state)
            assert (here.verdict, here.score) == (result.verdict, result.score)
        state = variant.family.apply(state, move)
    assert len(result.moves) > 40
    last = answer(name, state)
    assert (last.moves, last.expanded, last.verdict, last.reason) == ((), 0, Verdict.WINNABLE, None)


@every_variant
def test_a_won_position_needs_no_move_and_no_limit(name):
    variant = find_variant(name)
    state = variant.deal(3, 1)
    result = answer(name, state)
    assert result.verdict is Verdict.WINNABLE
    won = verify.replay(variant, state, result.moves)
    assert variant.score(won) == variant.greatest_score(won.deck)
    result = answer(name, won, Limits(nodes=0))
    assert (result.verdict, result.moves, result.reason) == (Verdict.WINNABLE, (), None)
    if variant.scoring:
        assert (result.score, result.exact, result.tier) == (state.deck.places, True, "triple")


# --- What is refused ----------------------------------------------------------------------------------------


@every_variant
def test_batches_know_their_games(name):
    with pytest.raises(ValueError, match="no such game"):
        make(name).solve_seeds("poker", 1, 1)
