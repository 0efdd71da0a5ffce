"""The one line of a failed tool's output that says what went wrong, and what is noise."""

import re

from calmkb.capture.formats.cleaning import clip, one_line

LINE_LIMIT = 200
# No error needs more to be known, and patterns stay quick on lines of minified code.
_LINE_READ = 600

# The client refuses, or the agent's own handling of its tools went wrong.
_CLIENT = re.compile(
    r"File has not been read yet|has been modified since|String to replace not found"
    r"|No changes to make|Found \d+ matches of the string|InputValidationError"
    r"|File does not exist|Path does not exist|EISDIR|exceeds maximum allowed"
    r"|No task found with ID|Unknown skill|Request failed with status code|Unable to fetch"
    r"|chose to stay in plan mode|background shell|Shell .{0,20} is not running"
    r"|Unable to verify if domain|file is empty|No such tool|not enabled in this context"
    r"|Agent type .{1,80} not found|not a prompt-based skill|posix_spawn '"
)
# No command ran, or the shell could not read it, or it was sent to a folder that is not there.
_NEVER_RAN = re.compile(
    r"Sibling tool call|[Pp]arallel tool call|haven't granted|requested permissions"
    r"|[Pp]ermission .{0,40} denied by|Permission to use|auto-denied"
    r"|doesn't want to (?:proceed|take)|Request interrupted|was blocked\. For security"
    r"|requires approval|contains multiple operations|[Tt]ool (?:call|use) (?:was )?cancelled"
    r"|stopped after \d+ steps|could not be started"
    r"|\(eval\):\d+: (?:parse error|no matches found|bad pattern|unmatched"
    r"|no such file)"
    r"|syntax error near unexpected token|unexpected EOF while looking for"
    r"|\bcd:(?:\d+:)? .{0,200}(?:[Nn]o such file|not a directory)"
)
_SHELL = re.compile(r"Exit code -?\d+\b")
_SKIPPED = re.compile(
    r"^(?:Exit code -?\d+|exit status \d+|hint:|npm (?:warn|notice)|\W*(?:\w+ )?warn(?:ing)?\b"
    r"|\S+:\d+:\d+: warning|(?:\d\S* )*(?:DEBUG|INFO|NOTICE|TRACE)\b"
    r"|npm (?:error|ERR!) (?:code|syscall|errno|path|dest|cwd|command|signal|at|enoent$|[A-Z]:)"
    r"(?!\w)"
    r"|Traceback|During handling|The above exception|at \S|from \S+:\d|File \"|\.\.\.|…"
    r"|[{}\[\]()]+$|usage:|(?:FAIL|FAILED)\s+\S+\s+\(?[\d.]+ ?m?s\)?$"
    r"|FAIL$|FAILED$|ok\b|PASS\b|[✓✔]|={3,}|-{3,}(?! FAIL)|_{3,}|#\s|\? |>\s|diff |index |\+|\$ )"
    r"|A complete log of this run|ELIFECYCLE|Command failed with exit code|task failed"
    r"|Process completed with|^\s*\^+\s*$|make(?:\[\d+\])?: \*\*\*|Finished in|short test summary"
    r"|^\d+ (?:failed|passed|issues?|problems?|errors?)\b|failed to push some refs|^\* \w+: \d+$"
    r"|^(?:To|From) \S+$|^\[?\d+%|post-quantum|too many errors$"
    r"|using sourcemap|Error Trace:|:\d+: : #",
    re.IGNORECASE,
)
# What a task runner, a remote or pytest puts before each line.
_ASSERTS = re.compile(
    r"\b(?:want|got|expect\w*|should|must|fail\w*|err(?:or)?|not|n't|nil|mismatch|missing|unexpected"
    r"|panic\w*|timed out|invalid|is empty|differ\w*)\b|!=",
    re.IGNORECASE,
)
_LOGGED = re.compile(r"\b(?:INFO|DEBUG|TRACE)\b| output: ")
_LEAD = re.compile(r"^(?:\[[\w:./-]+\]\s+|remote:\s+)+")
_MARK = re.compile(r"--- FAIL|[✗✘✖\u00d7●]")
# From the most telling form to the least; the first line of the best form is taken.
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^E\s+(?:[\w.]+\.)[A-Z]\w+: .*\S"
        r"|^(?:E\s+)?(?:[\w.]+\.)?\w*(?:Error|Exception|Fault|Timeout)\b(?: \[\w+\])?: .*\S",
        r"^(?:fatal|FATAL|ERROR|panic|npm (?:error|ERR!)(?! code)|error(?:\[\w+\]"
        r"| TS\d+)?)\b[:!]? .*\S",
        r"^[\w@+./-]+\.\w{1,5}(?::\d+(?::\d+)?:|\(\d+,\d+\):) +(?!info|note|warning)\S.{6,}",
        r"[Cc]onnection refused|ECONNREFUSED|command not found|[Cc]annot (?:find|connect)"
        r"|could not connect"
        r"|ERR_[A-Z_]+|[Pp]ermission denied|timed out|[Tt]imeout .*exceeded|EADDRINUSE"
        r"|already in use|not trusted|not allowed|updates to \S+ needed"
        r"|does not exist|out of date|no space left|not installed|denied|ignored by one of",
        r"(?:^|\s|\[)(?:error|Error)(?:\s+TS\d+)?\b\]?:? ",
        r"^--- FAIL|^FAILED |^\s*[✗✘✖\u00d7●]|^not ok|^FAIL ",
        r"(?i)\b(?:cannot|can't|could not|unable|failed|failure|missing|undefined|unexpected"
        r"|invalid"
        r"|no such|not found|refused|conflict|mismatch|must|is not|rejected|should not)\b",
    )
)
_PLACE = _FORMS[2]
_SURE = (*_FORMS[:2], _FORMS[3], re.compile(r"^--- FAIL"))
_ASSERTION = re.compile(
    r"^(?:AssertionError|assert\b|Expected|expected"
    r"|Error: (?:Should|Not|Expect|Received|An error is|\S+ (?:does not|should)))"
)
# What a test says has a line number and no column; it may be a mere note of what it does.
_SAID = re.compile(r"\S+_test\.\w+:\d+: ")
_OF_TESTS = re.compile(rf"{_PLACE.pattern}|{_ASSERTION.pattern}|^(?:--- FAIL|FAIL |panic: |go: )")
_TEST = re.compile(r"^(?:FAIL(?:ED)?:?|--- FAIL:|[✗✘✖\u00d7●])\s+(?=\S*[./:\w]{4})(.+?)(?: - .*)?$")


