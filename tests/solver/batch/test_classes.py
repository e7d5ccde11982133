"""Classes of lost deals, compared with their definitions by the rules and plain searches of short decks."""

from collections import Counter
from itertools import pairwise

import pytest
from tests.compiled import needs_kernels
from tests.deals import SEED, sizes

from winnable.rules import find_variant
from winnable.rules.deals import DEALER
from winnable.solver import Limits
from winnable.solver.analysis.blocking import blocks
from winnable.solver.batch import classes
from winnable.solver.batch.chunk import PysolDeals, Task
from winnable.solver.batch.classes import CLASSES, LostRun
from winnable.solver.batch.rate import RateRun
from winnable.solver.batch.schema import Header
from winnable.solver.batch.store import Store, StoreError
from winnable.solver.batch.threads import solve_records
from winnable.solver.core.record import Records
from winnable.solver.diagnostics import WrongAnswer
from winnable.solver.engine import find_kernel

pytestmark = needs_kernels
LIMITS = Limits(megabytes=1000)


def store_of(game, piece, dealer=DEALER, limits=LIMITS, score=False):
    """A temporary store with the results of the deals of ``piece``."""
    store = Store.write(None, Header(game, dealer, limits, scored=score))
    for _ in RateRun(store, Task(game, limits, score=score), [piece]).run():
        pass
    return store


def finished(run):
    """The run, when it has answered all deals."""
    for _ in run.run():
        pass
    assert len(run.found) == run.wanted
    return run


def counts_of(run):
    found = run.summary()
    return {name: found[name]["count"] for name in CLASSES if name in found}


def may_go_up(variant, state):
    """Test if a position with a card up can be reached, by a plain search of all positions."""
    family, waiting, seen = variant.family, [state], {variant.family.canonical(state)}
    while waiting:
        state = waiting.pop()
        if any(family.foundations_of(state)):
            return True
        for move in family.legal_moves(state):
            after = family.apply(state, move)
            if (key := family.canonical(after)) not in seen:
                seen.add(key)
                waiting.append(after)
    return False


