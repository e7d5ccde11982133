"""Certificates of lower bounds: the clauses of `bound` that its cores follow from.

The clauses, and their premises, are those noted by the search for the bound; what no core needs is left out,
and the rest is renumbered, the given clauses first. docs/certificates.md lists the names of unknowns and the
format of the lines.
"""

cimport cython
from libc.stdint cimport int32_t, uint64_t

from ..core.kernel cimport INTERRUPTED, MEMORY, NODES, NOTHING, Kernel
from ..sat.propagation cimport Proof
from ..sat.proof cimport CORE, DERIVED, SUM
from .bound cimport ALWAYS, RAISED, Bound, Raise, free_bound, new_bound, raise_bound
from .classes cimport Layout, read_layout
from .common cimport KINDS, MAX_CARDS

from ...rules import check_family, simon as rules
from ...rules.cards import format_card

cdef enum:
    PATIENCE = 10000        # conflicts, with one deck: positions prove the rest

_CONDITIONS = ("", "single", "tally", "room", "order")
_EVENTS = ("first", "last")


@cython.final
cdef class ClauseProof(Kernel):
    """A lower bound and its proof, found within ``limits``. ``clauses`` counts the lines of the proof."""

    cdef Bound* bound
    cdef list lines
    cdef str text
    cdef readonly int lower_bound
    cdef uint64_t patience
    cdef uint64_t last          # conflicts until which the bound has to rise

    def __init__(self, limits):
        self.set_limits(limits)
        self.lines = []

    def __dealloc__(self):
        free_bound(self.bound)

    def __len__(self):
        return len(self.lines)

    def explore(self, state, plain, int enough):
        """Raise the bound till it is ``enough``, or cannot be raised, or, with one deck, not soon;
        false if it was interrupted or memory ran out."""
        cdef Layout layout
        cdef Raise outcome = RAISED
        check_family(state, rules)
        read_layout(&layout, state)
        free_bound(self.bound)
        self.lines = []
        texts = ["".join(map(format_card, column)) for column in state.columns if column]
        self.text = " ".join(sorted(texts))
        self.begin()
        self.bound = new_bound(&layout, self.max_bytes, True)
        if self.bound == NULL:
            self.reason = MEMORY
            return False
        self.patience = PATIENCE if state.deck.copies == 1 else <uint64_t>1 << 62
        with nogil:
            while outcome == RAISED and self.reason == NOTHING and self.bound.lower_bound < enough:
                self.last = self.bound.costs.sat.conflicts + self.patience
                outcome = raise_bound(self.bound, self)
        self.raise_error()
        if self.bound.costs.sat.refuted:
            raise RuntimeError("a deal that was said to be winnable is lost for the lower bound")
        self.lower_bound = self.bound.lower_bound
        if self.bound.costs.sat.full:
            self.reason = MEMORY
            return False
        if self.reason == INTERRUPTED:
            return False
        self.write_lines()
        return True

    cdef bint poll(self) noexcept nogil:
        if Kernel.poll(self) and self.bound.costs.sat.conflicts > self.last:
            self.reason = NODES
        return self.reason == NOTHING

    def start(self):
        """The position as text."""
        return self.text

    def lines_from(self, uint64_t number):
        """Line ``number`` and all after it, and the number that comes after them."""
        return "".join(self.lines[number:]).encode(), len(self.lines)

    # --- The lines ----------------------------------------------------------------------------------------

    cdef void write_lines(self) except *:
        """Make the lines of what the cores follow from."""
        notes, cores, names = self.read_notes()
        used = needed_by([number for number, _ in cores], notes)
        given = [number for number in used if notes[number][0] != DERIVED]
        derived = [number for number in used if notes[number][0] == DERIVED]
        anew = {number: i + 1 for i, number in enumerate([*given, *derived])}
        in_order = dict(cores)
        variables = {}

        def literals(clause):
            told = []
            for literal in clause:
                variable = variables.setdefault(literal >> 1, len(variables) + 1)
                told.append(f"{-variable if literal & 1 else variable} ")
            return "".join(told) + "0"

        steps = [f"{_CONDITIONS[notes[n][0]]} {literals(dict.fromkeys(notes[n][1]))}\n" for n in given]
        for number in derived:
            clause, hints = in_order.get(number, notes[number][1]), notes[number][2]
            told = " ".join([str(anew[hint]) for hint in hints])
            steps.append(f"{anew[number]} {literals(clause)} {told} 0\n")
        steps += [f"core {anew[number]}\n" for number, _ in cores]
        self.lines = [f"variable {names[variable]}\n" for variable in variables] + steps

    cdef tuple read_notes(self):
        """The notes of clauses by their numbers, each the kind, the literals and what it follows from; the
        cores in order, each the number of its clause and its literals; the names of variables."""
        cdef const Proof* proof = self.bound.costs.sat.proof
        cdef uint64_t at = 0
        cdef int32_t kind
        notes, cores, names = [()], [], self.names()
        while at < proof.written:
            kind = proof.note[at]
            literals, at = self.numbers_at(at + 1)
            hints, at = self.numbers_at(at)
            if kind == CORE:
                cores.append((hints[0], literals))
            elif kind == SUM:
                names[literals[0] >> 1] = "sum {} {} {} {}".format(*literals[1:])
            else:
                notes.append((kind, literals, hints))
        return notes, cores, names

    cdef tuple numbers_at(self, uint64_t at):
        """The numbers of a list in the notes, and where it ends."""
        cdef const int32_t* note = self.bound.costs.sat.proof.note
        cdef uint64_t i, end = at + 1 + note[at]
        return [note[i] for i in range(at + 1, end)], end

    cdef dict names(self):
        """Names of the bound's unknowns, by their variables."""
        cdef const Bound* bound = self.bound
        cdef int place, card, other, i
        cdef dict names = {}
        for card in range(KINDS):
            if bound.copies[card] != 2 or bound.straight[card] == ALWAYS:
                continue
            names[bound.under_first[card] >> 1] = f"leaves {format_card(card)}"
            names[bound.straight[card] >> 1] = f"ends {format_card(card)}"
        for place in range(bound.cards):
            names[bound.extra_move[place] >> 1] = f"wasteful {place}"
            if bound.attached[place]:
                names[bound.comes_back[place] >> 1] = f"back {place}"
            if not bound.has_stopovers:
                continue
            names[bound.second_extra[place] >> 1] = f"restless {place}"
            if bound.attached[place]:
                names[bound.stays[place] >> 1] = f"stays {place}"
            for i in range(bound.stopovers[place]):
                card = bound.goal[place][i]
                goal = f"card {card}" if card < MAX_CARDS else f"column {card - MAX_CARDS}"
                names[bound.stopover[place][i] >> 1] = f"visit {place} {goal}"
            for i in range(2 * bound.cards):
                if bound.before[place][i]:
                    names[bound.before[place][i]] = f"before {place} {_EVENTS[i & 1]} {i >> 1}"
            for other in range(bound.cards):
                if bound.sooner[place][other]:
                    names[bound.sooner[place][other]] = f"sooner {place} {other}"
        return names


def needed_by(numbers, notes):
    """The clauses that some follow from, and themselves, in the order of their numbers."""
    used = bytearray(len(notes))
    for number in numbers:
        used[number] = 1
    for number in range(len(notes) - 1, 0, -1):
        if used[number]:
            for hint in notes[number][2]:
                used[hint] = 1
    return [number for number in range(1, len(notes)) if used[number]]
