"""The player of joker and klondike-one-pass without sight of the hidden cards."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from math import gcd

import numpy as np
import pytest
from tests.native import load
from tests.rules.columns import family_of
from tests.solver.player import games
from tests.solver.player.games import after

from winnable.rules import find_variant, joker
from winnable.rules.cards import colour_of, parse_card
from winnable.rules.formats.partial import read_table
from winnable.rules.formats.text import format_table
from winnable.rules.joker_board import Choices
from winnable.rules.tables import hidden, missing_cards
from winnable.rules.tiers import TIERS
from winnable.solver import Limits
from winnable.solver.core.record import UNFINISHED
from winnable.solver.engine import find_kernel
from winnable.solver.player import weights
from winnable.solver.player.advice import chance_text, reason_text
from winnable.solver.player.chances import CALIBRATION, Chance, calibrated
from winnable.solver.player.player import (
    Outcome,
    Player,
    advise,
    decisions,
    find_player_kernel,
    play_game,
)
from winnable.solver.player.trials import Trial

pytest.importorskip("winnable.solver.core.border")

JOKER = find_variant("joker")
READINGS = {
    "turned": ("joker", Choices("turned")),
    "exposed": ("joker", Choices("exposed")),
    "klondike-one-pass": ("klondike-one-pass", None),
}
EVERY = {
    f"{exchange}, {removal}": ("joker", Choices(exchange, removal))
    for exchange in ("turned", "exposed")
    for removal in ("undeclared", "exposed")
} | {"klondike-one-pass": READINGS["klondike-one-pass"]}


def each(cases):
    """Run a test with each game and choices of ``cases``."""
    return pytest.mark.parametrize(("game", "choices"), cases.values(), ids=cases)


RULE, FAST = Player("rule"), Player(visits=60)


@pytest.fixture(params=["network", "play-outs"])
def leaves(request, monkeypatch):
    """A search with the network, and again without it."""
    if request.param == "play-outs":
        monkeypatch.setattr(weights, "has_network", lambda path: False)


@pytest.fixture(params=["rule", "network", "play-outs"])
def player(request, monkeypatch):
    """The rule player, and the search player as in `leaves`."""
    if request.param == "play-outs":
        monkeypatch.setattr(weights, "has_network", lambda path: False)
    return RULE if request.param == "rule" else FAST


def parts_of(seed=0, weights=None):
    """The compiled parts of the player, for tests alone."""
    return load("joker_player").PlayerParts(seed, weights)


def kernel_of(player):
    return find_player_kernel()(Limits(), player)


# --- It does not peek ---------------------------------------------------------------------------------------


@pytest.mark.quick(2)
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_permuting_the_hidden_cards_changes_no_move(player, exchange):
    games.check_that_nothing_is_peeked(lambda: kernel_of(player), "joker", 250, Choices(exchange))


@each(READINGS)
def test_samples_are_the_unseen_cards_in_uniform_order(game, choices):
    table = hidden(after(find_variant(game).deal(3, choices=choices), ["s-w"] * 9))
    games.check_that_samples_are_uniform(kernel_of(Player(seed=7)), table, (0, 10, 20, 21))


def positions_on_the_way(game, choices, seeds):
    for seed in seeds:
        state = find_variant(game).deal(seed, choices=choices)
        yield from (hidden(decision.state) for decision in decisions(state, RULE))


@each(READINGS)
def test_visits_turn_up_the_unseen_cards_in_turn(game, choices):
    """With as many visits as unseen cards each card is turned up once; fewer visits are spread evenly."""
    parts, beginnings = parts_of(), set()
    for table in positions_on_the_way(game, choices, range(1, 6)):
        unseen = missing_cards(table)
        drawn = parts.draws(table, 3 * len(unseen))
        for begin in range(0, len(drawn), len(unseen) or 1):
            assert sorted(drawn[begin : begin + len(unseen)]) == unseen
        if len(unseen) > 20:
            places = sorted(unseen.index(card) for card in drawn[:5])
            assert max(after - before for before, after in pairwise(places)) <= 0.4 * len(unseen) + 1
            beginnings.add(drawn[0])
    assert len(beginnings) > 10, "nodes begin with different cards"
    start = hidden(find_variant(game).deal(1, choices=choices))
    assert parts.draws(start, 3) != parts_of(1).draws(start, 3)


def test_strides_are_near_the_golden_section_and_prime_to_the_number_of_cards():
    for count, stride in enumerate(load("joker_player").strides()):
        others = [other for other in range(1, count) if gcd(other, count) == 1]
        assert stride == min(others, key=lambda other: abs(other - 0.618 * count), default=1)


@each(READINGS)
def test_a_card_drawn_is_not_drawn_again(game, choices):
    parts = parts_of()
    assert all(parts.draw_to_the_end(table) for table in positions_on_the_way(game, choices, range(1, 9)))


# --- It plays by the rules ----------------------------------------------------------------------------------


def hidden_cards(state):
    """The hidden cards of ``state``, in the order of `state_of`."""
    columns = zip(state.columns, state.hidden, strict=True)
    return [card for cards, hidden in columns for card in cards[:hidden]] + [*state.stock]


def is_stood_for(state, move):
    """Test if ``move`` plays a card of the waste for which a joker stands."""
    top = state.waste[-1] if move.source == joker.WASTE else None
    return top is not None and state.deck.jokers and top in joker.stands_for(state, colour_of(top))


@pytest.mark.quick("turned, undeclared")
@each(EVERY)
def test_choices_are_legal_and_lead_where_the_rules_say(game, choices):
    """In random play, a third of whose moves are any legal moves."""
    kernel, parts, compared, stood_for, met = kernel_of(RULE), parts_of(), 0, 0, set()
    for seed in range(60):
        rng, state = random.Random(seed), find_variant(game).deal(seed, choices=choices)
        while found := kernel.choices(table := hidden(state)):
            assert sorted(hidden_cards(state)) == missing_cards(table)
            kernel.begin_deal()
            assert sorted(kernel.sample(table)) == missing_cards(table)
            ends = [after(state, moves) for moves, _ in found]
            assert len({family_of(end).canonical(end) for end in ends}) > len(ends) // 2
            keys = [parts.keys(hidden(end), hidden_cards(end))[0] for end in ends]
            assert parts.keys(table, hidden_cards(state))[1] == keys
            met |= {moves[0].target for moves, _ in found}
            stood_for += sum(is_stood_for(state, moves[0]) for moves, _ in found)
            compared += len(ends)
            others = [state.apply(move) for move in state.legal_moves()] if rng.random() < 0.3 else []
            state = rng.choice(others or ends)
            if rng.random() < 0.02:
                break
    assert compared > 1000
    if game == "joker":
        assert {joker.OUT, joker.IN_PLACE} <= met
        assert (choices.exchange == "turned") == (stood_for > 0)


@pytest.mark.quick("network-turned, undeclared", "play-outs-klondike-one-pass")
@each(EVERY)
def test_batches_play_the_games_that_the_rules_replay(game, choices, player):
    """The compiled game updates its own position; the other player is given each position by the rules."""
    records, results = games.replayed_batch(kernel_of(player), game, 150 if player is RULE else 8, choices)
    assert [result.tier != "none" for result in results] == list(records["verdict"])


@pytest.mark.quick(1)
@each(READINGS)
def test_no_game_beats_a_proved_optimum(game, choices, leaves):
    variant = find_variant(game)
    optimum = find_kernel(variant)(Limits(nodes=20_000)).solve_seeds(game, 1, 100, choices).array
    for player, deals in ((RULE, 100), (FAST, 20)):
        played = kernel_of(player).solve_seeds(game, 1, deals, choices).array
        assert (played["score"] <= optimum["score_bound"][:deals]).all()


# --- How well -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("exchange", "least"), [("turned", 0.19), ("exposed", 0.30)])
def test_the_rule_player_wins_many_triples(exchange, least):
    played = kernel_of(RULE).solve_seeds("joker", 1, 2000, Choices(exchange)).array
    assert (played["score"] == 52).mean() >= least


def check_that_thinking_is_better_than_not_to(exchange):
    rule, search = (
        kernel_of(player).solve_seeds("joker", 1, 60, Choices(exchange)).array for player in (RULE, FAST)
    )
    assert (search["score"] == 52).sum() > (rule["score"] == 52).sum()


@pytest.mark.quick(1)
def test_thinking_is_better_than_not_to(leaves):
    check_that_thinking_is_better_than_not_to("exposed")


def test_thinking_with_the_network_of_turned_cards_is_better_than_not_to():
    check_that_thinking_is_better_than_not_to("turned")


def test_equal_seeds_play_equal_games():
    games.check_that_equal_seeds_play_equal_games(
        lambda seed: kernel_of(Player(visits=60, seed=seed)), "joker"
    )


def test_what_was_thought_is_found_again():
    table = hidden(first_with(lambda count: count > 1))
    kernel = kernel_of(FAST)
    chosen, samples = kernel.choose(table), kernel.iterations
    assert samples > 0
    assert (kernel.choose(table), kernel.iterations) == (chosen, samples)


def test_limits_end_a_game():
    games.check_that_limits_end_a_game(find_player_kernel(), "joker", 500, FAST)


def test_a_game_that_ends_is_won_or_lost():
    verdicts = {play_game(JOKER.deal(seed), kernel_of(RULE)).verdict for seed in range(1, 30)}
    assert verdicts == {Outcome.WON, Outcome.LOST}


# --- What does not fit --------------------------------------------------------------------------------------


@pytest.mark.parametrize("thinks", [False, True])
def test_more_choices_than_there_is_room_for_are_noticed(thinks):
    """Seven columns that play cannot reach: each goes onto all others, whole and in part."""
    column = list(map(parse_card, ["6H", *["7S", "6H"] * 6, "7C"]))
    table = replace(hidden(JOKER.deal(1)), foundations=(0, 0, 0, 6))
    table = replace(table, stock=table.stock[:20])
    assert parts_of().overflows(table, column, thinks) == (True, True)


def test_little_memory_forgets_but_plays_on():
    """The search tree is discarded and the game continues; it cannot be played without memory."""
    little = find_player_kernel()(Limits(megabytes=1.2), Player(visits=400))
    assert play_game(JOKER.deal(3), little).reason is None
    assert play_game(JOKER.deal(3), little) == play_game(JOKER.deal(3), little)
    none = find_player_kernel()(Limits(megabytes=0), Player(visits=400))
    game = play_game(JOKER.deal(3), none)
    assert (game.reason, game.verdict) == ("memory", Outcome.UNFINISHED)
    assert none.solve_seeds("joker", 3, 1).array["verdict"] == [UNFINISHED]


def test_time_ends_a_decision():
    """All visits together would take hours."""
    ranked = advise(first_with(lambda count: count > 1), Player(visits=10**9, seconds=0.001))
    assert 0 < sum(advice.visits for advice in ranked) < 10**9


# --- What it has learnt -------------------------------------------------------------------------------------


def pooled(rows, table, bias):
    """The sums of an encoder over lists of features."""
    return sum((np.maximum(table[row].sum(0) + bias, 0) for row in rows), np.zeros_like(bias))


@pytest.mark.quick(1)
@each(READINGS)
def test_forecasts_are_those_of_the_network(game, choices):
    with np.load(weights.network_of(game, choices)) as data:
        w = {name: data[name].astype(np.float32) for name in weights.LAYERS}
    assert weights.packed(weights.network_of(game, choices)) == b"".join(
        layer.tobytes() for layer in w.values()
    )
    parts = parts_of(weights=weights.packed(weights.network_of(game, choices)))
    tables = [*positions_on_the_way(game, choices, range(1, 11))]
    assert len(tables) > 100
    for table in tables:
        whole, columns, cards = parts.features(table)
        of_columns = pooled(columns, w["column"], w["column_bias"])
        of_cards = pooled(cards, w["waste"], w["waste_bias"])
        first = w["first"][whole].sum(0) + np.append(of_columns, of_cards) @ w["pooled"] + w["first_bias"]
        second = np.maximum(np.maximum(first, 0) @ w["second"] + w["second_bias"], 0)
        wanted = 1 / (1 + np.exp(-(second @ w["last"] + w["last_bias"])))
        wanted[3] *= 52
        assert parts.forecast(table) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_features_name_no_column_and_no_suit(exchange):
    kernel, parts = kernel_of(RULE), parts_of()
    order = [3, 0, 6, 1, 5, 2, 4]

    def other(card):
        return 4 * (card >> 2) + 3 - (card & 3) if 0 <= card < 52 else card

    for table in positions_on_the_way("joker", Choices(exchange), range(1, 11)):
        if len(kernel.choices(table)) == 1:  # among cards that are never missed, the first one
            continue
        turned = replace(
            table,
            columns=tuple(tuple(map(other, table.columns[i])) for i in order),
            hidden=tuple(table.hidden[i] for i in order),
            foundations=table.foundations[::-1],
            waste=tuple(map(other, table.waste)),
            jokers=tuple(
                joker if joker.place is None else replace(joker, place=other(joker.place))
                for joker in table.jokers
            ),
        )
        for one, other_one in zip(parts.features(turned), parts.features(table), strict=True):
            assert sorted(map(str, one)) == sorted(map(str, other_one))


AS_ACE = 477  # the feature of a joker declared as an ace; those of the other ranks follow


@pytest.mark.quick(1)
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_features_tell_each_rank_of_a_declared_joker(exchange):
    parts, seen = parts_of(), 0
    for table in positions_on_the_way("joker", Choices(exchange), range(1, 11)):
        for colour, declared in enumerate(table.jokers):
            if declared.rank is not None and declared.place is None:
                ranked = [replace(declared, rank=rank) for rank in range(13)]
                others = [(j, table.jokers[1]) if colour == 0 else (table.jokers[0], j) for j in ranked]
                for rank, jokers in enumerate(others):
                    whole = parts.features(replace(table, jokers=jokers))[0]
                    assert AS_ACE + rank in whole
                seen += 1
    assert seen > 20


@pytest.mark.full
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_forecasts_are_near_what_happens(exchange):
    choices = Choices(exchange)
    parts = parts_of(weights=weights.packed(weights.network_of("joker", choices)))
    kernel, stated, observed = kernel_of(FAST), [], []
    for seed in range(1, 41):
        game = list(decisions(JOKER.deal(seed, choices=choices), FAST))
        score = play_game(game[-1].state, kernel).score
        for decision in game:
            stated.append(parts.forecast(hidden(decision.state))[2])
            observed.append(score == 52)
    stated, observed = np.array(stated), np.array(observed)
    assert ((stated - observed) ** 2).mean() < 0.8 * ((observed.mean() - observed) ** 2).mean()


def test_a_game_without_a_network_is_played_out(monkeypatch):
    table = hidden(first_with(lambda count: count > 1))
    taught = advise(table, FAST)
    monkeypatch.setattr(weights, "has_network", lambda path: False)
    assert advise(table, FAST) != taught


# --- Threads and time ---------------------------------------------------------------------------------------


def test_workers_think_side_by_side_about_different_samples(leaves):
    """The result for two workers is the sum of their results."""
    table, player = hidden(first_with(lambda count: count > 2)), Player(visits=300)
    one, other = advise(table, player), advise(table, replace(player, seed=1))
    both = {entry.moves: entry for entry in advise(table, player, workers=2)}
    assert one != other
    for first in one:
        second = next(entry for entry in other if entry.moves == first.moves)
        assert both[first.moves].visits == first.visits + second.visits
        together = both[first.moves].reached
        assert together == pytest.approx(np.add(first.reached, second.reached), abs=1.5)
    assert advise(table, player, workers=1) == one


# --- What it says -------------------------------------------------------------------------------------------


def choices_of(state):
    return [tuple(moves) for moves, _ in kernel_of(RULE).choices(hidden(state))]


def first_with(wanted):
    """The first position of the rule player's game of deal 1 whose number of choices is ``wanted``."""
    state = JOKER.deal(1)
    for decision in decisions(state, RULE):
        if wanted(len(choices_of(decision.state))):
            return decision.state
    raise AssertionError


