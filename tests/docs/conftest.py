"""The command line, as the tests of the commands have it."""

from tests.cli.conftest import cli, project

__all__ = ["cli", "project"]
