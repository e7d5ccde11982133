/* Main script of the board: play, analyse and review a game. The server knows the rules; this page asks it
   and shows the answers. */

import { Address } from "./address.js";
import { drawArrows, Sizing, Table } from "./table.js";
import { celebrate, plain, pretty } from "./cards.js";
import { Editor } from "./editor.js";
import { dayText, drawEnd, parText, resultText } from "./end.js";
import { Requests } from "./connection.js";
import { closest, dataOf, find } from "./elements.js";
import { FairReview } from "./fair.js";
import { Files, Limits } from "./files.js";
import { focusTable, keepFocus, Keys } from "./input.js";
import { Game, isSameDeal, Keeping, movesOf } from "./game.js";
import { Graph } from "./graph.js";
import { Home, Start, today } from "./home.js";
import { JokerCard } from "./joker.js";
import { copyText, isTouched, keep, kept, moveInWords, offerLooks, showsFigures } from "./looks.js";
import { announced, drawBadge, Options, Review, Tabs, Tree, Viewer, Why } from "./panel.js";
import { Play } from "./play.js";
import { showRules } from "./rules.js";

/** @import { Act, Analysis, Ask, BoardPage, Chances, ChangeType, GameMessage } from "./types.d.ts" */
/** @import { GameNode, Hello, Marks, Message, Open, Opened, Picture, Position } from "./types.d.ts" */
/** @import { Renewed, Rules, Step, TreeNode } from "./types.d.ts" */

/** @type {<Id extends keyof BoardPage>(id: Id) => BoardPage[Id]} */
const $ = id => /** @type {any} */ (document.getElementById(id));
const STREAMS = [
  "dealing",
  "error",
  "drawn",
  "renewed",
  "nodes",
  "gone",
  "analysis",
  "chances",
  "marks",
  "fair",
];
const EDIT = "#edit=",
  KEPT = "#kept"; // addresses of the editor, and of a game without a link
const MOST_NAME = 40; // characters shown of a game's name that is not known
const MOST_FAULTS = 4,
  LEAST_PAUSE = 500; // errors in a row before the page gives up; least milliseconds between two restarts

/* State of the page: the game that is shown, and requests that are under way. */
const state = {
  // the server's first message; null until it came
  hello: /** @type {Hello | null} */ (null),
  // the game that the server has opened; null if none is open
  game: /** @type {Game | null} */ (null),
  // entry in `hello.games` of the game that was opened last; null before the first
  rules: /** @type {Rules | null} */ (null),
  // the Table of that game; null before the first
  table: /** @type {Table | null} */ (null),
  // the moves by hand on that table; null before the first
  play: /** @type {Play | null} */ (null),
  // title of the document while that game is shown
  title: "",
  // the latest analysis of the position; null if it has none yet, and where judging is off
  analysis: /** @type {Analysis | null} */ (null),
  // whether the server judges positions
  isThinking: true,
  // whether the next address is a new entry of the browser's history
  isNewDeal: false,
  // score of the position whose move was announced last; null in games without scores
  score: /** @type {number | null} */ (null),
  // number of the node whose mistake was announced last; null if none was
  mistakeAnnounced: /** @type {number | null} */ (null),
  // kind of the verdict announced last; null if none was for this position
  verdictAnnounced: /** @type {string | null} */ (null),
  // number of the node shown when the hidden cards were revealed; null if they were not
  revealedNode: /** @type {number | null} */ (null),
  // cards that the editor starts with; null if the page began with the editor
  editorStart: /** @type {{ picture: Picture | null; isInPlay: boolean } | null} */ (null),
  // width and height of the felt when it was drawn last
  felt: "",
  opening: {
    // number of the latest request for a game or change of page
    latest: 0,
    // requests for a game without an answer
    unanswered: 0,
  },
  faults: {
    // errors since a game was opened without one
    inRow: 0,
    // the latest of them; empty if there is none
    text: "",
    // timer of the restart after it; null if none is due
    timer: /** @type {ReturnType<typeof setTimeout> | null} */ (null),
    // when the page restarted last, as performance.now() counts
    restarted: -Infinity,
  },
};

const keeping = new Keeping(),
  address = new Address(),
  sizing = new Sizing($("felt"));
