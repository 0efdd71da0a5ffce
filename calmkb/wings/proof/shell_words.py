"""A line of shell read once: its simple commands, each as words without their quotes."""

import re
from dataclasses import dataclass, field
from itertools import dropwhile

# What is run or filled in, between double quotes too.
_FILLED = (
    r"(?P<run>\$\()|`(?P<back>(?:\\.|[^`\\])*)`"
    r"|\$(?:(?P<name>\w+)|\{(?P<braced>\w+)(?:\[[@*]\])?(?::?[-=](?P<default>[^{}$`]*))?\})"
)
_BARE = r"[^\s\\'\"`$#();<>|&{},]"
_TOKEN = re.compile(
    r"(?P<nothing>\\\n|(?<![^\s;&|()])\#[^\n]*|\$?\(\([^()]*\)\))|\\(?P<escaped>.)"
    rf"|\$?'(?P<single>[^']*)'|\$?(?P<quote>\")|{_FILLED}|(?P<file>[<>]\()"
    r"|<<-?[ \t]*(?P<here>[\w'\"\\.+-]+)"
    r"|(?P<redirection>\d*(?:<<<|>[>|&]?|<[>&]?)|&>>?)|(?P<sign>&&|\|[|&]?|;;?|[&\n()])"
    rf"|(?P<blank>\s)|(?<![^\s;&|(])\{{(?P<list>{_BARE}*(?:,{_BARE}*)+)\}}"
    r"|(?P<plain>[^\s\\'\"`$#();<>|&]+|.)",
    re.DOTALL,
)
_QUOTED = re.compile(
    rf"(?P<nothing>\\\n)|\\(?P<escaped>[\"\\$`])|{_FILLED}|(?P<plain>[^\"\\$`]+|.)", re.DOTALL
)
_VARIABLE = re.compile(r"[A-Za-z_]\w*\+?=")
_DEEPEST, _LONGEST = 20, 4000
_SETTING = ("export", "local", "declare", "typeset", "readonly")
_WHICH = ["command", "-v"]

Shell = tuple[int, ...]
"""The name of a shell, which begins as that of the one around it."""


@dataclass(slots=True)
class Step:
    """A simple command and the shell it is run in.

    `after` it is a sign; `given` and `feeder` are what the line puts on its standard input.
    """

    shell: Shell
    words: list[str] = field(default_factory=list)
    after: str = ""
    given: str = ""
    feeder: "Step | None" = None

    @property
    def reads(self) -> str:
        """The text on its standard input, as far as the line tells."""
        if self.given or not self.feeder:
            return self.given
        program, *said = self.feeder.words
        if program not in ("echo", "printf", "which") and self.feeder.words[:2] != _WHICH:
            return self.feeder.reads  # as `cat` and `tee` do
        words = dropwhile(lambda word: word[:1] in ("-", "%"), said)
        return " ".join(words).replace("\\n", "\n")


def read_steps(line: str, shell: Shell = ()) -> list[Step]:
    """Return the commands of a line, those in `$(...)` too; what is no shell is read all the same.

    Variables that the line itself sets are filled in.
    """
    return _Reader(line, shell, {"IFS": " "}).read()


def is_variable(word: str) -> bool:
    """Whether a word sets a variable, as `CI=1`."""
    return _VARIABLE.match(word) is not None


