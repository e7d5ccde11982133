"""Every function that takes a variant and a state refuses a state of another game and other values."""

import importlib
import json
import random
import re
from collections import Counter
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import partial

import pytest
from tests.compiled import SEARCHED, needs_kernels
from tests.deals import SEED, sizes, wander
from tests.native import load

from winnable.rules import VARIANTS, Choices, Deck, chessboard, find_variant, joker, klondike, simon
from winnable.rules.cards import JOKERS
from winnable.rules.choices import CHOICES
from winnable.rules.formats import read_deal
from winnable.rules.formats.foreign import fc_solve, solvitaire
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.text import Deal, format_board
from winnable.rules.layout import picture
from winnable.rules.move_text import effects, sentence
from winnable.rules.tables import hidden
from winnable.solver import Goal, Limits, Result, Verdict, find_shortest, reference, solve, verify
from winnable.solver.analysis.bases import solve_bases
from winnable.solver.analysis.choice import choose
from winnable.solver.analysis.difficulty import difficulty, judge_of, of_level
from winnable.solver.analysis.hint import hint
from winnable.solver.analysis.review import review
from winnable.solver.batch import solve_records
from winnable.solver.certificates.making import list_of
from winnable.solver.engine import decide, find_kernel, optimize, prove_optimal
from winnable.solver.player.player import Player, advise, decisions, find_player_kernel

LIMITS = Limits(nodes=100)
SOLVED = Result(Verdict.WINNABLE, (), engine="compiled")

FUNCTIONS = {
    "solve": lambda v, s: solve(v.name, s, LIMITS, shorten=0),
    "solve by the reference engine": lambda v, s: solve(v, s, LIMITS, engine="reference"),
    "solve for a shortest line": lambda v, s: solve(v, s, Limits(1, 1), Goal.SHORTEST),
    "find_shortest": lambda v, s: find_shortest(v.name, s, Limits(1, 1)),
    "reference.solve": lambda v, s: reference.solve(v, s, LIMITS),
    "hint": lambda v, s: hint(v.name, s, 100_000, 0), "review": lambda v, s: review(v.name, s, [], LIMITS),
    "replay": lambda v, s: verify.replay(v.name, s, []), "follow": lambda v, s: verify.follow(v, s, []),
    "format_line": lambda v, s: verify.format_line(v, s, []),
    "solve_records": lambda v, s: solve_records(v.name, [v.deal(1), s], LIMITS, workers=1),
    "choose": lambda v, s: list(choose(v, [Deal(s)], LIMITS)), "score": lambda v, s: v.score(s),
    "check": lambda v, s: v.check(s), "format_board": format_board, "deal_object": deal_object,
    "picture": picture, "sentence": lambda v, s: sentence(v, s, v.family.legal_moves(v.deal(1))[0]),
    "effects": lambda v, s: effects(v, s, v.family.legal_moves(v.deal(1))[0]),
}  # fmt: skip
COMPILED = {
    "decide": lambda v, s: decide(v, s, find_kernel(v)(LIMITS)),
    "optimize": lambda v, s: optimize(v, s, SOLVED, 100_000, LIMITS),
    "list_of": lambda v, s: list_of(v, 0, LIMITS).explore(s),
    "prove_optimal": lambda v, s: prove_optimal(v, s, SOLVED, find_kernel(v)(LIMITS)),
    "difficulty": lambda v, s: difficulty(v, s, LIMITS),
    "of_level": lambda v, s: list(of_level(v, [Deal(s)], "hard")),
}

PAIRS = [(name, find_variant(other).deal(8)) for name in SEARCHED for other in SEARCHED if name != other]


def named(value):
    """The class of ``value`` as messages name it."""
    return f"a{'n' if type(value).__name__ in ('int', 'object') else ''} {type(value).__name__}"


no_state = pytest.mark.parametrize(
    "state",
    [None, 8, "6H 5C", b"", [], {}, object(), Deck(), Choices(), Deal(find_variant("fortress").deal(8))],
    ids=lambda state: type(state).__name__,
)


