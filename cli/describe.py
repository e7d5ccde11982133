"""``winnable describe``."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from ..rules import VARIANTS, Variant, deals
from .arguments import VariantType
from .options import json_option


@click.command("describe")
@click.argument("variant", type=VariantType(), required=False)
@click.option("--dealer", is_flag=True, help="Print how a seed becomes a deal.")
@json_option
def command(variant: Variant | None, dealer: bool, as_json: bool) -> None:
    """Print the rules of VARIANT; without it, all games in one line each.

    \b
    Examples:
      winnable describe
      winnable describe joker
      winnable describe --dealer
    """
    if dealer and variant is not None:
        raise click.UsageError("--dealer is the same for all games: leave VARIANT out")
    if dealer:
        text = inspect.cleandoc(deals.__doc__ or "")
        click.echo(json.dumps({"dealer": text}) if as_json else text)
    elif variant is not None:
        click.echo(json.dumps(_object(variant), indent=2) if as_json else _page(variant))
    elif as_json:
        click.echo(json.dumps([_object(each) for each in VARIANTS.values()], indent=2))
    else:
        width = max(map(len, VARIANTS))
        for each in VARIANTS.values():
            click.echo(f"{each.name:<{width}}  {each.summary}")


def _rules(variant: Variant) -> str:
    return inspect.cleandoc(variant.family.__doc__ or "")


def _page(variant: Variant) -> str:
    return f"{variant.name}: {variant.summary}\n\n{_rules(variant)}"


def _object(variant: Variant) -> dict[str, Any]:
    return {
        "variant": variant.name,
        "summary": variant.summary,
        "cards": len(variant.deck().cards()),
        "sizes": list(variant.sizes),
        "scored": variant.scoring is not None,
        "rules": _rules(variant),
    }
