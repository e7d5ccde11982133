/* Move list with variations. */

import { plain, pretty } from "./cards.js";
import { markStep, moveText } from "./looks.js";

export class Tree {
  /* `go(node)` is called for the move that a person clicks. */
  constructor(list, go) {
    Object.assign(this, { list, rows: new Map() });
    list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) go(+button.dataset.node);
    });
  }

  /* Draw the moves of a game; rows that are as before keep their elements, and stay in the list up to the first change. */
  draw(game) {
    this.before = this.rows;
    this.rows = new Map();
    const rows = [this.#row(game.root)], shown = this.list.children;
    this.#line(game.root, rows);
    let same = 0;
    while (same < rows.length && shown[same] === rows[same]) same++;
    while (shown.length > same) this.list.lastChild.remove();
    this.list.append(...rows.slice(same));
    markStep(this.list, this.rows.get(game.position.node)?.button);
  }

  /* All that follows a node: its first child, then the others as variations, then what follows the first. */
  #line(node, into) {
    for (; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      into.push(this.#row(first));
      for (const other of others) {
        const item = document.createElement("li"), inner = document.createElement("ol"), rows = [this.#row(other)];
        item.className = "variation";
        this.#line(other, rows);
        inner.append(...rows);
        item.append(inner);
        into.push(item);
      }
    }
  }

  #row(node) {
    const isBad = node.mark === "mistake";
    const mark = isBad ? '<span class="bad" role="img" aria-label="mistake">?</span>' : "";
    const end = node.over === "won" ? '<span class="good" role="img" aria-label="won">\u2713</span>' : "";
    const html = `<span class="n">${node.ply}</span> <span>${node.move ? pretty(moveText(node.move)) : "deal"}</span>${mark}${end}`;
    const title = node.move ? plain([node.does, ...node.effects, ...(isBad ? [node.loss] : [])].join("; ")) : "";
    const before = this.before.get(node.node);
    const row = before?.html === html && before.title === title ? before : { html, title, ...newRow(node.node, html, title, isBad) };
    this.rows.set(node.node, row);
    return row.item;
  }
}

function newRow(node, html, title, isBad) {
  const item = document.createElement("li"), button = document.createElement("button");
  Object.assign(button, { type: "button", innerHTML: html, title });
  button.dataset.node = node;
  button.classList.toggle("mistake", isBad);
  item.append(button);
  return { item, button };
}
