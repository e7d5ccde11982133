"""An engine in this process, and what it sent."""

import threading

from tests import schemas
from tests.children import HANG

from winnable.engine.server import Engine


class Talk(Engine):
    """An engine whose messages are checked by the schema and kept in ``sent``."""

    def __init__(self):
        super().__init__(self._keep)
        self.sent, self.news, self._arrived = [], {}, threading.Condition()

    def _keep(self, message):
        schemas.check("message", message)
        with self._arrived:
            if message.get("method") == "info":
                self.news.setdefault(message["params"]["id"], []).append(message["params"])
            else:
                self.sent.append(message)
            self._arrived.notify_all()

    def answer(self, number):
        """The answer to the request of this id, which has to come."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: number in [each["id"] for each in self.sent], HANG)
        (found,) = [each for each in self.sent if each["id"] == number]
        return found

    def ask(self, method, number=1, **params):
        """The result of a request, or its error."""
        self.sent = [each for each in self.sent if each["id"] != number]
        self.handle({"id": number, "method": method, "params": params})
        answer = self.answer(number)
        if "result" in answer:
            schemas.check("request", {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get("result") or answer.get("error", {})
