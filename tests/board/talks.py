"""Conversations between a page and the server, without a network."""

import asyncio
import functools
import inspect

from winnable.board.socket_session import Settings, SocketSession
from winnable.rules import find_variant
from winnable.solver import Limits, solve

QUICK = Settings(Limits(seconds=1, megabytes=200))
HANG = 120  # seconds after which an awaited message is given up


def request(number, type, **params):
    """A request as a page sends it; an invalid type is sent as it is."""
    return {"id": number, "method": type, "params": params}


def plain(message):
    """A message of the server as an object with a type, and an id if it answers."""
    if "method" in message:
        return message["params"] | {"type": message["method"]}
    if "error" in message:
        kind = "refused" if message["error"]["code"] == -3 else "error"
        return {"type": kind, "why": message["error"]["message"], "id": message["id"]}
    return message["result"] | {"id": message["id"]}


class Talk:
    """The page's side of a conversation. ``told`` has all messages of the server in order, ``wire`` has them
    as sent."""

    def __init__(self, settings):
        self.told, self.wire = [], []
        self.numbers = 0
        self.talk = SocketSession(settings, self.hear)

    def hear(self, message):
        """Receive a message of the server."""
        self.wire.append(message)
        self.told.append(plain(message))

    async def ask(self, kind, **fields):
        """Send a message and return its answer; there must be exactly one."""
        self.numbers += 1
        before = len(self.told)
        await self.talk.handle(request(self.numbers, kind, **fields))
        (answer,) = [message for message in self.told[before:] if "id" in message]
        assert answer["id"] == self.numbers
        return answer

    async def open(self, game, **fields):
        """Open a game and return it."""
        answer = await self.ask("open", game=game, **fields)
        assert answer["type"] == "game", answer
        return answer

    async def until(self, condition):
        """Wait for the first true value of ``condition`` and return it."""
        for _ in range(HANG * 200):
            if found := condition():
                return found
            await asyncio.sleep(0.005)
        raise AssertionError("it did not come")

    async def judged(self, number):
        """Wait until the position ``number`` is judged and return it."""
        return await self.until(lambda: (node := self.node(number)) and node["judged"] and node)

    def node(self, number):
        """The position ``number`` as reported last."""
        return next(iter(reversed(self.all_of(number))), None)

    def all_of(self, number):
        """All reports of the position ``number``."""
        told = [message["nodes"] for message in self.told if message["type"] in ("nodes", "game")]
        return [node for nodes in told for node in nodes if node["node"] == number]

    def last(self, kind):
        """The last message of type ``kind``, or None."""
        return next((message for message in reversed(self.told) if message["type"] == kind), None)


def hold(test, settings=None, **fixtures):
    """Run ``test``, a coroutine function called with a `Talk` and ``fixtures``."""

    async def whole():
        talk = Talk(settings or Settings())
        talk.talk.begin()
        try:
            await test(talk, **fixtures)
        finally:
            await talk.talk.close()

    asyncio.run(whole())


def held(test=None, *, settings=None):
    """Decorator that makes a test function from a coroutine function called with a `Talk`, followed by
    fixtures."""
    if test is None:
        return functools.partial(held, settings=settings)
    run = functools.wraps(test)(functools.partial(hold, test, settings))
    _, *fixtures = inspect.signature(test).parameters.values()
    run.__signature__ = inspect.Signature(fixtures)
    return run


@functools.cache
def losing_move(name, seed):
    """Moves from the deal on, of which only the last one loses."""
    variant = find_variant(name)
    state, made = variant.deal(seed), []
    for winning in solve(variant, state, shorten=0).moves:
        for move in variant.family.legal_moves(state):
            if solve(variant, variant.family.apply(state, move), shorten=0).verdict == "unwinnable":
                return [*made, str(move)]
        made.append(str(winning))
        state = variant.family.apply(state, winning)
    raise AssertionError("nothing loses")
