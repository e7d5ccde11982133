/* Connection of the page to the program on the static site. The small engine answers at once; Python, which takes
   seconds to start, then goes on with its game, in two workers of the page. */

import { known } from "./first/known.js";
import { Refused, Session } from "./first/session.js";
import { load } from "./small/module.js";
import { WorkerEngine } from "./small/worker-engine.js";
import { clearTable } from "./table-copy.js";

const LOOKS = ["line", "better", "why", "save", "check"]; // requests that change no game
const PATIENCE = 5000; // milliseconds after which Python starts although nothing is judged yet
const AT_HOME = 2000; // the same for a page that shows no game
const REFUSED = -3; // code of an answer for the person
const OVER = "over "; // begins the numbers of the requests by which Python takes a game over

let current = null; // the conversation that the page has

/* --- Python: the worker that talks with the page. --- */

const python = { worker: null, isReady: false, begun: 0, part: 0 }; // `begun` counts the hellos that are still to come
const asked = new Map(); // what is to be done with the answers about the history, by number

function startPython() {
  if (python.worker) return;
  const address = new URL(`../engine/talk.js${location.search}`, import.meta.url);
  const worker = new Worker(address, { type: "module" });
  Object.assign(python, { worker, isReady: false, begun: 0, part: 0 });
  worker.onmessage = ({ data }) => {
    if (typeof data === "string") current?.hear(data);
    else if ("progress" in data) showProgress(data.progress);
    else if ("failed" in data) fail(data.failed);
    else if ("answer" in data) asked.get(data.answer)(data.content);
  };
  worker.onerror = event => fail(event.message || "a file of the site could not be loaded");
  if (current) begin();
}

/* Begin a conversation with Python, which says hello when it is there. */
function begin() {
  python.begun += 1;
  python.worker.postMessage({ begin: true });
}

function showProgress(part) {
  python.part = part;
  document.documentElement.dataset.loading = Math.round(100 * part);
  if (part === 1) keepFiles();
  if (current?.isWaiting) dispatchEvent(new CustomEvent("loading", { detail: part }));
}

function fail(why) {
  console.error(why);
  python.worker?.terminate();
  Object.assign(python, { worker: null, isReady: false });
  current?.fail(why);
}

/* Have the service worker keep the files of the site, once nothing else is loaded. */
function keepFiles() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
}

function history(what) {
  startPython();
  const number = asked.size + 1;
  python.worker.postMessage({ ask: number, what });
  return new Promise(resolve => {
    asked.set(number, content =>
      resolve({ ok: true, status: 200, json: async () => content, text: async () => "" }),
    );
  });
}

/* The stored games; resolves to an answer as of `fetch`. */
export const games = () => history(null);

/* Delete the games {game: number} or {all: true}. */
export const forget = what => history(what);

/* --- The small engine. --- */

let compiled = null;

async function open(game, choices) {
  compiled ??= load(fetch(new URL("../engine/winnable.wasm", import.meta.url)));
  await compiled;
  const worker = () => new Worker(new URL("../engine/searches.js", import.meta.url));
  return new WorkerEngine(game, choices, { worker });
}

/* --- The conversation. --- */

/* A connection with the part of WebSocket's interface that is needed: send, close, readyState, onmessage and onclose. */
class Conversation {
  #first = null; // the game of the small engine, until Python has it
  #pending = 0; // requests that it is about to answer
  #waiting = []; // requests that wait for Python
  #over = null; // the number of answers by which Python takes the game over that are to come, null before
  #settled = null; // what was judged of the position shown, until Python has judged it

