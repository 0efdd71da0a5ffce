"""Commands and choices that are imported when they are needed: help and lists stay quick."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

import click

Table = Mapping[str, tuple[str, str]]
"""name: (`module:ATTRIBUTE`, summary)."""


def load(place: str) -> Any:
    """Return what is called `module:ATTRIBUTE`, imported now."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


class LazyGroup(click.Group):
    """A group whose commands are listed in a table, after any that were added as usual."""

    def __init__(self, *args: Any, table: Table, **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return [*self.commands, *self.table]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or None."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        command: click.Command = load(self.table[cmd_name][0])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing those in the table."""
        rows = [(name, command.get_short_help_str(80)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(
                rows + [(name, summary) for name, (_, summary) in self.table.items()]
            )


class TableChoice(click.Choice[str]):
    """A choice among the names of a table, `module:NAME`, which is imported when needed."""

    def __init__(self, table: str) -> None:
        self.case_sensitive = True
        self._table = table

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # Click sets an attribute
        """The names, in the table's order."""
        return tuple(load(self._table))
