/* The panel beside the table: verdict, moves and hints, reasons and mistakes, lines of play, tabs. */

import { escapeText, plain, pretty } from "./cards.js";
import { closest, dataOf, find, matches } from "./elements.js";
import { enter, focusTable, keepFocus } from "./input.js";
import { chancePercent, markStep, moveInWords, moveText, percentText, showsFigures } from "./looks.js";
import { drawArrows, drawWaits } from "./table.js";

/** @import { Game } from "./game.js" */
/** @import { Play } from "./play.js" */
/** @import { Table } from "./table.js" */
/** @import { Act, Analysis, Answer, Ask, Chances, GameNode, Known, Line, Mark, Marks } from "./types.d.ts" */
/** @import { Move, Position, Rules, Step, TreeNode, Why as WhyMessage, Worth } from "./types.d.ts" */

/* --- Badge with the verdict of the position; verdicts of its moves; chances of a player. --- */

/** The sign of each kind of verdict.
    @type {Record<string, string>} */
const SIGNS_OF = {
  winnable: "\u2713",
  unwinnable: "\u2717",
  undecided: "?",
  searching: "\u2026",
  off: "\u2013",
};
const TIERS = ["win", "double", "triple"],
  MOST_ADVICE = 8;
/** The class of the worth of a move of these kinds.
    @type {Record<string, string>} */
const IS_NUMBER = { best: "number", good: "number" };
const EVERY_LOSES = { keeps: false }; // the mark of each move of a lost position
/** @type {(number: number) => string} */
const count = number => number.toLocaleString("en");
/** @type {(text: string) => string} */
const capital = text => text[0].toUpperCase() + text.slice(1);

/** The look of the badge: winnable, unwinnable, undecided, searching or off.
    @type {(analysis: Analysis | null, isThinking: boolean) => string} */
function kindOf(analysis, isThinking) {
  if (!analysis) return isThinking ? "searching" : "off";
  return analysis.verdict || (analysis.state === "done" ? "undecided" : "searching");
}

/** @type {(badge: HTMLElement, worth: Worth) => void} */
export function drawBadge(badge, worth) {
  const { analysis, chances, over, isThinking, rules } = worth,
    isScored = rules.scored;
  const kind =
    over === "won"
      ? "winnable"
      : over === "stuck" && !isScored
        ? "unwinnable"
        : chances
          ? chances.certain === "lost"
            ? "unwinnable"
            : "chances"
          : kindOf(analysis, isThinking);
  const search = analysis || chances,
    isBusy = !!search && search.state !== "done";
  badge.dataset.kind = kind;
  badge.classList.toggle("busy", isBusy && isThinking);
  find(badge, ".sign").textContent = SIGNS_OF[kind] || "%";
  const bars = chances && kind === "chances" ? chanceBars(chances, worth) : "";
  const { title, more, length } = partsOf(worth, kind),
    effort = over ? "" : effortOf(analysis, chances);
  if (bars) find(badge, ".verdict").innerHTML = bars;
  else find(badge, ".verdict").textContent = title;
  find(badge, ".effort").textContent = [bars ? "" : more, effort].filter(text => text).join("; ");
  const moves = find(badge, ".length");
  moves.hidden = !length;
  moves.innerHTML = length ? `<b>${length}</b><small>${length === "1" ? "move" : "moves"}</small>` : "";
}

/** The verdict in parts: title, further words, and the length of the line to the win.
    @type {(worth: Worth, kind: string) => { title: string; more?: string; length?: string }} */
function partsOf(worth, kind) {
  const { analysis, over, rules, places } = worth;
  if (over === "won") return { title: "Won", more: `all ${places} cards are up` };
  if (over === "stuck" && !rules.scored) return { title: "Lost", more: "no move is left" };
  if (rules.scored || kind === "chances" || !analysis) return { title: textOf(worth) };
  if (kind === "unwinnable")
    return { title: "Lost", more: analysis.most_up?.text ?? "no line of play wins, proved" };
  if (kind !== "winnable" || !analysis.length) return { title: textOf(worth) };
  const { shortest, state, length } = analysis;
  return {
    title: "Winnable",
    more: shortest
      ? "shortest possible"
      : state === "done"
        ? "a shorter solution may exist"
        : "looking for a shorter solution",
    length: `${shortest ? "" : "\u2264\u2009"}${length}`,
  };
}

/** @type {(worth: Worth) => string} */
function textOf({ analysis, chances, over, isThinking, rules, places }) {
  if (over === "won") return `Won: all ${places}`;
  if (over === "stuck" && !rules.scored) return `All ${places}: lost, no move is left`;
  if (chances) return chanceText(chances, rules, places);
  if (analysis?.text) return capital(analysis.text);
  return isThinking ? "Thinking" : "Not judged";
}

/** The verdict for screen readers: its `text`, and its `kind`, announced once each; null if there is none.
    @type {(worth: Worth) => { kind: string; text: string } | null} */
export function announced(worth) {
  const { analysis, chances, over, isThinking } = worth;
  if (over) return { kind: over, text: textOf(worth) };
  if (chances?.certain) return { kind: chances.certain, text: textOf(worth) };
  if (!analysis?.verdict) return null;
  return { kind: kindOf(analysis, isThinking) + (analysis.state === "done"), text: textOf(worth) };
}

/** A tier as its number of cards.
    @type {(tier: string, rules: Rules, places: number) => string} */
const goalOf = (tier, rules, places) =>
  !rules.tiers[tier] || rules.tiers[tier] === places ? `all ${places}` : `${rules.tiers[tier]} cards`;