  constructor() {
    this.readyState = 1;
    current = this;
    if (python.isReady) {
      begin();
      return;
    }
    const { hello, ...rest } = known;
    const facts = { ...rest, games: hello.games, limits: hello.limits };
    this.#first = new Session(facts, { open, tell: message => this.#tell(message), judged: startPython });
    queueMicrotask(() => this.#tell({ type: "hello", ...hello }));
    if (python.worker) begin();
    else setTimeout(startPython, location.hash.length < 2 ? AT_HOME : PATIENCE);
  }

  /* True if a request waits for Python. */
  get isWaiting() {
    return this.#waiting.length > 0;
  }

  async send(text) {
    if (!this.#first) {
      python.worker?.postMessage(text);
      return;
    }
    const { id, method, params } = parsed(text);
    if (this.#over !== null || this.#waiting.some(each => !LOOKS.includes(each.method))) {
      this.#wait({ id, method, text });
      return;
    }
    this.#pending += 1;
    try {
      this.#say({ id, result: await this.#first.answer({ ...params, type: method }) });
    } catch (error) {
      if (error instanceof Refused) this.#refuse(id, error.message);
      else this.#wait({ id, method, text }); // Python does it, or says what is wrong with it
    }
    this.#pending -= 1;
    if (python.isReady) this.#handOver();
  }

  close() {
    this.readyState = 3;
    this.#first?.close();
    if (current === this) current = null;
  }

  /* Take a text from Python. */
  hear(text) {
    if (!this.#first && !this.#settled) {
      this.#give(text);
      return;
    }
    const message = JSON.parse(text);
    if (message.method === "hello") this.#greet();
    else if (String(message.id).startsWith(OVER)) this.#takeOver(message);
    else if (this.#isNews(message)) this.#give(text);
  }

  /* Python could not be loaded, or has ended. */
  fail(why) {
    if (!this.#first) {
      this.readyState = 3;
      current = null;
      this.onclose?.({ code: 1011, reason: why });
      return;
    }
    this.#over = null;
    for (const { id } of this.#waiting.splice(0))
      this.#refuse(id, `The rest of the page could not be loaded: ${why}`);
  }

  #greet() {
    python.begun -= 1;
    if (python.begun) return; // it is for a conversation that has ended
    python.isReady = true;
    this.#handOver();
  }

  /* Have Python go on with the game, unless an answer is about to be given. */
  #handOver() {
    if (this.#over !== null || this.#pending) return;
    const requests = this.#first.isOpen ? this.#first.handover() : [];
    this.#settled = this.#first.settled;
    this.#over = requests.length;
    requests.forEach(({ type, ...params }, i) => {
      python.worker.postMessage(requestText(`${OVER}${i}`, type, params));
    });
    if (!requests.length) this.#end();
  }

  #takeOver({ result, error }) {
    if (error) this.#tell({ type: "error", why: error.message });
    else if (result.type === "game") this.#tell({ ...result, type: "renewed" });
    this.#over -= 1;
    if (!this.#over) this.#end();
  }

  /* From now on Python answers. */
  #end() {
    this.#first.close();
    this.#first = null;
    for (const { text } of this.#waiting.splice(0)) python.worker.postMessage(text);
    dispatchEvent(new CustomEvent("loading", { detail: 1 }));
  }

  /* False for what Python says of a position while it knows less than was known before. */
  #isNews({ method, params }) {
    if (!this.#settled || params?.node !== this.#settled.node) return true;
    const marks = Object.values(params.marks || {}),
      isOpen = marks.some(({ keeps }) => keeps === null);
    if (method === "analysis" && params.verdict === null) return false;
    if (this.#settled.marks && isOpen && !params.done) return false;
    if (!this.#settled.marks || marks.length) this.#settled = null;
    return true;
  }

  #wait(request) {
    this.#waiting.push(request);
    startPython();
    dispatchEvent(new CustomEvent("loading", { detail: python.part }));
  }

  #refuse(id, message) {
    this.#say({ id, error: { code: REFUSED, message } });
  }

  #tell({ type, ...params }) {
    this.#say({ method: type, params });
  }

  #say(message) {
    this.#give(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #give(text) {
    if (text.includes('"result"') || text.includes('"error"')) clearTable();
    this.onmessage?.({ data: text });
  }
}

const requestText = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params });

/* A request as an object; an empty one for a text that is none. */
function parsed(text) {
  try {
    return JSON.parse(text) || {};
  } catch {
    return {};
  }
}

export const connect = () => new Conversation();

/* Resolves to true if the program answers but refuses this page; never here. */
export const isUnknown = async () => false;
