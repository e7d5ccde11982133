"""Advice of a player without sight of the hidden cards, as text and as JSON."""

import sys
from dataclasses import dataclass
from typing import Any

import click

from ..rules import Variant, View
from ..rules.formats.text import Deal, deal_keys
from ..rules.move_text import count_moves
from ..rules.views import state_of
from ..solver.core.processors import count_processors
from ..solver.player.advice import advice_object, chance_text, chances_object, moves_texts, reason_text
from ..solver.player.chances import CALIBRATION, calibration_name
from ..solver.player.player import Advice, Player, ThoughtInterrupted, advise, places_filled
from ..solver.player.trials import MOVES, PLAYERS, Trial, Trials
from .console import complain, say, stamped
from .main import UNDECIDED
from .options import on_signals
from .progress import ProgressLine
from .terminal import fit, table

_CHANCES = "Chances if you play on as advised, with their standard errors:"
_SHARES = (
    "Shares of the samples, which end by rule, with their standard errors:"  # where nothing was calibrated
)


@dataclass(frozen=True)
class Asked:
    """A request for advice on ``deal``; ``samples`` is the number of trials, None for none."""

    deal: Deal
    player: Player
    count: int
    samples: int | None
    as_json: bool

    @property
    def workers(self) -> int:
        """The number of threads: one per processor if time alone is limited, else one, for equal answers."""
        return count_processors() if self.player.visits is None else 1


def tell_advice(variant: Variant, view: View, asked: Asked) -> int:
    """Print the advice for ``view`` and return the exit status. Raises ValueError as `advise` does."""
    stopped = None
    try:
        with ProgressLine(asked.as_json) as line:
            advice = advise(view, asked.player, line.watch, asked.workers)
    except ThoughtInterrupted as error:
        advice = error.advice
        stopped = f"{sum(entry.visits for entry in advice):,} samples"
    tried: list[Trial] = []
    if asked.samples is not None and advice and not stopped:
        trials = Trials(view, [entry.moves for entry in advice[:MOVES]], asked.samples)
        _run(trials, asked.as_json)
        tried = trials.results() if trials.played else []
        if len(trials.played) < trials.samples:
            stopped = f"{len(trials.played):,} of {trials.samples:,} shuffles"
    if asked.as_json:
        click.echo(stamped(_object(variant, view, asked, advice, tried)))
    else:
        say(_text(variant, view, asked, advice, tried))
    if stopped is None:
        return 0
    complain(f"interrupted after {stopped}")
    return UNDECIDED


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


# --- Text ---------------------------------------------------------------------------------------------------


def _text(variant: Variant, view: View, asked: Asked, advice: list[Advice], tried: list[Trial]) -> str:
    state = state_of(view)
    unseen = len(view.unseen())
    cards = f"{unseen} card{'' if unseen == 1 else 's'} not seen"
    score = f"{places_filled(variant, state)} of {state.deck.places}"
    head = f"Score so far: {score}; {cards}\nPlayer: {asked.player.name}"
    if not advice:
        return f"{head}\nThere is no legal move."
    heads, rows = _trials_rows(variant, view, tried) if tried else _advice_rows(variant, view, advice)
    shown = rows[: asked.count]
    rest = len(advice) - len(shown)
    title = _title(view, asked.player, tried) if len(heads) > 1 else []
    lines = [*title, *table(heads, shown, margin="  ")]
    if rest:
        lines.append(f"  and {count_moves(rest)} more")
    if advice[0].reason is not None and not tried:  # the only entry
        lines.append(reason_text(advice[0].reason))
    return "\n".join([fit(head), *map(fit, lines), fit(variant.legend)])


def _title(view: View, player: Player, tried: list[Trial]) -> list[str]:
    if tried:
        games, by = len(tried[0].reached), PLAYERS[view.variant]
        by_whom = f"by the {by.kind} player of {by.visits} visits, with standard errors:"
        return [f"Each move played out in the same {games:,} shuffles {by_whom}"]
    if player.kind == "rule":
        return []
    return [_CHANCES if calibration_name(view) in CALIBRATION else _SHARES]


_Rows = tuple[list[str], list[list[str]]]
"""The heads of a table and its rows."""


def _advice_rows(variant: Variant, view: View, advice: list[Advice]) -> _Rows:
    rows = []
    for entry in advice:
        samples = [f"{entry.visits:,}"] if entry.tiers else []
        moves = "; ".join(moves_texts(variant, view, entry.moves))
        rows.append([moves, *map(chance_text, entry.tiers.values()), *samples])
    tiers = next((entry.tiers for entry in advice if entry.tiers), None)
    return ["moves"] if tiers is None else ["moves", *tiers, "samples"], rows


def _trials_rows(variant: Variant, view: View, tried: list[Trial]) -> _Rows:
    rows = []
    for trial in tried:
        behind = trial.behind(tried[0])
        apart = "" if behind is None or trial is tried[0] else f"{behind[0]:.2f} +-{behind[1]:.2f}"
        chances = map(chance_text, trial.tiers.values())
        rows.append(["; ".join(moves_texts(variant, view, trial.moves)), *chances, apart])
    return ["moves", *tried[0].tiers, "tiers behind"], rows


# --- JSON ---------------------------------------------------------------------------------------------------


def _object(
    variant: Variant, view: View, asked: Asked, advice: list[Advice], tried: list[Trial]
) -> dict[str, Any]:
    """The public JSON of the advice; moves with trials come first, in the order of their results."""
    score = places_filled(variant, state_of(view))
    of_moves = {trial.moves: trial for trial in tried}
    order = {moves: number for number, moves in enumerate(of_moves)}
    options = []
    for entry in sorted(advice, key=lambda entry: order.get(entry.moves, len(order))):
        option = advice_object(moves_texts(variant, view, entry.moves), entry)
        if entry.moves in of_moves:
            option["trial"] = _trial_object(of_moves[entry.moves], tried[0])
        options.append(option)
    return {
        **deal_keys(asked.deal),
        "player": asked.player.name,
        "unseen": len(view.unseen()),
        "score": score,
        "options": options,
    }


def _trial_object(trial: Trial, best: Trial) -> dict[str, Any]:
    behind = trial.behind(best)
    apart = None if behind is None else {"tiers": round(behind[0], 4), "error": round(behind[1], 4)}
    return {"samples": len(trial.reached), **chances_object(trial.tiers), "behind": apart}
