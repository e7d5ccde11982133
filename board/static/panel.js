/* The panel beside the table: verdict, moves and hints, reasons and mistakes, lines of play, tabs. */

import { escapeText, plain, pretty } from "./cards.js";
import { enter, focusTable, keepFocus } from "./input.js";
import { chancePercent, markStep, moveInWords, moveText, percentText, showsFigures } from "./looks.js";
import { drawArrows, drawWaits } from "./table.js";

/* --- Badge with the verdict of the position; verdicts of its moves; chances of a player. --- */

const SIGNS_OF = {
  winnable: "\u2713",
  unwinnable: "\u2717",
  undecided: "?",
  searching: "\u2026",
  off: "\u2013",
};
const TIERS = ["win", "double", "triple"],
  MOST_ADVICE = 8;
const IS_NUMBER = { best: "number", good: "number" }; // class of the worth of a move of these kinds
const EVERY_LOSES = { keeps: false }; // the mark of each move of a lost position
const count = number => number.toLocaleString("en");
const capital = text => text[0].toUpperCase() + text.slice(1);

/* The look of the badge: winnable, unwinnable, undecided, searching or off. */
function kindOf(analysis, isThinking) {
  if (!analysis) return isThinking ? "searching" : "off";
  return analysis.verdict || (analysis.state === "done" ? "undecided" : "searching");
}

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
  const isBusy = (analysis || chances) && (analysis || chances).state !== "done";
  badge.dataset.kind = kind;
  badge.classList.toggle("busy", !!isBusy && isThinking);
  badge.querySelector(".sign").textContent = SIGNS_OF[kind] || "%";
  const bars = kind === "chances" ? chanceBars(chances, worth) : "";
  const { title, more, length } = partsOf(worth, kind),
    effort = over ? "" : effortOf(analysis, chances);
  if (bars) badge.querySelector(".verdict").innerHTML = bars;
  else badge.querySelector(".verdict").textContent = title;
  badge.querySelector(".effort").textContent = [bars ? "" : more, effort].filter(text => text).join("; ");
  const count = badge.querySelector(".length");
  count.hidden = !length;
  count.innerHTML = length ? `<b>${length}</b><small>${length === "1" ? "move" : "moves"}</small>` : "";
}

/* The verdict in parts: title, further words, and the length of the line to the win. */
function partsOf(worth, kind) {
  const { analysis, over, rules, places } = worth;
  if (over === "won") return { title: "Won", more: `all ${places} cards are up` };
  if (over === "stuck" && !rules.scored) return { title: "Lost", more: "no move is left" };
  if (rules.scored || kind === "chances" || !analysis) return { title: textOf(worth) };
  if (kind === "unwinnable") return { title: "Lost", more: "no line of play wins, proved" };
  if (kind !== "winnable" || !analysis.length) return { title: textOf(worth) };
  const { shortest, state, length } = analysis;
  return {
    title: "Winnable",
    more: shortest
      ? "none shorter, proved"
      : state === "done"
        ? "a shorter line may exist"
        : "looking for a shorter line",
    length: `${shortest ? "" : "\u2264\u2009"}${length}`,
  };
}

function textOf({ analysis, chances, over, isThinking, rules, places }) {
  if (over === "won") return `Won: all ${places}`;
  if (over === "stuck" && !rules.scored) return `All ${places}: lost, no move is left`;
  if (chances) return chanceText(chances, rules, places);
  if (analysis?.text) return capital(analysis.text);
  return isThinking ? "Thinking" : "Not judged";
}

/* The verdict for screen readers: its `text`, and its `kind`, announced once each; null if there is none. */
export function announced(worth) {
  const { analysis, chances, over, isThinking } = worth;
  if (over) return { kind: over, text: textOf(worth) };
  if (chances?.certain) return { kind: chances.certain, text: textOf(worth) };
  if (!analysis?.verdict) return null;
  return { kind: kindOf(analysis, isThinking) + (analysis.state === "done"), text: textOf(worth) };
}

