"""The page of a line of play: its content, and its behaviour in a real browser."""

import base64
import hashlib
import json
import re
from itertools import pairwise

import pytest
from tests.browsing import OUTSIDE, complaints, press, set_screen, touch  # noqa: F401 - a fixture
from tests.compiled import needs_kernels

from winnable import SCHEMA
from winnable.rules import VARIANTS, find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.text import Deal

pytestmark = needs_kernels
SEEDS = {"chessboard": 8, "fortress": 8, "simon-jester": 1, "simon-jester-triangular": 1, "simple-simon": 1}
SEEDS |= {"joker": 1, "klondike-one-pass": 1}
SEEDS |= {"klondike": 8, "klondike-draw-one": 8, "klondike-vegas": 8, "klondike-vegas-one": 2}


@pytest.fixture(scope="module")
def line(run, tmp_path_factory):
    """The file of a line of play of a game's deal."""
    folder = tmp_path_factory.mktemp("lines")

    def call(name):
        path = folder / name
        if not path.exists():
            path.write_text(run("solve", name, "--seed", SEEDS[name], "--json", "--shorten", 0)[1])
        return path

    return call


def embedded(page):
    """The data for the script that a page contains."""
    return json.loads(re.search(r'<script type="application/json" id="play-data">(.*?)</script>', page)[1])


def board_of(variant, step):
    """The state of a step, read back from its columns, stock, waste and foundations."""
    piles = {(pile["kind"], pile["name"]): pile["cards"] for pile in step["piles"]}
    lines = [] if variant.has_stock else ["Position: in play, by columns"]
    lines += [column or ":" for column in step["columns"]]
    tops, removed = [], []
    for (kind, name), cards in piles.items():
        if kind != "foundation" or not cards:
            continue
        first, last = (cards.split()[i].partition("=") for i in (0, -1))
        top = last[2] or last[0][0]
        tops.append(f"{name}-{first[0][0]}:{top}" if variant.name == "chessboard" else f"{name}-{top}")
        for joker, _, place in (card.partition("=") for card in cards.split()):
            tops += [f"{joker}={place}{name}"] if place else []
    for (kind, name), cards in piles.items():
        if kind == "joker" and cards:
            note = next(pile["note"] for pile in step["piles"] if pile["name"] == name)
            removed += [name] if note == "out" else []
            tops += [f"{name}=A"] if note == "ace" else []
    if variant.has_stock or tops:
        lines.append("Foundations: " + " ".join(tops))
    if variant.has_stock:
        stock = reversed(piles["stock", "stock"].replace("<", "").replace(">", "").split())
        lines += [f"Stock: {' '.join(stock)}", f"Waste: {piles['waste', 'waste']}"]
        note = next(pile["note"] for pile in step["piles"] if pile["kind"] == "stock")
        if found := re.search(r"pass ([2-9]) of", note):
            lines.append(f"Redeals: {int(found[1]) - 1}")
    lines += [f"Removed: {' '.join(removed)}"] if removed else []
    return read_deal(variant, "\n".join(lines).encode(), "step").state


@pytest.mark.quick("fortress")
@pytest.mark.parametrize("name", VARIANTS)
def test_the_page_holds_every_position_of_the_line(run, line, name):
    variant = find_variant(name)
    page = run.out("replay", name, line(name), "--seed", SEEDS[name])
    data = embedded(page)
    answer = run.json("replay", name, line(name), "--seed", SEEDS[name])
    assert answer == {"schema": SCHEMA} | data
    state = variant.deal(SEEDS[name])
    assert sum("move" in step for step in data["steps"]) > 40
    for made, step in enumerate(data["steps"]):
        if made:
            state = variant.family.apply(state, variant.family.parse_move(state, step["move"]))
        shown = board_of(variant, step)
        assert variant.family.canonical(shown) == variant.family.canonical(state)
        read = read_deal(None, json.dumps(step["position"]).encode(), "step")
        assert (read, read.variant) == (Deal(state, SEEDS[name], made=made), variant)
        cards = " ".join([*step["columns"], *(pile["cards"] for pile in step["piles"])]).split()
        assert len(cards) == len(variant.deck().cards())
    assert data["outcome"].startswith(("won after", "score "))
    position = json.dumps(data["steps"][-2]["position"]).encode()
    assert run.out("hint", "-", "--count", 1, stdin=position).startswith("Verdict: ")
    moves = json.dumps(data).encode()  # a replay is a list of moves too
    assert run("verify", name, "--seed", SEEDS[name], "-", stdin=moves)[0] == 0


