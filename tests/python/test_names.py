"""The names that programs import from ``winnable``, and what loads when."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.children import start_code
from tests.compiled import needs_kernels

import winnable
from winnable.rules import VARIANTS, Choices, find_variant
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.text import FormatError, format_board
from winnable.solver import Goal, Limits, Verdict

BOARD = str(winnable.deal("fortress", 8))


def loaded_by(code):
    """The modules that a program loads."""
    code = f"import sys; before = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    return set(start_code(code).finish()[0].split())


def test_the_package_alone_loads_nothing_else():
    assert loaded_by("import winnable") == {"winnable"}


def test_the_rules_load_no_search():
    loaded = loaded_by("from winnable import deal, read_deal, VARIANTS, State; deal('joker', 1)")
    assert "winnable.rules" in loaded
    assert not {name for name in loaded if name.startswith(("winnable.solver", "numpy", "click", "tqdm"))}


@pytest.mark.parametrize("name", winnable.__all__)
def test_every_name_is_there(name):
    assert getattr(winnable, name) is getattr(winnable, name)
    assert name in dir(winnable)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match=r"^module 'winnable' has no attribute 'nothing'$"):
        winnable.nothing  # noqa: B018
    assert winnable.__version__


def test_the_version_is_the_same_everywhere():
    root = Path(__file__).parents[2]
    assert f"\nversion: {winnable.__version__}\n" in (root / "CITATION.cff").read_text()
    assert f"\n## {winnable.__version__}" in (root / "CHANGELOG.md").read_text()
    assert 'attr = "winnable.__version__"' in (root / "pyproject.toml").read_text()


def test_the_ways_to_cite_agree():
    root = Path(__file__).parents[2]
    known = dict(
        re.findall(r"^([\w-]+): \"?([^>\n\"]+)\"?$", (root / "CITATION.cff").read_text(), re.MULTILINE)
    )
    (author,) = re.findall(r"- name: (.*)", (root / "CITATION.cff").read_text())
    year = known["date-released"][:4]
    line = f"> {author}, *{known['title']}*, version {known['version']}, {year}."
    for page in ("README.md", "docs/citing.md"):
        assert line in (root / page).read_text()
    entry = (root / "docs" / "citing.md").read_text()
    for value in (f"{{{author[0].upper()}{author[1:]}}}", known["title"], known["version"], year):
        assert f"{{{value}}}" in entry


def test_the_manual_tells_every_name():
    page = (Path(__file__).parents[2] / "docs" / "reference.md").read_text()
    for name in winnable.__all__:
        assert re.search(rf"(?<!\.)`{name}`", page.partition("## Games")[0]), name


def test_a_result_is_read_back_from_what_it_wrote():
    for name, limit, score in (
        ("fortress", None, False), ("joker", 20, False), ("simple-simon", 0, False), ("klondike", None, True)
    ):  # fmt: skip
        state = winnable.deal(name, 29 if score else 8)
        result = winnable.solve(name, state, Limits(nodes=limit), shorten=0, score=score)
        told = json.loads(json.dumps(result.to_dict()))
        again = winnable.Result.from_dict(told, state)
        timeless = {"seconds": 0, "cpu_seconds": 0}
        assert replace(again, **timeless) == replace(result, **timeless)
        assert told["length"] == (None if result.moves is None else len(result.moves))


@needs_kernels
@pytest.mark.parametrize(
    ("game", "change", "problem"),
    [
        ("fortress", {"moves": None}, "moves: expected a line, got none"),
        ("fortress", {"moves": []}, "expected a line that wins"),
        ("fortress", {"moves": ["AH 9-1"]}, r"move 1 \(AH 9-1\)"),
        ("fortress", {"moves": "AH 9-f"}, "moves: expected a list, got a str"),
        ("fortress", {"verdict": "won"}, "verdict 'won': expected winnable"),
        ("fortress", {"verdict": None}, "verdict 'None'"),
        ("fortress", {"verdict": "unwinnable"}, "verdict unwinnable: expected winnable by its line"),
        ("fortress", {"lower_bound": 500}, "lower_bound 500: expected 91 at most"),
        ("fortress", {"lower_bound": 3, "shortest": True}, "shortest: expected a lower bound of 91, got 3"),
        ("fortress", {"length": 3}, "length '3': expected 91"),
        ("fortress", {"score": 52}, "score_bound: expected a number, got none"),
        ("fortress", {"tier": "win"}, "tier win: expected None"),
        ("fortress", {"expanded": None}, "expanded 'None': expected a whole number"),
        ("fortress", {"seconds": "1"}, "seconds '1': expected a number"),
        ("fortress", {"reason": 5}, "reason '5': expected None, nodes"),
        ("joker", {"verdict": "undecided"}, "verdict undecided: expected winnable by its line"),
        ("joker", {"score": None}, "score: expected a number, got none"),
        ("joker", {"score": 1}, "expected a line to a score of 1, got one to "),
        ("joker", {"score_bound": 1}, "expected 1 at most"),
        ("joker", {"tier": "none"}, "tier none: expected "),
        ("klondike", {"score": 3}, "expected a line to a score of 3, got one to 2"),
        ("klondike", {"score_bound": 4}, "exact: expected a score of 4, got 2"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(game, change, problem):
    state = winnable.deal(game, 29 if game == "klondike" else 8)
    told = winnable.solve(game, state, Limits(work=300_000), shorten=0, score=game == "klondike").to_dict()
    with pytest.raises(ValueError, match=problem):
        winnable.Result.from_dict(told | change, state)


def test_a_result_is_read_from_a_mapping_for_a_state():
    for answer, state, problem in (
        ({}, None, "a NoneType: expected a state"),
        (None, winnable.deal("joker", 1), "answer: expected a mapping, got a NoneType"),
        ({}, winnable.deal("joker", 1), "verdict 'None': expected winnable"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=problem):
            winnable.Result.from_dict(answer, state)


@needs_kernels
def test_rows_of_many_deals_say_what_solve_says():
    exposed, few = {"exchange": "exposed"}, Limits(nodes=300)
    boards = [winnable.deal("chessboard", seed) for seed in (8, 7)]
    for name, deals, states, given in (
        ("fortress", range(1, 21), [winnable.deal("fortress", seed) for seed in range(1, 21)], {}),
        ("joker", range(1, 6), [winnable.deal("joker", seed, choices=exposed) for seed in range(1, 6)],
         {"choices": exposed, "limits": few}),
        ("chessboard", boards, boards, {"shortest": True}),
    ):  # fmt: skip
        deals_once = deals if isinstance(deals, range) else iter(deals)
        rows = list(winnable.solve_many(name, deals_once, workers=2, **given))
        goal, is_numbered = "shortest" if given.get("shortest") else "win", deals is not boards
        assert [row["seed" if is_numbered else "deal"] for row in rows] == [
            *(deals if is_numbered else (0, 1))
        ]
        for row, state in zip(rows, states, strict=True):
            result = winnable.solve(name, state, given.get("limits"), goal, shorten=0).to_dict()
            known = set(row) & set(result) - {"lower_bound", "cpu_seconds"}
            assert {key: row[key] for key in known} == {key: result[key] for key in known}


@pytest.mark.full
@needs_kernels
def test_the_script_of_the_manual_deals_solves_and_plots(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")
    script = Path(__file__).parents[2] / "docs" / "examples" / "rates.py"
    command = [sys.executable, script, "fortress", "200", tmp_path / "picture.png"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == [
        "played: won",
        "35 of 200 can be won; hardest: seed 129",
    ]
    assert (tmp_path / "picture.png").read_bytes()[:4] == b"\x89PNG"
    lines = script.read_text().splitlines()
    assert len(lines) <= 25
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported == {"sys", "matplotlib", "winnable"}


@pytest.mark.parametrize("name", VARIANTS)
def test_deal_deals_by_name(name):
    variant = find_variant(name)
    assert winnable.deal(name, 8) == winnable.deal(variant, 8) == variant.deal(8)
    assert winnable.deal(name, 8, ranks=3, suits="CD") == variant.deal(8, 3, "CD")


def test_deal_takes_sizes_and_choices():
    turned = Choices(exchange="turned")
    assert winnable.deal("fortress", 1, ranks=2, sizes=[4, 4]).columns[0] != ()
    assert winnable.deal("joker", 4, choices={"exchange": "turned"}).choices == turned
    assert winnable.deal("joker", 4, choices=turned).choices == turned
    for name, choices, why in (
        ("joker", {"exchange": "never"}, "expected"), ("joker", {"redeal": "1"}, "expected"),
        ("joker", {"exchange": None}, "expected"), ("joker", {"draw": "1"}, "has no such rule option"),
        ("simple-simon", {"exchange": "turned"}, "has no rule options"), ("joker", "turned", "got 'turned'"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            winnable.deal(name, 4, choices=choices)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_deal_is_read_from_text_bytes_and_files(name, tmp_path):
    variant, state = find_variant(name), winnable.deal(name, 8)
    path = tmp_path / "deal.txt"
    text = format_board(variant, state, 8)
    path.write_text(text)
    for source in (text, text.encode(), b"\xef\xbb\xbf" + text.encode(), path, str(path)):
        for game in (name, variant):
            found = winnable.read_deal(source, game)
            assert found.state == state
    assert winnable.read_deal(str(deal_object(variant, state)).replace("'", '"'), name).state == state


def test_choices_are_those_where_the_text_does_not_say():
    text = str(winnable.deal("joker", 4))
    for choices in ({"exchange": "turned"}, Choices(exchange="turned")):
        assert winnable.read_deal(text, "joker", choices).state.choices.exchange == "turned"
    redeals = winnable.find_variant("klondike").family.Choices(draw="1")
    assert (
        winnable.read_deal(str(winnable.deal("klondike", 1)), "klondike", redeals).state.choices.draw == "1"
    )
    for wrong, problem in (
        ({"redeal": "1"}, "choice 'redeal'"),
        ("draw=1", "expected words by name, got 'dr"),
    ):
        with pytest.raises(ValueError, match=problem):
            winnable.read_deal(text, "joker", wrong)
    with pytest.raises(ValueError, match="expected words by name, got ''"):
        winnable.deal("klondike", 1, choices="")


@pytest.mark.parametrize("source", ["", " ", "\n", b"", "{}", "[]", "6H\n6H", b"\xff\xff\n", "AC 2C\nXX"])
def test_what_is_no_deal_is_a_format_error_in_one_line(source):
    with pytest.raises(FormatError) as error:
        winnable.read_deal(source, "fortress")
    assert len(str(error.value).splitlines()) == 1
    assert str(error.value).startswith("<bytes>:" if isinstance(source, bytes) else "<text>:")


@pytest.mark.parametrize(
    ("source", "error", "why"),
    [
        (f"{BOARD}\n\n{BOARD}\n", FormatError, "more than one deal"), ("no such file", OSError, ".+"),
        (Path(__file__).with_name("nothing"), OSError, ".+"), (Path(__file__).parent, OSError, ".+"),
        *((each, ValueError, "expected text, bytes or a path") for each in (None, 8, ["6H"])),
        (winnable.deal("fortress", 1), ValueError, "expected text, bytes or a path"),
    ],
)  # fmt: skip
def test_what_is_no_source_is_refused(source, error, why):
    with pytest.raises(error, match=why):
        winnable.read_deal(source, "fortress")


def test_verdicts_and_goals_are_strings():
    assert [*Verdict] == ["winnable", "unwinnable", "undecided"]
    assert [*Goal] == ["win", "shortest"]
    assert f"{Verdict.WINNABLE} {Goal.SHORTEST}" == "winnable shortest"
    assert {Verdict.WINNABLE: 1}["winnable"] == 1


def test_a_result_prints_what_it_says():
    state = winnable.deal("fortress", 1, ranks=3, suits="CD")
    result = winnable.solve("fortress", state)
    assert str(result) == f"winnable, {len(result.moves)} moves"
    assert str(winnable.solve("fortress", state, goal="shortest")) == "winnable, 6 moves (shortest possible)"
    assert str(replace(result, lower_bound=5)).endswith("moves (the shortest has 5 to 6)")
    big = winnable.deal("fortress", 1)
    assert str(winnable.solve("fortress", big)) == "unwinnable"
    assert str(winnable.solve("fortress", big, Limits(nodes=0))) == "undecided (state limit reached)"
    small = winnable.deal("joker", 1, ranks=2)
    assert str(winnable.solve("joker", small)).startswith("winnable, score 8, ")
    assert ", score 0 to 8, " in str(winnable.solve("joker", small, Limits(nodes=0)))
