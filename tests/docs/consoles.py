"""Reads the console blocks of a page, runs them as a person would, and compares the answers."""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pexpect

PROMPT = "reflect> "
ANY = "…"


@dataclass(frozen=True)
class Step:
    """A command, what is typed at its prompts, and the lines that it is shown to print."""

    command: str
    typed: tuple[str, ...]
    shown: tuple[str, ...]


def steps(page: str) -> Iterator[Step]:
    """Yield the commands of all console blocks, in order."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.replace("\\\n", " ").split("\n")
            said = [line for line in lines[1:] if line.strip()]
            typed = [line.removeprefix(PROMPT) for line in said if line.startswith(PROMPT)]
            shown = [line for line in said if not line.startswith(PROMPT)]
            yield Step(lines[0], tuple(typed), tuple(shown))


@dataclass
class Person:
    """Somebody at a terminal, whose folder a command may change."""

    home: Path
    cwd: Path
    env: dict[str, str]

    def run(self, step: Step) -> list[str]:
        """Do a step and return what was printed, with what differs from day to day made alike."""
        left = self.home / "cwd"
        script = f"{step.command}\ncode=$?; pwd > {shlex.quote(str(left))}; exit $code"
        child = pexpect.spawn(
            "sh", ["-c", script], cwd=str(self.cwd), env=self.env, encoding="utf-8", timeout=60,
            dimensions=(200, 100), echo=False,
        )  # fmt: skip
        said = ""
        for line in step.typed:
            child.expect_exact(PROMPT)
            said += child.before
            child.sendline(line)
        child.expect(pexpect.EOF)
        said += child.before
        child.close()
        assert child.exitstatus == 0, f"{step.command}\n{said}"
        self.cwd = Path(left.read_text().strip())
        said = re.sub(r"(?:\r[^\n]*?\x1b\[K)+", "", said)  # progress, gone again
        plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
        return [alike(line, self.home) for line in plain.splitlines() if line.strip()]


def alike(line: str, home: Path = Path("/home/ada")) -> str:
    """Return `line` with ids, hashes, times, counts of tokens and the home made alike."""
    line = line.replace(str(home), "/home/ada").rstrip()
    line = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID", line)
    line = re.sub(r"sha256=[0-9a-f]+", "HASH", line)
    line = re.sub(r"\b[0-9a-f]{8}\b", "ID", line)
    line = re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?", "TIME", line)
    return re.sub(r"(~|about )\d+ tokens", "TOKENS", line)


def differences(step: Step, printed: list[str]) -> list[str]:
    """Return what is shown and was not printed, and, where nothing is left out, the reverse.

    The order is not compared: records of the same second have none.
    """
    patterns = [alike(line) for line in step.shown if line != ANY]
    left = list(printed)
    missing = []
    for pattern in patterns:
        regex = ".*".join(re.escape(part) for part in pattern.split(ANY))
        found = next((line for line in left if re.fullmatch(regex, line)), None)
        if found is None:
            missing.append(f"not printed: {pattern}")
        else:
            left.remove(found)
    extra = [] if ANY in step.shown else [f"not shown: {line}" for line in Counter(left)]
    return missing + extra


def environment(home: Path, programs: Path) -> dict[str, str]:
    """Return the environment of a person with this home and the programs of that folder."""
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    return {**os.environ, "HOME": str(home), "PATH": path, "COLUMNS": "100", "PAGER": "cat"}