def test_solve_writes_the_page_too(run, tmp_path):
    path = tmp_path / "page.html"
    status, out, _ = run("solve", "chessboard", "--seed", 8, "--quiet", "--html", path)
    assert (status, out) == (0, "winnable\n")
    assert path.read_text() == run("replay", "chessboard", "--seed", 8)[1]


def test_a_given_line_is_shown_and_a_wrong_one_refused(run, tmp_path):
    deal, line = tmp_path / "deal", tmp_path / "line"
    deal.write_text(run("deal", "simple-simon", "--seed", 3)[1])
    variant = find_variant("simple-simon")
    state = variant.deal(3)
    move = variant.family.format_move(state, variant.family.legal_moves(state)[0])
    line.write_text(f"{move}\n")
    page = run.out("replay", "simple-simon", deal, line)
    data = embedded(page)
    assert [step.get("move") for step in data["steps"]] == [None, move]
    assert (data["verdict"], data["outcome"]) == (None, "not won after 1 move")
    path = tmp_path / "page.html"
    assert run("replay", "simple-simon", line, "--seed", 3, "-o", path)[:2] == (0, "")
    assert "seed 3" in path.read_text()
    line.write_text(f"{move}\nKS 1-2\n")
    status, out, err = run("replay", "simple-simon", deal, line)
    assert (status, out) == (2, "")
    assert re.fullmatch(rf"winnable: {line}: illegal move 2 \(KS 1-2\): .*\n", err)


def test_an_undecided_deal_is_shown_as_it_lies(run):
    status, page, _ = run("replay", "simon-jester", "--seed", 1, "--work", 1)
    assert status == 3
    data = embedded(page)
    assert (data["verdict"], data["outcome"], len(data["steps"])) == ("undecided", "no line of play", 1)


SHOWN = """
const shown = () => {
  const cards = [...document.querySelectorAll('.card')];
  const spots = cards.map(card => card.dataset.spot + ' ' + card.textContent);
  return [Number(document.body.dataset.step), spots.filter(spot => spot[0] === 'c').length,
    document.querySelector('[aria-current] .n').textContent, spots.sort().join()];
};
"""
CLICKS = f"""{SHOWN}
const all = [];
while (!document.getElementById(arguments[0]).disabled) {{
  document.getElementById(arguments[0]).click();
  all.push(shown());
}}
return all;
"""


@pytest.fixture
def open_page(browser, run, line, tmp_path):
    """Open the page of a game's deal in the browser; return the browser and the number of moves."""

    def call(name, width=1280, height=900, scheme="light"):
        path = tmp_path / f"{name}.html"
        run("replay", name, line(name), "--seed", SEEDS[name], "--output", path)
        set_screen(browser, width, height, scheme)
        browser.get(path.as_uri())
        browser.execute_script("localStorage.clear()")
        browser.get("about:blank")
        browser.get(path.as_uri())
        return len(embedded(path.read_text())["steps"]) - 1

    return call


@pytest.mark.full
@pytest.mark.parametrize("name", VARIANTS)
def test_the_page_steps_to_the_end_and_back(browser, open_page, name):
    count = open_page(name)
    seen = [browser.execute_script(SHOWN + "return shown()"), *browser.execute_script(CLICKS, "next")]
    assert [step for step, *_ in seen] == list(range(count + 1))
    assert [marked for *_, marked, _ in seen] == list(map(str, range(count + 1)))
    assert all(spots != after for (*_, spots), (*_, after) in pairwise(seen))
    if not VARIANTS[name].scoring:
        assert seen[-1][1] == 0  # no card is left in the columns
    assert browser.execute_script(CLICKS, "back") == seen[-2::-1]


