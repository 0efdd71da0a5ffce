"""A shell completes commands, options and their choices."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def complete(project):
    """Return a function that has a real bash complete the last of these words."""

    def run(*words: str) -> list[str]:
        shown = " ".join(f"'{word}'" for word in words)
        script = (
            'eval "$(calmkb completion bash)"\n'
            f"COMP_WORDS=({shown}); COMP_CWORD={len(words) - 1}\n"
            '_calmkb_completion calmkb; printf "%s\\n" "${COMPREPLY[@]}"\n'
        )
        done = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=project, capture_output=True, text=True,
            check=True, env={**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"},
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout.split()

    return run


pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")


def test_commands_and_options_are_completed(complete):
    assert complete("calmkb", "ref") == ["reflect"]
    assert complete("calmkb", "memory", "re") == ["resolve", "retire", "report"]
    assert "--signals" in complete("calmkb", "reflect", "--")
    assert complete("calmkb", "export", "--target", "claude-") == [
        "claude-md",
        "claude-rules",
        "claude-memory",
    ]


@pytest.mark.parametrize(
    ("shell", "words"),
    [("zsh", "compdef _calmkb_completion calmkb"), ("fish", "complete --no-files")],
)  # fmt: skip
def test_zsh_and_fish_have_scripts_of_their_own(cli, shell, words):
    assert words in cli("completion", shell).out