/** @typedef {Pick<Worth, "rules" | "score"> & Pick<Chances, "certain">} Sure */

/** The reason why a tier is sure, in a word: reached, or certain whatever the hidden cards are; empty if it
    is not known.
    @type {(tier: string, known: Sure) => string} */
const sureText = (tier, { rules, score, certain }) =>
  rules.tiers[tier] && Number(score) >= rules.tiers[tier]
    ? "reached"
    : tier === "win" && certain === "won"
      ? "certain"
      : "";

/** The chance of each tier as a labelled bar with its interval, after those that are sure; empty if no chance
    is known.
    @type {(chances: Chances, worth: Worth) => string} */
function chanceBars({ advice, certain }, { rules, places, score }) {
  const { tiers, reason } = advice?.[0] || {},
    sure = (/** @type {string} */ tier) => sureText(tier, { rules, score, certain });
  if (reason || !tiers || TIERS.every(tier => !tiers[tier] || sure(tier))) return "";
  const rows = TIERS.filter(tier => tiers[tier]).map(tier => {
    const { probability, low = probability, high = probability } = tiers[tier];
    const bar = `<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="12"/>
      <rect class="part" width="${Math.round(100 * probability)}" height="12"/>
      <rect class="band" x="${100 * low}" y="4" width="${Math.max(1, 100 * (high - low))}" height="4"/>
      </svg>`;
    const [shown, number] = sure(tier)
      ? ["", `\u2713<small> ${sure(tier)}</small>`]
      : [bar, chancePercent(tiers[tier]).replace("<small", "&nbsp;% <small")];
    const name = `<b>${capital(tier)}</b> <small>${goalOf(tier, rules, places)}</small>`;
    return `<span class="${tier}"><span>${name}</span>${shown}<span class="number">${number}</span></span>`;
  });
  return `<span class="chances">${rows.join("")}</span>`;
}

/** @type {(chances: Chances, rules: Rules, places: number) => string} */
function chanceText({ advice, certain, text: words }, rules, places) {
  const { tiers, reason } = advice?.[0] || {};
  if (certain) return capital(words || certain);
  if (reason) return "No estimate yet";
  if (!tiers?.win) return words ? capital(words) : "Weighing";
  return capital(
    TIERS.filter(tier => tiers[tier])
      .map(tier => `${goalOf(tier, rules, places)} ${percentText(tiers[tier].probability)}%`)
      .join(", "),
  );
}

/** @type {(analysis: Analysis | null, chances: Chances | null) => string} */
function effortOf(analysis, chances) {
  const reason = chances?.advice?.[0]?.reason;
  if (reason) return `The next move ${reason}.`;
  if (!showsFigures()) return "";
  if (chances)
    return chances.samples ? `${count(chances.samples)} samples, ${(chances.seconds || 0).toFixed(1)} s` : "";
  if (!analysis?.states) return "";
  const waits = analysis.state === "waiting" ? "waiting for other games; " : "";
  const part =
    analysis.state === "searching" && (analysis.part || analysis.stage)
      ? `, ${analysis.part || analysis.stage}`
      : "";
  return `${waits}${count(analysis.states)} states, ${(analysis.seconds || 0).toFixed(1)} s${part}`;
}

/** The look of a mark and its text.
    @type {(mark: Mark | undefined, isScored: boolean) => { kind: string; sign: string; text: string }} */
function markOf(mark, isScored) {
  if (!mark || mark.keeps === null) return { kind: "unknown", sign: "?", text: "not known yet" };
  if (!mark.keeps) return { kind: "bad", sign: "\u2717", text: isScored ? lossText(mark) : "loses" };
  const text = isScored ? reachText(mark) : lengthText(mark);
  return { kind: mark.best ? "best" : "good", sign: mark.best ? "\u2605" : "\u2713", text };
}

/** @type {(mark: Mark) => string} */
const lengthText = mark =>
  mark.length === null || mark.length === undefined
    ? "still wins"
    : !mark.length
      ? "wins at once"
      : `${mark.shortest ? "" : "\u2264\u2009"}${mark.length}`;
/** @type {(mark: Mark) => string} */
const reachText = mark =>
  mark.score === null || mark.score === undefined
    ? "keeps the best score"
    : (mark.exact ? `reaches ${mark.score}` : `reaches ${mark.score} or more`) + inText(mark);
/** @type {(mark: Mark) => string} */
const inText = mark =>
  mark.to_tier && mark.tier !== "none"
    ? `, ${mark.tier}${mark.to_tier.length ? ` in ${mark.to_tier.length}` : ""}`
    : mark.score_bound === mark.score && mark.tier === "triple" && mark.length
      ? ` in ${mark.length}`
      : "";
/** @type {(mark: Mark) => string} */
const lossText = mark => (mark.score_bound === null ? "loses something" : `${mark.score_bound} at most`);

/** The tag of a move's target while its card is in hand: the moves left to the win, or the score in
    games that have one; empty while unknown.
    @type {(mark: Mark | undefined) => string} */
export function tagOf(mark) {
  if (!mark || mark.keeps === null || mark.keeps === undefined) return "";
  if (!mark.keeps) return Number.isFinite(mark.score_bound) ? `\u2264\u2009${mark.score_bound}` : "loses";
  if (Number.isFinite(mark.score)) return `${mark.exact ? "" : "\u2265\u2009"}${mark.score}`;
  return Number.isFinite(mark.length) ? lengthText(mark) : "";
}

