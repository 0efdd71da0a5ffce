"""Hooks in the real Codex and Gemini CLI: a suite of its own, `make test-clients`."""
