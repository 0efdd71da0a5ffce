"""What is said of failures is true: who failed, how often, why, and what helped."""

import json
from pathlib import Path
from typing import Any

import pytest

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.mining.signals import mine
from calmkb.capture.tool_calls.attempts import attempts
from calmkb.capture.tool_calls.failures import failure_points, failures
from tests.capture.support import agent, call, result, shell, text, user, write

REFUSED = "Error: connect ECONNREFUSED 127.0.0.1:5432"
HOME = "/home/dev/code/shop"


def told(folder: Path, *objects: Any) -> list[str]:
    flat = [one for part in objects for one in (part if isinstance(part, list) else [part])]
    start = user("Add a coupon field to the checkout", cwd=HOME)
    return list(failure_points(attempts(read_transcript(write(folder, start, *flat)))))


def signals(folder: Path, *objects: Any) -> list[str]:
    told(folder, *objects)
    found = mine(read_transcript(folder / "session.jsonl"))
    return [one["content"] for one in found if one["type"] == "failure"]


def test_each_command_is_counted_for_itself(tmp_path: Path) -> None:
    runs = (
        shell(1, "npm test", "Error: no coupon", failed=True),
        shell(2, "npm test -- --runInBand", "Error: no voucher", failed=True),
        shell(3, "npm run test:unit", 'npm error Missing script: "test:unit"', failed=True),
    )
    assert told(tmp_path, *runs)[0] == '`npm run test:unit` failed: Missing script: "test:unit".'
    assert not [one for one in told(tmp_path, *runs) if "times" in one]
    assert signals(tmp_path, *runs) == []


def test_one_error_of_one_command_is_counted_by_its_calls(tmp_path: Path) -> None:
    runs = [shell(n, "make up", f"{REFUSED[:-4]}{n}", failed=True) for n in (5, 6)]
    other = shell(7, "make down", REFUSED, failed=True)
    assert told(tmp_path, *runs, other) == [f"`make up` failed (2 times): {REFUSED[:-4]}5."]
    assert signals(tmp_path, *runs, other) == [f"`make up` failed 2 times: {REFUSED[:-4]}5"]


def test_a_call_that_a_resumed_log_repeats_counts_once(tmp_path: Path) -> None:
    run = shell(1, "make up", REFUSED, failed=True)
    assert told(tmp_path, run, run) == [f"`make up` failed: {REFUSED}."]


@pytest.mark.parametrize(
    "output",
    [
        "This command requires approval",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
    ],
)
def test_calls_that_never_ran_are_no_failures(tmp_path: Path, output: str) -> None:
    calls = [[agent(call(f"t{n}", "Bash", command="swift build")),
              result(f"t{n}", output, failed=True)] for n in range(3)]  # fmt: skip
    assert told(tmp_path, *calls) == []


@pytest.mark.parametrize(
    "command",
    [
        "grep -n coupon src/form.ts",
        "cd web && ls forms 2>&1 | head",
        "git -C web diff --exit-code; test -f till.py",
        "rg coupon || true",
        "git show main:till.py | head -5",
    ],
)
def test_looking_is_no_failure(tmp_path: Path, command: str) -> None:
    error = "fatal: path 'till.py' does not exist in 'main'"
    assert told(tmp_path, *[shell(n, command, error, failed=True) for n in range(2)]) == []


def test_a_test_that_was_to_fail_is_no_failure(tmp_path: Path) -> None:
    said = agent(text("Let me run the new test first: it should fail."))
    assert told(tmp_path, said, shell(1, "pytest", "E   AssertionError: no", failed=True)) == []


def test_a_pager_does_not_hide_a_failure(tmp_path: Path) -> None:
    failed = "--- FAIL: TestTill (0.1s)\n    till_test.go:9: got 3, want 4\nFAIL"
    assert told(tmp_path, shell(1, "go test ./... 2>&1 | tail -5", failed)) == [
        "`go test ./...` failed: TestTill: till_test.go:9: got 3, want 4."
    ]
    assert told(tmp_path, shell(1, "grep FAIL log.txt | head", failed)) == []


def test_the_step_that_helped_is_told(tmp_path: Path) -> None:
    runs = (
        shell(1, "go test ./till", "go: updates to go.mod needed; to update it:\n\tgo mod tidy",
              failed=True),
        shell(2, "go mod tidy", ""),
        shell(3, "go test ./till", "ok shop/till 0.1s"),
    )  # fmt: skip
    expected = (
        "`go test ./till` failed: go: updates to go.mod needed; to update it: go mod tidy; "
        "it worked after `go mod tidy`"
    )
    assert told(tmp_path, *runs) == [f"{expected}."]
    assert signals(tmp_path, *runs) == [expected]


