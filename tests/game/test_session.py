"""Games on the board without a page: moves, places, variations, hidden cards, saved games."""

import json
import random
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from tests.board.games import JOKERS
from tests.compiled import needs_kernels
from tests.deals import by_rows

from winnable.board import analysis, chances
from winnable.board.analysis import Marked
from winnable.board.new_game import look_for, read_opening
from winnable.board.page import session_page
from winnable.board.serialize import marks_object, nodes_objects
from winnable.game import evaluation
from winnable.game.export import game_object, save
from winnable.game.hidden_deals import HiddenDeals
from winnable.game.links import link_of
from winnable.game.places import Drop, drop_places, fitting, joker_rank, source_of, target_of
from winnable.game.record import record_of
from winnable.game.session import CardNeeded, Opening, Session, SeveralMoves
from winnable.rules import VARIANTS, find_variant, klondike
from winnable.rules.cards import RANKS, SUITS, UNKNOWN, format_card, parse_card
from winnable.rules.formats import read_deal, read_solution, read_table
from winnable.rules.formats.text import Deal, FormatError, format_deal
from winnable.rules.hidden_cards import STOCK, WASTE
from winnable.rules.tables import draws_unknown, hidden, missing_cards, put
from winnable.solver import Limits, Result, Verdict, solve
from winnable.solver.player.chances import Chance
from winnable.solver.player.player import Advice, Player, advise
from winnable.solver.progress import Watch
from winnable.solver.verify import replay

pytestmark = needs_kernels


def begin(name, seed=1, mode="analysis", **fields):
    return Session.begin(Opening(Deal(find_variant(name).deal(seed), seed), mode, **fields))


def reopened(**source):
    """The game that a link or a saved game opens."""
    return Session.begin(read_opening({"from": source}, HiddenDeals()))


def drop_of(state, move):
    """``move`` as a drop: cards picked up at a place and dropped at another."""
    rank, suit = getattr(move, "rank", None), getattr(move, "suit", None)
    named = None if rank is None else RANKS[rank], None if suit is None else SUITS[suit]
    return Drop(source_of(state, move), target_of(state, move), getattr(move, "count", 1), *named)


def saved_as(game, what, form="text"):
    """The content of a game saved as ``what``."""
    return save(game, what, form, HiddenDeals())["content"]


def walk(game, steps, chance):
    """Play ``steps`` random moves; return their texts."""
    made = []
    for _ in range(steps):
        moves = game.legal(game.here)
        if not moves:
            break
        made.append(game.play(game.here, chance.choice(moves)["text"]).text)
    return made


@pytest.mark.quick("fortress", "joker")
@pytest.mark.parametrize("name", VARIANTS)
def test_a_whole_game_is_played_by_drops_and_by_texts(name):
    variant = find_variant(name)
    results = ((seed, solve(variant, variant.deal(seed), Limits(seconds=5))) for seed in range(1, 50))
    seed, result = next((seed, found) for seed, found in results if found.verdict == "winnable")
    by_text, by_drop = begin(name, seed), begin(name, seed)
    for move in result.moves:
        state = by_drop.here.state
        by_drop.play(by_drop.here, drop_of(state, move))
        by_text.play(by_text.here, str(move))
        assert by_drop.here.state == by_text.here.state
    assert variant.score(by_drop.here.state) == (result.score if variant.scoring else 1)
    if result.score in (None, 52):
        assert by_drop.here.over == "won"
    saved = read_solution(saved_as(by_drop, "moves").encode(), "moves", Deal(variant.deal(seed), seed))
    assert replay(variant, variant.deal(seed), saved) == by_text.here.state