const talk = new Requests($("picker"), {
  open: welcome,
  message: receive,
  lost,
  fault,
  position: takePosition,
  game: takeGame,
  refused,
});
/** @type {Ask} */
const ask = message => talk.ask(message);
const limits = new Limits($("limits"), { ask, refuse: refused });
const tree = new Tree($("tree"), node => act({ type: "goto", node }));
const files = new Files($("picker"), { ask, say, open: text => start.open(text) });
new Tabs($("panel"), $("tabs"), () => tree.scroll());
const graph = new Graph($("graph"), node => act({ type: "goto", node }));
const joker = new JokerCard($("joker-card"), {
  make: text => {
    shown().play.release();
    act({ type: "move", text });
  },
  close: () => shown().play.release(),
});
const reasons = new Why($("reason"), drawOptions);
const options = new Options($("options"), text => act({ type: "move", text }));
const viewer = new Viewer($("viewer"), {
  show: showStep,
  close: showPosition,
  keep: keepLine,
  other: showLine,
});
const review = new Review($("review"), { ask, act, view: line => viewer.open(line), showHints });
const fair = new FairReview($("fair"), { ask, go: node => act({ type: "goto", node }), changed: showEnd });
const start = new Start($("start"), {
  ask,
  open: request => openGame(request, { isNew: true }),
  edit,
  games: goHome,
});
const editor = new Editor($("editor"), {
  ask,
  open: request => openGame(request, { isNew: true }),
  leave: leaveEditor,
});
const home = new Home(
  $("home"),
  {
    today: openToday,
    deal: game => start.deal(game || start.last),
    paste: () => start.paste(),
    edit: () => edit(start.last),
    resume: goOn,
  },
  keptGame,
);

/* --- Games that come and go ----------------------------------------------------------------------------- */

/** The game that is open, with its rules, its table and the moves by hand. Throws an error if none is. */
function shown() {
  const { game, rules, table, play } = state;
  if (!game || !rules || !table || !play) throw new Error("no game is open");
  return { game, rules, table, play };
}

/** Request a change of the position; resolves to whether it was made.
    @type {Act} */
async function act(message) {
  if (!state.game) return false;
  if (talk.isOpen && !state.faults.timer) hide("lost"); // the failure that it reported is over
  const isDone = await talk.act(
    review.isTrying && message.type === "move" ? { ...message, aside: true } : message,
  );
  if (!isDone) state.table?.redraw();
  return isDone;
}

/** @type {(message: Message) => void} */
function receive(message) {
  const { game } = state;
  if (!STREAMS.includes(message.type))
    throw new Error(`${message.type}: an answer to nothing that was asked`);
  if (message.type === "dealing") {
    start.tell(`Looking for a deal: ${message.tried} tried`);
    return;
  }
  if (message.type === "error") {
    fair.stopped(); // if it was the judging that failed
    refused(message.why || "Internal server error.");
    return;
  }
  if (message.type === "drawn") drawFirst(message);
  if (!game) return;
  if (message.type === "renewed") {
    renew(message);
    return;
  }
  if (message.type === "nodes") {
    game.take(message.nodes);
    learn(message.nodes);
  }
  if (message.type === "gone") {
    game.drop(message.nodes);
    drawTree();
  }
  if (message.type === "fair") {
    fair.take(message);
    if (message.state === "done") drawTree();
  }
  if (message.type !== "analysis" && message.type !== "chances" && message.type !== "marks") return;
  if (message.node !== game.position.node) return;
  if (!state.isThinking) return; // the server sent it before it knew that judging is off
  if (message.type === "analysis") {
    const wasLost = isLost();
    state.analysis = message;
    drawVerdict();
    takeMarks(message.marks);
    if (isLost() && !wasLost) drawOptions();
  }
  if (message.type === "chances") {
    noteChance(game, message);
    options.chances = { ...options.chances, ...message };
    drawVerdict();
    drawOptions();
  }
  if (message.type === "marks") takeMarks(message.marks);
}

function clearFelt() {
  for (const card of $("table").querySelectorAll(".card, .label, .slot, .wing")) card.remove();
  $("places").replaceChildren();
}

/** Draw a table whose game is still being opened, unless it is drawn as it was left.
    @type {(message: { game: string, picture: Picture, fan: number }) => void} */
function drawFirst({ game, picture, fan }) {
  const of = state.hello?.games.find(one => one.game === game);
  if (!of || state.game || $("table").dataset.before !== undefined) return;
  showPage("play");
  $("title").textContent = of.title;
  clearFelt();
  const table = new Table($("felt"), $("table"), of.wing, fan);
  sizing.fit(table, picture);
  table.draw(picture);
}

/** Go on with the game as another program has taken it over. Its cards and moves are those that are shown.
    @type {(message: Renewed) => void} */
function renew(message) {
  const { game, table } = shown();
  game.renew(message);
  table.step = game.position.picture;
  drawJokers();
  drawTree();
  drawTools();
  keeping.keep(game);
  if (!isHome() && !$("editor").open) showLink();
}

/** Show the marks of the moves, if they are known and differ from those shown.
    @type {(marks: Marks | undefined) => void} */
