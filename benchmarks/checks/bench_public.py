"""What `calmkb verify` tells of public repositories, and how much of it is right.

`run.py public PLACE`: PLACE is a folder with a work tree OWNER+NAME of each, or an address to
clone from, such as https://github.com. public.tsv lists the repositories with their commits: those
that rules were tuned on, those kept aside, and those fetched after the last change (`last`). Of
those that came later, `newer` led to one more change, made before `newest` was looked at; `first`
to `seventh`, and `ninth` to `twentyfourth`, led to changes before the next was looked at. One
person judged each finding against the repository, from `twentieth` on one who wrote no rule;
public_wrong.tsv has those that are wrong, and public_read.tsv, from `seventeenth` on, each finding
of the first look with its verdict. Of a set
that led to changes the figure of today is better than that of the first look, which
docs/figures.md has.
"""

import csv
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from calmkb.wings.proof.verbs.verify.audit import audit

_HERE = Path(__file__).parent
_Z = 1.96


def main() -> None:
    """Print a row for each set: repositories, references, findings, and how many are right."""
    place = sys.argv[2] if len(sys.argv) > 2 else ""
    if not place:
        print("needs PLACE, where the repositories are; left out")
        return
    wrong = {tuple(row) for row in rows("public_wrong.tsv")}
    counts: dict[str, Counter[str]] = {}
    for group, name, commit in rows("public.tsv"):
        with tempfile.TemporaryDirectory() as scratch:
            done = audit(work_tree(place, name, commit, Path(scratch)))
        told = [(name, one.path, str(one.line)) for one in done.findings]
        count = counts.setdefault(group, Counter())
        count.update(
            repositories=1, references=done.references, findings=len(told),
            wrong=sum(one in wrong for one in told), suggested=_suggested(done.findings),
        )  # fmt: skip
    print("| set | repositories | references | findings | right | suggestions |")
    print("|---|---|---|---|---|---|")
    for group, count in counts.items():
        right = count["findings"] - count["wrong"]
        shown = [group, *(count[key] for key in ("repositories", "references", "findings"))]
        print(f"| {' | '.join(map(str, shown))} | {right} {interval(right, count['findings'])} | "
              f"{count['suggested']} |")  # fmt: skip


def rows(name: str) -> list[list[str]]:
    """Return the rows of a list beside this file."""
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def work_tree(place: str, name: str, commit: str, scratch: Path) -> Path:
    """Return a work tree of the commit: the one that is there, or a clone."""
    there = Path(place) / name.replace("/", "+")
    if there.is_dir():
        return there
    made = scratch / "clone"
    subprocess.run(["git", "clone", "-q", "-n", f"{place}/{name}", made], check=True)
    subprocess.run(["git", "checkout", "-q", commit], cwd=made, check=True)
    return made


def _suggested(findings: "tuple[object, ...]") -> int:
    words = (getattr(one, "message", "") for one in findings)
    return sum(" is now `" in one or one.endswith("?") for one in words)


def interval(right: int, count: int) -> str:
    """Return Wilson's interval of 95 %."""
    if not count:
        return ""
    share, scale = right / count, 1 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / scale
    half = _Z * ((share * (1 - share) + _Z**2 / (4 * count)) / count) ** 0.5 / scale
    return f"({middle - half:.2f} to {middle + half:.2f})"
