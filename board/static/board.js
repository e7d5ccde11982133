/* Main script of the board: play, analyse and review a game. The server knows the rules; this page asks it and shows
   the answers. */

import { drawArrows } from "./arrow.js";
import { dayText, drawBanner, parText, resultText } from "./banner.js";
import { plain, pretty } from "./cards.js";
import { celebrate } from "./cascade.js";
import { Requests } from "./requests.js";
import { Files } from "./files.js";
import { focusTable, keepFocus } from "./focus.js";
import { Game } from "./game.js";
import { Graph } from "./graph.js";
import { isSameDeal, movesOf, Keeping } from "./keeping.js";
import { Keys } from "./keys.js";
import { Limits } from "./limits.js";
import { copyText, keep, kept, moveText, offerLooks, showsFigures } from "./looks.js";
import { Options } from "./options.js";
import { askOne } from "./picker.js";
import { Play } from "./play.js";
import { Review } from "./review.js";
import { showRules } from "./rules.js";
import { Sizing } from "./sizing.js";
import { Start, today } from "./start.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";
import { announced, drawBadge } from "./verdict.js";
import { Viewer } from "./viewer.js";
import { Why } from "./why.js";

const $ = id => document.getElementById(id);
const STREAMS = ["dealing", "error", "nodes", "gone", "analysis", "chances", "marks"];
const MOST_FAULTS = 4, LEAST_PAUSE = 500;  // in a row, without a game in between; milliseconds from one to the next
const state = { hello: null, game: null, rules: null, analysis: null, isThinking: true, end: null, dismissed: null };
const faults = { inRow: 0, last: -Infinity, text: "", timer: null };
let table = null, play = null, fallen = null, told = null, other = null;

const keeping = new Keeping(), sizing = new Sizing($("felt"));
const talk = new Requests($("picker"), { open: welcome, message: receive, lost, fault, position: takePosition, game: takeGame, refused });
const ask = message => talk.ask(message);
const limits = new Limits($("limits"), { ask, refuse: refused });
const files = new Files($("picker"), { ask, say, open: text => start.open(text) });
const tree = new Tree($("tree"), node => act({ type: "goto", node }));
const graph = new Graph($("graph"), node => act({ type: "goto", node }));
const reasons = new Why($("reason"), drawOptions);
const options = new Options($("options"), text => act({ type: "move", text }));
const viewer = new Viewer($("viewer"), { show: showStep, close: showPosition, keep: keepLine, other: showLine });
const review = new Review($("review"), { ask, act, view: line => viewer.open(line), showHints });
const start = new Start($("start"), { ask, open: openGame });

/* --- Games that come and go ---------------------------------------------------------------------------------------- */

async function act(message) {
  if (!state.game) return false;
  if (talk.isOpen && !faults.timer) hide("lost");  // what it told of is over
  const isDone = await talk.act(review.isTrying && message.type === "move" ? { ...message, aside: true } : message);
  if (!isDone) table.redraw();
  return isDone;
}

function receive(message) {
  const { game } = state;
  if (!STREAMS.includes(message.type)) throw new Error(`${message.type}: an answer to nothing that was asked`);
  if (message.type === "dealing") { start.tell(message); return; }
  if (message.type === "error") { refused(message.why || "The server failed at something."); return; }
  if (!game) return;
  if (message.type === "nodes") { game.take(message.nodes); learn(message.nodes); }
  if (message.type === "gone") { game.drop(message.nodes); drawTree(); }
  if (message.node !== game.position.node) return;
  if (!state.isThinking) return;  // sent before the server knew
  if (message.type === "analysis") { state.analysis = message; drawVerdict(); }
  if (message.type === "chances") { noteChance(message); options.chances = { ...options.chances, ...message }; drawVerdict(); drawOptions(); }
  if (message.type === "marks") { options.marks = message.marks; drawOptions(); }
}

/* The chance to win of a position stays with it, for the graph. */
function noteChance({ advice }) {
  const { win } = advice && advice[0] && advice[0].tiers || {};
  if (!win) return;
  state.game.node.chance = win.probability;
  graph.draw(state.game, state.rules.scored);
}

function learn(nodes) {
  drawTree();
  review.learn(state.game, nodes);
  tellFall();
  showBanner();
}

function welcome(hello) {
  state.hello = hello;
  if (faults.text) showLost(`Something went wrong: ${faults.text}.`, true);
  else hide("lost");
  start.take(hello);
  limits.draw(hello.limits);
  if (state.game) { resume(); return; }
  const saved = keeping.read(), link = location.hash;
  if (link.length > 1) openGame(saved && isSameDeal(saved.link, link) ? { from: { saved: saved.game } } : { from: { link } }, link);
  else if (hello.start) openGame({ from: { start: true } });
  else if (saved) openGame({ from: { saved: saved.game } });
  else start.show();
}

