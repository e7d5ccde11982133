"""The environments of Gymnasium: what its checker asks, the rules, scores and hidden cards of each game."""

import random

import numpy as np
import pytest
from tests.compiled import needs_kernels

from winnable import Limits, deal, solve
from winnable.rules import VARIANTS, find_variant
from winnable.rules.tables import filled, hidden

gymnasium = pytest.importorskip("gymnasium", reason="the extra 'gym' is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from winnable.gym import SolitaireEnv  # noqa: E402
from winnable.gym.actions import action_of, actions_of  # noqa: E402

ACTIONS = {
    "chessboard": 100, "fortress": 100, "simon-jester": 2184, "simon-jester-triangular": 2184,
    "simple-simon": 1080, "joker": 689, "klondike-one-pass": 562, "klondike": 590,
    "klondike-draw-one": 590, "klondike-vegas": 590, "klondike-vegas-one": 590,
}  # fmt: skip
HIDING = [name for name, variant in VARIANTS.items() if variant.hiding]


@pytest.mark.filterwarnings("error")
@pytest.mark.quick("fortress", "joker")
@pytest.mark.parametrize("name", VARIANTS)
def test_every_game_is_what_gymnasium_asks_for(name):
    env = gymnasium.make(f"winnable/{name}-v0", render_mode="ansi")
    check_env(env.unwrapped)
    assert env.action_space.n == ACTIONS[name]


def play(env, seed, chance):
    """Play a random game with the deal of ``seed``; return whether it was cut off."""
    observation, info = env.reset(seed=seed)
    assert env.state == env.variant.deal(seed, choices=env.choices)
    total, over, cut = 0.0, False, False
    while not over and not cut:
        moves = env.state.legal_moves()
        numbers = [env.action(move) for move in moves]
        assert sorted(set(numbers)) == sorted(numbers) == np.flatnonzero(info["action_mask"]).tolist()
        action, expected = 0, env.state
        if moves:
            pick = chance.randrange(len(moves))
            action, expected = numbers[pick], env.state.apply(moves[pick])
        observation, reward, over, cut, info = env.step(action)
        assert env.state == expected
        assert observation in env.observation_space
        total += reward
    assert over == (env.state.is_won or not env.state.legal_moves())
    cards = env.state.deck.places * env.state.deck.copies
    assert total == pytest.approx(info["score"] / cards)
    return cut


@pytest.mark.quick("fortress", "klondike-vegas")
@pytest.mark.parametrize("name", VARIANTS)
def test_random_games_end(name):
    env = SolitaireEnv(name, max_moves=100)
    for seed in range(5):
        play(env, seed, random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_thousand_random_games_end(name):
    env = SolitaireEnv(name, max_moves=100)
    cut = sum(play(env, seed, random.Random(seed)) for seed in range(1000))
    assert (cut == 0) == (name in ("chessboard", "fortress"))


def test_random_games_end_under_other_rules():
    env = SolitaireEnv("klondike", {"spaces": "any", "passes": "2"}, max_moves=60)
    for seed in range(3):
        play(env, seed, random.Random(seed))


def test_the_stock_is_turned_without_end():
    """Redeals are counted only where the passes are limited, so their space is never left."""
    for passes, redeals in (("unlimited", 0), ("5", 4)):
        env = SolitaireEnv("klondike-draw-one", {"passes": passes}, max_moves=1000)
        env.reset(seed=5)
        for _ in range(999):
            observation, _, over, cut, _ = env.step(env.actions["s-w"])
            assert observation in env.observation_space
        assert (observation["redeals"], over, cut) == ([redeals], False, False)


@pytest.mark.quick("fortress", "joker")
@pytest.mark.parametrize("name", VARIANTS)
@needs_kernels
def test_a_solution_earns_all(name):
    seed = next(
        seed for seed in range(100) if solve(deal(name, seed), Limits(work=200_000)).verdict == "winnable"
    )
    result = solve(deal(name, seed))
    env = SolitaireEnv(name, max_moves=1000)
    env.reset(seed=seed)
    answers = [env.step(env.action(move)) for move in result.moves]
    whole = env.state.deck.places * env.state.deck.copies
    best = result.score or whole
    assert sum(answer[1] for answer in answers) == pytest.approx(best / whole)
    assert answers[-1][2] == (best == whole or not env.state.legal_moves())
    assert answers[-1][4]["score"] == best
    assert answers[-1][4].get("tier") == result.tier


@pytest.mark.parametrize("name", HIDING)
def test_cards_that_are_not_seen_change_nothing(name):
    """With the unseen cards in another order, a table looks as before and has the same legal moves."""
    chance = random.Random(name)
    table, all_seen = (
        SolitaireEnv(name, render_mode="ansi"),
        SolitaireEnv(name, sees="all", render_mode="ansi"),
    )
    state = deal(name, 3)
    for _ in range(30):
        state = state.apply(chance.choice(state.legal_moves()))
        other = filled(hidden(state))
        told = [env.reset(options={"state": each}) for env in (table, all_seen) for each in (state, other)]
        arrays = [{key: value.tolist() for key, value in observation.items()} for observation, _ in told]
        assert arrays[0] == arrays[1]
        assert (told[0][1]["action_mask"] == told[1][1]["action_mask"]).all()
        assert (arrays[2] == arrays[3]) == (state == other)
        table.reset(options={"state": state})
        assert table.render() == str(hidden(state))
        assert all_seen.render() == str(other)


def test_the_arrays_of_a_position():
    env = SolitaireEnv("klondike-vegas-one")
    observation, info = env.reset(seed=5)
    assert observation["columns"][2].tolist()[:4] == [55, 55, 5, 0]  # <??> <??> 2C
    assert observation["stock"].tolist() == [55] * 24
    assert observation["face_down"].tolist() == list(range(7))
    draw = env.actions["s-w"]
    assert info["action_mask"][draw]
    observation, *_ = env.step(draw)
    assert observation["waste"].tolist()[:2] == [16, 0]  # 4S
    stock, _ = SolitaireEnv("klondike", sees="stock").reset(seed=5)
    assert stock["stock"].tolist()[:2] == [16, 31]  # 4S 8H
    assert stock["columns"][1][0] == 55
    everything, _ = SolitaireEnv("klondike", sees="all").reset(seed=5)
    assert everything["columns"][1].tolist()[:3] == [11, 27, 0]  # 3H 7H
    env = SolitaireEnv("chessboard")
    assert env.reset(seed=8)[0]["base"] == [0]
    observation = env.step(env.action(deal("chessboard", 8).legal_moves()[0]))[0]
    card = deal("chessboard", 8).legal_moves()[0].card
    assert observation["base"] == [card // 4 + 1]
    assert observation["foundations"].tolist() == [int(suit == card % 4) for suit in range(4)]


def test_the_conditions_of_jokers():
    env, state = SolitaireEnv("joker"), deal("joker", 4)
    conditions = {}
    for text in ("XB 4-f", "XB 4=5", "XB 4-x", "XB 4-1"):
        conditions[text] = env.reset(options={"state": state.apply(text)})[0]["jokers"].tolist()
    assert conditions == {"XB 4-f": [66, 0], "XB 4=5": [5, 0], "XB 4-x": [67, 0], "XB 4-1": [5, 0]}


def test_an_illegal_action_changes_nothing_and_counts():
    env = SolitaireEnv("fortress", max_moves=2)
    before, info = env.reset(seed=8)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    for is_cut in (False, True):
        after, reward, over, cut, _ = env.step(wrong)
        assert (reward, over, cut) == (0, False, is_cut)
        assert all((after[name] == before[name]).all() for name in before)


@needs_kernels
def test_the_verdict_is_told_where_it_is_asked_for():
    env = SolitaireEnv("fortress", verdict=True)
    assert env.reset(seed=8)[1]["verdict"] == "winnable"
    assert env.reset(seed=1)[1]["verdict"] == "unwinnable"
    env = SolitaireEnv("joker", verdict=True, limits=Limits(work=1))
    assert env.reset(seed=4)[1]["verdict"] == "undecided"
    assert SolitaireEnv("joker", verdict=True).reset(seed=4)[1]["best_score"] == 52
    assert "verdict" not in SolitaireEnv("joker").reset(seed=4)[1]


def test_a_deal_without_a_legal_move_ends_with_the_first_action():
    env = SolitaireEnv("fortress")
    seed = next(seed for seed in range(1000) if not deal("fortress", seed).legal_moves())
    assert not env.reset(seed=seed)[1]["action_mask"].any()
    assert env.step(0)[1:4] == (0, True, False)


def test_seeds_name_deals_and_without_one_deals_are_random():
    env = SolitaireEnv("fortress")
    seeds = [env.reset(seed=seed)[1]["seed"] for seed in (7, None, None, 7, None)]
    assert seeds[0] == seeds[3] == 7
    assert seeds[1] == seeds[4] != seeds[2]
    env.reset(seed=7)
    assert env.step(0)[4]["seed"] == 7


def test_masked_samples_and_vectors():
    envs = gymnasium.make_vec("winnable/fortress-v0", num_envs=2, vectorization_mode="sync")
    _, info = envs.reset(seed=[1, 2])
    assert info["action_mask"].shape == (2, 100)
    env = gymnasium.make("winnable.gym:winnable/klondike-v0", choices={"draw": "1"}, sees="all")
    _, info = env.reset(seed=1)
    assert info["action_mask"][env.action_space.sample(info["action_mask"])] == 1
    assert env.unwrapped.action_masks().tolist() == (info["action_mask"] == 1).tolist()
    assert env.unwrapped.state.choices.draw == "1"


def test_actions_are_named_as_moves():
    assert [*actions_of(find_variant("fortress"))][:2] == ["1-2", "1-3"]
    joker = actions_of(find_variant("joker"))
    assert {"7-1 x13", "3=7", "3-fS", "w-x", "s-w", "w-f"} <= set(joker)
    assert [action_of(move) for move in deal("klondike", 5).legal_moves()] == ["5-f", "2-4", "5-3", "s-w"]


def test_what_is_wrong_is_refused_in_one_line():
    for named, text in (
        ({"game": "nothing"}, "game 'nothing': no such game"),
        ({"game": "klondike", "sees": "most"}, "sees 'most': expected table, stock, all"),
        ({"game": "klondike", "render_mode": "human"}, "render_mode 'human': expected ansi or None"),
        ({"game": "fortress", "choices": {"draw": "1"}}, "'draw': fortress has no rule options"),
    ):
        with pytest.raises(ValueError, match=f"^{text}"):
            SolitaireEnv(**named)
    with pytest.raises(ValueError, match="expected a state of fortress"):
        SolitaireEnv("fortress").reset(options={"state": deal("chessboard", 8)})
