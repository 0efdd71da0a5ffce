"""Commands of one calmkb, each in a process forked from one that has imported what all need."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

COMMANDS = """
import gc, json, os, sys
import calmkb.cli.root, calmkb.store.git.run, calmkb.store.index.index
import sklearn.cluster, sklearn.feature_extraction.text, sklearn.neighbors
from calmkb.__main__ import main

gc.freeze()
for line in sys.stdin.readlines():
    if child := os.fork() if hasattr(os, "fork") else 0:
        print(f"\\0{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\0", end="", flush=True)
        continue
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["calmkb", *json.loads(line)]
    code = 0
    try:
        main()
    except SystemExit as done:
        code = done.code or 0
    sys.stdout.flush()
    os._exit(code)  # all that is imported would be taken down
"""
"""A program that runs each command in a process that has imported what all of them need."""


def run_all(
    folder: Path, env: Mapping[str, str], *commands: Sequence[str], codes: Iterable[str] = ("0",)
) -> list[str]:
    """Return what each command prints, which ends with one of `codes`.

    Windows starts Python for each.
    """
    printed = list[str]()
    for some in [commands] if hasattr(os, "fork") else [(one,) for one in commands]:
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS], input="".join(f"{json.dumps(one)}\n" for one in some),
            cwd=folder, capture_output=True, text=True, env=env, check=False,
        )  # fmt: skip
        alone = (done.stdout, str(done.returncode), "")
        *parts, _ = done.stdout.split("\0") if hasattr(os, "fork") else alone
        assert len(parts) == 2 * len(some) and {*parts[1::2]} <= {*codes}, done.stderr
        printed += parts[::2]
    return printed
