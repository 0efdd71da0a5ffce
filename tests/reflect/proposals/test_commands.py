"""How a project is tested and built, told by the runs that its sessions saw pass."""

from dataclasses import replace

from calmkb.model import Reflection, Rejection
from calmkb.reflect.proposals.commands import usual_commands
from calmkb.reflect.proposals.propose import propose
from calmkb.reflect.statements.statements import statements_of
from tests.reflect.proposals.test_mined import drafted, run
from tests.reflect.proposals.test_proposals import LEVELS, session

PASSED = "Ran `just check` (2 times, passed at last), `just test-db && just fmt` (passed)."
PROPOSED = (
    "Run the tests with `just test-db`, format with `just fmt` "
    "and run all checks with `just check`."
)


def ran(number, summary=PASSED, **more):
    return drafted(number, summary=f"Asked to add a column. {summary}", **more)


def texts(*views, files=()):
    return [one.text for one in usual_commands(views, lambda project: files)]


def test_what_passed_in_three_sessions_is_how_it_is_done_here():
    assert texts(ran(1), ran(2)) == []
    (made,) = usual_commands([ran(1), ran(2), ran(3)])
    assert made.text == PROPOSED
    assert (made.source, made.confidence) == ("mined", "high")
    assert made.reasoning == "They passed in 3 sessions here."
    quotes = {"`just test-db && just fmt` (passed)", "`just check` (2 times, passed at last)"}
    assert {one.quote for one in made.evidence} == quotes


def test_a_single_test_is_run_by_any_name():
    views = [ran(n, f"Ran `just test -k test_{n} -v` (passed).") for n in range(3)]
    assert texts(*views) == ["A single test with `just test -k NAME`."]


def test_what_anyone_would_try_first_is_not_told_and_failures_never():
    plain = "Ran `npm test` (passed), `cargo build` (passed), `go test ./internal/x` (passed)."
    assert texts(*(ran(n, plain) for n in range(4))) == []
    one = "Ran `go test ./... -run TestA` (passed), `pytest tests/test_a.py -k b` (passed)."
    assert texts(*(ran(n, one) for n in range(4))) == []
    task = "Ran `go test ./...` (passed), `mise run lint` (passed), `go build ./...` (passed)."
    assert texts(*(ran(n, task) for n in range(4))) == ["Lint with `mise run lint`."]
    tagged = "Ran `go test -tags e2e ./...` (passed)."
    assert texts(*(ran(n, tagged) for n in range(4))) == [
        "Run the tests with `go test -tags e2e ./...`."
    ]
    failed = "Ran `just test-db` (3 times, failed at last)."
    assert texts(*(ran(n, failed) for n in range(4))) == []


def test_a_task_that_passes_by_another_program_alone_is_told():
    fails = [ran(n, "Ran `npm run lint` (2 times, failed at last).") for n in range(3)]
    works = ran(3, "Ran `pnpm lint` (passed).")
    said = "Use `pnpm lint`, not `npm run lint`; the latter never passes here."
    assert texts(*fails, works) == [said]
    assert texts(*fails[1:], works) == []
    assert texts(*fails, works, ran(4, "Ran `npm run lint` (passed).")) == []
    # A test that always fails says nothing of how it is run.
    assert texts(*fails, ran(3, "Ran `pnpm lint:fix` (passed).")) == []


def test_what_belongs_to_one_machine_or_gives_up_a_check_is_left_out():
    for command in ("/opt/x/run-tests test", "just test | tee out", "git push --no-verify test",
                    "cd ~/shop just test"):  # fmt: skip
        assert texts(*(ran(n, f"Ran `{command}` (passed).") for n in range(4))) == []


def test_the_second_command_for_tests_is_named_where_it_is_used_too():
    unit, whole = "Ran `just unit-test` (passed).", "Ran `just test-all` (passed)."
    views = [*(ran(n, unit) for n in range(6)), *(ran(n, whole) for n in range(6, 9))]
    assert texts(*views) == ["Run the tests with `just unit-test` or `just test-all`."]


def test_a_further_session_changes_neither_words_nor_evidence():
    (before,) = usual_commands([ran(n) for n in range(3)])
    (after,) = usual_commands([ran(n) for n in range(8)])
    assert before.id == after.id


def test_nothing_is_proposed_where_all_sessions_were_reflected_on():
    views = [ran(n) for n in range(3)]
    done = [replace(one, reflected_at=one.entry.created_at) for one in views]
    assert texts(*done) == []


def test_what_a_file_of_the_project_names_is_held():
    (made,) = usual_commands(
        [ran(1), ran(2), ran(3)],
        lambda project: [
            ("README.md", ""),
            ("CLAUDE.md", "# Shop\n`just test-db`, `just fmt`, `just check`"),
        ],
    )
    assert made.held == "already in CLAUDE.md: line 2"


def test_a_written_wrap_up_is_read_as_prose():
    assert texts(*(session(n, PASSED) for n in range(4))) == []


def test_once_rejected_it_stays_away_though_more_sessions_ran_it():
    views = [ran(n) for n in range(3)]
    assert [one.text for one in run(*views, more=usual_commands(views)).open] == [PROPOSED]
    (made,) = usual_commands(views)
    no = Reflection(
        id="77777777-7777-4777-8777-777777777777",
        created_at=views[0].entry.created_at,
        rejected=(Rejection(text=made.text, evidence=made.evidence_hash),),
    )
    more = [ran(n) for n in range(9)]
    found = propose(statements_of(more), (), (no,), **LEVELS, more=usual_commands(more))
    assert (found.open, [one.text for one in found.rejected]) == ((), [PROPOSED])