def answer_to(game, drop):
    """The moves that match a drop, and the reason if there is none."""
    try:
        return [game.read(game.here, drop)], ""
    except SeveralMoves as question:
        return [game.read(game.here, move["text"]) for move in question.moves], ""
    except ValueError as error:
        return [], str(error)


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_drop_is_a_legal_move_or_refused_in_one_line(name):
    """Every legal move is also found from its places."""
    chance, game = random.Random(name), begin(name, 5)
    for number in range(30):
        state = game.here.state
        legal = game.variant.family.legal_moves(state)
        for move in legal:
            assert move in answer_to(game, drop_of(state, move))[0]
        places = [f"c{i}" for i in range(len(state.columns))]
        places += [f"p{i}" for i in range(len(game.picture(game.here)["piles"]))]
        for source, target, count in product(places, places, (1, 2)) if number % 12 == 0 else ():
            moves, why = answer_to(game, Drop(source, target, count))
            assert bool(moves) != bool(why.strip())
            assert set(moves) <= set(legal)
            assert "\n" not in why
        if not walk(game, 1, chance):
            break


def test_a_joker_goes_up_as_an_open_ace_on_either_foundation_of_its_colour():
    game = begin("joker", 4)
    for place in ("p2", "p5", "p6"):
        moves, _ = answer_to(game, Drop("c3", place, 1))
        assert "XB 4-f" in [game.variant.family.format_move(game.here.state, move) for move in moves]
    assert answer_to(game, Drop("c3", "p3", 1)) == ([], "XB cannot be of that suit")


def test_the_best_move_is_that_of_the_shortest_line_known():
    game = begin("fortress", 8)
    first, other = game.legal(game.here)[:2]
    line = Result(Verdict.WINNABLE, (game.read(game.here, first["text"]),) * 9)
    game.note(game.here.state, line)
    for count, best in ((7, other), (8, first), (9, first)):
        after = {
            first["text"]: replace(line, moves=line.moves[1:]),
            other["text"]: replace(line, moves=line.moves[:count]),
        }
        marks = marks_object(game, Marked(after, {}, is_done=False))["marks"]
        assert [text for text, mark in marks.items() if mark["best"]] == [best["text"]]


def test_variations():
    game = begin("fortress", 8)
    first = game.play(game.here, game.legal(game.here)[0]["text"])
    second = game.play(first, game.legal(first)[0]["text"])
    start = game.tree.nodes[0]
    game.tree.show(start)
    other = game.play(start, game.legal(start)[1]["text"], aside=True)
    assert start.children == [first.number, other.number]
    assert game.tree.main_line() == [start, first, second], "it was only tried"
    assert game.tree.following(start) is other
    assert game.play(start, other.text) is other, "a move that was made is not made twice"
    assert game.tree.main_line() == [start, other], "what one goes on with is the game"
    game.tree.promote(first)
    assert game.play(start, first.text) is first
    assert game.tree.following(first) is second
    game.tree.show(second)
    assert game.tree.remove(first) == [first.number, second.number]
    assert game.here is start
    with pytest.raises(ValueError, match="the start cannot be removed"):
        game.tree.remove(start)
    with pytest.raises(ValueError, match="no such position"):
        game.tree.find(first.number)


def test_help_and_cards_that_were_taken_back_are_recorded():
    """A game won by help alone does not count as a win; help and cards taken back are stored with a saved
    game."""
    game = begin("fortress", 8)
    moves = [str(move) for move in solve("fortress", game.here.state, Limits(seconds=60)).moves]
    for text in moves:
        game.play(game.here, text).helped = True
    assert record_of(game).outcome == "shown"
    game.here.helped = False
    again = reopened(saved=game_object(game, None))
    again.was_played = True
    assert (record_of(again).outcome, record_of(again).hints) == ("won", len(moves) - 1)
    hidden = begin("joker", 4, mode="player")
    hidden.play(hidden.here, "?? s-w")
    hidden.show(hidden.tree.nodes[0])
    assert hidden.turned_back == 1
    hidden.show(hidden.tree.nodes[0])
    assert record_of(hidden).turned_back == 1