@pytest.mark.full
def test_keys_buttons_and_the_list_move_through_the_line(browser, open_page):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    count = open_page("chessboard")

    def at():
        return browser.execute_script(SHOWN + "return shown()")[0]

    for key, step in ((Keys.END, count), (Keys.LEFT, count - 1), (Keys.HOME, 0), (Keys.RIGHT, 1)):
        press(browser, key)
        assert at() == step
    browser.find_element("id", "last").click()
    browser.find_element("id", "first").click()
    assert at() == 0
    browser.find_element("css selector", "#moves li:nth-child(8) button").click()
    assert at() == 7
    WebDriverWait(browser, 10).until(lambda _: browser.execute_script("return location.hash") == "#7")
    browser.execute_script("document.getElementById('speed').value = '150'")
    play = browser.find_element("id", "play")
    press(browser, Keys.SPACE)
    assert play.get_attribute("aria-label") == "Pause"
    WebDriverWait(browser, 10).until(lambda _: at() >= 9)
    press(browser, Keys.SPACE)
    assert play.get_attribute("aria-label") == "Play"
    stopped = at()
    browser.find_element("id", "play").click()
    WebDriverWait(browser, 10).until(lambda _: at() > stopped)
    browser.find_element("id", "next").click()
    assert play.get_attribute("aria-label") == "Play"