UNRELATED = [
    # The line was down, and came back; the other program had failed the same way.
    ("npm install -g till", "npm error getaddrinfo ENOTFOUND registry", "bun install -g till", ""),
    # Time passed.
    ("curl api", "curl: (28) Connection timed out", "make up", "curl api"),
    # An unrelated step, and a mere change of folder.
    ("npm test", "Error: 3 coupons are left", "git add form.ts", "npm test"),
    ("npm test", "Error: 3 coupons are left", "cd web", "npm test"),
    # Files were changed.
    ("go test ./a", "Error: 3 coupons are left", "mv a.go b.go", "go test ./a"),
    ("go test ./a", "Error: 3 coupons are left", "sed -i s/3/4/ a.go", "go test ./a"),
]


@pytest.mark.parametrize(("command", "error", "step", "again"), UNRELATED)
def test_what_merely_came_before_success_is_no_remedy(
    tmp_path: Path, command: str, error: str, step: str, again: str
) -> None:
    runs = [shell(1, command, error, failed=True), shell(2, step, "done")]
    runs += [shell(3, again, "12 passed")] if again else []
    points = told(tmp_path, *runs)
    assert len(points) == 1
    assert "worked" not in points[0]
    assert "passed" not in points[0]


UNSAFE = [
    ("git commit", "pre-commit hook failed: lint", "git commit --no-verify -m x"),
    ("git push", "error: rejected (non-fast-forward)", "git push --force"),
    ("git push", "error: GH013: rule violations", "git reset --soft HEAD~2"),
    ("git commit", "error: gpg failed to sign the data", "git config commit.gpgsign=false"),
    ("make up", "Error: Permission denied: /var/till", "sudo make up"),
    ("make up", "Error: Permission denied: /var/till", "chmod 777 /var/till"),
    ("npm ci", "npm error ERESOLVE could not resolve till", "rm -rf node_modules"),
    ("curl https://till", "curl: certificate is not trusted", "curl -k https://till"),
    ("make test", "Error: hook till failed", "HUSKY=0 make test"),
]


@pytest.mark.parametrize(("command", "error", "step"), UNSAFE)
def test_what_gives_up_a_safeguard_is_never_told_as_a_remedy(
    tmp_path: Path, command: str, error: str, step: str
) -> None:
    runs = [
        *shell(1, command, error, failed=True),
        *shell(2, step, "done"),
        *shell(3, command, "done"),
    ]
    (point,) = told(tmp_path, *runs)
    assert point.startswith(f"`{command}` failed: ")
    assert step not in point
    assert "worked" not in point


def test_a_person_in_between_may_have_helped(tmp_path: Path) -> None:
    error = "AssertionError: expected 3 to be 4"
    runs = (shell(1, "npm test", error, failed=True), user("I freed the port, try once more"),
            shell(2, "npm test", "3 passed"))  # fmt: skip
    assert told(tmp_path, *runs) == [f"`npm test` failed: {error}."]


def test_a_fault_that_gave_way_to_another_is_not_said_to_pass(tmp_path: Path) -> None:
    runs = (
        shell(1, "npm test", "Error: Cannot find module 'till'", failed=True),
        shell(2, "npm install till", "added 1 package"),
        shell(3, "npm test", "Error: 3 coupons are left", failed=True),
        [agent(call("e", "Edit", file_path=f"{HOME}/form.ts")), result("e", "updated")],
        shell(4, "npm test", "3 passed"),
    )
    assert told(tmp_path, *runs) == [
        "`npm test` failed: Error: Cannot find module 'till'.",
        "`npm test` failed: Error: 3 coupons are left; it passed after edits to form.ts.",
    ]


def test_commands_run_on_another_machine(tmp_path: Path) -> None:
    commands = {
        f"cd {HOME} && make up 2>&1 | tail -5": "make up",
        f"cd {HOME}/web && make up": "cd web && make up",
        f"python3 {HOME}/bin/up.py --to={HOME}": "python3 bin/up.py --to=.",
        "/home/dev/bin/up --to=/home/dev/x": "~/bin/up --to=$HOME/x",
        "make -o /tmp/x up": "make -o /tmp/x up",
        "make \\\n  up": "make up",
        "make clean\n# now\nmake up": "make clean; make up",
        "PORT=1 make up": "PORT=1 make up",
    }
    for typed, whole in commands.items():
        assert told(tmp_path, shell(1, typed, REFUSED, failed=True)) == [
            f"`{whole}` failed: {REFUSED}."
        ]