def test_an_illegal_line_of_another_solver_is_refused():
    text = f"{format_deal(Deal(find_variant('klondike').deal(1), 1))}\nWH DR2\n"
    with pytest.raises(FormatError, match=r"move 1 \(WH\): there is no card"):
        read_opening({"game": "klondike", "from": {"text": text}}, HiddenDeals())


def test_a_link_without_a_rule_option_means_its_first_value():
    for link, exchange in (("", "turned"), ("&exchange=turned", "turned"), ("&exchange=exposed", "exposed")):
        opening = read_opening({"from": {"link": f"#game=joker&seed=5{link}"}}, HiddenDeals())
        assert (opening.deal.state.choices.exchange, opening.note) == (exchange, None)
    header = {"winnable": "game", "game": "joker", "mode": "analysis", "seed": "5", "nodes": [], "here": 0}
    opening = read_opening({"from": {"saved": header | {"choices": {}}}}, HiddenDeals())
    assert opening.deal.state.choices.exchange == "turned"


def test_a_table_typed_by_rows_is_opened_with_a_note():
    state = find_variant("fortress").deal(8)
    for text in (by_rows(state), by_rows(state, gap="--")):
        opening = read_opening({"game": "fortress", "from": {"text": text}}, HiddenDeals())
        assert opening.deal.state == state
        assert "were read as the rows" in opening.note
    klondike = by_rows(find_variant("klondike").deal(8))
    with pytest.raises(ValueError, match="these are the rows of a fresh deal"):
        read_opening({"from": {"text": klondike}}, HiddenDeals())


@pytest.mark.parametrize("name", ["fortress", "simple-simon", "simon-jester"])
def test_a_position_in_play_is_saved_and_opened(name):
    variant = find_variant(name)
    state = variant.deal(1)
    while not variant.needs_mark(state):
        state = variant.family.apply(state, variant.family.legal_moves(state)[-1])
    game = Session.begin(Opening(Deal(state)))
    saved = game_object(game, HiddenDeals())
    for again in (reopened(link=link_of(game)), reopened(saved=saved)):
        assert again.here.state == state
    for form in ("text", "json"):
        assert read_deal(None, saved_as(game, "deal", form).encode(), "x").state == state
        assert reopened(text=saved_as(game, "position", form)).here.state == state


def test_links_and_saved_games_of_version_3_0_0_are_opened():
    games = json.loads(Path(__file__).with_name("games_3_0_0.json").read_text("utf-8"))
    for name, source in games.items():
        linked, saved = reopened(link=source["link"]), reopened(saved=source["saved"])
        assert linked.here.state == saved.here.state
        assert len(saved.tree.line(saved.here)) == 5, name


@pytest.mark.parametrize("form", ["text", "json", "list"])
def test_a_text_that_names_another_game_opens_that(form):
    text = saved_as(begin("fortress", 8), "deal", "text" if form == "text" else "json")
    text = f"[{text}]" if form == "list" else text
    asked = {"game": "joker", "mode": "player", "choices": {"exchange": "exposed"}, "from": {"text": text}}
    opening = read_opening(asked, HiddenDeals())
    assert (opening.deal.variant.name, opening.deal.seed, opening.mode) == ("fortress", 8, "analysis")
    damaged = {**asked, "from": {"text": text.replace("3S", "4S")}}
    with pytest.raises(ValueError, match="4S"):
        read_opening(damaged, HiddenDeals())


