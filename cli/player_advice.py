"""Advice of a player without sight of the hidden cards, as text and as JSON."""

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ..rules import State, Variant, has_unknown
from ..rules.formats.text import Deal, deal_keys
from ..rules.tables import missing_cards
from ..solver import Limits
from ..solver.analysis.move_chances import ARRANGEMENTS, MoveChances, chances_after
from ..solver.core.processors import count_processors
from ..solver.player.advice import advice_object, chance_text, chances_object, moves_texts, reason_text
from ..solver.player.chances import CALIBRATION, calibration_name
from ..solver.player.player import Advice, Player, ThoughtInterrupted, advise, at_most, places_filled
from ..solver.player.trials import MOVES, PLAYERS, Trial, Trials
from ..solver.player.weights import has_network, network_of
from ..solver.table_result import MoveChance
from ..solver.unknown_cards import hint_table, solve_table
from .console import complain, say, stamped
from .main import UNDECIDED
from .options import on_signals
from .progress import ProgressLine
from .terminal import fit, table

if TYPE_CHECKING:
    from ..rules import answers

_CHANCES = "Chances if you follow this advice (+- standard error):"
_ESTIMATES = "This player's estimates if you follow this advice (+- standard error):"
_SHARES = "Shares of the samples, which end by rule (+- sampling error):"  # if not calibrated


@dataclass(frozen=True)
class Asked:
    """A request for advice on ``deal``. ``samples`` is the number of shuffles on which moves are tried; None
    means that they are not; ``is_for_all`` asks for the chance after each legal move. ``seconds`` is a limit
    on advice and answers about unknown cards together."""

    deal: Deal
    player: Player
    count: int
    samples: int | None
    as_json: bool
    seconds: float | None = None
    is_for_all: bool = False

    @property
    def workers(self) -> int:
        """The number of threads: one per processor if only time is limited, else one, so that answers are the
        same on every machine."""
        return count_processors() if self.player.visits is None else 1


def tell_advice(variant: Variant, seen: State, asked: Asked) -> int:
    """Print the advice for the table ``seen`` and return the exit status; no move is advised where it is lost
    for certain. Raises ValueError as `advise` does."""
    stopped = None
    player, ends = asked.player, None
    if asked.seconds is not None:
        seconds = min(asked.seconds, player.seconds or asked.seconds)
        player = replace(player, seconds=max(0.001, seconds))  # a player needs some
        ends = time.monotonic() + asked.seconds
    try:
        with ProgressLine(asked.as_json) as line:
            advice = advise(seen, player, line.watch, asked.workers)
    except ThoughtInterrupted as error:
        advice = error.advice
        stopped = f"{sum(entry.visits for entry in advice):,} samples"
    tried: list[Trial] = []
    if asked.samples is not None and advice and not stopped:
        trials = Trials(seen, [entry.moves for entry in advice[:MOVES]], asked.samples)
        _run(trials, asked.as_json)
        tried = trials.results() if trials.played else []
        if len(trials.played) < trials.samples:
            stopped = f"{len(trials.played):,} of {trials.samples:,} shuffles"
    legal: list[MoveChances] = []
    if asked.is_for_all and asked.samples is None and player.kind == "search" and not stopped:
        legal, count = _judge_all(variant, seen, player, asked.as_json)
        if len(legal) < count:
            stopped = f"{len(legal)} of {count} moves"
    asks_alone = asked.player.kind == "search" and asked.samples is None and not stopped
    found = None
    if has_unknown(asked.deal.state) and asks_alone:
        limits = None if ends is None else Limits(seconds=max(0.001, ends - time.monotonic()))
        try:
            with ProgressLine(asked.as_json) as line:
                found = solve_table(seen, limits=limits, watch=line.watch)
        except KeyboardInterrupt:
            stopped = f"{sum(entry.visits for entry in advice):,} samples"
    is_lost = found is not None and found.certain == "lost"
    if found is not None:
        advice = [at_most(entry, 0.0 if is_lost else found.share[1]) for entry in advice]
    if asked.as_json:
        answer = _object(variant, seen, asked, advice, tried)
        if found is not None:
            answer["table"] = found.to_dict()
        if legal:
            answer["legal"] = [_legal_object(variant, seen, each) for each in legal]
        click.echo(stamped({**deal_keys(asked.deal), **answer}))
    else:
        lines: list[str] = [] if found is None else found.sentences()
        head = "".join(f"\n{fit(line[0].upper() + line[1:])}" for line in lines)
        if is_lost:
            text = _head(variant, seen, asked)
        elif legal:
            text = _legal_text(variant, seen, asked, legal)
        else:
            text = _text(variant, seen, asked, advice, tried)
        say(text + head)
    if stopped is None:
        return UNDECIDED if found is not None and found.reason == "seconds" else 0
    complain(f"interrupted after {stopped}")
    return UNDECIDED


