/* Move list with variations. */

import { inWords, plain, pretty } from "./cards.js";
import { markStep, showsFigures } from "./looks.js";

export class Tree {
  /* `go(node)` is called for the move that a person clicks. */
  constructor(list, go) {
    Object.assign(this, { list, buttons: new Map() });
    list.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) go(+button.dataset.node);
    });
  }

  draw(game) {
    this.buttons.clear();
    const rows = document.createDocumentFragment();
    rows.append(this.#row(game.root));
    this.#line(game.root, rows);
    this.list.replaceChildren(rows);
    markStep(this.list, this.buttons.get(game.position.node));
  }

  /* All that follows a node: its first child, then the others as variations, then what follows the first. */
  #line(node, into) {
    for (; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      into.append(this.#row(first));
      for (const other of others) {
        const item = document.createElement("li"), inner = document.createElement("ol");
        item.className = "variation";
        inner.append(this.#row(other));
        this.#line(other, inner);
        item.append(inner);
        into.append(item);
      }
    }
  }

  #row(node) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.dataset.node = node.node;
    const isBad = node.mark === "mistake";
    const mark = isBad ? '<span class="bad" role="img" aria-label="mistake">?</span>' : "";
    const end = node.over === "won" ? '<span class="good" role="img" aria-label="won">\u2713</span>' : "";
    button.innerHTML = `<span class="n">${node.ply}</span> <span>${node.move ? pretty(showsFigures() ? node.move : inWords(node.move)) : "deal"}</span>${mark}${end}`;
    if (isBad) button.classList.add("mistake");
    if (node.move) button.title = plain([node.does, ...node.effects, ...(isBad ? [node.loss] : [])].join("; "));
    this.buttons.set(node.node, button);
    item.append(button);
    return item;
  }
}
