/* The page's session until Python is there: it answers the page's messages over the small engine, as
   board/socket_session.py does. What it cannot answer is left to Python.

   Cards that lie face down are dealt and played, never judged: what is certain or likely there only Python
   says. */

import { Game, Later } from "./game.js";
import { pictureOf, requestOf, seedOf, textOf, unusual } from "./link.js";

/** @import { Choose, Position, SavedGame } from "../../board/static/types.d.ts" */
/** @import { Asked, Known, Node, Opening, Page, Searching, Wanted } from "./types.d.ts" */

const A_DAY = 1000; // seeds for each day
const OF_A_DAY = { nodes: 300_000, megabytes: 400 },
  SEARCHED = { work: 2_000_000, megabytes: 400 };
const MOST_TRIED = 2000; // deals tried to find one that matches
const DONE = { type: "done" };

/** Thrown for a request that is refused, with the reason for the person. */
export class Refused extends Error {}

export class Session {
  #asked = 0; // number of the latest request to open a game, or to cancel that
  #stop = new AbortController(); // ends the search of the position
  #look = new AbortController(); // ends the search for a deal
  #known;
  #page;
  #isThinking = true;
  #hints = false;

  /** The game that is open. @type {Game | null} */
  game = null;

  /** @param {Known} known
      @param {Page} page */
  constructor(known, page) {
    this.#known = known;
    this.#page = page;
  }

  /** The answer to a request. Throws Later or Refused. @type {(request: Asked) => Promise<object>} */
  async answer({ type, ...params }) {
    switch (type) {
      case "ping":
        return DONE;
      case "cancel":
        return this.#cancel();
      case "open":
        return this.#open(/** @type {Opening} */ (params));
      case "move":
        return this.#move(params);
      case "undo":
        return this.#show(this.#tree.here.parent, "no move to undo");
      case "redo":
        return this.#show(this.#tree.following(this.#tree.here), "no move to redo");
      case "restart":
        return this.#show(this.#tree.nodes[0]);
      case "goto":
        return this.#show(this.#tree.nodes[params.node], `no such position: ${params.node}`);
      case "hints":
        this.#hints = params.on;
        this.#judge();
        return DONE;
      case "think":
        this.#isThinking = params.on;
        this.#judge();
        return DONE;
      default:
        throw new Later(type);
    }
  }

