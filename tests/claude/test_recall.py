"""Memories told at the prompt, while the real client runs."""

RULE = "Install with pnpm: npm rewrites the lock file of the workspace."


def test_the_model_hears_the_memory_that_the_prompt_is_about_and_no_other(claude):
    claude.calmkb("memory", "add", "--category", "workflow", RULE)
    claude.calmkb("memory", "add", "--category", "fact", "Refunds go through the payment client.")
    claude.calmkb("recall", "--on", typed="y\n")
    claude.say("npm rewrote the lock of the workspace again", {"text": "done"})
    assert RULE in claude.heard()
    assert "Refunds" not in claude.heard()


def test_off_again_the_model_hears_nothing(claude):
    claude.calmkb("memory", "add", "--category", "workflow", RULE)
    claude.calmkb("recall", "--on", typed="y\n")
    claude.calmkb("recall", "--off", typed="y\n")
    claude.say("npm rewrote the lock of the workspace again", {"text": "done"})
    assert RULE not in claude.heard()


def test_the_model_hears_a_memory_with_the_call_that_it_is_about(claude):
    (claude.project / "pay.py").write_text("def refund(): ...\n")
    rule = "Refunds go through `refund_client()` alone."
    claude.calmkb("memory", "add", "--category", "fact", "--path", "pay.py", rule)
    claude.calmkb("recall", "--on", typed="y\n")
    read = {"tool": "Read", "input": {"file_path": str(claude.project / "pay.py")}}
    look = {"tool": "Bash", "input": {"command": "ls"}}
    claude.say("what is in here?", look, read, read, {"text": "Refunds."})
    assert claude.heard().count(rule) == 1
