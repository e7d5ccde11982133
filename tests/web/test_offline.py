"""The service worker: small sites of three files, stored and served by it in a browser."""

import shutil

import pytest
from tests.browsing import start_browser
from tests.children import wait_until
from tests.web.serving import serving
from web import build

pytestmark = pytest.mark.full

PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="version" content="@version@">
<link rel="icon" href="data:,">
<title>%s</title>
<script type="module" src="first.js"></script>
"""
FIRST = """import { second } from "./second.js";
document.documentElement.dataset.parts = `${document.title} %s ${second}`;
if (!location.search) navigator.serviceWorker.register("offline.js");
"""
SWITCH = """
const open = caches.open.bind(caches);
let fails = false;
caches.open = name => (fails ? Promise.reject(new Error("no storage")) : open(name));
addEventListener("message", ({ data }) => {
  if (data === "fail") fails = true;
});
"""

PARTS = "return document.documentElement.dataset.parts"
READY = "navigator.serviceWorker.ready.then(() => arguments[0]())"
NAMES = "caches.keys().then(arguments[0])"
# Opens the caches, which makes one again that is deleted meanwhile: not while versions change.
STORED = """
const done = arguments[0];
(async () => {
  const found = {};
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
  return found;
})().then(done);
"""
UPDATE = """
const done = arguments[0];
navigator.serviceWorker.getRegistration().then(async registration => {
  await registration.update();
  const worker = registration.installing || registration.waiting;
  if (!worker) return done("none");
  const look = () => {
    if (["installed", "redundant"].includes(worker.state)) done(worker.state);
  };
  worker.onstatechange = look;
  look();
}).catch(error => done(String(error)));
"""
TAKE_OVER = """
const done = arguments[0];
navigator.serviceWorker.oncontrollerchange = () => done();
navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting.postMessage({ takeOver: true }));
"""
FETCH = "fetch(arguments[0]).then(answer => answer.text()).then(arguments[1])"


@pytest.fixture
def browser():
    """A browser with nothing stored."""
    driver = start_browser()
    yield driver
    driver.quit()


def deploy(folder, version, head=""):
    """Write a site whose files tell their version."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in build.PAGES:
        (folder / page).write_text(PAGE % version, "utf-8")
    (folder / "first.js").write_text(FIRST % version, "utf-8")
    (folder / "second.js").write_text(f'export const second = "{version}";\n', "utf-8")
    (folder / "late.txt").write_text(version, "utf-8")
    worker = (build.ROOT / "web" / "offline.js").read_text("utf-8")
    (folder / "offline.js").write_text(head + worker, "utf-8")
    build.list_files(folder)


def parts(browser, address):
    """The versions of the files that a page is made of."""
    browser.get("about:blank")
    browser.get(address)
    return browser.execute_script(PARTS)


def opened(browser, address):
    """The versions of a page, once its service worker is ready."""
    found = parts(browser, address)
    browser.execute_async_script(READY)
    return found


def test_a_half_deployed_version_is_not_stored_and_the_old_one_goes_on(browser, tmp_path):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        assert opened(browser, address) == "1 1 1"
        second = (tmp_path / "second.js").read_text("utf-8")
        deploy(tmp_path, "2")
        whole = (tmp_path / "second.js").read_text("utf-8")
        (tmp_path / "second.js").write_text(second, "utf-8")
        assert browser.execute_async_script(UPDATE) == "redundant"
        assert parts(browser, address) == "1 1 1"
        assert len(browser.execute_async_script(NAMES)) == 1
        (tmp_path / "second.js").write_text(whole, "utf-8")
        assert browser.execute_async_script(UPDATE) == "installed"
        found = {"1 1 1"}
        wait_until(lambda: found.add(now := parts(browser, address)) or now == "2 2 2")
        assert found == {
            "1 1 1",
            "2 2 2",
        }  # the new worker takes over some time after the last page is closed
        wait_until(lambda: len(browser.execute_async_script(NAMES)) == 1)
        (stored,) = browser.execute_async_script(STORED).values()
    assert stored == ["/first.js", "/history.html", "/index.html", "/late.txt", "/second.js"]
    assert parts(browser, address) == "2 2 2"
    assert parts(browser, f"{address}history.html") == "2 2 2"


def test_an_open_page_does_not_mix_versions(browser, tmp_path):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        opened(browser, address)
        assert parts(browser, address) == "1 1 1"
        deploy(tmp_path, "2")
        assert browser.execute_async_script(UPDATE) == "installed"
        assert browser.execute_async_script(FETCH, "late.txt") == "1"
        browser.execute_async_script(TAKE_OVER)
        browser.refresh()
        assert browser.execute_script(PARTS) == "2 2 2"
        assert browser.execute_async_script(FETCH, "late.txt") == "2"
        wait_until(lambda: len(browser.execute_async_script(NAMES)) == 1)