class _Reader:
    def __init__(self, line: str, shell: Shell, values: dict[str, str]) -> None:
        self._line, self._at, self._values = line, 0, values
        self._step, self._steps = Step(shell), list[Step]()
        self._word: str | None = None
        self._redirection = ""
        self._heredocs: list[tuple[Step, str]] = []

    def read(self, end: str = "") -> list[Step]:
        """Take all, or all up to a sign that ends it."""
        self._take_all(_TOKEN, end)
        self._end_step("")
        return self._steps

    def _take_all(self, token: re.Pattern[str], end: str) -> None:
        while found := token.match(self._line, self._at):
            self._at = found.end()
            if end and found[0] == end:
                return
            self._take(found, found.lastgroup or "", quoted=token is _QUOTED)

    def _take(self, found: "re.Match[str]", kind: str, *, quoted: bool) -> None:
        text = found[kind]
        if kind == "quote":
            self._add("")
            self._take_all(_QUOTED, '"')
        elif kind == "sign":
            self._end_step(text)
        elif kind in ("blank", "redirection"):
            self._end_word()
            self._redirection = text.strip() or self._redirection
        elif kind == "here":
            self._heredocs.append((self._step, text))
        elif kind == "file":  # `bash <(...)` reads it
            self._step.given = self._run()
            self._add("/dev/fd/63")
        elif kind in ("run", "back"):
            inner = re.sub(r"\\([\\`$])", r"\1", text) or " " if kind == "back" else ""
            self._fill(self._run(inner), quoted=quoted)
        elif kind in ("name", "braced", "default"):
            name = found["name"] or found["braced"]
            self._fill(self._values.get(name, found["default"] or f"${name}"), quoted=quoted)
        elif kind == "list":  # `{npm,i}`
            self._fill(text.replace(",", " "), quoted=False)
        elif kind != "nothing":
            self._add(text)

    def _add(self, text: str) -> None:
        self._word = (self._word or "") + text

    def _fill(self, value: str, *, quoted: bool) -> None:
        """Put a value in the place of its name; without quotes it may be several words."""
        if value.isspace() and not quoted:  # as `$IFS` is
            self._end_word()
            return
        first, *more = [value] if quoted else value.split() or [""]
        self._add(first)
        for word in more:
            self._end_word()
            self._add(word)

    def _run(self, line: str = "") -> str:
        """Take the commands of a shell of its own, here up to `)`; return what they print."""
        shell = (*self._step.shell, self._at)
        if len(shell) > _DEEPEST:
            return "$"
        inner = _Reader(line or self._line, shell, self._values)
        inner._at = 0 if line else self._at
        steps = inner.read("" if line else ")")
        self._at = self._at if line else inner._at
        self._steps += steps
        printed = Step(shell, feeder=steps[-1]).reads if steps else ""
        return printed[:_LONGEST] or "$"

    def _end_word(self) -> None:
        if self._word is None:
            return
        if self._redirection == "<<<":
            self._step.given = self._word
        elif not self._redirection:
            self._step.words.append(self._word)
        self._word, self._redirection = None, ""

    def _end_step(self, sign: str) -> None:
        word, step = self._word or "", self._step
        self._end_word()
        step.after, self._redirection = sign, ""
        self._set_values(step.words)
        if step.words:
            self._steps.append(step)
        self._step = Step(step.shell, feeder=step if step.words and sign[:1] == "|" else None)
        if sign == "(":
            # `a=(x y)`, `[[ a =~ (x|y) ]]` and `!(x|y)` are text; `f()` holds nothing.
            is_text = step.words[:1] == ["[["] or not (word or "f").isalpha()
            before = len(self._steps)
            self._run()
            del self._steps[before if is_text else len(self._steps) :]
        while sign == ")" and self._steps and self._steps[-1].after in (")", "|"):
            self._steps.pop()  # the end of a pattern of `case`
        if sign == "\n":
            self._take_heredocs()

    def _set_values(self, words: list[str]) -> None:
        sets = words[1:] if words[:1] and words[0] in _SETTING else words
        if all(map(is_variable, sets)):
            for name, _, value in (word.partition("=") for word in sets):
                self._values[name] = value[:_LONGEST]

    def _take_heredocs(self) -> None:
        for step, mark in self._heredocs:
            bare = mark.strip("'\"\\")
            end = re.compile(rf"^[ \t]*{re.escape(bare)}[ \t]*$", re.MULTILINE)
            if found := end.search(self._line, self._at):
                step.given, self._at = self._line[self._at : found.start()], found.end()
            if bare == mark:
                body = _Reader(step.given, (*step.shell, self._at), self._values)
                body._take_all(_QUOTED, "")
                self._steps += body._steps
        self._heredocs = []
