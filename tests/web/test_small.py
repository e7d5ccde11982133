"""The npm package `winnable`: examples, answers equal to those of Python, errors, and bundles."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests.browsing import start_browser
from tests.children import HANG, wait_until
from tests.compiled import SEARCHED, needs_kernels, searched_options
from tests.library.test_library import COUNT, FIRST, NODES, WORK, kernel_of
from tests.web.serving import serving
from web.npm import packed

from winnable.rules import find_variant

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "npm" / "winnable"
HERE = Path(__file__).parent / "small"
TOOLS = ROOT / "build" / "web" / "npm-tests"
VERSIONS = {"vite": "8.4.0", "esbuild": "0.28.2", "typescript": "7.0.2"}
PACKED = 256_000
VERDICTS = {False: "unwinnable", True: "winnable", None: "undecided"}
pytestmark = [needs_kernels, pytest.mark.full]


def missing(what):
    """Skip a test for want of ``what``, or fail it where all must be there."""
    if os.environ.get("WINNABLE_WEB_TESTS") == "1":
        pytest.fail(f"expected {what}")
    pytest.skip(f"needs {what}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the package is installed."""
    if not (BUILT.is_dir() and shutil.which("node")):
        missing("node, and build/npm/winnable as python -m web.npm makes it")
    folder = tmp_path_factory.mktemp("small")
    shutil.copytree(BUILT, folder / "node_modules" / "winnable")
    for file in HERE.glob("*.mjs"):
        shutil.copyfile(file, folder / file.name)
    return folder


@pytest.fixture(scope="module")
def tools():
    """The programs of npm packages that the tests use, by name."""
    npm = shutil.which("npm") or missing("npm")
    TOOLS.mkdir(parents=True, exist_ok=True)
    settings = json.dumps({"private": True, "dependencies": VERSIONS})
    file = TOOLS / "package.json"
    if not (file.exists() and file.read_text("utf-8") == settings and (TOOLS / "node_modules").is_dir()):
        file.write_text(settings, "utf-8")
        command = [npm, "install", "--no-audit", "--no-fund"]
        if subprocess.run(command, cwd=TOOLS, timeout=HANG, capture_output=True).returncode:
            file.unlink()
            missing("a registry of npm packages")
    return lambda name: str(TOOLS / "node_modules" / ".bin" / name)


