"""Objects of the Python interface: how they print, and the methods of states."""

import json
import pickle
from dataclasses import replace

import pytest
from tests.compiled import needs_kernels
from tests.deals import states_of_play
from tests.positions import TABLE

import winnable
from winnable import Limits, deal, difficulty, find_shortest, hint, read_deal, replay, review, solve
from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_table

SCREEN = 24 * 80


def check_fits(value):
    """Fail unless ``value`` prints on a screen, in words."""
    for text in (repr(value), str(value)):
        assert len(text) < SCREEN
        assert len(text.splitlines()) <= 24
        assert "object at 0x" not in text
        assert "Verdict." not in text


@pytest.mark.parametrize("name", VARIANTS)
def test_states_and_moves_print_on_a_screen(name):
    state = deal(name, 8)
    check_fits(state)
    assert repr(state).startswith(f"<{name}, seed 8: ")
    for card in str(state).split()[6:12]:
        assert card in repr(state)
    move = state.legal_moves()[0]
    assert repr(move) == f"<move {move}>"


@needs_kernels
@pytest.mark.full
@pytest.mark.quick("chessboard")
@pytest.mark.parametrize("name", ["chessboard", "joker", "simon-jester", "klondike-one-pass"])
def test_answers_print_on_a_screen(name):
    state = deal(name, 8)
    result = solve(state, Limits(seconds=5))
    check_fits(result)
    assert str(result) in repr(result)
    advice = hint(state, work=200_000, proofs=None)
    check_fits(advice)
    for option in advice.options:
        check_fits(option)
        assert str(option).startswith(f"{option.move}: {option.after}")
    check_fits(review(state, [str(state.legal_moves()[0])], Limits(work=100_000)))


@needs_kernels
@pytest.mark.full
def test_the_words_of_answers():
    state = deal("chessboard", 8)
    advice = hint(state)
    assert repr(advice) == "<winnable, 69 moves (shortest possible); best TS 2-4; 17 good, 1 mistake>"
    assert str(advice).splitlines()[0] == "winnable, 69 moves (shortest possible)"
    assert str(advice).splitlines()[-1] == "7H 6-f: unwinnable, a mistake"
    assert str(difficulty(state)) == "easy, ease 3.125 (hard below 0.875, easy from 2.25)"
    assert str(review(state, ["7H 6-f"])[0]) == "7H 6-f: makes the deal unwinnable; 6H 1-6 still wins"
    assert repr(solve(deal("fortress", 1))) == "<unwinnable>"
    assert str(difficulty(deal("fortress", 1))) == "not rated: unwinnable"


def test_objects_are_drawn_in_notebooks():
    state = deal("fortress", 8)
    assert "<" in state._repr_html_()
    assert "AH" in solve(state)._repr_html_() or "A" in solve(state)._repr_html_()
    assert "table" in hint(state, work=10_000, proofs=None)._repr_html_()


@needs_kernels
@pytest.mark.parametrize("name", ["fortress", "klondike", "joker"])
def test_a_state_names_its_game(name):
    state = deal(name, 5)
    named = solve(name, state)
    assert solve(state).moves == solve(state=state).moves == named.moves
    assert solve(state, Limits(nodes=1)).expanded == solve(name, state, Limits(nodes=1)).expanded
    assert (
        find_shortest(state, Limits(work=1000)).verdict
        == find_shortest(name, state, Limits(work=1000)).verdict
    )
    moves = [str(state.legal_moves()[0])]
    assert replay(state, moves) == replay(name, state, moves) == state.apply(moves[0])
    limits = Limits(work=10_000)
    assert review(state, moves, limits)[0].move == review(name, state, moves, limits)[0].move == moves[0]
    advice = hint(state, work=10_000, shorten=0, proofs=None)
    assert [each.move for each in advice.options] == [
        each.move for each in hint(name, state, work=10_000, shorten=0, proofs=None).options
    ]
    with pytest.raises(ValueError, match="expected a state of"):
        solve("simple-simon", state)


@needs_kernels
def test_a_table_with_unknown_cards_names_its_game():
    table = read_table(find_variant("joker"), TABLE.encode(), "t").state
    with pytest.raises(ValueError, match="goal, engine and score"):
        solve(table, goal="shortest")


SURE = """# game: klondike-draw-one
<??> <??> 2C
KC
KS
Foundations: C-0 D-K H-K S-J
Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C
"""


@needs_kernels
def test_answers_for_a_table_print_on_a_screen():
    table = read_deal(SURE).state
    told = "won for certain: a plan wins whatever the 2 unknown cards are (2 arrangements)"
    result = solve(table)
    assert repr(result) == f"<{told}>"
    assert str(result) == told
    assert repr(result.plan) == "<plan: 36 moves, then 2 cases>"
    advice = hint(table)
    check_fits(advice)
    assert repr(advice) == f"<{told}; best QS s-w, 17 moves>"
    assert str(advice).startswith(f"{told}\nQS s-w: won for certain\nKC 2-4: won for certain\nKD fD-4: ")


