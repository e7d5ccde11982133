"""Random messages for the board's socket: valid ones, and damaged ones."""

import copy
import json

from winnable.rules import VARIANTS, find_variant

ODD = [
    None, True, False, 0, -1, 1, 7, 2**31, 2**63, 1e308, 0.5, "", "x", "p0", "c99", "p-1", "7H", "??",
    "?? s-w", "\u0000", "\ud800", "<img src=x>", "9" * 400, [], [[]], [None], {}, {"type": "open"},
    {"node": -1}, "__proto__", "constructor", "analysis", "player", "table", ["7H 1-2"] * 5,
]  # fmt: skip
TABLE = "# game: joker\nExchange: turned\n<??> 7H\n: \nStock: 24\n"


def mangled(rng, message):
    """``message`` with some part of it, at any depth, removed, added or changed."""
    message = json.loads(json.dumps(message))
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = message
        while isinstance(place, (dict, list)) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = rng.choice(keys)
            if isinstance(place[key], (dict, list)) and place[key] and rng.random() < 0.7:
                place = place[key]
                continue
            change = rng.randrange(4)
            if change == 0:
                del place[key]
                break
            if change == 1 and isinstance(place, dict):
                key = rng.choice(("node", "nodes", "moves", "from", "method", "id", "x"))
            place[key] = copy.deepcopy(rng.choice(ODD))
            break
    return message


def mangled_text(rng, message):
    """A frame with a damaged ``message``, or with text that is not a message at all."""
    text = json.dumps(mangled(rng, message))
    kind = rng.randrange(12)
    if kind == 0:
        return text[: rng.randrange(len(text))]
    if kind == 1:
        return rng.choice(("", "{", "null", "[]", '"hello"', "NaN", "[" * 5000, text + text))
    return text


class Asking:
    """Random requests that a page may send next, given the server's latest messages."""

    def __init__(self, rng):
        self.rng = rng
        self.moves, self.nodes, self.saved = [], [0], {}

    def learn(self, message):
        """Remember what a message of the server allows next."""
        if message["type"] == "game":
            self.nodes, self.saved = [node["node"] for node in message["nodes"]], message["saved"]
            message = message["position"]
        if message["type"] == "position":
            self.moves = message["moves"]
        if message["type"] == "nodes":
            self.nodes += [node["node"] for node in message["nodes"]]

    def open(self, name=None):
        """A request to open a random game, with or without hidden cards."""
        rng, name = self.rng, name or self.rng.choice(list(VARIANTS))
        modes = ["analysis", "player"] if find_variant(name).hiding else ["analysis"]
        sources = [
            {"seed": rng.randrange(1000)}, {"seed": str(2**64 - 1)}, {"random": True}, {"start": True},
            {"text": str(find_variant(name).deal(3))}, {"text": TABLE}, {"game": rng.randrange(4)},
            {"link": f"#game={name}&seed=4&at=0"}, {"pysol": "12345"},
            {"saved": {**self.saved, "nodes": [], "here": 0}},
        ]  # fmt: skip
        return {"type": "open", "game": name, "mode": rng.choice(modes), "from": rng.choice(sources)}

    def message(self):
        """A random valid message, which may arrive too late to be accepted."""
        rng, node = self.rng, self.rng.choice(self.nodes)
        move = rng.choice(self.moves) if self.moves else {"text": "7H 1-2", "source": "c0", "target": "c1"}
        drop = {key: move[key] for key in ("source", "target")}
        makes, add = {"type": "move", "text": move["text"]}, {"type": "add", "node": node}
        saved = ("position", "moves", "deal", "game", "page")
        return rng.choice(
            [
                *[makes] * 8,
                {"type": "move", "count": move.get("count", 1), **drop},
                {"type": "move", "count": 0, "source": "c1", "target": "p3", "rank": "7", "suit": "S"},
                {"type": "move", "text": "?? s-w", "turned": rng.choice(("4D", None))},
                *({"type": kind} for kind in ("undo", "undo", "redo", "restart", "auto", "cancel", "ping")),
                *({"type": kind, "node": node} for kind in ("goto", "goto", "delete", "promote", "better")),
                {"type": "why", "node": node},
                add | {"moves": [move["text"]] * rng.randrange(3), "go": rng.random() < 0.5},
                *({"type": kind, "on": rng.random() < 0.7} for kind in ("hints", "think", "fair")),
                {"type": "line", "node": node, "goal": rng.choice(("tier", None))},
                {"type": "limits", "seconds": rng.choice((0.2, 1)), "megabytes": rng.choice((20, 60))},
                {"type": "finish"} if rng.random() < 0.2 else makes,
                {"type": "save", "what": rng.choice(saved), "form": rng.choice(("text", "json"))},
                {"type": "check", "game": rng.choice(list(VARIANTS)), "text": TABLE},
                self.open() if rng.random() < 0.3 else makes,
            ]
        )
