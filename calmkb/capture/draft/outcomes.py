"""Whether the words of a run tell that it failed, whatever its exit code."""

import re

_MARKS = ("\n--- FAIL", "\nFAIL", "\nerror: ", "\nERROR: ", " ERROR task failed")
_COUNTED = re.compile(r"[1-9]\d* (?:tests? )?fail(?:ed|ures?)\b")


def tells_failure(output: str) -> bool:
    """Tell a failed run: a pager after a pipe hides the exit code, but not the words."""
    text = f"\n{output}"
    return any(mark in text for mark in _MARKS) or (
        " fail" in text and _COUNTED.search(text) is not None
    )
