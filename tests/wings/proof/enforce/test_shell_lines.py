"""One reader of shell lines for what is held against checks and for what documents name."""

import pytest

from calmkb.wings.proof.anchors.shell import Command, commands_in
from calmkb.wings.proof.enforce.checks import Call, parse_check


@pytest.mark.parametrize(
    "line",
    [
        "nohup make serve &",
        "sudo env CI=1 time make serve",
        "(cd web && make serve) > out.log 2>&1",
        "bash -c 'make serve'",
        "if test -f x; then make serve; fi",
        "uv run nice make serve",
    ],
)
def test_a_target_is_found_behind_whatever_starts_it(line: str) -> None:
    assert list(commands_in(line))[-1] == Command("make", "serve")


@pytest.mark.parametrize("line", ["Don't run make serve", "echo 'make serve'", "cat make serve"])
def test_prose_and_text_name_no_target(line: str) -> None:
    assert Command("make", "serve") not in list(commands_in(line))


@pytest.mark.parametrize("runner", ["npx", "bunx", "uvx", "uv run", "poetry run"])
def test_what_a_runner_starts_is_not_taken_for_the_command_that_a_check_asks_for(
    runner: str,
) -> None:
    check = parse_check("run make lint before git commit")
    changed = Call(path="a.py")
    for line, broken in ((f"{runner} make lint", True), ("make lint", False)):
        ran = Call(command=line, previous=changed)
        assert check.is_broken_by(Call(command="git commit", previous=ran)) is broken
    assert parse_check(f"never run {runner} eslint").is_broken_by(
        Call(command=f"{runner} eslint .")
    )