def tell_table(deal: Deal, seen: State, count: int | None, seconds: float | None, as_json: bool) -> int:
    """Print the moves of a table with few arrangements of its unknown cards, the best chance first, and
    return the exit status. If ``count`` is None, each move is printed; otherwise at most ``count``, and of
    moves that lead to the same position only one. ``seconds`` limits the searches of all moves together."""
    limits = None if seconds is None else Limits(seconds=seconds)
    with ProgressLine(as_json) as line:
        advice = hint_table(seen, limits, line.watch)
    status = UNDECIDED if advice.answer.reason == "seconds" else 0
    if as_json:
        click.echo(stamped({**deal_keys(deal), **advice.to_dict()}))
        return status
    rows = [
        [option.move, option.chance_text, _share_text(option)]
        for option in advice.options
        if count is None or not option.is_alike
    ]
    lines = [sentence[0].upper() + sentence[1:] for sentence in advice.answer.sentences()]
    if rows:
        heads = ["moves", "best chance after it", "winnable if all cards are seen"]
        lines += table(heads, rows[:count], margin="  ")
    else:
        lines.append("There is no legal move.")
    if count is not None and len(rows) > count:
        lines.append(_others(len(rows) - count))
    say("\n".join([*map(fit, lines), fit(deal.variant.legend)]))
    return status


def _share_text(option: MoveChance) -> str:
    undecided = f", {option.undecided:,} undecided" if option.undecided else ""
    return f"{option.won:,} of {option.tried:,}{undecided}"


def _run(trials: Trials, is_silent: bool) -> None:
    """Run the trials to the end or to Ctrl-C, with a progress bar on a terminal unless silent."""
    with on_signals(trials.stop):
        if is_silent or not sys.stderr.isatty():
            for _ in trials.run():
                pass
            return
        from tqdm import tqdm

        with tqdm(total=trials.samples, unit=" shuffles", leave=False) as bar:
            for count in trials.run():
                bar.update(count - bar.n)


def _judge_all(
    variant: Variant, seen: State, player: Player, is_silent: bool
) -> tuple[list[MoveChances], int]:
    """The chances after the legal moves of ``seen``, the best first, and the number of those moves, which is
    greater after Ctrl-C. The seconds of ``player`` are those of all searches together."""
    moves = variant.family.legal_moves(seen)
    if player.seconds is not None:
        player = replace(player, seconds=max(0.0001, player.seconds / ARRANGEMENTS / max(1, len(moves))))
    found: list[MoveChances] = []
    with suppress(KeyboardInterrupt), ProgressLine(is_silent) as line:
        for each in chances_after(seen, moves, player, line.watch):
            found.append(each)
    return sorted(found, key=lambda each: -each.worth), len(moves)


def player_text(player: Player) -> str:
    """Kind and budget of ``player`` in words: ``search, 2,500 simulations per decision``."""
    parts = [player.kind]
    if player.visits is not None:
        parts.append(f"{player.visits:,} simulation{'' if player.visits == 1 else 's'} per decision")
    if player.seconds is not None:
        parts.append(f"{player.seconds:g} seconds per decision")
    return ", ".join(parts)


# --- Text ---------------------------------------------------------------------------------------------------


def _head(variant: Variant, seen: State, asked: Asked) -> str:
    unseen = len(missing_cards(seen))
    cards = f"{unseen} unseen card{'' if unseen == 1 else 's'}"
    score = f"{places_filled(variant, seen)} of {seen.deck.places}"
    return fit(f"Score so far: {score}; {cards}\nPlayer: {player_text(asked.player)}")


def _text(variant: Variant, seen: State, asked: Asked, advice: list[Advice], tried: list[Trial]) -> str:
    head = _head(variant, seen, asked)
    if not advice:
        return f"{head}\nThere is no legal move."
    heads, rows = _trials_rows(variant, seen, tried) if tried else _advice_rows(variant, seen, advice)
    shown = rows[: asked.count]
    rest = len(advice) - len(shown)
    title = _title(seen, asked, tried) if len(heads) > 1 else []
    lines = [*title, *table(heads, shown, margin="  ")]
    if rest:
        lines.append(_others(rest))
    if advice[0].reason is not None and not tried:  # advice has this one entry
        reason = advice[0].reason
        is_certain = reason.startswith(("wins", "costs nothing"))
        lines.append(reason_text(reason) + ("" if is_certain else " --think estimates its chance."))
    return "\n".join([head, *map(fit, lines), fit(variant.legend)])