def test_advice_is_ranked_and_states_chances():
    state = first_with(lambda count: count > 1)
    ranked = advise(state, Player(visits=400))
    first = next(decisions(state, Player(visits=400)))
    assert (list(first.advice), first.moves) == (ranked, ranked[0].moves)
    assert {advice.moves for advice in ranked} == set(choices_of(state))
    assert 256 <= sum(advice.visits for advice in ranked) <= 400
    for advice in ranked:
        if advice.visits:
            chances = [advice.tiers[tier].probability for tier in TIERS]
            assert chances == sorted(chances, reverse=True)
            assert all(0 < chance.probability < 1 and chance.error > 0 for chance in advice.tiers.values())


def test_a_single_choice_gets_its_chances_too():
    (advice,) = advise(first_with(lambda count: count == 1), Player(visits=300))
    assert advice.visits == 300


def test_advice_for_a_position_that_is_partly_known():
    state = first_with(lambda count: count > 2)
    table = read_table(JOKER, format_table(hidden(state)), "table").state
    assert advise(table, Player(visits=200)) == advise(state, Player(visits=200))


def test_at_the_end_there_is_no_advice():
    *_, last = decisions(JOKER.deal(1), RULE)
    state = last.state
    for move in last.moves:
        state = state.apply(move)
    assert advise(state) == advise(state, RULE) == []


