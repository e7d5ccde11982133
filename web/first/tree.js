/* The move tree of a game, as game/tree.py has it. Its numbers are those that Python gives when it takes
   the game over: both number positions in the order in which they are added. */

/** @import { Facts, Node } from "./types.d.ts" */

export class Tree {
  /** All positions by number. @type {Node[]} */
  nodes = [];

  /** @param {Facts} start */
  constructor(start) {
    /** The position shown. */
    this.here = this.add(null, start);
  }

  /** Add a position after `parent`. @type {(parent: Node | null, facts: Facts) => Node} */
  add(parent, facts) {
    /** @type {Node} */
    const node = {
      number: this.nodes.length,
      parent,
      children: [],
      last: null,
      ply: parent ? parent.ply + 1 : 0,
      ...facts,
    };
    parent?.children.push(node);
    this.nodes.push(node);
    return node;
  }

  /** The positions from the start to `node`. @type {(node: Node) => Node[]} */
  way(node) {
    return node.parent ? [...this.way(node.parent), node] : [node];
  }

  /** `node` and what follows it, parents first. @type {(node: Node) => Node[]} */
  below(node) {
    return [node, ...node.children.flatMap(child => this.below(child))];
  }

  /** The positions of the main line, from the start. */
  mainLine() {
    const line = [];
    for (let node = this.nodes[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** Make `node` the position shown; redo from those before then leads to it. @type {(node: Node) => void} */
  show(node) {
    this.here = node;
    for (const step of this.way(node)) if (step.parent) step.parent.last = step;
  }

  /** The position that redo leads to, or null. @type {(node: Node) => Node | null} */
  following(node) {
    return node.last || node.children[0] || null;
  }

  /** The positions on the way to `node` and those that redo leads to. @type {(node: Node) => Node[]} */
  line(node) {
    const line = this.way(node);
    for (let after = this.following(node); after; after = this.following(after)) line.push(after);
    return line;
  }

  /** Make the way to `node` the main line. @type {(node: Node) => void} */
  promote(node) {
    for (const step of this.way(node)) {
      const children = step.parent?.children || [];
      children.unshift(...children.splice(children.indexOf(step), 1));
    }
  }
}