function takeMarks(marks) {
  if (marks === undefined || JSON.stringify(marks) === JSON.stringify(options.marks)) return;
  options.marks = marks;
  drawOptions();
}

/** Store the chances of the position with its node, for the graph, and if it is hopeless.
    @type {(game: Game, chances: Chances) => void} */
function noteChance(game, { advice, certain }) {
  const { node } = game,
    tiers = advice?.[0]?.tiers;
  if (node && certain === "lost") node.isHopeless = true;
  if (!node || !tiers?.win) return;
  node.chances = Object.fromEntries(
    Object.entries(tiers).map(([tier, { probability }]) => [tier, probability]),
  );
  graph.draw(game, shown().rules.scored);
}

/** @type {(nodes: TreeNode[]) => void} */
function learn(nodes) {
  drawTree();
  review.learn(nodes);
  tellFall();
  showEnd();
  if (isLost() && $("regain").hidden === !!shown().game.lastWinnable) drawOptions();
}

/** @type {(hello: Hello) => void} */
function welcome(hello) {
  const isFirst = !state.hello;
  state.hello = hello;
  if (isFirst) say("");
  home.take(hello);
  if (state.faults.text) showLost(`Something went wrong: ${state.faults.text}.`, true);
  else hide("lost");
  start.take(hello);
  editor.games = hello.games;
  limits.draw(hello.limits);
  if (state.game && !isHome()) {
    resume();
    return;
  }
  state.game = null; // the server has forgotten it
  if (isFirst && location.hash.length < 2 && hello.start) openGame({ from: { start: true } });
  else goWhere();
}

/* --- Pages and their addresses -------------------------------------------------------------------------- */

const isHome = () => document.body.dataset.page === "home";

/** @type {(name: string) => void} */
function showPage(name) {
  const isOther = document.body.dataset.page !== name;
  document.body.dataset.page = name;
  $("home").hidden = name !== "home";
  if (isOther && name === "play") redraw();
}

/* Show the page that the address names. */
function goWhere() {
  const link = location.hash,
    saved = keeping.read(),
    isLate = address.takeLate(link),
    isStored = link === KEPT || isLate;
  leaveOpening();
  if ($("editor").open && !link.startsWith(EDIT)) closeEditor();
  if (link.length < 2) showHome();
  else if (link.startsWith(EDIT) && !editedGame())
    showHome(`There is no game '${link.slice(EDIT.length, EDIT.length + MOST_NAME)}' to lay out.`);
  else if (link === KEPT && !saved) showHome("This browser holds no game with hidden cards.");
  else if (link.startsWith(EDIT)) {
    if (!state.game) showHome();
    showEditor(true);
  } else if (state.game && !state.opening.unanswered && link === (state.game.position.link || KEPT))
    showPage("play");
  else if (saved && (isStored || isSameDeal(saved.link, link)))
    openGame({ from: { saved: saved.game } }, { link: isStored ? null : link });
  else openGame({ from: { link } }, { link });
}

function showHome(problem = "") {
  showPage("home");
  document.title = "winnable";
  home.show(problem);
}

/** The notice that a game, such as that of a link, could not be opened.
    @type {(why?: string | null) => string} */
const notOpened = why => `This game cannot be opened${why ? `: ${why}` : "."}`;

/* Ignore a game that was requested for another page, and stop looking for a deal. */
function leaveOpening() {
  state.opening.latest += 1;
  if (state.opening.unanswered) ask({ type: "cancel" });
}

/* Show the home page, as a new entry of the browser's history; the game can be resumed from it. */
function goHome() {
  if (!state.hello || isHome()) return;
  leaveOpening();
  if ($("start").open) $("start").close();
  address.goHome();
  showHome();
  $("home").focus({ preventScroll: true });
}

/* The stored game in words, such as its title and move; null if there is none. */
function keptGame() {
  const saved = keeping.read();
  if (!saved) return null;
  const title = saved.title || state.hello?.games.find(({ game }) => game === saved.game.game)?.title;
  return title ? [title, ...(saved.ply ? [`move ${saved.ply}`] : [])].join(", ") : null;
}

function goOn() {
  const saved = keeping.read();
  if (!state.game || state.opening.unanswered) {
    if (saved) openGame({ from: { saved: saved.game } }, { isNew: true });
    return;
  }
  state.isNewDeal = true;
  showLink();
  showPage("play");
  document.title = state.title;
}

/** Open the editor for a table of `game` as a new entry of the browser's history. It starts with the cards of
    `picture`, marked as a position in play if `isInPlay`.
    @type {(game: Rules, picture?: Picture | null, isInPlay?: boolean) => void} */
function edit(game, picture = null, isInPlay = false) {
  state.editorStart = { picture, isInPlay };
  leaveOpening();
  address.push(EDIT + game.game);
  showEditor();
}