/** The legal moves with their marks, the best first, as rows of buttons. More than two losing moves, or all,
    are one row, which shows them when clicked, unless `isWhole`.
    @type {(moves: Move[], marks: Marks, rules: Rules, isWhole: boolean) => HTMLElement[]} */
function optionRows(moves, marks, { scored: isScored }, isWhole) {
  /** @type {Record<string, number>} */
  const order = { best: 0, good: 1, unknown: 2, bad: 3 };
  const rows = moves.map(move => ({
    move,
    mark: markOf(marks[move.text], isScored),
    known: marks[move.text] || {},
  }));
  rows.sort(
    (a, b) =>
      order[a.mark.kind] - order[b.mark.kind] ||
      (b.known.score ?? 0) - (a.known.score ?? 0) ||
      (a.known.length ?? 1e9) - (b.known.length ?? 1e9),
  );
  const losing = rows.filter(({ mark }) => mark.kind === "bad"),
    isAll = losing.length === rows.length,
    isFolded = !isScored && !isWhole && (isAll || losing.length > 2);
  const same = Map.groupBy(moves, ({ text }) => moveInWords(text)),
    isDouble = (/** @type {Move} */ { text }) => (same.get(moveInWords(text)) || []).length > 1;
  const items = rows
    .filter(({ mark }) => !isFolded || mark.kind !== "bad")
    .map(({ move, mark }) =>
      row(
        move.text,
        `<span class="sign ${mark.kind}">${mark.sign}</span>
        <span>${moveOf(move.text, move.as, isDouble(move))}</span>
        <small class="${IS_NUMBER[mark.kind] || mark.kind}">${escapeText(mark.text)}</small>`,
        move.does,
      ),
    );
  if (!isFolded) return items;
  const more = row(
    "",
    `<span class="sign bad">\u2717</span>
    <span>${isAll ? "Every move loses" : `${losing.length} moves lose`}</span> <small>show</small>`,
    "",
  );
  find(more, "button").dataset.all = "";
  delete find(more, "button").dataset.text;
  return [...items, more];
}

/** The player's advice as rows with the chances of each entry for the tiers that are not sure, or the reason
    why nothing was evaluated, below a row with the names of the tiers.
    @type {(chances: Chances, moves: Move[], rules: Rules, score: number | null) => HTMLElement[]} */
function adviceRows({ advice, certain }, moves, rules, score) {
  const shown = (advice || []).filter(entry => entry.moves.length).slice(0, MOST_ADVICE);
  const tiers = TIERS.filter(
    tier => shown.some(entry => entry.tiers[tier]) && !sureText(tier, { rules, score, certain }),
  );
  const rows = shown.map((entry, i) => {
    const cells = tiers
      .filter(tier => entry.tiers[tier])
      .map(tier => `<b>${chancePercent(entry.tiers[tier])}</b>`)
      .join("");
    const worth = cells
      ? `<span class="tiers">${cells}</span>`
      : `<small class="why">${escapeText(entry.reason || "not tried yet")}</small>`;
    const [first] = entry.moves,
      line = lineOf(entry.moves, moves.find(move => move.text === first)?.as);
    return row(
      first,
      `<span class="sign ${i ? "good" : "best"}">${i ? "" : "\u2605"}</span> <span class="line">${line}</span>
      ${worth}`,
      tiers.length ? `${count(entry.visits)} samples` : "not tried yet",
    );
  });
  return tiers.length ? [heads(tiers), ...rows] : rows;
}

/** @type {(text: string, as?: string | null, isLong?: boolean) => string} */
const moveOf = (text, as, isLong) => pretty(moveInWords(text, as, isLong));

/** Moves that belong together, as HTML; many draws in a row are shown by their number and the last card. `as`
    is the rank of a joker that the first move moves.
    @type {(moves: string[], as: string | null | undefined) => string} */
function lineOf(moves, as) {
  const first = moves.findIndex(text => !text.endsWith(" s-w")),
    draws = first < 0 ? moves.length : first;
  const last = moves[draws - 1],
    rest = moves.slice(draws).map((text, i) => moveOf(text, draws + i ? "" : as));
  return [
    ...(draws > 2
      ? [`${draws} draws, to ${pretty(last.split(" ")[0])}`]
      : moves.slice(0, draws).map(text => moveOf(text))),
    ...rest,
  ].join("; ");
}

/** @type {(tiers: string[]) => HTMLElement} */
function heads(tiers) {
  const item = document.createElement("li");
  item.className = "heads";
  item.innerHTML = tiers.map((tier, i) => `<span>${i ? "" : "% "}${tier}</span>`).join("");
  return item;
}

/** @type {(text: string, html: string, title: string) => HTMLElement} */
function row(text, html, title) {
  const item = document.createElement("li"),
    button = document.createElement("button");
  button.type = "button";
  button.dataset.text = text;
  button.title = title;
  button.innerHTML = html;
  item.append(button);
  return item;
}

/** The purpose of the hints, and their price; shown while they are off.
    @type {(rules: Rules, isPlayed: boolean) => string} */
function adviceText({ scored: isScored }, isPlayed) {
  const what = isPlayed
    ? "how likely each move makes a win"
    : isScored
      ? "what each move can still reach"
      : "which moves still win, and which lose";
  return `<p><b>Hints</b> show ${what}. A game won with them is not counted as won without help.</p>`;
}

/* --- Moves of a position with their verdicts or chances, and an arrow on the table for the best one. Rows
   stay in place under the pointer and the focus; the arrow shows a row's move before a click makes it. --- */

