/* Badge with the verdict of the position; verdicts of its moves; chances of a player. */

import { escapeText, pretty } from "./cards.js";
import { chancePercent, moveText, showsFigures } from "./looks.js";

const SIGNS_OF = { winnable: "\u2713", unwinnable: "\u2717", undecided: "?", searching: "\u2026", off: "\u2013" };
const TIERS = ["win", "double", "triple"], MOST_ADVICE = 8;
const count = number => number.toLocaleString("en");
const percent = part => Math.round(100 * part);

/* Which of the badge's looks fits: winnable, unwinnable, undecided, searching or off. */
export function kindOf(analysis, isThinking) {
  if (!analysis) return isThinking ? "searching" : "off";
  return analysis.verdict || (analysis.state === "done" ? "undecided" : "searching");
}

export function drawBadge(badge, worth) {
  const { analysis, chances, over, isThinking, rules } = worth, isScored = rules.scored;
  const kind = over === "won" ? "winnable" : over === "stuck" && !isScored ? "unwinnable" : chances ? "chances" : kindOf(analysis, isThinking);
  const isBusy = (analysis || chances) && (analysis || chances).state !== "done";
  badge.dataset.kind = kind;
  badge.classList.toggle("busy", !!isBusy && isThinking);
  badge.querySelector(".sign").textContent = SIGNS_OF[kind] || "%";
  badge.querySelector(".verdict").textContent = textOf(worth);
  badge.querySelector(".effort").textContent = over ? "" : effortOf(analysis, chances);
}

export function textOf({ analysis, chances, over, isThinking, rules, places }) {
  if (over === "won") return `Won: all ${places}`;
  if (over === "stuck" && !rules.scored) return `All ${places}: lost, no move is left`;
  if (chances) return chanceText(chances, rules, places);
  if (analysis && analysis.text) return analysis.text[0].toUpperCase() + analysis.text.slice(1);
  return isThinking ? "Thinking" : "Not judged";
}

/* What those who listen are told of the verdict: its `text`, and its `kind`, by which it is told once; null for nothing yet. */
export function announced(worth) {
  const { analysis, over, isThinking } = worth;
  if (over) return { kind: over, text: textOf(worth) };
  if (!analysis || !analysis.verdict) return null;
  return { kind: kindOf(analysis, isThinking) + (analysis.state === "done"), text: textOf(worth) };
}

/* A tier with what it asks for. */
const goalOf = (tier, rules, places) => !rules.tiers[tier] || rules.tiers[tier] === places ? `all ${places}` : `${rules.tiers[tier]} cards`;

function chanceText({ advice, text: words }, rules, places) {
  const { tiers, reason } = advice && advice[0] || {};
  if (reason) return "Not weighed";
  if (!tiers || !tiers.win) return words ? words[0].toUpperCase() + words.slice(1) : "Weighing";
  const text = TIERS.filter(tier => tiers[tier]).map(tier => `${goalOf(tier, rules, places)} ${percent(tiers[tier].probability)}%`).join(", ");
  return text[0].toUpperCase() + text.slice(1);
}

function effortOf(analysis, chances) {
  if (chances && chances.advice && chances.advice[0] && chances.advice[0].reason) return `The next move ${chances.advice[0].reason}.`;
  if (!showsFigures()) return "";
  if (chances) return chances.samples ? `${count(chances.samples)} samples, ${(chances.seconds || 0).toFixed(1)} s` : "";
  if (!analysis || !analysis.states) return "";
  const waits = analysis.state === "waiting" ? "waiting for other games; " : "";
  const part = analysis.state === "searching" && (analysis.part || analysis.stage) ? `, ${analysis.part || analysis.stage}` : "";
  return `${waits}${count(analysis.states)} states, ${(analysis.seconds || 0).toFixed(1)} s${part}`;
}

