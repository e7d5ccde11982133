"""Conversations as a page has them, without a network: messages go in, answers and streams come out."""

import asyncio

from winnable.board.socket_session import Settings, SocketSession

HANG = 120  # seconds after which what is awaited will not come


class Talk:
    """The side of the page. ``told`` are all messages of the server, in their order."""

    def __init__(self, settings):
        self.told = []
        self.numbers = 0
        self.talk = SocketSession(settings, self.told.append)

    async def ask(self, kind, **fields):
        """The answer to a message, of which there must be one."""
        self.numbers += 1
        before = len(self.told)
        await self.talk.handle({"type": kind, "id": self.numbers, **fields})
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


def hold(test, *args, settings=None):
    """Run ``test``, a coroutine that gets a `Talk` and ``args``."""

    async def whole():
        talk = Talk(settings or Settings())
        talk.talk.begin()
        try:
            await test(talk, *args)
        finally:
            await talk.talk.close()

    asyncio.run(whole())
