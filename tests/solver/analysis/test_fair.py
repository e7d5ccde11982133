"""Chances after each move of a table, and the review of a game by what its player saw."""

import pytest
from tests.compiled import needs_kernels

from winnable.rules import find_variant
from winnable.rules.tables import filled, hidden, missing_cards, seen, turned_up
from winnable.solver import Limits, solve
from winnable.solver.analysis import fair
from winnable.solver.analysis.fair import fair_review, word_of
from winnable.solver.analysis.move_chances import TIER_WORTHS, chances_after
from winnable.solver.analysis.review import review
from winnable.solver.player.player import Player, advise, decisions
from winnable.solver.progress import Watch
from winnable.solver.unknown_cards import rank_moves

pytestmark = needs_kernels

FEW = Player(visits=100)


def game_of(name, seed, player=FEW):
    """The deal of a game, and the moves of a player."""
    state = find_variant(name).deal(seed)
    return state, [move for decision in decisions(state, player) for move in decision.moves]


def tables_of(name, seed):
    """The tables in a game of the rule player, before each of its moves."""
    state, moves = game_of(name, seed, Player("rule"))
    for move in moves:
        yield hidden(state)
        state = find_variant(name).family.apply(state, move)


@pytest.mark.parametrize("name", ["joker", "klondike", "klondike-one-pass", "klondike-vegas"])
def test_each_legal_move_has_chances_in_the_order_asked(name):
    family = find_variant(name).family
    for table in list(tables_of(name, 3))[::9]:
        legal = family.legal_moves(table)
        found = list(chances_after(table, legal, FEW))
        assert [each.move for each in found] == legal
        for each in found:
            chances = [tier.probability for tier in each.tiers.values()]
            assert chances == sorted(chances, reverse=True)
            assert 0 <= chances[-1] <= each.worth + 1e-9 <= chances[0] + 2e-9 <= 1 + 2e-9
            assert all(tier.low <= tier.probability <= tier.high for tier in each.tiers.values())


def test_moves_to_the_same_position_have_the_same_chances():
    family = find_variant("klondike").family
    pairs = 0
    for table in [*tables_of("klondike", 5)][::4]:
        after = {}
        legal = family.legal_moves(table)
        plain = [move for move in legal if move.source >= 0 and move.target >= 0]
        for each in chances_after(table, plain, FEW) if len(missing_cards(table)) > 3 else ():
            place = family.canonical(family.apply(filled(table), each.move))
            if family.apply(filled(table), each.move).hidden == table.hidden:
                pairs += place in after
                assert after.setdefault(place, each.worth) == each.worth
    assert pairs > 0


def test_chances_are_proved_where_few_cards_are_unknown():
    variant = find_variant("klondike")
    done = set()
    for seed in range(2, 9):
        for table in tables_of("klondike", seed):
            unknown = len(missing_cards(table))
            if unknown > 2 or (seed, unknown) in done:
                continue
            done.add((seed, unknown))
            found = list(chances_after(table, variant.family.legal_moves(table), FEW))
            assert all(each.is_certain for each in found)
            for each in found if unknown <= 1 else ():
                after = variant.family.apply(filled(table), each.move)
                assert each.worth == (solve(variant, after).verdict.value == "winnable")
            if unknown == 2:
                ranked = {each.move: each.chance for each in rank_moves(table)}
                for each in found:
                    low, high = ranked[variant.family.format_move(table, each.move)]
                    assert low <= each.worth <= high
    assert len({unknown for _, unknown in done}) == 3


def test_estimates_are_near_the_chances_that_are_proved(monkeypatch):
    from winnable.solver.analysis import move_chances

    apart = []
    for seed in range(2, 12):
        table = next((each for each in tables_of("klondike", seed) if len(missing_cards(each)) == 3), None)
        legal = find_variant("klondike").family.legal_moves(table) if table is not None else []
        proved = list(chances_after(table, legal, FEW)) if legal else []
        if not proved or not proved[0].is_certain:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(move_chances, "_certain_chances", lambda *_: None)
            estimated = list(chances_after(table, legal, FEW))
        apart += [abs(one.worth - other.worth) for one, other in zip(proved, estimated, strict=True)]
    assert len(apart) > 10
    assert sum(apart) / len(apart) < 0.1


def test_the_worth_of_tiers_is_that_of_the_search():
    """The points of the tiers are in the proportion of UTILITY of tree.pxi: 0.20, 0.15 and 0.60."""
    assert [points / TIER_WORTHS[0] for points in TIER_WORTHS] == pytest.approx([1, 0.75, 3])


@pytest.mark.full
def test_a_move_that_only_hidden_cards_refute_is_no_mistake():
    state, moves = game_of("klondike", 5003, Player(visits=500))
    refuted = [number for number, step in enumerate(review(state, moves)) if step.better is not None]
    found = fair_review(state, moves, FEW)
    assert refuted
    assert any(found.steps[number].loss == 0 for number in refuted)
    assert found.gone == {"win": refuted[0] + 1}