/* The game that the address of the editor names; undefined if there is no such game. */
const editedGame = () => start.games.find(one => one.game === location.hash.slice(EDIT.length));

function showEditor(isBack = false) {
  const game = editedGame();
  if (game) editor.show(game, { ...state.editorStart, isBack });
}

/* Leave the editor for the previous page; if the page was opened with the editor, for the home page. */
function leaveEditor() {
  if (state.editorStart) {
    history.back();
    return;
  }
  address.clear();
  closeEditor();
  showHome();
}

function closeEditor() {
  editor.close();
  state.editorStart = null;
}

/** @type {(name: "lost" | "note") => void} */
const hide = name =>
  keepFocus($(name), () => {
    $(name).hidden = true;
  });

/** @type {(why: string, isFinal: boolean) => void} */
function showLost(why, isFinal) {
  $("lost").hidden = false;
  find($("lost"), "span").textContent = why;
  $("retry").hidden = isFinal;
}

/** @type {(why: string) => void} */
function lost(why) {
  showLost(why, false);
  if (state.analysis) state.analysis.state = "done";
  if (options.chances) options.chances.state = "done";
  if (state.game) drawVerdict();
}

/* After the connection was lost or an error occurred: reopen the game as stored in the browser; if that
   fails, its deal. */
async function resume() {
  const saved = keeping.read(),
    { text } = state.faults;
  if (!saved) return;
  let answer = await openGame({ from: { saved: saved.game } }, { link: saved.link });
  if (answer.type !== "game" && answer.type !== "late")
    answer = await openGame({ from: { saved: { ...saved.game, nodes: [], here: 0 } } });
  if (answer.type === "late") return;
  if (answer.type !== "game") {
    if (talk.isOpen) showHome(notOpened(answer.why));
    return;
  }
  if (text) showLost(`Something went wrong: ${text}. The game was opened again.`, true);
  else say("The server is back.");
}

/** Handle an error: an invalid message or an exception of this page. Shows a notice and restarts with the
    data of the server; after several errors in a row the person decides.
    @type {(error: unknown) => void} */
function fault(error) {
  const { faults } = state;
  if (error instanceof Error) console.error(error);
  if (faults.timer) return;
  faults.text = String((error instanceof Error && error.message) || error)
    .split("\n")[0]
    .slice(0, 200);
  faults.inRow += 1;
  const isFinal = faults.inRow > MOST_FAULTS;
  showLost(`Something went wrong: ${faults.text}.${isFinal ? "" : " The game is opened again."}`, false);
  if (!isFinal)
    faults.timer = setTimeout(restart, Math.max(0, faults.restarted + LEAST_PAUSE - performance.now()));
}

function restart() {
  if (state.faults.timer) clearTimeout(state.faults.timer);
  Object.assign(state.faults, { restarted: performance.now(), timer: null });
  talk.restart();
}

/** Open a game. `link` is the address of the position to show in it; with `isNew` it becomes a new entry of
    the browser's history. Resolves to the answer, whose type is "late" if another page was chosen meanwhile.
    @type {(request: Open, show?: { link?: string | null; isNew?: boolean }) => Promise<Opened>} */
async function openGame(request, { link = null, isNew = false } = {}) {
  const number = (state.opening.latest += 1);
  state.opening.unanswered += 1;
  const answer = await ask({
    type: "open",
    think: state.isThinking,
    ...request,
    from: keeping.mine(request.from),
  });
  state.opening.unanswered -= 1;
  if (number !== state.opening.latest) {
    // another page was chosen meanwhile
    if (answer.type === "game") state.game = null; // the server has replaced it
    return { type: "late" };
  }
  if (answer.type !== "game") {
    if (isHome() || !state.game) {
      if (!$("start").open) showHome(notOpened(answer.why));
    } else {
      refused(answer.why);
      showLink();
    }
    return answer;
  }
  state.isNewDeal = isNew;
  const opened = takeGame(answer);
  Object.assign(state.faults, { inRow: 0, text: "" });
  hide("lost");
  if (options.isOn) ask({ type: "hints", on: true });
  const moves = link ? movesOf(link) : null;
  const mine = opened
    .pathTo(opened.position.node)
    .slice(1)
    .map(node => node.move);
  if (moves && moves.join() !== mine.join() && request.from.saved)
    await act({ type: "add", node: 0, moves, go: true });
  return answer;
}

/* --- What is shown -------------------------------------------------------------------------------------- */

