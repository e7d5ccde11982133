/* The board: a game is played, judged and learnt from. The server knows the rules and the positions; this page shows
   them, and asks. */

import { drawArrows } from "./arrow.js";
import { escapeText, plain, pretty } from "./cards.js";
import { Connection } from "./connection.js";
import { Game } from "./game.js";
import { isSameDeal, movesOf, readSaved, writeSaved } from "./keeping.js";
import { keep, kept, copyText, offerLooks } from "./looks.js";
import { askOne } from "./picker.js";
import { lengthsOf } from "./places.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { Start } from "./start.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";
import { adviceRows, drawBadge, kindOf, optionRows, textOf } from "./verdict.js";
import { Viewer } from "./viewer.js";

const $ = id => document.getElementById(id);
const SAVE_AFTER = 250;  // milliseconds after a change until the game is kept for a reload
const WIDEST = 112;  // pixels of a card, but on very large screens
const ROWS = 6.2;  // the least height of a table in widths of a card
const state = { hello: null, game: null, analysis: null, chances: null, marks: {}, isHinting: false, isThinking: true, limits: null };
let table = null, play = null, lastSaved = null, saving = null, told = null, fallen = null;

const connection = new Connection({ open: welcome, message: receive, lost });
const tree = new Tree($("tree"), node => act({ type: "goto", node }));
const viewer = new Viewer($("viewer"), { show: showStep, close: showPosition, keep: steps => keepLine(steps) });
const review = new Review($("review"), { ask, act, view: line => viewer.open(line), showHints });
const start = new Start($("start"), { ask, open: openGame });

/* --- Talking to the server ---------------------------------------------------------------------------------------- */

async function ask(message) {
  try {
    return await connection.ask(message);
  } catch {
    return { type: "refused", why: "The server is gone; the game is kept here." };
  }
}

/* Ask for a change of the position and show it: whether it was made. */
async function act(message) {
  if (!state.game) return false;
  return settle(message, await ask(message));
}

async function settle(message, answer) {
  if (answer.type === "position") { takePosition(answer, message.type); return true; }
  if (answer.type === "game") { takeGame(answer); return true; }
  if (answer.type === "choose") return choose("Which move?", answer.moves.map(move => ({ label: move.does, short: "", value: { text: move.text } })), message);
  if (answer.type === "turned") {
    const cards = answer.cards.map(card => ({ label: card, value: { turned: card } }));
    return choose(`Which card was turned up${answer.place ? ` in ${placeName(answer.place)}` : ""}?`, cards, message);
  }
  say(answer.why || answer.text || "That did not work.", "refused");
  return false;
}

async function choose(title, choices, message) {
  const chosen = await askOne($("picker"), title, choices);
  if (!chosen) { table.redraw(); return false; }
  const { id, ...rest } = message;
  const next = chosen.text ? { type: "move", ...chosen } : { ...rest, ...chosen };
  return settle(next, await ask(next));
}

const placeName = place => place[0] === "c" ? `column ${+place.slice(1) + 1}` : "the waste";

function receive(message) {
  const { game } = state;
  if (message.type === "dealing") { start.tell(message); return; }
  if (!game) return;
  if (message.type === "nodes") { game.take(message.nodes); drawTree(); review.learn(game, message.nodes); tellFall(); }
  if (message.type === "gone") { game.drop(message.nodes); drawTree(); }
  if (message.type === "position") takePosition(message, "");
  if (message.node !== game.position.node) return;
  if (message.type === "analysis") { state.analysis = message; drawVerdict(); }
  if (message.type === "chances") { state.chances = message; drawVerdict(); drawOptions(); }
  if (message.type === "marks") { state.marks = message.marks; drawOptions(); }
}

function welcome(hello) {
  state.hello = hello;
  state.limits = hello.limits;
  $("lost").hidden = true;
  start.take(hello);
  drawLimits();
  if (state.game) { resume(); return; }
  const saved = readSaved();
  if (location.hash.length > 1) openGame(saved && isSameDeal(saved.link, location.hash) ? { from: { saved: saved.game } } : { from: { link: location.hash } }, location.hash);
  else if (hello.start) openGame({ from: { start: true } });
  else if (saved) openGame({ from: { saved: saved.game } });
  else start.show();
}

function lost(why, isFinal) {
  $("lost").hidden = false;
  $("lost").firstElementChild.textContent = why;
  $("retry").hidden = isFinal;
  for (const what of ["analysis", "chances"]) if (state[what]) state[what].state = "done";
  if (state.game) drawVerdict();
}

