"""An enforced memory, while the real client runs."""

import pytest

BASH = ("--allowedTools", "Bash")
INSTALL = {
    "tool": "Bash",
    "input": {"command": "echo ran > ran.txt && git push --force-nothing; true"},
}


@pytest.fixture
def enforced(claude):
    """Return a function that has the client's person enforce a rule."""

    def enforce(level: str) -> str:
        added = claude.calmkb("memory", "add", "--category", "workflow", "Do not write ran.txt.")
        short = added.split()[2][:8]
        check = "never run git push --force-nothing"
        claude.calmkb("memory", "enforce", short, "--as", level, "--check", check, typed="y\n")
        return short

    return enforce


def test_a_blocked_call_is_not_made_and_the_model_hears_why(claude, enforced):
    short = enforced("block")
    claude.say("push it", INSTALL, {"text": "done"}, args=BASH)
    assert not (claude.project / "ran.txt").exists()
    assert "Do not write ran.txt." in claude.heard()
    assert f"calmkb agents enforce {short} --pass" in claude.heard()


def test_a_warned_call_is_made_and_the_model_hears_of_it(claude, enforced):
    enforced("warn")
    claude.say("push it", INSTALL, {"text": "done"}, args=BASH)
    assert (claude.project / "ran.txt").exists()
    assert "This is a warning" in claude.heard()


def test_off_again_nothing_is_held_against_it(claude, enforced):
    short = enforced("block")
    claude.calmkb("memory", "enforce", short, "--off")
    claude.say("push it", INSTALL, {"text": "done"}, args=BASH)
    assert (claude.project / "ran.txt").exists()
    assert "Do not write ran.txt." not in claude.heard()


def test_an_agent_that_would_stop_too_early_is_told_what_to_run_and_then_may_stop(claude):
    added = claude.calmkb("memory", "add", "--category", "workflow", "Lint before you finish.")
    short = added.split()[2][:8]
    check = "run make lint before stopping"
    claude.calmkb("memory", "enforce", short, "--as", "block", "--check", check, typed="y\n")
    write = {"tool": "Write", "input": {"file_path": str(claude.project / "a.py"), "content": "a"}}
    claude.say(
        "write it", write, {"text": "done"}, {"text": "no"}, args=("--allowedTools", "Write")
    )
    assert (claude.project / "a.py").exists()
    assert "Ending this turn breaks its check: run make lint before stopping" in claude.heard()
    assert "blocked 1 call, in 1 session" in claude.calmkb("memory", "enforce")
