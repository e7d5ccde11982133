"""The server's searches while a game is played: verdicts, hints, chances, shorter lines."""

import asyncio
import random
import threading
from functools import partial

import pytest
from tests.board.games import with_detour
from tests.board.talks import QUICK, held
from tests.compiled import needs_kernels

from winnable.board import analysis, search_control
from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import format_card
from winnable.rules.tables import hidden
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.analysis.fair import fair_review
from winnable.solver.player.player import Player
from winnable.solver.progress import Watch

pytestmark = needs_kernels


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", VARIANTS)
@held(settings=QUICK)
async def test_hints_judge_every_legal_move(talk, name):
    game = await talk.open(name, **{"from": {"seed": 3}})
    await talk.ask("hints", on=True)
    marks = await talk.until(lambda: (m := talk.last("marks")) and m["done"] and m["marks"])
    assert set(marks) == {move["text"] for move in game["position"]["moves"]}
    variant, state = find_variant(name), find_variant(name).deal(3)
    answer = solve(variant, state, shorten=0)
    for text, mark in marks.items():
        after = variant.family.apply(state, variant.family.parse_move(state, text))
        found = solve(variant, after, Limits(seconds=2), shorten=0)
        if found.verdict != "undecided":
            assert mark["verdict"] == found.verdict
        if answer.verdict == "winnable" and found.score is None and found.verdict != "undecided":
            assert mark["keeps"] is (found.verdict == "winnable")
    if talk.node(0)["judged"]["verdict"] == "winnable":
        assert sum(mark["best"] for mark in marks.values()) <= 1


@held
async def test_the_number_of_moves_falls_and_is_remembered(talk):
    await talk.open("chessboard", **{"from": {"seed": 8}})
    done = await talk.until(lambda: (a := talk.last("analysis")) and a["state"] == "done" and a)
    told = [node["judged"]["length"] for node in talk.all_of(0) if node["judged"]]
    assert told == sorted(told, reverse=True)
    assert told[0] > told[-1] == done["length"]
    assert done["shortest"]
    assert done["text"].endswith("(shortest)")
    line = await talk.ask("line", node=0)
    assert len(line["steps"]) == done["length"] + 1
    await talk.ask("move", text=line["steps"][1]["move"])
    known = talk.last("analysis")
    assert (known["node"], known["length"], known["shortest"]) == (1, done["length"] - 1, True)
    await talk.ask("undo")
    assert talk.last("analysis")["length"] == done["length"]


@held
async def test_a_line_to_the_tier_gets_shorter_where_the_full_score_is_out_of_reach(talk):
    await talk.open("klondike-one-pass", **{"from": {"seed": 3}})
    moves = (await talk.judged(0))["judged"]["length"]
    found = await talk.until(lambda: (a := talk.last("analysis")) and a["to_tier"] and a)
    assert (found["tier"], found["exact"]) == ("win", True)
    await talk.until(lambda: talk.last("analysis")["to_tier"]["length"] < moves)
    assert "; win in " in talk.last("analysis")["text"]
    await talk.ask("hints", on=True)

    def marked():
        marks = (talk.last("marks") or {"marks": {}})["marks"].values()
        return [mark for mark in marks if mark.get("to_tier")]

    await talk.until(lambda: len(marked()) > 1)
    assert all(mark["keeps"] for mark in marked())


@held
async def test_with_hints_the_lines_after_all_moves_get_shorter(talk):
    await talk.ask("think", on=False)
    await talk.open("fortress", **{"from": {"seed": 8}})
    await talk.ask("hints", on=True)
    await talk.ask("think", on=True)
    await talk.until(lambda: (a := talk.last("analysis")) and a["state"] == "done")
    told = [message["marks"] for message in talk.told if message["type"] == "marks" and message["done"]]
    kept = [(mark["length"], told[-1][text]["length"]) for text, mark in told[0].items() if mark["keeps"]]
    assert sum(before > after for before, after in kept) > 1, "more than the best one"
    variant = find_variant("fortress")
    for text, mark in told[-1].items():
        state = variant.deal(8)
        after = variant.family.apply(state, variant.family.parse_move(state, text))
        if mark["keeps"]:
            assert mark["shortest"]
            assert mark["length"] == len(find_shortest(variant, after, Limits(seconds=60)).moves)