/* After the server was lost: the same game, as it is kept here. */
async function resume() {
  const saved = lastSaved || readSaved(), link = state.game.position.link;
  const from = saved && (!link || isSameDeal(saved.link, link)) ? { saved: saved.game } : { link };
  await openGame({ from }, link);
  say("The server is back.");
}

/* Open a game; `link` is the address of the place in it where the person was. */
async function openGame(request, link) {
  const answer = await ask({ type: "open", ...request });
  if (answer.type !== "game") {
    if (state.game === null && !$("start").open) start.show(answer.why);
    return answer;
  }
  takeGame(answer);
  if (!state.isThinking) ask({ type: "think", on: false });
  if (state.isHinting) ask({ type: "hints", on: true });
  const moves = link ? movesOf(link) : null;
  const mine = state.game.pathTo(state.game.position.node).slice(1).map(node => node.move);
  if (moves && moves.join() !== mine.join() && request.from.saved) await act({ type: "add", node: 0, moves, go: true });
  return answer;
}

/* --- The address, and what is kept for a reload -------------------------------------------------------------------- */

function keepGame() {
  clearTimeout(saving);
  saving = setTimeout(async () => {
    const link = state.game.position.link, answer = await ask({ type: "save", what: "game", form: "json" });
    if (answer.type !== "saved") return;
    lastSaved = { link, game: JSON.parse(answer.content) };
    writeSaved(lastSaved);
  }, SAVE_AFTER);
}

function showLink() {
  const link = state.game.position.link;
  history.replaceState(null, "", link || location.pathname);
}

/* --- What is shown ------------------------------------------------------------------------------------------------- */

function takeGame(message) {
  state.game = new Game(message);
  const of = state.hello.games.find(game => game.game === message.game);
  state.rules = start.game = of;
  for (const card of $("table").querySelectorAll(".card, .label, .slot")) card.remove();
  $("places").replaceChildren();
  table = new Table($("felt"), $("table"), of.wing);
  play = new Play(table, $("places"), { make: act, say, pick: (title, choices) => askOne($("picker"), title, choices), isReady: () => connection.isOpen && !viewer.isOpen });
  $("title").textContent = message.title;
  $("deal-name").textContent = [message.name, message.mode === "player" ? "hidden cards" : message.mode === "table" ? "your table" : ""].filter(text => text).join(", ");
  document.title = `${message.title}${message.name ? ", " + message.name : ""} \u2013 winnable`;
  $("finish").hidden = message.mode !== "player";
  $("peeking").hidden = message.mode !== "analysis" || !message.position.picture.columns.some(text => text.includes("<"));
  setPeek(!$("peeking").hidden && message.revealed);
  state.end = message.revealed ? message.position.node : null;
  viewer.isOpen = false; $("viewer").hidden = true;
  review.close();
  told = fallen = null;
  takePosition(message.position, "open");
  if ($("start").open) $("start").close();
}

/* Show what lies face down, where that is known, or not. */
function setPeek(isOn) {
  $("peek").checked = table.isPeek = isOn;
  document.documentElement.classList.toggle("peek", isOn);
}

function takePosition(position, why) {
  const { game } = state, isOther = position.node !== game.position.node || why === "open";
  const before = game.node;
  game.position = position;
  if (isOther) { state.analysis = state.chances = null; state.marks = {}; told = null; }
  if (viewer.isOpen) viewer.end();
  size();
  const isNext = game.node && before && game.node.parent === before.node;
  if (isOther) table.draw(position.picture, why !== "open" && isNext);
  else table.draw(position.picture);
  if (isOther && !isNext && game.node && game.node.move) table.markMove(game.node.move);
  play.show(position.moves);
  drawTree();
  drawVerdict();
  drawOptions();
  drawTools();
  if (why === "open") say("Drag cards, or choose them and then where they go.");
  else sayMove(why);
  tellFall();
  $("jokers").innerHTML = position.picture.jokers.map(text => `<p>${pretty(text)}</p>`).join("");
  review.moved(game);
  showLink();
  keepGame();
  Object.assign(document.body.dataset, { node: position.node, ply: game.node ? game.node.ply : 0 });
}

function sayMove(why) {
  const node = state.game.node;
  if (!node) return;
  if (why === "undo" || why === "restart") { say(why === "undo" ? "Undone." : "The deal."); return; }
  const score = state.game.position.picture.score;
  const effects = (node.effects || []).map(text => `; <i>${pretty(text)}</i>`).join("");
  say(node.move ? `<b>${node.ply}</b> ${pretty(node.does)}${effects}${score === null ? "" : `. Score ${score}`}` : "The deal.", "html");
}