def test_with_two_pages_open_a_new_version_waits(browser, tmp_path):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        opened(browser, address)
        assert parts(browser, address) == "1 1 1"
        browser.switch_to.new_window("tab")
        browser.get(address)
        deploy(tmp_path, "2")
        assert browser.execute_async_script(UPDATE) == "installed"
        browser.execute_async_script(
            """
            const done = arguments[0];
            navigator.serviceWorker.getRegistration().then(({ waiting }) => {
              waiting.postMessage({ takeOver: true });
              fetch("late.txt").then(() => done());
            });
            """
        )
        browser.refresh()
        assert browser.execute_script(PARTS) == "1 1 1"
        browser.close()
        browser.switch_to.window(browser.window_handles[0])


def test_two_copies_on_one_origin_keep_their_files(browser, tmp_path):
    folders = ("", "inner/", "other/")
    for folder in folders:
        deploy(tmp_path / folder, "1")
    shutil.rmtree(tmp_path / "inner")  # the outer site does not list the files of the inner ones
    shutil.rmtree(tmp_path / "other")
    deploy(tmp_path, "1")
    for folder in folders[1:]:
        deploy(tmp_path / folder, folder)
    with serving(tmp_path, "fresh") as (_, address):
        for folder in folders:
            opened(browser, address + folder)
        for folder in folders[1:]:
            deploy(tmp_path / folder, f"later {folder}")
            parts(browser, address + folder)
            assert browser.execute_async_script(UPDATE) == "installed"
            browser.execute_async_script(TAKE_OVER)
        wait_until(lambda: len(browser.execute_async_script(NAMES)) == len(folders))
    assert parts(browser, address) == "1 1 1"
    for folder in folders[1:]:
        assert parts(browser, address + folder) == " ".join([f"later {folder}"] * 3)


@pytest.mark.parametrize("lost", ["all", "/second.js", "/index.html"])
def test_what_is_lost_is_fetched_again(browser, tmp_path, lost):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        opened(browser, address)
        before = browser.execute_async_script(STORED)
        lose(browser, lost)
        assert parts(browser, address) == "1 1 1"
        wait_until(lambda: browser.execute_async_script(STORED) == before)
    assert parts(browser, address) == "1 1 1"
    assert browser.execute_async_script(FETCH, "late.txt") == "1"


def lose(browser, lost):
    """Delete a file from the caches, or all of them."""
    browser.execute_async_script(
        """
        const [lost, done] = arguments;
        (async () => {
          for (const name of await caches.keys())
            if (lost === "all") await caches.delete(name);
            else await (await caches.open(name)).delete(lost);
        })().then(done);
        """,
        lost,
    )


def test_what_is_lost_of_an_old_version_is_not_mixed_with_the_new_one(browser, tmp_path):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        opened(browser, address)
        lose(browser, "/second.js")
        deploy(tmp_path, "2")
        assert parts(browser, address) == "2 2 2"
        assert browser.execute_async_script(FETCH, "late.txt") == "2"


def test_without_storage_the_network_answers(browser, tmp_path):
    deploy(tmp_path, "1", SWITCH)
    with serving(tmp_path, "fresh") as (_, address):
        opened(browser, address)
        browser.get(address)
        browser.execute_script("navigator.serviceWorker.controller.postMessage('fail')")
        (tmp_path / "late.txt").write_text("from the network", "utf-8")
        assert browser.execute_async_script(FETCH, "late.txt") == "from the network"
        assert parts(browser, address) == "1 1 1"


def test_caches_of_version_3_0_0_are_deleted_in_this_folder_alone(browser, tmp_path):
    deploy(tmp_path, "1")
    with serving(tmp_path, "fresh") as (_, address):
        browser.get(f"{address}?unregistered")
        browser.execute_async_script(
            """
            const done = arguments[0];
            (async () => {
              const store = async (name, url) => (await caches.open(name)).put(url, new Response(""));
              await store("winnable 0123", "/index.html");
              await store("winnable 4567", "/inner/index.html");
              await caches.open("winnable 89ab");
              await store("of another program", "/index.html");
            })().then(done);
            """
        )
        opened(browser, address)
        names = sorted(browser.execute_async_script(STORED))
    assert names[:3] == ["of another program", "winnable 4567", "winnable 89ab"]
    assert [name.split(" ")[:2] for name in names[3:]] == [["winnable-site", "/"]]
