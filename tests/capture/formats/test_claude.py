import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calmkb.capture.formats.cleaning import whole_texts
from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import PlanItem, Transcript
from tests.capture.support import DATA, agent, call, result, shell, text, user, write


def people(transcript: Transcript) -> list[str]:
    return [turn.text for turn in transcript.turns if turn.role == "person"]


def test_a_prompt_an_answer_a_call_and_its_result_become_turns(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        user("Run the tests", sessionId="s1", cwd="/home/dev/shop", gitBranch="main"),
        agent(text("Running them."), call("t1", "Bash", command="make test")),
        result("t1", "2 failed", failed=True),
    )
    transcript = read_transcript(path)
    prompt, answer, tool_call, tool_result = transcript.turns
    assert (prompt.role, prompt.text) == ("person", "Run the tests")
    assert (answer.role, answer.text) == ("agent", "Running them.")
    assert (tool_call.kind, tool_call.tool, tool_call.text) == ("call", "Bash", "make test")
    assert (tool_result.role, tool_result.tool, tool_result.failed) == ("tool", "Bash", True)
    assert tool_result.tool_use_id == tool_call.tool_use_id == "t1"
    assert transcript.session_id == "s1"
    assert transcript.working_directory == "/home/dev/shop"
    assert transcript.branch == "main"
    assert transcript.agent == "claude-code"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (user("<command-name>/clear</command-name>"), "command"),
        (user("<command-message>init is running</command-message>"), "echo"),
        (user("<local-command-stdout>done</local-command-stdout>"), "echo"),
        (user("<system-reminder>Be brief.</system-reminder>"), "echo"),
        (user("<task-notification><status>done</status></task-notification>\nSee log"), "echo"),
        (user("[Request interrupted by user]"), "interruption"),
        (user([text("[Request interrupted by user for tool use]")]), "interruption"),
        (user("Base directory for this skill", isMeta=True), "echo"),
        (user("What was done so far", isCompactSummary=True), "compaction"),
        (user("This session is being continued from a previous conversation"), "compaction"),
    ],
)
def test_what_the_client_says_in_a_users_name_is_no_person(
    tmp_path: Path, line: dict[str, object], kind: str
) -> None:
    (turn,) = read_transcript(write(tmp_path, line)).turns
    assert (turn.role, turn.kind) == ("system", kind)


def test_a_prompt_keeps_its_words_and_loses_the_reminders_in_it(tmp_path: Path) -> None:
    line = user("Add a filter <system-reminder>opened x.ts</system-reminder>please")
    assert people(read_transcript(write(tmp_path, line))) == ["Add a filter please"]


def test_a_slash_command_keeps_its_arguments_as_a_command(tmp_path: Path) -> None:
    line = user("<command-name>/plan</command-name>\n<command-args>the export</command-args>")
    (turn,) = read_transcript(write(tmp_path, line)).turns
    assert (turn.kind, turn.text) == ("command", "/plan the export")


def test_the_words_of_a_rejection_are_a_persons_turn(tmp_path: Path) -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected."
        " To tell you how to proceed, the user said:\nuse the fixture instead"
        "\n\nNote: The user's next message may contain a correction or preference."
    )
    path = write(
        tmp_path, agent(call("t1", "Write", file_path="/a.py")), result("t1", refusal, failed=True)
    )
    _, answer, words = read_transcript(path).turns
    assert (answer.role, answer.kind) == ("tool", "rejection")
    assert (words.role, words.kind, words.text) == (
        "person",
        "rejection",
        "use the fixture instead",
    )


def test_a_rejection_without_words_adds_no_person(tmp_path: Path) -> None:
    refusal = "The user doesn't want to proceed with this tool use. STOP what you are doing."
    path = write(tmp_path, agent(call("t1", "Bash")), result("t1", refusal, failed=True))
    assert people(read_transcript(path)) == []


def test_what_the_client_says_with_a_rejection_is_nobodys_word(tmp_path: Path) -> None:
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell "
        "you how to proceed, the user said:\nThe user wants to clarify these questions.\n"
        "    This means they may have additional information for you."
    )
    path = write(tmp_path, agent(call("t1", "AskUserQuestion")), result("t1", refusal, failed=True))
    assert people(read_transcript(path)) == []


