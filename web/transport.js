/* Connection of the page to the program on the static site. The small engine answers at once; Python,
   which takes seconds to start, then goes on with its game, in two workers of the page. */

import { known } from "./first/known.js";
import { Refused, Session } from "./first/session.js";
import { load } from "./small/module.js";
import { WorkerEngine } from "./small/worker-engine.js";
import { forgetLeft, leaveGame, leftGames } from "./left-games.js";
import { clearTable } from "./table-copy.js";

/** @import { Asked, Searching } from "./first/types.d.ts" */
/** @import { SavedGame } from "../board/static/types.d.ts" */

/** A request that waits for Python.
    @typedef {{ id: number, method: string, text: string }} Waiting */

/** A message of JSON-RPC from Python.
    @typedef {{ id?: number | string, method?: string, params?: any, result?: any, error?: any }} Received */

const JUDGED = ["line", "better", "why"]; // requests about what was proved
const LOOKS = [...JUDGED, "check"]; // requests that do not depend on moves made meanwhile
const AT_HOME = 2000; // milliseconds after which Python starts on a page that shows no game
const REFUSED = -3; // code of an answer for the person
const NEEDS_PYTHON = "This needs the rest of the page, which failed";
const NOT_LOADED = "The program that keeps the history could not be loaded.";
const OVER = "over "; // begins the numbers of the requests by which Python takes a game over

/** The conversation that the page has. @type {Conversation | null} */
let current = null;

/* --- Python: the worker that talks with the page. --- */

class Python {
  isReady = false;
  begun = 0; // hellos that are still to come
  part = 0; // what share of it is loaded
  #worker;
  /** The functions that take the answers about the history, by number.
      @type {((content: object | null) => void)[]} */
  #asked = [];

  constructor() {
    const address = new URL(`../engine/talk.js${location.search}`, import.meta.url);
    this.#worker = new Worker(address, { type: "module" });
    this.#worker.onmessage = ({ data }) => {
      if (typeof data === "string") current?.hear(data);
      else if ("progress" in data) this.#progress(data.progress);
      else if ("failed" in data) this.#fail(data.failed);
      else if ("answer" in data) this.#asked[data.answer - 1](data.content);
    };
    this.#worker.onerror = event => this.#fail(event.message || "a file of the site could not be loaded");
    if (current) this.begin();
  }

  /** Begin a conversation; Python says hello when it is there. */
  begin() {
    this.begun += 1;
    this.#worker.postMessage({ begin: true });
  }

  /** @param {string} text */
  send(text) {
    this.#worker.postMessage(text);
  }

  /** Ask about the history; resolves to the games that are kept, or to null if Python fails.
      @type {(what: object | null) => Promise<object | null>} */
  history(what) {
    return new Promise(resolve => {
      const number = this.#asked.push(resolve); // from 1 on
      this.#worker.postMessage({ ask: number, what });
    });
  }

  /** @param {number} part */
  #progress(part) {
    this.part = part;
    showPart(Math.min(part, 0.99)); // all of it once Python answers
    if (part === 1) keepFiles();
    if (current?.isWaiting) tellLoading(part);
  }

  /** @param {string} why */
  #fail(why) {
    console.error(why);
    this.#worker.terminate();
    python = null;
    for (const answer of this.#asked) answer(null);
    current?.fail(why);
  }
}

/** @type {Python | null} */
let python = null;

function startPython() {
  python ??= new Python();
  return python;
}

/** Note what share of Python is there. @param {number} part */
function showPart(part) {
  document.documentElement.dataset.loading = String(Math.round(100 * part));
}

/** Tell the page that waits what share of Python is loaded. @param {number} part */
const tellLoading = part => dispatchEvent(new CustomEvent("loading", { detail: part }));

/** Have the service worker keep the files of the site, once nothing else is loaded. */
function keepFiles() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
}

/** A version of the site that waits takes over as a page begins, if no other page is open. */
async function renewFiles() {
  const { waiting } = (await navigator.serviceWorker?.getRegistration(new URL("../", import.meta.url))) || {};
  if (!waiting) return;
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  waiting.postMessage({ takeOver: true });
}

renewFiles().catch(() => {}); // where storage is forbidden

/** @param {object | null} what */
async function history(what) {
  const started = startPython(),
    left = leftGames();
  await current?.handedOver;
  if (!current) {
    started.begin();
    for (const saved of left) started.send(requestText("left", takenIn(saved)));
  }
  const content = await started.history(what);
  if (!content) return { ok: false, status: 503, json: async () => null, text: async () => NOT_LOADED };
  if (!current) forgetLeft(left);
  return { ok: true, status: 200, json: async () => content, text: async () => "" };
}