/** The content of the list: the moves of a position for `play` on `table`, if they are seen. With `isLost`
    the position is proved lost, and `canGoBack` if one that can be won is known on the way to it. With
    `isPlayed` the hidden cards are not known.
    @typedef {{
    position: Position; rules: Rules; isSeen: boolean; table: Table; play: Play; isLost: boolean;
    canGoBack: boolean; isPlayed: boolean; }} Shown */

export class Options {
  /** The marks of the moves, by their texts.
      @type {Marks} */
  marks = {};
  /** The chances of the position, in a game with hidden cards.
      @type {Chances | null} */
  chances = null;
  isOn = false; // whether hints are on
  /** The content that was drawn last.
      @type {Shown | null} */
  #shown = null;
  /** The move under the pointer or the focus.
      @type {string | null} */
  #looked = null;
  /** The node whose moves are listed.
      @type {number | null} */
  #node = null;
  #isWhole = false; // whether losing moves are rows of their own

  /** `make` makes the move that was clicked.
      @param {HTMLElement} box
      @param {(text: string) => void} make */
  constructor(box, make) {
    this.box = box;
    this.advice = find(document, "#advice"); // shown while hints are off
    this.list = find(box, ".rows");
    this.foot = find(box, ".then:not(.lost)");
    this.lost = find(box, ".lost");
    const textOf = (/** @type {Event} */ event) => dataOf(event, "[data-text]").text;
    const look = (/** @type {Event} */ event) => this.#look(textOf(event) ?? null);
    box.addEventListener("pointerover", event => {
      if (!isFinger(event)) look(event);
    });
    box.addEventListener("focusin", event => {
      if (matches(event, ":focus-visible")) look(event);
    });
    const leave = (/** @type {PointerEvent | FocusEvent} */ event) => {
      const { relatedTarget: to } = event;
      if (isFinger(event)) return; // it leaves before its tap is a click
      if (to instanceof Node && box.contains(to)) return;
      this.#look(null);
      this.#redraw();
    };
    box.addEventListener("pointerleave", leave);
    box.addEventListener("focusout", leave);
    box.addEventListener("click", event => {
      const isFoot = this.foot.contains(closest(event, "button")),
        text = isFoot ? this.#chosen : textOf(event);
      if (closest(event, "[data-all]")) {
        this.#isWhole = true;
        this.#redraw();
      }
      if (!text) return;
      if (isFoot) {
        make(text);
        return;
      }
      if (isFinger(event) && this.#looked !== text)
        this.#look(text); // the first tap shows the move
      else make(text);
    });
  }

  /* Discard what is known about the previous position. */
  clear() {
    this.marks = {};
    this.chances = this.#looked = this.#node = null;
    this.#isWhole = false;
  }

  /** Draw moves, and their marks on the table.
      @type {(shown: Shown) => void} */
  draw(shown) {
    this.#shown = shown;
    const { position, rules, play, isLost, canGoBack } = shown,
      isShown = this.#isShown,
      isAll = this.#isAll;
    const marks = isAll
      ? Object.fromEntries(position.moves.map(({ text }) => [text, EVERY_LOSES]))
      : this.marks;
    this.advice.hidden = this.isOn;
    if (!this.isOn) this.advice.innerHTML = adviceText(rules, shown.isPlayed);
    keepFocus(this.box, () => {
      this.box.hidden = !isShown || !position.moves.length;
      if (this.box.hidden) return;
      const isHeld =
        this.#node === position.node &&
        (this.list.matches(":hover") || this.list.contains(document.activeElement));
      find(this.box, "h2 small").textContent =
        this.chances || isAll ? "" : rules.scored ? "what can be reached" : "moves left to the win";
      const rows = this.chances
        ? adviceRows(this.chances, position.moves, rules, position.picture.score)
        : optionRows(position.moves, marks, rules, isHeld || this.#isWhole);
      this.#fill(rows, position.node, isHeld);
      this.lost.hidden = !isLost;
      const [told, back] = this.lost.children;
      told.textContent = isAll ? "Every move loses." : "A win is out of reach.";
      back.toggleAttribute("hidden", !canGoBack);
    });
    this.#point();
    const best = this.#best,
      ofBest = best ? { [best]: { keeps: true, best: true } } : {};
    play.mark(!isShown ? {} : this.chances ? ofBest : marks);
  }

  #redraw() {
    if (this.#shown) this.draw(this.#shown);
  }

  /* True if the moves are shown. */
  get #isShown() {
    return !!this.#shown && this.isOn && this.#shown.isSeen && this.#shown.position.over !== "won";
  }

  /* True if all moves are known to lose. */
  get #isAll() {
    return !!this.#shown && this.#shown.isLost && !this.#shown.rules.scored;
  }

  /** @type {(text: string | null) => void} */
  #look(text) {
    if (text === this.#looked) return;
    this.#looked = text;
    this.#point();
  }

  /* Draw the arrow of the move under the pointer or focus, else of the best move. */
  #point() {
    if (!this.#shown) return;
    const { table, position } = this.#shown,
      text = this.#chosen,
      move = this.#isShown ? position.moves.find(one => one.text === text) : undefined;
    drawArrows(table, move ? [move] : [], !!this.#looked);
    for (const [item, button] of buttonsOf(this.list))
      item.classList.toggle("looked", !!text && button?.dataset.text === text);
    const [told, make] = this.foot.children,
      star = this.#looked ? "" : '<span class="best">\u2605</span> ';
    told.innerHTML = move ? star + pretty(move.does) : "";
    make.toggleAttribute("disabled", !move);
    this.foot.hidden = this.#isAll && !move;
  }

  get #chosen() {
    return this.#looked || this.#best;
  }