@held
async def test_a_game_that_is_opened_at_its_end_is_compared_with_its_deal(talk):
    variant = find_variant("fortress")
    line = list(map(str, solve(variant, variant.deal(8), shorten=0).moves))
    game = await talk.open("fortress", moves=line, **{"from": {"seed": 8}})
    assert game["position"]["over"] == "won"
    judged = await talk.until(lambda: (n := talk.node(0)["judged"]) and n["shortest"] and n)
    assert judged["length"] < len(line)
    assert all(talk.node(number)["judged"]["verdict"] == "winnable" for number in range(len(line)))


STOCK = find_variant("joker").deal(5).stock
DRAWS = [f"{format_card(card)} s-w" for card in STOCK]  # some lose what moves to the foundations would keep


@held
async def test_the_moves_of_a_hidden_game_are_judged_by_what_was_seen(talk, monkeypatch):
    monkeypatch.setattr(analysis, "fair_review", partial(fair_review, player=Player(visits=100)))
    await talk.open("joker", mode="player", moves=DRAWS, **{"from": {"seed": 5}})
    refused = await talk.ask("fair", on=True)
    assert (refused["type"], refused["why"][:21]) == ("refused", "finish the game first")
    await talk.ask("finish")
    assert (await talk.ask("fair", on=True))["type"] == "done"
    await talk.until(lambda: talk.talk.search_control.tell_progress() or talk.last("fair"))
    done = await talk.until(lambda: (told := talk.last("fair")) and told["state"] == "done" and told)
    assert done["lines"][1].startswith("Lost by play: ")
    assert [step["node"] for step in done["steps"]] == sorted({step["node"] for step in done["steps"]})
    assert done["steps"]
    assert all(step["word"] in step["text"] for step in done["steps"])
    at = talk.told.index(done)
    await talk.until(lambda: [told for told in talk.told[at:] if told["type"] == "analysis"])


@held
async def test_a_review_is_stopped_by_request_or_by_a_move(talk):
    await talk.open("joker", moves=DRAWS, **{"from": {"seed": 5}})
    for request in ({"kind": "fair", "on": False}, {"kind": "undo"}):
        await talk.ask("fair", on=True)
        await talk.until(lambda: talk.talk.search_control._analyst.now())
        before = len(talk.told)
        await talk.ask(**request)
        await talk.until(lambda at=before: [told for told in talk.told[at:] if told["type"] == "analysis"])
        assert not [told for told in talk.told if told["type"] == "fair" and told["state"] == "done"]
    await talk.ask("restart")
    assert (await talk.ask("fair", on=True))["why"] == "no move to review"
    await talk.open("chessboard", **{"from": {"seed": 8}})
    assert (await talk.ask("fair", on=True))["type"] == "refused"


@held
async def test_fifty_moves_leave_one_search_and_no_queue(talk, monkeypatch):
    done = []
    do = analysis.do
    monkeypatch.setattr(analysis, "do", lambda task, *rest: (done.append(task.node), do(task, *rest)))
    chance = random.Random(5)
    position = (await talk.open("simon-jester", **{"from": {"seed": 6}}))["position"]
    for _ in range(50):
        position = await talk.ask("move", text=chance.choice(position["moves"])["text"])
        await asyncio.sleep(0)
    searches = [thread for thread in threading.enumerate() if thread.name == "analyst"]
    assert len(searches) == 1
    await talk.until(lambda: done and done[-1] == position["node"])
    await talk.judged(position["node"])
    await talk.talk.close()
    assert not searches[0].is_alive()


@held
async def test_thinking_ends_when_it_is_switched_off(talk):
    await talk.open("simon-jester", **{"from": {"seed": 6}})
    await talk.judged(0)
    await talk.ask("think", on=False)
    analyst = talk.talk.search_control._analyst
    await talk.until(lambda: analyst.now() is None)


