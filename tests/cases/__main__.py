"""Print a table of kinds: how many cases each has, how many hold, and which do not."""

from collections import Counter

from tests.cases.reader import cases
from tests.cases.verdicts import VERDICTS

found, missed = Counter(), []
for case in cases():
    got = VERDICTS[case.kind](case.given)
    found[case.kind, got == case.expected] += 1
    missed += [f"{case}: {got!r}, expected {case.expected!r}"] if got != case.expected else []
print("| kind | cases | hold |\n|---|---|---|")
for kind in VERDICTS:
    print(f"| {kind} | {found[kind, True] + found[kind, False]} | {found[kind, True]} |")
print("\n".join(["", *missed]))