/* A tier as its number of cards. */
const goalOf = (tier, rules, places) =>
  !rules.tiers[tier] || rules.tiers[tier] === places ? `all ${places}` : `${rules.tiers[tier]} cards`;

/* How a tier is known to be won, in a word: reached, or certain whatever the hidden cards are; empty if it is
   not known. */
const sureText = (tier, { rules, score, certain }) =>
  rules.tiers[tier] && score >= rules.tiers[tier]
    ? "reached"
    : tier === "win" && certain === "won"
      ? "certain"
      : "";

/* The chance of each tier as a labelled bar with its interval, after those that are sure; empty if no chance
   is known. */
function chanceBars({ advice, certain }, { rules, places, score }) {
  const { tiers, reason } = advice?.[0] || {},
    sure = tier => sureText(tier, { rules, score, certain });
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

function chanceText({ advice, certain, text: words }, rules, places) {
  const { tiers, reason } = advice?.[0] || {};
  if (certain) return capital(words);
  if (reason) return "Not tried yet";
  if (!tiers?.win) return words ? capital(words) : "Weighing";
  return capital(
    TIERS.filter(tier => tiers[tier])
      .map(tier => `${goalOf(tier, rules, places)} ${percentText(tiers[tier].probability)}%`)
      .join(", "),
  );
}

function effortOf(analysis, chances) {
  if (chances?.advice?.[0]?.reason) return `The next move ${chances.advice[0].reason}.`;
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

/* The look of a mark and its text. */
function markOf(mark, isScored) {
  if (!mark || mark.keeps === null) return { kind: "unknown", sign: "?", text: "not known yet" };
  if (!mark.keeps) return { kind: "bad", sign: "\u2717", text: isScored ? lossText(mark) : "loses" };
  const text = isScored ? reachText(mark) : lengthText(mark);
  return { kind: mark.best ? "best" : "good", sign: mark.best ? "\u2605" : "\u2713", text };
}

const lengthText = mark =>
  mark.length === null || mark.length === undefined
    ? "still wins"
    : !mark.length
      ? "wins at once"
      : `${mark.shortest ? "" : "\u2264\u2009"}${mark.length}`;
const reachText = mark =>
  mark.score === null || mark.score === undefined
    ? "keeps the best score"
    : (mark.exact ? `reaches ${mark.score}` : `reaches ${mark.score} or more`) + inText(mark);
const inText = mark =>
  mark.to_tier && mark.tier !== "none"
    ? `, ${mark.tier}${mark.to_tier.length ? ` in ${mark.to_tier.length}` : ""}`
    : mark.score_bound === mark.score && mark.tier === "triple" && mark.length
      ? ` in ${mark.length}`
      : "";
const lossText = mark => (mark.score_bound === null ? "loses something" : `${mark.score_bound} at most`);

/* What the target of a move wears while its card is in hand: the moves left to the win, or the score in games
   that have one; empty while unknown. */
export function tagOf(mark) {
  if (!mark || mark.keeps === null || mark.keeps === undefined) return "";
  if (!mark.keeps) return Number.isFinite(mark.score_bound) ? `\u2264\u2009${mark.score_bound}` : "loses";
  if (Number.isFinite(mark.score)) return `${mark.exact ? "" : "\u2265\u2009"}${mark.score}`;
  return Number.isFinite(mark.length) ? lengthText(mark) : "";
}

/* The legal moves with their marks, the best first, as rows of buttons. More than two losing moves, or all,
   are one row, which shows them when clicked, unless `isWhole`. */
function optionRows(moves, marks, { scored: isScored }, isWhole) {
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
    isDouble = ({ text }) => same.get(moveInWords(text)).length > 1;
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
    <span>${isAll ? "Every move loses" : `${losing.length} moves lose the win`}</span> <small>show</small>`,
    "",
  );
  more.firstElementChild.dataset.all = "";
  delete more.firstElementChild.dataset.text;
  return [...items, more];
}

/* The player's advice as rows with the chances of each entry for the tiers that are not sure, or the reason
   why nothing was evaluated, below a row with the names of the tiers. */
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

const moveOf = (text, as, isLong) => pretty(moveInWords(text, as, isLong));

/* Moves that belong together, as HTML; many draws in a row are shown by their number and the last card. `as`
   is the rank of a joker that the first move moves. */
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

function heads(tiers) {
  const item = document.createElement("li");
  item.className = "heads";
  item.innerHTML = tiers.map((tier, i) => `<span>${i ? "" : "% "}${tier}</span>`).join("");
  return item;
}

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

/* What the hints are for, and that moves made with them count as such; shown while they are off. */
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

export class Options {
  /* `make(text)` makes the move that was clicked. */
  constructor(box, make) {
    Object.assign(this, {
      box,
      list: box.querySelector(".rows"),
      foot: box.querySelector(".then:not(.lost)"),
      lost: box.querySelector(".lost"),
      advice: document.getElementById("advice"), // shown while hints are off
      marks: {},
      chances: null,
      isOn: false,
      looked: null,
      isWhole: false,
    });
    const textOf = event => {
      const row = event.target.closest("[data-text]");
      return row?.dataset.text;
    };
    const look = event => this.#look(textOf(event));
    box.addEventListener("pointerover", event => {
      if (event.pointerType !== "touch") look(event);
    });
    box.addEventListener("focusin", event => {
      if (event.target.matches(":focus-visible")) look(event);
    });
    const leave = event => {
      // A finger leaves before its tap is a click.
      if (event.pointerType === "touch" || box.contains(event.relatedTarget)) return;
      this.#look(null);
      if (this.again) this.again();
    };
    for (const type of ["pointerleave", "focusout"]) box.addEventListener(type, leave);
    box.addEventListener("click", event => {
      const isFoot = this.foot.contains(event.target.closest("button")),
        text = isFoot ? this.#chosen() : textOf(event);
      if (event.target.closest("[data-all]")) {
        this.isWhole = true;
        this.again();
      }
      if (!text) return;
      if (isFoot) {
        make(text);
        return;
      }
      if (event.pointerType === "touch" && this.looked !== text)
        this.#look(text); // the first tap shows the move
      else make(text);
    });
  }

  /* Discard what is known about the previous position. */
  clear() {
    Object.assign(this, { marks: {}, chances: null, looked: null, node: null, isWhole: false });
  }

  /* Draw the moves of `position` if they may be shown, and their marks on the table through `play`. With
     `isLost` the position is proved lost, and `canGoBack` if one that can be won is known on the way to it.
     With `isPlayed` the hidden cards are not known. */
  draw(position, rules, isSeen, table, play, { isLost = false, canGoBack = false, isPlayed = false } = {}) {
    const isShown = this.isOn && isSeen && position.over !== "won",
      isAll = isLost && !rules.scored;
    const marks = isAll
      ? Object.fromEntries(position.moves.map(({ text }) => [text, EVERY_LOSES]))
      : this.marks;
    Object.assign(this, {
      table,
      moves: position.moves,
      isShown,
      isAll,
      again: () => this.draw(position, rules, isSeen, table, play, { isLost, canGoBack, isPlayed }),
    });
    this.advice.hidden = this.isOn;
    if (!this.isOn) this.advice.innerHTML = adviceText(rules, isPlayed);
    keepFocus(this.box, () => {
      this.box.hidden = !isShown || !position.moves.length;
      if (this.box.hidden) return;
      const isHeld =
        this.node === position.node &&
        (this.list.matches(":hover") || this.list.contains(document.activeElement));
      this.box.querySelector("h2 small").textContent =
        this.chances || isAll ? "" : rules.scored ? "what can be reached" : "moves left to the win";
      this.#fill(
        this.chances
          ? adviceRows(this.chances, position.moves, rules, position.picture.score)
          : optionRows(position.moves, marks, rules, isHeld || this.isWhole),
        position.node,
        isHeld,
      );
      this.lost.hidden = !isLost;
      this.lost.firstElementChild.textContent = isAll ? "Every move loses." : "A win is out of reach.";
      this.lost.lastElementChild.hidden = !canGoBack;
    });
    this.#point();
    const best = this.#best();
    play.mark(!isShown ? {} : this.chances ? (best ? { [best]: { keeps: true, best: true } } : {}) : marks);
  }

  #look(text) {
    if (text === this.looked) return;
    this.looked = text;
    this.#point();
  }

  /* Draw the arrow of the move under the pointer or focus, else of the best move. */
  #point() {
    if (!this.table) return;
    const text = this.#chosen(),
      move = this.isShown ? this.moves.find(one => one.text === text) : null;
    drawArrows(this.table, move ? [move] : [], !!this.looked);
    for (const item of this.list.children)
      item.classList.toggle("looked", !!text && item.firstElementChild?.dataset.text === text);
    this.foot.firstElementChild.innerHTML = move
      ? `${this.looked ? "" : '<span class="best">\u2605</span> '}${pretty(move.does)}`
      : "";
    this.foot.lastElementChild.disabled = !move;
    this.foot.hidden = this.isAll && !move;
  }

  #chosen() {
    return this.looked || this.#best();
  }

  #fill(rows, node, isHeld) {
    this.node = node;
    if (!isHeld) {
      this.list.replaceChildren(...rows);
      return;
    }
    // Several lines may begin with one move.
    const byText = list => Map.groupBy(list, item => (item.firstElementChild || item).dataset.text);
    const news = byText(rows),
      olds = byText(this.list.children);
    for (const [text, [item]] of olds) {
      if (text && news.has(text))
        item.firstElementChild.innerHTML = news.get(text)[0].firstElementChild.innerHTML;
    }
    for (const [text, [item]] of news) if (!olds.has(text)) this.list.append(item);
  }

  #best() {
    if (this.chances) {
      const [first] = this.chances.advice || [];
      return first?.moves[0];
    }
    return (Object.entries(this.marks).find(([, mark]) => mark.best && mark.keeps) || [])[0];
  }
}

/* --- Move list with variations. --- */

export class Tree {
  /* `go(node)` is called for the move that was clicked. */
  constructor(list, go) {
    Object.assign(this, { list, rows: new Map() });
    new ResizeObserver(() => this.scroll()).observe(list); // hints and graph take up space of the list
    list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) go(+button.dataset.node);
    });
  }

  /* Draw the moves of a game. Unchanged rows keep their elements, and up to the first change also their place
     in the list. */
  draw(game) {
    Object.assign(this, { game, before: this.rows });
    this.rows = new Map();
    const rows = [this.#row(game.root)],
      shown = this.list.children;
    this.#line(game.root, rows);
    let same = 0;
    while (same < rows.length && shown[same] === rows[same]) same++;
    while (shown.length > same) this.list.lastChild.remove();
    this.list.append(...rows.slice(same));
    this.current = this.rows.get(game.position.node)?.button;
    this.scroll();
  }

  /* Bring the current move into view. */
  scroll() {
    if (this.list.clientHeight) markStep(this.list, this.current);
  }

  /* Add the rows for all that follows a node: its first child, then the other children as variations, then
     what follows the first child. */
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

  /* Rows for the effects of a move on a joker. */
  #notes(node) {
    const texts = (node.effects || []).filter(text => /\bX[BR]\b/.test(text)),
      row = this.rows.get(node.node);
    if (row.notes?.length !== texts.length) {
      row.notes = texts.map(text => {
        const item = document.createElement("li");
        item.className = "note";
        item.innerHTML = pretty(text);
        return item;
      });
    }
    return row.notes;
  }

  #row(node) {
    const isBad = node.mark === "mistake";
    const mark = isBad ? '<span class="bad" role="img" aria-label="mistake">?</span>' : "";
    const end = node.over === "won" ? '<span class="good" role="img" aria-label="won">\u2713</span>' : "";
    const move = node.move ? pretty(moveText(node.move, node.as)) : "the deal",
      cost = slower(node, this.game.byNumber.get(node.parent));
    const html = `<span class="n">${node.ply}</span> <span>${move}</span>${cost}${mark}${end}`;
    const title = node.move
      ? plain([node.does, ...node.effects, ...(isBad ? [node.loss] : [])].join("; "))
      : "";
    const before = this.before.get(node.node);
    const row =
      before?.html === html && before.title === title
        ? before
        : { html, title, ...newRow(node.node, html, title, isBad) };
    this.rows.set(node.node, row);
    return row.item;
  }
}

/* By how many moves a move lengthened the shortest line to the win; empty unless both lengths are proved. */
function slower({ judged }, parent) {
  const isKnown = each =>
    each && each.verdict === "winnable" && each.shortest && Number.isFinite(each.length);
  const more = isKnown(judged) && isKnown(parent?.judged) ? judged.length - parent.judged.length + 1 : 0;
  return more > 0
    ? `<em title="${more === 1 ? "1 move" : `${more} moves`} longer than needed">+${more}</em>`
    : "";
}

function newRow(node, html, title, isBad) {
  const item = document.createElement("li"),
    button = document.createElement("button");
  Object.assign(button, { type: "button", innerHTML: html, title });
  button.dataset.node = node;
  button.classList.toggle("mistake", isBad);
  item.append(button);
  return { item, button };
}

/* --- Why a position is lost: the cards that block each other, marked on the table, each with arrows to what
   it waits for. --- */

export class Why {
  /* `redraw()` draws the arrows of the position again. */
  constructor(box, redraw) {
    Object.assign(this, { box, redraw, cards: [], table: null });
    box.addEventListener("click", event => {
      if (event.target.dataset.do === "close") this.close();
    });
    for (const type of ["pointerover", "focusin", "click"])
      box.addEventListener(type, event => this.#look(event.target.closest("[data-card]")));
  }

  open({ text, cards }, table) {
    Object.assign(this, { cards, table });
    const rows = cards
      .map((card, i) => `<li><button type="button" data-card="${i}">${pretty(card.text)}</button></li>`)
      .join("");
    this.box.innerHTML = `<h2>Why it is lost <button type="button" data-do="close">Close</button></h2>
      <p role="status">${escapeText(text)}</p><ul class="rows">${rows}</ul>`;
    this.box.hidden = false;
    enter(this.box);
    const spots = new Set(cards.map(card => card.spot));
    for (const { element, spot } of table.elements) element.classList.toggle("blocks", spots.has(spot));
  }

  close() {
    if (this.box.hidden) return;
    keepFocus(this.box, () => {
      this.box.hidden = true;
    });
    for (const { element } of this.table.elements) element.classList.remove("blocks");
    this.redraw();
  }

  #look(row) {
    if (!row) return;
    const { spot, waits } = this.cards[row.dataset.card];
    drawWaits(this.table, spot, waits);
  }
}

/* --- Review of mistakes: go to each, try again without hints, or show a better move. --- */

export class Review {
  /* `ask` and `act` send requests, `view(line)` shows a line, `showHints(isOn)` shows or hides the hints. */
  constructor(box, on) {
    Object.assign(this, { box, on, mistake: null, isTrying: false, tried: null });
    box.addEventListener("click", event => {
      const what = event.target.dataset.do;
      if (what) this.#do(what);
    });
  }

  /* Go to the mistake after the current one, or to the first. */
  async jump(game) {
    const { mistakes } = game,
      last = this.mistake ? mistakes.findIndex(node => node.node === this.mistake.node) : -1;
    const next = mistakes[(last + 1) % mistakes.length];
    this.#try(false);
    this.mistake = null;
    await this.on.act({ type: "goto", node: next.node });
    Object.assign(this, { mistake: next, game });
    this.#draw(`Move ${next.ply}, ${moveInWords(next.move, next.as)}, ${next.loss}.`, [
      "try",
      "show",
      "next",
      "close",
    ]);
    enter(this.box);
  }

  close() {
    this.#try(false);
    this.mistake = null;
    keepFocus(this.box, () => {
      this.box.hidden = true;
    });
  }

  /* Handle a change of the position: a move that was tried is to be judged, anything else ends the trial. */
  moved(game) {
    this.game = game;
    if (!this.mistake || this.isGoing) return;
    const { node } = game;
    if (this.isTrying && node && node.parent === this.mistake.parent) {
      this.tried = node.node;
      this.#judge();
    } else if (!this.isTrying && node && node.node !== this.mistake.node) this.close();
    else if (this.isTrying && node && node.node !== this.mistake.parent && node.node !== this.tried)
      this.close();
  }

  learn(nodes) {
    if (this.isTrying && nodes.some(node => node.node === this.tried)) this.#judge();
  }

  #judge() {
    const node = this.game.byNumber.get(this.tried);
    if (!node) return;
    if (node.keeps === true)
      this.#draw(`Right: ${moveInWords(node.move, node.as)} keeps it.`, ["show", "next", "close"], "good");
    else if (node.keeps === false)
      this.#draw(
        `${moveInWords(node.move, node.as)} ${node.loss} as well.`,
        ["try", "show", "next", "close"],
        "bad",
      );
    else this.#draw(`${moveInWords(node.move, node.as)}: thinking about it.`, ["try", "show", "close"]);
  }

  async #do(what) {
    if (what === "close") {
      this.close();
      this.on.showHints(true);
    }
    if (what === "next") this.jump(this.game);
    if (what === "try") this.#again();
    if (what === "show") this.#show();
  }

  async #again() {
    this.#try(true);
    this.tried = null;
    await this.#goto(this.mistake.parent);
    this.#draw(
      `${moveInWords(this.mistake.move, this.mistake.as)} ${this.mistake.loss}. Find a move that keeps it.`,
      ["show", "next", "close"],
    );
    focusTable();
  }

  async #show() {
    const answer = await this.on.ask({ type: "better", node: this.mistake.node });
    this.#try(false);
    if (answer.type !== "line" || !answer.found) {
      this.#draw(answer.why || "No line is known.", ["try", "next", "close"], "bad");
      return;
    }
    await this.#goto(this.mistake.parent);
    this.on.view(answer);
    this.#draw(`${moveInWords(answer.steps[1].move)} keeps it.`, ["try", "next", "close"], "good");
  }

  async #goto(node) {
    this.isGoing = true;
    await this.on.act({ type: "goto", node });
    this.isGoing = false;
  }

  #try(isOn) {
    this.isTrying = isOn;
    if (this.game) this.on.showHints(!isOn);
  }

  #draw(text, buttons, kind = "") {
    const { mistakes } = this.game,
      at = mistakes.findIndex(node => node.node === this.mistake.node) + 1;
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

/* --- Viewer that steps through a line of play on the table, or plays it, apart from the game. --- */

const PACE = 800,
  CALM = 1600; // milliseconds from step to step of a line that is played, and where less motion is asked for
const PLAYS = '<path d="M7 5v14l11-7z"/>',
  PAUSES = '<path d="M8 5v14M16 5v14"/>';
const STEPS = {
  first: ["First", "M6 5v14M18 5 9 12l9 7z"],
  back: ["Back", "m15 5-8 7 8 7z"],
  next: ["Next", "m9 5 8 7-8 7z"],
  last: ["Last", "M18 5v14M6 5l9 7-9 7z"],
};

export class Viewer {
  /* `show(step)` draws a step; `close()` draws the game again; `keep({node, moves})` adds the line to the
     game, `other(goal)` shows the line to another goal. */
  constructor(box, on) {
    Object.assign(this, { box, on, isOpen: false, line: null, at: 0, timer: 0 });
    box.addEventListener("click", event => {
      const what = event.target.closest("[data-do]");
      if (what) this.#do(what.dataset.do);
    });
  }

  open(line) {
    const { other } = line; // the line to the tier alone, or that to the score
    this.#pause();
    Object.assign(this, { line, at: 0, isOpen: true });
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
    this.#go(line.steps.length > 1 ? 1 : 0);
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
    this.#go(this.at);
  }

  /* Perform the action of a key; returns whether it has one. Space presses the button that has the focus, if
     any has, else it plays or pauses. */
  key(key) {
    if (key === " " && document.activeElement.matches("button, a, summary")) return false;
    const what = {
      ArrowRight: "next",
      ArrowLeft: "back",
      Home: "first",
      End: "last",
      Escape: "close",
      " ": "play",
    }[key];
    if (what) this.#do(what);
    return !!what;
  }

  /* Play the line from here, or from its start if it is at its end. */
  #play() {
    if (this.at === this.line.steps.length - 1) this.#go(0);
    const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? CALM : PACE;
    this.timer = setInterval(() => {
      this.#go(this.at + 1);
      if (this.at === this.line.steps.length - 1) this.#pause();
    }, pace);
    this.#drawPlay();
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = 0;
    if (this.isOpen) this.#drawPlay();
  }

  #drawPlay() {
    const [icon, label] = this.box.querySelector("[data-do=play]").children;
    icon.innerHTML = this.timer ? PAUSES : PLAYS;
    label.textContent = this.timer ? "Pause" : "Play";
  }

  #do(what) {
    const { steps } = this.line,
      wasPlaying = !!this.timer;
    this.#pause();
    if (what === "play") {
      if (!wasPlaying) this.#play();
      return;
    }
    if (what === "other") {
      this.on.other(this.line.other.goal);
      return;
    }
    if (what === "close" || what === "keep") {
      this.end();
      this.on.close();
      if (what === "keep")
        this.on.keep({ node: this.line.node, moves: steps.slice(1).map(step => step.move) });
      return;
    }
    this.#go({ first: 0, back: this.at - 1, next: this.at + 1, last: steps.length - 1 }[what]);
  }

  #go(to) {
    const { steps } = this.line;
    this.at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[this.at];
    this.box.querySelector(".place").textContent = `${this.at} of ${steps.length - 1}`;
    this.box.querySelector(".what").innerHTML = this.at ? pretty(step.does) : "From here:";
    this.on.show(step);
  }
}

function stepButton(what) {
  const [name, path] = STEPS[what],
    icon = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return `<button type="button" data-do="${what}" aria-label="${name}" title="${name}">${icon}</button>`;
}

/* --- The panel beside the table; on a low or narrow window it shows one pane at a time, by tabs. --- */

const NAMES = ["hints", "moves", "graph"];

export class Tabs {
  /* `shown()` is called when another pane is shown. */
  constructor(panel, list, shown) {
    Object.assign(this, { panel, tabs: [...list.children], shown });
    list.addEventListener("click", event => {
      const at = this.tabs.indexOf(event.target.closest("[role=tab]"));
      if (at < 0) return;
      if (panel.dataset.tab === NAMES[at] && !this.isClosed) this.close();
      else this.open(NAMES[at]);
    });
    list.addEventListener("keydown", event => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key],
        at = this.tabs.indexOf(event.target);
      if (!by || at < 0) return;
      const next = (at + by + NAMES.length) % NAMES.length;
      this.open(NAMES[next]);
      this.tabs[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    // What opens in the place of the hints is seen, whatever pane was; the advice opens nothing.
    const isOpened = ({ target }) =>
      target.parentElement.id === "pane-hints" && target.id !== "advice" && !target.hidden;
    new MutationObserver(changes => {
      if (changes.some(isOpened)) this.open("hints");
    }).observe(panel, { subtree: true, attributeFilter: ["hidden"] });
    this.open("hints");
    this.close();
  }

  get isClosed() {
    return this.panel.dataset.closed !== undefined;
  }

  open(name) {
    delete this.panel.dataset.closed;
    this.panel.dataset.tab = name;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", NAMES[i] === name);
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
