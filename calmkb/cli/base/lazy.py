"""Commands and choices that are imported when they are needed: help and lists stay quick."""

from collections.abc import Mapping
from functools import cached_property
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Table = Mapping[str, tuple[str, str]]
"""name: (`module:ATTRIBUTE`, summary)."""


class LazyGroup(click.Group):
    """A group whose commands are listed in a table, after any that were added as usual.

    `renamed` has older names, and where their commands are now: they work, and are not listed.
    Nor is a command that the table gives no summary.
    """

    def __init__(
        self, *args: Any, table: Table, renamed: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.table = table
        self.renamed = renamed or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return [*self.commands, *(name for name, row in self.table.items() if row[1])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or None."""
        first, *rest = self.renamed.get(cmd_name, cmd_name).split(" --")[0].split(" ")
        if first not in self.table:
            return super().get_command(ctx, first)
        command: click.Command = resolve_name(self.table[first][0])
        for name in rest:
            assert isinstance(command, click.Group)  # noqa: S101 - as `renamed` says
            command = command.get_command(ctx, name) or command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; of a mistyped name, say which was meant: Click knows no table."""
        name = args[0]
        if command := self.get_command(ctx, name):
            now, *options = self.renamed.get(name, name).split(" --")
            return now, command, [*(f"--{one}" for one in options), *args[1:]]
        if not (name.startswith("-") or ctx.resilient_parsing):
            from difflib import get_close_matches  # only where something went wrong

            close = get_close_matches(name, [*self.list_commands(ctx), *self.renamed])
            meant = " or ".join(repr(self.renamed.get(one, one)) for one in close)
            hint = f" Did you mean {meant}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete the names without importing the commands."""
        from click.shell_completion import CompletionItem  # a shell asks for it, nobody else

        found = [CompletionItem(name, help=text) for name, text in self._rows()
                 if name.startswith(incomplete)]  # fmt: skip
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing those in the table."""
        with formatter.section("Commands"):
            formatter.write_dl(self._rows())

    def _rows(self) -> list[tuple[str, str]]:
        rows = [(name, one.get_short_help_str(80)) for name, one in self.commands.items()]
        return rows + [(name, summary) for name, (_, summary) in self.table.items() if summary]


class TableChoice(click.Choice[str]):
    """A choice among the names of a table, `module:NAME`, which is imported when needed."""

    def __init__(self, table: str) -> None:
        self.case_sensitive = True
        self._table = table

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # Click sets an attribute
        """The names, in the table's order."""
        return tuple(resolve_name(self._table))
