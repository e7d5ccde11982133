/* The page's game until Python is there: it answers the page's messages over the small engine, as
   board/socket_session.py does. What it cannot answer is left to Python.

   Cards that lie face down are dealt and played, never judged: what is certain or likely there only Python says. */

import { linkOf, requestOf, seedOf, textOf, unusual } from "./link.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";

const A_DAY = 1000; // seeds for each day
const OF_A_DAY = { nodes: 300_000, megabytes: 400 },
  SEARCHED = { work: 2_000_000, megabytes: 400 };
const MOST_TRIED = 2000; // deals tried to find one that matches
const LONGEST_THOUGHT = 120; // most seconds between two moves that count as time of play

/** Thrown for a request that only Python can answer. */
export class Later extends Error {}

/** Thrown for a request that is refused, with the reason for the person. */
export class Refused extends Error {}

export class Session {
  #asked = 0; // number of the latest request to open a game, or to cancel that
  #stop = new AbortController(); // ends the search of the position
  #look = null; // ends the search for a deal

  /** `known` has the games and limits of the page, and the rule options that links always state; `open(game, choices)`
      makes an engine, `tell(message)` sends a message to the page, `judged()` is called when a position is. */
  constructor(known, { open, tell, judged }) {
    Object.assign(this, { known, open, tell, judged, game: null, isThinking: true, hints: false });
  }

  /** The answer to a request, or a promise of it. Throws Later or Refused. */
  async answer({ type, ...params }) {
    const answer = ANSWERS[type];
    if (!answer) throw new Later(type);
    return answer.call(this, params);
  }

  /** True if a game is open. */
  get isOpen() {
    return this.game !== null;
  }

  /** What was judged of the position shown: its number, and whether its moves were judged too; null if nothing was. */
  get settled() {
    const here = this.game?.tree.here;
    return here?.answer ? { node: here.number, marks: this.hints && !!here.marks } : null;
  }

  /** End all searches and free the engines. */
  close() {
    this.#stop.abort();
    this.#look?.abort();
    this.game?.close();
    this.game = null;
  }

  /** The requests that make Python go on with the game; the answer to the first is the game. */
  handover() {
    const { game } = this,
      leaf = game.tree.mainLine().at(-1),
      first = [game.tree.nodes[0]];
    while (first.at(-1).children.length)
      first.push(first.at(-1).children.reduce((a, b) => (a.number < b.number ? a : b)));
    const isUsual = first.at(-1) === leaf;
    return [
      { type: "open", think: this.isThinking, from: { saved: game.saved() } },
      ...(isUsual ? [] : [{ type: "promote", node: leaf.number }]),
      ...(this.hints ? [{ type: "hints", on: true }] : []),
    ];
  }

  /* --- Opening --- */

  cancel() {
    this.#asked += 1;
    this.#look?.abort();
    return { type: "done" };
  }

