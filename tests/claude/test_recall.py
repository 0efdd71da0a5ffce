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
