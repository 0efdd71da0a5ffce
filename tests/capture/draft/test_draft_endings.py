import json
from pathlib import Path
from typing import Any

import pytest

from calmkb.capture.draft.draft import draft
from calmkb.capture.formats.table import read_transcript
from calmkb.model import Draft
from tests.capture.support import agent, call, result, shell, text, user, write

ASKED = user("Round the totals of the till up")
FIXED = agent(text("I rounded every total up to whole pence and the receipts now agree with it."))


def drafted(folder: Path, *objects: dict[str, Any]) -> Draft:
    return draft(read_transcript(write(folder, *objects)))


def client(words: str) -> dict[str, Any]:
    return agent(text(words), isApiErrorMessage=True)


def test_an_error_of_the_client_is_the_end(tmp_path: Path) -> None:
    words = "API Error: 429 rate_limit_error"
    assert f'Stopped by an error, "{words}".' in drafted(tmp_path, ASKED, client(words)).summary


def test_an_interruption_is_told_with_the_last_answer(tmp_path: Path) -> None:
    stop = user("[Request interrupted by user]")
    made = drafted(tmp_path, ASKED, FIXED, user("Now the taxes of the invoices as well"), stop)
    assert "Interrupted by the person; the last answer was " in made.summary
    assert "receipts now agree" in made.summary


def test_a_check_that_is_red_at_the_end_is_named(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, FIXED, *shell(1, "make test", "2 failed", failed=True), FIXED)
    assert "Ended with `make test` failing; the last answer was " in made.summary


def test_a_run_behind_a_pager_is_judged_by_its_words(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, *shell(1, "go test ./... | tail -5", "--- FAIL: TestX"), FIXED)
    assert "Ran `go test ./...` (failed)." in made.summary


def test_a_question_left_to_the_person_is_the_end_and_no_next_step(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, agent(text("Both ways work. Shall I round per line or once?")))
    assert 'the question "Shall I round per line or once?"' in made.summary
    assert made.next_steps == ()


def test_a_prompt_without_an_answer_is_left_open(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, FIXED, user("Print the rounding on each receipt too"))
    assert 'Ended before an answer to "Print the rounding on each receipt too"' in made.summary
    assert made.next_steps == ('Asked and not answered: "Print the rounding on each receipt too"',)


def test_the_last_answer_counts_though_it_tells_of_a_chore(tmp_path: Path) -> None:
    sync = shell(1, "calmkb sync", "ok")
    made = drafted(tmp_path, ASKED, FIXED, *sync, agent(text("Already synced — nothing pending.")))
    assert made.summary.endswith('Ended with: "Already synced — nothing pending".')
    made = drafted(tmp_path, ASKED, FIXED, *sync, agent(text("Done.")))
    assert made.summary.endswith('Ended with: "Done".')


def test_a_session_in_the_midst_of_a_call_broke_off(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, agent(call("e1", "Edit", file_path="/a.py")))
    assert made.summary.endswith("Broke off after a call of Edit.")


def test_a_root_cause_that_the_agent_marked_is_found_and_is_friction(tmp_path: Path) -> None:
    words = "I looked at it.\n\n**Root cause:** the till rounds before it adds the tax.\n"
    made = drafted(tmp_path, ASKED, agent(text(words)), ASKED, FIXED)
    assert 'Found: "Root cause: the till rounds before it adds the tax".' in made.summary
    assert made.friction_points == ('Found: "Root cause: the till rounds before it adds the tax"',)


def test_a_guess_is_no_finding(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, agent(text("The issue is probably that the tax comes first.")))
    assert "Found" not in made.summary
    assert made.friction_points == ()


def test_a_plan_is_asked_for_by_its_title_and_reason(tmp_path: Path) -> None:
    head = "Implement the following plan:\n\n# Round the till\n\n"
    plan = f"{head}## Context\n\nTotals differ by a penny.\n"
    made = drafted(tmp_path, user(plan), FIXED)
    assert made.summary.startswith('Asked: "Round the till: Totals differ by a penny".')


def test_a_programs_prompt_is_called_one(tmp_path: Path) -> None:
    made = drafted(tmp_path, user("Review this change for faults", entrypoint="sdk-cli"), FIXED)
    assert made.summary.startswith('Asked by a program: "Review this change for faults".')


