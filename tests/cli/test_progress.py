"""A bar is for terminals, and for what takes its time."""

import sys

import pexpect
import pytest

from calmkb.cli.progress import progress

SLOW = """
import calmkb.cli.progress as module
module._PATIENCE_SECONDS = {patience}
with module.progress("Comparing") as watch:
    for done in range(5):
        watch(done + 1, 5)
print("done")
"""


def test_nothing_is_shown_where_there_is_no_terminal(capfd):
    with progress("Comparing") as watch:
        watch(1, 2)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("patience", "shown"), [(-1, True), (1_000, False)])
def test_a_terminal_sees_a_bar_only_where_patience_ends(patience, shown):
    child = pexpect.spawn(sys.executable, ["-c", SLOW.format(patience=patience)], encoding="utf-8")
    child.expect(pexpect.EOF)
    assert ("Comparing" in child.before) is shown
    assert "done" in child.before