  /** The position shown, if it was judged: its number, and whether its moves were judged too; null if
      nothing was. */
  get settled() {
    const here = this.game?.tree.here;
    return here?.answer ? { node: here.number, marks: this.#hints && !!here.marks } : null;
  }

  /** End all searches and free the engines. */
  close() {
    this.#stop.abort();
    this.#look.abort();
    this.game?.close();
    this.game = null;
  }

  /** Leave the game that is open, so that the history gets it later. */
  leave() {
    if (this.game?.wasPlayed) this.#page.left(this.game.saved());
    this.game?.close();
    this.game = null;
  }

  /** The requests that make Python go on with the game; the answer to the first is the game. None if none
      is open.
      @type {() => Asked[]} */
  handover() {
    const { game } = this;
    if (!game) return [];
    const main = game.tree.mainLine(),
      isFirst = main.every(
        ({ parent, number }) => !parent || parent.children.every(each => each.number >= number),
      );
    const line = game.tree.line(game.tree.here),
      end = line[line.length - 1];
    const toAndFro = [end, game.tree.here].map(({ number }) => ({ type: "goto", node: number })); // for redo
    const isNext = line.every(({ parent, number }) => !parent || parent.children[0].number === number);
    return [
      { type: "open", think: this.#isThinking, played: game.wasPlayed, from: { saved: game.saved() } },
      ...(isFirst ? [] : [{ type: "promote", node: main[main.length - 1].number }]),
      ...(isNext ? [] : toAndFro),
      ...(this.#hints ? [{ type: "hints", on: true }] : []),
    ];
  }

  /* --- Opening --- */

  #cancel() {
    this.#asked += 1;
    this.#look.abort();
    return DONE;
  }

  /** @type {(request: Opening) => Promise<object>} */
  async #open({ think, ...request }) {
    const number = (this.#asked += 1),
      { link } = request.from;
    this.#look.abort();
    const asked = link === undefined ? request : requestOf(link, this.#known.games);
    const wanted = asked && (asked.from.saved ? this.#ofSaved(asked.from.saved) : this.#wanted(asked));
    if (!wanted) {
      if (asked) this.#drawTable(asked.from.table ?? asked.from.saved?.deal);
      throw new Later("open");
    }
    const engine = await this.#engineFor(wanted);
    try {
      const seed = wanted.goal ? await this.#lookFor(engine, wanted) : wanted.seed;
      if (number !== this.#asked) throw new Refused("ended");
      const game = new Game(engine, { ...wanted, seed });
      this.leave();
      this.game = game;
    } catch (error) {
      engine.close();
      throw error;
    }
    if (think !== undefined) this.#isThinking = think;
    this.game.spend();
    this.#judge();
    return this.game.message();
  }

  /** The engine of a game. Draws the deal, for Python to open, if the engine does not know a rule option.
      @type {(wanted: Wanted) => Promise<Searching>} */
  async #engineFor({ of, mode, choices, seed }) {
    try {
      return await this.#page.open(of.game, choices);
    } catch (error) {
      if (!seed) throw error;
      const engine = await this.#page.open(of.game, {});
      const { picture } = new Game(engine, dealt(of, mode, seed)).position();
      engine.close();
      this.#page.tell({ type: "drawn", game: of.game, picture, fan: Number(choices.draw ?? 1) });
      throw error;
    }
  }

  /** Draw a table, such as one with unknown cards, which Python opens. @type {(table: any) => void} */
  #drawTable(table) {
    const of = this.#known.games.find(one => one.game === table?.game),
      picture = of && pictureOf(of, of.runs, table);
    if (picture) this.#page.tell({ type: "drawn", game: table.game, picture, fan: Number(table.draw ?? 1) });
  }

  /** The game that a request wants; null if only Python can open it.
      @type {(asked: Opening) => Wanted | null} */
  #wanted({ game, mode = "analysis", choices, from, moves = [], at = null }) {
    const of = this.#known.games.find(one => one.game === game),
      chosen = of && unusual(of, choices);
    if (!of || !chosen || !of.modes.includes(mode) || !Array.isArray(moves)) return null;
    /** @type {Wanted} */
    const wanted = { of, mode, choices: chosen, branches: moves.map((text, i) => [i, text]), shown: at };
    const { seed, table, random, today = "", winnable, level, tier } = from;
    if (seed !== undefined) return seedOf(seed) === null ? null : { ...wanted, seed: seedOf(seed) };
    if (table) return ofTable(wanted, table);
    if (random) return { ...wanted, seed: String(chance()) };
    if (/^\d{4}-\d\d-\d\d$/.test(today)) {
      const goal = of.scored ? { tier: "triple" } : { winnable: true };
      return { ...wanted, first: +today.replaceAll("-", "") * A_DAY, limits: OF_A_DAY, goal };
    }
    if (!winnable || level || (tier && !of.tiers[tier])) return null;
    return { ...wanted, first: chance(), limits: SEARCHED, goal: tier ? { tier } : { winnable: true } };
  }

  /** The game that was stored; null if only Python can open it.
      @type {(saved: SavedGame) => Wanted | null} */
  #ofSaved(saved) {
    const { game, mode, nodes, here, seed, deal, choices, key, helped, seconds, turned_back } = saved;
    if (saved.revealed || (!deal && typeof seed !== "string")) return null;
    const wanted = this.#wanted({ game, mode, choices, from: deal ? { table: deal } : { seed: seed ?? "" } });
    const played = { key, helped, seconds, turned_back };
    return wanted && { ...wanted, ...played, branches: nodes, shown: here, isTree: true };
  }

  /** The seed of the first deal that is as wanted.
      @type {(engine: Searching, wanted: Wanted) => Promise<string>} */
  async #lookFor(engine, { first, limits, goal }) {
    const stop = (this.#look = new AbortController());
    /** @type {(progress: { tried: number }) => void} */
    const onProgress = ({ tried }) => {
      this.#page.tell({ type: "dealing", tried: tried - 1 });
      if (tried > MOST_TRIED) stop.abort(new Refused(`none of ${MOST_TRIED} deals matches`));
    };
    try {
      const wanted = { seed: first, ...goal, ...limits, signal: stop.signal, onProgress };
      return String(await engine.deal(wanted));
    } catch (error) {
      throw stop.signal.aborted && !(error instanceof Refused) ? new Refused("ended") : error;
    }
  }

  /* --- Moves --- */

  get #current() {
    if (!this.game) throw new Later("no game is open");
    return this.game;
  }

