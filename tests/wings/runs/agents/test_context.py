"""What a run is told of those before it."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from calmkb.wings.runs.context import (
    CHARACTERS,
    SUMMARY_CHARACTERS,
    as_prompt,
    context_of,
    messages_of,
    summarise,
)
from calmkb.wings.runs.model import Message, Run, RunContext, RunEntry

AT = datetime(2026, 10, 1, tzinfo=UTC)


def run(number, task="Do it.", **more):
    return Run(id=f"r{number}", session_id="s", run_number=number, agent_type="echo", task=task,
               started_at=AT, created_at=AT, **{"status": "completed"} | more)  # fmt: skip


def entry(kind, **data):
    return RunEntry(id="e", run_id="r", sequence_number=1, entry_type=kind, data=data,
                    created_at=AT)  # fmt: skip


def past(number, *texts):
    return run(number, f"Task {number}"), [entry("text", text=text) for text in texts]


def test_the_messages_of_a_run_are_its_task_its_words_its_tools_and_its_end():
    entries = [
        entry("run:started", task="x"), entry("thinking", elapsed_ms=2000),
        entry("text", text="I look."), entry("tool:starting", toolName="Bash", args={}),
        entry("tool:complete", toolName="Bash", summary="3 files", result="secret"),
        entry("step:complete", stepNumber=1), entry("run:complete", message="Done."),
        entry("run:error", error="never"),
    ]  # fmt: skip
    assert [(m.role, m.content) for m in messages_of(run(1, "List them"), entries)] == [
        ("user", "List them"), ("assistant", "I look."), ("assistant", "[Tool: Bash] 3 files"),
        ("assistant", "Done."),
    ]  # fmt: skip


def test_a_closing_message_that_repeats_the_last_text_is_given_once():
    entries = [
        entry("text", text="First."), entry("text", text="Last.\n"),
        entry("run:complete", message="Last."),
    ]  # fmt: skip
    assert [m.content for m in messages_of(run(1), entries)] == [
        "Do it.", "First.", "Last.\n"]  # fmt: skip


def test_up_to_three_runs_are_told_in_full():
    told = context_of([past(1, "a"), past(2, "b"), past(3, "c")])
    assert (told.summary, len(told.recent_messages)) == ("", 6)
    assert context_of([]) == RunContext()


def test_of_more_the_last_three_are_full_and_the_others_summarised():
    runs = [past(n, str(n)) for n in range(1, 6)]
    told = context_of(runs[-3:], summary=summarise([run for run, _ in runs[:-3]]))
    assert [m.content for m in told.recent_messages if m.role == "user"] == [
        "Task 3", "Task 4", "Task 5"]  # fmt: skip
    assert told.summary == "- Task 1 → completed\n- Task 2 → completed"


def test_a_summary_tells_task_and_outcome_and_counts_what_it_leaves_out():
    done = run(1, "Count\nthe lines", result={"message": "There are 7."})
    assert summarise([done]) == "- Count the lines → There are 7."
    many = [run(n, f"{n} " + "word " * 60, result={"message": "done"}) for n in range(200)]
    told = summarise(many)
    assert len(told) <= SUMMARY_CHARACTERS + 60
    assert told.startswith("(") and "earlier runs left out)" in told and "- 199 word" in told
    assert summarise(many) == told


@given(st.lists(st.lists(st.text(max_size=50_000), max_size=3), max_size=3))
def test_however_much_was_said_the_context_is_bounded_and_keeps_the_newest(texts):
    told = context_of([past(number, *said) for number, said in enumerate(texts)])
    assert sum(len(m.content) for m in told.recent_messages) <= CHARACTERS
    words = [text for said in texts for text in said if text]
    if words and words[-1] and len(words[-1]) < CHARACTERS and texts[-1] and texts[-1][-1]:
        assert told.recent_messages[-1].content == texts[-1][-1]


def test_as_one_text_the_task_comes_last():
    context = RunContext(
        summary="- a → b",
        recent_messages=(
            Message(role="user", content="Hi"),
            Message(role="assistant", content="Ho"),
        ),
    )
    assert as_prompt(context, "Now this.").endswith("The task now:\n\nNow this.")
    assert "User: Hi\n\nYou: Ho" in as_prompt(context, "x")
    assert as_prompt(RunContext(), "Only this.") == "Only this."