/* Tell of a move; `kind` is refused, quiet (for those who listen alone), html or nothing. */
function say(text, kind = "") {
  $("say").classList.toggle("refused", kind === "refused");
  $("say").innerHTML = `<span>${kind === "html" ? text : pretty(text)}</span>`;
}

/* A move that is judged a mistake is told and marked as that becomes known. */
function tellFall() {
  const { node } = state.game, isBad = !!node && node.mark === "mistake";
  table.table.classList.toggle("erred", isBad && !review.isTrying);
  if (!isBad || fallen === node.node) return;
  fallen = node.node;
  if (!review.isTrying) say(`${node.move} ${node.loss}.`, "refused");
}

let lengths = [];
function size() {
  const { picture } = state.game.position, isSmall = innerWidth <= 900;
  const now = lengthsOf(picture), key = picture.columns.length + "/" + innerWidth + "/" + innerHeight + "/" + $("felt").clientWidth;
  const cards = ([down, up]) => down * .45 + up, longest = list => Math.max(...list.map(cards));
  if (size.key === key && size.table === table && longest(now) <= longest(lengths)) return;
  lengths = now;
  Object.assign(size, { key, table });
  const room = isSmall ? innerHeight - 240 : innerHeight - $("felt").getBoundingClientRect().top - scrollY - 116;
  table.widest = Math.max(60, Math.min(Math.max(WIDEST, innerHeight / 10), room / ROWS));
  table.measure(picture, lengths, Math.max(isSmall ? 260 : 300, room));
}

function redraw() {
  if (!state.game) return;
  size.key = null;
  if (viewer.isOpen) { viewer.redraw(); return; }
  size();
  table.draw(state.game.position.picture);
  play.show(state.game.position.moves);
  drawHints();
}

function drawTree() {
  const { game } = state, { mistakes } = game;
  tree.draw(game);
  $("mistakes").hidden = !mistakes.length;
  $("mistakes").textContent = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
  $("variation").hidden = !game.node || game.node.main;
}

function worth() {
  const { game, analysis, chances, isThinking, rules } = state;
  return { analysis, chances, over: game.position.over, isThinking, isScored: rules.scored };
}

function drawVerdict() {
  drawBadge($("badge"), worth());
  drawBanner();
  const { analysis } = state, kind = state.game.position.over || (analysis ? kindOf(analysis, state.isThinking) + (analysis.state === "done") : null);
  if (kind && kind !== told && (!analysis || analysis.verdict || state.game.position.over)) {
    told = kind;
    $("heard").textContent = plain(textOf(worth()));
  }
}

function drawBanner() {
  const { game, rules } = state, { over } = game.position, node = game.node, ply = node ? node.ply : 0;
  const isBad = over === "stuck" && !rules.scored;
  const isEnd = over || (game.revealed && state.end === game.position.node);
  $("banner").hidden = !isEnd || viewer.isOpen || review.isTrying;
  if ($("banner").hidden) { $("banner").textContent = ""; return; }
  const judged = game.root.judged, fewest = judged && judged.verdict === "winnable" && judged.moves;
  const moves = ply === 1 ? "1 move" : `${ply} moves`;
  let title = over === "won" ? `Won in ${moves}` : "No move is left", more = "";
  if (rules.scored && game.position.picture.score !== null) {
    const tier = Object.entries(rules.tiers).sort((a, b) => b[1] - a[1]).find(([, least]) => game.position.picture.score >= least);
    title = over === "won" ? `All ${game.places} up in ${moves}` : `Score ${game.position.picture.score}: ${tier ? tier[0] : ""}`;
    if (judged && judged.score !== null) more = `From the deal ${judged.score} could be reached${judged.exact ? "" : ", or more"}.`;
  } else if (over === "won" && fewest) {
    more = ply <= fewest ? judged.shortest ? "None is shorter." : "No shorter line is known." : `It can be done in ${fewest}${judged.shortest ? ", and no fewer" : " or fewer"}.`;
  }
  const html = `<h2>${escapeText(title)}</h2><p>${escapeText(more)}</p><p class="row">
    ${isBad && game.lastGood ? '<button type="button" data-do="back" class="main">Back to where it could be won</button>' : ""}
    ${game.mistakes.length && !isBad ? '<button type="button" data-do="mistakes">See the mistakes</button>' : ""}
    ${game.mode === "player" ? '<button type="button" data-do="finish">Show the cards</button>' : ""}
    <button type="button" data-do="new"${isBad ? "" : ' class="main"'}>New game</button></p>`;
  $("banner").classList.toggle("bad", isBad);
  if ($("banner").innerHTML !== html) $("banner").innerHTML = html;
}

