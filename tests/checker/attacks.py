"""Certificates spoilt in one place or two: what anybody might send."""

import gzip
import random
import re
from collections import Counter
from collections.abc import Callable

from tests.checker.certificates import refusal, text_of

NUMBERS = [0, -1, 1, 10**9, 10**30, "7", None, 1.5, True, [], {}]


NOTHING_TO_CHANGE = (KeyError, TypeError, AttributeError, ValueError)
"""What is raised where an earlier change of the header left nothing that a later one could change."""

VALUES = ["fewest moves", "at least", "exact score", "unwinnable"]


def leave_one_out(rng, text):
    text.lines.pop(rng.randrange(len(text.lines)))


def repeat_one(rng, text):
    text.lines.append(rng.choice(text.lines))


def change_card(rng, text):
    """One card becomes another, or two change places."""
    at = rng.randrange(len(text.lines))
    reason, _, position = text.lines[at].partition(": ")
    places = [i for i in range(len(position) - 1) if position[i + 1] in "CDHSBR" and position[i] != " "]
    if not places:
        return
    one, other = rng.choice(places), rng.choice(places)
    if rng.random() < 0.5:
        new = "".join(rng.choice(["A23456789TJQK", "CDHS"][i]) for i in range(2))
        position = position[:one] + new + position[one + 2 :]
    else:
        cards = position[one : one + 2], position[other : other + 2]
        position = position[:one] + cards[1] + position[one + 2 :]
        position = position[:other] + cards[0] + position[other + 2 :]
    text.lines[at] = f"{reason}: {position}"


def change_character(rng, text):
    at = rng.randrange(len(text.lines))
    line = text.lines[at]
    place = rng.randrange(len(line))
    text.lines[at] = line[:place] + rng.choice("A2KCDHS -:mu\xe9\0") + line[place + rng.randrange(2) :]


def change_reason(rng, text):
    """A reason of another position, or one that no position has."""
    at = rng.randrange(len(text.lines))
    others = [line.partition(": ")[0] for line in text.lines] + ["up AC", "up XB", "", "up", "moves 1", "won"]
    text.lines[at] = rng.choice(others) + ": " + text.lines[at].partition(": ")[2]


def force_a_top_card(rng, text):
    """The lemma where it does not hold: a card that cannot go up, or need not."""
    at = rng.randrange(len(text.lines))
    position = text.lines[at].partition(": ")[2]
    tops = [column[-2:] for column in position.split(" ")[1:]]
    if tops:
        number = text.lines[at].partition(" ")[0]
        before = number + " " if number.isdigit() else ""
        text.lines[at] = f"{before}up {rng.choice(tops)}: {position}"


def change_number(rng, text):
    """More or fewer moves for one position, or for all and the claim."""
    by = rng.choice([-1, 1, 1, 1, 2])
    chosen = {rng.randrange(len(text.lines))} if rng.random() < 0.7 else set(range(len(text.lines)))
    for at in chosen:
        number, _, rest = text.lines[at].partition(" ")
        if number.isdigit():
            text.lines[at] = f"{int(number) + by} {rest}"
    if len(chosen) > 1 or rng.random() < 0.2:
        text.header["value"] = max(0, text.header.get("value") or 0) + by


def change_claim(rng, text):
    """Another claim, with the line that it had or without one."""
    text.header["claim"] = rng.choice(VALUES)
    if rng.random() < 0.5:
        text.header.pop("line", None)


def change_header(rng, text):
    key = rng.choice([*text.header, "line", "value"])
    if rng.random() < 0.2:
        text.header.pop(key, None)
    else:
        others = [*NUMBERS, "fortress", "chessboard", "joker", "simple-simon", "CD", ["must go up"], ["x"]]
        text.header[key] = rng.choice(others)


def change_seed(rng, text):
    text.header["seed"] = rng.randrange(1000)


def reorder(rng, text):
    rng.shuffle(text.lines)


