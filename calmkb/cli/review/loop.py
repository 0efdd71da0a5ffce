"""Asks about one item after another, until the person is done or leaves."""

from collections.abc import Sequence

import click

from calmkb.cli.base.choices import prompt_for
from calmkb.cli.base.layout import columns, hanging, print_paged
from calmkb.cli.base.progress import question
from calmkb.cli.base.text import visible
from calmkb.cli.review.items import Kind, Verb
from calmkb.cli.review.keys import Command, help_text, key_line, parse, with_common
from calmkb.cli.review.screen import block, card, row, tally
from calmkb.errors import CalmError


def review(kind: Kind, *, ask_how: bool = False, held: str = "") -> bool:
    """Return True where the person is done, False where they left.

    With `ask_how` they are first asked how to go through the items. `held` is what is not asked
    about, which a key shows.
    """
    return _Loop(kind, held).run(ask_how=ask_how)


def rows(kind: Kind, *, full: bool = False) -> str:
    """Return all items, a line each or with all of their evidence, under what groups them."""
    lines, group = [], ""
    for number, item in enumerate(kind.items, 1):
        if item.group != group:
            lines += ["", click.style(visible(item.group), bold=True)]
        group = item.group
        lines.append((block if full else row)(item, number, kind.state(number)))
    return "\n".join(lines).strip("\n")


class _Loop:
    """Where a review is: the item that is shown, 0 at the end, and those skipped in this pass."""

    def __init__(self, kind: Kind, held: str) -> None:
        self.kind, self.held = kind, held
        own: dict[Verb, str] = {"held": "show what is held back, with the reasons"} if held else {}
        self.verbs = with_common({**own, **kind.verbs})
        self.skipped: set[int] = set()
        self.at = 0
        self.group = ""

    def run(self, *, ask_how: bool) -> bool:
        self._begin(ask_how=ask_how)
        while True:
            try:
                command = parse(self._line(), len(self.kind.items), self.verbs)
                if command.verb == "quit":
                    return False
                if command.verb == "done" or (command.verb == "nothing" and not self.at):
                    return True
                self._do(command)
            except CalmError as error:
                click.echo(hanging(str(error)))

    def _begin(self, *, ask_how: bool) -> None:
        numbers = range(1, len(self.kind.items) + 1)
        if decided := [number for number in numbers if self.kind.state(number) != "open"]:
            # An agent may have prepared them: a person sees what they confirm.
            for number in decided:
                self._card(number, full=False)
            click.echo(f"\nDecided before, and not yet written: {self._tally()}.")
        if ask_how:
            what = f"{len(self.kind.items)} {self.kind.noun}s wait"
            click.echo(f"{what}. Enter asks one by one, l lists them first, none dismisses all.")
            self.at = -1
        else:
            self._next()

    def _line(self) -> str:
        if self.at > 0:
            click.echo(click.style(key_line(self.verbs, columns()), dim=True))
        line: str = prompt_for(self.kind.prompt, default="", show_default=False, prompt_suffix="> ")
        return line

    def _do(self, command: Command) -> None:
        match command.verb:
            case "nothing":
                self._next()
            case "help":
                click.echo(help_text(self.verbs))
            case "list" | "held":
                with question():
                    print_paged(rows(self.kind) if command.verb == "list" else self.held)
            case "go":
                self._show(command.numbers[0])
            case "view":
                for number in command.numbers or self._here():
                    self._card(number, full=True)
            case "undo":
                self._undo()
            case "skip":
                self._skip(command.numbers or self._here())
            case "all" | "none":
                refusal: Verb = "reject" if "reject" in self.verbs else "dismiss"
                self._decide("accept" if command.verb == "all" else refusal, self._open(), "")
            case _:
                self._decide(command.verb, command.numbers or self._here(), command.text)

    def _decide(self, verb: Verb | str, numbers: Sequence[int], text: str) -> None:
        if not numbers:
            raise CalmError("nothing is open")
        message = self.kind.decide(verb, numbers, text)  # type: ignore[arg-type]
        self.skipped -= set(numbers)
        click.echo("\n".join(filter(None, [visible(message), self._tally()])))
        if verb != "edit" or self.kind.state(numbers[0]) != "open":
            self._next()

    def _skip(self, numbers: Sequence[int]) -> None:
        if any(self.kind.state(number) != "open" for number in numbers):
            self.kind.decide("skip", numbers, "")
        self.skipped |= set(numbers)
        self._next()

    def _undo(self) -> None:
        numbers, message = self.kind.undo()
        self.skipped -= set(numbers)
        click.echo(f"{visible(message)}\n{self._tally()}")
        if numbers:
            self._show(numbers[0])
        else:  # what is written at once stays
            self._next()

    def _next(self) -> None:
        """Show the next open item after this one, then those before it, else the end."""
        count = len(self.kind.items)
        order = [(max(self.at, 0) + step) % count + 1 for step in range(count)] if count else []
        waiting = (n for n in order if n not in self.skipped and self.kind.state(n) == "open")
        number = next(waiting, 0)
        if number:
            self._show(number)
        else:
            self._end()

    def _end(self) -> None:
        self.at = 0
        open_ = len(self._open())
        left = f"{open_} left for another time. " if open_ else ""
        click.echo(f"\n{left}Enter finishes, u takes the last decision back, l lists all.")

    def _show(self, number: int) -> None:
        self.at = number
        group = self.kind.items[number - 1].group
        click.echo("" if group == self.group else f"\n{click.style(visible(group), bold=True)}")
        self.group = group
        self._card(number, full=False)

    def _card(self, number: int, *, full: bool) -> None:
        item, count = self.kind.items[number - 1], len(self.kind.items)
        click.echo(card(item, number, count, self.kind.state(number), full=full))

    def _here(self) -> tuple[int, ...]:
        if self.at < 1:
            raise CalmError("which? Give its number, as in: a 1; l lists them")
        return (self.at,)

    def _open(self) -> list[int]:
        numbers = range(1, len(self.kind.items) + 1)
        return [number for number in numbers if self.kind.state(number) == "open"]

    def _tally(self) -> str:
        return tally([self.kind.state(number) for number in range(1, len(self.kind.items) + 1)])
