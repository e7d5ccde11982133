"""Input of the commands: games named by files, positions after moves, names of deals, wrong usage."""

import csv
import io
import json
import re

import pytest
from tests.compiled import needs_kernels
from tests.deals import by_rows

from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.text import Deal

pytestmark = needs_kernels


@pytest.fixture(scope="module")
def files(run, tmp_path_factory):
    """Deals and answers in files, by name."""
    folder = tmp_path_factory.mktemp("inputs")
    for name, args in {
        "fortress.txt": ["deal", "fortress", "--seed", 1],
        "fortress.json": ["deal", "fortress", "--seed", 1, "--json"],
        "eight.txt": ["deal", "chessboard", "--seed", 8],
        "joker.txt": ["deal", "joker", "--seed", 4],
        "three.txt": ["deal", "fortress", "--seed", 101, "--count", 3],
        "three.jsonl": ["deal", "fortress", "--seed", 101, "--count", 3, "--format", "jsonl"],
        "solution.txt": ["solve", "chessboard", "--seed", 8],
        "solution.json": ["solve", "chessboard", "--seed", 8, "--json"],
    }.items():
        (folder / name).write_text(run(*args)[1])
    one, eight = ((folder / f"{name}.txt").read_text() for name in ("fortress", "eight"))
    (folder / "mixed.txt").write_text(one + eight)
    (folder / "bare.txt").write_text(re.sub("^#.*\n", "", eight, flags=re.MULTILINE))
    (folder / "played.txt").write_text("7h f  # this was not good\n")
    return folder


# --- Games named by files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fortress.txt", "fortress.json"])
def test_a_deal_of_another_game_is_refused(run, files, name):
    path = files / name
    problem = ":1: this is a deal of fortress, but chessboard was named"
    for command in (["solve"], ["solve", "--quiet"], ["hint"], ["replay"], ["deal"], ["rate", "--deals"]):
        args = [command[0], "chessboard", *command[1:], path]
        assert f"{path}{problem}" in run.fails(*args)
    assert f"<stdin>{problem}" in run.fails("solve", "chessboard", "-", stdin=path.read_bytes())
    for command in ("verify", "review"):
        assert f"{path}{problem}" in run.fails(command, "chessboard", path, files / "played.txt")


@pytest.mark.parametrize("name", ["fortress.txt", "fortress.json"])
def test_the_game_may_be_left_out_where_the_file_names_it(run, files, name):
    path = files / name
    for args, out in (
        (["solve", path, "--quiet"], "unwinnable\n"),
        (["hint", path], run("hint", "fortress", "--seed", 1)[1]),
        (["replay", path], run("replay", "fortress", "--seed", 1)[1]),
        (["deal", path, "--json"], run("deal", "fortress", "--seed", 1, "--json")[1]),
    ):
        assert run(*args) == (0, out, "")
        on_stdin = ["-" if arg == path else arg for arg in args]
        assert run(*on_stdin, stdin=path.read_bytes()) == (0, out, "")
    answer = run.json("rate", "--deals", path)
    assert (answer["game"], answer["unwinnable"]) == ("fortress", 1)


def test_lines_of_play_need_no_game_either(run, files):
    deal, line = files / "eight.txt", files / "solution.txt"
    count = json.loads((files / "solution.json").read_text())["length"]
    correct = (0, f"correct: won in {count} moves\n", "")
    for args in ((deal, line), (line,), ("chessboard", "--seed", 8, line)):
        assert run("verify", *args) == correct
    assert run("verify", "-", stdin=line.read_bytes()) == correct
    assert run("verify", deal, "-", stdin=(files / "solution.json").read_bytes()) == correct
    assert run("review", line)[1].startswith("Before move 1: winnable\n")
    assert run("replay", deal, line)[0] == 0
    assert "but fortress was named" in run.fails("verify", "fortress", "--seed", 8, line)


def test_the_player_takes_the_game_from_the_file(run, files):
    by_name = run("simulate", "joker", "--seed", 4, "--player", "rule", "--json")[1]
    assert run("simulate", files / "joker.txt", "--player", "rule", "--json")[1] == by_name
    table = run("simulate", files / "joker.txt", "--player", "rule", "--before", 3)[1]
    assert run("hint", "-", "--player", "rule", stdin=table.encode())[0] == 0
    seeded = f"# seed: 4\n{table}".encode()
    assert run.json("hint", "-", "--player", "rule", stdin=seeded)["seed"] == 4
    problem = "this is a deal of joker, but klondike-one-pass was named"
    assert problem in run.fails("hint", "klondike-one-pass", "-", stdin=table.encode())


def test_a_bare_board_still_works_with_a_named_game(run, files):
    assert run("solve", "chessboard", files / "bare.txt", "--quiet") == (0, "winnable\n", "")
    assert "bare.txt:1: which game?" in run.fails("solve", files / "bare.txt")


