"""The look of the page in a real browser: screens, phones, contrast, marks, screen readers."""

import os
import random
import re
from urllib.parse import quote_plus

import pytest
from tests.board.games import CHANGED, SEEDS, steps_of
from tests.board.talks import losing_move
from tests.browsing import OUTSIDE, set_screen, touch
from tests.compiled import SEARCHED, needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.game.places import landing, target_of
from winnable.rules import find_variant

pytestmark = needs_kernels
# Texts whose contrast with their background is below the level for people with weak eyes.
FAINT = """
const parts = text => text.match(/[\\d.]+/g).map(Number);
const colour = text => {
  const [r, g, b, alpha = 1] = parts(text), most = text.startsWith('color') ? 1 : 255;
  return { alpha, light: [r, g, b].map(value => value / most) };
};
const linear = value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
const luminance = ({ light }) =>
  light.map(linear).reduce((sum, value, i) => sum + value * [.2126, .7152, .0722][i], 0);
const behind = element => {
  for (; element; element = element.parentElement) {
    const found = colour(getComputedStyle(element).backgroundColor);
    if (found.alpha > .9) return found;
  }
};
const isText = element =>
  [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  && element.getBoundingClientRect().width && !element.closest('[hidden], :disabled, .sr, .thumb')
  && getComputedStyle(element).visibility !== 'hidden';
const isFaint = element => {
  const style = getComputedStyle(element), size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.6 && style.fontWeight >= 700);
  const both = [luminance(colour(style.color)), luminance(behind(element))];
  return (Math.max(...both) + .05) / (Math.min(...both) + .05) < (isLarge ? 3 : 4.5);
};
const texts = [...document.querySelectorAll('body *')].filter(isText);
return texts.filter(isFaint).map(element => element.outerHTML);
"""
# Cards whose index is hidden by the next card of the place, or cut off at their own edge.
CLIPPED = """
const key = card => card.dataset.spot.split('/'), CARDS = [...document.querySelectorAll('.card')];
return CARDS.filter(card => {
  const index = card.querySelector('.index'), [place, depth] = key(card);
  if (!index || card.classList.contains('down')) return false;
  const box = index.getBoundingClientRect(), own = card.getBoundingClientRect();
  const above = CARDS.find(other => other.dataset.spot === `${place}/${+depth + 1}`)?.getBoundingClientRect();
  if (above && above.top === own.top && above.left === own.left) return false;
  const isOut = box.right > own.right || index.scrollWidth > own.width;
  return isOut || above && box.bottom > above.top && box.right > above.left;
}).map(card => card.outerHTML);
"""
SIZES = [
    (320, 640), (390, 844), (740, 360), (768, 1000), (1280, 800), (1920, 1080), (2560, 1440), (3840, 2160),
]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", SEARCHED)
def test_every_card_is_on_the_screen_with_its_index(page, name):
    moves = ",".join(text for text, *_ in steps_of(name, SEEDS[name])[:30]).replace(" ", "+")
    page.open(f"game={name}&seed={SEEDS[name]}&moves={moves}", thinks=False)
    for width, height in SIZES:
        set_screen(page.browser, width, height)
        page.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        assert page.run(OUTSIDE) == [0, 0]
        assert page.run(CLIPPED) == [], (width, height)
        if height < 500:
            assert page.run("return document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.full
def test_a_draw_of_three_lies_fanned(page):
    """Only the top card of the draw can be picked up."""
    page.open("game=klondike&seed=1&mode=player", thinks=False)
    page.click_move("p0", 1, "p1")
    page.wait("return document.body.dataset.ply === '1'")
    waste = "[...document.querySelectorAll('.card[data-spot^=p1]')]"
    assert len(set(page.run(f"return {waste}.map(card => card.style.transform)"))) == 3
    x, y = page.run(f"const box = {waste}[0].getBoundingClientRect(); return [box.left + 4, box.top + 20]")
    touch(page.browser, (x, y))
    assert not page.run("return document.querySelector('.chosen')")


@pytest.mark.full
def test_a_win_is_a_cascade_unless_less_motion_is_asked_for(page):
    steps = steps_of("fortress", 8)
    moves = ",".join(text for text, *_ in steps[:-1]).replace(" ", "+")
    for motion in ("no-preference", "reduce"):
        page.open(f"game=fortress&seed=8&moves={moves}", thinks=False)
        features = [{"name": "prefers-reduced-motion", "value": motion}]
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page.click_move(*steps[-1][1:])
        page.wait("return !document.getElementById('end').hidden")
        count = 0 if motion == "reduce" else 52
        assert page.run("return document.querySelectorAll('.cascade .card').length") == count


@pytest.mark.full
def test_a_phone_by_touch(page):
    """Taps and drags with a finger; the page does not scroll under them."""
    steps = steps_of("simple-simon", 1)[:8]
    page.open("game=simple-simon&seed=1", 375, 740, thinks=False)
    for number, (text, *places) in enumerate(steps):
        node = page.node()
        first, last = page.spots(*places)
        if number % 2:
            touch(page.browser, first, (first[0] + 9, first[1] + 9), last)
        else:
            touch(page.browser, first)
            touch(page.browser, last)
        page.wait(CHANGED, node)
        assert page.made()[-1] == text
    assert page.run("return [scrollX, scrollY]") == [0, 0]


@pytest.mark.full
def test_the_cards_of_the_last_move_are_marked_after_a_joker_changed_places(page):
    """The marked card is at the place where the joker went, or where it was exchanged."""
    link, place = exchange()
    page.open(link, thinks=False)
    page.wait("return !!document.querySelector('.card.moved')")
    assert page.run("return document.querySelector('.card.moved').dataset.spot").startswith(place)


def exchange():
    """A link to a position of joker whose last move made an exchange, and the place where the joker went."""
    variant = find_variant("joker")
    for seed in range(26, 1000):
        chance, state, moves = random.Random(seed), variant.deal(seed), []
        for _ in range(60):
            move = chance.choice(variant.family.legal_moves(state))
            after = variant.family.apply(state, move)
            moves.append(variant.family.format_move(state, move).replace(" ", "+"))
            target = target_of(state, move)
            column = after.columns[int(target[1:])] if target[0] == "c" else None
            if column and landing(state, move, after) and moved(state, move) not in column:
                return f"game=joker&seed={seed}&moves={','.join(moves)}", target
            if not variant.family.legal_moves(after):
                break
            state = after
    raise AssertionError("no joker changes places")


def moved(state, move):
    """The first card that a move picks up."""
    return find_variant("joker").family.with_card(state, move).card


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_texts_stand_out(page, theme):
    page.open("game=joker&seed=4&mode=player")
    page.run("localStorage.setItem('winnable-theme', arguments[0])", theme)
    page.load("game=chessboard&seed=8&moves=7H+6-f")
    page.click("hints")
    page.wait("return document.querySelectorAll('#tree .mistake').length === 1")
    page.click("mistakes")
    page.wait("return !document.getElementById('review').hidden")
    assert page.run("return document.documentElement.dataset.theme") == theme
    assert page.run(FAINT) == []
    page.run("document.getElementById('title').style.color = 'var(--page)'")
    assert len(page.run(FAINT)) == 1
    page.run("document.getElementById('title').style.color = ''")
    assert barriers(page) == []
    page.run("location.hash = '#edit=joker'")
    page.wait("return document.querySelector('.told')?.textContent.includes('28 more places')")
    page.run("document.querySelector('.palette [data-card=AS]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('27 more places')")
    assert page.run(FAINT) == []
    assert barriers(page) == []


def barriers(page):
    """Accessibility problems that axe finds on the page, except minor ones."""
    axe = pytest.importorskip("axe_core_python.selenium", reason="the extra 'browser' is not installed")
    found = axe.Axe().run(page.browser)["violations"]
    return [(each["id"], each["help"]) for each in found if each["impact"] != "minor"]


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 1280])
def test_the_page_has_no_barriers(page, width):
    page.open("game=joker&seed=4&mode=player", width, 844)
    assert len(page.run("return document.querySelectorAll('#places button')")) == 15
    label = page.run("return document.querySelector('#places [data-place=c6]').getAttribute('aria-label')")
    assert re.match(r"Column 7, 6 face down, \w+ of \w+", label)
    label = page.run("return document.querySelector('#places [data-place=p0]').getAttribute('aria-label')")
    assert label.startswith("stock, 26 cards")
    assert barriers(page) == []
    page.click("hints")
    page.wait("return !!document.querySelector('#options [data-text]')", seconds=60)
    assert barriers(page) == []
    page.click_move("c3", 1, "c3")
    page.wait("return !document.getElementById('joker-card').hidden")
    assert barriers(page) == [], "with the card of a joker"
    page.run("document.querySelector('#joker-card [data-do=close]').click()")
    page.run("document.getElementById('finish').click()")
    page.wait("return document.getElementById('end').textContent.includes('could have gone up')", seconds=60)
    assert barriers(page) == [], "with the card of the end"
    page.click("help")
    assert barriers(page) == []
    page.run("document.getElementById('rules').close()")
    page.run("document.getElementById('menu').showPopover()")
    assert barriers(page) == []
    page.run("document.getElementById('menu').hidePopover()")
    page.click("new")
    assert barriers(page) == []
    page.click_on("[data-do=paste]")
    assert barriers(page) == []
    page.run("document.getElementById('start').close()")
    page.run("document.querySelector('[name=game][value=joker]').click()")
    widths = "const { scrollWidth, clientWidth } = document.getElementById('start');"
    assert page.run(f"{widths} return scrollWidth - clientWidth") == 0
    page.browser.get(page.address + ("history.html" if os.environ.get("WINNABLE_SITE") else "history"))
    page.wait("return document.readyState === 'complete'")
    assert barriers(page) == []


