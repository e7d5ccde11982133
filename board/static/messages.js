/* Validation of server messages against PROTOCOL.md. Fields that the page does not need may be absent. */

/** @import { GameMessage, Message, Position, Renewed, TreeNode } from "./types.d.ts" */

/** Throws an error if `value`, which is at `path` of a message, is wrong.
    @typedef {(value: unknown, path: string) => void} Check */

/** A part of a message that is an object.
    @typedef {Record<string, unknown>} Fields */

/** @type {(path: string) => never} */
const fail = path => {
  throw new Error(`${path} is missing or wrong`);
};
/** @type {(test: (value: any) => boolean) => Check} */
const like = test => (value, path) => {
  if (!test(value)) fail(path);
};
/** @param {unknown} value
    @returns {value is Fields} */
const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(one: Check) => Check} */
const maybe = one => (value, path) => {
  if (value !== null && value !== undefined) one(value, path);
};
/** @type {(one: Check) => Check} */
const list = one => (value, path) => {
  if (!Array.isArray(value)) return fail(path);
  for (const [i, each] of value.entries()) one(each, `${path} ${i}`);
};
/** @type {(one: Check) => Check} */
const mapped = one => (value, path) => {
  if (!isObject(value)) return fail(path);
  for (const key in value) one(value[key], `${path} ${key}`);
};
/** @type {(fields: Record<string, Check>) => Check} */
const shape = fields => (value, path) => {
  if (!isObject(value)) return fail(path);
  for (const key in fields) fields[key](value[key], `${path} ${key}`);
};

const TEXT = like(value => typeof value === "string");
const FLAG = like(value => typeof value === "boolean");
const NUMBER = like(Number.isFinite);
const COUNT = like(value => Number.isSafeInteger(value) && value >= 0);
const PLACE = like(value => /^[cp]\d{1,2}$/.test(value));
const LIES = like(value => /^[cp]\d{1,2}(\/\d{1,3})?$/.test(value));
const CARD = like(value => /^[0-9A-Z?]{2}$/.test(value));
const CARDS = like(value => typeof value === "string" && /^[0-9A-Z?<>= ]*$/.test(value));
const OBJECT = like(isObject);

const PILE = shape({ kind: TEXT, name: TEXT, cards: CARDS, note: maybe(TEXT) });
const PICTURE = shape({ columns: list(CARDS), piles: list(PILE), jokers: list(TEXT), score: maybe(NUMBER) });
const MOVE = shape({
  text: TEXT,
  source: PLACE,
  target: PLACE,
  count: COUNT,
  does: TEXT,
  targets: list(PLACE),
  rank: maybe(TEXT),
  suit: maybe(TEXT),
  as: maybe(TEXT),
});
const TO_TIER = shape({ length: NUMBER });
const MOST_UP = shape({ score: NUMBER, length: NUMBER, text: TEXT });
const KNOWN = {
  verdict: maybe(TEXT),
  length: maybe(NUMBER),
  shortest: maybe(FLAG),
  score: maybe(NUMBER),
  score_bound: maybe(NUMBER),
  tier: maybe(TEXT),
  to_tier: maybe(TO_TIER),
};
const NODE = shape({
  node: COUNT,
  parent: maybe(COUNT),
  main: FLAG,
  ply: COUNT,
  move: maybe(TEXT),
  does: maybe(TEXT),
  as: maybe(TEXT),
  effects: list(TEXT),
  lies: maybe(LIES),
  turned: maybe(TEXT),
  helped: maybe(FLAG),
  over: maybe(TEXT),
  judged: maybe(shape(KNOWN)),
  keeps: maybe(FLAG),
  mark: maybe(TEXT),
  loss: maybe(TEXT),
  best: maybe(TEXT),
  best_as: maybe(TEXT),
});
const POSITION = {
  node: COUNT,
  picture: PICTURE,
  moves: list(MOVE),
  over: maybe(TEXT),
  undo: FLAG,
  redo: maybe(COUNT),
  auto: maybe(NUMBER),
  link: maybe(TEXT),
  seconds: maybe(NUMBER),
  turned_back: maybe(COUNT),
};
const STEP = shape({ picture: PICTURE, move: maybe(TEXT), does: maybe(TEXT), effects: maybe(list(TEXT)) });
const CHANCE = shape({ probability: NUMBER, error: NUMBER, low: NUMBER, high: NUMBER });
const ADVICE = shape({ moves: list(TEXT), visits: NUMBER, tiers: mapped(CHANCE), reason: maybe(TEXT) });
const LIMITS = { seconds: NUMBER, megabytes: NUMBER, most_seconds: NUMBER, most_megabytes: NUMBER };
const RULES = shape({
  game: TEXT,
  title: TEXT,
  summary: TEXT,
  blurb: TEXT,
  rate: TEXT,
  rules: TEXT,
  legend: TEXT,
  columns: COUNT,
  wing: maybe(COUNT),
  free_base: FLAG,
  runs: FLAG,
  scored: FLAG,
  tiers: mapped(NUMBER),
  modes: list(TEXT),
  choices: mapped(list(TEXT)),
  options: mapped(shape({ title: TEXT, values: mapped(TEXT) })),
  levels: list(TEXT),
  sizes: list(COUNT),
  stock: COUNT,
});

