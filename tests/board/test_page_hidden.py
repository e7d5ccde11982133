"""Games with hidden cards in a real browser, from their deal to their end."""

import pytest
from tests.board.games import CHANGED, REDEALS, SEEDS, play, steps_of
from tests.board.page import Page
from tests.browsing import press, touch
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.rules import find_variant

pytestmark = [needs_kernels, pytest.mark.full]

BADGE = "return document.getElementById('badge').textContent"
CARDS = "return document.querySelectorAll('.card').length"


def won(page, name, make, **screen):
    """Play a hidden game to its win, each move by ``make``."""
    steps = steps_of(name, seed := SEEDS[name])
    choices = find_variant(name).deal(seed).choices
    draws = sum(source == "p0" for _, source, *_ in steps)
    assert (draws > 24 // choices.cards_drawn) == (choices.most_passes != 1), "or no redeal is played"
    page.open(f"game={name}&seed={seed}&mode=player", thinks=False, **screen)
    assert "hidden cards" in page.text("deal-name")
    play(page, steps, make)
    assert page.made() == [text for text, *_ in steps]
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    assert f"Won in {len(steps)} moves" in page.text("banner")
    page.run("document.querySelector('#banner [data-do=finish]').click()")
    page.wait("return document.getElementById('finish').hidden")
    assert "Won" in page.text("banner")


def tap(page, source, count, target, spots=None):
    first, last = spots or page.spots(source, count, target)
    for place in [first, last][: 1 if source == "p0" else 2]:
        touch(page.browser, place)


@pytest.mark.parametrize("name", REDEALS)
def test_a_hidden_game_is_won_by_clicks_or_by_touch(page, name):
    if name in ("klondike", "klondike-vegas-one"):
        won(page, name, tap, width=390, height=844)
    else:
        won(page, name, Page.click_move)


@pytest.mark.parametrize("name", REDEALS)
def test_the_form_as_it_is_preselected_deals_a_game_that_can_be_played(page, name):
    page.open("game=chessboard&seed=8", thinks=False)
    page.click("new")
    page.run("document.querySelector('[name=game][value=' + arguments[0] + ']').click()", name)
    assert page.run("return document.querySelector('[name=deal]:checked').value") == "winnable"
    assert page.run("return document.getElementById('mode').value") == "player"
    page.click("deal")
    page.wait("return document.getElementById('deal-name').textContent.includes('hidden cards')")
    for number in (1, 2):
        page.click_move("p0", 1, "p1")
        page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    assert page.run("return document.querySelectorAll('.card[data-spot^=p1]').length") in (2, 6)


@pytest.mark.parametrize("name", [*REDEALS, "joker"])
def test_a_game_that_is_given_up_shows_its_cards(page, name):
    """After a whole pass through the stock, and a part of another one where that is allowed."""
    from selenium.webdriver.common.keys import Keys

    page.open(f"game={name}&seed=5&mode=player")
    state, draws = find_variant(name).deal(5), 26
    if name == "joker":
        page.click("hints")
    else:
        draws = 24 // state.choices.cards_drawn + (0 if state.choices.most_passes == 1 else 2)
    for number in range(1, draws + 1):
        press(page.browser, "t")
        page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    down = "return document.querySelectorAll('.card.down[data-spot^=c]').length"
    assert page.run(down) == 21
    if name == "joker":
        page.wait("return !document.getElementById('badge').classList.contains('busy')", seconds=90)
    page.click("finish")
    page.wait("return document.getElementById('finish').hidden")
    assert page.run(CARDS) == len(state.deck.cards())
    assert page.run("return document.getElementById('peek').checked")
    assert ("no win" if name == "joker" else f"Stopped after {draws} moves") in page.text("banner")
    assert "bad" in page.run("return document.getElementById('banner').className")
    assert page.run("return [...document.querySelectorAll('.card')].every(card => card.textContent)")
    press(page.browser, Keys.ESCAPE)
    assert page.run("return document.getElementById('banner').hidden")
    assert page.run("return document.activeElement.dataset.place") == "c0"
    page.wait("return document.getElementById('badge').dataset.kind !== 'searching'", seconds=90)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_weighed_is_said_to_be_so(page, seed):
    """While the stock is not known there is one thing to do, and hints say why."""
    page.open(f"game=klondike&seed={seed}&mode=player")
    page.wait(f"{BADGE}.includes('The next move costs nothing')")
    assert "Not weighed" in page.text("badge")
    page.click("hints")
    page.wait("return document.getElementById('options').textContent.includes('costs nothing')")
    page.wait("return !!document.querySelector('.arrows')")
    page.wait("return !document.getElementById('badge').classList.contains('busy')")
    weighed = "return document.querySelectorAll('#options .tiers b').length > 0"
    reason = "return document.querySelector('#options [data-text] small')?.textContent"
    reasons = []
    while not page.run(weighed):
        reasons.append(page.run(reason))
        page.run("document.querySelector('#options [data-text]').click()")
        page.wait("return document.body.dataset.ply === arguments[0]", str(len(reasons)))
        page.wait("return !!document.querySelector('#options [data-text]')")
        page.wait("return /costs|cannot|%/.test(document.getElementById('options').textContent)")
    assert sum("costs nothing" in text for text in reasons) == 8
    page.wait(f"{BADGE}.includes('All 52 ')")
    page.wait("return document.querySelectorAll('#options .tiers b').length > 0")
    assert page.run("return document.querySelector('#options .heads').textContent") == "% win"


def test_another_game_is_opened_from_a_hidden_one_with_hints(page):
    page.open("game=klondike&seed=1&mode=player")
    page.click("hints")
    page.wait("return document.getElementById('options').textContent.includes('costs nothing')")
    node = page.node()
    press(page.browser, "t")
    page.wait(CHANGED, node)
    page.click("new")
    page.run("document.querySelector('[name=game][value=chessboard]').click()")
    page.run("document.querySelector('[name=deal][value=random]').click()")
    page.click("deal")
    page.wait("return !document.getElementById('start').open")
    assert page.text("title") == "Chessboard"
    page.wait("return document.querySelectorAll('#options .rows button').length > 2")