const hide = name => keepFocus($(name), () => { $(name).hidden = true; });

function showLost(why, isFinal) {
  $("lost").hidden = false;
  $("lost").firstElementChild.textContent = why;
  $("retry").hidden = isFinal;
}

function lost(why) {
  showLost(why, false);
  if (state.analysis) state.analysis.state = "done";
  if (options.chances) options.chances.state = "done";
  if (state.game) drawVerdict();
}

/* After the server was lost, or something went wrong: the same game, as it is kept here; if that cannot be opened, its
   deal. */
async function resume() {
  const saved = keeping.read(), { text } = faults;
  let answer = await openGame({ from: { saved: saved.game } }, saved.link);
  if (answer.type !== "game") answer = await openGame({ from: { saved: { ...saved.game, nodes: [], here: 0 } } });
  if (answer.type !== "game") { if (talk.isOpen) start.show(answer.why); return; }
  if (text) showLost(`Something went wrong: ${text}. The game was opened again.`, true);
  else say("The server is back.");
}

/* Something went wrong: a message that is none, or an error of this page. Say so, and begin anew with what the server says
   of the game; where that goes wrong again and again, leave it to the person. */
function fault(error) {
  if (error instanceof Error) console.error(error);
  if (faults.timer) return;
  faults.text = String(error && error.message || error).split("\n")[0].slice(0, 200);
  faults.inRow += 1;
  const isFinal = faults.inRow > MOST_FAULTS;
  showLost(`Something went wrong: ${faults.text}.${isFinal ? "" : " The game is opened again."}`, false);
  if (!isFinal) faults.timer = setTimeout(restart, Math.max(0, faults.last + LEAST_PAUSE - performance.now()));
}

function restart() {
  clearTimeout(faults.timer);
  Object.assign(faults, { last: performance.now(), timer: null });
  talk.restart();
}

/* Open a game; `link` is the address of the place in it where the person was. */
async function openGame(request, link) {
  const answer = await ask({ type: "open", think: state.isThinking, ...request });
  if (answer.type !== "game") {
    if (state.game) { refused(answer.why); showLink(); }
    else if (!$("start").open) start.show(answer.why);
    return answer;
  }
  takeGame(answer);
  Object.assign(faults, { inRow: 0, text: "" });
  hide("lost");
  if (options.isOn) ask({ type: "hints", on: true });
  const moves = link ? movesOf(link) : null;
  const mine = state.game.pathTo(state.game.position.node).slice(1).map(node => node.move);
  if (moves && moves.join() !== mine.join() && request.from.saved) await act({ type: "add", node: 0, moves, go: true });
  return answer;
}

/* --- What is shown ------------------------------------------------------------------------------------------------- */

function takeGame(message) {
  const of = state.hello.games.find(game => game.game === message.game);
  if (!of) throw new Error(`game ${message.game}: there is no such game`);
  state.game = new Game(message);
  state.rules = start.game = of;
  options.clear();
  for (const card of $("table").querySelectorAll(".card, .label, .slot, .wing")) card.remove();
  $("places").replaceChildren();
  if (play) play.end();
  table = new Table($("felt"), $("table"), of.wing, message.fan);
  play = new Play(table, $("places"), { make: act, say, pick: (title, choices) => askOne($("picker"), title, choices), isReady: () => talk.isOpen && !viewer.isOpen });
  $("title").textContent = message.title;
  const { day } = state.game;
  $("deal-name").textContent = [day ? `deal of ${dayText(day)}` : message.name, message.mode === "player" ? "hidden cards" : message.mode === "table" ? "your table" : ""].filter(text => text).join(", ");
  document.title = `${message.title}${message.name ? ", " + message.name : ""} \u2013 winnable`;
  $("note").hidden = !message.note;
  $("note").firstElementChild.textContent = message.note || "";
  [other] = Object.entries(of.choices).filter(([name, values]) => (message.note || "").includes(`which ${name} `) && values.length > 1);
  if (message.note) $("other").textContent = `Open it as ${other[1].at(-1)}`;
  for (const name of ["hints", "copy", "save"]) $(name).disabled = false;
  $("peeking").hidden = message.mode !== "analysis" || !message.position.picture.columns.some(text => text.includes("<"));
  setPeek(!$("peeking").hidden && message.revealed);
  state.end = message.revealed ? message.position.node : null;
  viewer.end();
  review.close();
  told = fallen = null;
  takePosition(message.position, "open");
  keepFocus($("finish"), () => { $("finish").hidden = message.mode !== "player"; });
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
  $("felt").querySelector(".cascade")?.remove();
  game.position = position;
  if (isOther) { state.analysis = told = null; options.clear(); }
  // The banner stays closed after a move that raises nothing.
  if (isOther) state.dismissed = !position.over && state.dismissed !== null && game.node?.parent === state.dismissed ? position.node : null;
  if (viewer.isOpen) viewer.end();
  if (isOther) reasons.close();
  sizing.fit(table, position.picture);
  const isNext = !!before && !!game.node && game.node.parent === before.node && why !== "open";
  table.draw(position.picture, isOther ? isNext : undefined);
  if (isOther && game.node && game.node.lies) table.markLying(game.node.lies, isNext);
  play.show(position.over === "won" ? [] : position.moves);
  drawTree();
  drawVerdict();
  drawOptions();
  drawTools();
  if (why === "open" && !position.over && !game.revealed) say("Drag cards, or choose them and then where they go.");
  else sayMove(why);
  if (position.over === "won" && (why === "move" || why === "auto")) celebrate(table);
  tellFall();
  $("jokers").innerHTML = position.picture.jokers.map(text => `<p>${pretty(text)}</p>`).join("");
  review.moved(game);
  showLink();
  keeping.keep(game);
  Object.assign(document.body.dataset, { node: position.node, ply: game.node ? game.node.ply : 0 });
}

