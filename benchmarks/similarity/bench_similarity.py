"""Similar statements: ten new ones grouped with many old ones, and the groups of all.

Every measurement is a process of its own that begins with the texts, so that its peak of memory is
its own. Texts are words drawn by Zipf's law from 30,000, 8 to 40 a text, one in ten a near copy of
another.
`run.py similarity SIZE…` measures other sizes.
"""

import itertools
import json
import random
import resource
import subprocess
import sys
import time
from typing import Any

SIZES = (10_000, 100_000)
THEME = 0.3
NEW = 10
VOCABULARY = 30_000
SYLLABLES = "ba co di fu ge ha jo ki la me no pu ra se ti vo wu xi yo lock test path node".split()
WAYS = {
    "vectors": "vectors of all texts",
    "wanted": "and the groups of the ten new texts",
    "all": "and the groups of all texts",
}


def main() -> None:
    """Print seconds of the processor and peaks of memory."""
    sizes = [int(word) for word in sys.argv[2:] if word.isdigit()] or list(SIZES)
    print("| what | texts | s | peak, MB | groups |\n|---|---|---|---|---|")
    for size in sizes:
        for way, what in WAYS.items():
            if way == "all" and size > SIZES[0]:
                continue  # no command asks for it
            found = child(size, way)
            cells = f"{found['seconds']:.2f} | {found['peak']:.0f}"
            print(f"| {what} | {size:,} | {cells} | {found['groups'] or ''} |", flush=True)


def child(size: int, way: str) -> dict[str, Any]:
    """Return what a process of its own reports."""
    command = [sys.executable, __file__, way, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def texts(size: int) -> list[str]:
    """Return the texts, the same for the same size."""
    dice = random.Random(size)
    names = ["".join(dice.choices(SYLLABLES, k=dice.randint(1, 4))) for _ in range(VOCABULARY)]
    words = [name if n < 2_000 else f"{name}{n}" for n, name in enumerate(names)]
    sums = list(itertools.accumulate((n + 2.7) ** -1.05 for n in range(VOCABULARY)))
    made: list[str] = []
    for _ in range(size):
        if made and dice.random() < 0.1:
            copy = dice.choice(made).split()
            copy[dice.randrange(len(copy))] = dice.choices(words, cum_weights=sums)[0]
        else:
            copy = dice.choices(words, cum_weights=sums, k=dice.randint(8, 40))
        made.append(" ".join(copy))
    return made


def work(way: str, size: int) -> dict[str, Any]:
    """Do one thing in this process; seconds of the processor, imports included."""
    lines = texts(size)
    start = time.process_time()
    groups = 0
    from calmkb.reflect.similarity.clusters import cluster
    from calmkb.reflect.similarity.vectors import vectorise

    rows = vectorise(lines)
    if way != "vectors":
        wanted = range(size - NEW, size) if way == "wanted" else None
        groups = len(cluster(rows, THEME, keys=lines, wanted=wanted))
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "peak": peak, "groups": groups}


if __name__ == "__main__":
    print(json.dumps(work(sys.argv[1], int(sys.argv[2]))))
