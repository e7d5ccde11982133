"""Number of available processors, and work in threads."""

import os
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


def count_processors() -> int:
    """The number of processors that this process may use."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def gathered(works: Sequence[Iterable[T]], stop: Callable[[], None]) -> Generator[T, None, None]:
    """Go through each of ``works`` in a thread of its own, and yield what they yield as it comes.

    ``stop`` is called to end them soon. What one of them raises is raised. Ctrl-C, where it is not handled
    otherwise, is raised after what is finished.
    """
    found: SimpleQueue[tuple[T] | BaseException | None] = SimpleQueue()

    def go_through(work: Iterable[T]) -> None:
        try:
            for item in work:
                found.put((item,))
        except BaseException as error:
            found.put(error)
        finally:
            found.put(None)

    threads: list[threading.Thread] = []
    interrupt = None
    try:
        for work in works:
            thread = threading.Thread(target=go_through, args=(work,))
            thread.start()
            threads.append(thread)  # one that could not be started cannot be joined
        running = len(threads)
        while running:
            try:
                item = found.get()
            except KeyboardInterrupt as error:
                interrupt = error
                stop()
                continue
            if item is None:
                running -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                yield item[0]
    finally:
        stop()
        for thread in threads:
            thread.join()
    if interrupt is not None:
        raise interrupt