@pytest.mark.parametrize(
    ("command", "name"),
    [("gh pr create --body '" + 300 * "x" + "'", "gh pr"), ("python3 - <<'E'\nup()\nE", "python3")],
)
def test_a_command_that_cannot_be_shown_whole_is_named(
    tmp_path: Path, command: str, name: str
) -> None:
    assert told(tmp_path, shell(1, command, REFUSED, failed=True)) == [
        f"A long `{name}` command failed: {REFUSED}."
    ]


def test_how_a_failure_ended_can_be_asked(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        user("Build it"),
        *shell(1, "make lint", "Error: Cannot find module 'till'", failed=True),
        *shell(2, "npm install till", "added"),
        *shell(3, "make lint", "clean"),
        *shell(4, "make test", "Error: 3 coupons are left", failed=True),
    )
    states = [one.ending.state for one in failures(attempts(read_transcript(path)))]
    assert states == ["remedied", "open"]
    assert draft(read_transcript(path)).friction_points


def test_a_forked_session_keeps_one_key_for_one_failure(tmp_path: Path) -> None:
    lines = [*shell(1, "make up", REFUSED, failed=True), *shell(2, "make up", REFUSED, failed=True)]
    keys = []
    for session in ("one", "two"):
        path = tmp_path / f"{session}.jsonl"
        mine_ = [{**line, "sessionId": session} for line in (user("Start it"), *lines)]
        path.write_text("".join(json.dumps(line) + "\n" for line in mine_))
        keys += [one["meta"]["key"] for one in mine(read_transcript(path))]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def edited(number: int, *names: str) -> list[dict[str, Any]]:
    return [
        line
        for place, name in enumerate(names)
        for line in (agent(call(f"e{number}{place}", "Edit", file_path=f"{HOME}/{name}")),
                     result(f"e{number}{place}", "updated"))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "end"),
    [
        (["till.py"], "; it passed after edits to till.py."),
        (["a.py", "till.py", "b.py"], "; it passed after edits to till.py and 2 other files."),
        (["receipt.py"], "."),
    ],
)
def test_edits_elsewhere_did_not_fix_a_complaint_about_one_file(
    tmp_path: Path, files: list[str], end: str
) -> None:
    line = "src/till.py:4:1: PLR0915 too many statements"
    runs = (shell(1, "make lint", line, failed=True), edited(1, *files),
            shell(2, "make lint", "clean"))  # fmt: skip
    assert told(tmp_path, *runs) == [f"`make lint` failed: {line}{end}"]


def test_a_file_taken_back_by_git_is_no_edit_that_fixed(tmp_path: Path) -> None:
    runs = (shell(1, "make test", "Error: 3 coupons are left", failed=True),
            shell(2, "git checkout -- form.ts", ""), edited(1, "till.py"),
            shell(3, "make test", "3 passed"))  # fmt: skip
    assert told(tmp_path, *runs) == ["`make test` failed: Error: 3 coupons are left."]


def test_a_command_that_passes_on_another_branch_teaches_nothing(tmp_path: Path) -> None:
    runs = (shell(1, "make test", "Error: 3 coupons are left", failed=True),
            shell(2, "git checkout main && make test", "3 passed"))  # fmt: skip
    assert signals(tmp_path, *runs) == []
    runs = (shell(1, "git push", "error: rejected (fetch first)", failed=True),
            shell(2, "git pull --rebase && git push", "done"))  # fmt: skip
    assert signals(tmp_path, *runs) == [
        "`git push` failed: error: rejected (fetch first); `git pull --rebase && git push` worked"
    ]


def test_a_signal_cuts_the_error_and_never_a_command(tmp_path: Path) -> None:
    command = "make up " + " ".join(f"part{n}" for n in range(20))
    runs = (shell(1, command, f"Error: Cannot find module {'x' * 150}", failed=True),
            shell(2, "npm install", "added"), shell(3, command, "done"))  # fmt: skip
    (found,) = signals(tmp_path, *runs)
    assert found.startswith(f"`{command}` failed: Error: Cannot find module")
    assert found.endswith("; it worked after `npm install`")


def test_what_two_commands_miss_is_a_signal_of_one_call(tmp_path: Path) -> None:
    error = "zsh: command not found: golangci-lint"
    runs = (shell(1, "golangci-lint run ./...", error, failed=True),
            shell(2, "golangci-lint run ./till", error, failed=True))  # fmt: skip
    assert signals(tmp_path, *runs) == [f"`golangci-lint run ./...` failed: {error}"]


@pytest.mark.parametrize("piece", ["2>&1 ", "<<", "| tail ", "A=1 ", "'", "find -x ", "\\\n"])
def test_a_hostile_command_is_read_to_its_end(tmp_path: Path, piece: str) -> None:
    run = shell(1, "make up " + piece * (900 // len(piece)), REFUSED, failed=True)
    assert len(told(tmp_path, run)) == 1