@held
async def test_limits_end_a_search_as_undecided_and_can_be_raised(talk):
    limits = await talk.ask("limits", seconds=60, megabytes=0.001)
    assert (limits["megabytes"], limits["most_seconds"]) == (0.001, 3600)
    await talk.open("simon-jester", **{"from": {"seed": 6}})
    done = await talk.until(lambda: (a := talk.last("analysis")) and a["state"] == "done" and a)
    assert (done["verdict"], done["reason"]) == ("undecided", "memory")
    await talk.ask("limits", seconds=60, megabytes=400)
    await talk.until(lambda: talk.node(0)["judged"]["verdict"] == "winnable")
    for seconds in (0, 1e9, -1, "x", True):
        assert (await talk.ask("limits", seconds=seconds))["type"] == "refused"
    assert (await talk.ask("limits", megabytes=-1))["type"] == "refused"


@pytest.mark.full
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
@held
async def test_a_players_game_has_chances_that_improve_and_is_compared_at_its_end(talk, name):
    await talk.open(name, mode="player", **{"from": {"seed": 4}})
    await talk.ask("hints", on=True)
    first = await talk.until(lambda: (c := talk.last("chances")) and c.get("advice") and c)
    error = first["advice"][0]["tiers"]["win"]["error"]
    most = 2 * first["samples"]
    better = await talk.until(lambda: (c := talk.last("chances")).get("samples", 0) > most and c)
    assert better["advice"][0]["tiers"]["win"]["error"] < error
    assert (await talk.ask("line", node=0))["type"] == "refused"
    legal = {move["text"] for move in (await talk.ask("goto", node=0))["moves"]}
    assert all(entry["moves"][0] in legal for entry in better["advice"])
    for entry in better["advice"][:1]:
        for text in entry["moves"]:
            assert (await talk.ask("move", text=text))["type"] == "position"
    assert not any(message["type"] in ("analysis", "marks") for message in talk.told)
    told = await talk.ask("finish")
    assert (told["mode"], told["revealed"]) == ("analysis", True)
    assert (await talk.judged(0))["judged"]["score"] is not None
    assert (await talk.ask("finish"))["type"] == "refused"


HIDING = [name for name, variant in VARIANTS.items() if variant.hiding]


@pytest.mark.quick("False-klondike")
@pytest.mark.parametrize(("hints", "name"), [(name == "joker", name) for name in HIDING])
@held(settings=QUICK)
async def test_all_that_is_said_of_chances_is_whole(talk, name, hints):
    """Up to the last message of a search and to the end of the stock, with or without moves to evaluate."""
    fields = {"type", "node", "state", "samples", "seconds", "advice", "certain", "text"}
    await talk.ask("limits", seconds=0.05)
    position = (await talk.open(name, mode="player", **{"from": {"seed": 3}}))["position"]
    await talk.ask("hints", on=hints)
    for number in range(30):
        turns = [move for move in position["moves"] if move["source"] == "p0"]
        if number > 1 and turns and position["picture"]["piles"][0]["cards"]:  # to the end of the stock
            position = await talk.ask("move", text=turns[0]["text"])
            continue
        whole = {"node": position["node"], "state": "done"}.items()
        done = await talk.until(lambda w=whole: (c := talk.last("chances")) and w <= c.items() and c)
        assert all(entry["tiers"] or entry["reason"] for entry in done["advice"])
        assert done["advice"] or not position["moves"]
        assert done["text"]
        if number > 1 or not turns:
            break
        position = await talk.ask("move", text=turns[0]["text"])
    assert all(set(told) == fields for told in talk.told if told["type"] == "chances")


@pytest.mark.parametrize(("seconds", "count"), [(None, 3), (1000, 3), (0, 1)])
def test_chances_are_weighed_until_their_time_is_over(monkeypatch, seconds, count):
    monkeypatch.setattr(analysis, "think", lambda *args: iter([[], [], []]))
    variant, told = VARIANTS["joker"], []
    state = variant.deal(3)
    table = hidden(state)
    task = analysis.Task(0, variant, state, Limits(seconds=seconds), is_hidden=True, table=table)
    analysis.do(task, Watch(), told.append)
    assert len(told) == count