def test_the_deal_of_a_day_is_the_same_everywhere():
    wanted = read_opening({"game": "fortress", "from": {"today": "2026-11-24"}}, HiddenDeals())
    found = {look_for(wanted, Watch(), lambda tried: None).deal.seed for _ in range(2)}
    assert len(found) == 1
    assert 20261124000 <= found.pop() < 20261125000


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", VARIANTS)
def test_links_and_saved_games_open_the_same_game(name):
    chance = random.Random(name)
    game = begin(name, 12345678901234567890 % (1 << 64))
    walk(game, 20, chance)
    game.tree.show(game.tree.way(game.here)[len(game.tree.way(game.here)) // 2])
    walk(game, 5, chance)
    game.tree.show(game.tree.way(game.here)[-2:][0])
    again = reopened(link=link_of(game))
    assert again.here.state == game.here.state
    assert link_of(again) == link_of(game)
    saved = reopened(saved=game_object(game, HiddenDeals()))
    assert saved.key == game.key
    states = [[node.state for node in each.tree.below(each.tree.nodes[0])] for each in (saved, game)]
    assert states[0] == states[1]
    assert saved.here.state == game.here.state


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("form", ["text", "json"])
def test_saved_positions_are_read_by_the_commands(name, form):
    game = begin(name, 3)
    walk(game, 15, random.Random(name))
    position = save(game, "position", form, HiddenDeals())
    read = read_deal(None, position["content"].encode(), position["name"])
    assert read.state == game.here.state
    assert (read.seed, read.made) == (3, game.here.ply)
    deal = read_deal(None, saved_as(game, "deal", form).encode(), "deal")
    moves = read_solution(saved_as(game, "moves", form).encode(), "moves", deal)
    assert replay(game.variant, deal.state, moves) == game.here.state


def test_a_deal_of_ones_own_is_in_the_link_and_in_saved_games():
    text = saved_as(begin("joker", 3), "deal").replace("# seed: 3\n", "")
    game = Session.begin(Opening(read_deal(None, text.encode(), "x")))
    walk(game, 10, random.Random(1))
    for again in (reopened(link=link_of(game)), reopened(saved=game_object(game, HiddenDeals()))):
        assert again.here.state == game.here.state


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("#game=fortres&seed=1", "did you mean fortress"),
        ("#game=fortress&seed=1&seed=2", "seed given twice"),
        ("#game=fortress&seed=x", "seed"),
        ("#game=fortress&seed=1&pysol=2", "a game has one deal"),
        ("#game=fortress&sed=1", "'sed'"),
        ("#game=fortress&seed=1&moves=7H+1-f", "move 1 (7H 1-f)"),
        ("#game=fortress&seed=1&at=-1", "at '-1'"),
        ("#game=fortress&deal=%7B", "invalid JSON"),
        ("#game=fortress&seed=1&mode=player", "no hidden cards"),
        ("#game=joker&seed=1&mode=x", "got 'x'"),
        ("#seed=1", "expected the name of a game"),
    ],
)
def test_links_that_cannot_be_are_refused_in_one_line(link, problem):
    with pytest.raises(ValueError, match=re.escape(problem)) as caught:
        reopened(link=link)
    assert "\n" not in str(caught.value)


# --- Hidden cards -------------------------------------------------------------------------------------------


def cards_of(value):
    """The cards named anywhere in ``value``."""
    return set(re.findall(r"\b(?:[A2-9TJQK][CDHS]|X[BR])\b", repr(value)))


