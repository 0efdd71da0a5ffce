"""What each type of entry says of a run, by the names that clients read."""

from tests import warm
from tests.cli.conftest import project  # noqa: F401 - a fixture
from tests.trust.support import write_allowed
from tests.wings.runs.agents.test_agents import CLAUDE, carry_out, program, settings

FIELDS = {
    "run:started": {"task", "maxSteps", "agentType"},
    "text": {"text", "stepNumber"},
    "tool:starting": {"toolName", "toolCallId", "args", "stepNumber"},
    "tool:complete": {"toolName", "toolCallId", "result", "success", "summary", "stepNumber"},
    "step:complete": {"stepNumber"},
    "run:complete": {"success", "message", "steps"},
}
MORE = {"tool:complete": {"durationMs"}}


def test_each_entry_has_the_fields_of_its_type_and_the_result_its_own(tmp_path):
    text = settings(program(tmp_path, CLAUDE), format="claude-stream-json")
    ((run, entries),) = carry_out(tmp_path, text, config={"maxSteps": 9})
    found = {one.entry_type: set(one.data) - MORE.get(one.entry_type, set()) for one in entries}
    assert found == FIELDS
    assert {"success", "message"} <= set(run.result)
    assert run.config == {"maxSteps": 9}
    assert [one.sequence_number for one in entries] == list(range(1, len(entries) + 1))


def test_a_run_that_fails_says_why_and_at_which_step(tmp_path):
    ((run, entries),) = carry_out(tmp_path, settings(program(tmp_path, "import sys; sys.exit(3)")))
    assert (run.status, set(entries[-1].data)) == ("failed", {"error", "stepNumber"})


def test_a_person_sees_for_how_long_the_model_thinks(project):  # noqa: F811
    write_allowed(project, "[agents.slow]\ncommand = \"sh -c 'echo begun; sleep 600'\"\n")
    child = warm.at_terminal("run", "slow", "x", folder=project, dimensions=(40, 120))
    child.expect("begun")
    child.expect("… thinking 2 s")
    child.sendintr()
    child.expect("Cancelled")
    child.read()
    child.wait()
    assert child.exitstatus == 130
