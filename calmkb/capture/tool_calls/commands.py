"""Shell commands: split into steps, made fit for another machine, and what their steps do."""

import re
from collections.abc import Sequence

from calmkb.capture.formats.cleaning import one_line

LIMIT = 200
"""A longer command is named by its program: cut, it would be taken for the whole."""
_TAILS = 8  # more redirections and pagers than anybody types at the end of a command

_STEP = re.compile(
    r"(?:\d?[<>]{1,2}&\d?|&>{1,2}|'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|[^'\"|&;\n\\])+", re.DOTALL
)
_HEREDOC = re.compile(r"<<-?\s*['\"]?\w+")
_VARIABLE = re.compile(r"^(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s'\"]*)(?:\s+|$)")
_CD = re.compile(r"^(?:cd|pushd)\s+(?:\.|\"\.\")\s*(?:&&|;)\s*")
_MESSAGE = re.compile(r"(\bgit commit\b.*?) -\w*m(?: |=)?[\"'$].*$")
_SHOWN_TAIL = re.compile(r"\s*(?:\|\|\s*(?:true|:)|;\s*echo\b[^;|&]*)\s*$")
_TAIL = re.compile(r"\s*(?:\d?>&\d|\d?>\s*/dev/null|\|\s*(?:head|tail|less|cat|tee)\b[^|&;]*)\s*$")
_PAGED = re.compile(r"\|\s*(?:head|tail|less|cat|tee|grep|rg|sed|awk)\b[^|&;]*$")
# Programs that check or build: what their output says of the end can be believed.
_CHECKS = re.compile(
    r"\b(?:\w*tests?|pytest|jest|vitest|lint\w*|build|check|fmt|tsc|tox|nox|make|ruff|mypy|eslint"
    r"|cargo|go|mvn|gradlew?|clippy|vet|compile|rspec|phpunit|dotnet|ctest|pyright)\b"
)
_LOOKING = re.compile(
    r"(?:ls|cat|head|tail|grep|egrep|rg|fd|ag|echo|printf|pwd|which|type|command -v|wc|sed -n|tree"
    r"|stat|file|diff|cmp|jq|sleep|sort|uniq|cut|tr|column|less|more|date|whoami|uname|du|df|true"
    r"|realpath|basename|dirname|test|\[|\[\[|cd|pushd|popd|ps|pgrep|lsof|env|printenv|hexdump|xxd"
    r"|find(?!.* -(?:delete|exec))|awk|node -v|python3? --version"
    r"|git (?:-C \S+ )?(?:status|log|diff|show|remote(?! (?:add|set|rm|remove))|rev-parse"
    r"|ls-files|ls-tree|blame|grep|reflog|describe|cat-file|merge-base|check-ignore"
    r"|config(?: --get)? \S+$|stash list|worktree list|branch(?! -[dDmMcCf]|.* --delete))"
    r"|docker (?:ps|logs|images|inspect|compose (?:ps|logs))"
    r"|gh (?:pr|run|issue|repo) (?:view|list|checks|diff|status))(?![\w-])"
)
# What gives up a safeguard, loses work, or hides that a check fails.
UNSAFE = re.compile(
    r"--no-verify|--no-gpg-sign|gpgsign=false|\s--force\b|\s--force-\S+|\bpush\b.*\s(?:-f\b|\+\w)"
    r"|--hard\b|\bgit (?:-C \S+ )?(?:reset|clean|restore|checkout (?:--|\.))|\bstash (?:drop|clear)"
    r"|\bbranch -D\b|\bchmod\b.*\b[0-7]?777\b|\brm\s|\brmdir\b|\bsudo\b|--insecure"
    r"|\bcurl\b.*\s-\w*k"
    r"|\bkill(?:all)?\s|\bpkill\b|--skip|\s-x\b.*test|skipTests|SKIP=|HUSKY=0|hooksPath|--no-hooks"
    r"|--no-check|--disable|--nolint|\bset \+e\b|\|\|\s*(?:true|:)|StrictHostKeyChecking"
    r"|TLS_REJECT|HTTPSVERIFY|SSL_NO_VERIFY|sslVerify|--trusted-host|--break-system-packages"
    r"|--legacy-peer-deps|--ignore-\S+|--allow-unrelated|--no-strict|--no-frozen|\bcommit\b.*\s-n\b"
    r"|\bgit rm\b|--update-snapshots?|\bdrop\b|--accept|\bDROP\b|\bprune\b|--yolo|--dangerously"
)
# What may change the files that a command works on.
_CHANGES = re.compile(
    r"\bsed -\w*i|\bperl -\w*i|(?<![<>&\d-])>{1,2}\s*(?!/dev/null|&)\S|\btee\s|\bmv\s|\bcp\s|\bln\s"
    r"|\bgit (?:-C \S+ )?(?:checkout|switch|restore|reset|stash|merge|rebase|cherry-pick|apply"
    r"|revert|pull|read-tree|clean|rm)\b|\bpatch\s|\bpython[\d.]*\s+(?:-\s|-c\b|-$)|<<"
)
_HOME = re.compile(r"(?<![\w.~-])/(?:Users|home)/[^/\s\"':;]+(?=[/\s\"';&|):]|$)")
_WINDOWS_HOME = re.compile(r"\b[A-Za-z]:\\+Users\\+[^\\\s\"']+")
_TEMPORARY = re.compile(r"(?:/private)?/var/folders/\w+/\w+/T(?=/|\b)")