HIDING = [name for name, variant in VARIANTS.items() if variant.hiding]


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seed", range(5))
def test_a_players_game_tells_no_card_that_is_not_turned(name, seed, monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda count: "k" * count)  # a random key may contain "-KC-"
    chance = random.Random(seed)
    game = begin(name, seed, "player")
    seen = set()
    while True:
        unseen = {format_card(card) for card in missing_cards(hidden(game.here.state))}
        told = [game.picture(game.here) | {"jokers": []}, game.legal(game.here), link_of(game)]
        kinds = [(what, form) for what in ("position", "deal", "moves") for form in ("text", "json")]
        told += [game_object(game, HiddenDeals()), *(saved_as(game, *kind) for kind in kinds)]
        told += [[node.text, node.does, node.effects] for node in game.tree.nodes.values()]
        told += [cards_of(refusals(game))]
        in_words = cards_of(told) - {"XB", "XR"}  # jokers' piles are called by their names
        assert not in_words & unseen
        seen |= in_words
        moves = game.legal(game.here)
        if not moves:
            break
        game.play(game.here, chance.choice(moves)["text"])
        if chance.random() < 0.1:
            break
    with pytest.raises(ValueError, match="finish the game"):
        session_page(game)
    game.reveal()
    assert len(cards_of(game.picture(game.tree.nodes[0]))) >= 52


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", HIDING)
def test_the_stock_of_a_players_game_is_turned_as_the_page_is_told(name):
    """Play through all passes by texts of legal moves; reopening the saved game gives the same game."""
    game = begin(name, 3, "player")
    state, most = game.here.state, getattr(game.here.state, "choices", None)
    passes = 1 if name in ("joker", "klondike-one-pass") else most.most_passes or 4
    for _ in range(passes * len(state.stock)):
        turns = [move for move in game.legal(game.here) if move["source"] == "p0"]
        if not turns:
            break
        turned = game.play(game.here, turns[0]["text"])
        assert turned.text.endswith(" s-w")
        assert turned.text.split()[0] == format_card(turned.state.waste[-1])
        assert turns[0]["card"] in (None, turned.text.split()[0])
        assert (turns[0]["card"] is None) == draws_unknown(hidden(turned.parent.state), turned.move)
    assert not [move for move in game.legal(game.here) if move["source"] == "p0"] or passes == 4
    again = reopened(saved=game_object(game, HiddenDeals()))
    assert again.here.state == game.here.state


def refusals(game):
    """Messages about refused moves, including guesses of the next card of the stock."""
    told = []
    state = game.here.state
    guesses = [f"{format_card(card)} s-w" for card in range(52) if card not in state.stock[:1]]
    texts = [*guesses[:8], "7H 3-4", "QS 7-f", "KD w-1", "XB 2=7", "9C 5-x", "4H", "2-3", "7-f", "s", "w-f"]
    for text in texts:
        try:
            game.read(game.here, text)
        except ValueError as error:
            told.append(re.sub("; write it like .*", "", str(error).replace(text.split()[0], "")))
    return told


def test_a_guess_of_the_next_card_does_not_tell_it():
    game = begin("joker", 1, "player")
    top = format_card(game.here.state.stock[0])
    with pytest.raises(ValueError, match="a different one") as caught:
        game.play(game.here, f"{format_card(game.here.state.stock[1])} s-w")
    assert top not in str(caught.value)
    assert game.play(game.here, "?? s-w").text == f"{top} s-w"


def test_a_deal_without_a_number_is_kept_by_the_server(monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda count: "k" * count)  # a random key may contain "-KC-"
    game = Session.begin(Opening(Deal(find_variant("joker").deal(5)), "player"))
    walk(game, 8, random.Random(2))
    held = HiddenDeals()
    assert link_of(game) is None
    saved = game_object(game, held)
    unseen = {format_card(card) for card in missing_cards(hidden(game.here.state))}
    assert not cards_of(saved) & unseen
    again = Session.begin(read_opening({"from": {"saved": saved}}, held))
    assert again.here.state == game.here.state
    with pytest.raises(ValueError, match="no longer stored"):
        read_opening({"from": {"saved": saved}}, HiddenDeals())


# --- Tables with unknown cards ------------------------------------------------------------------------------

TABLE = """# game: joker
Exchange: turned
TS
<??> 9H
<??> <??> 4D
<??> <??> <??> 3S
<??> <??> <??> <??> 8C
<??> <??> <??> <??> <??> 2C
<??> <??> <??> <??> <??> <??> KD
Foundations: C-A
Stock: 25
"""


