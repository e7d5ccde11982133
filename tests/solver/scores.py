"""The most cards up of a lost deal, by brute force over the readable rules."""

from collections import deque

from winnable.solver import find_shortest, solve


def brute_score(family, start, most_states):
    """The most cards up, and the fewest moves to them, by the rules ``family`` from ``start``; None if there
    are more than ``most_states`` states."""
    known, frontier, best = {family.canonical(start)}, deque([(start, 0)]), (sum(start.foundations), 0)
    while frontier:
        state, moves = frontier.popleft()
        for move in family.legal_moves(state):
            child = family.apply(state, move)
            key = family.canonical(child)
            if key in known:
                continue
            known.add(key)
            if len(known) > most_states:
                return None
            frontier.append((child, moves + 1))
            if sum(child.foundations) > best[0]:
                best = sum(child.foundations), moves + 1
    return best


def compare(variant, states, most_states):
    """Compare scores of the lost among ``states``, and the fewest moves to them, with brute force; return the
    number compared."""
    count = 0
    for state in states:
        if solve(variant, state).verdict != "unwinnable":
            continue
        best = brute_score(variant.family, state, most_states)
        if best is None:
            continue
        count += 1
        result = find_shortest(variant, state, score=True)
        found = (result.score, result.score_bound, result.exact, len(result.moves), result.shortest)
        assert found == (best[0], best[0], True, best[1], True), str(state)
    return count