def test_lines_of_one_message_are_one_turn_and_a_repeat_adds_nothing(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        agent(text("One."), message_id="m1"),
        agent(text("One."), message_id="m1"),
        agent(text("Two."), message_id="m1"),
        agent(call("t1", "Read", file_path="/a"), message_id="m1"),
        agent(call("t1", "Read", file_path="/a"), message_id="m1"),
    )
    assert [turn.text for turn in read_transcript(path).turns] == ["One.\n\nTwo.", "/a"]


def test_a_line_that_a_resumed_session_carries_over_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path, user("Fix it", uuid="u1"), user("Fix it", uuid="u1"))
    assert people(read_transcript(path)) == ["Fix it"]


def test_sub_agents_are_flagged_and_their_caller_is_no_person(tmp_path: Path) -> None:
    path = write(tmp_path, user("Find the callers", isSidechain=True), user("Thanks"))
    side, main = read_transcript(path).turns
    assert (side.role, side.is_sidechain) == ("agent", True)
    assert (main.role, main.is_sidechain) == ("person", False)


def test_times_are_in_utc_and_a_clock_that_runs_back_does_no_harm(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        user("b", timestamp="2026-10-05T10:00:00+02:00"),
        user("a", timestamp="2026-10-05T07:00:00Z"),
        user("c", timestamp="yesterday"),
    )
    transcript = read_transcript(path)
    assert transcript.started_at == datetime(2026, 10, 5, 7, tzinfo=UTC)
    assert transcript.ended_at == datetime(2026, 10, 5, 8, tzinfo=UTC)
    assert transcript.turns[2].timestamp is None


def test_plain_role_and_content_lines_are_read(tmp_path: Path) -> None:
    path = write(
        tmp_path, {"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello"}
    )
    assert [turn.role for turn in read_transcript(path).turns] == ["person", "agent"]


def test_words_typed_while_the_agent_works_are_a_persons_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        user("Start"),
        {"type": "queue-operation", "operation": "enqueue", "content": "and the docs"},
        {"type": "queue-operation", "operation": "remove"},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and the docs"}},
    )
    assert people(read_transcript(path)) == ["Start", "and the docs"]


def test_a_huge_tool_result_is_cut_in_the_middle(tmp_path: Path) -> None:
    huge = f"start {'x' * 300_000} end"
    path = write(tmp_path, agent(call("t1", "Bash", command="x")), result("t1", huge))
    kept = read_transcript(path).turns[1].text
    assert len(kept) < 5_000
    assert kept.startswith("start") and kept.endswith("end")


def test_the_old_todo_list_is_kept_as_it_stands(tmp_path: Path) -> None:
    todos = [{"content": "Write", "status": "completed"}, {"content": "Test", "status": "pending"}]
    path = write(tmp_path, agent(call("t1", "TodoWrite", todos=todos)))
    assert read_transcript(path).turns[0].plan == (
        PlanItem(text="Write", status="completed"),
        PlanItem(text="Test", status="pending"),
    )


def test_new_tasks_are_numbered_by_their_result_and_updated_by_number(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        agent(call("t1", "TaskCreate", subject="Write")),
        result("t1", "Task #7 created successfully: Write"),
        agent(call("t2", "TaskUpdate", taskId="7", status="in_progress")),
        agent(call("t3", "TaskUpdate", taskId="7", status="deleted")),
    )
    plans = [turn.plan for turn in read_transcript(path).turns if turn.plan is not None]
    assert plans == [(PlanItem(text="Write"),), (PlanItem(text="Write", status="in_progress"),), ()]


def test_the_odd_session_loses_no_turn_and_names_its_broken_lines() -> None:
    path = DATA / "2026-10-16-storefront-oddities.jsonl"
    transcript = read_transcript(path)
    raw = path.read_bytes().splitlines()
    assert len(transcript.broken_lines) == 2
    for number in transcript.broken_lines:
        with pytest.raises((ValueError, AssertionError)):
            assert isinstance(json.loads(raw[number - 1]), dict)
    assert people(transcript)[:2] == [
        "Add a price filter to the product search.",
        "wait, prices are in cents, not in euros. the slider has to send cents",
    ]
    assert not any("\x1b" in turn.text for turn in transcript.turns)