@pytest.mark.parametrize(
    "function",
    [difficulty, find_shortest, lambda table: review(table, []), lambda table: replay(table, [])],
)
def test_a_table_is_refused_where_all_cards_must_be_known(function):
    table = read_deal(SURE).state
    refused = "expected a state of klondike-draw-one with all cards known, got unknown ones"
    with pytest.raises(ValueError, match=refused):
        function(table)


@pytest.mark.parametrize("name", VARIANTS)
def test_states_play_by_themselves(name):
    family, state = find_variant(name).family, deal(name, 3)
    for here in list(states_of_play(state, 12, 1)):
        moves = here.legal_moves()
        assert moves == family.legal_moves(here)
        assert here.is_won == family.is_won(here)
        for move in moves[:2]:
            assert here.apply(move) == family.apply(here, move) == here.apply(family.format_move(here, move))
    with pytest.raises(ValueError, match="cannot read the move"):
        state.apply("hello")


def test_a_state_keeps_its_seed_until_a_move():
    state = deal("fortress", 8)
    assert state.seed == 8
    assert find_variant("fortress").deal(8).seed == 8
    assert state.apply("AH f").seed is None
    assert replace(state, columns=state.columns).seed is None
    assert read_deal(str(state)).state.seed == 8
    moved = read_deal(f"# seed: 8\n# moves made: 1\n{state.apply('AH f')}").state
    assert moved.seed is None
    assert state == read_deal(str(state)).state
    assert hash(state) == hash(read_deal(str(state)).state)
    assert pickle.loads(pickle.dumps(state)).seed == 8


@pytest.mark.full
@pytest.mark.quick("joker", "fortress")
@pytest.mark.parametrize("name", VARIANTS)
def test_moves_are_told_in_parts(name):
    """The parts of each move agree with what happens to the cards."""
    state, seen = deal(name, 3), {"turns_up": 0, "exchanges": 0, "declares": 0}
    for here in states_of_play(state, 40, 5, lambda moves: moves[:4]):
        for move in here.legal_moves():
            told, after = here.describe(move), here.apply(move)
            assert json.loads(json.dumps(told)) == told
            assert told["move"].startswith(told["card"])
            assert told == here.describe(str(told["move"]))
            if told["from"].isdigit() and told["to"] != told["from"]:
                column = here.columns[int(told["from"]) - 1]
                rest = after.columns[int(told["from"]) - 1]
                assert len(column) - len(rest) == told["count"]
                assert winnable.rules.cards.format_card(column[-told["count"]]) == told["card"]
            if told["from"] == "s":
                most = len(here.stock or here.waste)
                assert len(after.stock) == most - told["count"]
                if not told["exchanges"]:
                    assert winnable.rules.cards.format_card(after.waste[-1]) == told["card"]
            effects = " ".join(told["effects"])
            assert (told["turns_up"] or "") in effects
            assert (told["turns_up"] is None) == ("turned up in" not in effects)
            for card, joker in told["exchanges"]:
                assert f"{card} and {joker} change places" in effects
            assert len(told["exchanges"]) == effects.count("change places")
            if told["declares"] is not None:
                assert told["card"][0] == "X"
            for key in seen:
                seen[key] += bool(told[key])
    assert (seen["turns_up"] > 0) == find_variant(name).has_stock
    assert (seen["declares"] > 0) == find_variant(name).jokers or name == "joker"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda state: state.apply(None), "expected a move of fortress, as it is or as text, got a NoneType"),
        (lambda state: state.describe(5), "expected a move of fortress, as it is or as text, got an int"),
        (
            lambda state: deal("joker", 8).apply(state.legal_moves()[0]),
            "expected a move of joker, .* another game$",
        ),
        (lambda _: solve(5), "expected a state, or a game and a state, got an int"),
        (lambda _: hint([]), "expected a state, or a game and a state, got a list"),
        (lambda _: deal("fortress", 8, suits=5), "suits '5': expected some of C, D, H, S"),
        (lambda _: deal("fortress", 8, ranks=3, sizes=5), "sizes '5': expected a list of whole numbers"),
        (lambda _: deal("fortress", 8, ranks=3, sizes="55"), "sizes '55': expected a list of whole numbers"),
        (
            lambda _: winnable.solve_many("fortress", 5),
            "deals: expected a range of seeds, or states, got an int",
        ),
    ],
)
def test_wrong_arguments_are_refused_in_words(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call(deal("fortress", 8))