/** @type {(message: GameMessage) => Game} */
function takeGame(message) {
  const of = state.hello?.games.find(game => game.game === message.game);
  if (!of) throw new Error(`game ${message.game}: there is no such game`);
  const game = new Game(message);
  showPage("play");
  state.game = game;
  state.rules = start.game = of;
  options.clear();
  clearFelt();
  state.play?.end();
  state.table = new Table($("felt"), $("table"), of.wing, message.fan);
  state.play = new Play(state.table, $("places"), {
    make: act,
    say,
    joker,
    isReady: () => talk.isOpen && !viewer.isOpen,
  });
  $("title").textContent = message.title;
  const { day } = game;
  $("deal-name").textContent = [
    day ? `deal of ${dayText(day)}` : message.name,
    message.mode === "player" ? "hidden cards" : message.mode === "table" ? "your table" : "",
  ]
    .filter(text => text)
    .join(", ");
  document.title = state.title = `${message.title}${message.name ? ", " + message.name : ""} \u2013 winnable`;
  $("note").hidden = !message.note;
  find($("note"), "span").textContent = message.note || "";
  for (const button of [$("hints"), $("link"), $("copy"), $("save"), $("edit")]) button.disabled = false;
  $("line").hidden = game.isPlayed;
  $("turn").hidden = !game.isPlayed || !message.position.picture.piles.some(({ kind }) => kind === "stock");
  $("peeking").hidden =
    message.mode !== "analysis" || !message.position.picture.columns.some(text => text.includes("<"));
  setPeek(!$("peeking").hidden && message.revealed);
  state.revealedNode = message.revealed ? message.position.node : null;
  viewer.end();
  review.close();
  fair.end();
  state.verdictAnnounced = state.mistakeAnnounced = null;
  state.score = message.position.picture.score;
  takePosition(message.position, "open");
  keepFocus($("finish"), () => {
    $("finish").hidden = message.mode !== "player";
  });
  if ($("start").open) $("start").close();
  editor.close();
  return game;
}

/** Show known face-down cards, or hide them.
    @type {(isOn: boolean) => void} */
function setPeek(isOn) {
  $("peek").checked = shown().table.isPeek = isOn;
  document.documentElement.classList.toggle("peek", isOn);
}

/** @type {(position: Position, why: ChangeType | "open") => void} */
function takePosition(position, why) {
  const { game, table, play } = shown(),
    isOther = position.node !== game.position.node || why === "open";
  const before = game.node;
  $("felt").querySelector(".cascade")?.remove();
  game.position = position;
  if (isOther) {
    state.analysis = state.verdictAnnounced = null;
    options.clear();
  }
  if (viewer.isOpen) viewer.end();
  if (isOther) reasons.close();
  sizing.fit(table, position.picture);
  const isNext = !!before && !!game.node && game.node.parent === before.node && why !== "open";
  table.draw(position.picture, isOther ? isNext : undefined);
  if (isOther && game.node?.lies) table.markLying(game.node.lies, isNext);
  play.show(position.over === "won" ? [] : position.moves);
  drawTree();
  drawVerdict();
  drawOptions();
  drawTools();
  if (why === "open" && !position.over && !game.revealed)
    say(`Drag a card, or ${isTouched() ? "tap" : "click"} it and then where it goes.`);
  else sayMove(why);
  if (position.over === "won" && (why === "move" || why === "auto")) celebrate(table);
  tellFall();
  drawJokers();
  review.moved(game);
  if (isOther) fair.stopped();
  showLink();
  keeping.keep(game);
  Object.assign(document.body.dataset, { node: position.node, ply: game.node?.ply ?? 0 });
}

/* Show the address of the position. */
function showLink() {
  address.show(shown().game.position.link || KEPT, state.isNewDeal);
  state.isNewDeal = false;
}

/** @type {(why: string) => void} */
function sayMove(why) {
  const { game, rules } = shown(),
    { node, position } = game;
  if (!node) return;
  const { score } = position.picture,
    before = Number(state.score);
  const [tier] =
    Object.entries(rules.tiers).find(([, cards]) => before < cards && cards <= Number(score)) || [];
  state.score = score;
  if (why === "undo") say("Undone.");
  else if (why === "restart" || !node.move) say("The deal.");
  else {
    const scored = score === null ? "" : `. Score ${score}`,
      reached = scored && tier && why === "move" ? `: <i>a ${tier}</i>` : "";
    say(`<b>${node.ply}.</b> ${pretty(node.does)}${effectsOf(node)}${scored}${reached}`, "html");
  }
}

/** @type {(step: { effects?: string[] | null }) => string} */
const effectsOf = step => (step.effects || []).map(text => `; <i>${pretty(text)}</i>`).join("");

/** Show a message about a move; `kind` is "refused", "html" or empty.
    @type {(text: string, kind?: string) => void} */
function say(text, kind = "") {
  $("say").classList.toggle("refused", kind === "refused");
  $("say").classList.toggle("loading", !state.hello);
  $("say").innerHTML = `<span>${kind === "html" ? text : pretty(text)}</span>`;
}

