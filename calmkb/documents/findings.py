"""What `check` finds: rules, severities, and one finding a fix."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]

RULES: dict[str, tuple[Severity, str]] = {
    "unreadable-record": ("error", "A file among the records cannot be read as one."),
    "duplicate-id": ("error", "Two records have the same id."),
    "case-only-name": ("error", "Two paths differ in case only, and some disks hold one."),
    "dangling-source": ("error", "A record cites one that is not in this journal."),
    "hidden-record": ("warning", "Git shows nobody this record, or changes of it."),
    "secret": ("error", "A record holds a secret or a private span."),
    "conflict": ("warning", "Two current memories say opposite things."),
    "near-duplicate": ("warning", "Two current memories say the same."),
    "conflicting-edits": ("warning", "A memory was edited in two places, and nobody has decided."),
    "forged-approval": ("warning", "A memory names another approver than its commit does."),
    "restored-record": ("note", "A record that a commit beside calmkb's removed was put back."),
    "removed-record": ("note", "A commit made outside calmkb removed records lately."),
    "exempt-values": ("note", "The settings exempt values from the secret filter."),
    "machine-path": ("warning", "A record names a person's folder, login or host."),
    "hidden-character": ("warning", "A record holds characters that no reader sees."),
    "long-digest": ("warning", "More is approved than the digest has room for."),
    "outdated-memory": ("warning", "A memory names what the repository does not have."),
    "unreadable-check": ("warning", "A memory is enforced by a line that is not a check."),
    "enforced-memory": ("error", "A change breaks a memory that blocks."),
    "advised-memory": ("warning", "A change breaks a memory that warns."),
    "gone-anchor": ("error", "What a memory mentions is gone since it was approved."),
    "moved-anchor": ("warning", "What a memory mentions has moved since it was approved."),
    "changed-anchor": ("note", "What a memory mentions has changed since it was approved."),
    "gone-path": ("error", "A text names a path that is gone since its line was written."),
    "moved-path": ("error", "A text names a path that has moved."),
    "gone-command": ("error", "A text names a target of a task runner that is gone."),
    "gone-name": ("warning", "A text names code that is gone since its line was written."),
    "broken-link": ("error", "A text links to a file that is not here."),
    "unknown-path": ("warning", "A text names a path that was never here."),
    "unknown-command": ("warning", "A text names a target that was never here."),
    "drifted-export": ("warning", "An exported file does not say what the memories say."),
    "broken-block": ("error", "The managed block of an exported file is broken or edited."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to fix: where (`path` from the repository's root), the rule, how to fix it.

    `fix` is what the line says and what it should say, where that is sure.
    """

    path: str
    line: int
    rule: str
    message: str
    fix: tuple[str, str] | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is, by its rule; what another package reports is a warning."""
        return RULES[self.rule][0] if self.rule in RULES else "warning"