def reorder_columns(rng, text):
    at = rng.randrange(len(text.lines))
    reason, _, position = text.lines[at].partition(": ")
    first, *columns = position.split(" ")
    rng.shuffle(columns)
    text.lines[at] = f"{reason}: {' '.join([first, *columns])}"


def start_elsewhere(rng, text):
    text.header["start"] = rng.choice(text.lines).partition(": ")[2]


def wrong_count(rng, text):
    text.header["positions"] = len(text.lines) + rng.choice([-1, 1, 1000, 10**12, -(10**12)])


CHANGES: list[Callable] = [
    leave_one_out, repeat_one, change_card, change_character, change_reason, force_a_top_card, change_header,
    change_seed, reorder, reorder_columns, start_elsewhere, wrong_count,
]  # fmt: skip

CHANGES_OF_NUMBERS = [*CHANGES, change_number, change_number, change_claim]
"""Of certificates that count moves."""


def truncated(rng, content):
    return content[: rng.randrange(len(content))]


def flipped(rng, content):
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def doubled(rng, content):
    return content + content


def with_tail(rng, content):
    return content + b"end\n"


DAMAGES = [truncated, flipped, doubled, with_tail]
"""Of the packed bytes."""


def bomb(rng, content):
    """Some kilobytes that unpack to a line of ten megabytes."""
    header = gzip.decompress(content).partition(b"\n")[0]
    return gzip.compress(header + b"\n" + rng.choice([b"\0", b" ", b"A", b"1"]) * 10**7, 1)


def flood(rng, content):
    """Lines without number, as the header says."""
    header, first = gzip.decompress(content).split(b"\n")[:2]
    header = re.sub(rb'"(positions|clauses)": \d+', rb'"\1": 1000000000', header)
    lines = [b"%s %d" % (first, number) for number in range(rng.randrange(20_000))]
    return gzip.compress(b"\n".join([header, *lines]), 1)


EXPLOSIONS = [bomb, flood]


def spoilt(seed, text, changes=CHANGES):
    """A name of what was changed, and the changed copy; whether the count is mended is left to chance."""
    rng = random.Random(seed)
    copy, names = text.copy(), []
    for change in rng.choices(changes, k=rng.choice([1, 1, 1, 2])):
        if copy.lines:
            before = copy.copy()
            change(rng, copy)
            names += [change.__name__] if copy != before else []
            if change in (leave_one_out, repeat_one) and rng.random() < 0.8:
                copy.count()
    return "+".join(names), copy


def spoilt_in_numbers(seed, text):
    """The same of certificates that count moves."""
    return spoilt(seed, text, CHANGES_OF_NUMBERS)


def accepted(folder, texts, mutations, first, is_true, spoil=spoilt):
    """Spoil certificates, or damage their files; how many of each kind were accepted. Of those ``is_true``
    has to tell, by the header, that what they claim is so all the same."""
    counts = Counter()
    for number in range(first, first + mutations):
        names, content = sent(number, texts[number % len(texts)], spoil)
        if refusal(folder, content, raw=True) is None:
            counts[names] += 1
            assert is_true(text_of(content).header), (number, names)
    return counts


def sent(seed, text, spoil):
    """A name of what was changed, and the file."""
    rng = random.Random(seed)
    if rng.random() < 0.9:
        names, other = spoil(seed, text)
        return names, gzip.compress(other.content(), 1)
    damage = rng.choice(DAMAGES if rng.random() < 0.9 else EXPLOSIONS)
    return damage.__name__, damage(rng, gzip.compress(text.content(), 1))


NEVER = {"leave_one_out", "repeat_one", "wrong_count", "truncated", "doubled", "with_tail", "bomb", "flood"}
"""Changes after which nothing is proved any more, by themselves. Others may leave a proof: the same positions
in another order or with a reason that holds too, a header without its maker, the deal of another listed
position."""
