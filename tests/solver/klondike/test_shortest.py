"""Fewest moves of Klondike with redeals: against brute force, and against lengths that others proved."""

from dataclasses import replace

import pytest
from tests.native import load
from tests.solver.klondike.test_kernel import KIND, KLONDIKE, some_position

from winnable.rules import find_variant, klondike
from winnable.rules.formats import read_deal
from winnable.solver import Limits, find_shortest

pytestmark = pytest.mark.skipif(KIND is None, reason="the compiled engine is not installed")


def compare(seeds, most_states, most=None):
    """Compare bounds of all states with the fewest moves from there, and A* with those of the start: how many
    states and starts."""
    distances = load("klondike_brute").distances
    kernel, states, starts = KIND(Limits()), 0, 0
    told: list = []
    for seed in seeds:
        found = distances(some_position(seed), most_states)
        for state, moves in found or ():
            states += 1
            if moves is not None:
                assert 0 <= kernel.lower_bound(state) <= moves, f"seed {seed}\n{state}"
        if found and found[0][1]:
            starts += 1
            told.clear()
            state, moves = found[0]
            kernel.prove_optimal(state, kernel.solve(state).moves, lambda *news: told.append(news))
            line, bound = told[-1]
            assert len(line) == bound == moves, f"seed {seed}\n{state}"
        if most is not None and states > most:
            break
    return states, starts


@pytest.mark.parametrize("deals", [30, pytest.param(400, marks=pytest.mark.full)])
def test_short_decks_take_as_many_moves_as_brute_force_finds(deals):
    states, starts = compare(range(deals), 1200)
    assert states > 75 * deals
    assert starts > 0.2 * deals


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_many_short_decks_take_as_many_moves_as_brute_force_finds():
    states, starts = compare(range(100_000, 200_000), 10_000, most=500_000)
    assert states > 500_000
    assert starts > 300


REGRESSIONS = {
    """KS QD JC TD 9S 8H 7S 6H 5S 4H
<7H> 5D 4S 3D
KC QH JS
KH QS JD TC 9D 8S 7D 6S 5H
:
:
<TH> <AD> <4D> <KD> 2D
Foundations: C-9 D-0 H-3 S-3
Stock: JH TS 6D 8D
Waste: 9H QC
""": 46,  # 47 if a card is safe as soon as all are up that could lie on it
    """Ranks: 6
Suits: CDH
Draw: 5
Worrying back: no
5C
3H 3D
6C 2D 4C
4D 4H AD AH
6H 2C 6D 5D AC
Stock: 2H 3C 5H
""": 23,  # 24 if no card moves to a host like its own, as for the next one
    """Ranks: 5
Suits: CDH
Draw: 1
Passes: 2
5C
2C
<AD> <5D> 3D
Foundations: C-0 D-0 H-3
Stock: 4H 4C 3C 2D AC 4D 5H
""": 28,
}


@pytest.mark.parametrize(("text", "moves"), REGRESSIONS.items(), ids=REGRESSIONS.values())
def test_regressions_take_their_fewest_moves(text, moves):
    state = read_deal(KLONDIKE, text.encode(), "t").state
    result = find_shortest(KLONDIKE, state)
    assert (len(result.moves), result.shortest) == (moves, True)


@pytest.mark.full
def test_brute_force_counts_moves():
    distances = load("klondike_brute").distances
    state = read_deal(KLONDIKE, b"Ranks: 3\nSuits: C\n3C\nStock: 2C AC\nFoundations: C-0\n", "t").state
    found = dict(distances(state))
    assert found[state] == 4  # a draw of both, and three cards up
    assert distances(state, 2) is None
    stuck = read_deal(KLONDIKE, STUCK.encode(), "t").state
    assert dict(distances(stuck))[stuck] is None
    deal = KLONDIKE.deal(1)
    with pytest.raises(ValueError, match="expected a state of at most 96 bytes of record"):
        distances(replace(deal, stock=2 * deal.stock))


STUCK = "Ranks: 3\nSuits: CS\n<AC> 3C\n<AS> 3S\n2C\n2S\nFoundations: C-0\n"