/** The stored games; resolves to an answer as of `fetch`. */
export const games = () => history(null);

/** Delete the games {game: number} or {all: true}. @param {object} what */
export const forget = what => history(what);

/* --- The small engine. --- */

/** @type {Promise<void> | null} */
let loaded = null;

/** @type {(game: string, choices: object) => Promise<Searching>} */
async function open(game, choices) {
  loaded ??= load(fetch(new URL("../engine/winnable.wasm", import.meta.url))).catch(error => {
    loaded = null; // the next game tries again
    throw error;
  });
  await loaded;
  const worker = () => new Worker(new URL("../engine/searches.js", import.meta.url));
  return /** @type {any} */ (
    new WorkerEngine(/** @type {any} */ (game), /** @type {any} */ (choices), { worker })
  );
}

/* --- The conversation. --- */

/** A connection with the part of WebSocket's interface that is needed. */
class Conversation {
  readyState = 1;
  /** @type {((event: { data: string }) => void) | null} */
  onmessage = null;
  /** @type {((event: { code: number, reason: string }) => void) | null} */
  onclose = null;

  /** The game of the small engine; null once Python has it. @type {Session | null} */
  #first = null;
  #pending = 0; // requests that it is about to answer
  /** @type {Waiting[]} */
  #waiting = [];
  /** The number of answers by which Python takes the game over that are to come; null before.
      @type {number | null} */
  #over = null;
  #refusal = ""; // why Python cannot open the game
  /** Games of which Python was told. @type {SavedGame[]} */
  #told = [];
  /** The position that the small engine has judged, until Python has judged it. @type {Session["settled"]} */
  #settled = null;
  /** Requests about what was judged, until then. @type {string[]} */
  #held = [];
  #end = () => {};
  /** Resolves once Python has the game. @type {Promise<void>} */
  handedOver = new Promise(resolve => {
    this.#end = resolve;
  });