/** @type {(why: string | null | undefined) => void} */
function refused(why) {
  say(why || "That did not work.", "refused");
}

/** Say what share of the program is loaded, as long as the page waits for it: below 1.
    @type {(part: number) => void} */
function sayLoading(part) {
  const text = part < 1 ? `Loading the rest of the page: ${Math.round(100 * part)} %` : "";
  if (text || $("say").classList.contains("loading")) say(text);
  $("say").classList.toggle("loading", text !== "");
  start.tell(text);
}

/* Show and mark a move as soon as it is judged a mistake. */
function tellFall() {
  const { game, table } = shown(),
    bad = game.node?.mark === "mistake" ? game.node : null;
  table.table.classList.toggle("erred", !!bad && !review.isTrying);
  if (!bad || state.mistakeAnnounced === bad.node) return;
  state.mistakeAnnounced = bad.node;
  if (!review.isTrying) say(`${moveInWords(bad.move || "", bad.as)} ${bad.loss}.`, "refused");
}

/* Say in the list of moves what each joker stands for. */
function drawJokers() {
  const { jokers } = shown().game.position.picture;
  $("jokers").innerHTML = jokers.map(text => `<p>${pretty(text)}</p>`).join("");
}

function redraw() {
  if (!state.game || isHome()) return;
  sizing.forget();
  if (viewer.isOpen) {
    viewer.redraw();
    return;
  }
  const { game, table, play } = shown();
  sizing.fit(table, game.position.picture);
  table.draw(game.position.picture);
  play.resize();
  drawOptions();
}

function drawTree() {
  const { game, rules } = shown(),
    { mistakes } = game;
  tree.draw(game);
  graph.draw(game, rules.scored);
  $("mistakes").hidden = !mistakes.length;
  $("mistakes").textContent = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
  keepFocus($("variation"), () => {
    $("variation").hidden = !game.node || game.node.main;
  });
}

function drawVerdict() {
  const { analysis, isThinking } = state,
    { game, rules } = shown();
  const worth = {
    analysis,
    chances: options.chances,
    over: game.position.over,
    isThinking,
    rules,
    places: game.places,
    score: game.position.picture.score,
  };
  drawBadge($("badge"), worth);
  drawLineButton();
  $("why").hidden = game.isPlayed || game.position.over === "won" || !isLost();
  showEnd();
  const words = announced(worth);
  if (words && words.kind !== state.verdictAnnounced) {
    state.verdictAnnounced = words.kind;
    $("heard").textContent = plain(words.text);
  }
}

/* True if the position is proved lost. */
const isLost = () => state.analysis?.verdict === "unwinnable";

/** True if the score is known to be final, although moves are left.
    @type {(game: Game, rules: Rules) => boolean} */
const isFinal = ({ node, position }, { scored }) =>
  scored &&
  !!node &&
  !!node.move &&
  !!node.judged &&
  node.judged.exact === true &&
  node.judged.score === position.picture.score;

/** True if the game is over, so that the result is shown in place of the hints.
    @type {(game: Game, rules: Rules) => boolean} */
const isAtEnd = (game, rules) =>
  !!game.position.over ||
  (game.revealed && state.revealedNode === game.position.node) ||
  isFinal(game, rules) ||
  isSpent(game) ||
  isHopeless(game);

/** True if the player, who does not see the hidden cards, has finished and has no move to advise.
    @type {(game: Game) => boolean} */
const isSpent = game =>
  game.isPlayed && !!options.chances && options.chances.state === "done" && !options.chances.advice?.length;

/** True if the hints have said that the game is lost whatever the hidden cards are.
    @type {(game: Game) => boolean} */
const isHopeless = game => game.isPlayed && options.isOn && !!game.firstHopeless;

function showEnd() {
  const { game, rules } = shown(),
    isBusy = viewer.isOpen || review.isTrying || !$("fair").hidden;
  drawEnd($("end"), game, rules, isAtEnd(game, rules) && !isBusy, {
    isSpent: isSpent(game),
    isHopeless: isHopeless(game),
  });
  $("tab-hints").textContent = $("end").hidden ? "Best moves" : "Result";
  const par = game.day ? parText(game) : "";
  if (game.day) $("deal-name").title = par;
  if (game.day && par) $("deal-name").textContent = `deal of ${dayText(game.day)}, ${par}`;
}

function drawTools() {
  const { position } = shown().game,
    held = document.activeElement;
  $("undo").disabled = $("restart").disabled = !position.undo;
  $("redo").disabled = position.redo === null;
  $("auto").disabled = !position.auto;
  $("turn").disabled = !position.moves.some(({ source }) => source === "p0");
  drawLineButton();
  if (!held?.matches(".tools :disabled")) return;
  const other = [$("undo"), $("redo")].find(button => !button.disabled);
  if (other) other.focus();
  else focusTable();
}

