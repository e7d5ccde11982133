"""Commands of players without sight of the hidden cards: play, and hint for partly known positions."""

import json
import re
from itertools import islice

import pytest
from tests.positions import ENDGAME, TABLE

from winnable import SCHEMA
from winnable.cli import player_advice
from winnable.rules import find_variant, has_unknown
from winnable.rules.cards import UNKNOWN
from winnable.rules.formats import read_table
from winnable.rules.formats.json_deals import table_object
from winnable.rules.formats.text import format_table
from winnable.rules.tables import hidden, put
from winnable.solver.analysis.move_chances import chances_after

pytest.importorskip("winnable.solver.core.border", reason="no compiled engine")

TIERS = ("win", "double", "triple")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text(TABLE)
    return path


def test_a_game_of_klondike_ends_with_its_result(run):
    out = run.out("simulate", "klondike", "--seed", 3, "--player", "rule")
    assert re.search(r"\nResult: not won, \d+ of 52 cards up after \d+ moves\n$", out)
    assert run("review", "klondike", "--seed", 3, "-", stdin=out.encode())[0] == 0


HOPELESS = """# game: klondike-vegas-one
4S
<??> 8H
<??> <??> 5D
<??> <??> <??> 7D
<??> <??> <??> <??> 8D
<??> <??> <??> <??> <??> 4H
<??> <??> <??> <??> <??> <??> 6D
Foundations: C-0 D-0 H-0 S-0
Stock: 0
Waste: QS TD 8S 6C AH TS JS 9D TC AS QH JH JC 7C 3S 2D TH 5C KD 8C QD 6H AD 4D
"""


def test_a_hopeless_table_gets_no_advice(run, tmp_path):
    path = tmp_path / "table.txt"
    path.write_text(HOPELESS)
    out = run.out("hint", path)
    assert "Lost for certain: no arrangement of the 21 unknown cards can be won" in out
    assert "4S 1-3" not in out
    (option,) = run.json("hint", path)["options"]
    assert (option["moves"], option["win"]["probability"], option["win"]["high"]) == (["4S 1-3"], 0, 0)


def test_a_game_is_played_and_can_be_verified(run):
    out = run.out("simulate", "joker", "--seed", 2, "--visits", 30)
    assert out.startswith("# game: joker\n# seed: 2\n")
    assert "\nPlayer: search, 30 simulations per decision\n" in out
    assert re.search(r"\n +1\. \w+ ", out)
    assert re.search(r"# win +[0-9]+% \+- +[0-9]+%  double .* triple ", out)
    assert re.search(
        r"\nResult: [0-9]+ of 52 \((a win needs 15|win|double|triple)\) after [0-9]+ moves\n$", out
    )
    out = run.out("simulate", "joker", "--seed", 2, "--visits", 30, "--json")
    answer = json.loads(out)
    keys = ["schema", "game", "seed", "player", "score", "tier", "decisions", "moves", "length"]
    assert list(answer) == keys
    assert [move for decision in answer["decisions"] for move in decision["moves"]] == answer["moves"]
    variant = find_variant("joker")
    views = weighed = 0
    for decision in answer["decisions"]:
        shown = read_table(variant, json.dumps(decision["position"]).encode(), "position").state
        if has_unknown(shown):
            assert table_object(shown) == decision["position"]
            views += 1
        if decision["advice"]:
            seen = ["?? s-w" if text.endswith(" s-w") else text for text in decision["moves"]]
            assert decision["advice"][0]["moves"] == seen  # a card that is turned was not seen before
            chances = [decision["advice"][0][tier]["probability"] for tier in TIERS]
            assert chances == sorted(chances, reverse=True)
            weighed += 1
    assert views > 10
    assert weighed > 10
    told = run.json("verify", "joker", "--seed", 2, "-", stdin=out)
    assert (told["score"], told["tier"]) == (answer["score"], answer["tier"])


def test_a_position_of_a_file_is_played(run, tmp_path, table):
    path = run.write(tmp_path / "deal.txt", "deal", "joker", "--seed", 3)
    by_file = run.json("simulate", "joker", path, "--player", "rule")
    assert by_file | {"seed": 3} == run.json("simulate", "joker", "--seed", 3, "--player", "rule")
    assert run("simulate", "joker", "-", "--player", "rule", stdin=path.read_bytes())[0] == 0