def test_files_of_several_games(run, files):
    path = files / "mixed.txt"
    first, second = run("solve", path)[1].splitlines()
    assert first == "deal 1, fortress, seed 1: unwinnable"
    assert re.fullmatch(r"deal 2, chessboard, seed 8: winnable, \d+ moves", second)
    answers = [json.loads(line) for line in run("solve", path, "--json")[1].splitlines()]
    named = [(answer["game"], answer["deal"], answer["seed"]) for answer in answers]
    assert named == [("fortress", 1, 1), ("chessboard", 2, 8)]
    status, out, err = run("solve", "fortress", path)
    assert (status, out) == (2, "deal 1, seed 1: unwinnable\n")  # the deals before it have been answered
    assert f"{path}:13: this is a deal of chessboard, but fortress was named" in err
    assert run("deal", path)[1].replace("\n\n", "\n") == path.read_text()
    for args in (["rate", "--deals", path], ["deal", path, "--winnable"]):
        refused = run.fails(*args)
        assert "deal 2: expected deals of fortress, the game of the first, got chessboard" in refused


def test_what_is_no_game_and_no_file(run, files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chess").write_text((files / "eight.txt").read_text())
    assert run("deal", "chess") == run("deal", files / "eight.txt")  # a file of that name
    (tmp_path / "joker").write_text((files / "eight.txt").read_text())
    assert "no deal given" in run.fails("solve", "joker")  # the name of a game is the game
    assert run("deal", "./joker") == run("deal", files / "eight.txt")


# --- Tables typed by rows, and positions in play ------------------------------------------------------------


@pytest.mark.parametrize("gap", ["", "--"])
def test_rows_are_read_by_all_commands(run, tmp_path, gap):
    path, chess, moves = (tmp_path / name for name in ("rows.txt", "chess.txt", "moves.txt"))
    path.write_text(by_rows(VARIANTS["fortress"].deal(1), gap))
    chess.write_text(by_rows(VARIANTS["chessboard"].deal(8), gap))
    solution = run("solve", "chessboard", "--seed", 8)[1]
    moves.write_text(solution[solution.index("Solution:") :])
    rows = ("--by", "rows")
    assert run("solve", path, *rows, "--quiet") == (0, "unwinnable\n", "")
    assert run("solve", "-", *rows, "--quiet", stdin=path.read_bytes()) == (0, "unwinnable\n", "")
    assert run("hint", path, *rows) == run("hint", "fortress", "--seed", 1)
    assert run("deal", path, *rows)[1] == f"{VARIANTS['fortress'].deal(1)}\n".replace("# seed: 1\n", "")
    assert run.json("rate", "--deals", path, *rows)["unwinnable"] == 1
    assert run("verify", chess, moves, *rows)[0] == 0
    assert run("review", chess, moves, *rows, "--work", 50)[0] == 0
    assert run("replay", chess, moves, *rows)[0] == 0
    assert run("difficulty", chess, *rows)[1] == run("difficulty", "chessboard", "--seed", 8)[1]
    deal = {"game": "fortress", "columns": path.read_text().splitlines()[1:]}
    assert run("solve", "-", *rows, "--quiet", stdin=json.dumps(deal).encode()) == (0, "unwinnable\n", "")


READ_AS = (
    "Read as columns, top card last. Playable now: KH 4D 9H KC JD 4H TH JS 9D TS (otherwise --top first)\n"
)


def test_standard_error_says_once_how_a_table_without_seed_was_read(run, tmp_path):
    deal = VARIANTS["fortress"].deal(1)
    bare, twice, turned = (tmp_path / name for name in ("bare.txt", "twice.txt", "turned.txt"))
    columns = [line for line in str(deal).splitlines() if not line.startswith("#")]
    bare.write_text("\n".join(columns))
    twice.write_text("\n".join([*columns, "", *columns]))
    turned.write_text("\n".join(" ".join(line.split()[::-1]) for line in columns))
    for args in (
        *(("solve", "fortress", bare), ("solve", "fortress", bare, "--quiet"), ("hint", "fortress", bare)),
        *(("deal", "fortress", bare), ("rate", "fortress", "--deals", bare)),
    ):
        run(*args)
        assert run.read_as == READ_AS
    read_as = READ_AS.partition(" (")[0]
    assert run.json("solve", "fortress", bare)["read_as"] == run.json("hint", "fortress", bare)["read_as"]
    assert run.json("solve", "fortress", bare)["read_as"] == read_as
    run("solve", "fortress", twice)
    assert run.read_as == ""
    run("solve", "fortress", "--seed", 1)
    assert run.read_as == ""
    first = run.json("solve", "fortress", turned, "--top", "first")
    assert first["read_as"] == read_as.replace("top card last", "top card first")
    assert first["verdict"] == "unwinnable"
    assert (
        run("solve", "fortress", turned, "--quiet")[1]
        == run("solve", "fortress", turned, "--top", "last", "--quiet")[1]
    )
    assert "--top requires a FILE" in run.fails("solve", "fortress", "--seed", 1, "--top", "first")


def test_the_next_card_of_the_stock_is_said(run, tmp_path):
    path = tmp_path / "bare.txt"
    path.write_text("\n".join(str(VARIANTS["klondike"].deal(5)).splitlines()[2:]))
    run("solve", "klondike", path, "--work", 10, "--quiet")
    assert run.read_as.endswith(
        " Playable now: 9C 7H 2C 8C AH QD TS. Next of the stock: 4S (otherwise --top first)\n"
    )


def test_text_in_utf_16_is_read(run, tmp_path):
    path = tmp_path / "wide.txt"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        mark = "" if encoding == "utf-16" else "\ufeff"
        path.write_bytes((mark + str(VARIANTS["fortress"].deal(8)).replace("\n", "\r\n")).encode(encoding))
        for given in ((path, None), ("-", path.read_bytes())):
            assert run("solve", given[0], "--quiet", stdin=given[1]) == (0, "winnable\n", "")


@pytest.mark.full
def test_a_position_in_play_comes_back_from_every_command(run, tmp_path):
    path, moves = tmp_path / "deal.txt", tmp_path / "moves.txt"
    state = VARIANTS["simple-simon"].deal(8)
    path.write_text(str(state).replace("# seed: 8\n", ""))
    moves.write_text(str(VARIANTS["simple-simon"].family.legal_moves(state)[0]))
    for style in ("text", "json", "jsonl", "solvitaire", "fc-solve"):
        text = run("deal", path, "--moves", moves, "--format", style)[1]
        assert "in play" in text
        assert run("deal", "simple-simon", "-", "--format", style, stdin=text.encode())[1] == text
    text = run("deal", path, "--moves", moves)[1]
    solved = run("solve", "-", "--max-seconds", 20, stdin=text.encode())[1]
    assert "\n\n# game: simple-simon\n# position: in play\n" in solved
    assert run("verify", "-", stdin=solved.encode())[0] == 0
    page = run("replay", "-", stdin=solved.encode())[1]
    assert "# position: in play" in page
    made = run("deal", "simple-simon", "--seed", 8, "--moves", moves)[1]
    assert made.startswith("# game: simple-simon\n# seed: 8\n# moves made: 1\n3S")
    assert run("deal", "-", stdin=made.encode())[1] == made


# --- Won already --------------------------------------------------------------------------------------------

UP = ":\nFoundations: C-K D-K H-K S-K\n"
WON = {
    "chessboard": ":\nFoundations: C-5:4 D-5:4 H-5:4 S-5:4\n",
    "joker": f"{UP}Waste: XB XR\nStock:\nExchange: turned\n",
} | dict.fromkeys(("simon-jester", "simon-jester-triangular", "simple-simon"), ":\n")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_won_position_is_already_won(run, name):
    position = f"# game: {name}\n{WON.get(name, UP)}".encode()
    out = run.out("solve", "-", stdin=position)
    assert re.search(r"^Verdict: already won(; best score 52 of 52 \(triple\))?\n", out)
    assert "\nSolution: 0 moves" in out
    answer = run.json("solve", "-", stdin=position)
    assert (answer["verdict"], answer["length"], answer["moves"]) == ("winnable", 0, [])
    out = run.out("hint", "-", stdin=position)
    assert out.startswith("Verdict: already won")
    assert "no legal move" not in out
    assert run.json("hint", "-", stdin=position)["verdict"] == "winnable"
    assert run("solve", "-", "--quiet", stdin=position)[1] == "winnable\n"
    lines = run("solve", "-", stdin=position * 2)[1].splitlines()
    assert [line.split(":")[0] for line in lines] == [f"deal {i}, {name}" for i in (1, 2)]
    assert all(": already won" in line for line in lines)
    outcome = run.json("replay", "-", stdin=position)["outcome"]
    assert outcome == "already won" or VARIANTS[name].scoring


# --- Positions after moves ----------------------------------------------------------------------------------


def test_hint_solve_replay_and_deal_take_moves_made(run, files):
    moves = files / "played.txt"
    chosen = ("chessboard", "--seed", 8, "--moves", moves)
    assert run("solve", *chosen, "--quiet") == (0, "unwinnable\n", "")
    assert run("hint", *chosen)[1].startswith("Verdict: unwinnable; best score 1 of 52\n")
    text = run("deal", *chosen)[1]
    assert text.startswith("# game: chessboard\n# seed: 8\n# moves made: 1\n")
    deal = read_deal(None, text.encode(), "t")
    assert (deal.name, sum(deal.state.foundations)) == ("seed 8 after 1 move", 1)
    by_file = ("solve", files / "eight.txt", "--quiet", "--moves")
    assert run(*by_file, moves) == (0, "unwinnable\n", "")
    assert run(*by_file, "-", stdin=moves.read_bytes()) == (0, "unwinnable\n", "")
    assert run(*by_file, "-", stdin=b'["7H 6-F"]') == (0, "unwinnable\n", "")
    answer = run.json("solve", *chosen)
    assert (answer["seed"], answer["moves_made"]) == (8, 1)
    page = run("replay", *chosen)[1]
    assert "<title>Chessboard, seed 8 after 1 move</title>" in page
    first = run.json("replay", *chosen)["steps"][0]["position"]
    assert read_deal(None, json.dumps(first).encode(), "t") == deal


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ("4D\n", ": illegal move 1 (4D): '4D' may be 4D 5-f or 4D 5-7: say which"),
        ("7H f\nKS f\n", ": illegal move 2 (KS f): 'KS f': the top of column 8 is 4C"),
        ("hello world\n", ":1: expected a move, such as"),
        ("# game: joker\nMoves: 7H f\n", ":1: this is a deal of joker, but chessboard was named"),
        ("", ":1: no moves found"),
    ],
)
def test_moves_that_cannot_be_made(run, tmp_path, moves, problem):
    path = tmp_path / "moves"
    path.write_text(moves)
    for command in ("solve", "hint", "replay", "deal"):
        assert f"{path}{problem}" in run.fails(command, "chessboard", "--seed", 8, "--moves", path)
    assert f"{path}{problem}" in run.fails("review", "chessboard", "--seed", 8, path)