SHORT = {  # kinds of short decks, and classes that many of their lost deals have
    "fortress": ({"ranks": 4, "suits": "CDH", "sizes": [4, 3, 3, 2]}, {"no_move", "blocked"}),
    "simple-simon": ({"ranks": 5, "suits": "CDH", "sizes": [5, 4, 3, 3]}, set(CLASSES) - {"no_card_up"}),
    "klondike": ({"ranks": 6, "suits": "CDH"}, {"no_card_up", "relaxation", "search"}),
    "klondike-one-pass": ({"ranks": 6, "suits": "CDH"}, {"relaxation", "search"}),
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("game", SHORT)
@sizes(150, full=2000)
def test_the_class_of_a_deal_is_the_first_that_holds(game, deals):
    variant, (kind, expected) = find_variant(game), SHORT[game]
    states = [(n, variant.deal(SEED + n, **kind)) for n in range(1, deals + 1)]
    has_scores = variant.scoring is not None or find_kernel(variant).SCORES_LOST
    with store_of(game, states, "file of short decks") as store:
        run = finished(LostRun(store, LIMITS, deals, [states]))
    for number, its in run.found.items():
        state = states[number - 1][1]
        if not variant.family.legal_moves(state):
            assert its == "no_move"
        elif has_scores and not may_go_up(variant, state):
            assert its == "no_card_up"
        elif blocks(variant, state):
            assert its == "blocked"
        else:
            assert its in ("relaxation", "search")
    assert set(run.found.values()) >= expected
    assert ("no_card_up" in run.summary()) is has_scores
    assert ("blocked" in run.summary()) is (variant.scoring is None)


def test_relaxations_are_told_from_searches():
    """Simple Simon has relaxations as stages of its search; those of Klondike are a bound, and a stage."""
    with store_of("simple-simon", range(1, 401)) as store:
        counts = counts_of(finished(LostRun(store, LIMITS)))
    assert counts == {"no_move": 3, "blocked": 13, "relaxation": 8, "search": 2}
    with store_of("klondike", range(1, 101)) as store:
        found = finished(LostRun(store, LIMITS)).found
    kernel, stages = find_kernel(find_variant("klondike"))(LIMITS), set()
    for number, its in found.items():
        kernel.solve(find_variant("klondike").deal(number))
        stages.add((its, kernel.progress().stage, kernel.expanded == 0))
    assert ("relaxation", "best-first search", True) in stages
    assert ("relaxation", "relaxation", False) in stages
    assert ("search", "best-first search", False) in stages
    assert not {("search", "relaxation", False), ("relaxation", "best-first search", False)} & stages


def test_scores_of_the_store_are_taken():
    seeds = range(201, 261)
    with store_of("klondike", seeds, score=True) as store, store_of("klondike", seeds) as plain:
        scored, searched = finished(LostRun(store, LIMITS)), finished(LostRun(plain, LIMITS))
        scores = dict(store.select("seed, score"))
    assert scored.found == searched.found
    for name, its in scored.summary().items():
        if name in CLASSES and its["count"]:
            among = [scores[seed] for seed, found in scored.found.items() if found == name]
            assert its["score"] == pytest.approx(sum(among) / len(among))
    assert {searched.summary()[name]["score"] for name in CLASSES} == {None}
    with store_of("klondike-one-pass", range(1, 601)) as store:
        run = finished(LostRun(store, LIMITS))
        (none_up,) = (seed for seed, score in store.select("seed, score") if score == 0)
    assert [seed for seed, its in run.found.items() if its == "no_card_up"] == [none_up]


def test_a_sample_is_spread_evenly():
    with store_of("fortress", range(1, 101)) as store:
        whole, part = finished(LostRun(store, LIMITS)), finished(LostRun(store, LIMITS, 7, workers=1))
        in_ranges = LostRun(store, LIMITS, 100, [range(1, 11), range(90, 101)])
    lost = sorted(whole.found)
    places = [lost.index(number) for number in sorted(part.found)]
    assert len(places) == 7
    assert {after - before for before, after in pairwise(places)} <= {
        len(lost) // 7,
        len(lost) // 7 + 1,
    }
    assert part.found == {number: whole.found[number] for number in part.found}
    assert part.summary()["lost"] == len(lost)
    assert part.summary()["deals"] == 7
    assert [*in_ranges.scores] == [number for number in lost if number < 11 or number >= 90]


def test_deals_of_pysolfc_are_dealt_by_their_numbers():
    piece = PysolDeals("simple-simon", range(1, 61))
    with store_of("simple-simon", piece, "pysol") as store:
        found = finished(LostRun(store, LIMITS)).found
        assert found == finished(LostRun(store, LIMITS, pieces=[piece])).found
    assert found == {6: "blocked", 18: "blocked", 46: "no_move", 53: "blocked"}


def test_cards_that_are_not_at_hand_are_asked_for():
    variant = find_variant("fortress")
    states = [(number, variant.deal(number)) for number in range(1, 6)]
    with store_of("fortress", states, "file 12") as store:
        with pytest.raises(StoreError, match="its deals cannot be dealt again, they are those of file 12"):
            LostRun(store, LIMITS)
        with store_of("fortress", range(1, 6)) as dealt:
            found = finished(LostRun(dealt, LIMITS)).found
        assert finished(LostRun(store, LIMITS, pieces=[states])).found == found


def test_limits_leave_classes_open():
    with store_of("fortress", range(1, 101)) as store:
        whole, limited = finished(LostRun(store, LIMITS)), finished(LostRun(store, Limits(nodes=1)))
    for number, its in whole.found.items():
        assert limited.found[number] == its or (limited.found[number] is None and its != "no_move")
    answer = limited.summary()
    assert answer["undecided"] == Counter(limited.found.values())[None] > 0
    assert answer["blocked"]["high"] > whole.summary()["blocked"]["high"]
    with store_of("klondike", range(1, 41)) as store:
        for limits in (Limits(nodes=0), Limits(work=0)):
            found = finished(LostRun(store, limits)).found
            assert None in found.values()
            assert "no_card_up" not in found.values()


def test_without_a_kernel_all_else_is_a_complete_search(monkeypatch):
    with store_of("simple-simon", range(1, 101)) as store:
        whole = finished(LostRun(store, LIMITS)).found
        monkeypatch.setattr(classes, "find_kernel", lambda *_: None)
        run = finished(LostRun(store, LIMITS))
    assert run.found == {n: "search" if its == "relaxation" else its for n, its in whole.items()} != whole
    assert counts_of(run).keys() == {"no_move", "blocked", "search"}


def test_a_deal_that_can_be_won_is_no_lost_one():
    records = [record for part in solve_records("simple-simon", range(1, 101)) for record in part]
    won, lost = (next(record for record in records if record.verdict == verdict) for verdict in (1, 0))
    with Store.write(None, Header("simple-simon", DEALER, LIMITS)) as store:
        store.add(Records.pack([lost._replace(seed=won.seed)]), 1)
        with pytest.raises(WrongAnswer, match=f"deal {won.seed} of simple-simon can be won, and is stored"):
            finished(LostRun(store, LIMITS))


def test_a_run_that_was_stopped_keeps_what_is_finished():
    with store_of("fortress", range(1, 101)) as store:
        run = LostRun(store, LIMITS, workers=1)
    for done in run.run():
        if done == 3:
            run.stop()
    assert run.is_stopped
    assert 3 <= len(run.found) < run.wanted
    assert run.summary()["deals"] == len(run.found)


def test_no_lost_deals():
    with store_of("fortress", range(8, 9)) as store:
        answer = finished(LostRun(store, LIMITS)).summary()
    assert (answer["lost"], answer["deals"], answer["search"]["rate"]) == (0, 0, None)
