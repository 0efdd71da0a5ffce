"""The one line of a failed tool's output that says what went wrong, and what is noise."""

import re

from calmkb.capture.formats.cleaning import clip, one_line

LINE_LIMIT = 200
# No error needs more to be known, and patterns stay quick on lines of minified code.
_LINE_READ = 600

_NOISE = re.compile(
    r"File has not been read yet|has been modified since|String to replace not found"
    r"|No changes to make|Found \d+ matches of the string|InputValidationError"
    r"|File does not exist|Path does not exist|EISDIR|exceeds maximum allowed|Sibling tool call"
    r"|[Pp]arallel tool call|haven't granted|requested permissions|[Pp]ermission .{0,40} denied by"
    r"|Permission to use|auto-denied|doesn't want to (?:proceed|take)|Request interrupted"
    r"|No task found with ID|Unknown skill|Request failed with status code|Unable to fetch"
    r"|chose to stay in plan mode|was blocked|background shell|Shell .{0,20} is not running"
    r"|Unable to verify if domain|file is empty|No such tool|not enabled in this context"
)
_SKIPPED = re.compile(
    r"^(?:Exit code -?\d+|exit status \d+|hint:|npm (?:warn|notice)|warning:|\[?WARN"
    r"|npm (?:error|ERR!) (?:code|syscall|errno|path|dest|cwd|command|signal|at|enoent$)\b"
    r"|Traceback|During handling|The above exception|at \S|from \S+:\d|File \"|\.\.\.|…"
    r"|[{}\[\]()]+$"
    r"|FAIL$|FAILED$|ok\b|PASS\b|[✓✔]|={3,}|-{3,}(?! FAIL)|_{3,}|#\s|\? |>\s|diff |index |\+|\$ )"
    r"|A complete log of this run|ELIFECYCLE|Command failed with exit code|task failed"
    r"|Process completed with|^\s*\^+\s*$|make(?:\[\d+\])?: \*\*\*|Finished in|short test summary"
    r"|^\d+ (?:failed|passed)|failed to push some refs",
    re.IGNORECASE,
)
_MARK = re.compile(r"--- FAIL|[✗✘✖\u00d7●]")
# From the most telling form to the least; the first line of the best form is taken.
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^E\s+(?:[\w.]+\.)[A-Z]\w+: .*\S"
        r"|^(?:E\s+)?(?:[\w.]+\.)?\w*(?:Error|Exception|Fault|Timeout)\b(?: \[\w+\])?: .*\S",
        r"^(?:fatal|FATAL|ERROR|panic|npm (?:error|ERR!)(?! code)|error(?:\[\w+\]"
        r"| TS\d+)?)\b[:!]? .*\S",
        r"[Cc]onnection refused|ECONNREFUSED|command not found|[Cc]annot (?:find|connect)"
        r"|could not connect"
        r"|ERR_[A-Z_]+|[Pp]ermission denied|timed out|[Tt]imeout .*exceeded|EADDRINUSE"
        r"|already in use"
        r"|does not exist|out of date|no space left|not installed|denied|ignored by one of",
        r"(?:^|\s|\[)(?:error|Error)(?:\s+TS\d+)?\b\]?:? ",
        r"^--- FAIL|^FAILED |^\s*[✗✘✖\u00d7●]|^not ok|^FAIL ",
        r"(?i)\b(?:cannot|can't|could not|unable|failed|failure|missing|undefined|unexpected"
        r"|invalid"
        r"|no such|not found|refused|conflict|mismatch|must|is not|rejected|should not)\b",
    )
)
_SURE = (*_FORMS[:3], re.compile(r"^--- FAIL"))
_ASSERTION = re.compile(r"^(?:AssertionError|assert\b|Expected|expected)")
_TEST = re.compile(r"^(?:FAIL(?:ED)?:?|--- FAIL:|[✗✘✖\u00d7●])\s+(?=\S*[./:\w]{4})(.+?)(?: - .*)?$")


def is_noise(output: str) -> bool:
    """Tell failures of the agent's own handling, which no project can fix, from real ones."""
    return _NOISE.search(output[:600]) is not None


def find_error_line(output: str, *, sure: bool = False) -> str:
    """Return the line of `output` that names the error; "" where no line does.

    With `sure`, only forms count that are errors beyond doubt: for a text that need not be output.
    """
    lines = [one_line(line[:_LINE_READ]) for line in output.split("\n")]
    useful = [(n, line) for n, line in enumerate(lines) if line and not _SKIPPED.search(line)]
    for form in _SURE if sure else _FORMS:
        for number, line in useful:
            if form.search(line):
                found = _trimmed(_with_cause(line, lines[number + 1 : number + 4]))
                return clip(_with_test(found, lines), LINE_LIMIT)
    return ""


def normalised(line: str) -> str:
    """Return the error without what changes from run to run: numbers, paths, hashes, quotes."""
    line = re.sub(r"(?:~|\.{1,2})?/[\w./@+-]+", "/…", line.lower())
    line = re.sub(r"\b[0-9a-f]{7,}\b|\d+(?:\.\d+)*", "0", line)
    return re.sub(r"\W+", " ", line).strip()


def _with_cause(line: str, following: list[str]) -> str:
    """Add what the next line says to the bare name of a failed test, or to a line that ends in :"""
    bare = line.endswith(":") or (_MARK.match(line) and ": " not in line)
    if not bare:
        return line
    name = re.sub(r"^--- FAIL:?\s*|\s*\([\d.]+m?s\)$", "", line).rstrip(":.")
    for cause in following:
        if (
            "│" not in cause
            and re.search(r"[A-Za-z]{2}", cause)
            and not (_SKIPPED.search(cause) or _MARK.match(cause))
        ):
            return f"{name}: {cause}"
    return name


def _with_test(found: str, lines: list[str]) -> str:
    """Put the name of the test before an assertion, which says little without it."""
    if not _ASSERTION.match(found):
        return found
    found = re.sub(r"\s*// Object\.is equality$", "", found)
    for line in lines:
        if test := _TEST.match(line):
            return f"{clip(test[1], LINE_LIMIT // 2)}: {found}"
    return found


def _trimmed(line: str) -> str:
    """Take off the marks that frame an error, not the error itself."""
    line = re.sub(
        r"^(?:E\s+|[\u2800-\u28ff]+\s*"
        r"|[✗✘✖\u00d7●│┃|]\s*|--- FAIL:\s*|npm (?:ERR!|error)\s*|ERROR:\s+)+",
        "",
        line,
    )
    line = re.sub(r"\s*\([\d.]+ ?m?s\)$", "", line)
    line = line.strip(" │┃|")
    return line[1:-1] if re.fullmatch(r"\[\w*Error: .*\]", line) else line