  async opened({ think, ...request }) {
    const number = (this.#asked += 1),
      { games } = this.known;
    this.#look?.abort();
    const asked = request.from.link === undefined ? request : requestOf(request.from.link, games);
    const wanted = asked && (asked.from.saved ? this.#ofSaved(asked.from.saved) : this.#wanted(asked));
    if (!wanted) throw new Later("open");
    const engine = await this.open(wanted.of.game, wanted.choices);
    try {
      const seed = wanted.goal ? String(await this.#lookFor(engine, wanted)) : (wanted.seed ?? null);
      if (number !== this.#asked) throw new Refused("ended");
      const game = new Game(engine, { ...wanted, seed }, this.known);
      this.game?.close();
      this.game = game;
    } catch (error) {
      engine.close();
      throw error;
    }
    if (think !== undefined) this.isThinking = think;
    this.game.spend();
    this.#judge();
    return this.game.message();
  }

  /** What a request wants; null if only Python can open it. */
  #wanted({ game, mode = "analysis", choices, from, moves = [], at = null }) {
    const of = this.known.games.find(one => one.game === game),
      chosen = of && unusual(of, choices);
    if (!chosen || !of.modes.includes(mode) || !Array.isArray(moves)) return null;
    const wanted = { of, mode, choices: chosen, branches: moves.map((text, i) => [i, text]), shown: at };
    if (from.seed !== undefined) return seedOf(from.seed) && { ...wanted, seed: seedOf(from.seed) };
    if (from.table) return this.#ofTable(wanted, from.table);
    if (from.random) return { ...wanted, seed: String(chance()) };
    const { today, winnable, level, tier } = from,
      day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(today);
    if (day) {
      const first = day.slice(1).join("") * A_DAY;
      return {
        ...wanted,
        first,
        limits: OF_A_DAY,
        goal: of.scored ? { tier: "triple" } : { winnable: true },
      };
    }
    if (!winnable || level || (tier && !of.tiers[tier])) return null;
    return { ...wanted, first: chance(), limits: SEARCHED, goal: tier ? { tier } : { winnable: true } };
  }

  #ofTable(wanted, table) {
    const { of, mode } = wanted,
      text = textOf(of, table);
    const given = Object.entries(table).filter(([name]) => name in of.choices);
    const choices = unusual(of, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
    return text && choices && mode === "analysis" ? { ...wanted, choices, table, text } : null;
  }

  #ofSaved(saved) {
    const { game, mode, nodes, here, seed, deal, choices, key } = saved;
    if ((seed === undefined && !deal) || saved.revealed) return null;
    const wanted = this.#wanted({ game, mode, choices, from: deal ? { table: deal } : { seed } });
    return (
      wanted && {
        ...wanted,
        ...saved,
        choices: wanted.choices,
        branches: nodes,
        shown: here,
        isTree: true,
        key,
      }
    );
  }

  async #lookFor(engine, { first, limits, goal }) {
    const stop = (this.#look = new AbortController());
    const onProgress = ({ tried }) => {
      this.tell({ type: "dealing", tried: tried - 1 });
      if (tried > MOST_TRIED) stop.abort(new Refused(`none of ${MOST_TRIED} deals matches`));
    };
    try {
      return await engine.deal({ seed: first, ...goal, ...limits, signal: stop.signal, onProgress });
    } catch (error) {
      throw stop.signal.aborted && !(error instanceof Refused) ? new Refused("ended") : error;
    }
  }

  /* --- Moves --- */

  moved({ text, aside, turned, ...drop }) {
    const game = this.#game,
      { tree } = game,
      before = tree.here;
    const moves =
      text === undefined ? before.table.between(drop) : [before.table.named(text)].filter(move => move);
    if (!moves.length)
      throw new Refused(text === undefined ? "The cards do not go there." : `${text}: not a legal move here`);
    if (moves.length > 1) {
      const texts = moves.map(({ move }) => move);
      return { type: "choose", moves: before.table.moves().filter(each => texts.includes(each.text)) };
    }
    const main = new Set(tree.mainLine()),
      count = tree.nodes.length,
      node = game.play(before, moves[0]);
    tree.show(node);
    if (!aside) tree.promote(node);
    if (tree.nodes.length > count) node.helped = this.hints;
    let top = node;
    while (!main.has(top) && top.parent) top = top.parent;
    if (top !== node) this.#tellNodes(tree.below(top));
    return this.#shown();
  }

  undone() {
    const { parent } = this.#game.tree.here;
    if (!parent) throw new Refused("no move to undo");
    return this.#show(parent);
  }

  redone() {
    const { tree } = this.#game,
      after = tree.following(tree.here);
    if (!after) throw new Refused("no move to redo");
    return this.#show(after);
  }

  gone({ node }) {
    const found = this.#game.tree.nodes[node];
    if (!found) throw new Refused(`no such position: ${node}`);
    return this.#show(found);
  }

  /* --- Analysis --- */

  hinted({ on }) {
    this.hints = on;
    this.#judge();
    return { type: "done" };
  }

  thought({ on }) {
    this.isThinking = on;
    this.#judge();
    return { type: "done" };
  }

  get #game() {
    if (!this.game) throw new Later("no game is open");
    return this.game;
  }

  #show(node) {
    const { tree } = this.game;
    if (node.table.unknown > tree.here.table.unknown) this.game.turnedBack += 1;
    tree.show(node);
    return this.#shown();
  }

  #shown() {
    this.game.spend();
    this.#judge();
    return this.game.position();
  }

  #tellNodes(nodes) {
    this.tell({ type: "nodes", nodes: this.game.nodes(nodes) });
  }

  /** Judge the position shown, and with hints its moves, if no card of it is hidden and the game has no scores. */
  async #judge() {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { game, hints } = this,
      { signal } = this.#stop;
    if (!game) return;
    await new Promise(resolve => setTimeout(resolve)); // the answer goes first
    if (!game.isJudged || !this.isThinking) {
      if (!signal.aborted) this.judged();
      return;
    }
    const node = game.tree.here,
      { seconds, megabytes } = this.known.limits;
    if (!node.answer) this.tell(game.analysis(node));
    try {
      const began = performance.now();
      node.answer ??= game.inherited(node) ?? (await game.engine.solve({ seconds, megabytes, signal }));
      if (signal.aborted || game.tree.here !== node) return;
      node.seconds ??= (performance.now() - began) / 1000;
      this.#tellNodes([node, ...node.children]);
      this.tell(game.analysis(node));
      if (hints && !node.marks) node.marks = await game.engine.hint({ megabytes, signal });
      if (signal.aborted) return;
      if (hints) this.tell(game.marks(node));
      this.judged();
    } catch (error) {
      if (!signal.aborted) this.tell({ type: "error", why: String(error.message || error) });
    }
  }
}