  /** Show rows; if the list is held, only new ones are added, and others get their new content.
      @type {(rows: HTMLElement[], node: number, isHeld: boolean) => void} */
  #fill(rows, node, isHeld) {
    this.#node = node;
    if (!isHeld) {
      this.list.replaceChildren(...rows);
      return;
    }
    const olds = byText(buttonsOf(this.list)),
      news = byText(rows.map(item => [item, item.querySelector("button")]));
    for (const [text, [, button]] of news) {
      const old = olds.get(text)?.[1];
      if (text && old && button) old.innerHTML = button.innerHTML;
    }
    for (const [text, [item]] of news) if (!olds.has(text)) this.list.append(item);
  }

  get #best() {
    if (this.chances) return this.chances.advice?.[0]?.moves[0] ?? null;
    return Object.entries(this.marks).find(([, mark]) => mark.best && mark.keeps)?.[0] ?? null;
  }
}

/** @type {(event: Event) => boolean} */
const isFinger = event => event instanceof PointerEvent && event.pointerType === "touch";

/** A row of a list, and its button, if it has one.
    @typedef {[item: Element, button: HTMLButtonElement | null]} Row */

/** @type {(list: Element) => Row[]} */
const buttonsOf = list => [...list.children].map(item => [item, item.querySelector("button")]);

/** Rows by the texts of their moves: the first of those that begin with one move.
    @type {(rows: Row[]) => Map<string | undefined, Row>} */
function byText(rows) {
  const found = new Map();
  for (const each of rows) {
    const text = each[1]?.dataset.text;
    if (!found.has(text)) found.set(text, each);
  }
  return found;
}

/* --- Move list with variations. --- */

/** A row of the move list, with what it was made of. `notes` are rows for effects.
    @typedef {{
      html: string;
      title: string;
      item: HTMLElement;
      button: HTMLButtonElement;
      notes?: HTMLElement[];
    }} TreeRow */

export class Tree {
  /** The game that is drawn.
      @type {Game} */
  #game;
  /** The rows by their nodes, and those of the drawing before.
      @type {Map<number, TreeRow>} */
  #rows = new Map();
  /** @type {Map<number, TreeRow>} */
  #before = new Map();

  /** `go` is called for the move that was clicked.
      @param {HTMLElement} list
      @param {(node: number) => void} go */
  constructor(list, go) {
    this.list = list;
    new ResizeObserver(() => this.scroll()).observe(list); // hints and graph take up space of the list
    list.addEventListener("click", event => {
      const { node } = dataOf(event, "button");
      if (node) go(+node);
    });
  }