function showLink() { history.replaceState(null, "", state.game.position.link || location.pathname); }

function sayMove(why) {
  const { node, position } = state.game;
  if (!node) return;
  if (why === "undo" || why === "restart") { say(why === "undo" ? "Undone." : "The deal."); return; }
  const { score } = position.picture;
  say(node.move ? `<b>${node.ply}</b> ${pretty(node.does)}${effectsOf(node)}${score === null ? "" : `. Score ${score}`}` : "The deal.", "html");
}

const effectsOf = step => (step.effects || []).map(text => `; <i>${pretty(text)}</i>`).join("");

/* Tell of a move; `kind` is refused, html or nothing. */
function say(text, kind = "") {
  $("say").classList.toggle("refused", kind === "refused");
  $("say").innerHTML = `<span>${kind === "html" ? text : pretty(text)}</span>`;
}

function refused(why) { say(why, "refused"); }

/* A move that is judged a mistake is told and marked as that becomes known. */
function tellFall() {
  const { node } = state.game, isBad = !!node && node.mark === "mistake";
  table.table.classList.toggle("erred", isBad && !review.isTrying);
  if (!isBad || fallen === node.node) return;
  fallen = node.node;
  if (!review.isTrying) say(`${moveText(node.move)} ${node.loss}.`, "refused");
}

function redraw() {
  if (!state.game) return;
  sizing.forget();
  if (viewer.isOpen) { viewer.redraw(); return; }
  sizing.fit(table, state.game.position.picture);
  table.draw(state.game.position.picture);
  play.resize();
  drawOptions();
}

function drawTree() {
  const { game } = state, { mistakes } = game;
  tree.draw(game);
  graph.draw(game, state.rules.scored);
  $("mistakes").hidden = !mistakes.length;
  $("mistakes").textContent = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
  keepFocus($("variation"), () => { $("variation").hidden = !game.node || game.node.main; });
}

function drawVerdict() {
  const { game, analysis, isThinking, rules } = state;
  const worth = { analysis, chances: options.chances, over: game.position.over, isThinking, rules, places: game.places };
  drawBadge($("badge"), worth);
  $("why").hidden = game.isPlayed || game.position.over === "won" || !(analysis && analysis.verdict === "unwinnable");
  showBanner();
  const words = announced(worth);
  if (words && words.kind !== told) {
    told = words.kind;
    $("heard").textContent = plain(words.text);
  }
}

/* Whether moves are left that cannot raise the score. */
const isFinal = ({ node, position }, { scored }) => scored && !!node && !!node.move && !!node.judged && node.judged.exact === true && node.judged.score === position.picture.score;

function showBanner() {
  const { game, rules } = state, isEnd = !!game.position.over || (game.revealed && state.end === game.position.node) || isFinal(game, rules);
  drawBanner($("banner"), game, rules, isEnd && !viewer.isOpen && !review.isTrying && state.dismissed !== game.position.node);
  const par = game.day ? parText(game) : "";
  if (game.day) $("deal-name").title = par;
  if (par) $("deal-name").textContent = `deal of ${dayText(game.day)}, ${par}`;
}

function dismiss() {
  if ($("banner").hidden) return;
  state.dismissed = state.game.position.node;
  showBanner();
}