@held
async def test_positions_that_are_judged_are_not_searched_again(talk, monkeypatch):
    searched = []
    decided = analysis._decided
    monkeypatch.setattr(analysis, "_decided", lambda *args: (searched.append(args[2]), decided(*args))[1])
    monkeypatch.setattr(analysis, "_shorten", lambda *args: None)
    position = (await talk.open("chessboard", **{"from": {"seed": 1}}))["position"]
    await talk.judged(0)
    for move in position["moves"][:3]:
        number = (await talk.ask("move", text=move["text"]))["node"]
        await talk.judged(number)
        await talk.ask("undo")
    before = len(searched)
    for move in position["moves"][:3]:
        await talk.ask("move", text=move["text"])
        await talk.until(lambda: talk.last("analysis")["state"] == "done")
        await talk.ask("undo")
    assert len(searched) == before


@held
async def test_what_is_remembered_has_an_end(talk, monkeypatch):
    monkeypatch.setattr(search_control, "_KNOWN", 5)
    await talk.open("chessboard", **{"from": {"seed": 1}})
    await talk.ask("hints", on=True)
    await talk.until(lambda: (m := talk.last("marks")) and m["done"])
    assert len(talk.talk.session.known) > 5
    await talk.ask("undo")
    await talk.ask("hints", on=False)
    assert len(talk.talk.session.known) <= 5


@held
async def test_the_moves_of_a_won_game_that_cost_more_than_others_are_proved_to(talk):
    moves, number = with_detour("fortress", 8)
    await talk.open("fortress", moves=moves, **{"from": {"seed": 8}})
    after = await talk.until(lambda: (n := talk.node(number)["judged"]) and n["shortest"] and n)
    assert after["length"] + 1 - talk.node(number - 1)["judged"]["length"] == 2


@held
async def test_of_a_lost_game_the_last_position_that_could_be_won_gets_a_shorter_line(talk):
    variant = find_variant("chessboard")
    moves = ["6D 3-7", "7H 6-f", "9S 4-2"]
    game = await talk.open("chessboard", moves=moves, **{"from": {"seed": 8}})
    assert game["position"]["over"] == "stuck"
    judged = await talk.until(lambda: (n := talk.node(1)["judged"]) and n["shortest"] and n)
    state = variant.family.apply(variant.deal(8), variant.family.parse_move(variant.deal(8), moves[0]))
    assert judged["length"] == len(find_shortest(variant, state, Limits(seconds=60)).moves)
    assert talk.node(2)["mark"] == "mistake"
    assert talk.node(1)["best"] is not None


@held
async def test_a_lost_position_tells_how_many_cards_can_go_up_and_shows_how(talk):
    await talk.open("fortress", **{"from": {"seed": 2}})
    done = await talk.until(lambda: (a := talk.last("analysis")) and a["state"] == "done" and a)
    text = "at most 3 of 52 cards can go up, in 12 moves (shortest)"
    assert done["most_up"] == {"score": 3, "length": 12, "text": text}
    assert done["verdict"] == "unwinnable"
    assert done["score"] is None
    assert done["text"] == f"all 52 cards: lost, proved; {text}"
    line = await talk.ask("line", node=0)
    assert (line["found"], line["shortest"], len(line["steps"])) == (True, True, 13)
    tops = [pile["cards"] for pile in line["steps"][-1]["picture"]["piles"]]
    assert sum(len(cards.split()) for cards in tops) == 3
    await talk.open("fortress", **{"from": {"seed": 1}})
    done = await talk.until(lambda: (a := talk.last("analysis")) and a["state"] == "done" and a)
    assert done["most_up"] == {"score": 0, "length": 0, "text": "no card can go up"}
    assert not (await talk.ask("line", node=0))["found"]
    await talk.open("simple-simon", **{"from": {"seed": 3}})
    assert (await talk.until(lambda: (a := talk.last("analysis")) and a["verdict"] and a))["most_up"] is None