def test_a_table_asks_for_the_cards_that_turn_up():
    game = Session.begin(Opening(read_table(None, TABLE.encode(), "table"), "table"))
    assert game.unknown(game.here) == 46
    assert set(re.findall("<(..)>", " ".join(game.picture(game.here)["columns"]))) == {"??"}
    with pytest.raises(CardNeeded) as asked:
        game.play(game.here, "2C 6-f")
    assert (asked.value.place, len(asked.value.cards)) == ("c5", 46)
    with pytest.raises(ValueError, match="not an unseen card"):
        game.play(game.here, "2C 6-f", "TS")
    after = game.play(game.here, "2C 6-f", "7D")
    assert game.picture(after)["columns"][5].endswith("<??> 7D")
    turned = game.play(after, "?? s-w", "AD")
    assert (turned.text, game.picture(turned)["piles"][1]["cards"]) == ("AD s-w", "AD")
    assert game.play(turned, "AD w-f").effects == []
    start = game.tree.nodes[0]
    with pytest.raises(ValueError, match="7D was turned up there earlier"):
        game.play(start, "2C 6-f", "8D")
    assert game.play(start, "2C 6-f", "7D") is after
    game.tree.show(start)
    assert game.play(start, "s-w").text == "AD s-w", "it is the same deal in every variation"
    game.tree.promote(after)
    game.tree.show(game.tree.main_line()[-1])
    again = reopened(link=link_of(game))
    assert [node.text for node in again.tree.main_line()][1:] == ["2C 6-f", "AD s-w", "AD w-f"]
    saved = reopened(saved=game_object(game, HiddenDeals()))
    assert hidden(saved.here.state) == hidden(game.here.state)
    assert read_table(None, saved_as(game, "position").encode(), "x").state == hidden(game.here.state)


LOST = """Ranks: 3
Suits: CD
<??> <??> 3D
<AC> <AD> 3C
Foundations: C-0 D-0
"""


def test_a_table_keeps_the_cards_that_were_written():
    text = TABLE.replace("<??> 9H", "<6H> 9H").replace("Stock: 25", "Stock: 3C" + " ??" * 24)
    game = Session.begin(Opening(read_table(None, text.encode(), "table"), "table"))
    assert game.unknown(game.here) == 44
    assert game.picture(game.here)["columns"][1] == "<6H> 9H"
    assert game.picture(game.here)["piles"][0]["cards"].split()[-2:] == ["<??>", "<3C>"]
    after = game.play(game.here, "?? s-w")
    assert (after.text, after.turned) == ("3C s-w", None)
    assert game.unknown(after) == 44
    assert game.table(after).columns[1][0] == parse_card("6H")
    assert "<6H> 9H" in saved_as(game, "position")
    with pytest.raises(CardNeeded):
        game.play(after, "?? s-w")
    again = reopened(saved=game_object(game, HiddenDeals()))
    assert again.table(again.here) == game.table(game.here)


def test_unknown_cards_of_the_waste_are_asked_for():
    state = find_variant("klondike-vegas-one").deal(3)
    move = find_variant("klondike-vegas-one").family.legal_moves(state)[-1]
    for _ in range(24):
        state = find_variant("klondike-vegas-one").family.apply(state, move)
    table = put(state, [(WASTE, 21), (WASTE, 22)], [UNKNOWN, UNKNOWN])
    game = Session.begin(Opening(Deal(table), "table"))
    assert game.picture(game.here)["piles"][1]["cards"].split()[-3:-1] == ["<??>", "<??>"]
    assert game.unknown(game.here) == 2


@pytest.mark.full
def test_a_table_takes_more_moves_than_python_calls_in_each_other():
    table = VARIANTS["klondike-draw-one"].deal(1)
    table = put(table, [(6, 0), (6, 1)], [UNKNOWN, UNKNOWN])
    game = Session.begin(Opening(Deal(table), "table"))
    for _ in range(1100):
        draw = next(move for move in game.variant.family.legal_moves(game.here.state) if move.source == STOCK)
        game.show(game.add(game.here, str(draw)))
    game._tables.clear()  # as in a game that was reopened
    assert game.unknown(game.here) == 2
    game.certain[0] = "lost"
    assert game.certain_of(game.here) == "lost"