function drawTools() {
  const { position } = state.game;
  $("undo").disabled = !position.undo;
  $("redo").disabled = position.redo === null || position.redo === undefined;
  $("restart").disabled = !position.undo;
  $("auto").disabled = !position.auto;
  $("line").disabled = state.game.isPlayed || position.over === "won";
  $("auto").querySelector("span").textContent = position.auto ? `Auto ${position.auto}` : "Auto";
}

/* The marks of the moves, or a player's chances, beside the table, and the best move on it. */
function drawOptions() {
  const { game, chances, marks, isHinting, rules } = state;
  const advice = isHinting && chances ? adviceRows(chances.advice) : null;
  $("options").hidden = !isHinting || review.isTrying || viewer.isOpen || !game.position.moves.length;
  const rows = advice || optionRows(game.position.moves, marks, rules.scored);
  const list = $("options").lastElementChild, scroll = $("options").scrollTop;
  list.replaceChildren(...(advice ? [heads()] : []), ...rows);
  $("options").scrollTop = scroll;
  drawHints();
}

function heads() {
  const item = document.createElement("li");
  item.className = "heads";
  item.textContent = "% win, double, triple";
  return item;
}

function drawHints() {
  const { game, chances, marks, isHinting } = state;
  const isShown = isHinting && !viewer.isOpen && !review.isTrying;
  const best = chances ? chances.advice[0] && chances.advice[0].moves[0] : (Object.entries(marks).find(([, mark]) => mark.best && mark.keeps) || [])[0];
  const move = isShown && best && game.position.moves.find(one => one.text === best);
  drawArrows(table, move ? [move] : []);
  play.mark(isShown && !chances ? marks : {});
}

function showStep(step) {
  play.show([]);
  drawArrows(table, []);
  $("banner").hidden = $("options").hidden = true;
  table.table.classList.remove("erred");
  table.draw(step.picture, true);
  if (step.move) say(`${pretty(step.does)}${step.effects.map(text => `; <i>${pretty(text)}</i>`).join("")}.`, "html");
}

function showPosition() {
  table.draw(state.game.position.picture, false);
  play.show(state.game.position.moves);
  drawOptions();
  drawBanner();
}

async function keepLine({ node, moves }) {
  await act({ type: "add", node, moves, go: false });
  say("The line is kept among the moves.");
}

function showHints(isOn) {
  drawOptions();
  $("hints").disabled = !isOn;
}

/* --- Buttons and keys ---------------------------------------------------------------------------------------------- */

function toggleHints() {
  state.isHinting = !state.isHinting;
  state.marks = {};
  $("hints").setAttribute("aria-pressed", state.isHinting);
  ask({ type: "hints", on: state.isHinting });
  drawOptions();
}

async function showLine(node = state.game.position.node) {
  const answer = await ask({ type: "line", node });
  if (answer.type === "line" && answer.found) viewer.open(answer);
  else say(answer.why || "No line is known.", "refused");
}

async function copy(what) {
  const { game } = state;
  if (what === "link" && !game.position.link) { say("A game with hidden cards of its own has no link: the cards would be in it.", "refused"); return; }
  const answer = what === "link" ? null : await ask({ type: "save", what, form: "text" });
  if (answer && answer.type !== "saved") { say(answer.why, "refused"); return; }
  say(await copyText(answer ? answer.content : location.origin + "/" + game.position.link) ? "Copied." : "The clipboard cannot be written.");
}

