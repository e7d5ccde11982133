/* Elements of a page. */

/** The first element in `box` that matches. Throws an error if there is none.
    @template {string} Selector
    @param {ParentNode} box
    @param {Selector} selector
    @returns {Selector extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Selector] : HTMLElement} */
export function find(box, selector) {
  const found = box.querySelector(selector);
  if (!found) throw new Error(`${selector}: no such element`);
  return /** @type {any} */ (found);
}

/** The nearest element at or around the target of an event that matches; null if there is none.
    @type {(event: Event, selector: string) => HTMLElement | null} */
export const closest = ({ target }, selector) =>
  target instanceof Element ? target.closest(selector) : null;

/** The `data-` attributes of that element; none if there is no such element.
    @type {(event: Event, selector: string) => DOMStringMap} */
export const dataOf = (event, selector) => closest(event, selector)?.dataset ?? {};

/** True if the target of an event matches.
    @type {(event: Event, selector: string) => boolean} */
export const matches = ({ target }, selector) => target instanceof Element && target.matches(selector);
