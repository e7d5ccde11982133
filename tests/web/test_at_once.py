"""The static site before Python is there: it deals, draws, judges and plays. Python goes on unnoticed."""

import json
import os
import shutil
from urllib.parse import quote

import pytest
from tests.board.page import Page
from tests.compiled import needs_kernels
from tests.web.serving import visiting
from tests.web.test_site import browser, opened

from winnable.rules import find_variant
from winnable.rules.formats.json_deals import table_object
from winnable.rules.tables import hidden

pytestmark = [needs_kernels, pytest.mark.full]
assert browser
OPTIONS = "return document.querySelectorAll('#options [data-text]').length > 0"
# Makes a move by the message that the page sends for a click.
MOVE = "document.querySelector(`#options [data-text='${arguments[0]}']`).click()"
PYTHON = "return document.documentElement.dataset.loading === '100'"

# Notes each look of the badge, and the cards that lie on the table.
WATCH = """
const badge = document.getElementById('badge');
window.cards = [...document.querySelectorAll('#table .card')];
window.kinds = [badge.dataset.kind];
new MutationObserver(() => {
  if (badge.dataset.kind !== kinds.at(-1)) kinds.push(badge.dataset.kind);
}).observe(badge, { attributes: true });
"""


@pytest.fixture
def without_python(site, tmp_path):
    """A copy of the site whose Python cannot be loaded."""
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    (copy / "engine" / "talk.js").unlink()
    return copy


def make_move(page):
    """Make the move that the hints name first."""
    page.wait(OPTIONS, seconds=60)
    node = page.node()
    page.run("document.querySelector('#options [data-text]').click()")
    page.wait("return document.body.dataset.node !== arguments[0]", node, seconds=60)


def test_it_plays_without_python(without_python, browser, complaints):
    """With verdicts, hints, undo, another deal, and a reload; what needs Python is refused in words."""
    complaints.expect("talk.js|could not be loaded")
    with visiting(browser, without_python) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
        page.click("hints")
        make_move(page)
        make_move(page)
        page.click("undo")
        page.wait("return document.body.dataset.ply === '1'")
        page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
        page.click("line")
        page.wait("return document.getElementById('say').textContent.includes('which failed')")
        browser.refresh()
        page.wait("return document.body.dataset.ply === '1'")
        page.click("another")
        page.wait("return document.body.dataset.ply === '0'", seconds=60)


@pytest.mark.parametrize("name", ["joker", "klondike"])
def test_hidden_cards_are_played_and_not_judged(without_python, browser, complaints, name):
    complaints.expect("talk.js|could not be loaded")
    with visiting(browser, without_python) as (_, address):
        page = opened(browser, address, f"game={name}&seed=4&mode=player")
        page.run(WATCH)
        page.click("turn")
        page.wait("return document.body.dataset.ply === '1'")
        assert page.run("return kinds") == ["searching"]
        assert "??" not in page.text("tree")


def test_python_goes_on_with_the_game_unnoticed(site, browser):
    """No verdict and no card changes by that, and the history has the game."""
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        make_move(page)
        page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
        page.wait("return location.hash.includes('moves=')")
        page.run(WATCH)
        before = page.run("return [document.body.dataset.node, location.hash]")
        page.wait(PYTHON, seconds=60)
        page.wait(
            "return document.getElementById('badge').textContent.includes('shortest possible')", seconds=60
        )
        assert page.run("return [document.body.dataset.node, location.hash]") == before
        assert page.run("return kinds") == ["winnable"]
        assert page.run("return cards.every(card => card.isConnected)")
        make_move(page)
        browser.get(f"{address}history.html")
        page.wait("return document.querySelectorAll('#games tbody tr').length === 1", seconds=60)


# Notes the look of the badge when a worker of Python starts.
STARTS = """
const Real = Worker;
window.Worker = class extends Real {
  constructor(address, ...more) {
    super(address, ...more);
    if (/talk/.test(address)) window.startedAt = document.getElementById('badge').dataset.kind;
  }
};
"""


@pytest.mark.parametrize(
    ("fragment", "kind"), [("fortress&seed=8", "winnable"), ("joker&seed=4&mode=player", "searching")]
)
def test_python_starts_after_the_first_verdict_or_table(site, browser, fragment, kind):
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STARTS})
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, f"game={fragment}")
        page.wait("return !!window.startedAt")
        assert page.run("return [startedAt, document.querySelectorAll('#table .card').length > 50]") == [
            kind,
            True,
        ]


def test_a_table_that_waits_is_drawn_at_a_first_visit(without_python, browser, complaints):
    """With its suits; then the page says why it cannot be opened."""
    complaints.expect("talk.js|could not be loaded")
    with visiting(browser, without_python) as (_, address):
        table = json.dumps(table_object(hidden(find_variant("klondike-one-pass").deal(4))))
        browser.get(f"{address}#game=klondike-one-pass&deal={quote(table)}")
        page = Page(browser, address)
        page.wait("return document.querySelectorAll('#table .card').length === 52")
        page.wait("return document.querySelector('.problem').textContent.includes('which failed')")


def test_games_that_python_did_not_see_come_into_the_history(site, browser):
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        make_move(page)
        page.run("location.hash = 'game=chessboard&seed=8'")
        page.wait("return document.body.dataset.ply === '0'")
        make_move(page)
        browser.get(f"{address}history.html")
        page.wait("return document.querySelectorAll('#games tbody tr').length === 2", seconds=60)