@pytest.mark.full
def test_labels_of_piles_do_not_run_into_each_other(page):
    """Including the number of the pass through the stock, on a phone and on a wide screen."""
    for width in (320, 390, 768, 1280):
        page.open("game=klondike-vegas&seed=1", width, 844, thinks=False)
        ends = page.run(
            "return ['p0', 'p1'].map(place => {"
            " const range = document.createRange();"
            " range.selectNodeContents(document.querySelector(`.label[data-place=${place}]`));"
            " const box = range.getBoundingClientRect(); return [box.left, box.right, box.top]; })"
        )
        assert ends[0][1] <= ends[1][0] or ends[0][2] < ends[1][2], width


OPTIONS = "return document.getElementById('options').textContent.replace(/\\s+/g, ' ')"
LOST_WAYS = {"chessboard": 8, "fortress": 8, "simple-simon": 1, "klondike-draw-one": 1}


@pytest.mark.quick("fortress-8-1280")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("name", "seed"), LOST_WAYS.items())
def test_in_a_lost_position_every_move_loses_and_the_way_back_is_offered(page, name, seed, width):
    moves = losing_move(name, seed)
    page.open(f"game={name}&seed={seed}&moves={','.join(map(quote_plus, moves))}", width)
    page.click("hints")
    page.wait(f"{OPTIONS}.includes('Every move loses')")
    page.wait("return !document.getElementById('regain').hidden")
    told = "not known|still wins|moves lose"
    assert not re.search(told, page.run(OPTIONS))
    assert page.run("return document.querySelectorAll('.arrows line').length") == 0
    assert page.browser.find_element("id", "regain").is_displayed()
    assert not page.browser.find_element("css selector", "#options .then:not(.lost)").is_displayed()
    assert page.run(OUTSIDE)[1] == 0
    page.run("document.querySelector('#options [data-all]')?.click()")
    page.wait("return document.querySelectorAll('#options .sign.bad').length > 0")
    assert not re.search(told, page.run(OPTIONS))
    page.click("regain")
    page.wait("return document.body.dataset.ply === arguments[0]", str(len(moves) - 1))
    page.wait("return document.querySelectorAll('#options .sign.best').length > 0")
    assert not page.browser.find_element("id", "regain").is_displayed()


@pytest.mark.quick(1)
@pytest.mark.parametrize(("name", "seed"), [("fortress", 1), ("joker", 29)])
def test_a_lost_deal_offers_no_way_back(page, name, seed):
    page.open(f"game={name}&seed={seed}")
    page.click("hints")
    page.wait("return !document.querySelector('#options .lost').hidden")
    assert ("Every move loses." if name == "fortress" else "A win is out of reach.") in page.run(OPTIONS)
    assert not page.browser.find_element("id", "regain").is_displayed()
    assert "none in" not in page.run(OPTIONS)
