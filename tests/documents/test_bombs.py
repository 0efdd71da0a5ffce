"""Front matter made to exhaust the machine is one named problem, in a child with hard limits."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow
READ = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from calmkb.documents import parse
from calmkb.errors import RecordError
try:
    parse("---\\n" + {front} + "\\n---\\n\\n## Summary\\n\\nw\\n", "sessions/2026/11/03/x.md")
except RecordError as error:
    print(error)
"""
DEEP = {
    "brackets": "'x: ' + '[' * 100_000 + ']' * 100_000",
    "braces": "'x: ' + '{a: ' * 50_000 + '1' + '}' * 50_000",
    "brackets that never close": "'x: ' + '[' * 100_000",
    "a list of lists on one line": "'x:\\n' + '- ' * 100_000 + 'a'",
    "keys of keys": "'? ' * 100_000 + 'a'",
    "indentation": "'\\n'.join(' ' * n + f'k{n}:' for n in range(2_000))",
}


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_refused_within_a_gigabyte(name):
    done = subprocess.run(
        [sys.executable, "-c", READ.format(front=DEEP[name])],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "front matter is" in done.stdout


MANY = {
    "keys": "'\\n'.join(f'k{n}: 1' for n in range(700_000))",
    "items": "'files:\\n' + '- a\\n' * 2_000_000",
    "items in brackets": "'files: [' + 'a,' * 4_000_000 + ']'",
}


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
@pytest.mark.parametrize("name", MANY)
def test_millions_of_values_are_refused_within_a_gigabyte(name):
    done = subprocess.run(
        [sys.executable, "-c", READ.format(front=MANY[name])],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "more than 200,000 values" in done.stdout
