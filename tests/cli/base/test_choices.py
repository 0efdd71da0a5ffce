"""Choices come from the tables that hold the things chosen, and are imported late."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import calmkb
from calmkb.cli.base.lazy import TableChoice

TABLES = {
    ("check",): "calmkb.kb.checks.formats:FORMATS",
    ("export",): "calmkb.kb.export.plan:EXPORTERS",
    ("import",): "calmkb.kb.imports.history_import:SOURCES",
    ("private", "recent"): "calmkb.wings.private.verbs:OWNERS",
    ("search",): "calmkb.kb.search.search:KINDS",
}


def test_tables_are_asked_of_kb_alone():
    """A table is named by a string, which import-linter does not see."""
    sources = (file.read_text() for file in Path(calmkb.__file__).parent.glob("cli/**/*.py"))
    named = [name for text in sources for name in re.findall(r'TableChoice\("([^"]+)"', text)]
    assert len(named) >= len(TABLES)
    assert [name for name in named if not name.startswith("calmkb.kb.")] == []


@pytest.mark.parametrize(("words", "table"), TABLES.items(), ids=map(" ".join, TABLES))
def test_help_offers_every_name_of_the_table(words, table, cli):
    module, _, name = table.partition(":")
    said = "".join(cli(*words, "--help").out.split())  # long lines are broken at hyphens
    for choice in getattr(import_module(module), name):
        assert choice in said


def test_another_word_is_refused_with_the_names_there_are(cli):
    said = cli("export", "--target", "word")
    assert said.code == 1
    assert "'word' is not one of 'claude-md', 'claude-rules'" in said.err


def test_a_command_is_imported_without_its_table():
    program = (
        "import sys, calmkb.cli.export; sys.exit('calmkb.export.targets.table' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_choice_keeps_the_order_of_its_table():
    assert TableChoice("calmkb.wings.private.verbs:OWNERS").choices == ("project", "user", "both")