const ANSWERS = {
  ping: () => ({ type: "done" }),
  cancel() {
    return this.cancel();
  },
  open(params) {
    return this.opened(params);
  },
  move(params) {
    return this.moved(params);
  },
  undo() {
    return this.undone();
  },
  redo() {
    return this.redone();
  },
  restart() {
    return this.gone({ node: 0 });
  },
  goto(params) {
    return this.gone(params);
  },
  hints(params) {
    return this.hinted(params);
  },
  think(params) {
    return this.thought(params);
  },
};

/** A number below 2^32 by chance. */
const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];
const newKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");

/** A game with its tree. */
class Game {
  #movedAt = null;

  constructor(engine, wanted, known) {
    const { of, mode, choices, seed, key = newKey(), branches, shown, isTree, helped = [] } = wanted;
    Object.assign(this, { engine, of, mode, choices, seed, key, known, table: wanted.table });
    Object.assign(this, { seconds: wanted.seconds || 0, turnedBack: wanted.turned_back || 0 });
    if (wanted.text) engine.read(wanted.text);
    else engine.deal(BigInt(seed));
    this.stated = {
      ...Object.fromEntries((known.stated[of.game] || []).map(name => [name, of.choices[name][0]])),
      ...choices,
    };
    this.tree = new Tree(this.#facts());
    const nodes = [this.tree.nodes[0]];
    for (const [before, text] of branches) {
      const move = nodes[before]?.table.named(text);
      if (!move) throw new Later(text); // Python says what is wrong
      nodes.push(this.play(nodes[before], move));
      nodes.at(-1).helped = helped.includes(nodes.length - 1);
    }
    if (isTree) this.tree.show(nodes[shown] ?? fail());
    else {
      this.tree.show(nodes.at(-1));
      this.tree.show(nodes[Math.min(shown ?? Infinity, nodes.length - 1)]);
    }
  }

  close() {
    this.engine.close();
  }

  get isHidden() {
    return this.mode === "player";
  }

  /** True if its positions are judged here. */
  get isJudged() {
    return !this.isHidden && !this.of.scored;
  }

  /** Add the time since the last move to the time of play. */
  spend() {
    const now = performance.now() / 1000;
    if (this.#movedAt !== null) this.seconds += Math.min(LONGEST_THOUGHT, now - this.#movedAt);
    this.#movedAt = now;
  }

  /** The position after a move, added to the tree unless it is there. */
  play(node, move) {
    const known = node.children.find(child => child.move === move.move);
    if (known) return known;
    const { table } = node;
    this.engine.read(node.text);
    const rank = table.rank(move),
      does = table.sentence(move);
    this.engine.read(node.text);
    this.engine.play(move.move);
    const facts = this.#facts(table.wasTurnedOver || (move.from === "s" && !table.board.stock.length));
    const effects = table.effects(move, facts.table),
      lies = table.landing(move, facts.table);
    return this.tree.add(node, { ...facts, move: move.move, does, as: rank, effects, lies, helped: false });
  }

  #facts(wasTurnedOver = false) {
    const { engine, isHidden } = this,
      { text } = engine;
    const of = { ...this.of, hasRuns: this.known.runs.includes(this.of.game) };
    const rankAfter = ({ move, to }) => {
      engine.read(text);
      const at = engine.board().columns[to - 1].cards.length;
      engine.play(move);
      const { columns, jokers } = engine.board(),
        card = columns[to - 1].cards[at]; // a natural, if they changed places
      return jokers.find(joker => joker.card === card)?.declared ?? card[0];
    };
    const table = new Table(of, engine, { isHidden, wasTurnedOver, rankAfter });
    return { text, table, over: table.over, does: null, effects: [] };
  }

  /** The answer that the position before a move gives for the one after it; undefined if it gives none. */
  inherited({ parent, move, table }) {
    const before = parent?.answer;
    if (table.over === "won") return { verdict: "winnable", moves: [], length: 0, states: 0 };
    if (before?.verdict === "unwinnable") return before;
    if (!before?.moves || before.moves[0] !== move) return undefined;
    return { ...before, moves: before.moves.slice(1), length: before.length - 1 };
  }

  /* --- Messages --- */

  message() {
    const { of, mode, seed, choices } = this,
      title = Object.keys(choices).length ? of.title.split(",")[0] : of.title;
    const { draw = 1 } = this.tree.nodes[0].table.board,
      isScored = of.scored;
    return {
      type: "game",
      game: of.game,
      title,
      name: seed === null ? "own deal" : `seed ${seed}`,
      mode,
      seed,
      pysol: null,
      choices,
      revealed: false,
      note: null,
      places: of.places * of.decks,
      fan: isScored ? 1 : draw,
      nodes: this.nodes(this.tree.below(this.tree.nodes[0])),
      position: this.position(),
      link: this.#link(),
      saved: this.#header(),
    };
  }

  position() {
    const { tree } = this,
      node = tree.here;
    this.engine.read(node.text);
    return {
      type: "position",
      node: node.number,
      picture: node.table.picture(),
      moves: node.table.moves(),
      over: node.over,
      undo: node.parent !== null,
      redo: tree.following(node)?.number ?? null,
      auto: 0,
      unknown: node.table.unknown,
      seconds: Math.round(10 * this.seconds) / 10,
      turned_back: this.turnedBack,
      link: this.#link(),
    };
  }

  nodes(nodes) {
    const main = new Set(this.tree.mainLine());
    return nodes.map(node => {
      const {
        number,
        parent,
        ply,
        move = null,
        does,
        as = null,
        effects,
        lies = null,
        helped = false,
        over,
        answer,
      } = node;
      const before = parent?.answer?.verdict,
        keeps = before === "winnable" ? (KEEPS[answer?.verdict] ?? null) : null;
      const isLoss = keeps === false;
      return {
        node: number,
        parent: parent?.number ?? null,
        main: main.has(node),
        ply,
        move,
        does,
        as,
        effects,
        lies,
        turned: null,
        helped,
        over,
        judged: answer ? judgedOf(answer) : null,
        keeps,
        mark: isLoss ? "mistake" : null,
        loss: isLoss ? "makes the deal unwinnable" : null,
        best: answer?.moves?.[0] ?? null,
        best_as: null,
      };
    });
  }

  analysis(node) {
    const { answer } = node,
      told = { type: "analysis", node: node.number, stage: null, part: null, megabytes: 0 };
    const none = {
      length: null,
      shortest: null,
      lower_bound: null,
      score: null,
      tier: null,
      score_bound: null,
      exact: null,
      reason: null,
    };
    if (!answer)
      return {
        ...told,
        state: "searching",
        verdict: null,
        text: "searching",
        states: 0,
        seconds: 0,
        ...none,
      };
    const { verdict, states, moves } = answer,
      isOver = verdict !== "winnable" || !moves.length;
    const words = {
      unwinnable: "lost, proved",
      undecided: "undecided",
      winnable: moves?.length
        ? `winnable in at most ${moves.length} move${moves.length === 1 ? "" : "s"}`
        : "won",
    };
    const text = `all ${this.of.places * this.of.decks} cards: ${words[verdict]}`;
    return {
      ...told,
      state: isOver ? "done" : "searching",
      ...none,
      ...judgedOf(answer),
      text,
      states,
      seconds: node.seconds,
    };
  }

  marks(node) {
    const best = node.answer.moves?.[0],
      isWon = node.answer.verdict === "winnable";
    const marks = Object.fromEntries(
      node.marks.map(({ move, verdict, reason, length }) => {
        const judged = judgedOf({ verdict, reason, length: length === null ? null : length - 1 });
        return [
          move,
          { keeps: isWon ? (KEEPS[verdict] ?? null) : null, best: move === best, ...judged, to_tier: null },
        ];
      }),
    );
    return { type: "marks", node: node.number, done: true, marks };
  }

  /** The data that reopens the game. */
  saved() {
    const { tree, seconds, turnedBack } = this,
      moves = tree.nodes.slice(1);
    const helped = tree.nodes.filter(node => node.helped).map(({ number }) => number);
    const nodes = moves.map(({ parent, move }) => [parent.number, move]);
    return { ...this.#header(), nodes, here: tree.here.number, helped, seconds, turned_back: turnedBack };
  }

  #header() {
    const { of, key, mode, seed, table, stated } = this;
    const deal = table ? { deal: table } : { seed, choices: stated };
    return { winnable: "game", game: of.game, key, mode, revealed: false, ...deal };
  }

  #link() {
    const { of, seed, table, stated, mode, tree } = this,
      line = tree.line(tree.here).slice(1);
    const deal = table ? [["deal", JSON.stringify(table)]] : [["seed", seed], ...Object.entries(stated)];
    const moves = line.map(({ move }) => move.replaceAll(" ", "+")).join(",");
    return linkOf([
      ["game", of.game],
      ...deal,
      ...(mode === "player" ? [["mode", mode]] : []),
      ...(moves ? [["moves", moves]] : []),
      ...(line.length && tree.here !== line.at(-1) ? [["at", tree.here.ply]] : []),
    ]);
  }
}

const KEEPS = { winnable: true, unwinnable: false };

function judgedOf({ verdict, length, reason = null }) {
  const none = { lower_bound: null, score: null, tier: null, score_bound: null, exact: null };
  return { verdict, length, shortest: length === 0, reason, ...none };
}

function fail() {
  throw new Later("a position that is not there");
}