def test_what_the_player_sees_before_a_decision_can_be_read_again(run):
    args = ("simulate", "joker", "--seed", 2, "--visits", 30)
    decisions = run.json(*args)["decisions"]
    variant = find_variant("joker")
    for number in (1, len(decisions) // 2, len(decisions)):
        text = run.out(*args, "--before", number)
        shown = decisions[number - 1]["position"]
        assert run.json(*args, "--before", number) == {"schema": SCHEMA} | shown
        table = read_table(variant, text.encode(), "table").state
        assert has_unknown(table) or number == len(decisions)
        if has_unknown(table):
            assert (format_table(table), table_object(table)) == (text, shown)
    first = run(*args, "--before", 1)[1].encode()
    assert read_table(variant, first, "table").state == hidden(variant.deal(2))


def test_a_game_as_a_page_shows_what_was_weighed(run, tmp_path):
    path = tmp_path / "game.html"
    out = run.out("simulate", "joker", "--seed", 2, "--visits", 30, "--html", path, "--json")
    answer = json.loads(out)
    page = json.loads(re.search(r'id="play-data">(.*?)</script>', path.read_text())[1])
    assert (page["player"], page["verdict"]) == ("search, 30 visits", None)
    assert [step["move"] for step in page["steps"][1:]] == answer["moves"]
    at = turned = 0
    for decision in answer["decisions"]:
        weighed = page["steps"][at]["advice"]
        assert [entry["visits"] for entry in weighed] == [entry["visits"] for entry in decision["advice"]]
        for told, entry in zip(weighed, decision["advice"], strict=True):
            assert all(told.get(tier) == entry.get(tier) for tier in TIERS)
            hidden = [text for text in told["moves"] if text.endswith("s-w")]
            assert set(hidden) <= {"?? s-w"}
            turned += len(hidden)
        at += len(decision["moves"])
    assert turned > 5
    assert page["steps"][0]["jokers"][0].endswith(("not seen yet", "undeclared in column 1"))
    assert "face down in" not in str([step["jokers"] for step in page["steps"]])
    assert "in the stock" not in str([step["jokers"] for step in page["steps"]])


def test_seconds_end_the_search_for_what_is_certain(run, tmp_path, table):
    state = find_variant("klondike-vegas").deal(6)
    hard = put(state, [(column, 0) for column in range(1, 7)], [UNKNOWN] * 6)
    few = tmp_path / "few.txt"
    few.write_text(format_table(hard))
    for game, path in (("klondike-vegas", few), ("joker", table)):
        seconds = ("hint", game, path, "--max-seconds", 0.05)
        status, out, err = run(*seconds)
        assert (status, err) == (3, "")
        assert "The search was ended by the limit of seconds, time by the clock\n" in out
        status, out, err = run(*seconds, "--json")
        assert (status, json.loads(out)["table"]["reason"]) == (3, "seconds")
    assert " of 720, " in run("hint", few, "--max-seconds", 0.05)[1]


def test_ctrl_c_after_the_advice_keeps_it(run, table, monkeypatch):
    def interrupted(table, limits, watch):
        raise KeyboardInterrupt

    monkeypatch.setattr(player_advice, "solve_table", interrupted)
    status, out, err = run("hint", "joker", table, "--visits", 300)
    assert status == 3
    assert re.fullmatch(r"winnable: interrupted after [0-9]+ samples\n", err)
    assert "+- standard error" in out


@pytest.mark.full
def test_a_partly_known_position_is_advised_on(run, table):
    out = run.out("hint", "joker", table, "--visits", 300, "--count", 2)
    head, player, title, heads, first, second, rest, legend, *proved = out.splitlines()
    assert head == "Score so far: 2 of 52; 44 unseen cards"
    assert player == "Player: search, 300 simulations per decision"
    assert title == "This player's estimates if you follow this advice (+- standard error):"
    assert heads.split() == ["moves", *TIERS, "samples"]
    for line in (first, second):
        assert re.fullmatch(r"  \S.*?(  +[0-9]+% \+- ?[0-9]+%){3} +[0-9]+", line)
    assert re.fullmatch(r"  and [0-9]+ other moves", rest)
    assert legend.startswith("s stock")
    assert " ".join(proved).startswith("Not certain: 44 unknown cards, ")
    answer = run.json("hint", "joker", table, "--visits", 300)
    names = ["schema", "game", "exchange", "seed", "read_as", "player", "unseen", "score", "options", "table"]
    assert list(answer) == names
    assert (answer["unseen"], answer["score"]) == (44, 2)
    weighed = 0
    for option in answer["options"]:
        if option["visits"]:
            chances = [option[tier]["probability"] for tier in TIERS]
            assert chances == sorted(chances, reverse=True)
            weighed += 1
            assert all(0 < option[tier]["error"] <= 0.5 for tier in TIERS)
    assert weighed > 2
    assert first.split("  ")[1] == "; ".join(answer["options"][0]["moves"])
    assert {"moves": ["?? s-w"]} in [{"moves": option["moves"]} for option in answer["options"]]
    assert run("hint", "joker", table, "--visits", 300)[1] == run("hint", "joker", table, "--visits", 300)[1]


@pytest.mark.full
def test_hints_of_partly_known_positions_in_json(run, table):
    as_json = json.dumps(
        table_object(read_table(find_variant("joker"), TABLE.encode(), "table").state)
    ).encode()
    for options in (["--visits", 60], ["--player", "rule"], ["--visits", 60, "--json"]):
        assert run("hint", "joker", "-", *options, stdin=as_json) == run("hint", "joker", table, *options)


def test_the_rule_player_ranks_moves_without_chances(run, table):
    out = run("hint", "joker", table, "--player", "rule", "--count", 3)[1]
    assert "%" not in out
    assert re.search(r"Player: rule\n  moves\n(  \S.*\n){3}  and [0-9]+ other moves?\n", out)


def test_a_hint_that_was_not_weighed_has_its_reason(run):
    out = run.out("hint", "klondike", "--seed", 3, "--player", "search")
    reason = "costs nothing; the stock comes round again with its cards known"
    assert f"\n  ?? s-w\nNot evaluated: it {reason}.\n" in out
    (option,) = run.json("hint", "klondike", "--seed", 3, "--player", "search")["options"]
    assert option == {"moves": ["?? s-w"], "visits": 0, "reason": reason}
    vegas = run.json("hint", "klondike-vegas", "--seed", 3, "--visits", 30)["options"]
    assert all("win" in option and "reason" not in option for option in vegas if option["visits"])


def test_a_known_position_keeps_its_exact_hint_unless_a_player_is_asked(run):
    assert run("hint", "joker", "--seed", 1, "--count", 1)[1].startswith("Verdict: ")
    for option in (["--player", "search", "--visits", 60], ["--visits", 60]):
        out = run("hint", "joker", "--seed", 1, *option)[1]
        assert out.startswith("Score so far: 0 of 52; 47 unseen cards\n")
    out = run("hint", "klondike-one-pass", "--seed", 1, "--visits", 60)[1]
    assert "\nChances if you follow this advice (+- standard error):\n" in out
    out = run("hint", "klondike", "--passes", 3, "--seed", 3, "--visits", 60)[1]
    assert "\nShares of the samples, which end by rule (+- sampling error):\n" in out
    klondike = run.json("hint", "klondike-one-pass", "--seed", 1, "--visits", 60)
    assert (klondike["game"], klondike["seed"], klondike["unseen"]) == ("klondike-one-pass", 1, 45)


def test_longer_thought_plays_the_best_moves_out(run, tmp_path):
    endgame = tmp_path / "endgame.txt"
    endgame.write_text(ENDGAME)
    args = ("hint", "joker", endgame, "--think", "--samples", 20)
    out = run.out(*args)
    lines = out.splitlines()
    by = "by the search player with 100 simulations per decision (+- sampling error):"
    assert lines[2] == f"Each move played out in the same 20 shuffles {by}"
    assert lines[3].split() == ["moves", *TIERS, "tiers", "behind"]
    assert re.fullmatch(r"  \S.*?(  +[0-9]+% \+- ?[0-9]+%){3}", lines[4])
    assert re.fullmatch(r"  \S.*?(  +[0-9]+% \+- ?[0-9]+%){3}  +[0-9.]+ \+-[0-9.]+", lines[5])
    answer = run.json(*args)
    first, second = (option["trial"] for option in answer["options"][:2])
    assert (first["samples"], first["behind"]) == (20, {"tiers": 0.0, "error": 0.0})
    assert second["behind"]["tiers"] >= 0
    assert len([option for option in answer["options"] if "trial" in option]) <= 4
    assert run(*args) == (0, out, "")


def test_a_game_that_is_over_needs_no_hint(run, tmp_path):
    path = tmp_path / "over.txt"
    path.write_text("Foundations: C-K D-K H-K S-K\nWaste: XB XR\nStock: 0\nExchange: turned\n:\n")
    for options in ([], ["--think"]):
        out = run.out("hint", "joker", path, "--player", "search", *options)
        assert out.startswith("Score so far: 52 of 52; 0 unseen cards\n")
        assert out.endswith("There is no legal move.\n")


@pytest.mark.full
def test_a_player_may_think_for_a_time(run, table):
    for args in (("rate", "joker", "--deals", "1-3"), ("simulate", "joker", "--seed", 2)):
        answer = run.json(*args, "--player", "search", "--think-seconds", 0.001)
        assert answer["player"] == "search, 0.001 seconds"
    out = run.out("hint", "joker", table, "--think-seconds", 0.05)
    assert "Player: search, 0.05 seconds per decision" in out


def test_all_legal_moves_of_a_hidden_position_have_chances(run):
    """Before it has seen the stock of Klondike the player turns it over, without a search."""
    args = ("hint", "klondike", "--seed", 3, "--sees", "table", "--visits", 50)
    variant = find_variant("klondike")
    table = hidden(variant.deal(3))
    assert "legal" not in run.json(*args)
    found = run.json(*args, "--all")["legal"]
    texts = [variant.family.format_move(table, move) for move in variant.family.legal_moves(table)]
    others = [text for text in texts if not text.endswith(" s-w")]
    assert sorted(each["move"] for each in found) == sorted(["?? s-w", *others])
    chances = [each["win"]["probability"] for each in found]
    assert chances == sorted(chances, reverse=True)
    assert all(0.05 < chance < 0.95 for chance in chances)
    assert not any(each["certain"] for each in found)
    out = run.out(*args, "--all")
    assert re.search(r"\nChance after each legal move, .*\n +move +win\n", out)
    assert sum(bool(re.match(r"  .* +\d+% \+- *\d+%$", line)) for line in out.split("\n")) == len(found)


def test_the_moves_of_a_table_with_few_unknown_cards_are_proved(run, tmp_path):
    """The king of hearts and the queen of spades are unknown, and both go up."""
    path = tmp_path / "table.txt"
    cards = "# game: klondike\n<??> KC\n<??> KS\nKD\nFoundations: C-Q D-Q H-Q S-J\nStock: 0\n"
    path.write_text(cards)
    found = run.json("hint", path, "--player", "search", "--visits", 20, "--all")["legal"]
    assert found
    assert all(each["certain"] for each in found)
    out = run.out("hint", path, "--player", "search", "--visits", 20, "--all")
    assert "as the player advises, proved:" in out


def test_the_order_of_the_stock_may_be_seen(run):
    answer = run.json("simulate", "klondike", "--seed", 3, "--sees", "stock", "--visits", 20)
    first = answer["decisions"][0]["position"]
    assert "??" not in str(first["stock"])
    assert "??" in str(first["columns"])
    known = run.json("simulate", "klondike", "--seed", 3, "--sees", "all", "--visits", 20)
    assert "??" not in str(known["decisions"][0]["position"])
    assert run.json("hint", "klondike", "--seed", 3, "--sees", "stock", "--visits", 20)["unseen"] == 21
    assert run.json("hint", "klondike", "--seed", 3, "--sees", "all", "--work", "100k")["verdict"]
    for command in ("hint", "simulate"):
        plain = (command, "joker", "--seed", 2, "--visits", 20)
        assert run.json(*plain) == run.json(*plain, "--sees", "table")


def test_ctrl_c_keeps_the_moves_that_were_judged(run, monkeypatch):
    def two(*_):
        yield from islice(chances_after(*_), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(player_advice, "chances_after", two)
    status, out, err = run("hint", "klondike", "--seed", 3, "--sees", "table", "--visits", 20, "--all")
    assert (status, err) == (3, "winnable: interrupted after 2 of 3 moves\n")
    assert len(re.findall(r"% \+-", out)) == 2