/* Update the button that shows a line: enabled where a win may exist, in games with scores also for a best
   score, and in lost positions for the most cards that can go up. */
function drawLineButton() {
  const { game, rules } = shown();
  const button = $("line"),
    isOfLoss = !rules.scored && isLost();
  button.disabled = game.isPlayed || !!game.position.over || (isOfLoss && !state.analysis?.most_up?.length);
  find(button, "span").textContent = isOfLoss ? "Show best" : "Show win";
}

function drawOptions() {
  const { game, rules, table, play } = shown();
  options.draw({
    position: game.position,
    rules,
    isSeen: !review.isTrying && !viewer.isOpen && !isAtEnd(game, rules),
    table,
    play,
    isLost: isLost(),
    canGoBack: isLost() && !!game.lastWinnable,
    isPlayed: game.isPlayed,
  });
}

/** @type {(step: Step) => void} */
function showStep(step) {
  const { table, play } = shown();
  reasons.close();
  play.show([]);
  drawArrows(table, []);
  $("end").hidden = $("options").hidden = true;
  table.table.classList.remove("erred");
  sizing.fit(table, step.picture);
  table.draw(step.picture, true);
  if (step.move) say(`${pretty(step.does)}${effectsOf(step)}.`, "html");
}

function showPosition() {
  const { game, table, play } = shown(),
    { picture, moves } = game.position;
  sizing.fit(table, picture);
  table.draw(picture, false);
  play.show(moves);
  drawOptions();
  showEnd();
}

/** @type {(line: { node: number; moves: string[] }) => Promise<void>} */
async function keepLine({ node, moves }) {
  await act({ type: "add", node, moves, go: false });
  say("The line is kept among the moves.");
}

/** @type {(isOn: boolean) => void} */
function showHints(isOn) {
  drawOptions();
  $("hints").disabled = !isOn;
}

/* --- Buttons and keys ----------------------------------------------------------------------------------- */

function toggleHints() {
  options.isOn = !options.isOn;
  options.marks = {};
  if (options.chances?.certain) options.chances = null; // of this the page without hints knows nothing
  keep("hints", options.isOn ? "on" : "off");
  $("hints").setAttribute("aria-pressed", String(options.isOn));
  ask({ type: "hints", on: options.isOn });
  if (state.game) drawVerdict();
  drawOptions();
  const nodes = [...(state.game?.byNumber.values() || [])];
  if (options.isOn && !nodes.some(node => node.helped)) say("A win with hints counts as won with help.");
}

/** @type {(goal?: string | null) => Promise<void>} */
async function showLine(goal = null) {
  const { node } = shown().game.position,
    answer = await ask({ type: "line", node, ...(goal && { goal }) });
  if (shown().game.position.node !== node) return; // moves were made meanwhile
  if (answer.type === "line" && answer.found) viewer.open(answer);
  else refused(answer.why || "No line is known.");
}

/** @type {(isOn: boolean) => void} */
function setThinking(isOn) {
  state.isThinking = isOn;
  if (!isOn) {
    state.analysis = null;
    options.clear();
  }
  keep("think", isOn ? "on" : "off");
  ask({ type: "think", on: isOn });
  if (!state.game) return;
  drawVerdict();
  drawOptions();
}

async function showWhy() {
  const { game, table } = shown(),
    answer = await ask({ type: "why", node: game.position.node });
  if (answer.type !== "why") refused(answer.why);
  else if (answer.node === game.position.node) reasons.open(answer, table);
}

/** @type {(isOn: boolean) => void} */
function setFigures(isOn) {
  keep("figures", isOn ? "on" : "off");
  if (!state.game) return;
  drawTree();
  drawVerdict();
  drawOptions();
}

/** Open the deal of the day of a game, by default of the game on the home page.
    @type {(of?: Rules | null) => Promise<void>} */
async function openToday(of = null) {
  say("Looking for the deal of the day.");
  const { game, modes } = of || state.rules || start.games[0];
  await openGame(
    {
      game,
      from: { today: today() },
      mode: modes.includes("player") && kept("mode") !== "analysis" ? "player" : "analysis",
    },
    { isNew: true },
  );
}

/* Open another winnable deal of the game shown, with the same rule options. */
async function openAnother() {
  say("Looking for another deal that can be won.");
  const { game, choices = {} } = state.rules || start.games[0],
    fields = new URLSearchParams(location.hash.slice(1));
  const same = Object.fromEntries(
    Object.keys(choices)
      .filter(name => fields.has(name))
      .map(name => [name, fields.get(name) || ""]),
  );
  await openGame(
    {
      game,
      from: { winnable: true },
      mode: state.game?.mode === "player" ? "player" : "analysis",
      choices: same,
    },
    { isNew: true },
  );
}

