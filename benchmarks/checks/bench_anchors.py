"""Anchors over a repository's history: what is told of definitions that changed, and that did not.

`run.py anchors REPOSITORY...`: definitions of Python files at ten past commits (40 of each) are
held against the last commit. Whether one really changed, Python's own syntax tree says, which
anchors do not use. Without a repository this project's own history is looked at.
"""

import ast
import random
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from calmkb.store.git.repository import find_repository
from calmkb.wings.proof.anchors.anchor import Anchor, state_since
from calmkb.wings.proof.anchors.git_files import CommitFiles

_COMMITS, _EACH = 10, 40


def main() -> None:
    """Print a row a repository: what changed and was told, and what did not and was."""
    folders = [Path(word) for word in sys.argv[2:] if Path(word, ".git").exists()]
    print("| repository | gone, told | changed, told | as it was, told |\n|---|---|---|---|")
    for folder in folders or [Path(__file__).parents[2]]:
        counts = _replay(folder)
        cells = [f"{counts[kind, True]} of {counts[kind, True] + counts[kind, False]}"
                 for kind in ("gone", "changed", "held")]  # fmt: skip
        print(f"| {folder.resolve().name} | {' | '.join(cells)} |")


def _replay(folder: Path) -> Counter[tuple[str, bool]]:
    repository = find_repository(folder)
    assert repository is not None
    listed = repository.git.rev_list("--first-parent", "HEAD").split()
    now = CommitFiles(repository, "HEAD")
    dice, counts = random.Random(0), Counter[tuple[str, bool]]()
    for commit in listed[:: max(1, len(listed) // _COMMITS)][1 : _COMMITS + 1]:
        then = CommitFiles(repository, commit)
        paths = sorted(p for p in then.files() if p.endswith(".py") and p in now.files())
        some = dice.sample(paths, min(len(paths), 3 * _EACH))
        old, new = then.read(some), now.read(some)
        asked = [(path, name) for path in some for name in _parts(old.get(path, ""))]
        for path, name in dice.sample(asked, min(len(asked), _EACH)):
            before, after = _parts(old[path]), _parts(new[path])
            truth = _truth(name, before, after)
            told, _ = state_since(Anchor(f"{path}:{name}", path, "0" * 40), old[path], new[path])
            counts[truth, told != "held"] += 1
    return counts


def _truth(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    if name not in after:
        return "gone"
    return "held" if before[name] == after[name] else "changed"


def _parts(text: str) -> dict[str, str]:
    """Return each function and class by its name, as Python understands it."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found: dict[str, str] = {}
    try:
        nodes = ast.walk(ast.parse(text))
    except SyntaxError:
        return {}
    for node in sorted((n for n in nodes if isinstance(n, kinds)), key=lambda n: n.lineno):
        found.setdefault(node.name, ast.dump(node))
    return found


if __name__ == "__main__":
    main()