def test_the_rule_player_ranks_without_chances():
    state = first_with(lambda count: count > 2)
    ranked = advise(state, RULE)
    assert next(decisions(state, RULE)).moves == ranked[0].moves
    assert {advice.moves for advice in ranked} == set(choices_of(state))
    assert not any(advice.tiers for advice in ranked)


def test_calibrated_chances_rise_with_the_shares():
    for game, tier in ((game, tier) for game, tiers in CALIBRATION.items() for tier in tiers):
        most = 47 if game.startswith("joker") else 21
        for cards in ((1, 0), (most, 0), (1, most - 1), (most // 2, most // 2)):
            chances = [calibrated(game, tier, count, 100, *cards) for count in range(0, 101, 5)]
            assert all(0 < chance.probability < 1 and 0 < chance.error <= 0.5 for chance in chances)
            assert all(one.probability < other.probability for one, other in pairwise(chances))
            assert all(c.low < c.probability < c.high for c in chances)
            assert [c.low == 0 for c in chances] == [True, *[False] * 20]
            assert [c.high == 1 for c in chances] == [*[False] * 20, True]


def test_a_fitted_mapping_is_less_certain_than_its_samples():
    """A million samples leave the spread of the mapping."""
    fitted, bare = (calibrated(game, "win", 500_000, 10**6, 21) for game in ("klondike", ""))
    assert bare.probability == pytest.approx(0.5)
    assert bare.error == pytest.approx(0.0005)
    assert bare.high - bare.low == pytest.approx(3.92 * bare.error, rel=1e-3)
    assert fitted.error > 0.02
    assert fitted.high - fitted.low == pytest.approx(3.92 * fitted.error, rel=0.1)


def test_a_chance_is_never_without_doubt():
    """Chances of 0% +- 0% and 100% +- 0% were printed once."""
    assert chance_text(calibrated("", "win", 0, 111, 3)) == "at most 6.6%"
    assert chance_text(calibrated("", "win", 111, 111, 3)) == "at least 93.4%"
    assert chance_text(Chance(0.6, 0.02, 0.55, 0.65)) == " 60% +- 2%"
    assert chance_text(Chance(0.001, 0.0004, 0.0001, 0.004)) == " <1% +-<1%"
    assert chance_text(Chance(0.998, 0.001, 0.99, 0.9999)) == ">99% +-<1%"
    assert chance_text(Trial((), (0, 0)).tiers["win"]) == "at most 65.8%"
    assert chance_text(calibrated("", "win", 0, 10**8, 3)) == "at most 0.5%"
    reasons = ("wins, since all go up", "costs nothing; it comes round", "cannot hurt")
    assert [reason_text(reason) for reason in reasons] == [
        "Certain: it wins, since all go up.",
        "Not evaluated: it costs nothing; it comes round.",
        "Not evaluated: it cannot hurt.",
    ]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"kind": "cheat"}, "rule or search"),
        ({"kind": "rule", "visits": 3}, "expected none for the rule player"),
        ({"visits": 0}, "from 1"),
        ({"seconds": 0.0}, "above 0"),
        ({"seconds": "1"}, "expected a number"),
        ({"seed": -1}, "2\\^64"),
    ],
)
def test_players_that_cannot_be(options, problem):
    with pytest.raises(ValueError, match=problem):
        Player(**options)
