"""Every function that takes a variant and a state refuses a state of another game and other values."""

import importlib
from dataclasses import replace

import pytest
from tests.compiled import needs_kernels
from tests.native import load

from winnable.rules import VARIANTS, Choices, Deck, chessboard, find_variant, joker, simon
from winnable.rules.formats.fc_solve import format_fc_solve
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.solvitaire import solvitaire_object
from winnable.rules.formats.text import Deal, format_board
from winnable.rules.joker_view import view_of
from winnable.rules.layout import picture
from winnable.rules.move_text import effects, sentence
from winnable.solver import Goal, Limits, Result, Verdict, find_shortest, reference, solve, verify
from winnable.solver.analysis.bases import solve_bases
from winnable.solver.analysis.choice import choose
from winnable.solver.analysis.difficulty import difficulty, judge_of, of_level
from winnable.solver.analysis.hint import hint
from winnable.solver.analysis.review import review
from winnable.solver.batch import solve_records
from winnable.solver.engine import decide, find_kernel, optimize, prove_optimal
from winnable.solver.player.player import Player, advise, decisions

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
    "prove_optimal": lambda v, s: prove_optimal(v, s, SOLVED, find_kernel(v)(LIMITS)),
    "difficulty": lambda v, s: difficulty(v, s, LIMITS),
    "of_level": lambda v, s: list(of_level(v, [Deal(s)], "hard")),
}

PAIRS = [(name, find_variant(other).deal(8)) for name in VARIANTS for other in VARIANTS if name != other]


def named(value):
    """The class of ``value`` as messages name it."""
    return f"a{'n' if type(value).__name__ in ('int', 'object') else ''} {type(value).__name__}"


no_state = pytest.mark.parametrize(
    "state",
    [None, 8, "6H 5C", b"", [], {}, object(), Deck(), Choices(), Deal(find_variant("fortress").deal(8))],
    ids=lambda state: type(state).__name__,
)


def wrong_of(name):
    """States whose class or fields say that they are of another game than ``name``."""
    mine = find_variant(name).deal(8)
    yield replace(mine, variant="patience")
    yield replace(mine, columns=list(map(list, mine.columns)))
    yield replace(mine, deck=None)
    yield replace(mine, deck=replace(mine.deck, copies=3 - mine.deck.copies))
    yield replace(mine, deck=replace(mine.deck, jokers=not mine.deck.jokers))
    for family in (chessboard, simon, joker):
        if not isinstance(mine, family.State):
            yield family.start(name, mine.deck, mine.columns)


WRONG = [(name, state) for name in VARIANTS for state in wrong_of(name)]


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
    for write in (solvitaire_object, format_fc_solve):
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
    for function in (advise, decisions, view_of):
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
    ("chessboard.kernel", "ChessboardKernel.solve"), ("chessboard.kernel", "ChessboardKernel.prove_optimal"),
    ("chessboard.position", "Walker"), ("chessboard.states", "check_state"),
    ("chessboard.shortest", "lower_bound"), ("chessboard.replay", "explore"),
    ("simon.kernel", "SimonKernel.solve"), ("simon.kernel", "SimonKernel.prove_optimal"),
    ("simon.kernel", "SimonKernel.optimize"), ("simon.kernel", "SimonKernel.lower_bounds"),
    ("simon.kernel", "SimonKernel.find_shortest"), ("simon.replay", "explore"), ("simon.replay", "replays"),
    ("simon_walker", "PositionWalker"), ("joker.kernel", "JokerKernel.solve"),
    ("joker.kernel", "JokerKernel.prove_optimal"), ("joker_walker", "Walker"), ("joker.replay", "replay"),
    ("joker.replay", "legal_moves"), ("klondike.kernel", "KlondikeKernel.solve"),
    ("klondike.kernel", "KlondikeKernel.prove_optimal"), ("klondike.replay", "replay"),
    ("klondike.replay", "legal_moves"),
]  # fmt: skip
MORE = {
    "prove_optimal": ([], print), "optimize": ([],), "find_shortest": ([],), "replay": ([],),
    "replays": ([],),
}  # fmt: skip


@needs_kernels
@pytest.mark.parametrize(("module", "path"), TAKERS)
def test_kernels_refuse_a_state_of_another_family(module, path):
    family = module.replace("_", ".").partition(".")[0]
    taker = importlib.import_module(f"winnable.solver.{module}") if "." in module else load(module)
    first, _, method = path.partition(".")
    taker = getattr(taker, first)
    if method:
        taker = getattr(taker(LIMITS), method)
    others = [v for v in VARIANTS.values() if not v.family.__name__.endswith(family)]
    for state in (None, *(variant.deal(8) for variant in others)):
        with pytest.raises(ValueError, match="expected a state"):
            taker(state, *MORE.get(method or first, ()))


@needs_kernels
def test_the_kernel_of_the_player_takes_views_alone():
    kernels = importlib.import_module("winnable.solver.player.joker_kernel")
    kernel = kernels.JokerPlayerKernel(LIMITS, Player("rule"))
    state = find_variant("joker").deal(8)
    assert kernel.choices(view_of(state))
    for wrong in (state, None, find_variant("fortress").deal(8)):
        with pytest.raises(TypeError, match="expected a view, got "):
            kernel.choices(wrong)
