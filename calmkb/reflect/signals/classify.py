"""What kind of learning a text is: whose it is, where it holds, which heading it belongs under."""

import re
from typing import Literal

Scope = Literal["global", "project"]
Side = Literal["agent", "project"]
AGENT_CATEGORIES = ("Commands", "Conventions", "Gotchas", "Preferences")
PROJECT_CATEGORIES = (
    "Documentation", "Naming", "Project Structure", "Configuration", "Test Structure",
)  # fmt: skip

_COMMAND = re.compile(r"\brun\b[^.]{0,40}`[^`]+`|\A`[^`]+`\Z", re.IGNORECASE)
_GOTCHA = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure)?|errors?|crash\w*|hangs?|hung|broken?|breaks?|flak[ey]\w*|"
    r"time[sd]? ?out|deprecated|outdated|not anymore|no longer|beware|careful|watch out|"
    r"not found|does(?:n't| not) work)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:I(?:'d)? (?:prefer|like|want|rather)|I would rather|please|tell me|ask me|show me|"
    r"answer|explain|brief|concise|shorter|verbose|emojis?|commit messages?|don't apologi[sz]e)\b",
    re.IGNORECASE,
)
_CONVENTION = re.compile(
    r"\b(?:conventions?|standards?|naming|code style|house rule|we (?:prefer|follow|put|keep|use|"
    r"stick)|goes in|(?:always|never) use)\b",
    re.IGNORECASE,
)
_LOCAL = re.compile(
    r"\b(?:this|our) (?:project|repo\w*|codebase|team|package|app|service)\b|\baround here\b|"
    r"\bwe (?:put|keep|follow|stick)\b|\bgoes in\b|\b(?:staging|production)\b|"
    r"(?<![\w.])[\w.-]+/[\w./-]+|\b\w+\.(?:py|ts|tsx|js|go|rs|java|toml|ya?ml|json|md|sql)\b",
    re.IGNORECASE,
)
_PROJECT_CUES = (
    ("Documentation", r"\bREADME\b|\bCHANGELOG\b|\bdocs?\b|\bdocument(?:ation|ed)?\b"),
    ("Test Structure", r"\btests?\b|\bfixtures?\b|\bmocks?\b|\bconftest\b|\bspecs?\b|coverage"),
    ("Configuration", r"\bconfig\w*|\bsettings?\b|\benv(?:ironment)?\b|\.(?:toml|ya?ml|ini|env)\b"
                      r"|\bvariables?\b|\binstall\w*|not found"),
    ("Documentation", r"\bdoc(?:ument\w*|strings?)?\b|\bcomments?\b"),
    ("Naming", r"\bnam(?:e[sd]?|ing)\b|\brenam\w+|\b(?:camel|snake|kebab)[ _-]?case\b"),
)  # fmt: skip


def agent_category(text: str, kind: str) -> str:
    """Return the heading of CLAUDE.md that a learning of this kind (a signal's type) is under."""
    if kind == "command" or _COMMAND.search(text):
        return "Commands"
    if kind == "failure":
        return "Gotchas"
    if kind == "pattern" or _PREFERENCE.search(text):
        return "Preferences"
    if kind == "convention" or _CONVENTION.search(text):
        return "Conventions"
    return "Gotchas" if _GOTCHA.search(text) else "Conventions"


def project_category(text: str) -> str:
    """Return what of the project an improvement is about; failed searches are about its layout."""
    for name, cue in _PROJECT_CUES:
        if re.search(cue, text, re.IGNORECASE):
            return name
    return "Project Structure"


def heading_for(text: str, kind: str, category: str) -> str:
    """Return the heading of CLAUDE.md for a learning, also where it was meant for the project."""
    return category if category in AGENT_CATEGORIES else agent_category(text, kind)


def side_of(kind: str, category: str) -> Side:
    """Return whom a learning is for: friction is for the project to fix, the rest for agents."""
    if category in PROJECT_CATEGORIES:
        return "project"
    return "project" if kind == "project_friction" else "agent"


def scope_of(text: str, kind: str, *, projects: int) -> Scope:
    """Return where a learning holds: what two projects met, or is about the person, everywhere.

    A command, a failure and what names a path or `this project` belong where they were met.
    """
    if projects != 1:
        return "global"
    if kind in ("command", "failure", "convention", "project_friction") or _LOCAL.search(text):
        return "project"
    return "global" if agent_category(text, kind) == "Preferences" else "project"


def given_category(name: str) -> str:
    """Return one of the nine categories where `name` is one in any case, else nothing."""
    known = {one.casefold(): one for one in (*AGENT_CATEGORIES, *PROJECT_CATEGORIES)}
    return known.get(name.strip().casefold(), "")