def wrong_of(name):
    """States whose class or fields belong to another game than ``name``."""
    mine = find_variant(name).deal(8)
    yield replace(mine, variant="patience")
    yield replace(mine, columns=list(map(list, mine.columns)))
    yield replace(mine, deck=None)
    yield replace(mine, deck=replace(mine.deck, copies=3 - mine.deck.copies))
    yield replace(mine, deck=replace(mine.deck, jokers=not mine.deck.jokers))
    for family in (chessboard, simon, joker):
        if not isinstance(mine, family.State):
            yield family.start(name, mine.deck, mine.columns)


WRONG = [(name, state) for name in SEARCHED for state in wrong_of(name)]


@pytest.mark.parametrize(
    "function", [*FUNCTIONS, *(pytest.param(name, marks=needs_kernels) for name in COMPILED)]
)
def test_a_state_of_another_game_is_refused(function):
    call = (FUNCTIONS | COMPILED)[function]
    for name, state in PAIRS:
        with pytest.raises(ValueError, match=f"^a state of {state.variant}: expected a state of {name}$"):
            call(find_variant(name), state)


@no_state
def test_what_is_no_state_is_refused(state):
    for name in ("chessboard", "simple-simon", "joker"):
        for function in FUNCTIONS.values():
            with pytest.raises(ValueError, match=f"^{named(state)}: expected a state of {name}$"):
                function(find_variant(name), state)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_state_with_the_wrong_fields_is_refused_in_one_line(function):
    for name, state in WRONG:
        with pytest.raises(ValueError, match=r"^a state (of|with|by) (?!(.*): expected .* \2$)") as error:
            FUNCTIONS[function](find_variant(name), state)
        assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("name", VARIANTS)
def test_a_state_with_cards_twice_or_nowhere_is_refused(name):
    state = find_variant(name).deal(8)
    first, *rest = state.columns
    wrong = [
        replace(state, columns=(first[:-1], *rest)),
        replace(state, columns=(first[:-1] + rest[0][:1], *rest)),
        replace(state, columns=((*first[:-1], 99), *rest)),
        replace(state, columns=(*state.columns, ())),
        replace(state, columns=()),
        replace(state, columns=None),
        replace(state, columns=(None,)),
        replace(state, columns=(("7H",),)),
    ]
    for position in wrong:
        for function in ("solve", "solve by the reference engine", "find_shortest", "hint", "review"):
            with pytest.raises(ValueError, match="no state of ") as error:
                FUNCTIONS[function](find_variant(name), position)
            assert len(str(error.value).splitlines()) == 1


# --- Damaged states -----------------------------------------------------------------------------------------