# How checkers end that found something: for output whose exit code a pager hides.
_END = re.compile(
    r"^(?:FAIL(?:ED)?\b|--- FAIL|(?:\S+ )?ERROR task failed|npm (?:ERR!|error) |exit status [1-9]"
    r"|make(?:\[\d+\])?: \*\*\*|error(?:\[\w+\])?: could not compile|BUILD FAILED"
    r"|test result: FAILED|=+ .*\b[1-9]\d* (?:failed|error)|Tests?:? +[1-9]\d* failed"
    r"|Found [1-9]\d* errors?\b|[1-9]\d* issues:"
    r"|\S+\.\w{1,5}[:(]\d+[:,]\d+\)?: (?:error|undefined|cannot use|declared and|syntax error))",
    re.MULTILINE,
)


def is_noise(output: str) -> bool:
    """Tell failures of the agent's own handling, which no project can fix, from real ones."""
    start = output[:600]
    if _NEVER_RAN.search(start) or "Request interrupted by user" in output[-200:]:
        return True
    # What a command prints may well name a file that does not exist.
    return not _SHELL.match(output) and _CLIENT.search(start) is not None


def ends_in_failure(output: str) -> bool:
    """Tell by its words the output of a checker that found something."""
    return _END.search(output) is not None


def find_error_line(output: str, *, sure: bool = False) -> str:
    """Return the line of `output` that names the error; "" where no line does.

    With `sure`, only forms count that are errors beyond doubt: for a text that need not be output.
    """
    raw = [line[:_LINE_READ] for line in output.split("\n")]
    lines = [_LEAD.sub("", one_line(line)) for line in raw]
    useful = [(n, line) for n, line in enumerate(lines) if line and not _SKIPPED.search(line)]
    if "FAIL" in lines:
        # The end of a Go test run: what its tests merely print looks like errors, and is none.
        useful = [
            (n, line)
            for n, line in useful
            if _OF_TESTS.search(line) and (not _SAID.match(line) or _ASSERTS.search(line))
        ]
    for form in _SURE if sure else _FORMS:
        for number, line in useful:
            # An indented place is what a test says, or quotes: it belongs to the line of the test.
            if raw[number][:1].isspace() and form is not _FORMS[-1] and _PLACE.match(line):
                continue
            if form.search(line):
                found = _trimmed(_with_cause(number, lines))
                return clip(_with_test(found, lines), LINE_LIMIT)
    return ""


