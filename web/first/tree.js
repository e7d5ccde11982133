/* The move tree of a game, as board/tree.py has it. Its numbers are those that Python gives when it takes the game over:
   both number positions in the order in which they are added. */

export class Tree {
  /** `start` has what is known of the start. */
  constructor(start) {
    this.nodes = [];
    this.here = this.add(null, start);
  }

  /** Add a position after `parent`: with its move in `facts`. */
  add(parent, facts) {
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

  /** The positions from the start to `node`. */
  way(node) {
    return node.parent ? [...this.way(node.parent), node] : [node];
  }

  /** `node` and what follows it, parents first. */
  below(node) {
    return [node, ...node.children.flatMap(child => this.below(child))];
  }

  /** The positions of the main line, from the start. */
  mainLine() {
    const line = [this.nodes[0]];
    while (line.at(-1).children.length) line.push(line.at(-1).children[0]);
    return line;
  }

  /** Make `node` the position shown; redo from those before then leads to it. */
  show(node) {
    this.here = node;
    for (let each = node; each.parent; each = each.parent) each.parent.last = each;
  }

  /** The position that redo leads to, or null. */
  following(node) {
    return node.last || node.children[0] || null;
  }

  /** The positions on the way to `node` and those that redo leads to. */
  line(node) {
    const line = this.way(node);
    for (let after = this.following(node); after; after = this.following(after)) line.push(after);
    return line;
  }

  /** Make the way to `node` the main line. */
  promote(node) {
    for (const step of this.way(node).slice(1)) {
      const { children } = step.parent;
      children.unshift(...children.splice(children.indexOf(step), 1));
    }
  }
}
