from pathlib import Path
from typing import Any

import pytest

from calmkb.capture.draft.draft import POINTS, draft
from calmkb.capture.draft.title import TITLE_LIMIT, title
from calmkb.capture.formats.table import read_transcript
from calmkb.errors import TranscriptError
from calmkb.model import Draft
from tests.capture.support import DATA, agent, call, result, shell, text, user, write


def drafted(folder: Path, *objects: dict[str, Any]) -> Draft:
    return draft(read_transcript(write(folder, *objects)))


def sample(name: str) -> Draft:
    return draft(read_transcript(next(DATA.glob(f"*{name}.jsonl"))))


def test_a_draft_tells_what_was_asked_changed_run_and_said_last(tmp_path: Path) -> None:
    made = drafted(
        tmp_path,
        user("Add a coupon field to the checkout form.", cwd="/home/dev/shop"),
        agent(call("e1", "Edit", file_path="/home/dev/shop/src/form.ts")),
        result("e1", "updated"),
        *shell(1, "cd /home/dev/shop && pnpm test 2>&1 | tail -5", "ok"),
        agent(text("The field is in and its tests pass. More on request.")),
    )
    assert made.summary == (
        'Asked: "Add a coupon field to the checkout form". Changed src/form.ts.'
        ' Ran `pnpm test` (passed). Ended with: "The field is in and its tests pass.'
        ' More on request".'
    )
    assert made.friction_points == ()


def test_a_title_reads_on_after_a_wrapped_line_and_not_after_a_paste(tmp_path: Path) -> None:
    wrapped = user("the cart does not show the last\nchanges of an order that was paid")
    made = drafted(tmp_path, wrapped, agent(text("Found it.")))
    assert made.title == "The cart does not show the last changes of an order that was paid"
    told = "Right now the cart prints a note:\n\n\u276f shop cart\nDraft only\n\n"
    made = drafted(tmp_path, user(told + "Let's print the total"), agent(text("Done.")))
    assert made.title == "Print the total"


def test_a_title_names_the_branch_where_the_request_points_at_it(tmp_path: Path) -> None:
    asked = user("can you review the changes in this branch?", gitBranch="ada/round-totals")
    made = drafted(tmp_path, asked, agent(text("Two things are left.")))
    assert made.title == "Review the changes in this branch (round-totals)"


def test_a_title_is_of_the_first_item_of_a_list_and_of_what_follows_thanks(tmp_path: Path) -> None:
    made = draft(
        read_transcript(write(tmp_path, user("- rename Cart to Basket\n- update the docs")))
    )
    assert made.title == "Rename Cart to Basket"
    made = draft(read_transcript(write(tmp_path, user("Thanks! Now round the totals of the cart"))))
    assert made.title == "Round the totals of the cart"


def test_a_title_of_nothing_but_a_log_is_its_error(tmp_path: Path) -> None:
    log = (
        "Error: /home/runner/shop/src/cart.go:33:2: string `text` has 5 occurrences\n  if a == b {"
    )
    made = draft(read_transcript(write(tmp_path, user(log))))
    assert made.title == "Error: cart.go:33:2: string `text` has 5 occurrences"


def test_the_other_runner_that_worked_is_told_with_the_failure() -> None:
    points = sample("order-history").friction_points
    assert (
        '`npm run lint` failed: Unsupported URL Type "workspace:": workspace:*; `pnpm lint` worked.'
    ) in points


def test_the_step_that_made_the_command_work_is_told() -> None:
    points = sample("e2e-guest-checkout").friction_points
    assert any("ECONNREFUSED" in p and "after `docker compose up -d db`" in p for p in points)


def test_a_failure_that_an_edit_fixed_says_so_and_claims_no_remedy(tmp_path: Path) -> None:
    made = drafted(
        tmp_path,
        user("Add a test"),
        *shell(1, "make test", "Error: no button is shown", failed=True),
        agent(call("e1", "Edit", file_path="/a.py")),
        result("e1", "updated"),
        *shell(2, "make test", "1 passed"),
    )
    assert made.friction_points == (
        "`make test` failed: Error: no button is shown; it passed after edits to a.py.",
    )


def test_the_same_error_is_one_point_with_its_count(tmp_path: Path) -> None:
    errors = (f"TypeError: cannot read line {n}00 of /tmp/run{n}/x" for n in range(3))
    runs = [line for n, e in enumerate(errors) for line in shell(n, "make build", e, failed=True)]
    made = drafted(tmp_path, user("Build it"), *runs)
    assert made.friction_points == (
        "`make build` failed (3 times): TypeError: cannot read line 000 of /tmp/run0/x.",
    )


@pytest.mark.parametrize(
    "noise",
    [
        "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>",
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        "Claude requested permissions to write to /a, but you haven't granted it yet.",
        "[Request interrupted by user for tool use]",
        "File does not exist.",
    ],
)
def test_slips_of_the_agents_own_handling_are_no_friction(tmp_path: Path, noise: str) -> None:
    made = drafted(
        tmp_path,
        user("Edit a.py"),
        agent(call("t1", "Edit", file_path="/a.py")),
        result("t1", noise, failed=True),
        agent(call("t2", "Edit", file_path="/a.py")),
        result("t2", noise, failed=True),
    )
    assert made.friction_points == ()


