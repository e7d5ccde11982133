"""Number of available processors, and running iterables in parallel threads."""

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
    """Iterate over each of ``works`` in a thread of its own, and yield their items as they come.

    ``stop`` must make the iterables end soon; it is called when the generator ends. An exception of one of
    them is raised. After Ctrl-C, if its handler raises KeyboardInterrupt, ``stop`` is called, the items that
    still come are yielded, and KeyboardInterrupt is raised.
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
            threads.append(thread)  # only after it started: other threads cannot be joined
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
