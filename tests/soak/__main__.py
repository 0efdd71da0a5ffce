"""Runs the whole soak and prints what was tried and what survived; exit 1 on any fault."""

import os
import subprocess
import sys
import time

import click

from tests.soak.kills import kill_all
from tests.soak.team import run_team

STORES = """
tests/store tests/wings/private tests/documents tests/cli/journal/test_killed.py
tests/cli/checks/test_no_access.py tests/wings/runs/store/test_kill.py
tests/wings/runs/http/test_server_kill.py tests/wings/runs/store/test_model.py
""".split()
"""Tests that run at length here: each step of a write, full disks, unreadable folders, rivals."""


@click.command()
@click.option("--rounds", default=40, show_default=True, help="Kills of each command.")
@click.option("--seconds", default=240, show_default=True, help="How long the team works.")
@click.option("--seed", default=int(time.time()), help="Repeat the random choices of a run.")
@click.option("--tests/--no-tests", default=True, help="Run the store's tests at length too.")
def main(rounds: int, seconds: int, seed: int, tests: bool) -> None:
    """Kill every command, let a team race its own git, and run the store's tests at length."""
    start = time.monotonic()
    click.echo(f"seed {seed}")
    faults = [*_kills(rounds, seed), *_team(seconds, seed)]
    if tests:
        faults += _tests()
    click.echo(f"\n{(time.monotonic() - start) / 60:.0f} minutes, {len(faults)} faults")
    sys.exit(bool(faults))


def _kills(rounds: int, seed: int) -> list[str]:
    click.echo(
        "\n| killed command | tried | killed | had landed | git locks left, named | faults |"
    )
    click.echo("|---|---|---|---|---|---|")
    found = kill_all(rounds, seed)
    for one in found:
        cells = (one.command, one.tried, one.killed, one.landed, one.locks, len(one.faults))
        click.echo(f"| {' | '.join(str(cell) for cell in cells)} |")
    return _named([fault for one in found for fault in one.faults])


def _team(seconds: int, seed: int) -> list[str]:
    done = run_team(seconds, seed)
    click.echo(
        f"\nfour clones on skewed clocks, {seconds} s: {done.acknowledged} sessions acknowledged, "
        f"{done.commits_of_people} commits of people in the end, {done.refused} commands refused "
        f"with a reason, {len(done.faults)} faults"
    )
    return _named(done.faults)


def _named(faults: list[str]) -> list[str]:
    """Print faults where they are found: a later part may stop the run."""
    for fault in faults:
        click.echo(fault)
    return faults


def _tests() -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", *STORES],
        env=os.environ | {"CALMKB_SOAK": "1"}, check=False, capture_output=True, text=True,
    )  # fmt: skip
    click.echo(f"\nthe store's tests at length: {done.stdout.strip().splitlines()[-1]}")
    return [] if done.returncode == 0 else [done.stdout[-5000:]]


if __name__ == "__main__":
    main()
