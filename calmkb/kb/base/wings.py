"""Which functions of the wings, and of the loop itself, take part: the table of `points`."""

WINGS: dict[str, dict[str, str]] = {
    "loop": {
        "proposals_judged.age": "calmkb.kb.reflect.annotations:with_age",
        "proposals_judged.approvals": "calmkb.kb.reflect.annotations:with_approvals",
        "proposals_judged.files": "calmkb.kb.reflect.documented:with_files",
        "proposals_judged.proof": "calmkb.kb.reflect.annotations:with_proof",
        "session_started": "calmkb.kb.journal.background:session_started",
        "session_wrapped": "calmkb.kb.journal.unwrapped:session_wrapped",
        "sessions_done": "calmkb.kb.journal.unwrapped:update_note",
    },
    "archive": {
        "session_started": "calmkb.wings.archive.verbs.background:session_started",
        "sessions_imported": "calmkb.wings.archive.verbs.background:sessions_imported",
        "find_moments": "calmkb.wings.archive.verbs.moments:find_moments",
        "sessions_not_searched": "calmkb.wings.archive.verbs.moments:sessions_not_searched",
        "open_thread": "calmkb.wings.archive.verbs.threads:open_thread",
        "hand_over": "calmkb.wings.archive.verbs.handover:hand_over",
        "trouble_costs": "calmkb.wings.archive.verbs.moments:trouble_costs",
        "page_of": "calmkb.wings.archive.commands.thread:page",
        "start_step": "calmkb.wings.archive.commands.keep:copy",  # (step, preview)
    },
    "proof": {
        "memory_made": "calmkb.wings.proof.verbs.verify.anchors:with_anchors",
        "memory_faults": "calmkb.wings.proof.verbs.verify.memories:faults",
        "memories_checked": "calmkb.wings.proof.verbs.verify.memories:findings",
        "names_of": "calmkb.wings.proof.verbs.verify.anchors:named_states",
        "calls_stopped": "calmkb.wings.proof.local:stopped",
        "proposals_shown": "calmkb.wings.proof.verbs.verify.anchors:with_names",
        "session_started": "calmkb.wings.proof.verbs.recall.session_start:session_started",
        "hook_answer.PreToolUse": "calmkb.wings.proof.verbs.enforce.before_tool:answer",
        "hook_answer.StopCheck": "calmkb.wings.proof.verbs.enforce.before_tool:answer_stop",
        "hooks_wanted": "calmkb.wings.proof.local:hooks_wanted",
        "hooks_wanted.recall": "calmkb.wings.proof.verbs.recall.switch:wanted",
    },
    "wrapup": {
        "hook_answer.WrapupCheck": "calmkb.wings.wrapup.verbs:answer",
        "hook_answer.WrapupCodex": "calmkb.wings.wrapup.verbs:answer_codex",
        "hook_answer.WrapupGemini": "calmkb.wings.wrapup.verbs:answer_gemini",
        "hooks_wanted": "calmkb.wings.wrapup.verbs:wanted",
        "start_step": "calmkb.wings.wrapup.commands:ask",
    },
    "private": {
        "tool_set.private": "calmkb.wings.private.tools:TOOLS",
        "server_started": "calmkb.wings.private.tools:server_started",
    },
    "analysts": {
        "sessions_read_first": "calmkb.wings.analysts.commands:read_first",
        "proposals_added": "calmkb.wings.analysts.verbs:proposals_added",
        "sessions_done": "calmkb.wings.analysts.verbs:sessions_done",
    },
    "semantic": {"embedder": "calmkb.wings.semantic.minilm:embedder"},
    "site": {"approvals_needed": "calmkb.wings.site.verbs.site_code:site_request"},
    "runs": {"page_of": "calmkb.wings.runs.commands.runs:page"},
    "sharing": {
        "proposals_waiting": "calmkb.wings.sharing.verbs.in_review:in_review",
        "share": "calmkb.wings.sharing.verbs.sync:share_with",
        "reflect_as_request": "calmkb.wings.sharing.commands.pull_request:propose",
    },
}
"""By wing: the points at which it takes part, each with its function as `module:NAME`."""