/* Copy the result to the clipboard, with the address of the deal where that works for others. */
async function share() {
  const isOwn = /^(127\.|localhost$|\[::1\])/.test(location.hostname),
    deal = location.href.replace(/&(moves|at)=[^&]*/g, "");
  const { game, rules } = shown(),
    isDone = await copyText(resultText(game, rules) + (isOwn ? "" : `\n${deal}`));
  say(
    !isDone
      ? "The clipboard cannot be written."
      : isOwn
        ? "Copied: the result."
        : "Copied: the result and the link.",
  );
}

const nextMistake = () => {
  reasons.close();
  if (state.game?.mistakes.length) review.jump(state.game);
};
/** Go to a position that may be known.
    @type {(node: GameNode | null) => Promise<boolean> | undefined} */
const goTo = node => (node ? act({ type: "goto", node: node.node }) : undefined);

/** The actions of the buttons and keys, by their names.
    @type {Record<string, () => unknown>} */
const ACTIONS = {
  undo: () => act({ type: "undo" }),
  redo: () => act({ type: "redo" }),
  restart: () => act({ type: "restart" }),
  auto: () => act({ type: "auto" }),
  hints: toggleHints,
  line: () => showLine(),
  mistakes: nextMistake,
  new: goHome,
  brand: goHome,
  help: () => showRules($("rules"), state.rules, state.game),
  link: () => files.share(shown().game.position.link),
  copy: () => files.copy(),
  edit: () => {
    const { game, rules } = shown();
    edit(rules, game.position.picture, !!game.node?.ply);
  },
  turn: () => shown().play.key("t"),
  save: () => files.save(),
  why: showWhy,
  today: () => openToday(),
  another: openAnother,
  share,
  judge: async () => {
    const why = await fair.begin(shown().game);
    if (why) refused(why);
  },
  known: () => hide("note"),
  retry: restart,
  finish: async () => {
    if (await act({ type: "finish" })) focusTable();
  },
  promote: () => act({ type: "promote", node: shown().game.position.node }),
  delete: () => act({ type: "delete", node: shown().game.position.node }),
  back: () => goTo(shown().game.lastGood),
  regain: () => goTo(shown().game.lastWinnable),
};

offerLooks($("theme"), $("deck"));
new Keys(ACTIONS, {
  viewer,
  play: () => state.play,
  isPlaying: () => !!state.game && !isHome(),
});
for (const [name, action] of Object.entries(ACTIONS))
  document.getElementById(name)?.addEventListener("click", event => {
    event.preventDefault();
    action();
  });
$("menu").addEventListener(
  "click",
  event => {
    const { act: what } = dataOf(event, "[data-act]");
    if (closest(event, "button, a")) $("menu").hidePopover();
    if (what) ACTIONS[what]();
  },
  { capture: true },
);
$("end").addEventListener("click", event => {
  const { do: what, node } = dataOf(event, "[data-do], [data-node]");
  if (node) act({ type: "goto", node: +node });
  else if (what) ACTIONS[what]();
});
$("think").onchange = () => setThinking($("think").checked);
$("figures").checked = showsFigures();
$("figures").onchange = () => setFigures($("figures").checked);
state.isThinking = $("think").checked = kept("think") !== "off";
options.isOn = kept("hints") === "on";
$("hints").setAttribute("aria-pressed", String(options.isOn));
$("peek").onchange = () => {
  setPeek($("peek").checked);
  redraw();
};
if (location.hash.length < 2) showPage("home");
addEventListener("loading", event => {
  if (event instanceof CustomEvent) sayLoading(event.detail);
});
addEventListener("popstate", () => {
  // the game of the entry before may open before `hashchange` is sent
  if (state.opening.unanswered && talk.isOpen) goWhere();
});
addEventListener("hashchange", () => {
  for (const dialog of document.querySelectorAll("dialog"))
    if (dialog.open && dialog !== $("editor")) dialog.close();
  $("menu").hidePopover();
  if (talk.isOpen) goWhere();
});
new ResizeObserver(() => {
  const { clientWidth, clientHeight } = $("felt"),
    size = `${clientWidth} ${clientHeight}`;
  if (size === state.felt || !clientWidth) return;
  state.felt = size;
  redraw();
}).observe($("felt"));
addEventListener("resize", redraw);
addEventListener("error", event => {
  if (event.error) fault(event.error);
}); // an error of a late ResizeObserver has no event.error
addEventListener("unhandledrejection", event => fault(event.reason));
