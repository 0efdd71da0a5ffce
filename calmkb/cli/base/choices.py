"""A question with lettered choices, as every review at the terminal asks it.

The keys, the help and how an error is shown are the same wherever one item after another is
reviewed.
"""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from calmkb.cli.base.layout import hanging
from calmkb.cli.base.progress import question
from calmkb.cli.base.text import visible
from calmkb.errors import CalmError

_HELP_WORDS = ("?", "h", "help", "")
_SCREEN = 20  # lines that a person sees without scrolling


class Quit(Exception):  # noqa: N818 - a choice, not an error
    """The person leaves the review; what was decided so far is kept."""


def _quit(_: str) -> bool:
    raise Quit


@dataclass(frozen=True, slots=True)
class Choice:
    """A word, whose first letter is its key, its help, and what it does.

    `act` takes the text after the key, described by `argument`, and returns whether the question
    is answered; where it is not, or on a CalmError, the person is asked again.
    """

    word: str
    help: str
    act: Callable[[str], bool]
    argument: str = ""


QUIT = Choice("quit", "quit: what was decided is kept, the rest is asked next time", _quit)


def choose(choices: Sequence[Choice]) -> None:
    """Ask until one of the choices has answered the question; raises Quit."""
    named = {name: one for one in choices for name in (one.word[0], one.word)}
    prompt = "/".join([*(one.word[0] for one in choices), "?"])
    while True:
        line: str = prompt_for(prompt, default="", show_default=False, prompt_suffix="> ")
        key, _, text = line.strip().partition(" ")
        choice = named.get(key.lower())
        if choice is None:
            if key.lower() not in _HELP_WORDS:
                click.echo(f"{visible(repr(key))} is not one of the choices")
            click.echo(help_text(choices))
            continue
        try:
            if choice.act(text.strip()):
                return
        except CalmError as error:
            click.echo(hanging(str(error)))


def prompt_for(text: str, **options: Any) -> Any:
    """Ask for a value as `click.prompt` does, with no line of progress over it."""
    with question():
        return click.prompt(text, **options)  # noqa: TID251 - the place that the rule points to


def confirm(text: str, **options: Any) -> bool:
    """Ask a yes-or-no question as `click.confirm` does, with no line of progress over it."""
    with question():
        return click.confirm(text, **options)  # noqa: TID251 - the place that the rule points to


def help_text(choices: Sequence[Choice]) -> str:
    """Return a line for each choice."""
    keys = [f"{one.word[0]} {one.argument}".rstrip() for one in choices]
    width = max(map(len, keys))
    rows = zip(keys, choices, strict=True)
    return "\n".join(hanging(f"  {key:{width}}  {one.help}", column=width + 4) for key, one in rows)


if TYPE_CHECKING:
    from calmkb.model.trust import TrustRequest


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
