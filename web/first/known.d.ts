/* What `python -m web.build` tells the page of the games. */

import type { Hello } from "../../board/static/types.d.ts";

export const known: { hello: Omit<Hello, "type"> };
