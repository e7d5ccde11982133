"""``winnable describe``."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from ...rules import VARIANTS, Variant, deals
from ..arguments import VariantType
from ..console import say
from ..options import json_option
from ..terminal import fit, refilled


@click.command("describe")
@click.argument("variant", type=VariantType(), required=False)
@click.option("--dealer", is_flag=True, help="Print how a seed becomes a deal.")
@json_option
def command(variant: Variant | None, dealer: bool, as_json: bool) -> None:
    """Print the rules of VARIANT; without it, list all games.

    \b
    Examples:
      winnable describe
      winnable describe joker
      winnable describe --dealer
    """
    if dealer and variant is not None:
        raise click.UsageError("--dealer: expected no VARIANT, since all games share the dealer")
    if dealer:
        text = inspect.cleandoc(deals.__doc__ or "")
        say(json.dumps({"dealer": text}) if as_json else refilled(text), is_plain=True)
    elif variant is not None:
        say(json.dumps(_object(variant), indent=2) if as_json else _page(variant), is_plain=True)
    elif as_json:
        say(json.dumps([_object(each) for each in VARIANTS.values()], indent=2), is_plain=True)
    else:
        width = max(map(len, VARIANTS))
        lines = [fit(f"{each.name:<{width}}  {each.summary}") for each in VARIANTS.values()]
        say("\n".join(lines), is_plain=True)


def _page(variant: Variant) -> str:
    return f"{fit(f'{variant.name}: {variant.summary}')}\n\n{refilled(variant.description)}"


def _object(variant: Variant) -> dict[str, Any]:
    return {
        "game": variant.name,
        "summary": variant.summary,
        "cards": len(variant.deck().cards()),
        "sizes": list(variant.sizes),
        "scored": variant.scoring is not None,
        "rules": variant.description,
    }