def _states_chances(seen: State) -> bool:
    """True if the player states chances: shares of its samples that were fitted to games, or that end in the
    estimate of a network."""
    return calibration_name(seen) in CALIBRATION or has_network(network_of(seen.variant, seen.choices))


def _legal_text(variant: Variant, seen: State, asked: Asked, legal: list[MoveChances]) -> str:
    rows = []
    for each in legal:
        texts = [f"{c.probability:4.0%}" if each.is_certain else chance_text(c) for c in each.tiers.values()]
        rows.append([*moves_texts(variant, seen, [each.move]), *texts])
    words = ", proved:" if all(each.is_certain for each in legal) else " (+- sampling error):"
    what = "Chance" if _states_chances(seen) else "Share of the samples won"
    title = f"{what} after each legal move, if you go on as the player advises{words}"
    lines = [title, *table(["move", *legal[0].tiers], rows, margin="  "), variant.legend]
    return "\n".join([_head(variant, seen, asked), *map(fit, lines)])


def _title(seen: State, asked: Asked, tried: list[Trial]) -> list[str]:
    if tried:
        games, by = len(tried[0].reached), PLAYERS[seen.variant]
        by_whom = f"by the {by.kind} player with {by.visits} simulations per decision (+- sampling error):"
        return [f"Each move played out in the same {games:,} shuffles {by_whom}"]
    if asked.player.kind == "rule":
        return []
    if has_unknown(asked.deal.state):
        return [_ESTIMATES]
    return [_CHANCES if _states_chances(seen) else _SHARES]


_Rows = tuple[list[str], list[list[str]]]
"""The heads of a table and its rows."""


def _advice_rows(variant: Variant, seen: State, advice: list[Advice]) -> _Rows:
    rows = []
    for entry in advice:
        samples = [f"{entry.visits:,}"] if entry.tiers else []
        moves = "; ".join(moves_texts(variant, seen, entry.moves))
        rows.append([moves, *map(chance_text, entry.tiers.values()), *samples])
    tiers = next((entry.tiers for entry in advice if entry.tiers), None)
    return ["moves"] if tiers is None else ["moves", *tiers, "samples"], rows


def _trials_rows(variant: Variant, seen: State, tried: list[Trial]) -> _Rows:
    rows = []
    for trial in tried:
        behind = trial.behind(tried[0])
        apart = "" if behind is None or trial is tried[0] else f"{behind[0]:.2f} +-{behind[1]:.2f}"
        chances = map(chance_text, trial.tiers.values())
        rows.append(["; ".join(moves_texts(variant, seen, trial.moves)), *chances, apart])
    return ["moves", *tried[0].tiers, "tiers behind"], rows


# --- JSON ---------------------------------------------------------------------------------------------------


def _object(
    variant: Variant, seen: State, asked: Asked, advice: list[Advice], tried: list[Trial]
) -> "answers.Advice":
    """The public JSON of the advice; moves with trials come first, in the order of their results."""
    score = places_filled(variant, seen)
    of_moves = {trial.moves: trial for trial in tried}
    order = {moves: number for number, moves in enumerate(of_moves)}
    options = []
    for entry in sorted(advice, key=lambda entry: order.get(entry.moves, len(order))):
        option = advice_object(moves_texts(variant, seen, entry.moves), entry)
        if entry.moves in of_moves:
            option["trial"] = _trial_object(of_moves[entry.moves], tried[0])
        options.append(option)
    return {
        "player": asked.player.name,
        "unseen": len(missing_cards(seen)),
        "score": score,
        "options": options,
    }


def _legal_object(variant: Variant, seen: State, each: MoveChances) -> "answers.LegalChance":
    """The public JSON of the chances after a legal move."""
    (move,) = moves_texts(variant, seen, [each.move])
    answer: answers.LegalChance = {"move": move, "certain": each.is_certain}
    answer.update(chances_object(each.tiers))
    return answer


def _trial_object(trial: Trial, best: Trial) -> Any:
    behind = trial.behind(best)
    apart = None if behind is None else {"tiers": round(behind[0], 4), "error": round(behind[1], 4)}
    return {"samples": len(trial.reached), **chances_object(trial.tiers), "behind": apart}


def _others(count: int) -> str:
    """The line for ``count`` moves that are not printed."""
    return f"  and {count} other move{'' if count == 1 else 's'}"
