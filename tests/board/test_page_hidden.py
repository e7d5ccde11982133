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
    """Play a hidden game to its win, making each move by ``make``."""
    steps = steps_of(name, seed := SEEDS[name])
    choices = find_variant(name).deal(seed).choices
    draws = sum(source == "p0" for _, source, *_ in steps)
    assert (draws > 24 // choices.cards_drawn) == (choices.most_passes != 1), "or no redeal is played"
    page.open(f"game={name}&seed={seed}&mode=player", thinks=False, **screen)
    assert "hidden cards" in page.text("deal-name")
    play(page, steps, make)
    assert page.made() == [text for text, *_ in steps]
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    assert f"You needed {len(steps)} moves" in page.text("end")
    page.run("document.querySelector('#end [data-do=finish]').click()")
    page.wait("return document.getElementById('finish').hidden")
    assert "Won" in page.text("end")


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
    """The game is stopped after a whole pass through the stock and, where that is allowed, part of
    another."""
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
    told = page.text("end")
    assert ("No win: 0 of 52 cards up" if name == "joker" else f"Stopped after {draws} moves") in told
    assert page.run("return document.getElementById('end').dataset.kind") == "lost"
    assert page.run("return [...document.querySelectorAll('.card')].every(card => card.textContent)")
    page.wait("return document.getElementById('badge').dataset.kind !== 'searching'", seconds=90)
    page.run("document.querySelector('#end [data-do=restart]').click()")
    page.wait("return document.body.dataset.ply === '0' && document.getElementById('end').hidden")


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_weighed_is_said_to_be_so(page, seed):
    """While the stock is unknown only one continuation is advised, and hints say why."""
    page.open(f"game=klondike&seed={seed}&mode=player")
    page.wait(f"{BADGE}.includes('The next move costs nothing')")
    assert "Not tried yet" in page.text("badge")
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
    page.wait(f"{BADGE}.includes('all 52')")
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


def test_the_star_stays_where_two_lines_begin_with_one_move(page):
    """If two lines begin with one move, its row has the star, also while rows hold still under the focus."""
    page.open("game=joker&seed=4&mode=player&exchange=turned", thinks=False)
    page.click("hints")
    stars = page.browser.execute_async_script(
        "const done = arguments[0]; import(new URL('static/panel.js', location)).then(({ Options }) => {"
        " const box = document.createElement('section');"
        " box.innerHTML = '<h2>Moves <small></small></h2><ul class=\"rows\"></ul>'"
        "  + '<p class=\"then\"><span></span><button></button></p>'; document.body.append(box);"
        " const options = new Options(box, () => {}), play = { mark() {} }, tiers = {};"
        " const table = { table: document.createElement('div'), zones: new Map(), elements: [] };"
        " tiers.win = { probability: .9, error: .01, low: .88, high: .92 };"
        " const entry = (...moves) => ({ moves, visits: 9, tiers, reason: null });"
        " const position = { node: 7, moves: [], over: null };"
        " position.moves.push({ text: '6H 1-2', source: 'c0', target: 'c0' });"
        " options.isOn = true; const draw = (...advice) => {"
        "  options.chances = { advice }; options.draw(position, {}, true, table, play); };"
        " draw(entry('8S 2-3'), entry('6H 1-2')); box.querySelector('ul button').focus();"
        " draw(entry('6H 1-2', '8S 2-3'), entry('8S 2-3'), entry('6H 1-2', 'JC 3-4'));"
        " const rows = [...box.querySelectorAll('[data-text]')]; box.remove();"
        " done(rows.filter(row => row.querySelector('.best')).map(row => row.dataset.text)); })"
    )
    assert stars == ["6H 1-2"]


def test_a_hidden_game_in_which_nothing_is_left_to_weigh_is_at_its_end(page):
    page.open("game=joker&seed=4&mode=player&exchange=turned")
    page.click("hints")
    page.wait("return document.querySelectorAll('#options .tiers b').length > 0", seconds=60)
    page.run(
        "const real = JSON.parse; window.ended = 0; JSON.parse = text => {"
        " const message = real(text); if (message.method === 'chances') {"
        "  Object.assign(message.params, { state: 'done', advice: [], text: 'nothing' }); ended += 1; }"
        " return message; }"
    )
    press(page.browser, "t")
    page.wait("return ended > 0 && !document.getElementById('end').hidden")
    assert "No win: 0 of 52 cards up" in page.text("end")
    assert "No move that is left promises more: you may stop here." in page.text("end")
    assert not page.browser.find_element("id", "options").is_displayed()
    assert page.browser.find_element("css selector", "#end [data-do=finish]").is_displayed()