async function save(choice) {
  const [what, form = "text"] = choice.split(" "), answer = await ask({ type: "save", what, form });
  if (answer.type !== "saved") { say(answer.why, "refused"); return; }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answer.content], { type: answer.media }));
  link.download = answer.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Saved as ${answer.name}.`);
}

function drawLimits() {
  const { limits } = state;
  $("limits").innerHTML = `<input type="number" id="seconds" min="1" aria-label="Seconds a search" value="${+limits.seconds}"> seconds,
    <input type="number" id="megabytes" min="10" aria-label="Megabytes a search" value="${+limits.megabytes}"> megabytes`;
  for (const name of ["seconds", "megabytes"]) $(name).onchange = setLimits;
}
async function setLimits() {
  const answer = await ask({ type: "limits", seconds: +$("seconds").value, megabytes: +$("megabytes").value });
  if (answer.type === "limits") Object.assign(state.limits, answer); else say(answer.why, "refused");
  drawLimits();
}

function showRules() {
  const dialog = $("rules"), { rules } = state;
  const keys = "Arrow keys go over the table; enter takes cards and puts them down, up and down take more or fewer. T turns the stock, F puts the card up, "
    + "escape puts back. U undoes, R redoes, A plays up what cannot hurt, H judges every move, L shows a line, M goes to the next mistake, N is a new game.";
  dialog.innerHTML = `<h2 id="rules-title">${escapeText(rules ? rules.title : "winnable")} <button type="button">Close</button></h2><p>${keys}</p><pre>${escapeText(rules ? rules.rules : "")}</pre>`;
  dialog.querySelector("button").onclick = () => dialog.close();
  dialog.showModal();
}

const nextMistake = () => { if (state.game && state.game.mistakes.length) review.jump(state.game); };
const ACTIONS = {
  u: () => act({ type: "undo" }), r: () => act({ type: "redo" }), a: () => act({ type: "auto" }), h: toggleHints,
  l: () => showLine(), m: nextMistake, n: () => start.show(), "?": showRules, Home: () => act({ type: "restart" }),
};

function onKey(event) {
  if (event.altKey || document.querySelector("dialog[open]") || event.target.matches("input, select, textarea")) return;
  const isCommand = event.ctrlKey || event.metaKey, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isCommand) {
    const name = key === "z" ? event.shiftKey ? "redo" : "undo" : key === "y" ? "redo" : null;
    if (name) { event.preventDefault(); act({ type: name }); }
    return;
  }
  if (viewer.isOpen) { if (viewer.key(key)) event.preventDefault(); return; }
  if (!state.game) return;
  if (play.key(key)) { event.preventDefault(); return; }
  if (key.startsWith("Arrow") && !event.target.matches("button, a")) { event.preventDefault(); play.focus(); return; }
  if (ACTIONS[key]) { event.preventDefault(); ACTIONS[key](); }
}

offerLooks($("theme"), $("deck"));
const heard = document.createElement("p");
heard.id = "heard"; heard.className = "sr";
heard.setAttribute("role", "status"); heard.setAttribute("aria-live", "polite");
document.body.append(heard);
$("new").onclick = () => start.show();
$("help").onclick = showRules;
$("retry").onclick = () => connection.retry();
for (const name of ["undo", "redo", "restart", "auto"]) $(name).onclick = () => act({ type: name });
$("hints").onclick = toggleHints;
$("line").onclick = () => showLine();
$("mistakes").onclick = nextMistake;
$("promote").onclick = () => act({ type: "promote", node: state.game.position.node });
$("delete").onclick = () => act({ type: "delete", node: state.game.position.node });
$("finish").onclick = () => act({ type: "finish" });
$("think").onchange = () => {
  state.isThinking = $("think").checked;
  if (!state.isThinking) state.analysis = state.chances = null;
  keep("think", state.isThinking ? "on" : "off");
  ask({ type: "think", on: state.isThinking });
  drawVerdict();
};
state.isThinking = $("think").checked = kept("think") !== "off";
$("peek").onchange = () => { setPeek($("peek").checked); redraw(); };
for (const [id, task] of [["save", save], ["copy", copy]]) {
  $(id).onchange = () => { const { value } = $(id); $(id).value = ""; if (value && state.game) task(value); };
}
$("options").addEventListener("click", event => {
  const button = event.target.closest("[data-text]");
  if (button) act({ type: "move", text: button.dataset.text });
});
$("banner").addEventListener("click", event => {
  const what = event.target.dataset.do;
  if (what === "back") act({ type: "goto", node: state.game.lastGood.node });
  if (what === "mistakes") nextMistake();
  if (what === "finish") act({ type: "finish" });
  if (what === "new") start.show();
});
document.addEventListener("keydown", onKey);
addEventListener("hashchange", () => { if (connection.isOpen && state.game && location.hash !== state.game.position.link) openGame({ from: { link: location.hash } }); });
addEventListener("dragover", event => event.preventDefault());
addEventListener("drop", async event => {
  event.preventDefault();
  const file = event.dataTransfer.files[0], text = file ? await file.text() : event.dataTransfer.getData("text/plain");
  if (text) start.open(text);
});
let drawn = $("felt").clientWidth;
new ResizeObserver(() => { if ($("felt").clientWidth !== drawn) { drawn = $("felt").clientWidth; redraw(); } }).observe($("felt"));
addEventListener("resize", redraw);
