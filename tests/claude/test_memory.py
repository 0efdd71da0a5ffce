"""Approved memories in the real client's own memory."""


def test_the_client_reads_the_line_of_the_index_in_every_session(claude):
    claude.calmkb("memory", "add", "--category", "fact", "Prices are kept in cents, always.")
    claude.calmkb("export", "--target", "claude-memory")
    claude.say("hello", {"text": "hello"})
    assert "Prices are kept in cents, always." in claude.heard()
    assert not (claude.project / "CLAUDE.md").exists()