def run(folder, *command):
    """Run a command in ``folder`` and return what it prints."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, (done.stderr or done.stdout)[-3000:]
    return done.stdout


# --- In node ------------------------------------------------------------------------------------------------


def test_the_examples_of_the_readme(folder):
    readme = (BUILT / "README.md").read_text("utf-8")
    first, second = (run_code(folder, code) for code in re.findall(r"```js\n(.*?)```", readme, re.DOTALL))
    assert re.search(r"^Deal \d+ \{", first)
    assert re.search(r"^\w+ \S+: (winnable|unwinnable|undecided)$", first, re.MULTILINE)
    assert re.search(r"^winnable true \d+\n\w+ \S+ winnable and \d+ more$", second)


def run_code(folder, code):
    """Run a module in node and return what it prints."""
    (folder / "example.mjs").write_text(code, "utf-8")
    return run(folder, "node", "example.mjs")


def test_the_readme_names_all_games_and_rule_options():
    readme = (ROOT / "web" / "small" / "README.md").read_text("utf-8")
    for name in SEARCHED:
        assert f"`{name}`" in readme
        for option, values in searched_options(name).items():
            assert f"`{option}`" in readme or len(values) < 2
            named = [value for value in values if len(values) > 1 and not value.isdecimal()]
            assert all(re.search(rf"\b{value}\b", readme) for value in named)


def test_the_example_for_node(folder):
    found = run_code(folder, (BUILT / "examples" / "node.mjs").read_text("utf-8"))
    assert found.startswith("# game: klondike-draw-one\n")
    assert re.search(r"^Deal \d+ is won in \d+ moves: true$", found, re.MULTILINE)


def test_commonjs(folder):
    code = 'const { Engine } = require("winnable"); const engine = new Engine("joker"); engine.deal(3);'
    code += "console.log(engine.solve().verdict)"
    (folder / "example.cjs").write_text(code, "utf-8")
    assert run(folder, "node", "example.cjs") == "winnable\n"


@pytest.mark.parametrize("name", ["old", "play", "search", "worker", "worker alone", "wrong"])
def test_the_engine_in_node(folder, name):
    name, *arguments = name.split()
    assert run(folder, "node", "--expose-gc", f"{name}.mjs", *arguments) == ""


@pytest.mark.parametrize("name", SEARCHED)
def test_deals_have_the_same_answers_as_in_python(folder, name):
    variant, kernel = find_variant(name), kernel_of(name)
    expected = []
    for seed in range(FIRST, FIRST + COUNT):
        state = variant.deal(seed)
        found = kernel.solve(state)
        row = [seed, VERDICTS[found.won], found.reason or "", kernel.expanded, kernel.work]
        for move in found.moves or ():
            row.append(variant.family.format_move(state, move))
            state = variant.family.apply(state, move)
        expected.append(",".join(map(str, row)))
    arguments = map(str, [name, FIRST, COUNT, NODES, WORK])
    assert run(folder, "node", "rows.mjs", *arguments).splitlines() == expected


# --- Types --------------------------------------------------------------------------------------------------

RIGHT = """
import { Engine, WorkerEngine, WinnableError, games, load, version, type Answer, type Game } from "winnable";
import { load as from } from "winnable/core";
const engine = new Engine("klondike", { draw: "1", passes: "3" });
const seed: number | bigint = engine.deal({ winnable: true, seed: "7", signal: AbortSignal.timeout(5) });
new Engine("joker").deal({ tier: "double" });
const any = new Engine("fortress" as Game);
any.play(any.hint({ onProgress: ({ done, total }) => done ?? total })[0]!);
const promised: Promise<number | bigint> = new WorkerEngine("joker").deal({ tier: "triple" });
const dealt: number | bigint = new WorkerEngine("joker").deal(3);
const answer: Promise<Answer> = new WorkerEngine("joker").solve({ seconds: 1 });
const title: string = games["simple-simon"].title;
load(); from(fetch("winnable.wasm")); void [seed, promised, dealt, answer, title, version, WinnableError];
"""
WRONG = [
    'new Engine("klondyke")',
    'new Engine("fortress", { draw: "1" })',
    'new Engine("klondike", { draw: "8" })',
    'new Engine("klondike", { deal: "1" })',
    'new Engine("fortress").deal({ tier: "double" })',
    'new Engine("joker").deal({ tier: "single" })',
    'new Engine("joker").solve({ minutes: 1 })',
    'new Engine("joker").solve().then',
    'new WorkerEngine("joker").solve().verdict',
    'new Engine("joker").seed = 3',
    "games.klondyke",
]


@pytest.mark.parametrize("module", ["mts", "cts"])
def test_types(folder, tools, module):
    settings = {"strict": True, "noEmit": True, "module": "nodenext", "target": "es2022", "types": []}
    settings |= {"lib": ["es2022", "dom"]}
    config = {"compilerOptions": settings, "files": [f"types.{module}"]}
    (folder / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    wrong = "".join(f"// @ts-expect-error\n{line};\n" for line in WRONG)
    (folder / f"types.{module}").write_text(RIGHT + wrong, "utf-8")
    run(folder, tools("tsc"), "-p", "tsconfig.json")


# --- In a browser -------------------------------------------------------------------------------------------

PAGE = """
const done = arguments[arguments.length - 1];
(async () => {
  const { Engine, WorkerEngine, load } = await import("/node_modules/winnable/index.js");
  await load();
  const worker = arguments[0] && (() => new Worker("/node_modules/winnable/worker.js"));
  const here = new Engine("simon-jester");
  const there = new WorkerEngine("simon-jester", {}, worker ? { worker } : {});
  here.deal(3);
  there.deal(3);
  const limits = { work: 100_000 }, control = new AbortController();
  const same = JSON.stringify(here.shortest(limits)) === JSON.stringify(await there.shortest(limits));
  const aborted = there.shortest({ signal: control.signal, onProgress: () => control.abort() });
  const next = there.solve();
  const found = [same, await aborted.catch((error) => error.name), (await next).verdict];
  there.close();
  found.push(globalThis.crossOriginIsolated);
  return found;
})().catch(String).then(done);
"""
CORE = """
const done = arguments[0];
(async () => {
  const { Engine, WorkerEngine, load } = await import("/node_modules/winnable/core.js");
  const found = [];
  try { new Engine("joker"); } catch ({ code }) { found.push(code); }
  await load(fetch("/node_modules/winnable/winnable.wasm"));
  const engine = new WorkerEngine("joker");
  engine.deal(3);
  found.push((await engine.solve()).verdict);
  engine.close();
  return found;
})().catch(String).then(done);
"""


@pytest.fixture(scope="module")
def browser():
    """A browser; its console must stay empty."""
    browser = start_browser()
    yield browser
    browser.quit()


def status(browser):
    """The status that a page shows."""
    return browser.execute_script("return document.getElementById('status').textContent")


def test_the_page_without_a_bundler(folder, browser):
    with serving(folder) as (_, address):
        browser.get(f"{address}node_modules/winnable/examples/page.html")
        wait_until(lambda: browser.execute_script("return document.getElementById('game').length") == 11)
        browser.execute_script("document.querySelector('form button').click()")
        wait_until(lambda: status(browser).endswith("can be won."))
        text = browser.execute_script("return document.getElementById('cards').textContent")
        assert text.startswith(f"# game: {next(iter(SEARCHED))}\n")


@pytest.mark.parametrize("options", [[], ["isolated"]])
@pytest.mark.parametrize("is_file", [False, True])
def test_the_engines_in_a_page(folder, browser, options, is_file):
    with serving(folder, *options) as (_, address):
        browser.get(f"{address}node_modules/winnable/examples/page.html")
        found = browser.execute_async_script(PAGE, is_file)
        assert found == [True, "AbortError", "winnable", bool(options)]


def test_the_core_in_a_page(folder, browser):
    with serving(folder) as (_, address):
        browser.get(f"{address}node_modules/winnable/examples/page.html")
        assert browser.execute_async_script(CORE) == ["not-loaded", "winnable"]


@pytest.mark.parametrize("bundler", ["vite", "esbuild"])
def test_bundles_made_by_default(folder, tools, browser, tmp_path, bundler):
    shutil.copytree(BUILT / "examples" / "vite", tmp_path, dirs_exist_ok=True)
    (tmp_path / "node_modules").mkdir()
    shutil.copytree(BUILT, tmp_path / "node_modules" / "winnable")
    site = tmp_path / "dist"
    if bundler == "vite":
        run(tmp_path, tools("vite"), "build")
    else:
        run(tmp_path, tools("esbuild"), "main.js", "--bundle", "--outfile=dist/main.js")
        shutil.copyfile(tmp_path / "index.html", site / "index.html")
    with serving(site) as (_, address):
        browser.get(address)
        browser.execute_script("document.getElementById('deal').click()")
        wait_until(lambda: re.fullmatch(r"Deal \d+ can be won\.", status(browser)))
        browser.execute_script("document.getElementById('hint').click()")
        wait_until(lambda: re.fullmatch(r"\w+ \S+: winnable", status(browser)))


@pytest.mark.parametrize("form", ["cjs", "esm"])
def test_bundles_for_node(folder, tools, tmp_path, form):
    code = 'import { WorkerEngine } from "winnable"; const engine = new WorkerEngine("joker");'
    code += "engine.deal(3); engine.solve().then(({ verdict }) => console.log(verdict));"
    (folder / "app.mjs").write_text(code, "utf-8")
    target = tmp_path / f"app.{'mjs' if form == 'esm' else 'cjs'}"
    options = ["--bundle", "--platform=node", f"--format={form}", f"--outfile={target}"]
    run(folder, tools("esbuild"), "app.mjs", *options)
    assert run(tmp_path, "node", str(target)) == "winnable\n"


# --- The package --------------------------------------------------------------------------------------------


def test_the_package_is_small_and_whole(folder, tmp_path):
    if not shutil.which("npm"):
        missing("npm")
    file = packed(BUILT, tmp_path)
    assert file.stat().st_size <= PACKED
    with tarfile.open(file) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    assert names == {path.relative_to(BUILT).as_posix() for path in BUILT.rglob("*") if path.is_file()}


def test_files_for_browsers_have_nothing_of_node():
    if not BUILT.is_dir():
        missing("build/npm/winnable as python -m web.npm makes it")
    for file in (*BUILT.glob("*.js"), BUILT / "cjs" / "bytes.js", BUILT / "cjs" / "source.js"):
        text = file.read_text("utf-8")
        assert not re.search(r"node:|\brequire\(", text), file.name


def test_arguments_are_refused_in_a_line():
    command = [sys.executable, "-m", "web.npm", "rubbish"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "expected no arguments, got rubbish\n"
