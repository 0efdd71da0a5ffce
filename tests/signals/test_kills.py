"""Writers that are killed: a signal stands wholly or not at all, and nothing stands twice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="a writer is killed in a fork"),
]


@pytest.mark.parametrize("work", ["append", "update", "promote", "absorb"])
def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(tmp_path, work):
    assert steps(tmp_path, work) > 10, "it was never killed"


def test_a_write_that_is_torn_costs_its_own_lines_alone(tmp_path):
    assert steps(tmp_path, "torn") == 1


def steps(folder, work):
    command = [sys.executable, "-m", "tests.signals.killing", str(folder), work]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
