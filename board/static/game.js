/* Client copy of the game: its move tree and the position shown. */

export class Game {
  constructor(message) {
    const { saved, ...rest } = message;
    Object.assign(this, rest, { header: saved });
    this.byNumber = new Map();
    this.take(message.nodes);
    this.position = message.position;
  }

  /* Learn of new nodes, or of what changed in known ones. */
  take(nodes) {
    for (const node of nodes) {
      const known = this.byNumber.get(node.node);
      if (known) Object.assign(known, node);
      else this.byNumber.set(node.node, { ...node });
    }
    this.#link();
  }

  drop(numbers) {
    for (const number of numbers) this.byNumber.delete(number);
    this.#link();
  }

  /* Children in the order of their numbers, the main one first. */
  #link() {
    for (const node of this.byNumber.values()) node.children = [];
    for (const node of this.byNumber.values()) {
      const parent = this.byNumber.get(node.parent);
      if (parent) parent.children[node.main ? "unshift" : "push"](node);
    }
  }

  get root() { return this.byNumber.get(0); }
  get node() { return this.byNumber.get(this.position.node); }
  get isPlayed() { return this.mode !== "analysis"; }

  /* The nodes from the start to a node, both included. */
  pathTo(number) {
    const path = [];
    for (let node = this.byNumber.get(number); node; node = this.byNumber.get(node.parent)) path.unshift(node);
    return path;
  }

  /* The nodes of the main line, from the start. */
  get mainLine() {
    const line = [this.root];
    for (let node = this.root; (node = node.children.find(child => child.main));) line.push(node);
    return line;
  }

  /* The positions from the start through the shown one to the end of its line. */
  get line() {
    const line = this.pathTo(this.position.node);
    for (let node = line.at(-1); node && (node = node.children[0]);) line.push(node);
    return line;
  }

  /* The day of a deal of the day, whose numbers begin with it; null for other deals. */
  get day() {
    const [, year, month, day] = /^(20\d\d)([01]\d)([0-3]\d)\d{3}$/.exec(this.seed || "") || [];
    return year ? new Date(+year, month - 1, +day) : null;
  }

  /* What opens the game again, as the server reads it: the tree, parents before their children. */
  saved() {
    const nodes = [], places = new Map(), waiting = [this.root], helped = [], { seconds, turned_back } = this.position;
    while (waiting.length) {
      const node = waiting.pop();
      if (node.helped) helped.push(places.size);
      places.set(node.node, places.size);
      if (node !== this.root) nodes.push([places.get(node.parent), node.move, ...(node.turned ? [node.turned] : [])]);
      waiting.push(...[...node.children].reverse());
    }
    return { ...this.header, nodes, helped, seconds, turned_back, here: places.get(this.position.node) ?? 0 };
  }

  get mistakes() { return this.mainLine.filter(node => node.mark === "mistake"); }

  /* The last node before the first move that threw away what the shown position lacks; null if none did. */
  get lastGood() {
    const path = this.pathTo(this.position.node), first = path.find(node => node.mark === "mistake");
    return first ? this.byNumber.get(first.parent) : null;
  }
}
