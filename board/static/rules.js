/* Dialog with the rules of the game and the keys of the page. */

import { escapeText, pretty } from "./cards.js";
import { find } from "./elements.js";
import { isTouched } from "./looks.js";
import { lengthsOf, Table } from "./table.js";

/** @import { Game } from "./game.js" */
/** @import { Picture, Rules } from "./types.d.ts" */

/** A heading or a paragraph, with the move that it explains, if any.
    @typedef {{ kind: "h3" | "p"; text: string; move?: string }} Part */

const LONG = 85; // length from which a line continues in the next one
const KEYS = [
  ["Arrows", "go over the table"],
  ["Enter", "takes cards and puts them down"],
  ["\u2191 \u2193", "more or fewer of a column, once taken"],
  ["T", "turn the stock"],
  ["F", "card to its foundation"],
  ["Esc", "put back"],
  ["U", "undo"],
  ["R", "redo"],
  ["Home", "restart: back to the deal"],
  ["A", "make all safe foundation moves"],
  ["H", "judge every move"],
  ["L", "show a win"],
  ["M", "next mistake"],
  ["N", "new game"],
];

/** Show the rules of a game, with a picture of `game`, the one being played, and the list of keys at the end.
    @type {(dialog: HTMLDialogElement, rules: Rules | null, game: Game | null) => void} */
export function showRules(dialog, rules, game) {
  const keys = KEYS.map(([key, text]) => `<span><kbd>${key}</kbd> ${text}</span>`).join("");
  const table = '<div class="table" role="img" aria-label="The table as it lies now"></div>';
  dialog.innerHTML = `<h2 id="rules-title">${escapeText(rules ? rules.title : "winnable")}
    <button type="button">Close</button></h2>
    ${game ? `<div class="felt">${table}</div>` : ""}
    <div class="prose">${rules ? prose(rules) : ""}</div>
    <h3>By hand</h3><p>${handText()}</p><h3>Keys</h3><div class="keys">${keys}</div>`;
  find(dialog, "button").onclick = () => dialog.close();
  dialog.showModal();
  if (game && rules) drawSmall(find(dialog, ".felt"), game.position.picture, rules.wing, game.fan);
}

/** Draw a picture on a table of its own in a dialog.
    @type {(felt: HTMLElement, picture: Picture, wing: number | null, fan: number) => void} */
export function drawSmall(felt, picture, wing, fan) {
  const table = new Table(felt, find(felt, ".table"), wing, fan, 56);
  table.measure(picture, lengthsOf(picture), 240);
  table.draw(picture, false);
}

/** The sections of the rules with the goal, taken from the section End, as the first.
    @type {(parts: Part[]) => Part[]} */
function goalFirst(parts) {
  const isHead = (/** @type {Part} */ part) => part.kind === "h3",
    first = parts.findIndex(isHead),
    end = parts.findIndex(part => isHead(part) && part.text === "End");
  if (end < 0) return parts;
  const next = parts.findIndex((part, i) => i > end && isHead(part)),
    last = next < 0 ? parts.length : next;
  return [
    ...parts.slice(0, first),
    { kind: "h3", text: "Goal and end" },
    ...parts.slice(end + 1, last),
    ...parts.slice(first, end),
    ...parts.slice(last),
  ];
}

/* The paragraph on moving cards with the pointer or a finger. */
function handText() {
  const [tap, twice] = isTouched() ? ["tap", "Tap"] : ["click", "Click"];
  return `Drag cards, or ${tap} them and then where they go. ${twice} twice to move them to a foundation.`;
}

/** The rules as HTML, after the game in a sentence: headings start at the margin, their text is indented, and
    moves are followed by their meaning. The text begins with the title, which is not repeated.
    @type {(rules: Rules) => string} */
function prose({ rules, title, summary }) {
  /** @type {Part[]} */
  const parts = [{ kind: "p", text: `${summary[0].toUpperCase()}${summary.slice(1)}.` }];
  let isOpen = false;
  for (const line of rules.split("\n")) {
    const words = line.trim(),
      last = parts.at(-1),
      move = /^(\S+(?: \S+)*)\s{3,}(.*)/.exec(words);
    if (!words || words === `${title}.`) {
      isOpen = false;
      continue;
    }
    if (!/^\s/.test(line) && parts.length) parts.push({ kind: "h3", text: words });
    else if (move) parts.push({ kind: "p", move: move[1], text: move[2] });
    else if (isOpen && last) last.text += " " + words;
    else parts.push({ kind: "p", text: words });
    isOpen = /^\s/.test(line) && line.length > LONG;
  }
  return goalFirst(parts)
    .map(
      ({ kind, move, text: words }) =>
        `<${kind}>${move ? `<code>${escapeText(move)}</code> ` : ""}${pretty(words)}</${kind}>`,
    )
    .join("");
}
