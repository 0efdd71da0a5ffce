"""Poisoning: the share of planted texts and settings that get through, by default settings.

The method, what counts and what does not: docs/explanation/security.md.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from poisoning import agents, clones, control, filtering, outputs, reading, team
from poisoning.cases import Outcome

FAMILIES: dict[str, Callable[[Path], Iterator[Outcome]]] = {
    "reading": reading.run,
    "team": team.run,
    "clones": clones.run,
    "agents": agents.run,
    "outputs": outputs.run,
    "filtering": filtering.run,
}


def measure(names: list[str]) -> list[Outcome]:
    """Return the outcome of every case of the families named."""
    with tempfile.TemporaryDirectory(prefix="poisoning-") as folder:
        root = Path(folder).resolve()
        return [one for name in names for one in FAMILIES[name](root / name)]


def main() -> None:
    """Print cases and how many got through, by family and carrier, and the controls."""
    outcomes = measure([name for name in FAMILIES if name in sys.argv[1:]] or list(FAMILIES))
    groups = [(one.case.family, one.case.carrier) for one in outcomes]
    through = Counter(group for group, one in zip(groups, outcomes, strict=True) if one.through)
    print("| what was planted | by way of | cases | got through |\n|---|---|---|---|")
    for (family, carrier), cases in Counter(groups).items():
        print(f"| {family} | {carrier} | {cases} | {through[family, carrier]} |")
    total = sum(through.values())
    share = total / len(outcomes)
    print(f"| **all** | | **{len(outcomes)}** | **{total} ({share:.1%})** |")
    print("\nGoal: 0 of 200 or more." + (" **Missed.**" if total else ""))
    with tempfile.TemporaryDirectory(prefix="poisoning-") as folder:
        lines = list(control.run(Path(folder).resolve() / "control"))
    print("\nControls, where nothing stops the text:", *lines, sep="\n- ")
    print()
    for one in [one for one in outcomes if one.through]:
        print(f"- {one.case.family}, {one.case.carrier}: {one.case.attack!r}: {one.through}")


if __name__ == "__main__":
    main()