function drawTools() {
  const { position } = state.game, held = document.activeElement;
  $("undo").disabled = $("restart").disabled = !position.undo;
  $("redo").disabled = position.redo === null;
  $("auto").disabled = !position.auto;
  $("line").disabled = state.game.isPlayed || position.over === "won";
  if (!held.disabled || !held.closest(".tools")) return;
  const other = [$("undo"), $("redo")].find(button => !button.disabled);
  if (other) other.focus();
  else focusTable();
}

function drawOptions() {
  options.draw(state.game.position, state.rules, !review.isTrying && !viewer.isOpen, table, play);
}

function showStep(step) {
  play.show([]);
  drawArrows(table, []);
  $("banner").hidden = $("options").hidden = true;
  table.table.classList.remove("erred");
  table.draw(step.picture, true);
  if (step.move) say(`${pretty(step.does)}${effectsOf(step)}.`, "html");
}

function showPosition() {
  table.draw(state.game.position.picture, false);
  play.show(state.game.position.moves);
  drawOptions();
  showBanner();
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
  options.isOn = !options.isOn;
  options.marks = {};
  $("hints").setAttribute("aria-pressed", options.isOn);
  ask({ type: "hints", on: options.isOn });
  drawOptions();
}

async function showLine(goal = null) {
  const answer = await ask({ type: "line", node: state.game.position.node, ...(goal && { goal }) });
  if (answer.type === "line" && answer.found) viewer.open(answer);
  else refused(answer.why || "No line is known.");
}

function setThinking(isOn) {
  state.isThinking = isOn;
  if (!isOn) { state.analysis = null; options.clear(); }
  keep("think", isOn ? "on" : "off");
  ask({ type: "think", on: isOn });
  if (!state.game) return;
  drawVerdict();
  drawOptions();
}

async function showWhy() {
  const answer = await ask({ type: "why", node: state.game.position.node });
  if (answer.type === "why" && answer.node === state.game.position.node) reasons.open(answer, table);
  else refused(answer.why);
}

function setFigures(isOn) {
  keep("figures", isOn ? "on" : "off");
  if (!state.game) return;
  drawTree();
  drawVerdict();
  drawOptions();
}

/* The deal of the day of the game that is shown. */
async function openToday() {
  say("Looking for the deal of the day.");
  const { game, modes } = state.rules || start.games[0];
  await openGame({ game, from: { today: today() }, mode: modes.includes("player") && kept("mode") !== "analysis" ? "player" : "analysis" });
}

const copyResult = async () => say(await copyText(resultText(state.game, state.rules)) ? "Copied." : "The clipboard cannot be written.");
const nextMistake = () => { if (state.game && state.game.mistakes.length) review.jump(state.game); };
const ACTIONS = {
  undo: () => act({ type: "undo" }), redo: () => act({ type: "redo" }), restart: () => act({ type: "restart" }), auto: () => act({ type: "auto" }),
  hints: toggleHints, line: () => showLine(), mistakes: nextMistake, new: () => start.show(), help: () => showRules($("rules"), state.rules, state.game),
  copy: () => files.copy(state.game.position.link), save: () => files.save(), why: showWhy, today: openToday, result: copyResult, known: () => hide("note"), dismiss,
  other: () => openGame({ from: { link: `${location.hash.replace(/&exchange=\w+/, "")}&${other[0]}=${other[1].at(-1)}` } }),
  retry: restart, finish: () => act({ type: "finish" }), promote: () => act({ type: "promote", node: state.game.position.node }),
  delete: () => act({ type: "delete", node: state.game.position.node }), back: () => act({ type: "goto", node: state.game.lastGood.node }),
};

offerLooks($("theme"), $("deck"));
const keys = new Keys(ACTIONS, { viewer, play: () => play, isPlaying: () => !!state.game });
for (const name in ACTIONS) if ($(name)) $(name).onclick = ACTIONS[name];
$("banner").addEventListener("click", event => { if (event.target.dataset.do) ACTIONS[event.target.dataset.do](); });
$("think").onchange = () => setThinking($("think").checked);
$("figures").checked = showsFigures();
$("figures").onchange = () => setFigures($("figures").checked);
state.isThinking = $("think").checked = kept("think") !== "off";
$("peek").onchange = () => { setPeek($("peek").checked); redraw(); };
addEventListener("hashchange", () => { if (talk.isOpen && location.hash !== (state.game?.position.link ?? "")) openGame({ from: { link: location.hash } }); });
let drawn = $("felt").clientWidth;
new ResizeObserver(() => { if ($("felt").clientWidth !== drawn) { drawn = $("felt").clientWidth; redraw(); } }).observe($("felt"));
addEventListener("resize", redraw);
addEventListener("error", event => { if (event.error) fault(event.error); });  // a ResizeObserver that is late has none
addEventListener("unhandledrejection", event => fault(event.reason));
