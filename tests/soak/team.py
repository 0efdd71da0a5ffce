"""Four machines of a team on skewed clocks, each with a person who uses git beside calmkb."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.sharing.verbs.sync import sync_kb
from tests.soak.places import Place

DAYS = (-400.0, 0.0, 90 / 86_400, 3.0)
"""How far the clocks are off, in days."""
_PERSON = """
n=0
while [ ! -e ../stop ]; do
    [ -d .git/rebase-merge ] && git rebase --abort
    n=$((n + 1)); echo $n > mine/{name}-$n.txt; git add mine
    case $((n % 8)) in
        0) git stash -q; git stash pop -q;;
        1|2) git commit -qam "user $n";;
        3) git commit -qm "user $n" -- mine/{name}-$n.txt;;
        4) git commit -qm "user $n"
           git rebase -q --force-rebase @{upstream} || git rebase --abort;;
        5) git commit -qm "user $n"; git pull -q --rebase && git push -q || git rebase --abort;;
        6) git checkout -qb side-$n && git commit -qm "user $n" && git checkout -q main \\
               && git merge -q --no-edit side-$n; git checkout -q main;;
        7) git commit -qm "user $n"; git commit -q --amend --no-edit;;
    esac
    sleep 0.1
done >/dev/null 2>&1
"""


@dataclass
class TeamOutcome:
    """What the team did, and what was wrong in the end."""

    acknowledged: int = 0
    refused: int = 0
    commits_of_people: int = 0
    faults: list[str] = field(default_factory=list)


def run_team(seconds: float, seed: int) -> TeamOutcome:
    """Let the team work for so many seconds, bring all clones together, and compare."""
    base = Path(tempfile.mkdtemp(prefix="calmkb-soak-team-"))
    place = _team(base)
    people = [_person(place, number) for number in range(len(DAYS))]
    actors = [_actor(place, number, seed, seconds) for number in range(len(DAYS))]
    said = [actor.communicate(timeout=seconds + 300) for actor in actors]
    (base / "stop").touch()
    for person in people:
        person.wait(120)
    outcome = TeamOutcome(faults=[errors for (_, errors), actor in zip(said, actors, strict=True)
                                  if actor.returncode])  # fmt: skip
    ids = [line for output, _ in said for line in output.split()]
    outcome.acknowledged = len(ids)
    outcome.refused = sum(errors.count("refused ") for _, errors in said)
    _bring_together(place)
    _compare(place, ids, outcome)
    return outcome


def _team(base: Path) -> Place:
    place = Place(base)
    (base / "home").mkdir()
    (base / "home/.gitconfig").write_text(
        "[user]\n\tname = Ada Reviewer\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
        "[pull]\n\trebase = true\n[advice]\n\tdetachedHead = false\n"
    )
    place.git("init", "-q", "--bare", "-b", "main", "team.git", at=".")
    place.git("clone", "-q", "team.git", "0", at=".")
    (base / "0/calmkb.toml").write_text('project = "shop"\n')
    (base / "0/mine").mkdir()
    (base / "0/mine/first.txt").write_text("0\n")
    place.git("add", "-A", at="0")
    place.git("commit", "-qm", "begin", at="0")
    place.git("commit", "-qm", "second", "--allow-empty", at="0")
    place.git("push", "-q", at="0")
    for number in range(1, len(DAYS)):
        place.git("clone", "-q", "team.git", str(number), at=".")
    return place


def _person(place: Place, number: int) -> subprocess.Popen[bytes]:
    script = _PERSON.replace("{name}", str(number))
    return subprocess.Popen(["sh", "-c", script], cwd=place.folder / str(number), env=place.env())


def _actor(place: Place, number: int, seed: int, seconds: float) -> subprocess.Popen[str]:
    code = "from tests.soak.actor import main; import sys; main(*sys.argv[1:])"
    wanted = [place.folder / str(number), place.folder / "home", DAYS[number]]
    args = [str(each) for each in (*wanted, seed + number, seconds)]
    env = place.env() | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *args], cwd=place.folder / str(number), env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _bring_together(place: Place) -> None:
    """Do what each person does in the end: pull, push, sync; twice, so that all have all."""
    for _ in range(2):
        for number in range(len(DAYS)):
            at = str(number)
            if (place.folder / at / ".git/rebase-merge").exists():
                place.git("rebase", "--abort", at=at)
            place.git("add", "-A", "mine", at=at)
            place.git("commit", "-q", "--allow-empty", "-m", "user last", at=at)
            _back_to_main(place, at)
            sides = place.git("for-each-ref", "--format=%(refname)", "refs/heads/side-*", at=at)
            for side in sides.split():
                _merged(place, at, "merge", "-q", "--no-edit", side)
            _merged(place, at, "pull", "-q", "--rebase=false", "--no-edit")
            place.git("push", "-q", at=at)
            environment = Environment(home=place.folder / "home", cwd=place.folder / at, env={})
            sync_kb(open_kb(environment))


def _back_to_main(place: Place, at: str) -> None:
    """Check main out: the person's last attempt may have been refused while calmkb wrote.

    A file that calmkb committed to main in that moment can lie in the work tree of the other branch
    untracked; git refuses to write over it, though it is the same.
    """
    listed = place.git("ls-files", "--others", "--exclude-standard", "-z", "journal", at=at)
    for path in listed.split("\0")[:-1]:
        file = place.folder / at / path
        held = place.git("ls-tree", "main", "--", path, at=at).split()
        if held and held[2] == place.git("hash-object", path, at=at).strip():
            file.unlink()
    place.git("checkout", "-q", "main", at=at)


def _merged(place: Place, at: str, *merge: str) -> None:
    """Merge; what two people edited is resolved somehow, as a person would."""
    try:
        place.git(*merge, at=at)
    except AssertionError:
        place.git("add", "-A", at=at)
        place.git("commit", "-qm", "user resolves", at=at)


def _compare(place: Place, ids: list[str], outcome: TeamOutcome) -> None:
    trees = {place.git("rev-parse", "HEAD:", at=str(number)) for number in range(len(DAYS))}
    if len(trees) != 1:
        outcome.faults.append(f"the clones differ in {place.folder}: {trees}")
    for number in range(len(DAYS)):
        listed = place.git(
            "ls-tree", "-r", "--name-only", "HEAD", "journal/sessions", at=str(number)
        )
        for one in ids:
            if (count := listed.count(f"-{one[:8]}.md")) != 1:
                outcome.faults.append(f"session {one} is there {count} times in clone {number}")
        if found := place.git("fsck", "--strict", "--no-dangling", at=str(number)):
            outcome.faults.append(f"git fsck in clone {number}: {found}")
    subjects = place.git("log", "--format=%s", at="0").split("\n")
    outcome.commits_of_people = sum(subject.startswith("user ") for subject in subjects)
