"""The command line in a real repository, as a person uses it."""

from tests.cli.conftest import Said, cli, project

__all__ = ["Said", "cli", "project"]
