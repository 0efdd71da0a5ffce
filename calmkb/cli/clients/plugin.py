"""`calmkb plugin`: the Claude Code plugin that ships with calmkb."""

from pathlib import Path

import click

import calmkb
from calmkb.errors import CalmError


@click.group()
def plugin() -> None:
    """Find the Claude Code plugin that ships with calmkb."""


@plugin.command()
def path() -> None:
    """Print the plugin's folder, for `claude plugin marketplace add`."""
    click.echo(plugin_dir())


@plugin.command()
def hooks() -> None:
    """Print the plugin's hooks.json, generated."""
    from calmkb.kb.hooks.toggle import plugin_hooks

    click.echo(plugin_hooks(), nl=False)


def plugin_dir() -> Path:
    """Return `calmkb/plugin` of an installed wheel, else `plugin` of the checkout."""
    package = Path(calmkb.__file__).resolve().parent
    for folder in (package / "plugin", package.parent / "plugin"):
        if (folder / ".claude-plugin" / "plugin.json").is_file():
            return folder
    raise CalmError(f"no plugin beside {package}; install calmkb again")