@pytest.mark.full
def test_what_play_prints_is_what_review_reads(run, files):
    for options in (["--player", "rule"], ["--visits", 30]):
        text = run("simulate", "joker", "--seed", 4, *options)[1]
        answer = run.json("simulate", "joker", "--seed", 4, *options)
        assert read_deal(None, text.encode(), "game") == Deal(find_variant("joker").deal(4), 4)
        for source, given in (
            ([], text.encode()),
            ([files / "joker.txt"], text.encode()),
            (["joker", "--seed", 4], json.dumps(answer)),
        ):
            _, out, err = run("review", *source, "-", "--work", 50, "--json", stdin=given)
            assert err == ""
            assert [step["move"] for step in json.loads(out)["steps"]] == answer["moves"]
        for decision in answer["decisions"][::20]:
            position = json.dumps(decision["position"])
            assert run("hint", "-", "--player", "rule", stdin=position)[0] == 0


# --- Names of deals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["three.txt", "three.jsonl"])
def test_text_and_json_agree_on_the_names_of_deals(run, files, name):
    for args, game in ((["solve", files / name], "fortress, "), (["solve", "fortress", files / name], "")):
        lines = run(*args)[1].splitlines()
        answers = [json.loads(line) for line in run(*args, "--json")[1].splitlines()]
        for number, (line, answer) in enumerate(zip(lines, answers, strict=True), 1):
            assert line.startswith(f"deal {number}, {game}seed {100 + number}: ")
            assert (answer["game"], answer["deal"], answer["seed"]) == ("fortress", number, 100 + number)
        assert len(answers) == 3
    assert "deal" not in run.json("solve", files / "fortress.txt")
    page = files / "page.html"
    assert "--html: expected one deal, got several" in run.fails("solve", files / name, "--html", page)
    assert not page.exists()


def test_reports_name_game_version_and_deal(run, files, tmp_path):
    for source, place in (("101-103", "seed"), (files / "three.txt", "deal")):
        store = tmp_path / f"{place}.sqlite"
        run("rate", "fortress", "--deals", source, "--output", store)
        rows = [json.loads(line) for line in run("report", store, "--jsonl")[1].splitlines()]
        table = list(csv.DictReader(io.StringIO(run("report", store, "--csv")[1])))
        version = run.json("report", store)["version"]
        for found in (rows, table):
            assert [list(row) for row in found] == [list(rows[0]) if found is rows else list(rows[0])[1:]] * 3
            assert {(row["game"], row["version"]) for row in found} == {("fortress", version)}
            numbers = [1, 2, 3] if place == "deal" else [101, 102, 103]
            assert [int(row[place]) for row in found] == numbers
    store = tmp_path / "joker.sqlite"
    run("rate", "joker", "--deals", "1", "--exchange", "exposed", "--output", store, "--work", 10)
    row = json.loads(run("report", store, "--jsonl")[1])
    assert (row["game"], row["exchange"]) == ("joker", "exposed")
