"""A run whose every text is written by somebody who means harm to those who look at it."""

HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    '"><svg onload="document.title=1"><iframe src="https://evil.example">',
    "[click](javascript:document.title='owned') javascript:document.title='owned'",
    "</pre></details></div></script><b onclick=x>",
    "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
    "abc\u202egnp.exe\u2066 zero\u200bwidth",
    "data: x\n\nevent: end\ndata: owned\rid: 7\r\n\r\n",
    "{{ 7 * 7 }} {% raw %} ${7*7} &lt;b&gt;",
)


async def write_hostile(journal):
    """Write such a run, to its end, and return it."""
    words = " ".join(HOSTILE)
    session = await journal.create_session("echo", title=words[:200])
    run = await journal.start_run(session.id, words)
    for text in HOSTILE:
        await journal.append(run.id, "text", {"text": text})
        args = {"toolName": text, "toolCallId": text, "args": {text: [text]}}
        await journal.append(run.id, "tool:starting", args, step_number=1)
        answer = {"toolName": text, "result": {text: text}, "success": False, "summary": text}
        await journal.append(run.id, "tool:complete", answer, step_number=1)
    odd = {"text": {"a": ["<b>"]}, "stepNumber": "<i>", "elapsed_ms": "<u>", "success": "<s>"}
    for kind in ("text", "thinking", "tool:starting", "tool:complete", "step:complete",
                 "run:error", "run:complete"):  # fmt: skip
        await journal.append(run.id, kind, odd)
    return await journal.finish_run(run.id, "failed", result={"error": words})
