"""`calmkb agents plugin`: the Claude Code plugin that ships with calmkb."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

import calmkb
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase


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


def state(kb: "KnowledgeBase") -> str:
    """Return whether Claude Code has it enabled."""
    from calmkb.kb.hooks.toggle import hook_state

    if hook_state(kb.environment).plugin:
        return "on: enabled in Claude Code"
    return "off; its folder, for `claude plugin marketplace add`: calmkb agents plugin path"


def plugin_dir() -> Path:
    """Return `calmkb/plugin` of an installed wheel, else `plugin` of the checkout."""
    package = Path(calmkb.__file__).resolve().parent
    for folder in (package / "plugin", package.parent / "plugin"):
        if (folder / ".claude-plugin" / "plugin.json").is_file():
            return folder
    raise CalmError(f"no plugin beside {package}; install calmkb again")