def test_a_planted_blunder_is_named():
    """Near the end of a won game a card goes back that the player needs: all its chance is gone."""
    variant = find_variant("joker")
    for seed in range(1, 40):
        state, moves = game_of("joker", seed)
        positions = [state]
        for move in moves:
            positions.append(variant.family.apply(positions[-1], move))
        for number in range(len(moves) - 1, 0, -7):
            table = hidden(positions[number])
            legal = variant.family.legal_moves(table)
            if len(legal) < 2:
                continue
            best, *_, worst = sorted(chances_after(table, legal, FEW), key=lambda each: -each.worth)
            if best.worth - worst.worth < 0.4:
                continue
            step = fair_review(state, [*moves[:number], worst.move], Player(visits=100, seed=7)).steps[-1]
            assert step.word == "blunder"
            assert step.better is not None
            assert step.loss == pytest.approx(best.worth - worst.worth, abs=0.2)
            return
    pytest.fail("no blunder found")


def test_the_loss_of_a_game_is_the_sum_of_its_moves():
    state, moves = game_of("joker", 2, Player("rule"))
    found = fair_review(state, moves, FEW)
    assert len(found.steps) == len(moves)
    assert found.lost == sum(step.loss for step in found.steps)
    assert found.luck == pytest.approx(found.score - found.start + found.lost)
    for step in found.steps:
        assert 0 <= step.loss == (step.best - step.made if step.loss else 0)
        assert (step.better is None) == (step.loss == 0)
        assert step.word == word_of(step.loss) or (not step.loss and step.word == "good")
        assert step.loss < 0.05 or step.games or step.is_certain
    words = [step.word for step in found.steps if not step.is_forced]
    assert {word: found.count(word) for word in {*words}} == {word: words.count(word) for word in {*words}}


@pytest.mark.full
def test_the_move_after_which_a_tier_is_out_of_reach_agrees_with_all_positions():
    variant = find_variant("joker")
    state, moves = game_of("joker", 5, Player("rule"))
    found = fair_review(state, moves, FEW)
    positions = [state]
    for move in moves:
        positions.append(variant.family.apply(positions[-1], move))
    for tier, number in found.gone.items():
        least = variant.tiers()[tier]
        out = [solve(variant, at).score_bound < least for at in positions]
        assert out.index(True) == number


@pytest.mark.parametrize("sees", ["table", "stock"])
def test_a_review_knows_what_was_seen(sees, monkeypatch):
    state, moves = game_of("joker", 4)
    asked = []
    monkeypatch.setattr(fair, "seen", lambda at, sees: asked.append(sees) or seen(at, sees))
    fair_review(state, moves[:5], FEW, sees=sees)
    assert asked == 5 * [sees]
    table = seen(state, sees)
    assert (len(missing_cards(table)) == 21) == (sees == "stock")
    assert advise(state, FEW, sees=sees)[0].moves == advise(table, FEW)[0].moves


def test_a_stopped_review_keeps_the_moves_judged():
    state, moves = game_of("joker", 2)
    watch = Watch()
    parts = []

    def at(name, number, count):
        parts.append((name, number, count))
        if number == 4:
            watch.stop()

    watch.at = at
    found = fair_review(state, moves, FEW, watch=watch)
    assert found.interrupted
    assert len(found.steps) == 3
    assert parts[:4] == [("move", number, len(moves)) for number in (1, 2, 3, 4)]


@pytest.mark.full
def test_an_undecided_position_leaves_the_moment_open():
    state, moves = game_of("klondike", 5003, Player("rule"))
    found = fair_review(state, moves[:20], FEW, Limits(work=1))
    assert found.gone == {"win": None}


def test_rules_without_a_player_are_refused():
    state = find_variant("fortress").deal(8)
    with pytest.raises((ValueError, TypeError), match="player"):
        fair_review(state, [])
    with pytest.raises(ValueError, match=r"^sees 'hand': expected table, stock, all$"):
        fair_review(*game_of("joker", 4), sees="hand")


@pytest.mark.full
def test_a_missed_move_that_stays_is_not_charged_again():
    """The rule player of klondike, seed 1, leaves 8H 6-3 for nine moves, and it stays possible."""
    state, moves = game_of("klondike", 1, Player("rule"))
    steps = fair_review(state, moves, FEW).steps
    at, pairs = state, 0
    for step, later, move in zip(steps, steps[1:], moves, strict=False):
        if step.games and later.games and not turned_up(hidden(at), move):
            assert step.made >= min(step.best, later.best)
            pairs += 1
        at = find_variant("klondike").family.apply(at, move)
    assert pairs > 0
    charged = [step.better for step in steps if step.better is not None]
    assert len(charged) - len({*charged}) <= 2
