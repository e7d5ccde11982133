"""Conversations as a page has them, without a network: messages go in, answers and streams come out."""

import asyncio
import functools
import inspect

from winnable.board.socket_session import Settings, SocketSession
from winnable.rules import find_variant
from winnable.solver import Limits, solve

QUICK = Settings(Limits(seconds=1, megabytes=200))
HANG = 120  # seconds after which what is awaited will not come


def request(number, type, **params):
    """A request as a page sends it; that of an odd type stays odd."""
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
    """The side of the page. ``told`` are all messages of the server, in their order, ``wire`` as sent."""

    def __init__(self, settings):
        self.told, self.wire = [], []
        self.numbers = 0
        self.talk = SocketSession(settings, self.hear)

    def hear(self, message):
        """Take in a message of the server."""
        self.wire.append(message)
        self.told.append(plain(message))

    async def ask(self, kind, **fields):
        """The answer to a message, of which there must be one."""
        self.numbers += 1
        before = len(self.told)
        await self.talk.handle(request(self.numbers, kind, **fields))
        (answer,) = [message for message in self.told[before:] if "id" in message]
        assert answer["id"] == self.numbers
        return answer

    async def open(self, game, **fields):
        """The game that is opened."""
        answer = await self.ask("open", game=game, **fields)
        assert answer["type"] == "game", answer
        return answer

    async def until(self, condition):
        """The first true answer of ``condition``, which has to come."""
        for _ in range(HANG * 200):
            if found := condition():
                return found
            await asyncio.sleep(0.005)
        raise AssertionError("it did not come")

    async def judged(self, number):
        """The position of that number, once it is judged."""
        return await self.until(lambda: (node := self.node(number)) and node["judged"] and node)

    def node(self, number):
        """The position as it was told last."""
        return next(iter(reversed(self.all_of(number))), None)

    def all_of(self, number):
        """The position as it was told each time."""
        told = [message["nodes"] for message in self.told if message["type"] in ("nodes", "game")]
        return [node for nodes in told for node in nodes if node["node"] == number]

    def last(self, kind):
        """The last message of that type, or None."""
        return next((message for message in reversed(self.told) if message["type"] == kind), None)


def hold(test, settings=None, **fixtures):
    """Run ``test``, a coroutine that gets a `Talk` and ``fixtures``."""

    async def whole():
        talk = Talk(settings or Settings())
        talk.talk.begin()
        try:
            await test(talk, **fixtures)
        finally:
            await talk.talk.close()

    asyncio.run(whole())


def held(test=None, *, settings=None):
    """A test function of a coroutine that gets a `Talk` first, then fixtures."""
    if test is None:
        return functools.partial(held, settings=settings)
    run = functools.wraps(test)(functools.partial(hold, test, settings))
    _, *fixtures = inspect.signature(test).parameters.values()
    run.__signature__ = inspect.Signature(fixtures)
    return run


@functools.cache
def losing_move(name, seed):
    """Moves from the deal on, the last of which loses the win."""
    variant = find_variant(name)
    state, made = variant.deal(seed), []
    for winning in solve(variant, state, shorten=0).moves:
        for move in variant.family.legal_moves(state):
            if solve(variant, variant.family.apply(state, move), shorten=0).verdict == "unwinnable":
                return [*made, str(move)]
        made.append(str(winning))
        state = variant.family.apply(state, winning)
    raise AssertionError("nothing loses")