class Whole:
    """A whole number that is not an int."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def odd(chance, value):
    """Something else in place of ``value``, a number or the content of a field."""
    numbers = [-1, 0, 1, 2, 3, 12, 13, 51, 52, 53, 54, 99, -7, 10**20, True, 2.0, float("nan"), Whole(2)]
    if type(value) is int:
        numbers += [value - 1, value + 1, value + 4, -value, float(value), Whole(value), str(value)]
        with suppress(ImportError, OverflowError):
            numbers.append(importlib.import_module("numpy").int64(value))
    return chance.choice([*numbers, None, "", "7H", (), (1,), [], object()])


def damaged(chance, value):
    """``value`` with something changed at a random depth."""
    if chance.random() < 0.1:
        return odd(chance, value)
    if isinstance(value, tuple):
        items = list(value)
        kind = chance.randrange(6)
        if items and kind == 0:
            del items[chance.randrange(len(items))]
        elif items and kind == 1:
            items.insert(chance.randrange(len(items)), chance.choice(items))
        elif items and kind == 2:
            one, other = (chance.randrange(len(items)) for _ in range(2))
            items[one], items[other] = items[other], items[one]
        elif items:
            place = chance.randrange(len(items))
            items[place] = damaged(chance, items[place])
        return tuple(items)
    if is_dataclass(value):
        name = chance.choice([field.name for field in fields(value)])
        wanted = CHOICES[name] if isinstance(value, (joker.Choices, klondike.Choices)) else ()
        old = getattr(value, name)
        return replace(value, **{name: chance.choice(wanted) if wanted else damaged(chance, old)})
    return odd(chance, value)


def with_damage(chance, state):
    """``state`` with a change in one field, whatever values that allows."""
    name = chance.choice([field.name for field in fields(state)])
    return replace(state, **{name: damaged(chance, getattr(state, name))})


def moved_cards(chance, state):
    """``state`` with some cards exchanged, each still there once."""
    piles = [name for name in ("stock", "waste") if hasattr(state, name)]
    kind = chance.randrange(4)
    if kind == 0 and piles:
        return replace(state, stock=state.waste, waste=state.stock)
    if kind == 1 and piles:
        joined = state.stock + state.waste
        cut = chance.randint(0, len(joined))
        return replace(state, stock=joined[:cut], waste=joined[cut:])
    columns = [list(column) for column in state.columns]
    filled = [column for column in columns if column]
    if filled:
        card = chance.choice(filled).pop()
        if kind == 2 or not piles:
            chance.choice(columns).append(card)
        else:
            pile = chance.choice(piles)
            state = replace(state, **{pile: (card, *getattr(state, pile))})
    return replace(state, columns=tuple(map(tuple, columns)))


def with_odd_field(chance, state):
    """``state`` with one field of a value that the field may have in other states."""
    name = chance.choice([field.name for field in fields(state) if field.name not in ("variant", "deck")])
    ranks = range(-1, state.deck.ranks + 1)
    values = {
        "foundations": lambda: tuple(chance.choice(ranks) for _ in range(4)),
        "base": lambda: chance.choice([None, *ranks]),
        "hidden": lambda: tuple(chance.choice([*state.hidden, 0, 1, -1, 7]) for _ in state.hidden),
        "redeals": lambda: chance.choice([-1, 0, 1, 2, 3, 5, 10**9]),
        "jokers": lambda: tuple(odd_joker(chance, ranks) for _ in JOKERS),
        "was_turned_over": lambda: not state.was_turned_over,
    }
    change = values.get(name, lambda: damaged(chance, getattr(state, name)))
    return replace(state, **{name: change()})


def odd_joker(chance, ranks):
    """A condition of a joker, possibly several at once."""
    cards = [*range(52), *JOKERS, -1, 60]
    joined = {
        "rank": chance.choice(ranks),
        "place": chance.choice(cards),
        "is_open_ace": True,
        "is_out": True,
    }
    names = chance.sample([*joined], chance.choice([0, 1, 1, 1, 2]))
    return joker.Joker(**{name: joined[name] for name in names})


def damaged_states(chance, variant, count):
    """Deals and positions of full and short decks with one or two damaged fields, ten of each."""
    shapes = [{}, {}, {"ranks": 5}, {"ranks": 4, "suits": "CH"}, {"ranks": 3, "suits": "CDH"}]
    for number in range(count):
        if number % 10 == 0:
            agreed = {name: chance.choice(values) for name, values in variant.choices.items()}
            choices = chance.choice([None, agreed]) if agreed else None
            sound = variant.deal(chance.randrange(10**9), **chance.choice(shapes), choices=choices)
            sound = wander(sound, chance.choice([0, 3, 20, 60]), chance.random())
        state = sound
        for _ in range(chance.choice([1, 1, 2])):
            with suppress(ValueError, TypeError, AttributeError):  # the dataclass refuses the value
                state = chance.choice([with_damage, moved_cards, with_odd_field])(chance, state)
        yield state


def problem_of(variant, state):
    """The reason why ``state`` is refused; None if it is accepted."""
    try:
        variant.check(state, cards=True)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", VARIANTS)
@sizes(quick=200, full=1000, slow=10_000)
def test_a_damaged_state_is_refused_or_solved_and_written(name, deals):
    variant, chance, seen = find_variant(name), random.Random(f"{SEED} {name}"), Counter()
    print("seed", SEED)
    for state in damaged_states(chance, variant, deals):
        problem = problem_of(variant, state)
        seen["refused" if problem else "solved"] += 1
        if problem:
            assert len(problem.splitlines()) == 1
            continue
        solve(name, state, Limits(nodes=20), shorten=0)
        for text in (format_board(variant, state), json.dumps(deal_object(variant, state))):
            assert read_deal(variant, text.encode(), "text").state == state, text
    print(seen)
    assert min(seen["refused"], seen["solved"]) > deals / 20


def test_a_joker_is_declared_where_it_lies_face_up_alone():
    """A declaration was once accepted in the stock, and the search then ended with a wrong line."""
    variant = find_variant("joker")
    state = variant.deal(1)
    card = next(card for card in JOKERS if card in state.stock)
    declared = tuple(joker.Joker(rank=5) if other == card else joker.Joker() for other in JOKERS)
    place = f"jokers[{JOKERS.index(card)}].rank: expected 'None', got "
    for position in (replace(state, jokers=declared), replace(wander(state, 9, 1), jokers=declared)):
        for function in ("solve", "hint", "review", "find_shortest"):
            with pytest.raises(ValueError, match=f"no state of joker: {re.escape(place)}"):
                FUNCTIONS[function](variant, position)


@pytest.mark.parametrize("variant", [None, 8, "chess", ["fortress"], chessboard])
def test_what_is_no_variant_is_refused(variant):
    state = find_variant("fortress").deal(8)
    for function in (solve, find_shortest):
        with pytest.raises(ValueError, match=r"^game .*"):
            function(variant, state)
    for function in (verify.replay, verify.follow, verify.format_line):
        with pytest.raises(ValueError, match=r"^game .*"):
            function(variant, state, [])
    with pytest.raises(ValueError, match=r"^game .*"):
        solve_records(variant, [state])


@pytest.mark.parametrize("goal", ["", "Win", "fewest", None, 1])
def test_what_is_no_goal_is_refused(goal):
    with pytest.raises(ValueError, match=r"^goal .*: expected win or shortest$"):
        solve("fortress", find_variant("fortress").deal(8), goal=goal)


def test_formats_refuse_a_state_of_another_game():
    fortress, simple = find_variant("fortress"), find_variant("simple-simon")
    for write in (solvitaire.write, fc_solve.write):
        with pytest.raises(ValueError, match="a state of simple-simon: expected a state of fortress"):
            write(fortress, simple.deal(8))


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "chessboard"])
def test_bases_refuse_a_state_of_another_game(name):
    with pytest.raises(ValueError, match=f"{name}"):
        solve_bases(find_variant(name).deal(8))


def test_bases_refuse_what_is_no_state():
    with pytest.raises(ValueError, match="a NoneType: expected a state"):
        solve_bases(None)


@pytest.mark.parametrize(
    "state", [None, Deck(), *(find_variant(n).deal(8) for n in ("fortress", "simple-simon"))]
)
def test_a_player_refuses_a_state_of_another_family(state):
    for function in (advise, decisions, hidden):
        with pytest.raises(ValueError, match="expected a state"):
            function(state)


@needs_kernels
@no_state
def test_judges_refuse_what_is_no_state(state):
    for name in ("simple-simon", "joker"):
        with pytest.raises(ValueError, match="expected a state"):
            judge_of(find_variant(name)).ease(state)


def test_a_line_of_another_game_is_no_line():
    variant, other = find_variant("fortress"), find_variant("simple-simon")
    move = other.family.legal_moves(other.deal(8))[0]
    for wrong in (move, None, 7, (0, 1)):
        with pytest.raises(verify.WrongMove, match="expected a move of fortress, got a"):
            verify.replay(variant, variant.deal(8), [wrong])
    for line, got in (("AH 9-f", "a str"), (7, "an int")):
        with pytest.raises(ValueError, match=f"moves: expected a list of moves, got {got}"):
            review(variant, variant.deal(8), line)


# --- Kernels ------------------------------------------------------------------------------------------------

TAKERS = [
    ("chessboard_walker", "Walker"), ("chessboard_walker", "lower_bound"), ("chessboard_brute", "replays"),
    ("simon_searches", "SimonSearches.solve"), ("simon_searches", "SimonSearches.lower_bounds"),
    ("simon_brute", "replays"), ("simon_walker", "PositionWalker"),
    ("joker_searches", "JokerSearches.solve"), ("joker_walker", "Walker"), ("joker_brute", "replay"),
    ("joker_brute", "legal_moves"), ("klondike_brute", "replay"), ("klondike_brute", "legal_moves"),
]  # fmt: skip
MORE = {"prove_optimal": ([], print), "optimize": ([],), "replay": ([],), "replays": ([],)}


def states_of_others(family):
    """States of the games of other families, and what is no state."""
    others = [v for v in VARIANTS.values() if family not in (v.rules, v.packed)]
    return [None, *(variant.deal(8) for variant in others)]


@needs_kernels
@pytest.mark.parametrize(("module", "path"), TAKERS)
def test_parts_of_kernels_refuse_a_state_of_another_family(module, path):
    family = module.partition("_")[0]
    first, _, method = path.partition(".")
    taker = getattr(load(module), first)
    if method:
        taker = getattr(taker(LIMITS), method)
    for state in states_of_others(family):
        with pytest.raises(ValueError, match="expected a state"):
            taker(state, *MORE.get(method or first, ()))


@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
def test_kernels_refuse_a_state_of_another_family(name):
    kernel = find_kernel(find_variant(name))(LIMITS)
    has = {"optimize": kernel.OPTIMIZES, "solve_score": kernel.SCORES_LOST}
    methods = ["solve", "prove_optimal", *(method for method in has if has[method])]
    for state in states_of_others(find_variant(name).packed):
        for method in methods:
            with pytest.raises(ValueError, match="expected a state"):
                getattr(kernel, method)(state, *MORE.get(method, ()))


@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
@sizes(quick=100, full=500)
def test_kernels_and_lists_refuse_a_damaged_state_or_take_it(name, deals):
    """A kernel, or a list of positions for a certificate, answers or raises ValueError."""
    variant, chance, refused = find_variant(name), random.Random(f"{SEED} {name}"), 0
    kernel = find_kernel(variant)(Limits(nodes=20))
    lists = [list_of(variant, kind, Limits(nodes=20)) for kind in range(3 if variant.rules == "simon" else 1)]
    for state in damaged_states(chance, variant, deals):
        claims = [partial(each.explore, claimed=claim) for each in lists for claim in (0, 40)]
        for take in (kernel.solve, *claims):
            try:
                take(state)
            except ValueError:
                refused += 1
    assert refused > deals / 20
    for each in lists:
        each.explore(variant.deal(1))
        assert len(each) > 0
        with pytest.raises(ValueError, match="expected"):
            each.explore(None)
        assert len(each) == 0
        with pytest.raises(ValueError, match="expected positions of a state, got none"):
            each.start()


@needs_kernels
@pytest.mark.parametrize("moves", [[None], [1], [object()]])
def test_kernels_refuse_what_is_no_move(moves):
    for name in SEARCHED:
        kernel = find_kernel(find_variant(name))(LIMITS)
        methods = ["prove_optimal", *["optimize"][: kernel.OPTIMIZES]]
        for method in methods:
            with pytest.raises(ValueError, match="expected a move of the game, got"):
                getattr(kernel, method)(
                    find_variant(name).deal(8), moves, *[print][: method == "prove_optimal"]
                )


@needs_kernels
@pytest.mark.parametrize("name", SEARCHED)
def test_kernels_deal_no_other_game(name):
    kernel = find_kernel(find_variant(name))(LIMITS)
    for other in SEARCHED:
        if other != name:
            with pytest.raises(ValueError, match=f"^expected deals of {name}, got {other}$"):
                kernel.solve_seeds(other, 1, 2)


@needs_kernels
def test_the_kernel_of_the_player_takes_states_of_its_games_alone():
    kernel = find_player_kernel()(LIMITS, Player("rule"))
    state = find_variant("joker").deal(8)
    assert kernel.choices(hidden(state))
    for wrong in (None, find_variant("fortress").deal(8), hidden(find_variant("klondike").deal(8))):
        with pytest.raises(TypeError, match="expected a state of joker or klondike-one-pass, got "):
            kernel.choices(wrong)