/* A mark's look, and what it says. */
export function markOf(mark, isScored) {
  if (!mark || mark.keeps === null) return { kind: "unknown", sign: "?", text: "not known yet" };
  if (!mark.keeps) return { kind: "bad", sign: "\u2717", text: isScored ? lossText(mark) : "loses the win" };
  const text = isScored ? reachText(mark) : lengthText(mark);
  return { kind: mark.best ? "best" : "good", sign: mark.best ? "\u2605" : "\u2713", text };
}

const lengthText = mark => mark.length === null || mark.length === undefined ? "keeps the win" : !mark.length ? "wins"
  : mark.shortest ? `wins in ${mark.length} more` : `wins in at most ${mark.length} more`;
const reachText = mark => mark.score === null || mark.score === undefined ? "keeps the best score" : (mark.exact ? `reaches ${mark.score}` : `reaches ${mark.score} or more`) + inText(mark);
const inText = mark => mark.to_tier ? `, ${mark.tier}${mark.to_tier.length ? ` in ${mark.to_tier.length}` : ""}` : mark.score_bound === mark.score && mark.tier === "triple" && mark.length ? ` in ${mark.length}` : "";
const lossText = mark => mark.score_bound === null ? "loses something" : `${mark.score_bound} at most`;

/* The legal moves with their marks, the best first, as rows of buttons. */
export function optionRows(moves, marks, { scored: isScored }) {
  const order = { best: 0, good: 1, unknown: 2, bad: 3 };
  const rows = moves.map(move => ({ move, mark: markOf(marks[move.text], isScored), known: marks[move.text] || {} }));
  rows.sort((a, b) => order[a.mark.kind] - order[b.mark.kind] || (b.known.score ?? 0) - (a.known.score ?? 0)
    || (a.known.length ?? 1e9) - (b.known.length ?? 1e9));
  return rows.map(({ move, mark }) => row(move.text, `<span class="sign ${mark.kind}">${mark.sign}</span> <span>${moveOf(move.text)}</span>
    <small>${escapeText(mark.text)}</small>`, move.does));
}

/* What a player may do, with the chances of each, or why nothing was weighed; first what the numbers are. */
export function adviceRows(advice) {
  const shown = (advice || []).filter(entry => entry.moves.length).slice(0, MOST_ADVICE);
  const tiers = TIERS.filter(tier => shown.some(entry => entry.tiers[tier]));
  const rows = shown.map((entry, i) => {
    const cells = tiers.filter(tier => entry.tiers[tier]).map(tier =>
      `<b>${chancePercent(entry.tiers[tier])}</b>`).join("");
    const worth = tiers.length ? `<span class="tiers">${cells}</span>` : `<small class="why">${escapeText(entry.reason || "")}</small>`;
    return row(entry.moves[0], `<span class="sign ${i ? "good" : "best"}">${i ? "" : "\u2605"}</span> <span class="line">${lineOf(entry.moves)}</span>
      ${worth}`, tiers.length ? `${count(entry.visits)} samples` : "not weighed");
  });
  return tiers.length ? [heads(tiers), ...rows] : rows;
}

const moveOf = text => pretty(moveText(text));

/* Moves that belong together, as HTML; many draws in a row by their number and the last card. */
function lineOf(moves) {
  const first = moves.findIndex(text => !text.endsWith(" s-w")), draws = first < 0 ? moves.length : first;
  const last = moves[draws - 1], rest = moves.slice(draws).map(moveOf);
  return [...(draws > 2 ? [`${draws} draws, to ${pretty(last.split(" ")[0])}`] : moves.slice(0, draws).map(moveOf)), ...rest].join("; ");
}

function heads(tiers) {
  const item = document.createElement("li");
  item.className = "heads";
  item.textContent = `% ${tiers.join(", ")}`;
  return item;
}

function row(text, html, title) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.dataset.text = text;
  button.title = title;
  button.innerHTML = html;
  item.append(button);
  return item;
}
