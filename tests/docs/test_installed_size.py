"""The check of what is installed: what comes with a package that has no place here is named."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "installed_size.py"


def installed(site, name, *requires, size=10):
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    wanted = "".join(f"Requires-Dist: {line}\n" for line in requires)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{wanted}")
    (site / f"{name}.bin").write_bytes(b"\0" * size)
    (info / "RECORD").write_text(f"{name}.bin,,\n")


def checked(site):
    command = [sys.executable, str(SCRIPT)]
    env = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_framework_that_an_extra_brings_through_others_is_named(tmp_path):
    extra = "model[gpu]; extra == 'semantic'"
    installed(tmp_path, "calmkb", "base", extra, "never; python_version < '3'")
    installed(tmp_path, "base")
    installed(tmp_path, "model", "torch; extra == 'gpu'")
    installed(tmp_path, "torch")
    said = checked(tmp_path)
    assert (said.returncode, said.stderr) == (1, "torch is installed\n")
    assert "\n[semantic] 0 of 130 MB in 2 packages:" in said.stdout


def test_more_than_the_limit_fails_and_tells_by_how_much(tmp_path):
    installed(tmp_path, "calmkb", "large; extra == 'semantic'")
    installed(tmp_path, "large", size=140_000_000)
    said = checked(tmp_path)
    assert (said.returncode, said.stderr) == (1, "semantic is 10 MB over its limit\n")


def test_what_is_not_installed_is_not_counted_as_nothing(tmp_path):
    installed(tmp_path, "calmkb", "gone-for-good; extra == 'all'")
    assert "gone-for-good is not installed" in checked(tmp_path).stderr
