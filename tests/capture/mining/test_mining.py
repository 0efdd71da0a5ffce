"""What a transcript teaches: signals, each with what it was about, none twice."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from calmkb.capture.formats.table import read_transcript
from calmkb.capture.formats.turns import Transcript, Turn
from calmkb.capture.mining.signals import mine, praises

SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"


def person(text, **more):
    return Turn(role="person", text=text, **more)


def agent(text):
    return Turn(role="agent", text=text)


def tool(name, command, output="", failed=False):
    use = f"{name} {command} {output}"
    return [
        Turn(role="agent", kind="call", tool=name, text=command, tool_use_id=use),
        Turn(role="tool", kind="result", tool=name, text=output, tool_use_id=use, failed=failed),
    ]


def signals(*turns, last=200):
    flat = [t for part in turns for t in (part if isinstance(part, list) else [part])]
    found = mine(Transcript(turns=tuple(flat), session_id="s"), last=last)
    return [(s["type"], s["confidence"], s["content"]) for s in found]


START = person("Add a coupon field to the checkout form, please")


def test_a_correction_is_tied_to_what_the_agent_had_just_done():
    turns = (START, *tool("Bash", "npm test"), person("no, use pnpm in this repo"))
    (found,) = mine(Transcript(turns=turns, session_id="s"))
    assert (found["type"], found["confidence"]) == ("correction", 2)
    assert found["context"] == "after Bash: npm test"


def test_use_this_instead_of_that_is_surer():
    assert signals(START, agent("Done."), person("use pnpm instead of npm")) == [
        ("correction", 3, "use pnpm instead of npm")
    ]


def test_a_rule_counts_wherever_it_is_said():
    assert signals(person("Always use data-testid in e2e tests.")) == [
        ("convention", 2, "Always use data-testid in e2e tests.")
    ]


LISTED = """
correction: No, the port is 8443.
correction: Nope, that file is generated.
correction: Wrong, the port is 8443.
correction: Incorrect, the id is a string.
correction: That's not right, prices are in cents.
correction: Not quite, the tax comes after the discount.
correction: Actually, the staging database is on port 5433.
correction: Put it into the helper instead.
correction: I'd rather keep the old name.
correction: The default should be off.
correction: It is supposed to be idempotent.
correction: It was meant to be a tuple.
correction: I meant the staging database.
correction: Don't use moment for dates.
correction: Stop using print in the tests.
correction: Switch to ruff for linting.
correction: Prefer httpx over requests.
correction: We don't do that in this code base.
correction: That's outdated, the page has moved.
correction: That changed, the endpoint is /v2 now.
correction: Not anymore, we moved to uv.
correction: The old client is deprecated.
convention: Always use data-testid in the tests.
convention: Never use floats for money.
convention: We prefer small modules.
convention: Our convention is one file a command.
convention: Our standard is black with 100 columns.
convention: The convention is snake_case for tables.
convention: The pattern is one hook a file.
convention: In this project tests live beside the code.
convention: In this repo we squash commits.
convention: In this codebase all times are UTC.
convention: Around here we review each other's work.
convention: On this team every change needs a test.
convention: Our naming convention is camelCase for files.
convention: The file structure mirrors the modules.
convention: The folder structure mirrors the package names.
convention: We put fixtures in tests/data.
convention: New migrations go in db/migrate.
convention: A migration goes in db/migrate.
convention: We keep secrets in the vault.
convention: We follow conventional commits.
convention: We stick to the standard library.
convention: House rule: no default exports.
convention: Code style: no default exports.
convention: Our approach is to test first.
"""


@pytest.mark.parametrize("case", LISTED.strip().splitlines())
def test_a_listed_phrase_is_heard_as_what_it_says(case):
    kind, _, words = case.partition(": ")
    assert (kind, 2, words) in signals(START, agent("Done."), person(words))
    if kind == "convention":
        assert (kind, 2, words) in signals(person(words))


def test_the_first_prompt_describes_the_task_and_corrects_nothing():
    assert signals(person("The price should be in cents, not in euros. Fix the cart.")) == []


def test_words_given_with_a_rejection_count():
    turns = (START, *tool("Edit", "a.py"), person("put it into the helper", kind="rejection"))
    assert signals(*turns) == [("correction", 2, "put it into the helper")]


@pytest.mark.parametrize(
    "words",
    ["", " \n", "```\nnpm ERR! code 1\n```", "`src/form.ts`", "…", "> quoted\n> lines",
     "our session starts with 7a3cf82d-4e1b-4c6e-9d5e-0f6a2b3c4d5e"],
)  # fmt: skip
def test_a_rejection_never_teaches_nothing(words):
    turns = (START, *tool("Bash", "npm test"), person(words, kind="rejection"))
    assert all(content.strip() for _, _, content in signals(*turns))


def test_what_the_client_says_in_a_persons_name_does_not_count():
    echo = Turn(role="system", kind="echo", text="Always use tabs. Don't use spaces.")
    assert signals(START, agent("Done."), echo) == []


def test_commands_to_run_are_kept_three_at_most():
    prompt = person("run `make lint`, `make types`, `pnpm test --run`, `make docs`; see `x = 1`")
    assert signals(START, agent("Done."), prompt) == [
        ("command", 2, "make lint"),
        ("command", 2, "make types"),
        ("command", 2, "pnpm test --run"),
    ]


def test_praise_right_after_a_deed_is_a_pattern():
    found = signals(START, *tool("Edit", "src/form.ts"), person("perfect, that's it"))
    assert found == [("pattern", 1, "Praised: Edit src/form.ts")]
    assert signals(START, agent("Ok."), person("perfect, that's it")) == []


@pytest.mark.parametrize(
    "words",
    ["perfect", "exactly", "that's it", "nailed it", "spot on", "love it", "great", "nice",
     "looks good", "that works", "good approach", "much better"],
)  # fmt: skip
def test_each_word_of_praise_counts_after_an_answer_of_substance(words):
    done = "The price is now rounded once, after the tax is added."
    assert signals(START, agent(done), person(words)) == [("pattern", 1, f"Praised: {done}")]
    assert signals(START, agent(done[:31]), person(words)) == []


@pytest.mark.parametrize("text", ["great, but the tests fail", "is that good?", "nice to have: x"])
def test_half_praise_is_none(text):
    assert not praises(text) or text.startswith("nice to have")


def test_the_same_failure_twice_in_a_row_is_one_signal_with_what_fixed_it():
    error = "Error: connect ECONNREFUSED 127.0.0.1:5432"
    turns = [
        START,
        *tool("Bash", "pnpm e2e", error, failed=True),
        *tool("Bash", "pnpm e2e", error + " ", failed=True),
        *tool("Bash", "docker compose up -d db", "Started"),
        *tool("Bash", "pnpm e2e", "12 passed"),
    ]
    (found,) = signals(*turns)
    assert found[:2] == ("failure", 2)
    assert (
        found[2] == f"`pnpm e2e` failed 2 times: {error}; it worked after `docker compose up -d db`"
    )


def test_one_failure_is_the_ordinary_round_of_work():
    assert signals(START, *tool("Bash", "pytest", "1 failed", failed=True), agent("Fixed.")) == []


def test_three_searches_for_nothing_are_friction_of_the_project():
    turns = [
        t for name in ("auth", "login", "session") for t in tool("Grep", name, "No matches found")
    ]
    assert signals(START, *turns, agent("It is not there.")) == [
        ("project_friction", 1, "3 searches in a row found nothing: `auth`; `login`; `session`")
    ]
    assert signals(START, *turns[:4], *tool("Grep", "found", "a.py:1: x")) == []


def test_only_the_last_turns_are_looked_at():
    early = [START, agent("Done."), person("no, use pnpm in this repo")]
    steps = [agent(f"Step {n}.") for n in range(200)]
    assert signals(*early, *steps[:10], last=10) == signals(*early, *steps) == []
    assert signals(*early, *steps[:100]) == [("correction", 2, "no, use pnpm in this repo")]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_mining_a_sample_twice_gives_the_same_keys(path):
    first, second = mine(read_transcript(path)), mine(read_transcript(path))
    assert first == second
    keys = [found["meta"]["key"] for found in first]
    assert len(keys) == len(set(keys))
    assert first, "every sample teaches something"


def keys(session, *, begun, again=None):
    at = {"timestamp": begun}
    turns = [START, agent("Done."), person("no, use pnpm in this repo", **at)]
    turns += [person("no, use pnpm in this repo", timestamp=again)] if again else []
    found = mine(Transcript(turns=(*turns,), session_id=session))
    return [one["meta"]["key"] for one in found]


def test_words_that_a_resumed_session_repeats_are_the_same_signal():
    begun = datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert keys("first", begun=begun) == keys("resumed", begun=begun)
    assert keys("first", begun=begun) != keys("other", begun=begun + timedelta(seconds=1))


def test_words_said_twice_in_a_session_are_the_signal_of_the_first_time():
    begun = datetime(2026, 11, 20, 10, tzinfo=UTC)
    again = begun + timedelta(hours=1)
    assert keys("s", begun=begun, again=again) == keys("s", begun=begun)
    first, second = (person("no, use pnpm in this repo", timestamp=at) for at in (begun, again))
    turns = (START, agent("Done."), first, START, agent("Done again."), second)
    late = mine(Transcript(turns=turns, session_id="s"), last=3)
    assert [one["meta"]["key"] for one in late] == keys("s", begun=begun)
