"""A request for approval, shown to the person at the terminal."""

import textwrap
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm
from calmkb.cli.base.text import visible

if TYPE_CHECKING:
    from calmkb.model.trust import TrustRequest

_SCREEN = 20
"""Lines that a person sees without scrolling."""


def ask(request: "TrustRequest") -> bool:
    """Show a request and return the person's answer; no answer is no."""
    click.echo(described(request), err=True)
    if (lines := request.content.count("\n") + 1) > _SCREEN:
        click.echo(f"That was {lines:,} lines; scroll up and read them all first.", err=True)
    return confirm("Allow this on this machine?", default=False, err=True)


def described(request: "TrustRequest") -> str:
    """Return a request as text: its subject, hash, reason and content."""
    head = click.style(visible(f"{request.subject}  {request.sha256[:12]}"), bold=True)
    content = textwrap.indent(visible(request.content), "  | ", lambda line: True)
    return f"{head}\n  {visible(request.reason)}\n{content}"
