/* The worker of a page. */

import { serve } from "./work.js";

const take = serve(
  message => postMessage(message),
  async address => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.arrayBuffer();
  },
);

globalThis.onmessage = ({ data }) => take(data);