def test_an_event_of_a_program_is_neither_asked_nor_reported(tmp_path: Path) -> None:
    event = user("<ci-event>\nNo, the build failed again and must never do so\n</ci-event>")
    made = drafted(tmp_path, ASKED, FIXED, event, FIXED)
    assert "build" not in made.summary
    assert made.friction_points == ()


def test_quotation_marks_inside_a_quotation_stay(tmp_path: Path) -> None:
    made = drafted(tmp_path, user('Call the button "Pay now" instead of the old name'), FIXED)
    assert 'Asked: “Call the button "Pay now" instead of the old name”.' in made.summary


def test_commits_and_pull_requests_are_told_and_an_amended_one_is_not(tmp_path: Path) -> None:
    made = drafted(
        tmp_path,
        ASKED,
        *shell(1, "git commit -m x", "[main abc1234] Round up\n 1 file changed"),
        *shell(2, "git commit --amend -m x", "[main def5678] Round totals up\n 1 file changed"),
        *shell(3, "gh pr create --fill", "https://github.com/acme/till/pull/12"),
        FIXED,
    )
    assert 'Committed def5678 "Round totals up"; opened PR #12.' in made.summary
    assert "abc1234" not in made.summary


def test_a_commit_of_a_script_of_codex_is_told(tmp_path: Path) -> None:
    script = 'const r = await tools.exec_command({cmd: "git commit -m x"}); text(r)'
    output = json.dumps({"exit_code": 0, "output": '[main abc1234] Call it "up"\n 1 file changed'})
    answer = f"Output:\n\n{output.replace(': ', ':')}"
    made = drafted(
        tmp_path, ASKED, agent(call("t1", "exec", code=script)), result("t1", answer), FIXED
    )
    assert 'Committed abc1234 “Call it "up"”.' in made.summary
    assert made.title == 'Call it "up"'


@pytest.mark.parametrize(
    "given", ["--draft --title 'Round totals' --body x", '--body "$(cat b)" -t "Round totals"']
)
def test_a_pull_request_gives_its_title_where_no_commit_is_seen(tmp_path: Path, given: str) -> None:
    opened = shell(1, f"gh pr create {given}", "https://github.com/acme/till/pull/12")
    assert drafted(tmp_path, ASKED, *opened, FIXED).title == "Round totals"
    made = shell(2, "git commit -m x", "[main abc1234] Round each total up")
    assert drafted(tmp_path, ASKED, *opened, *made, FIXED).title == "Round each total up"


def test_a_bracket_in_another_output_is_no_commit(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, *shell(1, "tail app.log", "[main abc1234] started"), FIXED)
    assert "ommitted" not in made.summary


def test_a_link_into_a_folder_is_quoted_by_its_words(tmp_path: Path) -> None:
    said = "Rounded in [till.py](/home/ada/shop/till.py:3); see [PR 4](https://x.example/pull/4)."
    made = drafted(tmp_path, ASKED, agent(text(said)))
    assert '"Rounded in till.py; see [PR 4](https://x.example/pull/4)"' in made.summary


def test_what_the_last_answer_calls_open_is_a_next_step(tmp_path: Path) -> None:
    words = "All totals are right now.\n\n**Not yet tested:** the refunds of last year.\n"
    assert drafted(tmp_path, ASKED, agent(text(words))).next_steps == (
        "Not yet tested: the refunds of last year.",
    )


def test_what_the_agent_says_of_a_failure_is_friction(tmp_path: Path) -> None:
    fails = shell(1, "make lint", "till.py:3: bad total", failed=True)
    said = agent(text("The linter requires every total to be a Decimal. Let me change that."))
    made = drafted(tmp_path, ASKED, *fails, said, FIXED)
    assert 'Found: "The linter requires every total to be a Decimal"' in made.friction_points


def test_a_folder_named_for_tests_is_no_run(tmp_path: Path) -> None:
    made = drafted(tmp_path, ASKED, *shell(1, "mkdir -p build/test", ""), FIXED)
    assert "Ran" not in made.summary