def test_texts_are_read_whole_with_their_changes_only_to_be_kept(tmp_path: Path) -> None:
    lines = "\n".join(f"line {number}" for number in range(2_000))
    edit = call("t2", "Edit", file_path="a.py", old_string="one\ntwo", new_string="three")
    path = write(tmp_path, *shell(1, "make", lines), agent(edit), result("t2", "ok"))
    judged = read_transcript(path).turns
    with whole_texts():
        kept = read_transcript(path).turns
    assert ("line 900\n" in judged[1].text, "line 900\n" in kept[1].text) == (False, True)
    assert (judged[2].change, kept[2].change) == ("", "- one\n- two\n+ three")


def test_a_large_file_is_judged_by_shorter_texts(tmp_path: Path) -> None:
    path = write(tmp_path, *shell(1, "make", "\n".join(map(str, range(2_000)))))
    (small,) = [turn.text for turn in read_transcript(path).turns if turn.kind == "result"]
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"// {'x' * 1_000_000}\n" for _ in range(68))
    (large,) = [turn.text for turn in read_transcript(path).turns if turn.kind == "result"]
    assert (len(small), len(large)) == (4_003, 1_003)
    assert large.startswith("0\n1\n") and large.endswith("\n1999")


def test_a_message_over_a_channel_is_a_persons(tmp_path: Path) -> None:
    words = '<channel source="plugin:telegram:telegram" chat_id="1">Use full paths</channel>'
    line = user([text(words)], isMeta=True, origin={"kind": "channel", "server": "telegram"})
    assert people(read_transcript(write(tmp_path, line))) == ["Use full paths"]


def test_what_the_client_sends_is_no_persons_though_a_channel_is(tmp_path: Path) -> None:
    told = user("Task 7 is done", origin={"kind": "task-notification"})
    chat = user('<channel source="telegram">Use full paths</channel>', isMeta=True)
    typed = user("Go on", origin={"kind": "human"})
    assert people(read_transcript(write(tmp_path, told, chat, typed))) == [
        "Use full paths",
        "Go on",
    ]


@pytest.mark.parametrize("message_id", ["m1", ""])
def test_calls_of_one_id_are_each_told_with_their_result(tmp_path: Path, message_id: str) -> None:
    calls = [call("0", "Bash", command=command) for command in ("make build", "make test")]
    results = [result("0", "ok"), result("0", "1 failed", failed=True)]
    first, second = [agent(one, message_id=message_id, timestamp=f"2026-11-20T10:0{at}:00Z")
                     for at, one in enumerate(calls)]  # fmt: skip
    for lines in ([first, results[0], second, results[1]], [first, second, *results]):
        turns = read_transcript(write(tmp_path, user("Build"), *lines)).turns
        by_id = {turn.tool_use_id: turn.text for turn in turns if turn.kind == "call"}
        told = [(by_id[one.tool_use_id], one.failed) for one in turns if one.kind == "result"]
        assert told == [("make build", False), ("make test", True)]


def test_a_short_answer_that_repeats_answers_each_prompt_and_a_copied_line_none(
    tmp_path: Path,
) -> None:
    done = [agent(text("Done."), message_id="m", timestamp=f"2026-11-20T10:0{at}:00Z")
            for at in (1, 2, 1)]  # fmt: skip
    path = write(tmp_path, user("One"), done[0], user("Two"), done[1], user("One"), done[2])
    assert [one.text for one in read_transcript(path).turns if one.role == "agent"] == ["Done."] * 2


def test_ids_that_repeat_lose_no_call_no_result_and_no_words(tmp_path: Path) -> None:
    first = agent(call("Bash:0", "Bash", command="make build"), message_id="m1")
    again = agent(call("Bash:0", "Bash", command="make test"), message_id="m2")
    path = write(
        tmp_path, user("Build"), first, result("Bash:0", "ok"), user("Test"), again,
        result("Bash:0", "1 failed", failed=True), agent(text("Red."), message_id="m1"),
        user("Why?"), agent(text("A total."), message_id="m1"),
    )  # fmt: skip
    turns = read_transcript(path).turns
    calls = [turn for turn in turns if turn.kind == "call"]
    results = [turn for turn in turns if turn.kind == "result"]
    assert [turn.text for turn in calls] == ["make build", "make test"]
    assert [turn.failed for turn in results] == [False, True]
    assert [one.tool_use_id for one in calls] == [one.tool_use_id for one in results]
    assert len({turn.tool_use_id for turn in calls}) == 2
    assert turns[-1].text == "A total."