def test_a_game_is_not_lost_by_a_reload_or_a_short_look_at_the_history(site, browser):
    """Both before Python is there."""
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        make_move(page)
        browser.get(f"{address}history.html")
        browser.get(f"{address}#game=chessboard&seed=8")
        page.wait("return !!document.body.dataset.node")
        make_move(page)
        browser.refresh()
        page.wait("return document.body.dataset.ply === '1'")
        page.wait(PYTHON, seconds=60)
        browser.get(f"{address}history.html")
        page.wait("return document.querySelectorAll('#games tbody tr').length === 2", seconds=60)


def test_the_history_says_that_python_failed(without_python, browser, complaints):
    complaints.expect("talk.js|could not be loaded")
    with visiting(browser, without_python) as (_, address):
        page = Page(browser, address)
        browser.get(f"{address}history.html")
        page.wait("return document.getElementById('problem').textContent.includes('could not be loaded')")


def test_the_home_page_keeps_its_address_when_python_takes_the_game_over(site, browser):
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("new")
        page.wait("return document.body.dataset.page === 'home'")
        page.wait(PYTHON, seconds=60)
        assert page.run("return location.hash") == ""


def test_a_mistake_stays_marked_when_python_takes_the_game_over(site, browser):
    """Also where another move is the main line, and redo leads where it led."""
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        for ply, text in (("1", "6D 3-7"), ("0", None), ("1", "AH 9-f"), ("0", None)):
            page.wait("return !document.querySelector('#options .unknown')")
            if text is None:
                page.click("undo")
            else:
                page.run("document.querySelector('#options [data-all]')?.click()")
                page.wait(f"return !!document.querySelector(`#options [data-text='{text}']`)")
                page.run(MOVE, text)
            page.wait("return document.body.dataset.ply === arguments[0]", ply)
        marked = "return document.querySelectorAll('#tree .mistake').length"
        assert page.run(marked) == 1
        page.wait(PYTHON, seconds=60)
        assert page.run(marked) == 1
        page.click("redo")
        page.wait("return document.body.dataset.ply === '1'")
        page.wait("return location.hash.includes('AH+9-f')")  # moves in quick succession: after a pause


def test_a_game_that_waits_for_python_is_drawn_with_its_suits(site, browser):
    """After a reload: the table as it was left."""
    with visiting(browser, site) as (_, address):
        page = Page(browser, address)
        table = json.dumps(table_object(hidden(find_variant("klondike-one-pass").deal(4))))
        browser.get(f"{address}#game=klondike-one-pass&deal={quote(table)}")
        page.wait("return !!document.body.dataset.node", seconds=60)
        lies = "return [...document.querySelectorAll('.card')].map(card => card.style.transform).sort()"
        before = page.run(lies)
        browser.refresh()
        assert page.run("return document.getElementById('table').dataset.before") == ""
        assert page.run(lies) == before
        drawn = "[...document.querySelectorAll('#table use')].map(use => use.getAttribute('href').slice(1))"
        assert page.run(f"return {drawn}.every(name => document.getElementById(name))")
        page.wait("return !!document.body.dataset.node", seconds=60)
        assert page.run(lies) == before


GAMES = "return [...document.querySelectorAll('#home .tile, #home .tiny')].map(game => game.textContent)"


def test_the_home_page_is_there_before_its_scripts(site, browser):
    """The games stand in the HTML as the script draws them later."""
    assert (site / "index.html").read_text("utf-8").count('<article class="tile">') == 3
    with visiting(browser, site) as (_, address):
        browser.get(address)
        page = Page(browser, address)
        games = page.run(GAMES)
        assert len(games) == 11
        page.run("location.hash = 'game=fortress&seed=8'")
        page.wait("return !!document.body.dataset.node")
        page.click("new")
        page.wait("return !!document.querySelector('.resume')")
        assert page.run(GAMES) == games


# Drops requests for the history, which Python answers once all is written.
UNWRITTEN = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (!message?.ask || location.pathname.endsWith('history.html')) post.call(this, message, ...more);
};
"""
LEFT = "return JSON.parse(localStorage.getItem('winnable-left') ?? '[]').map(saved => saved.key)"


def test_a_game_is_kept_until_python_has_written_it(site, browser):
    """If the page ends before, the next one takes it into the history, once."""
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": UNWRITTEN})
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        make_move(page)
        page.wait(PYTHON, seconds=60)
        assert len(page.run(LEFT)) == 1
        browser.get(f"{address}history.html")
        page.wait("return document.querySelectorAll('#games tbody tr').length === 1", seconds=60)
        page.wait(f"return (() => {{ {LEFT} }})().length === 0")


# Browsers that keep no data of a page refuse its storages when they are named.
FORBIDDEN = """
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied'); } });
"""


def test_it_plays_where_nothing_may_be_stored(site, browser):
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FORBIDDEN})
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.click("hints")
        make_move(page)
        page.wait(PYTHON, seconds=60)
        make_move(page)
        assert page.run("return document.querySelectorAll('.problem:not([hidden])').length") == 0


# Python's answer to the first game that it is to take over is an error.
REFUSING = """
const post = Worker.prototype.postMessage;
const data = JSON.stringify({ jsonrpc: '2.0', id: 'over 0', error: { code: -3, message: 'no such game' } });
window.refused = false;
Worker.prototype.postMessage = function (message, ...more) {
  if (refused || !String(message).includes('"over 0"')) return post.call(this, message, ...more);
  refused = true;
  setTimeout(() => this.onmessage({ data }));
};
"""


def test_a_table_that_python_refuses_does_not_stop_other_games(site, browser):
    """The small engine goes on with it; what needs Python says why it cannot be had."""
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REFUSING})
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        page.wait("return refused", seconds=60)
        page.click("line")
        page.wait("return document.getElementById('say').textContent.includes('which failed: no such game')")
        page.run("location.hash = 'game=chessboard&seed=8'")
        page.wait(PYTHON, seconds=60)
        page.click("hints")
        make_move(page)