# Deals of MinimalKlondike's own tests, with the fewest moves that it proved: one card at a time and nothing
# back from the foundations, but where it is said otherwise. A draw of up to three cards is a move there, too.
PROVED = [
    (98, {"draw": "3"},
     "122021053133044042092074131071132062123061011022101013064091114073063082034041"
     "014024103121094113102031033134072111084032023052012081112124043104083093051054"),
    (104, {},
     "042041044124023073111012123081104093031052051121094074061091083102043071132134"
     "113114131022103013062032101011014034054021112064092082133033072053084063024122"),
    (108, {},
     "131101034061073072044071082043092042094132014081051124083113121052063054012103"
     "062064032111134011074093053122102033013084031114091112104021133024022041123023"),
    (129, {},
     "012054062044022101102122074071041011133024043013093111082034114042131103061051"
     "063053094092072084132091112023113052032031134014123064104124121021081083033073"),
    (80, {"worrying_back": "yes"},
     "011061012013133132131021051014053042134023043033032062031034022052024041054064"
     "063044121122123124111112113114101102103104091092093094081082083084071072073074"),
    (117, {},
     "093051032092074131014103064031091071104013041111053102112132063061072054052133"
     "023113082043134033044114042122124101024084021123081022083034062012121073011094"),
    (117, {},
     "044112092034103111093074114031024042091084064053052021101062073121063113011054"
     "083014122102043013132033032041051082023134012104061081124131133094123071022072"),
    (132, {},
     "122102054114092084012023091124133113032022123082103101034052044011131083112051"
     "134104061064033014094021111063053062031072041024121081043073013093074071042132"),
    (123, {},
     "093011091064043131071122084051074092061031062012081103032054134013014073133072"
     "041113052053121132044082042124111023083101033021123034112024094022063102104114"),
    (134, {},
     "064083042011093052131072024091081082014041101071094073062123122114031061133034"
     "104103102043121134021054132033084013044063074032111113051124092023053022112012"),
    (108, {},
     "102072022064073114071042012053044133021051093124081054013112084101123132091134"
     "113041074094131104031023014061122062011103083082063121032111024092033052043034"),
    (101, {},
     "112101053072123052051081023111131032124063062041044122054021024093103033071073"
     "082121022094083074133102104084114134042113011061031013091064034014043012132092"),
    (102, {"passes": "1"},
     "112101053072123052051081023111131032124063062041044122054021024093103033071073"
     "082121022094083074133102104084114134042113011061031013091064034014043012132092"),
    (115, {},
     "081054022072134033082024052064053012061013042093084124092122062031083121113023"
     "043074051114091014103044131063041102101133011111071073034123104112021132032094"),
    (139, {},
     "073041124122091063054034021032132093111031043064013022131103123092113074083072"
     "044114062102024134082053011033042012014104084023094112121081051071052133061101"),
    (132, {},
     "031133054011034033084074013043104083113014052122022053114041081062021071012024"
     "111093064032123132121072063112134131101091044103082092094124102073042023061051"),
]  # fmt: skip
QUICK = [0, 3, 4, 6]


def shortest(number, limits):
    moves, choices, digits = PROVED[number]
    state = read_deal(KLONDIKE, digits.encode(), "t", {"draw": "1", "worrying_back": "no"} | choices).state
    return moves, find_shortest(KLONDIKE, state, limits)


@pytest.mark.quick("4")
@pytest.mark.parametrize("number", QUICK)
def test_deals_take_as_many_moves_as_others_proved(number):
    moves, result = shortest(number, Limits())
    assert (len(result.moves), result.lower_bound, result.shortest) == (moves, moves, True)


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("number", [number for number in range(len(PROVED)) if number not in QUICK])
def test_all_deals_take_as_many_moves_as_others_proved(number):
    moves, result = shortest(number, Limits(megabytes=4000))
    assert (len(result.moves), result.lower_bound, result.shortest) == (moves, moves, True)


def test_a_search_that_ends_early_leaves_a_line_and_a_bound():
    moves, result = shortest(2, Limits(nodes=20_000))
    assert result.reason == "nodes"
    assert not result.shortest
    assert 70 < result.lower_bound < moves <= len(result.moves) < 130


# Fewest moves that were proved, and the most that lines have after so much work.
LINES = [
    ("klondike", 2, 98, 100_000, 0.0), ("klondike", 13, 99, 3_000_000, 0.15),
    ("klondike-draw-one", 4, 106, 100_000, 0.0), ("klondike-draw-one", 15, 129, 1_000_000, 0.06),
]  # fmt: skip


@pytest.mark.quick(1)
@pytest.mark.parametrize(("name", "seed", "fewest", "work", "excess"), LINES)
def test_lines_are_short_after_little_work(name, seed, fewest, work, excess):
    variant = find_variant(name)
    result = find_shortest(variant, variant.deal(seed), Limits(work=work))
    assert fewest <= len(result.moves) <= (1 + excess) * fewest
    assert result.lower_bound <= fewest


def test_first_lines_never_come_back_to_a_state():
    for seed in range(40):
        state = find_variant("klondike-draw-one").deal(seed)
        moves = KIND(Limits()).solve(state).moves
        known = {state}
        for move in moves or ():
            state = klondike.apply(state, move)
            known.add(state)
        assert len(known) == len(moves or ()) + 1


@pytest.mark.full
def test_a_search_ends_for_memory_when_it_is_used():
    kernel, state, told = KIND(Limits(megabytes=24)), KLONDIKE.deal(13), []
    kernel.prove_optimal(state, kernel.solve(state).moves, lambda *news: told.append(news))
    assert kernel.limit_met == "memory"
    assert kernel.progress().megabytes > 18