  constructor() {
    current = this;
    if (python?.isReady) {
      python.begin();
      this.#end();
      return;
    }
    const { hello, ...rest } = known,
      facts = { ...rest, games: hello.games, limits: hello.limits };
    this.#first = new Session(facts, {
      open,
      tell: message => this.#tell(message),
      judged: startPython,
      left: leaveGame,
    });
    addEventListener("pagehide", () => {
      if (this.#first?.game?.wasPlayed) leaveGame(this.#first.game.saved());
    });
    queueMicrotask(() => this.#tell({ type: "hello", ...hello }));
    if (python) python.begin();
    else if (location.hash.length < 2) setTimeout(startPython, AT_HOME);
  }

  /** True if a request waits for Python. */
  get isWaiting() {
    return this.#waiting.length > 0;
  }

  /** @param {string} text */
  async send(text) {
    const first = this.#first;
    if (!first) {
      this.#ask(text);
      return;
    }
    const { id, method, params } = parsed(text);
    if (this.#over !== null || this.#waiting.some(each => !LOOKS.includes(each.method))) {
      this.#wait({ id, method, text });
      return;
    }
    this.#pending += 1;
    try {
      const answer = Array.isArray(params) ? null : await first.answer({ ...params, type: method });
      if (answer && method === "open") this.#refusal = ""; // it was that of another game
      if (answer) this.#say({ id, result: answer });
      else this.#wait({ id, method, text });
    } catch (error) {
      if (error instanceof Refused) this.#refuse(id, error.message);
      else this.#wait({ id, method, text }); // Python does it, or says what is wrong with it
    }
    this.#pending -= 1;
    this.#handOver();
  }

  close() {
    this.readyState = 3;
    this.#first?.leave();
    this.#first?.close();
    if (current === this) current = null;
  }

  /** Take a text from Python. @param {string} text */
  hear(text) {
    if (!this.#first && !this.#settled) {
      this.#give(text);
      return;
    }
    /** @type {Received} */
    const message = JSON.parse(text);
    if (message.method === "hello") this.#greet();
    else if (String(message.id).startsWith(OVER)) this.#takeOver(message);
    else if (this.#isNews(message)) this.#give(text);
    if (!this.#settled && !this.#first) for (const held of this.#held.splice(0)) python?.send(held);
  }

  /** Send a request to Python, or hold it back until what it is about is judged there.
      @param {string} text */
  #ask(text) {
    const { method } = this.#settled ? parsed(text) : {};
    if (method === "think") this.#settled = null; // nothing more may come
    if (this.#settled && JUDGED.includes(method)) this.#held.push(text);
    else python?.send(text);
  }

  /** Python could not be loaded, or has ended. @param {string} why */
  fail(why) {
    if (!this.#first) {
      this.readyState = 3;
      current = null;
      this.onclose?.({ code: 1011, reason: why });
      return;
    }
    this.#over = null;
    for (const { id } of this.#waiting.splice(0)) this.#refuse(id, `${NEEDS_PYTHON}: ${why}`);
  }

  #greet() {
    if (!python) return;
    python.begun -= 1;
    if (python.begun) return; // it is for a conversation that has ended
    python.isReady = true;
    this.#handOver();
  }

  /** Have Python go on with the game, once it is there and no answer is about to be given. */
  #handOver() {
    if (!python?.isReady || !this.#first || this.#over !== null || this.#pending || this.#refusal) return;
    const own = this.#first.handover(),
      key = own[0]?.from.saved.key;
    const all = leftGames(),
      left = all.filter(saved => saved.key !== key);
    if (left.length < all.length) own[0].played = true; // it was, before a reload
    this.#settled = this.#first.settled;
    this.#over = left.length + own.length;
    for (const saved of left) python.send(requestText(`${OVER}left`, takenIn(saved)));
    for (const [i, request] of own.entries()) python.send(requestText(`${OVER}${i}`, request));
    if (own[0]?.played) leaveGame(own[0].from.saved); // the page may end before Python has written it
    this.#told = leftGames();
    if (!this.#over) this.#finish();
  }

  /** @param {Received} message */
  #takeOver({ id, result, error }) {
    if (error && id === `${OVER}0`) {
      this.#refusal = error.message; // the small engine goes on with it
      this.fail(error.message);
    }
    if (this.#refusal) return;
    if (id === `${OVER}0`) this.#tell({ ...result, type: "renewed" });
    this.#over = (this.#over ?? 0) - 1;
    if (!this.#over) this.#finish();
  }

  /** From now on Python answers, and the games that were left are forgotten once it has written them. */
  #finish() {
    const told = this.#told;
    if (told.length) python?.history(null).then(content => content && forgetLeft(told));
    this.#first?.close();
    this.#first = null;
    for (const { text } of this.#waiting.splice(0)) this.#ask(text);
    showPart(1);
    tellLoading(1);
    this.#end();
  }

  /** False for what Python says of a position while it knows less than was known before.
      @param {Received} message */
  #isNews({ method, params, result }) {
    const settled = this.#settled;
    if (result?.type === "position" && result.node !== settled?.node) this.#settled = null;
    if (!settled || params?.node !== settled.node) return true;
    const marks = Object.values(params.marks || {});
    if (method === "analysis" && params.verdict === null) return false;
    if (settled.marks && marks.some(({ keeps }) => keeps === null) && !params.done) return false;
    if (!settled.marks || marks.length) this.#settled = null;
    return true;
  }

  /** @param {Waiting} request */
  #wait(request) {
    if (this.#refusal && request.method !== "open") {
      this.#refuse(request.id, `${NEEDS_PYTHON}: ${this.#refusal}`);
      return;
    }
    this.#waiting.push(request);
    tellLoading(startPython().part);
  }

  /** @type {(id: number, message: string) => void} */
  #refuse(id, message) {
    this.#say({ id, error: { code: REFUSED, message } });
  }

  /** @param {{ type?: string, [name: string]: any }} message */
  #tell({ type, ...params }) {
    this.#say({ method: type, params });
  }

  /** @param {object} message */
  #say(message) {
    this.#give(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** @param {string} text */
  #give(text) {
    if (text.includes('"result"') || text.includes('"error"')) clearTable();
    this.onmessage?.({ data: text });
  }
}

/** The request that takes a game that was left into the history. @type {(saved: object) => Asked} */
const takenIn = saved => ({ type: "open", think: false, played: true, from: { saved } });

/** A request as text. @type {(id: string, request: Asked) => string} */
const requestText = (id, { type, ...params }) => JSON.stringify({ jsonrpc: "2.0", id, method: type, params });

/** The request in a text; an empty object if it is not JSON. @type {(text: string) => any} */
function parsed(text) {
  try {
    return JSON.parse(text) || {};
  } catch {
    return {};
  }
}

export const connect = () => new Conversation();

/** Resolves to true if the program answers but refuses this page; never here. */
export const isUnknown = async () => false;
