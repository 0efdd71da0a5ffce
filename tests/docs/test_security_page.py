"""Every promise of the security page names a test that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explanation/security.md").read_text("utf-8")
NAMED = set(re.findall(r"`(test_\w+)`", PAGE))
DEFINED = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
}


def test_the_page_names_tests_that_exist():
    assert sorted(NAMED - DEFINED) == []


def test_every_row_of_promises_names_one():
    tables = re.findall(r"^\| promise \| test \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(rows) > 40
    assert [row for row in rows if "`test_" not in row] == []