  /** Draw the moves of a game. Unchanged rows keep their elements, and up to the first change also their
      place in the list.
      @type {(game: Game) => void} */
  draw(game) {
    this.#game = game;
    this.#before = this.#rows;
    this.#rows = new Map();
    const rows = [this.#row(game.root)],
      shown = this.list.children;
    this.#line(game.root, rows);
    let same = 0;
    while (same < rows.length && shown[same] === rows[same]) same++;
    while (shown.length > same) shown[shown.length - 1].remove();
    this.list.append(...rows.slice(same));
    this.scroll();
  }

  /* Bring the current move into view. */
  scroll() {
    if (this.#game && this.list.clientHeight)
      markStep(this.list, this.#rows.get(this.#game.position.node)?.button);
  }

  /** Add the rows for all that follows a node: its first child, then the other children as variations, then
      what follows the first child.
      @type {(node: GameNode, into: HTMLElement[]) => void} */
  #line(node, into) {
    for (; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      into.push(this.#row(first), ...this.#notes(first));
      for (const other of others) {
        const item = document.createElement("li"),
          inner = document.createElement("ol"),
          rows = [this.#row(other)];
        item.className = "variation";
        this.#line(other, rows);
        inner.append(...rows);
        item.append(inner);
        into.push(item);
      }
    }
  }

  /** Rows for the effects of a move on a joker.
      @type {(node: GameNode) => HTMLElement[]} */
  #notes(node) {
    const texts = (node.effects || []).filter(text => /\bX[BR]\b/.test(text)),
      known = this.#rows.get(node.node);
    if (known?.notes?.length === texts.length) return known.notes;
    const notes = texts.map(text => {
      const item = document.createElement("li");
      item.className = "note";
      item.innerHTML = pretty(text);
      return item;
    });
    if (known) known.notes = notes;
    return notes;
  }

  /** @type {(node: GameNode) => HTMLElement} */
  #row(node) {
    const isBad = node.mark === "mistake";
    const mark = isBad ? '<span class="bad" role="img" aria-label="mistake">?</span>' : "";
    const end = node.over === "won" ? '<span class="good" role="img" aria-label="won">\u2713</span>' : "";
    const move = node.move ? pretty(moveText(node.move, node.as)) : "the deal",
      cost = slower(node, this.#game.byNumber.get(node.parent ?? -1));
    const word = node.fair ? `<em class="bad">${escapeText(node.fair.word)}</em>` : "";
    const html = `<span class="n">${node.ply}</span> <span>${move}</span>${cost}${word}${mark}${end}`;
    const losses = [isBad ? node.loss : null, node.fair?.text].filter(text => text);
    const title = node.move ? plain([node.does, ...node.effects, ...losses].join("; ")) : "";
    const before = this.#before.get(node.node),
      isSame = before?.html === html && before.title === title;
    const made = isSame ? before : { html, title, ...newRow(node.node, html, title, isBad) };
    this.#rows.set(node.node, made);
    return made.item;
  }
}

/** By how many moves a move lengthened the shortest line to the win; empty unless both lengths are proved.
    @type {(node: GameNode, parent: GameNode | undefined) => string} */
function slower({ judged }, parent) {
  const lengthOf = (/** @type {Known | null | undefined} */ each) =>
    each?.verdict === "winnable" && each.shortest ? (each.length ?? NaN) : NaN;
  const more = lengthOf(judged) - lengthOf(parent?.judged) + 1; // NaN unless both are known
  return more > 0
    ? `<em title="${more === 1 ? "1 move" : `${more} moves`} longer than needed">+${more}</em>`
    : "";
}

/** @type {(node: number, html: string, title: string, isBad: boolean) => { item: HTMLElement; button:
      HTMLButtonElement }} */
function newRow(node, html, title, isBad) {
  const item = document.createElement("li"),
    button = document.createElement("button");
  Object.assign(button, { type: "button", innerHTML: html, title });
  button.dataset.node = String(node);
  button.classList.toggle("mistake", isBad);
  item.append(button);
  return { item, button };
}

/* --- Why a position is lost: the cards that block each other, marked on the table, each with arrows to what
   it waits for. --- */

export class Why {
  /** The cards that block each other.
      @type {WhyMessage["cards"]} */
  #cards = [];
  /** The table on which they are marked; null before the first.
      @type {Table | null} */
  #table = null;

  /** `redraw` draws the arrows of the position again.
      @param {HTMLElement} box
      @param {() => void} redraw */
  constructor(box, redraw) {
    this.box = box;
    this.redraw = redraw;
    box.addEventListener("click", event => {
      if (dataOf(event, "button").do === "close") this.close();
    });
    box.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.close();
    });
    for (const type of ["pointerover", "focusin", "click"])
      box.addEventListener(type, event => this.#look(dataOf(event, "[data-card]").card));
  }

  /** @type {(why: WhyMessage, table: Table) => void} */
  open({ text, cards }, table) {
    this.#cards = cards;
    this.#table = table;
    const rows = cards
      .map((card, i) => `<li><button type="button" data-card="${i}">${pretty(card.text)}</button></li>`)
      .join("");
    this.box.innerHTML = `<h2>Why it is lost <button type="button" data-do="close">Close</button></h2>
      <p role="status">${escapeText(text)}</p><ul class="rows">${rows}</ul>`;
    this.box.hidden = false;
    enter(this.box);
    const spots = new Set(cards.map(card => card.spot));
    for (const { element, spot } of table.elements) element.classList.toggle("blocks", spots.has(spot || ""));
  }

  close() {
    if (this.box.hidden) return;
    keepFocus(this.box, () => {
      this.box.hidden = true;
    });
    for (const { element } of this.#table?.elements || []) element.classList.remove("blocks");
    this.redraw();
  }

  /** @type {(card: string | undefined) => void} */
  #look(card) {
    if (!card || !this.#table) return;
    const { spot, waits } = this.#cards[+card];
    drawWaits(this.#table, spot, waits);
  }
}

/* --- Review of mistakes: go to each, try again without hints, or show a better move. --- */

/** `ask` and `act` send requests, `view` shows a line, `showHints` shows or hides the hints.
    @typedef {{
      ask: Ask;
      act: Act;
      view: (line: Line) => void;
      showHints: (isOn: boolean) => void;
    }} Reviewer */

export class Review {
  /** The game that is reviewed.
      @type {Game | null} */
  #game = null;
  /** The mistake that is reviewed; null if none is.
      @type {GameNode | null} */
  #mistake = null;
  /** The number of the node to which a move that was tried has led.
      @type {number | null} */
  #tried = null;
  #isGoing = false; // whether the position changes for the review
  isTrying = false; // whether another move is looked for

  /** @param {HTMLElement} box
      @param {Reviewer} on */
  constructor(box, on) {
    this.box = box;
    this.on = on;
    box.addEventListener("click", event => {
      const { do: what } = dataOf(event, "button");
      if (what) this.#do(what);
    });
  }

  /** Go to the mistake after the current one, or to the first.
      @type {(game: Game) => Promise<void>} */
  async jump(game) {
    const { mistakes } = game,
      last = mistakes.findIndex(node => node.node === this.#mistake?.node);
    const next = mistakes[(last + 1) % mistakes.length];
    this.#try(false);
    this.#mistake = null;
    await this.on.act({ type: "goto", node: next.node });
    this.#mistake = next;
    this.#game = game;
    this.#draw(`Move ${next.ply}, ${wordsOf(next)}, ${next.loss}.`, ["try", "show", "next", "close"]);
    enter(this.box);
  }

  close() {
    this.#try(false);
    this.#mistake = null;
    keepFocus(this.box, () => {
      this.box.hidden = true;
    });
  }

  /** Handle a change of the position: a move that was tried is to be judged, anything else ends the trial.
      @type {(game: Game) => void} */
  moved(game) {
    this.#game = game;
    if (!this.#mistake || this.#isGoing) return;
    const { node } = game;
    if (this.isTrying && node && node.parent === this.#mistake.parent) {
      this.#tried = node.node;
      this.#judge();
    } else if (!this.isTrying && node && node.node !== this.#mistake.node) this.close();
    else if (this.isTrying && node && node.node !== this.#mistake.parent && node.node !== this.#tried)
      this.close();
  }

  /** @type {(nodes: TreeNode[]) => void} */
  learn(nodes) {
    if (this.isTrying && nodes.some(node => node.node === this.#tried)) this.#judge();
  }

  #judge() {
    const node = this.#game?.byNumber.get(this.#tried ?? -1);
    if (!node) return;
    const move = wordsOf(node);
    if (node.keeps === true) this.#draw(`Right: ${move} keeps it.`, ["show", "next", "close"], "good");
    else if (node.keeps === false)
      this.#draw(`${move} ${node.loss} as well.`, ["try", "show", "next", "close"], "bad");
    else this.#draw(`${move}: thinking about it.`, ["try", "show", "close"]);
  }

  /** @type {(what: string) => Promise<void>} */
  async #do(what) {
    if (what === "close") {
      this.close();
      this.on.showHints(true);
    }
    if (what === "next" && this.#game) this.jump(this.#game);
    if (what === "try" && this.#mistake) this.#again(this.#mistake);
    if (what === "show" && this.#mistake) this.#show(this.#mistake);
  }

  /** @type {(mistake: GameNode) => Promise<void>} */
  async #again(mistake) {
    this.#try(true);
    this.#tried = null;
    await this.#goto(mistake.parent);
    const text = `${wordsOf(mistake)} ${mistake.loss}. Find a move that keeps it.`;
    this.#draw(text, ["show", "next", "close"]);
    focusTable();
  }

  /** @type {(mistake: GameNode) => Promise<void>} */
  async #show(mistake) {
    const answer = await this.on.ask({ type: "better", node: mistake.node });
    this.#try(false);
    if (answer.type !== "line" || !answer.found) {
      this.#draw(answer.why || "No line is known.", ["try", "next", "close"], "bad");
      return;
    }
    await this.#goto(mistake.parent);
    this.on.view(answer);
    const move = moveInWords(answer.steps?.[1]?.move || "");
    this.#draw(`${move} keeps it.`, ["try", "next", "close"], "good");
  }

  /** @type {(node: number | null) => Promise<void>} */
  async #goto(node) {
    if (node === null) return;
    this.#isGoing = true;
    await this.on.act({ type: "goto", node });
    this.#isGoing = false;
  }

  /** @type {(isOn: boolean) => void} */
  #try(isOn) {
    this.isTrying = isOn;
    if (this.#game) this.on.showHints(!isOn);
  }

  /** @type {(text: string, buttons: string[], kind?: string) => void} */
  #draw(text, buttons, kind = "") {
    const mistakes = this.#game?.mistakes || [],
      at = mistakes.findIndex(node => node.node === this.#mistake?.node) + 1;
    /** @type {Record<string, string>} */
    const names = {
      try: "Try again",
      show: "Show me",
      next: mistakes.length > 1 ? "Next mistake" : "",
      close: "Close",
    };
    this.box.hidden = false;
    const html = `<h2>Mistake ${at} of ${mistakes.length}</h2>
      <p class="${kind}" role="status">${pretty(text)}</p><p class="row">${buttons
        .filter(name => names[name])
        .map(
          (name, i) =>
            `<button type="button" data-do="${name}"${i ? "" : ' class="main"'}>${names[name]}</button>`,
        )
        .join("")}</p>`;
    keepFocus(this.box, () => {
      this.box.innerHTML = html;
    });
  }
}

/** The move of a node in words.
    @type {(node: GameNode) => string} */
const wordsOf = node => moveInWords(node.move || "", node.as);

/* --- Viewer that steps through a line of play on the table, or plays it, apart from the game. --- */

const PACE = 800,
  CALM = 1600; // milliseconds from step to step of a line that is played, and where less motion is asked for
const PLAYS = '<path d="M7 5v14l11-7z"/>',
  PAUSES = '<path d="M8 5v14M16 5v14"/>';
/** The buttons that go to other steps: their names and icons.
    @type {Record<string, string[]>} */
const STEPS = {
  first: ["First", "M6 5v14M18 5 9 12l9 7z"],
  back: ["Back", "m15 5-8 7 8 7z"],
  next: ["Next", "m9 5 8 7-8 7z"],
  last: ["Last", "M18 5v14M6 5l9 7-9 7z"],
};

/** `show` draws a step; `close` draws the game again; `keep` adds the line to the game, `other` shows the
    line to another goal.
    @typedef {{
      show: (step: Step) => void;
      close: () => void;
      keep: (line: { node: number; moves: string[] }) => void;
      other: (goal: string) => void;
    }} Views */

/** The actions of the viewer's keys.
    @type {Record<string, string>} */
const VIEWER_KEYS = {
  ArrowRight: "next",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  Escape: "close",
  " ": "play",
};

export class Viewer {
  isOpen = false;
  /** The line, and its steps; null before the first.
      @type {Line | null} */
  #line = null;
  #at = 0; // the index of the step that is shown
  /** The timer of the next step; null while nothing is played.
      @type {ReturnType<typeof setInterval> | null} */
  #timer = null;

  /** @param {HTMLElement} box
      @param {Views} on */
  constructor(box, on) {
    this.box = box;
    this.on = on;
    box.addEventListener("click", event => {
      const { do: what } = dataOf(event, "[data-do]");
      if (what) this.#do(what);
    });
  }

  get #steps() {
    return this.#line?.steps || [];
  }

  /** @type {(line: Line) => void} */
  open(line) {
    const { other } = line; // the line to the tier alone, or that to the score
    this.#pause();
    this.#line = line;
    this.#at = 0;
    this.isOpen = true;
    this.box.hidden = false;
    const icon = '<svg viewBox="0 0 24 24" aria-hidden="true"></svg>';
    this.box.innerHTML = `<h2>A line of play <button type="button" data-do="close">Close</button></h2>
      <p class="soft">${escapeText(line.text || "")}</p>
      <p class="row steps">${stepButton("first")}${stepButton("back")}
      <button type="button" data-do="play" class="main" title="Play or pause (space)">${icon}
      <span></span></button>
      ${stepButton("next")}${stepButton("last")} <b class="place"></b></p><p class="what"></p>
      <p class="row"><button type="button" data-do="keep">Keep it as a variation</button>${
        other ? `<button type="button" data-do="other">${escapeText(other.text)}</button>` : ""
      }</p>`;
    this.#go(this.#steps.length > 1 ? 1 : 0);
    this.#drawPlay();
    enter(this.box);
  }

  /* Stop viewing, without redrawing the table. */
  end() {
    this.#pause();
    this.isOpen = false;
    keepFocus(this.box, () => {
      this.box.hidden = true;
    });
  }

  redraw() {
    this.#go(this.#at);
  }

  /** Perform the action of a key; returns whether it has one. Space presses the button that has the focus, if
      any has, else it plays or pauses.
      @type {(key: string) => boolean} */
  key(key) {
    if (key === " " && document.activeElement?.matches("button, a, summary")) return false;
    const what = VIEWER_KEYS[key];
    if (what) this.#do(what);
    return !!what;
  }

  get #isAtEnd() {
    return this.#at === this.#steps.length - 1;
  }

  /* Play the line from here, or from its start if it is at its end. */
  #play() {
    if (this.#isAtEnd) this.#go(0);
    const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? CALM : PACE;
    this.#timer = setInterval(() => {
      this.#go(this.#at + 1);
      if (this.#isAtEnd) this.#pause();
    }, pace);
    this.#drawPlay();
  }

  #pause() {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    if (this.isOpen) this.#drawPlay();
  }

  #drawPlay() {
    const [icon, label] = find(this.box, "[data-do=play]").children;
    icon.innerHTML = this.#timer ? PAUSES : PLAYS;
    label.textContent = this.#timer ? "Pause" : "Play";
  }

  /** @type {(what: string) => void} */
  #do(what) {
    const line = this.#line,
      steps = this.#steps,
      wasPlaying = !!this.#timer;
    this.#pause();
    if (what === "play") {
      if (!wasPlaying) this.#play();
      return;
    }
    if (what === "other") {
      if (line?.other) this.on.other(line.other.goal);
      return;
    }
    if (what === "close" || what === "keep") {
      this.end();
      this.on.close();
      const moves = steps.slice(1).map(({ move }) => move || "");
      if (what === "keep" && line) this.on.keep({ node: line.node, moves });
      return;
    }
    if (what === "first" || what === "last") this.#go(what === "first" ? 0 : steps.length - 1);
    else this.#go(this.#at + (what === "next" ? 1 : -1));
  }

  /** @type {(to: number) => void} */
  #go(to) {
    const steps = this.#steps;
    this.#at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[this.#at];
    find(this.box, ".place").textContent = `${this.#at} of ${steps.length - 1}`;
    find(this.box, ".what").innerHTML = this.#at ? pretty(step.does) : "From here:";
    this.on.show(step);
  }
}

/** @type {(what: string) => string} */
function stepButton(what) {
  const [name, path] = STEPS[what],
    icon = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return `<button type="button" data-do="${what}" aria-label="${name}" title="${name}">${icon}</button>`;
}

/* --- The panel beside the table; on a low or narrow window it shows one pane at a time, by tabs. --- */

const NAMES = ["hints", "moves", "graph"];

export class Tabs {
  /** `shown` is called when another pane is shown.
      @param {HTMLElement} panel
      @param {HTMLElement} list
      @param {() => void} shown */
  constructor(panel, list, shown) {
    this.panel = panel;
    this.shown = shown;
    this.tabs = [...list.querySelectorAll("button")];
    list.addEventListener("click", event => {
      const at = this.#indexOf(closest(event, "[role=tab]"));
      if (at < 0) return;
      if (panel.dataset.tab === NAMES[at] && !this.isClosed) this.close();
      else this.open(NAMES[at]);
    });
    list.addEventListener("keydown", event => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0,
        at = this.#indexOf(event.target);
      if (!by || at < 0) return;
      const next = (at + by + NAMES.length) % NAMES.length;
      this.open(NAMES[next]);
      this.tabs[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    // What opens in the place of the hints is seen, whatever pane was; the advice opens nothing.
    const isOpened = (/** @type {MutationRecord} */ { target }) =>
      target instanceof HTMLElement &&
      target.parentElement?.id === "pane-hints" &&
      target.id !== "advice" &&
      !target.hidden;
    new MutationObserver(changes => {
      if (changes.some(isOpened)) this.open("hints");
    }).observe(panel, { subtree: true, attributeFilter: ["hidden"] });
    this.open("hints");
    this.close();
  }

  /** @type {(tab: EventTarget | null) => number} */
  #indexOf(tab) {
    return this.tabs.indexOf(/** @type {HTMLButtonElement} */ (tab));
  }

  get isClosed() {
    return this.panel.dataset.closed !== undefined;
  }

  /** @type {(name: string) => void} */
  open(name) {
    delete this.panel.dataset.closed;
    this.panel.dataset.tab = name;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(NAMES[i] === name));
      tab.tabIndex = NAMES[i] === name ? 0 : -1;
    });
    this.shown();
  }

  /* Collapse the panel on a phone: the best move and its button only, and more of the table. */
  close() {
    this.panel.dataset.closed = "";
    this.shown();
  }
}
