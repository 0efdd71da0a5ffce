"""A knowledge base with something of everything."""

from tests.improvements.conftest import capture, kept, store
from tests.memories.conftest import add, cli, project

__all__ = ["add", "capture", "cli", "kept", "project", "store"]
