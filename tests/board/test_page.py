"""The board in a real browser: whole games by clicks, drags and keys, mistakes, hints."""

import pytest
from tests.board.games import REDEALS, SEEDS, SHORT, play, steps_of
from tests.board.page import Page
from tests.browsing import press
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.board.places import source_of
from winnable.rules import VARIANTS, find_variant

pytestmark = [needs_kernels, pytest.mark.full]


FOCUS = "const { id, dataset } = document.activeElement; return id || dataset.do || dataset.place"


# test_page_hidden plays the lines of the former, and simon-jester has the cards of the last.
LATER = (*REDEALS, "simon-jester-triangular")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LATER else name for name in VARIANTS]
)
def test_a_whole_game_by_clicks(page, name):
    steps = steps_of(name, SEEDS[name])
    page.open(f"game={name}&seed={SEEDS[name]}", thinks=False)
    play(page, steps, Page.click_move)
    assert page.made() == [text for text, *_ in steps]
    if not find_variant(name).scoring:
        assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
        assert "Won" in page.text("banner")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_drags(page, name):
    steps = steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}", thinks=False)
    play(page, steps, Page.drag_move)
    assert "Won" in page.text("banner")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_keys(page, name):
    """Arrow keys go over the table, enter takes and puts down, and up takes more cards."""
    from selenium.webdriver.common.keys import Keys

    variant = find_variant(name)
    state, steps = variant.deal(SHORT[name]), steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}", thinks=False)
    press(page.browser, Keys.ARROW_RIGHT)
    at, columns = 0, len(state.columns)
    for number, (text, source, count, target) in enumerate(steps):
        keys = [Keys.ARROW_RIGHT] * ((int(source[1:]) - at) % columns)
        at = int(source[1:])
        if target[0] == "p":
            keys.append("f")
        else:
            moves = variant.family.legal_moves(state)
            counts = sorted({getattr(move, "count", 1) for move in moves if source_of(state, move) == source})
            keys += [Keys.ENTER, *[Keys.ARROW_UP] * counts.index(count)]
            keys += [Keys.ARROW_RIGHT] * ((int(target[1:]) - at) % columns) + [Keys.ENTER]
            at = int(target[1:])
        press(page.browser, *keys)
        page.await_move(number, text)
        state = variant.family.apply(state, variant.family.parse_move(state, text))
    assert "Won" in page.text("banner")


def test_a_move_that_throws_the_win_away(page):
    """It is marked as it is made, found again, tried again without the answer, and answered."""
    page.open("game=chessboard&seed=8")
    page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
    page.click_move("c5", 1, "p2")
    page.wait("return document.getElementById('badge').dataset.kind === 'unwinnable'")
    page.wait("return document.querySelectorAll('#tree .mistake').length === 1")
    page.wait("return document.getElementById('say').textContent.includes('loses the win')")
    assert page.run("return !!document.querySelector('.erred .card.moved')")
    page.click("undo")
    page.wait("return document.body.dataset.node === '0'")
    assert not page.run("return document.querySelector('.erred')")
    assert "winnable" in page.text("badge").lower()
    assert page.run(FOCUS) == "redo"
    press(page.browser, "m")
    page.wait("return /7[H\u2665]/.test(document.getElementById('review').textContent)")
    assert page.run(FOCUS) == "try"
    do = "document.querySelector('#review [data-do=' + arguments[0] + ']').click()"
    page.run(do, "try")
    page.wait("return document.body.dataset.node === '0'")
    assert page.run(FOCUS) == "c0"
    assert not page.run("return document.querySelector('.arrows')")
    page.click_move("c0", 1, "c5")
    page.wait("return document.getElementById('review').textContent.includes('Right')")
    assert page.run("return document.querySelectorAll('#tree .variation').length") == 1
    page.run(do, "show")
    page.wait("return !document.getElementById('viewer').hidden")
    assert page.run(FOCUS) == "next"
    total = page.run("return document.querySelector('#viewer .place').textContent").removeprefix("1 of ")
    page.run("document.querySelector('#viewer [data-do=last]').click()")
    assert f"{total} of {total}" in page.text("viewer")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    page.run("document.querySelector('#viewer [data-do=close]').click()")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 52


def test_hints_mark_every_move_and_point_at_the_best(page):
    from selenium.webdriver.common.keys import Keys

    page.open("game=fortress&seed=8")
    page.click("hints")
    rows = "return document.querySelectorAll('#options .rows button').length"
    count = len(find_variant("fortress").family.legal_moves(find_variant("fortress").deal(8)))
    page.wait(f"{rows} === arguments[0]", count)
    page.wait("return !document.querySelector('#options .unknown') && !!document.querySelector('.arrows')")
    page.run("document.querySelector('#options .rows button').focus()")
    press(page.browser, Keys.ENTER)
    page.wait("return document.body.dataset.node !== '0'")
    assert page.run(FOCUS) == "options"
    press(page.browser, Keys.TAB)
    assert page.run("return document.activeElement.matches('#options li:first-child button')")
    page.click("hints")
    assert not page.browser.find_element("id", "options").is_displayed()
    assert not page.run("return document.querySelector('.arrows')")


def test_an_illegal_drop_says_the_rule_and_changes_nothing(page):
    page.open("game=chessboard&seed=8", thinks=False)
    places = "return [...document.querySelectorAll('.card')].map(card => card.style.transform).sort().join()"
    before = page.run(places)
    page.drag_move("c0", 1, "c1")
    page.wait("return document.getElementById('say').classList.contains('refused')")
    assert "does not go on" in page.text("say")
    assert (page.run(places), page.node()) == (before, "0")


def test_a_second_game_is_played_by_one_pair_of_hands(page):
    """The listeners of an earlier game are gone: no move is sent twice."""
    page.open("game=chessboard&seed=8", thinks=False)
    for seed in (9, 8):
        page.run("location.hash = arguments[0]", f"#game=chessboard&seed={seed}")
        page.wait("return document.getElementById('deal-name').textContent === arguments[0]", f"seed {seed}")
    page.run(
        "window.sent = []; const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (text) {"
        " sent.push(JSON.parse(text).method); send.call(this, text); }"
    )
    page.click_move("c5", 1, "p2")
    page.wait("return document.body.dataset.node === '1'")
    assert page.run("return sent.filter(type => type === 'move').length") == 1


def test_ones_own_table_is_checked_at_once(page):
    page.open("game=chessboard&seed=8", thinks=False)
    page.click("new")
    page.run("document.querySelector('[name=game][value=chessboard]').click()")
    page.run("document.querySelector('[name=deal][value=table]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('Missing')")
    page.run("document.querySelector('.palette [data-card=AS]').click()")
    page.wait("return document.querySelector('.palette [data-card=AS]').classList.contains('gone')")
    page.run("document.querySelector('.palette [data-card=AS]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('Too often')")
    deal = "\n".join(str(find_variant("chessboard").deal(9)).splitlines())
    write = "const area = document.querySelector('.editor textarea'); area.value = arguments[0];"
    page.run(write + "area.dispatchEvent(new Event('input'))", deal)
    page.wait("return document.querySelector('.told').textContent.includes('can be opened')")
    page.click("deal")
    page.wait("return !document.getElementById('start').open && location.hash.includes('deal=')")