def test_the_persons_words_are_quoted_once_and_stand_first(tmp_path: Path) -> None:
    made = drafted(
        tmp_path,
        user("Add a test"),
        *shell(1, "pytest", "sh: pytest: command not found", failed=True),
        user("no, use the venv. pytest is only installed there", uuid="a"),
        user("no, use the venv. pytest is only installed there", uuid="b"),
    )
    assert made.friction_points == (
        'Corrected: "no, use the venv. pytest is only installed there"',
        "`pytest` failed: sh: pytest: command not found.",
    )


def test_a_log_that_the_person_pastes_is_told_by_its_error(tmp_path: Path) -> None:
    log = "$ make deploy\nfatal: unable to access 'https://example.org/': error 403\n"
    made = drafted(tmp_path, user("Deploy it"), agent(text("Deployed it.")), user(log))
    assert made.friction_points == (
        "Reported: \"fatal: unable to access 'https://example.org/': error 403\"",
    )


def test_the_first_prompt_describes_and_does_not_correct(tmp_path: Path) -> None:
    made = drafted(tmp_path, user("use httpx instead of requests in the client"))
    assert made.friction_points == ()


def test_words_given_with_a_rejection_are_a_point() -> None:
    points = sample("reminders").friction_points
    assert any("never mock the database" in point for point in points)


def test_open_tasks_are_the_next_steps() -> None:
    assert sample("reminders").next_steps == (
        "Write the German text of the reminder mail",
        "Run the job once a day from the scheduler",
    )
    assert sample("dunning").next_steps == ("Cover the step to collections",)


def test_a_closing_list_of_next_steps_is_taken_where_there_is_no_plan() -> None:
    assert sample("e2e-guest-checkout").next_steps == (
        "Give the address form test ids as well",
        "Run the e2e job on pull requests",
    )


def test_escapes_and_reminders_stay_out_of_a_draft(tmp_path: Path) -> None:
    error = "\x1b[31mError: cannot connect\x1b[0m<system-reminder>hush</system-reminder>\x07"
    made = drafted(tmp_path, user("Go\x1b[1m on\x1b[0m now"), *shell(1, "run", error, failed=True))
    assert made.friction_points == ("`run` failed: Error: cannot connect.",)
    assert "\x1b" not in made.summary


def test_a_session_without_a_prompt_of_a_person_has_no_draft(tmp_path: Path) -> None:
    transcript = read_transcript(
        write(tmp_path, user("<command-name>/clear</command-name>"), agent(text("Done.")))
    )
    with pytest.raises(TranscriptError, match="holds no prompt of a person"):
        draft(transcript)


def test_a_draft_is_the_same_every_time_and_within_its_limits() -> None:
    for path in sorted(DATA.glob("*.jsonl")):
        transcript = read_transcript(path)
        made = draft(transcript)
        assert made == draft(transcript)
        assert len(made.summary) <= 900
        assert len(made.friction_points) <= POINTS
        assert made.broken_lines == transcript.broken_lines


def test_what_a_person_asked_is_quoted_as_it_was_typed(tmp_path: Path) -> None:
    made = drafted(tmp_path, user("yes; but put them into the billing folder, please"),
                 agent(text("I moved them.")))  # fmt: skip
    assert 'Asked: "yes; but put them into the billing folder, please"' in made.summary


def test_a_greeting_is_not_what_was_asked(tmp_path: Path) -> None:
    made = drafted(tmp_path, user("hello there"), agent(text("Hi.")),
                 user("Round the totals of the till up"), agent(text("I did.")))  # fmt: skip
    assert made.summary.startswith('Asked: "Round the totals of the till up"')


@pytest.mark.parametrize("command", ["wrapup", "calmkb:wrapup", "reflection", "calmkb:reflect"])
def test_a_session_of_calmkbs_own_commands_is_none(tmp_path: Path, command: str) -> None:
    prompt = (f"<command-name>/{command}</command-name>"
              "<command-args>continue</command-args>")  # fmt: skip
    with pytest.raises(TranscriptError, match="no prompt of a person"):
        drafted(tmp_path, user(prompt), agent(text("Stored.")))


@pytest.mark.parametrize("paste", ["https://" + "a/" * 300_000, " " * 1_000_000, "nl\n" * 300_000])
def test_a_paste_of_a_megabyte_does_not_hold_up_the_title(paste: str) -> None:
    assert title([], [f"fix the login page\n{paste}"]) == "Fix the login page"
    assert len(title([paste], [paste])) <= TITLE_LIMIT


def test_a_review_that_is_pasted_is_called_by_its_first_sentence_not_its_heading(
    tmp_path: Path,
) -> None:
    review = (
        "Low Severity\n\nThe error from load() is wrapped at line 239, then again at line 84 in"
        " open(). This makes doubled messages when a file cannot be read: `reading: reading`."
    )
    made = drafted(tmp_path, user(review), agent("Both are wrapped once now."))
    assert made.title.startswith("The error from load() is wrapped at line 239")