  get #tree() {
    return this.#current.tree;
  }

  /** @type {(params: Record<string, any>) => Choose | Position} */
  #move({ text, aside, source, target, count, rank, suit }) {
    const game = this.#current,
      { tree } = game,
      { here } = tree;
    const moves =
      text === undefined
        ? here.table.between({ source, target, count, rank, suit })
        : [here.table.named(text)];
    const [move, ...others] = moves;
    if (!move)
      throw new Refused(text === undefined ? "The cards do not go there." : `${text}: not a legal move here`);
    if (others.length) {
      const texts = moves.map(each => each?.move);
      return { type: "choose", moves: here.table.moves().filter(each => texts.includes(each.text)) };
    }
    const main = new Set(tree.mainLine()),
      before = tree.nodes.length,
      node = game.play(here, move);
    game.wasPlayed = true;
    tree.show(node);
    if (!aside) tree.promote(node);
    if (tree.nodes.length > before) node.helped = this.#hints;
    let top = node;
    while (!main.has(top) && top.parent) top = top.parent;
    if (top !== node) this.#tellNodes(tree.below(top));
    return this.#shown();
  }

  /** Show a position; refused with `why` if there is none.
      @type {(node: Node | null | undefined, why?: string) => Position} */
  #show(node, why) {
    const game = this.#current,
      { tree } = game;
    if (!node) throw new Refused(why);
    if (node.table.unknown > tree.here.table.unknown) game.turnedBack += 1;
    tree.show(node);
    return this.#shown();
  }

  #shown() {
    this.#current.spend();
    this.#judge();
    return this.#current.position();
  }

  /** @type {(nodes: Node[]) => void} */
  #tellNodes(nodes) {
    this.#page.tell({ type: "nodes", nodes: this.#current.nodes(nodes) });
  }

  /* --- Analysis --- */

  /** Judge the position shown, and with hints its moves, if no card of it is hidden and the game has no
      scores. */
  async #judge() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { game } = this,
      { signal } = this.#stop;
    if (!game) return;
    await new Promise(resolve => setTimeout(resolve)); // the answer goes first
    if (signal.aborted) return;
    try {
      if (game.isJudged && this.#isThinking) await this.#judgePosition(game, signal);
      else this.#page.judged();
    } catch (error) {
      if (signal.aborted) return;
      this.#page.tell({ type: "error", why: error instanceof Error ? error.message : String(error) });
      this.#page.judged();
    }
  }

  /** @type {(game: Game, signal: AbortSignal) => Promise<void>} */
  async #judgePosition(game, signal) {
    const node = game.tree.here,
      { seconds, megabytes } = this.#known.limits;
    if (!node.answer) {
      this.#page.tell(game.analysis(node));
      const began = performance.now();
      node.answer = game.inherited(node) ?? (await game.engine.solve({ seconds, megabytes, signal }));
      node.seconds = (performance.now() - began) / 1000;
    }
    if (signal.aborted) return;
    this.#tellNodes([node, ...node.children]);
    this.#page.tell(game.analysis(node));
    this.#page.judged();
    if (!this.#hints) return;
    node.marks ??= await game.engine.hint({ megabytes, signal });
    if (!signal.aborted) this.#page.tell(game.marks(node));
  }
}

/** A deal without moves. @type {(of: Wanted["of"], mode: Wanted["mode"], seed: string) => Wanted} */
const dealt = (of, mode, seed) => ({ of, mode, seed, choices: {}, branches: [], shown: null });

/** The game of a table; null if only Python can read it.
    @type {(wanted: Wanted, table: any) => Wanted | null} */
function ofTable(wanted, table) {
  const { of, mode } = wanted,
    text = textOf(of, table);
  const given = Object.entries(table).filter(([name]) => name in of.choices);
  const choices = unusual(of, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return text && choices && mode === "analysis" ? { ...wanted, choices, table, text } : null;
}

/** A number below 2^32 by chance. */
const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];
