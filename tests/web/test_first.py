"""The page's game before Python is there: equal to Python's, message by message."""

import json
import random
import shutil
import subprocess
from urllib.parse import quote

import pytest
from tests.board.talks import held
from tests.compiled import SEARCHED, needs_kernels, searched_options
from tests.web.test_small import BUILT, missing
from web import npm, scripts

from winnable.rules import find_variant
from winnable.rules.formats.json_deals import object_of, table_object
from winnable.rules.formats.text import Deal
from winnable.rules.tables import hidden
from winnable.solver import solve

pytestmark = [needs_kernels, pytest.mark.full]
HERE = scripts.ROOT / "tests" / "web" / "first"
OPEN = ("auto", "key", "seconds", "why")  # what only Python knows, and what differs by chance
WORDS = "jokers"  # Python alone says which cards a joker stands for


class First:
    """The session in node."""

    def __init__(self, script):
        command = ["node", str(script), str(BUILT / "winnable.wasm")]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, kind, **params):
        """The answer to a request, and what was told before it."""
        self.process.stdin.write(json.dumps({"type": kind, **params}) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        return said["answer"], said["told"]


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script of the session, bundled with what it imports."""
    if not BUILT.is_dir():
        missing("build/npm/winnable as python -m web.npm makes it")
    folder = tmp_path_factory.mktemp("first")
    scripts.collect(folder)
    shutil.copyfile(HERE / "session.mjs", folder / "session.mjs")
    npm.bundle(folder / "session.mjs", folder / "bundle.mjs", "--format=esm", "--platform=node")
    return folder / "bundle.mjs"


@pytest.fixture
def first(script):
    """A session in node."""
    session = First(script)
    yield session
    session.process.communicate()


def compared(value):
    """A message with its moves in one order, without `OPEN`: equal in both."""
    if isinstance(value, dict):
        cut = {WORDS: [text.partition(",")[0] for text in value[WORDS]]} if WORDS in value else {}
        return {key: compared(each) for key, each in (value | cut).items() if key not in OPEN}
    if not isinstance(value, list):
        return value
    found = [compared(each) for each in value]
    is_moves = found and isinstance(found[0], dict) and "targets" in found[0]
    return sorted(found, key=lambda move: (move["text"], move["count"])) if is_moves else found


def some_line(rng, variant, state):
    """Up to thirty moves by chance from a state, as text, and the state after them."""
    moves = []
    for _ in range(rng.randrange(30)):
        legal = variant.family.legal_moves(state)
        if not legal:
            break
        move = rng.choice(legal)
        moves.append(variant.family.format_move(state, move))
        state = variant.family.apply(state, move)
    return moves, state


def some_opening(rng, variant):
    """A request to open a game: by its seed, a link with moves, or a link of a table."""
    seed, way = rng.randrange(10**6), rng.choice(["seed", "link", "table"])
    choices = {
        name: rng.choice(values)
        for name, values in searched_options(variant.name).items()
        if rng.random() < 0.3
    }
    mode = rng.choice(["analysis", "player"]) if variant.hiding else "analysis"
    if way == "seed":
        return {"game": variant.name, "mode": mode, "from": {"seed": seed}, "choices": choices}
    moves, state = some_line(rng, variant, variant.deal(seed, choices=choices))
    fields = {"game": variant.name}
    if way == "table":
        fields["deal"] = json.dumps(object_of(Deal(state)), separators=(",", ":"))
    else:
        fields |= {"seed": str(seed)} | choices | ({"mode": mode} if mode == "player" else {})
        fields |= {"moves": ",".join(moves).replace(" ", "+")} if moves else {}
        fields |= {"at": str(rng.randrange(len(moves) + 1))} if moves and rng.random() < 0.4 else {}
    link = "#" + "&".join(f"{key}={quote(value, safe='=,+()?')}" for key, value in fields.items())
    return {"from": {"link": link}}


def some_request(rng, position, count):
    """A request of a person, who sees the moves of ``position`` in a tree of ``count`` positions."""
    kind = rng.choices(["undo", "redo", "restart", "goto", "move"], [8, 4, 1, 4, 83])[0]
    if kind == "goto":
        return kind, {"node": rng.randrange(count)}
    if kind != "move" or not position["moves"]:
        return ("undo" if kind == "move" else kind), {}
    move = rng.choice(position["moves"])
    if rng.random() < 0.5:
        return kind, {"text": move["text"]} | ({"aside": True} if rng.random() < 0.1 else {})
    counts = {"count": rng.choice([0, move["count"]])}
    return kind, {"source": move["source"], "target": rng.choice(move["targets"])} | counts


@pytest.mark.parametrize("name", SEARCHED)
def test_it_answers_as_python_does(first, name):
    """Random games with detours, in all rule options, with cards hidden and seen."""
    rng = random.Random(name)

    @held
    async def play(talk):
        compared_positions = 0
        for _ in range(10):
            request, here = some_opening(rng, find_variant(name)), {"moves": []}
            request = ("open", request | {"think": False})
            for _ in range(60):
                kind, params = request
                found, told = first.ask(kind, **params)
                before = len(talk.told)
                expected = await talk.ask(kind, **params)
                nodes = [message for message in talk.told[before:] if message["type"] == "nodes"]
                expected = {key: value for key, value in expected.items() if key != "id"}
                assert compared(found) == compared(expected), request
                assert compared(told) == compared(nodes), request
                here = {"game": expected.get("position"), "position": expected}.get(expected["type"], here)
                compared_positions += expected["type"] in ("game", "position")
                request = some_request(rng, here, len(talk.talk.session.tree.nodes))
        return compared_positions

    play()


@pytest.mark.parametrize("name", ["chessboard", "simon-jester"])
def test_python_takes_the_game_over_as_it_is(first, name):
    """With the numbers of its positions, its variations, its main line, and the moves made with help."""
    rng = random.Random(name)
    position = first.ask("open", game=name, **{"from": {"seed": 8}, "think": False})[0]["position"]
    first.ask("hints", on=True)
    for count in range(1, 60):
        kind, params = some_request(rng, position, min(count, 5))
        answer, _ = first.ask(kind, **params)
        position = answer if answer["type"] == "position" else position
    requests = first.ask("handover")[0]

    @held
    async def take_over(talk):
        answers = [await talk.ask(request.pop("type"), **request) for request in requests]
        assert {answer["type"] for answer in answers} <= {"game", "position", "done"}
        last = await talk.ask("goto", node=position["node"])
        del last["id"]
        changed = ("turned_back", "redo", "link")  # the line after the position is the main one
        assert compared(last) | dict.fromkeys(changed) == compared(position) | dict.fromkeys(changed)
        nodes = {node["node"]: node for node in answers[0]["nodes"]}
        for node in [
            node for message in talk.told if message["type"] == "nodes" for node in message["nodes"]
        ]:
            nodes[node["node"]] = node
        told = first.ask("goto", node=0)[1]
        assert told == []
        return nodes

    take_over()


def test_it_judges_positions_and_moves(first):
    """As the solver does: verdicts and lengths, then the moves, with a mistake named."""
    state = find_variant("fortress").deal(8)
    first.ask("open", game="fortress", **{"from": {"seed": 8}})
    _, told = first.ask("hints", on=True, awaited="marks")
    analysis = [message for message in told if message["type"] == "analysis"][-1]
    result = solve("fortress", state, shorten=0)
    assert (analysis["verdict"], analysis["length"]) == (result.verdict, len(result.moves))
    marks = next(message for message in told if message["type"] == "marks")["marks"]
    family = find_variant("fortress").family
    for move in family.legal_moves(state):
        verdict = solve("fortress", family.apply(state, move), shorten=0).verdict
        assert marks[family.format_move(state, move)]["verdict"] == verdict
    loses = next(text for text, mark in marks.items() if mark["keeps"] is False)
    _, told = first.ask("move", text=loses, awaited="judged")
    nodes = [node for message in told if message["type"] == "nodes" for node in message["nodes"]]
    (mistake,) = [node for node in nodes if node["mark"]]
    assert (mistake["move"], mistake["loss"]) == (loses, "makes the deal unwinnable")


@pytest.mark.parametrize("name", ["joker", "klondike"])
def test_hidden_cards_are_neither_told_nor_judged(first, name):
    answer, _ = first.ask("open", game=name, mode="player", **{"from": {"seed": 4}})
    assert "analysis" not in json.dumps(answer["position"])
    _, told = first.ask("hints", on=True, awaited="judged")
    assert told == []
    seen = {card for text in answer["position"]["picture"]["columns"] for card in text.split()}
    hidden = {card for column in find_variant(name).deal(4).columns for card in map(str, column)}
    assert "<??>" in seen
    assert not hidden & seen


def test_deals_are_looked_for_as_python_looks(first):
    @held
    async def look(talk):
        for name in ("fortress", "joker"):
            request = {"game": name, "from": {"today": "2026-11-24"}, "think": False}
            found, told = first.ask("open", **request)
            expected = await talk.ask("open", **request)
            assert found["seed"] == expected["seed"]
            assert [message["type"] for message in told] == ["dealing"] * len(told)

    look()


@pytest.mark.parametrize("name", ["klondike-one-pass", "joker", "klondike-draw-one"])
def test_a_table_with_unknown_cards_is_drawn_as_python_draws_it(first, name):
    """Without its words, which only Python has; also where columns are empty."""
    rng = random.Random(name)
    variant = find_variant(name)

    @held
    async def draw(talk):
        for _ in range(10):
            _, state = some_line(rng, variant, variant.deal(rng.randrange(10**6)))
            table = json.dumps(table_object(hidden(state)), separators=(",", ":"))
            link = f"#game={name}&deal={quote(table, safe='=,+()?')}"
            answer, (drawn,) = first.ask("open", **{"from": {"link": link}})
            assert answer["type"] == "later"
            expected = await talk.ask("open", **{"from": {"link": link}})
            assert drawn["fan"] == expected["fan"]
            picture = expected["position"]["picture"]
            assert drawn["picture"]["columns"] == picture["columns"]
            cards = {pile["name"]: pile["cards"] for pile in picture["piles"] if pile["kind"] != "joker"}
            assert {pile["name"]: pile["cards"] for pile in drawn["picture"]["piles"]} == cards

    draw()


LATER = [
    ("open", {"from": {"text": "3S 8H"}}),
    ("open", {"from": {"link": "#game=fortress&pysol=5"}}),
    ("open", {"from": {"link": "#game=fortress&seed=8&moves=KS+1-2"}}),
    ("open", {"from": {"link": "#game=fortress&seed=8&sead=9"}}),
    ("open", {"game": "fortress", "from": {"winnable": True, "level": "hard"}}),
    (
        "open",
        {"from": {"saved": {"game": "joker", "mode": "player", "held": "name", "nodes": [], "here": 0}}},
    ),
    ("line", {"node": 0}),
    ("save", {"what": "game"}),
    ("dance", {}),
]


@pytest.mark.parametrize(("kind", "params"), LATER)
def test_what_it_cannot_do_is_left_to_python(first, kind, params):
    assert first.ask(kind, **params)[0]["type"] == "later"