@pytest.mark.parametrize(("name", "certain"), [("won", "won"), ("lost", "lost"), ("open", None)])
def test_what_is_won_or_lost_for_certain_is_told_where_hints_are_wanted(name, certain):
    tables = {
        "won": "<??> <??> 2C\nKC\nKS\nFoundations: C-0 D-K H-K S-J\nStock: QS QC JC TC 9C 8C 7C 6C 5C 4C\n",
        "lost": LOST,
        "open": "Ranks: 5\nSuits: CDH\n<3H> <??> 5H 4C\n<2D> 3C\n<AH> <??> 4D\nFoundations: C-0 D-A H-0\n"
        "Stock: 4H 2H AC 2C 5C\n",
    }
    deal = read_table(None, f"# game: klondike-draw-one\n{tables[name]}".encode(), "table")
    game = Session.begin(Opening(deal, "table"))
    for hints in (False, True):
        told = []
        task = analysis.Task(
            *(0, game.variant, game.here.state, Limits(seconds=0.5), hints, True),
            table=game.table(game.here),
        )
        analysis.do(task, Watch(), told.append)
        found = [update.certain for update in told if isinstance(update, analysis.Settled)]
        assert found == ([certain] if hints else [])
    game.certain[0] = certain
    for hints in (False, True):
        said = chances.found_object(game, 0, (), None, hints)
        assert said["certain"] == (certain if hints else None)
        assert ("whatever the unknown cards are" in said["text"]) == (hints and certain is not None)


@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if variant.hiding])
def test_in_a_hopeless_game_no_move_is_advised(name):
    game = Session.begin(Opening(Deal(find_variant(name).deal(5), 5), "player"))
    advice = tuple(advise(game.table(game.here), Player("search", visits=20)))
    assert chances.found_object(game, 0, advice, None, True)["advice"]
    game.certain[0] = "lost"
    said = chances.found_object(game, 0, advice, None, True)
    assert (said["advice"], said["certain"]) == ([], "lost")
    assert "hopeless" in said["text"]
    assert chances.found_object(game, 0, advice, None, False)["advice"], "it would be given away"


def test_the_search_of_a_hopeless_game_ends():
    game = Session.begin(Opening(Deal(find_variant("klondike-vegas-one").deal(11), 11), "player"))
    for _ in range(24):
        game.play(game.here, "s-w")
    told = []
    task = analysis.Task(
        *(0, game.variant, game.here.state, Limits(), True, True), table=game.table(game.here)
    )
    analysis.do(task, Watch(), told.append)  # without a limit on time
    assert told[-1] == analysis.Settled("lost")


@pytest.mark.parametrize(("least", "reached"), [(15, ("win",)), (25, ("win", "double"))])
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
def test_tiers_that_are_reached_are_told_with_the_chances_of_the_others(name, least, reached):
    variant = find_variant(name)
    game = Session.begin(Opening(Deal(variant.deal(4), 4), "player"))
    for move in solve(variant, variant.deal(4)).moves:
        if variant.score(game.here.state) >= least:
            break
        game.play(game.here, variant.family.format_move(game.here.state, move))
    assert evaluation.reached_tiers(variant, game.here.state) == reached
    assert evaluation.certain_text(variant, game.here.state, "won") == f"{least} cards: {reached[-1]} reached"
    tiers = {tier: Chance(0.5, 0.02, 0.46, 0.54) for tier in ("win", "double", "triple")}
    advice = (Advice((), 20, tiers=tiers),)
    for certain in (None, "won"):
        game.certain[game.here.number] = certain
        words = chances.found_object(game, 0, advice, None, True)["text"].split(", ")
        rest = [f"{tier} 50% +- 2%" for tier in tiers if tier not in reached]
        assert words == [*(f"{tier} reached" for tier in reached), *rest]
    game.certain[0] = "won"
    game.show(game.tree.nodes[0])
    assert chances.found_object(game, 0, advice, None, True)["text"].startswith("win certain, double 50%")


