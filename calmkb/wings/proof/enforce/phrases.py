"""Phrases that say a check by themselves, whatever else stands in the sentence."""

import re
from collections.abc import Iterator
from dataclasses import replace

from calmkb.wings.proof.enforce.checks import Check, parse_check

NOT = r"\b(?:never|do not|don\W?t|(?:must|may|should) (?:not|never)|mustn't|avoid|no longer|stop)"
# A heading that forbids what is listed below it, and is of nothing else.
_FORBIDS = (
    r"(?i:[^\w\n]*(?:(?:critical|common|hard) )?(?:never(?: do(?: th[ei]se?)?)?|do not|don\W?ts?"
    r"|(?:(?:forbidden|prohibited|banned)(?: \w+)?)|anti-?patterns?(?: \([^)]*\)| to avoid)?"
    r"|what not to do|(?:things to )?avoid(?: introducing)?|must not))"
)
_BELOW = re.compile(
    rf"(?m)^(?:#+ )?{_FORBIDS}[ *]*:?[ *]*\n(?:(?:[ \t]*(?:[-*+|]|\d+[.)]) .*|)\n)*"
)
_ITEM = re.compile(
    r"(?m)^(?:[ \t]*(?:[-*+]|\d+[.)]|\|) +)(?:\*\*)?(?:❌ +)?"
    r"(?P<said>(?:(?! (?:→|->|—|-|instead of|rather than) |: )[^|\n])+)(?:.*)$"
)
_BLOCK = re.compile(r"(?m)^(?P<line>.*:[ *]*)(?P<rest>\n+```\w*\n(?P<code>(?:[^\n`]+\n){1,6})```)")
# A name that was replaced. Values and short words ("is `true`, not `false`") are no names.
_NAME = r"`((?=[^`]*[./_-])(?=[^`]*[A-Za-z])[\w./@-]{6,})`"
_TYPES = "feat:|fix:|docs:|style:|refactor:|perf:|test:|build:|ci:|chore:|revert:"
_PHRASES = (
    (rf"{NOT}\s+(?:ever )?force[- ]push", "never run git push --force|-f|--force-with-lease"),
    (rf"(?:{NOT}|\bno|instead of)(?: add| us(?:e|ing)| introduce)?(?: the(?: use of the)?)? `any`"
     r"(?: types?)?(?: used| in typescript)? *(?=$|[.,;:(]|[—-] )",
     "never write `: any` in *.ts, *.tsx"),
    (rf"{NOT}[^.;`]{{0,20}}(?<!force[- ])\bpush(?: directly| straight)?(?: to)? (?:the )?"
     r"(?:`\w+` or )?`?((?-i:main|master))\b", r"never run git push origin \1"),
    (rf"{NOT}\s+(?:ever )?amend", "never run git commit --amend"),
    (rf"{NOT}\b[^.;]*--no-verify", "never run git commit --no-verify"),
    (r"\bstage (?:\w+ )*?(?:by (?:name|path)|individually|explicitly|one by one)",
     "never run git add -A|--all\nnever run git add ."),
    (rf"{NOT} (?:\w+ )?`([^`]+)` without `?(--?[\w-]+)", r"never run \1 without \2"),
    (r"\balways run `([^`]+)` with `(--?[\w-]+)", r"never run \1 without \2"),
    (rf"(?:{NOT}|\bno)\b[^.;]*co-?author", "never say `Co-Authored-By` in a commit"),
    (r"^(?!.*\b(?:not?|PR|titles?)\b)(?:.*\b(?:follow|use)s? (?:the )?conventional commit"
     r"|\W*conventional commits?: )",
     f"begin commits with `{_TYPES}`"),
    (r"\bcommit[\w ]*? (?:start|begin)\w* with (`[^`]+`(?:(?:, |,? or )`[^`]+`)*)",
     r"begin commits with \1"),
    (r"\b(?:put|keep|store|save|write|place)\b[^`]*?\b(?:not|never) (?:in|into|under|below) "
     r"(?:the )?`([\w.@-]+(?:/[\w.@-]+)*(?:/[\w.@-]+|(?=/)))/?`", r"never edit \1/**"),
    (rf"(?:`[^`]+`,? (?:and )?no longer|\b(?:called|named) `[^`]+`,? not|\bformerly) {_NAME}",
     r"never write `\1`"),
    (r"`[a-z]\w*(\.\w+)`(?:/`[^`]+`)?,? not `([a-z]\w*)`", r"never write `\2\1`"),
    (rf"{NOT}[^.;`]*\b(?:old|former) name {_NAME}", r"never write `\1`"),
    (rf"{NOT} (?:name|call) (?:a |any |the )?(?:local )?variables? `(\w+)`",
     r"never name a variable `\1`"),
    (r"`([^`]*?(?:nolint(?::[a-z]\w*)?|noqa|eslint-disable|@ts-expect-error|type: ignore))[^`]*`"
     r"[^`;]*?\b(?:with|plus|and) (?:an? |the )?(?:\w+ )?(?:explanation|reason|justification)\b",
     r"give a reason after `\1`"),
    (r"^(?!.*\b(?:not?|never|don't)\b).*(?:`(?:git commit )?--signoff`|`git commit -s`"
     r"|(?<![\w.`])sign[- ]?off\b[^.;]*\bcommits?\b)", "never run git commit without -s|--signoff"),
    (r"(?:`([\w.]+)`|\b([A-Z]+(?:_[A-Z]+)+)\b) is (?:now )?(?:gone|deprecated)\b",
     r"never write `\1\2`"),
)  # fmt: skip


def phrases(sentence: str, paths: tuple[str, ...]) -> Iterator[Check]:
    """Yield the checks that a sentence says in a fixed phrase."""
    for pattern, lines in _PHRASES:
        for found in re.finditer(pattern, sentence, re.IGNORECASE):
            said = re.sub("`(?:, |,? or )`", "|", found.expand(lines)).split("\n")
            for check in map(parse_check, said):
                yield replace(check, globs=paths or check.globs) if check.kind == "write" else check


def in_context(text: str) -> str:
    """Return an instruction file, line for line, with what its lines leave to those around them.

    An item below "Never:" begins with Never, and a line that ends with a colon names the commands
    of the code block below it.
    """
    text = _BELOW.sub(lambda one: _ITEM.sub(_never, one[0] + "\n")[:-1], f"{text}\n")
    return _BLOCK.sub(lambda one: f"{one['line']} {_commands(one['code'])}{one['rest']}", text)


def _never(item: "re.Match[str]") -> str:
    said = item["said"]
    said = said[:1].lower() + said[1:] if said[1:2].islower() else said
    clear = said.isascii() and not re.search(NOT, said, re.IGNORECASE)
    return f"- Never {said}" if clear else item[0]


def _commands(code: str) -> str:
    """Return the commands of a block as spans; none where it has others, or some are choices."""
    lines = [re.sub(r"^\s*(?:\$ )?|\s*#.*", "", one).strip() for one in code.splitlines()]
    other = re.search(r"(?m)#.*\bor\b|[{};]$", code)
    return "" if other else ", ".join(f"`{one}`" for one in lines if one)
