"""Commands and choices that are imported when they are needed: help and lists stay quick."""

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

import click

Table = Mapping[str, tuple[str, str, str]]
"""name: (module, attribute, what it does)."""


class LazyGroup(click.Group):
    """A group whose commands stand in a table, after any that were added as usual."""

    def __init__(self, *args: Any, table: Table, **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order people meet them."""
        return [*self.commands, *self.table]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or None."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        module, attribute, _ = self.table[cmd_name]
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, those in the table from the table."""
        rows = [(name, command.get_short_help_str(80)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows + [(name, row[2]) for name, row in self.table.items()])


class TableChoice(click.Choice[str]):
    """A choice among the names of a table, `module:NAME`, which is imported when it is needed."""

    def __init__(self, table: str) -> None:
        self.case_sensitive = True
        self._table = table

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # Click sets an attribute
        """The names, in the table's order."""
        module, _, attribute = self._table.partition(":")
        return tuple(getattr(import_module(module), attribute))
