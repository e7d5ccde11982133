/* Talk with the board's Python as the page does: node session.mjs ENGINE, the folder of the site's files of
   Python. Prints JSON: the answers to all requests, the value networks that the searches need, and the
   modules of Python's library that were imported. */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = `${resolve(process.argv[2])}/`;
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder });
(await import(pathToFileURL(join(folder, "tick.js")))).tick(python);
const PLACE = "/lib/python3.14/site-packages";
python.unpackArchive(new Uint8Array(await readFile(join(folder, "winnable.zip"))), "zip", {
  extractDir: PLACE,
});

const networks = new Set(),
  said = [],
  answers = [],
  waiting = [];
let isLooking = false,
  wake = () => {};
const { run } = python.pyimport("web.search");
python.FS.mkdirTree("/kept");
const talk = python.pyimport("web.talk").Talk({
  send: text => {
    const message = JSON.parse(text);
    said.push(message);
    if ("id" in message) {
      isLooking = false;
      wake(message);
    }
  },
  ask: (number, task, network) => {
    waiting.push([number, task]);
    if (network) networks.add(network);
    if (isLooking) setTimeout(search, 0, 60_000);
  },
  stop: () => waiting.splice(0),
  keep: async change => change(),
  isKept: true,
});

/* Run the searches that are asked for, each for some milliseconds. */
async function search(milliseconds) {
  while (waiting.length) {
    const [number, task] = waiting.shift();
    const updates = [],
      end = performance.now() + milliseconds;
    run(
      task,
      update => updates.push(update),
      () => performance.now() > end,
      false,
    );
    for (const update of updates) talk.found(number, update);
    await new Promise(done => setTimeout(done));
  }
}

let last = 0;
async function ask(method, params = {}) {
  const answered = new Promise(done => {
    wake = done;
  });
  const id = ++last;
  talk.take(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  isLooking = params.from?.winnable || params.from?.today;
  const answer = await answered;
  answers.push({ method, ...answer });
  return answer.result;
}

talk.begin();
const { games } = said[0].params;
for (const { game, modes } of games)
  for (const mode of modes) {
    const opened = await ask("open", { game, mode, from: { seed: 3 } });
    await search(60);
    await ask("hints", { on: true });
    await search(60);
    await ask("move", { text: opened.position.moves[0].text });
    await ask("auto");
    await search(60);
    for (const what of ["position", "moves", "deal", "game"])
      for (const form of ["text", "json"]) await ask("save", { what, form });
    await ask("line");
    await ask("why");
    await ask("undo");
    await ask("redo");
    await ask("finish");
    await ask("save", { what: "page" });
    await ask("hints", { on: false });
  }
await ask("open", { game: "chessboard", from: { winnable: true, level: "easy" } });
await ask("open", { game: "fortress", from: { today: "2026-11-24" } });
await ask("open", { game: "klondike", from: { random: true } });
await ask("open", { game: "klondike", from: { pysol: "12345" } });
await ask("open", { game: "fortress", from: { link: "#game=fortress&seed=4" } });
const { content } = await ask("save", { what: "deal", form: "text" });
await ask("open", { game: "fortress", from: { text: content } });
await ask("open", { game: "fortress", from: { text: `${content}\nXX\n` } });
await ask("check", { game: "fortress", text: content });
await ask("check", { game: "joker", text: "KC QD\n7H ?" });
await ask("limits", { seconds: 10 });
await ask("think", { on: true });
await ask("games");
await ask("dance");
const history = JSON.parse(await talk.history("null"));
await talk.history('{"all": true}');

const engine = python.pyimport("web.engine").WorkerEngine(
  text => answers.push(JSON.parse(text)),
  () => false,
  false,
);
const requests = { hello: {}, games: {}, deal: { game: "joker", seed: 3, winnable: true } };
requests.go = { game: "joker", seed: 3, goal: "chances", visits: 8 };
requests.legal = { game: "simon-jester", seed: 3 };
for (const [method, params] of Object.entries(requests))
  engine.take(JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params }));

const used = python.runPython(`
import json, sys
place = "/lib/python314.zip/"
files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
json.dumps(sorted(file[len(place):].removesuffix("c") for file in files if file.startswith(place)))`);
const text = JSON.stringify({
  answers,
  history,
  networks: [...networks],
  told: said.filter(({ id }) => !id),
  used: JSON.parse(used),
});
process.stdout.write(text, () => process.exit());
