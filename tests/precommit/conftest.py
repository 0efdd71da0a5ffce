"""A project at the command line."""

from tests.cli.conftest import cli, project

__all__ = ["cli", "project"]
