"""The static site: its content, and the board in a browser without an installation."""

import gzip
import json
import os
import re
import shutil
from urllib.parse import urlsplit

import pytest
from tests.board.page import Page
from tests.browsing import start_browser
from tests.compiled import needs_kernels
from tests.web.serving import visiting

pytestmark = [needs_kernels, pytest.mark.full]
MOST_BYTES = 7_200_000  # compressed size of a first visit's transfer
KIND = "return document.getElementById('badge').dataset.kind"
LONG = "game=simon-jester&seed=3"  # shortening its line takes a minute


@pytest.fixture
def browser():
    """A browser with nothing stored."""
    driver = start_browser()
    driver.set_script_timeout(300)
    yield driver
    driver.quit()


def opened(browser, address, fragment):
    """The page at an address, once its position is shown."""
    page = Page(browser, address)
    browser.get(f"{address}#{fragment}")
    page.wait("return !!document.body.dataset.node", seconds=60)
    return page


def test_the_files_are_few_and_carry_their_licences(site):
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(len(gzip.compress(path.read_bytes(), 6)) for path in files)
    assert size < MOST_BYTES
    licences = (site / "LICENSES.txt").read_text("utf-8")
    needed = ("Mozilla Public License", "PYTHON SOFTWARE FOUNDATION LICENSE")
    sources = ("https://github.com/pyodide/pyodide", "https://github.com/python/cpython")
    assert [text for text in needed + sources if text not in licences] == []
    manifest = json.loads((site / "manifest.webmanifest").read_text("utf-8"))
    assert (site / manifest["icons"][0]["src"]).exists()
    policy = (site / "index.html").read_text("utf-8")
    assert not re.search("unsafe-inline|'unsafe-eval'", policy)
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", policy)


@pytest.mark.parametrize("way", ["shared", "wait", "spare"])
def test_a_move_stops_the_search_before(site, browser, way):
    """In each way to stop a search; nothing leaves the page and nothing is loaded from elsewhere."""
    with visiting(browser, site, *(["isolated"] if way == "shared" else [])) as (_, address):
        browser.get(f"{address}?stop={way}#{LONG}")
        page = Page(browser, address)
        page.wait("return !!document.body.dataset.node", seconds=60)
        assert page.run("return crossOriginIsolated") == (way == "shared")
        page.wait(f"{KIND} === 'winnable'", seconds=60)
        for ply in range(1, 4):
            page.run("document.querySelector('#hints[aria-pressed=\"false\"]')?.click()")
            page.wait("return document.querySelectorAll('#options [data-text]').length > 0", seconds=60)
            page.run("document.querySelector('#options [data-text]').click()")
            page.wait("return +document.body.dataset.ply === arguments[0]", ply, seconds=60)
            page.wait(f"{KIND} === 'winnable'", seconds=60)
        names = page.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert {urlsplit(name).netloc for name in names if name.startswith("http")} == {urlsplit(address).netloc}


LOOK = """
const done = arguments[0], said = [];
let id = 0, talk;
const ask = (method, params) => talk.send(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }));
import(new URL("static/transport.js", location)).then(({ connect }) => {
  talk = connect();
  ask("open", { game: "simon-jester", from: { winnable: true, level: "hard" } });
  talk.onmessage = ({ data }) => {
    const { method, id: answered, result, error } = JSON.parse(data);
    if (method === "dealing" && id === 1) ask("cancel", {});
    if (!answered) return;
    said.push(`${answered} ${error ? error.message : result.type}`);
    if (said.length === 2) ask("open", { game: "fortress", from: { today: "2026-11-24" } });
    if (said.length === 3) done(said);
  };
});
"""


@pytest.mark.parametrize("way", ["shared", "wait", "spare"])
def test_looking_for_a_deal_can_be_stopped(site, browser, way):
    with visiting(browser, site, *(["isolated"] if way == "shared" else [])) as (_, address):
        browser.get(f"{address}?stop={way}")
        assert browser.execute_async_script(LOOK) == ["2 done", "1 ended", "3 game"]


UNREADABLE = """
const [texts, done] = arguments, said = [];
import(new URL("static/transport.js", location)).then(({ connect }) => {
  const talk = connect();
  talk.onmessage = ({ data }) => {
    const { id, error } = JSON.parse(data);
    if (error) said.push([error.code, id]);
    if (said.length === texts.length) done(said);
  };
  for (const text of texts) talk.send(text);
});
"""


def test_what_is_no_request_has_the_code_of_the_specification(site, browser, complaints):
    complaints.expect("refused: a message: ")
    wrong = {"{": -32700, "": -32700, "null": -32600, "[]": -32600, '{"id": 1}': -32600}
    wrong |= {'{"id": 1, "method": "dance"}': -32601, '{"id": 1, "method": "ping", "params": []}': -32602}
    with visiting(browser, site) as (_, address):
        browser.get(address)
        found = browser.execute_async_script(UNREADABLE, list(wrong))
    told = [[code, 1 if "id" in text else None] for text, code in wrong.items()]
    assert sorted(found, key=str) == sorted(told, key=str)


def test_games_and_history_are_kept_and_it_works_offline(site, browser):
    with visiting(browser, site) as (_, address):
        page = opened(browser, address, "game=fortress&seed=8")
        assert page.run("return navigator.serviceWorker.ready.then(ready => !!ready.active)")
        page.click("hints")
        page.wait("return document.querySelectorAll('#options [data-text]').length > 0", seconds=60)
        page.run("document.querySelector('#options [data-text]').click()")
        page.wait("return document.body.dataset.ply === '1'", seconds=60)
        browser.get(f"{address}history.html")
        page.wait("return document.querySelectorAll('#games tbody tr').length === 1", seconds=60)
        assert "Fortress" in page.text("games")
    browser.get("about:blank")
    browser.get(address)  # its server has ended
    page.wait("return !!document.querySelector('.resume')", seconds=60)
    page.click_on(".resume")
    page.wait("return document.body.dataset.ply === '1'", seconds=60)
    assert "game=fortress" in page.run("return location.hash")


def test_a_game_with_hidden_cards_fetches_its_network(site, browser, tmp_path, complaints):
    """A failure to do so is told, and the next search tries again."""
    complaints.expect("value-joker.npz.* 404")
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    network = copy / "engine" / "value-joker.npz"
    network.unlink()
    with visiting(browser, copy) as (_, address):
        page = opened(browser, address, "game=joker&seed=4&mode=player")
        page.run("document.querySelector('#hints[aria-pressed=\"false\"]')?.click()")
        page.wait("return document.body.textContent.includes('value-joker.npz: 404')", seconds=60)
        os.link(site / "engine" / network.name, network)
        page.run("document.querySelector('#options [data-text]').click()")
        page.wait("return !document.body.textContent.includes('value-joker.npz: 404')", seconds=60)
        page.wait("return document.querySelectorAll('#options [data-text]').length > 0", seconds=60)
