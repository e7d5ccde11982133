/* The client's copy of the game, and how it is stored in the browser. */

/** @import { From, GameMessage, GameNode, Renewed, SavedGame, Stored, TreeNode } from "./types.d.ts" */

/* --- Client copy of the game: its move tree and the position shown. --- */

export class Game {
  /** The nodes of the tree by their numbers.
      @type {Map<number, GameNode>} */
  byNumber = new Map();

  /** @param {GameMessage} message */
  constructor(message) {
    this.game = message.game;
    this.title = message.title;
    this.name = message.name;
    this.mode = message.mode;
    this.seed = message.seed;
    this.choices = message.choices;
    this.revealed = message.revealed;
    this.places = message.places;
    this.fan = message.fan;
    this.header = message.saved;
    this.position = message.position;
    this.take(message.nodes);
  }

  /** Add new nodes, or update known ones. What was proved of one stays proved, also if the program that sends
      it has not judged it yet.
      @type {(nodes: TreeNode[]) => void} */
  take(nodes) {
    for (const node of nodes) {
      const known = this.byNumber.get(node.node);
      if (known) Object.assign(known, { ...node, ...proved(known, node) });
      else this.byNumber.set(node.node, { ...node, children: [] });
    }
    this.#link();
  }

  /** Go on with the game as another program has taken it over.
      @type {(message: Renewed) => void} */
  renew({ saved, position, nodes }) {
    this.header = saved;
    this.position = position;
    this.take(nodes);
  }

  /** @type {(numbers: number[]) => void} */
  drop(numbers) {
    for (const number of numbers) this.byNumber.delete(number);
    this.#link();
  }

  /* The children of a node by number, the main line first. */
  #link() {
    for (const node of this.byNumber.values()) node.children = [];
    for (const node of this.byNumber.values()) {
      const parent = this.#parent(node);
      if (parent) parent.children[node.main ? "unshift" : "push"](node);
    }
  }

  /** @type {(node: GameNode) => GameNode | undefined} */
  #parent(node) {
    return node.parent === null ? undefined : this.byNumber.get(node.parent);
  }

  get root() {
    const root = this.byNumber.get(0);
    if (!root) throw new Error("a game without a first position");
    return root;
  }
  get node() {
    return this.byNumber.get(this.position.node);
  }
  get isPlayed() {
    return this.mode !== "analysis";
  }

  /** The nodes from the start to a node, both included.
      @type {(number: number) => GameNode[]} */
  pathTo(number) {
    const path = [];
    for (let node = this.byNumber.get(number); node; node = this.#parent(node)) path.unshift(node);
    return path;
  }

  /* The nodes of the main line, from the start. */
  get mainLine() {
    const line = [];
    /** @type {GameNode | undefined} */
    let node = this.root;
    for (; node; node = node.children.find(child => child.main)) line.push(node);
    return line;
  }

  /* The positions from the start through the shown one to the end of its line. */
  get line() {
    const line = this.pathTo(this.position.node);
    for (let node = line.at(-1); node && (node = node.children[0]); ) line.push(node);
    return line;
  }

  /* The day of a deal of the day, which is the beginning of its number; null for other deals. */
  get day() {
    const [, year, month, day] = /^(20\d\d)([01]\d)([0-3]\d)\d{3}$/.exec(this.seed || "") || [];
    return year ? new Date(+year, +month - 1, +day) : null;
  }

  /** The data that reopens the game on the server: the tree, parents before their children.
      @type {() => SavedGame} */
  saved() {
    /** @type {SavedGame["nodes"]} */
    const nodes = [];
    const places = new Map(),
      waiting = [this.root],
      helped = [],
      { seconds, turned_back } = this.position;
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (node.helped) helped.push(places.size);
      places.set(node.node, places.size);
      const { move, turned } = node,
        parent = places.get(node.parent);
      if (move !== null) nodes.push(turned ? [parent, move, turned] : [parent, move]);
      waiting.push(...[...node.children].reverse());
    }
    return { ...this.header, nodes, helped, seconds, turned_back, here: places.get(this.position.node) ?? 0 };
  }

  get mistakes() {
    return this.mainLine.filter(node => node.mark === "mistake");
  }

  /* The last node before the first move that lost what the position shown lacks; null if no move did. */
  get lastGood() {
    const path = this.pathTo(this.position.node),
      first = path.find(node => node.mark === "mistake");
    return (first && this.#parent(first)) || null;
  }

  /* The last position on the way to the one shown that can be won, as far as that is proved; null if none is
     known. */
  get lastWinnable() {
    return this.pathTo(this.position.node).findLast(node => node.judged?.verdict === "winnable") || null;
  }

  /* The first position on the way to the one shown that is lost whatever the hidden cards are, as far as that
     was said; null if none is known. */
  get firstHopeless() {
    return this.pathTo(this.position.node).find(node => node.isHopeless) || null;
  }
}

/** The proved facts of a node: those that are told, and else those of before.
    @type {(before: TreeNode, now: TreeNode) => Partial<TreeNode>} */
function proved(before, now) {
  const { keeps, mark, loss } = now.keeps === null ? before : now;
  return { judged: now.judged ?? before.judged, best: now.best ?? before.best, keeps, mark, loss };
}

/* --- Links to positions, and the game stored in the browser for a reload. --- */