def steps(command: str) -> list[str]:
    """Return the simple commands of a line, without the variables that are set for them."""
    bare = (_without_variables(step) for step in _STEP.findall(_HEREDOC.split(command)[0]))
    return [step for step in bare if step]


def only_looks(command: str) -> bool:
    """Return whether a command only reads: such commands neither break nor fix."""
    found = steps(command)
    return all(_LOOKING.match(step) for step in found) and not _CHANGES.search(command)


def changes_files(command: str) -> bool:
    """Return whether a command may change the very files that another one works on."""
    return _CHANGES.search(command) is not None


def hides_its_end(command: str) -> bool:
    """Return whether a command's exit code is that of the pager at its end."""
    found = _PAGED.search(command)
    return (
        found is not None
        and _CHECKS.search(command[: found.start()]) is not None
        and not (only_looks(command))
    )


def program(command: str) -> str:
    """Return what a command runs: `git push`, `npm`; of several steps the last that acts."""
    found = steps(command)
    acting = [step for step in found if not _LOOKING.match(step)] or found
    # Of a text that goes on in lines of its own, the beginning is the command.
    words = acting[0 if _HEREDOC.search(command) else -1].split() if acting else []
    second = words[1] if len(words) > 1 and re.fullmatch(r"[a-z][\w:-]*", words[1]) else ""
    return " ".join(word for word in (*words[:1], second) if word)


def task_of(command: str) -> str:
    """Return the command as it was typed, but for its pager: two runs with one task are equal."""
    return _without_tails(" ".join(command.replace("\\\n", " ").split()), _TAIL)


def short_command(command: str, root: str = "") -> str:
    """Return a command to show: no machine's folders, no pager, no message of a commit.

    "" where it cannot be shown whole in one line.
    """
    text = command.replace("\\\n", " ").strip()
    if _HEREDOC.search(text):
        return ""
    text = without_folders(text, root)
    if "\n" in text:
        if any("\n" in step for step in _STEP.findall(text)):
            return ""
        lines = [line.strip() for line in text.split("\n")]
        text = "; ".join(line for line in lines if line and not line.startswith("#"))
    text = _CD.sub("", one_line(text))
    text = _without_tails(text, _TAIL, _SHOWN_TAIL)
    return _MESSAGE.sub(r"\1", text).strip()


def without_folders(text: str, root: str, *, prose: bool = False) -> str:
    """Return a text without a machine's own folders, its commands as runnable as before."""
    root = root.rstrip("/")
    if root.count("/") > 1 and root in text:
        here = re.escape(root)
        text = re.sub(rf"(?<![\w.~/-]){here}/(?=[\w.*{{$-])", "", text)
        text = re.sub(rf"(?<![\w.~/-]){here}/?(?=[\s\"';&|):,]|$)", ".", text)
    if "Users" in text or "/home/" in text:
        text = _HOME.sub(lambda found: "~" if prose else _home(text, found.start()), text)
        text = _WINDOWS_HOME.sub("%USERPROFILE%", text)
    return _TEMPORARY.sub("$TMPDIR", text)


def _without_tails(text: str, *tails: re.Pattern[str]) -> str:
    for _ in range(_TAILS):
        shorter = text
        for tail in tails:
            shorter = tail.sub("", shorter)
        if shorter == text:
            break
        text = shorter
    return text


def _home(text: str, place: int) -> str:
    """A shell reads `~` at the beginning of a word alone."""
    return "~" if place == 0 or text[place - 1] in " \t\n(`" else "$HOME"


def _without_variables(step: str) -> str:
    step = step.strip(" \t\n(){}")
    while (shorter := _VARIABLE.sub("", step, count=1)) != step:
        step = shorter
    return step


def same_but_for_the_runner(failed: Sequence[str], worked: Sequence[str]) -> bool:
    """Return whether they differ as `npm run test` from `pnpm test`: other program, same task."""
    old, new = ([word for word in words if word not in ("run", "--")] for words in (failed, worked))
    return len(old) > 1 and len(new) > 1 and old[0] != new[0] and old[1:] == new[1:]