_CHANGING = (
    (re.compile(r"(?:[a-z]:)?(?:~|\.{1,2})?[/\\][\w./\\@+-]+"), "/…"),
    (re.compile(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{7,}\b"), "0"),
    (re.compile(r"\d+(?:\.\d+)*(?:[nmµu]?s|[mh]\d*s?|[kmg]i?b)?\b|\d+(?:\.\d+)*"), "0"),
)


def normalised(line: str) -> str:
    """Return the error without what changes from run to run: numbers, paths, hashes, times."""
    line = line.lower()
    for pattern, word in _CHANGING:
        line = pattern.sub(word, line)
    return re.sub(r"(?:0 )+0", "0", re.sub(r"\W+", " ", line)).strip()


def _with_cause(number: int, lines: list[str]) -> str:
    """Add what the next line says to the bare name of a failed test, or to a line that ends in :"""
    line = lines[number]
    if line.count("`") % 2 and "`" in "".join(lines[number + 1 : number + 2]):
        # The code that is quoted goes on in the next line.
        return f"{line} {lines[number + 1]}"
    bare = line.endswith(":") or (_MARK.match(line) and ": " not in line.removeprefix("--- FAIL:"))
    if not bare:
        return line
    name = re.sub(r"^--- FAIL:?\s*|\s*\([\d.]+m?s\)$", "", line).rstrip(":.")
    if line.startswith("---"):
        printed = _said_by_test(number, lines)
        return f"{name}: {printed}" if printed else name
    for cause in lines[number + 1 : number + 4]:
        if (
            "│" not in cause
            and re.search(r"[A-Za-z]{2}", cause)
            and not (_SKIPPED.search(cause) or _MARK.match(cause) or _PLACE.match(cause))
        ):
            return f"{name}: {cause}"
    return name


def _said_by_test(number: int, lines: list[str]) -> str:
    """Return the last thing that a Go test says: what stopped it comes after what it logged.

    It is below its name, or above it where the test runs aloud.
    """
    below, above = lines[number + 1 : number + 40], lines[max(0, number - 40) : number]
    part = lines[number].split(" (")[0] + "/"
    for way in (below, above[::-1]):
        printed: list[str] = []
        for line in way:
            if line.startswith(part):
                continue
            if line.startswith(("---", "===", "FAIL", "ok ", "PASS")):
                break
            if _PLACE.match(line) and _ASSERTS.search(line) and not _LOGGED.search(line):
                printed.append(line)
        if printed:
            return printed[-1] if way is below else printed[0]
    return ""


def _with_test(found: str, lines: list[str]) -> str:
    """Put the name of the test before an assertion, which says little without it."""
    if not _ASSERTION.match(found):
        return found
    found = re.sub(r"\s*// Object\.is equality$", "", found)
    for line in (*lines, *(line.replace("Test: ", "--- FAIL: ") for line in lines)):
        if (test := _TEST.match(line)) and not _SKIPPED.search(line):
            name = re.sub(r"\s*\([\d.]+ ?m?s\)$", "", test[1])
            return f"{clip(name, LINE_LIMIT // 2)}: {found}"
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
