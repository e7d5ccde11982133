"""The npm package winnable-full in node and in a page: examples, answers equal to the native ones, limits."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests import schemas
from tests.browsing import start_browser
from tests.children import HANG, wait_until
from tests.compiled import SEARCHED, needs_kernels
from web.npm import packed

from winnable import deal, solve
from winnable.solver import Limits

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "npm" / "winnable-full"
TIMELESS = {"seconds": 0, "cpu_seconds": 0}
LIMITS = {"nodes": 20_000, "megabytes": 1000}
pytestmark = [needs_kernels, pytest.mark.full]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the package and Pyodide are installed."""
    pyodide = next((ROOT / "build" / "web").glob("pyodide-*/"), None)
    if not (BUILT.is_dir() and pyodide and shutil.which("node")):
        if os.environ.get("WINNABLE_WEB_TESTS") == "1":
            pytest.fail("expected node, and build/npm/winnable-full as python -m web.build makes it")
        pytest.skip("needs node, and build/npm/winnable-full as python -m web.build makes it")
    folder = tmp_path_factory.mktemp("package")
    modules = folder / "node_modules"
    shutil.copytree(BUILT, modules / "winnable-full")
    (modules / "pyodide").symlink_to(pyodide, target_is_directory=True)
    return folder


def run(folder, code):
    """Run a module in node and return what it prints."""
    (folder / "test.mjs").write_text(code, "utf-8")
    done = subprocess.run(
        ["node", "test.mjs"], cwd=folder, capture_output=True, text=True, timeout=HANG, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(folder, code):
    """Run ``code`` with the engine as ``w``; return the values that it pushes to ``found``."""
    head = 'import { load, EngineError } from "winnable-full";\nconst w = await load(), found = [];\n'
    return json.loads(run(folder, f"{head}{code}\nconsole.log(JSON.stringify(found));\nw.close();\n"))


def requests(folder, *asked):
    """The answers to requests, (method, params) each; for an error its code and message."""
    code = (
        f"for (const [method, params] of {json.dumps(asked)})\n"
        "  found.push(await w.request(method, params).catch(({ code, message }) => ({ code, message })));"
    )
    return ask(folder, code)


def test_the_examples_of_the_readme(folder):
    examples = re.findall(r"```js\n(.*?)```", (BUILT / "README.md").read_text("utf-8"), re.DOTALL)
    first, second, third = (run(folder, example) for example in examples)
    assert first.startswith("# game: klondike\n")
    assert second.endswith("winnable 69 true\n")
    assert "a better line: " in second
    assert third.splitlines()[0].endswith(" 1")
    assert third.splitlines()[1].startswith("true -32602 limits: ")


def test_a_request_that_cannot_be_read_is_rejected_and_the_next_is_answered(folder):
    """One that is too long has no id in its answer."""
    long = {"deal": "x" * 1_000_000}
    asked = [
        ("position", long),
        ("dance", {}),
        ("position", []),
        (7, {}),
        ("deal", {"game": "fortress", "seed": 8}),
    ]
    *wrong, right = requests(folder, *asked)
    assert [error["code"] for error in wrong] == [-32600, -32601, -32602, -32600]
    assert right["position"]["game"] == "fortress"


def test_all_games_are_solved_as_natively(folder):
    seeds = [(name, seed) for name in SEARCHED for seed in (1, 2, 3)]
    answers = requests(folder, *(("go", {"game": n, "seed": s, "limits": LIMITS}) for n, s in seeds))
    for (name, seed), answer in zip(seeds, answers, strict=True):
        expected = solve(name, deal(name, seed), Limits(**LIMITS), shorten=0).to_dict()
        origin = {"game": name, "seed": seed, "goal": "win"}
        assert {key: answer[key] for key in origin} == origin
        assert {**answer, **TIMELESS} == {**answer, **expected, **TIMELESS}, (name, seed)


def test_the_bench_signature_is_the_native_one(folder):
    code = """
      import { loadPyodide } from "pyodide";
      import { readFile } from "node:fs/promises";
      const python = await loadPyodide();
      const archive = new Uint8Array(await readFile("node_modules/winnable-full/winnable.zip"));
      python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.14/site-packages" });
      const { run, signature } = python.pyimport("winnable.solver.batch.bench");
      console.log(signature(run()));
    """
    assert run(folder, code).strip() == (ROOT / "benchmarks" / "signature.txt").read_text("utf-8").strip()


def test_answers_are_those_of_the_schema_and_of_the_native_engine(folder):
    from tests.protocol.test_engine import Talk

    asked = [
        ("games", {}),
        ("deal", {"game": "joker", "seed": "18446744073709551615"}),
        ("legal", {"game": "fortress", "seed": 5}),
        ("apply", {"game": "fortress", "seed": 5, "move": "??"}),
        ("position", {"deal": "# game: fortress\nKC\n"}),
        ("go", {"game": "klondike", "seed": 5, "goal": "moves", "limits": {"nodes": 500}}),
        ("go", {"game": "joker", "seed": 5, "goal": "chances", "visits": 20}),
        ("go", {"game": "joker", "seed": 5, "goal": "none"}),
        ("difficulty", {"game": "simon-jester", "seed": 2}),
        ("difficulty", {"game": "klondike", "seed": 2}),
        ("deal", {"seed": 2}),
    ]
    with Talk() as talk:
        for (method, params), found in zip(asked, requests(folder, *asked), strict=True):
            content = {"error": found} if "code" in found else {"result": found}
            schemas.check("message", {"jsonrpc": "2.0", "schema": "winnable/2", "id": 1, **content})
            assert {**found, **TIMELESS} == {**talk.ask(method, **params), **TIMELESS}, (method, params)


def test_methods_that_the_package_lacks_are_refused(folder):
    hello, stop, none = requests(folder, ("hello", {}), ("stop", {}), ("none", {}))
    assert "stop" not in hello["methods"]
    assert stop["code"] == none["code"] == -32601


def test_deals_are_chosen(folder):
    code = """
      for (const difficulty of ["easy", "hard"])
        found.push(await w.deal("simple-simon", { seed: 1, difficulty }));
      found.push(await w.deal("joker", { seed: 1, tier: "double" }));
      found.push(await w.deal("chessboard"));
      const wrong = [{ difficulty: "none" }, { tier: "double" }, { winnable: 1 }];
      wrong.push({ winnable: true, pysol: "1" });
      for (const params of wrong) found.push(await w.deal("fortress", params).catch(error => error.code));
    """
    easy, hard, double, free, *refused = ask(folder, code)
    for dealt in (easy, hard, double, free):
        schemas.check("placed", dealt)
    assert easy["position"]["seed"] != hard["position"]["seed"]
    levels = [each["position"]["seed"] for each in (easy, hard)]
    measured = requests(folder, *(("difficulty", {"game": "simple-simon", "seed": seed}) for seed in levels))
    assert [each["difficulty"] for each in measured] == ["easy", "hard"]
    assert refused == [-32602] * 4


@pytest.mark.parametrize("is_shared", [True, False])
def test_an_abort_ends_the_search_and_the_next_request_is_answered(folder, is_shared):
    hide = "" if is_shared else "delete globalThis.SharedArrayBuffer;"
    code = f"""
      await import("node:worker_threads");  // node itself shares memory with workers
      {hide}
      const {{ load }} = await import("winnable-full");
      const w = await load(), found = [], giveUp = new AbortController();
      const long = {{ game: "simon-jester", seed: 3, goal: "shortest", limits: {{ seconds: 600 }} }};
      const onInfo = () => giveUp.abort();
      const running = w.solve(long, {{ signal: giveUp.signal, onInfo }}).catch(error => error.name);
      const waiting = w.solve(long, {{ signal: giveUp.signal }}).catch(error => error.name);
      const next = w.legal({{ game: "fortress", seed: 5 }});
      found.push(await running, await waiting, (await next).options.length);
      found.push(await w.hello({{ signal: giveUp.signal }}).catch(error => error.name));
      const last = w.solve(long).catch(error => error.message);
      w.close();
      found.push(await last, await w.hello().catch(error => error.message));
      console.log(JSON.stringify(found));
    """
    running, waiting, moves, late, *closed = json.loads(run(folder, code))
    assert running == waiting == late == "AbortError"
    assert moves > 0
    assert closed == ["the engine was closed"] * 2


def test_parameters_that_are_not_json_are_refused_and_the_next_request_is_answered(folder):
    code = """
      for (const visits of [8n, undefined])
        found.push(await w.deal("fortress", { seed: 8, visits }).then(() => "a deal", error => error.name));
    """
    assert ask(folder, code) == ["TypeError", "a deal"]


def test_seeds_are_exact(folder):
    code = """
      const seeds = [8n, "8", 2 ** 53 - 1, 2n ** 64n - 1n, "18446744073709551615"];
      for (const seed of seeds) {
        const { position } = await w.deal("fortress", { seed });
        const { options } = await w.legal({ game: "fortress", seed });
        const again = await w.position({ deal: { ...position, seed } });
        found.push([position.seed, options.length > 0, again.position.seed]);
      }
      for (const seed of [2 ** 53, 2 ** 64, 1.5, NaN])
        for (const ask of [() => w.deal("fortress", { seed }), () => w.solve({ game: "fortress", seed })])
          found.push(await ask().catch(error => [error.name, error.message]));
      found.push(await w.deal("fortress", { seed: 2n ** 64n }).catch(error => error.code));
    """
    *rest, beyond = ask(folder, code)
    dealt, refused = rest[:5], rest[5:]
    expected = [8, 8, 2**53 - 1, str(2**64 - 1), str(2**64 - 1)]
    assert dealt == [[seed, True, seed] for seed in expected]
    problem = "seed: expected a whole number up to 2^53 - 1, a BigInt or a string of digits, got "
    seeds = ["9007199254740992", "18446744073709552000", "1.5", "NaN"]
    assert refused == [["RangeError", problem + seed] for seed in seeds for _ in range(2)]
    assert beyond == -32602


HIDDEN = "/* webpackIgnore: true */ /* @vite-ignore */"
"""The comment that keeps bundlers from following an import."""


def modules_of(name):
    """The texts without comments of the module ``name`` of the package and of those that it imports."""
    found, waiting = {}, [name]
    while waiting:
        text = (BUILT / (name := waiting.pop())).read_text("utf-8")
        found[name] = re.sub(r"/\*(?! webpackIgnore| @vite).*?\*/", "", text, flags=re.DOTALL)
        waiting += set(re.findall(r'from "\./([\w-]+\.js)"', text)) - found.keys()
    return found


def test_what_pages_load_can_be_bundled(folder):
    """Bundlers follow names of modules, and addresses beside a module; the format of workers often allows no
    await outside functions."""
    chosen = json.loads((BUILT / "package.json").read_text("utf-8"))["exports"]["."]
    assert list(chosen) == ["types", "browser", "node", "default"]
    assert chosen["browser"] == chosen["default"] == "./index.js"
    for name in ("index.js", "worker.js"):
        for text in modules_of(name).values():
            assert "node:" not in text
            assert not re.search(rf"\bimport\((?!{re.escape(HIDDEN)} \w+\))", text)
            assert not re.search(r"^\S.*\bawait\b", text, re.MULTILINE)
    assert 'new Worker(new URL("./worker.js", import.meta.url)' in modules_of("index.js")["index.js"]
    assert 'new URL("./winnable.zip", import.meta.url)' in modules_of("index.js")["index.js"]


def test_the_types_of_a_position_name_the_games(folder):
    text = (BUILT / "schema.d.ts").read_text("utf-8")
    asked = text.partition("export type Position = {")[2].partition("\n};")[0]
    assert re.search(r"^  game\?: Game;$", asked, re.MULTILINE)
    assert re.search(r"^  seed\?: number \| bigint \| string;$", asked, re.MULTILINE)


PAGE = """
  const [done, canWait] = [arguments[1], arguments[0]];
  (async () => {
  const found = [], giveUp = new AbortController();
  if (!canWait) {
    const Real = Worker, hide = "data:text/javascript,delete WebAssembly.Suspending";
    globalThis.Worker = function (url, options) {
      const text = [hide, String(url)].map(each => `import ${JSON.stringify(each)};`).join("");
      const blob = new Blob([text], { type: "text/javascript" });
      return new Real(URL.createObjectURL(blob), options);
    };
  }
  const { load } = await import("/node_modules/winnable-full/index.js");
  const w = await load({ indexURL: "/node_modules/pyodide/" });
  const long = { game: "simon-jester", seed: 3, goal: "shortest", limits: { seconds: 600 } };
  const options = { signal: giveUp.signal, onInfo: () => giveUp.abort() };
  found.push(await w.solve(long, options).catch(error => error.name));
  found.push((await w.solve({ game: "chessboard", seed: 8 })).verdict);
  w.close();
  return found;
  })().catch(String).then(done);
"""


@pytest.fixture(scope="module")
def page(folder):
    """A browser that shows the package's example."""
    browser = start_browser()
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        (folder / "favicon.ico").touch()
        path = "node_modules/winnable-full/example.html?pyodide=/node_modules/pyodide/"
        browser.get(f"http://127.0.0.1:{server.server_port}/{path}")
        yield browser
        server.shutdown()
    browser.quit()


class Quiet(SimpleHTTPRequestHandler):
    """A handler that logs nothing."""

    def log_message(self, *args):
        """Log nothing."""


def test_the_example_page_deals_games_that_can_be_won(page):
    def status():
        return page.execute_script("return document.getElementById('status').textContent")

    wait_until(lambda: status() == "Ready.")
    page.execute_script("document.querySelector('button').click()")
    wait_until(lambda: status().endswith("can be won."))
    text = page.execute_script("return document.getElementById('cards').textContent")
    assert text.startswith("# game: klondike\n")


@pytest.mark.parametrize("can_wait", [True, False])
def test_an_abort_in_a_page(page, can_wait):
    found = page.execute_async_script(PAGE, can_wait)
    assert found == ["AbortError", "winnable"]


def test_a_search_that_meets_its_memory_limit_says_so(folder):
    limits = {"megabytes": 1, "seconds": HANG}
    (found,) = requests(
        folder, ("go", {"game": "simon-jester", "seed": 3, "goal": "shortest", "limits": limits})
    )
    assert found["reason"] == "memory"


def test_the_package_can_be_packed(folder, tmp_path):
    if not shutil.which("npm"):
        pytest.skip("needs npm")
    file = packed(BUILT, tmp_path)
    assert file.stat().st_size < 5_000_000
    with tarfile.open(file) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    assert names == {path.name for path in BUILT.iterdir()}