@pytest.mark.full
@pytest.mark.parametrize("name", VARIANTS)
def test_every_card_lies_within_the_screen(browser, open_page, name):
    count = open_page(name)
    for width, step in ((320, 0), (390, count // 2), (768, count // 3), (1280, count)):
        set_screen(browser, width, 800)
        browser.execute_script(f"go({step})")
        drawn = browser.execute_async_script("requestAnimationFrame(() => arguments[0](window.innerWidth))")
        assert drawn == width
        assert browser.execute_script(OUTSIDE) == [0, 0]


@pytest.mark.full
def test_looks_follow_the_system_and_the_buttons(browser, open_page):
    ink = "return getComputedStyle(document.body).backgroundColor"
    open_page("joker")
    light = browser.execute_script(ink)
    open_page("joker", scheme="dark")
    dark = browser.execute_script(ink)
    assert light != dark
    browser.find_element("id", "theme").click()
    assert browser.execute_script(ink) == light
    colour = "return ['C', 'S'].map(s => getComputedStyle(document.querySelector('.name.' + s)).color)"
    clubs, spades = browser.execute_script(colour)
    assert clubs != spades
    browser.find_element("id", "deck").click()
    clubs, spades = browser.execute_script(colour)
    assert clubs == spades
    hidden = (
        "return [...document.querySelectorAll('.card.down > *')]"
        ".filter(pip => getComputedStyle(pip).visibility === 'visible').length"
    )
    assert browser.execute_script(hidden) == 0
    browser.find_element("id", "peek").click()
    assert browser.execute_script(hidden) > 20


@pytest.mark.full
def test_the_page_can_be_heard(browser, open_page):
    open_page("joker")
    words = browser.find_element("id", "words").get_attribute("textContent")
    assert "Column 1: " in words
    assert re.search(r"\w+ of (clubs|diamonds|hearts|spades)", words)
    assert "face down " in words
    named = browser.execute_script(
        "return [...document.querySelectorAll('button, input, select')]"
        ".filter(e => !e.textContent.trim() && !e.getAttribute('aria-label')).length"
    )
    assert named == 0
    assert browser.find_element("id", "now").get_attribute("aria-live") == "polite"
    assert not browser.find_element("id", "advice").is_displayed()


@pytest.mark.full
def test_a_policy_names_the_one_style_and_the_one_script(run):
    page = run("replay", "chessboard", "--seed", 8)[1]
    policy = re.search(r'Content-Security-Policy"\s+content="([^"]*)"', page)[1]
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(content) == 1
        digest = base64.b64encode(hashlib.sha256(content[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert " style=" not in page
    assert not re.search(r"^import\b", content[0], re.MULTILINE)


@pytest.mark.full
def test_fingers_keys_in_the_menu_and_copies(browser, open_page):
    from selenium.webdriver.common.keys import Keys

    count = open_page("simple-simon", 375, 700)
    at = SHOWN + "return shown()[0]"
    for fro, to, step in ((300, 120, 1), (300, 120, 2), (120, 300, 1), (120, 140, 1)):
        touch(browser, (fro, 400), ((fro + to) // 2, 400), (to, 400))
        assert browser.execute_script(at) == step
    open_page("simple-simon")
    browser.execute_script("document.getElementById('speed').focus()")
    press(browser, Keys.RIGHT)
    assert browser.execute_script(at) == 1
    assert browser.execute_script("return document.getElementById('speed').value") == "1000"
    copied = "window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }"
    browser.execute_script(copied)
    browser.find_element("id", "copy-moves").click()
    browser.find_element("id", "copy-position").click()
    moves, position = browser.execute_script("return copied")
    assert len(moves.splitlines()) == count
    variant = find_variant("simple-simon")
    first = variant.family.parse_move(variant.deal(1), moves.splitlines()[0])
    after = variant.family.apply(variant.deal(1), first)
    assert read_deal(variant, position.encode(), "copy").state == after


@pytest.mark.full
def test_a_reviewed_game_has_its_mistakes_marked(browser, run, tmp_path):
    moves, path = tmp_path / "moves", tmp_path / "game.html"
    moves.write_text("9S 4-2\n7H 6-f\n")
    out = run.out("review", "chessboard", "--seed", 8, moves, "--html", path)
    assert "Move 2, 7H 6-f: makes the deal unwinnable" in out
    losses = [step.get("loss") for step in embedded(path.read_text())["steps"]]
    assert losses[:2] == [None, None]
    assert losses[2].startswith("makes the deal unwinnable; ")
    set_screen(browser, 1280, 900)
    browser.get(path.as_uri())
    marks = "return [...document.querySelectorAll('#moves li')].map(row => !!row.querySelector('.bad'))"
    assert browser.execute_script(marks) == [False, False, True]
    browser.find_element("id", "mistakes").click()
    assert browser.execute_script("return document.body.dataset.step") == "2"
    assert "makes the deal unwinnable" in browser.find_element("id", "now").text


def test_a_fair_review_has_its_words_on_the_page(run, tmp_path):
    moves, path = tmp_path / "game", tmp_path / "game.html"
    moves.write_text(run.out("simulate", "joker", "--seed", 8, "--player", "rule"))
    out = run.out("review", moves, "--fair", "--visits", 50, "--html", path)
    marked = re.findall(r"^Move (\d+), .*?: (.*)$", out, re.MULTILINE)
    losses = [step.get("loss") for step in embedded(path.read_text())["steps"]]
    told = [(str(number), loss.removeprefix("is ")) for number, loss in enumerate(losses) if loss]
    assert told == marked != []


@pytest.mark.full
def test_the_row_of_the_move_is_on_the_screen(browser, run, tmp_path):
    path = tmp_path / "game.html"
    run("simulate", "joker", "--seed", 4, "--visits", 60, "--html", path)
    set_screen(browser, 1280, 700)
    browser.get(path.as_uri())
    for at in range(0, len(embedded(path.read_text())["steps"]), 10):
        browser.execute_script(f"go({at})")
        row = "const box = document.querySelector('[aria-current]').getBoundingClientRect();"
        assert browser.execute_script(row + "return box.top >= 0 && box.bottom <= innerHeight"), at


@pytest.mark.full
def test_a_page_of_a_game_shows_what_the_player_saw_and_weighed(browser, run, tmp_path):
    path = tmp_path / "game.html"
    run("simulate", "joker", "--seed", 4, "--visits", 60, "--html", path)
    steps = embedded(path.read_text())["steps"]
    set_screen(browser, 1280, 900)
    browser.get(path.as_uri())
    browser.execute_script("localStorage.clear()")
    words = "return document.getElementById('words').textContent"
    panel = "return document.getElementById('advice').textContent"
    for at, step in enumerate(steps):
        browser.execute_script(f"go({at})")
        told = browser.execute_script(panel)
        assert told.startswith("What the player weighs")
        shown = browser.execute_script(words)
        hidden = [card for text in step["columns"] for card in re.findall("<(..)>", text)]
        assert shown.count("face down card") == len(hidden) + (step["piles"][0]["cards"] != "")
        rows = browser.execute_script(
            "return [...document.querySelectorAll('#advice tbody tr')].map(row => row.textContent)"
        )
        weighed = [entry for entry in step.get("advice", []) if entry["visits"]][:5]
        assert len(rows) == len(weighed)
        for row, entry in zip(rows, weighed, strict=True):
            percent = round(100 * entry["triple"]["probability"])
            assert re.search(rf"<1|>99|{percent}|{percent - 1}|{percent + 1}", row)
        if at == len(steps) - 1:
            assert "The game is over." in told
        elif "advice" not in step:
            assert "The decision goes on." in told
        elif not step["advice"]:
            assert "There is one move to make." in told
    browser.execute_script("go(0)")
    browser.find_element("id", "peek").click()
    assert "face down card" not in browser.execute_script(words)
    for width in (320, 390, 768, 1280):
        set_screen(browser, width, 800)
        browser.execute_async_script("requestAnimationFrame(() => arguments[0]())")
        assert browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth") <= 0
