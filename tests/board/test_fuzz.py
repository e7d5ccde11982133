"""Random messages over the socket: valid and damaged ones, in any order, in games of all kinds.

WINNABLE_SEED=N makes other messages, WINNABLE_MESSAGES=N sets their number in the slow test.
"""

import json
import os
import random

import pytest
from tests.board.mangling import Asking, mangled, mangled_text
from tests.board.served import Served
from tests.board.talks import request
from tests.compiled import needs_kernels

from winnable.rules import VARIANTS

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")
pytest.importorskip("websockets", reason="the extra 'board' is not installed")
pytestmark = needs_kernels

SEED = int(os.environ.get("WINNABLE_SEED", "1"))
MOST = int(os.environ.get("WINNABLE_MESSAGES", "2000"))
FIELDS = {
    "chances": "node state samples seconds advice text", "marks": "node done marks", "refused": "why",
    "analysis": "node state verdict text length score states seconds", "error": "why",
    "fair": "node state part lines steps", "position": "node picture moves over undo redo auto link",
}  # fmt: skip


@pytest.mark.parametrize(
    "messages", [pytest.param(200, marks=pytest.mark.full), pytest.param(MOST, marks=pytest.mark.slow)]
)
def test_no_message_ends_the_board(messages):
    """Each message with an id gets exactly one answer, streamed messages are valid, and the board reports no
    failure of its own."""
    served = Served("--max-seconds", 1, "--max-memory", 60).enter()
    rng, sent, kinds = random.Random(SEED), 0, set()
    games = [(name, "analysis") for name in VARIANTS]
    games += [(name, "player") for name, variant in VARIANTS.items() if variant.hiding]
    while sent < messages:
        for name, mode in games:
            with served.open_socket() as page:
                talk = Talk(page, rng)
                talk.send({"type": "open", "game": name, "mode": mode, "from": {"seed": rng.randrange(99)}})
                talk.receive()
                for size in (1, 1, 1, 10, messages // 100):
                    for _ in range(size):
                        talk.send_by_chance()
                    talk.receive()
                sent += talk.sent
                kinds |= talk.kinds
        assert served.still_answers()
    assert kinds >= {"position", "refused", "error", "done", "saved", "line", "nodes"}
    _, err = served.child.interrupt()
    assert "Traceback" not in err
    assert "failed" not in err


class Talk:
    """A page that sends random messages."""

    def __init__(self, page, rng):
        self.page, self.rng, self.asking = page, rng, Asking(rng)
        self.sent, self.kinds, self.waiting = 0, set(), set()

    def send(self, message):
        """Send a message that requires an answer."""
        self.sent += 1
        self.waiting.add(self.sent)
        self.page.connection.send(json.dumps(request(self.sent, **message)))

    def send_by_chance(self):
        """Send a valid message, or a damaged one."""
        message, kind = self.asking.message(), self.rng.randrange(4)
        if kind < 2:
            self.send(message)
        elif kind == 2:
            found = mangled(self.rng, message)
            self.send({"type": "x"} | (found if isinstance(found, dict) else {}))
        else:
            self.sent += 1
            self.page.connection.send(mangled_text(self.rng, request(self.sent, **message)))

    def receive(self):
        """Read until every request is answered exactly once."""
        while self.waiting:
            message = self.page.receive()
            self.kinds.add(message["type"])
            assert set(FIELDS.get(message["type"], "").split()) <= set(message), message
            if type(message.get("id")) is int and message["id"] <= self.sent:
                self.waiting.discard(message["id"])
            self.asking.learn(message)
