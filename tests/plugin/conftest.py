"""The plugin as a person meets it."""

from tests.cli.conftest import cli, project

__all__ = ["cli", "project"]
