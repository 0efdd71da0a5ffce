"""What was asked of calmkb, a table for each subject: each row names the tests that hold it.

Columns: number, demand, and `file::test` for each test, or `= ` and a sentence where it is answered
otherwise.
"""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = sorted(Path(__file__).parent.glob("*.tsv"))
ROWS = [(table.stem, *line.split("\t")) for table in TABLES
        for line in table.read_text(encoding="utf-8").splitlines()]  # fmt: skip
COUNTS = {
    "session-journal": 148, "session-journal-tasks": 13, "private-journal": 49, "signals": 222,
    "run-journal": 80, "beyond": 33, "engines": 12, "site-and-terminal": 68,
}  # fmt: skip


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of the tests in a file, none where it is gone."""
    path = ROOT / file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return frozenset(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))


def fault_of(held: str) -> str:
    """Return what is wrong with the last column of a row, or nothing."""
    if held.startswith("= "):
        return "" if held.endswith(".") else "the answer is no sentence"
    gone = [
        one
        for one in held.split()
        if one.rpartition("::")[2] not in names_in(one.partition("::")[0])
    ]
    return f"no such test: {', '.join(gone)}" if gone else "" if held else "no test"


def test_no_table_is_missing():
    assert {path.stem for path in TABLES} == set(COUNTS)
    assert len(ROWS) == sum(COUNTS.values()) == 557 + COUNTS["site-and-terminal"]


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_each_demand_has_a_test_that_exists(table):
    rows = [row[1:] for row in ROWS if row[0] == table.stem]
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert len(rows) == COUNTS[table.stem]
    assert [(n, said, fault) for n, said, held in rows if (fault := fault_of(held))] == []


@pytest.mark.parametrize(
    ("held", "fault"),
    [
        ("", "no test"),
        ("tests/demands/test_demands.py::test_of_nothing", "no such test: tests/"),
        ("tests/demands/gone.py::test_x", "no such test: tests/demands/gone.py::test_x"),
        ("= Because", "the answer is no sentence"),
        ("= By design.", ""),
        ("tests/demands/test_demands.py::test_a_row_without_its_test_is_a_fault", ""),
    ],
)
def test_a_row_without_its_test_is_a_fault(held, fault):
    assert fault_of(held).startswith(fault) and bool(fault_of(held)) == bool(fault)