const GAME = {
  game: TEXT,
  title: TEXT,
  name: maybe(TEXT),
  mode: TEXT,
  revealed: FLAG,
  places: NUMBER,
  fan: maybe(COUNT),
  note: maybe(TEXT),
  seed: maybe(TEXT),
  nodes: list(NODE),
  position: shape(POSITION),
  saved: OBJECT,
};

/** @type {Record<string, Record<string, Check>>} */
const TYPES = {
  hello: { games: list(RULES), limits: shape(LIMITS), start: maybe(FLAG) },
  game: GAME,
  renewed: GAME,
  drawn: { game: TEXT, picture: PICTURE, fan: COUNT },
  position: POSITION,
  nodes: { nodes: list(NODE) },
  gone: { nodes: list(COUNT) },
  dealing: { tried: COUNT },
  analysis: {
    node: COUNT,
    state: TEXT,
    text: maybe(TEXT),
    states: maybe(NUMBER),
    seconds: maybe(NUMBER),
    stage: maybe(TEXT),
    part: maybe(TEXT),
    most_up: maybe(MOST_UP),
    ...KNOWN,
  },
  marks: { node: COUNT, marks: mapped(shape({ keeps: maybe(FLAG), ...KNOWN })) },
  chances: {
    node: COUNT,
    state: TEXT,
    samples: maybe(NUMBER),
    seconds: maybe(NUMBER),
    text: maybe(TEXT),
    advice: maybe(list(ADVICE)),
  },
  fair: {
    node: COUNT,
    state: TEXT,
    part: maybe(TEXT),
    lines: maybe(list(TEXT)),
    steps: maybe(list(shape({ node: COUNT, word: TEXT, text: TEXT, better: maybe(TEXT) }))),
  },
  line: {
    found: FLAG,
    node: COUNT,
    steps: maybe(list(STEP)),
    text: maybe(TEXT),
    why: maybe(TEXT),
    other: maybe(shape({ goal: TEXT, text: TEXT })),
  },
  saved: { name: TEXT, media: TEXT, content: TEXT },
  checked: {
    ok: FLAG,
    problems: list(shape({ text: TEXT, line: maybe(COUNT) })),
    missing: list(CARD),
    doubled: list(CARD),
    unknown: maybe(COUNT),
    picture: maybe(PICTURE),
  },
  why: { node: COUNT, text: TEXT, cards: list(shape({ spot: LIES, waits: list(LIES), text: TEXT })) },
  choose: { moves: list(MOVE) },
  turned: { place: maybe(PLACE), cards: list(CARD) },
  limits: LIMITS,
  refused: { why: maybe(TEXT) },
  error: { why: maybe(TEXT) },
  done: {},
};

const REFUSED = -3;

/** A request as text: its type is the method, its other fields are the parameters.
    @type {(id: number, request: { type: string }) => string} */
export function requestText(id, { type, ...params }) {
  return JSON.stringify({ jsonrpc: "2.0", id, method: type, params });
}

/** A message of JSON-RPC as an object with a type, and the id of the request that it answers.
    @type {(message: Fields) => Fields} */
function plain({ id, method, params, result, error }) {
  if (isObject(error)) return { id, type: error.code === REFUSED ? "refused" : "error", why: error.message };
  if (method === undefined) return { ...(isObject(result) ? result : {}), id };
  return { ...(isObject(params) ? params : {}), type: method };
}

/** The message in `text`. Throws an error with a one-line message if it is invalid.
    @type {(text: string) => Message} */
export function readMessage(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error("invalid JSON from the server");
  }
  const fields = isObject(read) ? plain(read) : {},
    { type } = fields;
  if (typeof type !== "string" || !Object.hasOwn(TYPES, type)) throw new Error("a message of no known type");
  shape(TYPES[type])(fields, type);
  const message = /** @type {Message} */ (/** @type {unknown} */ (fields));
  if (message.type === "position") checkPlaces(message);
  if (message.type === "nodes") checkParents(message.nodes);
  if (message.type === "gone" && message.nodes.includes(0)) fail("gone nodes");
  if (message.type === "line" && message.found && !(message.steps || []).length) fail("line steps");
  if (message.type === "game" || message.type === "renewed") checkGame(message);
  return message;
}

/** Check that the moves of a position begin and end at its places.
    @type {(position: Position) => void} */
function checkPlaces({ moves, picture }) {
  const has = (/** @type {string} */ place) =>
    +place.slice(1) < (place[0] === "c" ? picture.columns : picture.piles).length;
  if (
    !picture.columns.length ||
    !moves.every(move => has(move.source) && [move.target, ...move.targets].every(has))
  )
    fail("position moves");
}

/** Check that nodes come after their parents and have greater numbers.
    @type {(nodes: TreeNode[]) => void} */
function checkParents(nodes) {
  for (const { node, parent } of nodes) {
    const isGood = node === 0 ? parent === null : Number.isInteger(parent) && Number(parent) < node;
    if (!isGood) fail("nodes parent");
  }
}

/** @type {(game: GameMessage | Renewed) => void} */
function checkGame({ nodes, position }) {
  checkParents(nodes);
  checkPlaces(position);
  const numbers = new Set(nodes.map(({ node }) => node));
  if (
    !numbers.has(0) ||
    !numbers.has(position.node) ||
    !nodes.every(({ node, parent }) => node === 0 || numbers.has(Number(parent)))
  )
    fail("game nodes");
}