# --- Safe foundation moves ----------------------------------------------------------------------------------

COLUMNS = {"suits": "CDH", "sizes": [4, 4, 4, 3, 3]}
SHORT = {
    "chessboard": COLUMNS, "fortress": COLUMNS, "joker": {}, "klondike-one-pass": {}, "klondike": {},
    "klondike-vegas-one": {"choices": {"worrying_back": "no"}},
}  # fmt: skip


@pytest.mark.quick("fortress")
@pytest.mark.parametrize("name", SHORT)
def test_safe_moves_keep_all_that_can_be_reached(name):
    variant, chance, made = find_variant(name), random.Random(name), 0
    for seed in range(80):
        game = Session.begin(Opening(Deal(variant.deal(seed, 6, **SHORT[name]), seed)))
        walk(game, chance.randrange(20), chance)
        for _ in range(20):
            state = game.here.state
            move = variant.family.safe_move(state)
            if move is None:
                if not walk(game, 1, chance):
                    break
                continue
            before, after = solve(variant, state), solve(variant, variant.family.apply(state, move))
            assert (before.verdict, before.score) == (after.verdict, after.score)
            made += before.verdict is Verdict.WINNABLE or (before.score or 0) > variant.score(state)
            game.tree.show(game.tree.add(game.here, move))
    assert made > 10


@pytest.mark.parametrize(
    ("spades", "is_safe"),
    [("2S\nFoundations: C-3 D-2 H-2 S-A", True), ("<AS> 2S\nFoundations: C-3 D-2 H-2", False)],
)
def test_a_card_is_safe_up_to_two_ranks_above_the_other_of_its_colour(spades, is_safe):
    text = f"Ranks: 4\nSuits: CDHS\n4C\n4D 3S\n4H\n3D\n3H\n4S\n{spades}\n"
    state = read_deal(find_variant("klondike"), text.encode(), "t").state
    assert (klondike.safe_move(state) == klondike.Move(0, klondike.FOUNDATION)) is is_safe


def test_a_move_of_a_joker_says_what_the_joker_is_then_and_which_places_take_it():
    """A joker that becomes an open ace is accepted by every empty foundation of its colour."""
    state, moves = find_variant("joker").deal(55), tuple(JOKERS.split(","))
    game = Session.begin(Opening(Deal(state, 55), "analysis", moves))
    told = {move["text"]: (move["as"], move["targets"]) for move in game.legal(game.here)}
    assert told["XB 5-f"] == ("A", ["p2"])
    assert told["XB 5-fS"] == ("2", ["p5"])
    assert told["XB 5-1"] == ("K", ["c0"])
    assert told["XB 5=9"] == ("9", ["c4"])
    assert told["XB 5-x"] == (None, ["p6"])
    assert told["XR w-6"] == ("3", ["c5"])
    node = game.play(game.here, "XB 5-4")
    assert nodes_objects(game, [node])[0]["as"] == "7"


@pytest.mark.full
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_a_joker_may_be_dropped_at_every_place_that_its_move_names(exchange):
    """A joker on top can be dropped exactly at the places of its legal moves."""
    variant, chance, seen = find_variant("joker"), random.Random(3), 0
    for seed in range(15):
        state = variant.deal(seed, choices={"exchange": exchange})
        for _ in range(60):
            moves = variant.family.legal_moves(state)
            if not moves:
                break
            for move in moves:
                rank = joker_rank(state, move)
                named = None if move.rank is None else RANKS[move.rank]
                suit = None if move.suit is None else SUITS[move.suit]
                for place in drop_places(state, move):
                    drop = Drop(source_of(state, move), place, move.count, named, suit)
                    assert move in fitting(variant, state, drop)
                seen += rank is not None
            state = variant.family.apply(state, chance.choice(moves))
    assert seen > 100