const KEPT = "winnable-game",
  KEEP_AFTER = 200; // milliseconds after a change
const FREE = "winnable-free",
  HIDDEN = "winnable-hidden",
  MOST_FREE = 200;
const OF_PLAY = ["moves", "at", "level", "tier"]; // fields of a link that say nothing of its deal

/** @type {(link: string | null | undefined) => URLSearchParams} */
const fields = link => new URLSearchParams((link || "").replace(/^#/, ""));

/** @type {(one: string | null | undefined, other: string) => boolean} */
export function isSameDeal(one, other) {
  const deal = (/** @type {string | null | undefined} */ link) =>
    [...fields(link)]
      .filter(([key]) => !OF_PLAY.includes(key))
      .sort()
      .join("&");
  return !!one && deal(one) === deal(other);
}

/** The moves of a link, up to the position shown.
    @type {(link: string) => string[]} */
export function movesOf(link) {
  const all = fields(link),
    moves = (all.get("moves") || "").split(",").filter(text => text);
  return all.has("at") ? moves.slice(0, Number(all.get("at"))) : moves;
}

/** A storage by its name, which browsers that keep no data refuse.
    @typedef {"localStorage" | "sessionStorage"} StorageName */

/** @type {(storage: StorageName, name: string) => any} */
function stored(storage, name) {
  try {
    return JSON.parse(window[storage].getItem(name) || "null");
  } catch {
    return null;
  }
}

/** @type {(storage: StorageName, name: string, value: unknown) => void} */
function store(storage, name, value) {
  try {
    window[storage].setItem(name, JSON.stringify(value));
  } catch {
    /* full, or forbidden */
  }
}

/** The game in a file that the board saved; null if `text` is anything else.
    @type {(text: string | undefined) => SavedGame | null} */
function savedIn(text) {
  try {
    const game = JSON.parse(text || "null");
    return game?.winnable === "game" ? game : null;
  } catch {
    return null;
  }
}

/** The list of the keys that a page had and left. */
const freeKeys = () => /** @type {string[]} */ (stored("localStorage", FREE) || []);

/* Stores the current game: soon after a change, and at once when the page is closed.

   The key of a game names its row of the history, so that two pages may not have one key. The list FREE has
   the keys that a page had and left. A tab that the browser ends while it is hidden has noted its key as
   HIDDEN. */
export class Keeping {
  /** The game to store; null before the first.
      @type {Game | null} */
  game = null;
  /** Its key.
      @type {string | null} */
  key = null;
  #isGone = false; // whether the page is hidden or closed
  #isWaiting = false; // whether the game was changed since it was stored
  /** The timer after which it is stored.
      @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  constructor() {
    addEventListener("pagehide", () => {
      this.#isGone = true;
      this.#write();
      this.#free();
    });
    addEventListener("pageshow", event => {
      this.#isGone = false;
      if (!event.persisted || !this.key) return;
      if (this.#isFree(this.key)) this.#hold(this.key);
      else location.reload(); // another page has gone on with the game
    });
    document.addEventListener("visibilitychange", () => {
      if (this.#isGone) return;
      if (document.hidden) this.#write();
      store("sessionStorage", HIDDEN, document.hidden ? this.key : null);
    });
  }

  /** The source of a request, `from`, with a stored game without its key where another page may have that.
      @type {(from: From) => From} */
  mine(from) {
    /** @type {SavedGame | null} */
    const saved = from.saved || savedIn(from.text);
    if (!saved) return from;
    const { key, ...rest } = saved;
    if (key !== undefined && (key === this.key || this.#isFree(key))) return from;
    return { saved: rest };
  }

  /** @type {(key: string) => boolean} */
  #isFree(key) {
    return stored("sessionStorage", HIDDEN) === key || freeKeys().includes(key);
  }

  /** Take a key from the list, as that of the game shown, in place of the one before.
      @type {(key: string) => void} */
  #hold(key) {
    if (key !== this.key) this.#free();
    this.key = key;
    store("sessionStorage", HIDDEN, document.hidden ? key : null);
    const free = freeKeys(),
      others = free.filter(other => other !== key);
    if (others.length < free.length) store("localStorage", FREE, others);
  }

  #free() {
    if (!this.key) return;
    store("sessionStorage", HIDDEN, null);
    store("localStorage", FREE, [this.key, ...freeKeys()].slice(0, MOST_FREE));
  }

  /** The stored game of this tab, or else the latest one of any tab: its `link`, and the `game` with its
      variations; null if there is none.
      @type {() => Stored | null} */
  read() {
    if (this.game) return this.#written(this.game);
    return stored("sessionStorage", KEPT) || stored("localStorage", KEPT);
  }

  /** Store `game` in its present state.
      @type {(game: Game) => void} */
  keep(game) {
    this.#hold(game.header.key);
    this.game = game;
    this.#isWaiting = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), KEEP_AFTER);
  }

  /** @type {(game: Game) => Stored} */
  #written(game) {
    const { title, node, position } = game;
    return { link: position.link, title, ply: node ? node.ply : 0, game: game.saved() };
  }

  #write() {
    if (!this.#isWaiting || !this.game) return;
    this.#isWaiting = false;
    const written = this.#written(this.game);
    store("sessionStorage", KEPT, written);
    store("localStorage", KEPT, written);
  }
}
