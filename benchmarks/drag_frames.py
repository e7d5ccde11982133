"""How smooth a drag is: the times between frames while cards of Simon Jester follow the pointer.

    python -m benchmarks.drag_frames [--rounds 5]

104 cards lie on the table and a search runs beside, as it does when a person plays. A frame over 50
milliseconds can be felt. Tasks are what the page itself does in one go; frames also wait for other programs
of the machine. It needs the extra 'browser' and Chromium.
"""

import argparse
import statistics
import time
from typing import Any

from .boards import browsing, open_link, served, set_screen

MOVES = 150  # of the pointer in a drag, one every eight milliseconds
RECORD = """
window.frames = [];
window.tasks = [];
window.isDone = false;
new PerformanceObserver(list => {
  tasks.push(...list.getEntries().map(task => task.duration));
}).observe({ type: 'longtask' });
let before;
const frame = now => {
  if (before) frames.push(now - before);
  before = now;
  if (!window.isDone) requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""


def drag(browser: Any) -> tuple[list[float], list[float]]:
    """The times between frames, and of tasks over 50, in milliseconds, of a drag over the table and back."""
    place = """const box = document.querySelector('.card[data-spot="c0/7"]').getBoundingClientRect();
    return [box.left + 20, box.top + 10];"""
    x, y = browser.execute_script(place)

    def send(kind: str, x: float, y: float) -> None:
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    send("mousePressed", x, y)
    browser.execute_script(RECORD)
    for step in range(MOVES):
        send("mouseMoved", x + 4 * step, y - step % 100)
        time.sleep(0.008)
    send("mouseMoved", x, y)
    send("mouseReleased", x, y)
    frames, tasks = browser.execute_script("window.isDone = true; return [frames, tasks]")
    return frames, tasks


def main() -> None:
    """Print the frame times of some drags."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with served() as address, browsing() as browser:
        browser.get(address)
        set_screen(browser, 1280, 900, motion="no-preference")
        open_link(browser, address, "game=simon-jester&seed=1")
        drags = [drag(browser) for _ in range(rounds)]
    times = sorted(time for frames, _ in drags for time in frames)
    tasks = [time for _, tasks in drags for time in tasks]
    parts = [f"{name} {times[int(part * len(times))]:.1f}" for name, part in (("95 %", 0.95), ("99 %", 0.99))]
    print(f"{len(times)} frames of {rounds} drags, in milliseconds: median {statistics.median(times):.1f},")
    print(f"{', '.join(parts)}, longest {times[-1]:.1f}, over 50: {sum(time > 50 for time in times)}")
    print(f"Tasks of the page over 50: {len(tasks)}, longest {max(tasks, default=0):.0f}")


if __name__ == "__main__":
    main()
